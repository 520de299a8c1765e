"""Programs to write."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map, template
from pytest_context_bench.datasets.mappings import code
from pytest_context_bench.evaluators import CodeExecution

ENTRIES = (
    Dataset(
        "humaneval",
        Hub(
            "openai/openai_humaneval",
            "openai_humaneval/{split}-*.parquet",
            split="test",
            revision="7dce6050a7d6d172f3cc5c32aa97f52fa1a2e544",
        ),
        template(
            id="{task_id}",
            question="{prompt}",
            prompt="{prompt}",
            test="{test}",
            entry_point="{entry_point}",
        ),
        (CodeExecution(),),
        primary="pass_at_1",
        category="code",
        size=164,
        licence="MIT",
        paper="arXiv:2107.03374",
        context=False,
    ),
    Dataset(
        "mbpp",
        Hub(
            "google-research-datasets/mbpp",
            "{config}/{split}-*.parquet",
            split="test",
            splits=("train", "test", "validation", "prompt"),
            config="full",
            configs=("full", "sanitized"),
            revision="4bb6404fdc6cacfda99d4ac4205087b89d32030c",
        ),
        Map(code.mbpp, id="{task_id}"),
        (CodeExecution(),),
        primary="pass_at_1",
        category="code",
        size=500,
        licence="CC BY 4.0",
        paper="arXiv:2108.07732",
        note="the tests are part of the question, as in the paper",
        context=False,
    ),
)
