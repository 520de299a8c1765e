"""Instructions to follow."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.hub_load import LINES
from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.mappings import instructions
from pytest_context_bench.evaluators import IFEvalChecker

ENTRIES = (
    Dataset(
        "ifeval",
        Hub(
            "google/IFEval",
            "ifeval_input_data.jsonl",
            split="train",
            revision="966cd89545d6b6acfd7638bc708b98261ca58e84",
            form=LINES,
        ),
        Map(instructions.ifeval, id="{key}"),
        (IFEvalChecker(),),
        primary="ifeval_strict",
        category="instructions",
        size=541,
        licence="Apache-2.0",
        paper="arXiv:2311.07911",
        context=False,
    ),
)
