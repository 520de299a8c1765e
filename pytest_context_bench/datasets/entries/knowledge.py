"""Knowledge and common sense: multiple choice."""

from pytest_context_bench.datasets.entries import subjects
from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.mappings import knowledge
from pytest_context_bench.evaluators import MultipleChoiceAccuracy

ENTRIES: tuple[Dataset, ...] = (
    Dataset(
        "mmlu",
        Hub(
            "cais/mmlu",
            "{config}/{split}-*.parquet",
            split="test",
            splits=("test", "validation", "dev"),
            config="all",
            configs=("all", *subjects.MMLU),
            revision="c30699e8356da336a370243923dbaf21066bb9fe",
        ),
        Map(knowledge.mmlu),
        (MultipleChoiceAccuracy(),),
        primary="mc_accuracy",
        category="knowledge",
        size=14042,
        licence="MIT",
        paper="arXiv:2009.03300",
        context=False,
    ),
)
