"""Summaries, of dialogues, meetings, reports and news."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import template
from pytest_context_bench.evaluators import SummarizationQuality

ENTRIES = (
    Dataset(
        "dialogsum",
        Hub(
            "knkarthick/dialogsum",
            "{split}.csv",
            split="test",
            splits=("train", "validation", "test"),
        ),
        template(id="{id}", context="{dialogue}", question="Summarize the dialogue.", answer="{summary}"),
        (SummarizationQuality(),),
        primary="rouge_l_f1",
        category="summaries",
        size=1500,
        licence="CC BY-NC-SA 4.0",
        paper="arXiv:2105.06762",
        note="of the test split, three rows in turn share a dialogue, each with a summary of its own",
    ),
)
