"""What comes with the package."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.needle.source import AS_MADE, Needles
from pytest_context_bench.evaluators import AnswerQuality

ENTRIES = (
    Dataset(
        "needle",
        Needles(),
        AS_MADE,
        (AnswerQuality(),),
        primary="contains",
        category="embedded",
        size=50,
        licence="MIT",
        note="made on the spot: any number of examples, of any of its sizes",
    ),
)
