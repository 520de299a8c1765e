"""Conversations of several turns."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.mappings import multi_turn

ENTRIES = (
    Dataset(
        "mt-bench",
        Hub(
            "HuggingFaceH4/mt_bench_prompts",
            "data/{split}-*.parquet",
            split="train",
            revision="e3a795c5e9a82ee40611c416b8a7786c73198991",
        ),
        Map(multi_turn.mt_bench, id="{prompt_id}"),
        (),
        primary="judge_score",
        category="multi-turn",
        size=80,
        licence="Apache-2.0",
        paper="arXiv:2306.05685",
        note="needs a judge, who rates the conversation once; the paper's rates each turn, from 1 to 10",
        context=False,
    ),
)
