"""Word problems, formulas and puzzles."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map, template
from pytest_context_bench.datasets.mappings import reasoning
from pytest_context_bench.evaluators import MathEquivalence

ENTRIES = (
    Dataset(
        "gsm8k",
        Hub(
            "openai/gsm8k",
            "{config}/{split}-*.parquet",
            split="test",
            splits=("train", "test"),
            config="main",
            configs=("main", "socratic"),
            revision="740312add88f781978c0658806c59bc2815b9866",
        ),
        Map(reasoning.gsm8k),
        (MathEquivalence(),),
        primary="math_equiv",
        category="reasoning",
        size=1319,
        licence="MIT",
        paper="arXiv:2110.14168",
        context=False,
    ),
    Dataset(
        "math",
        Hub(
            "HuggingFaceH4/MATH-500",
            "test.jsonl",
            split="test",
            revision="6e4ed1a2a79af7d8630a6b768ec859cb5af4d3be",
        ),
        template(id="{unique_id}", question="{problem}", answer="{answer}", subject="{subject}"),
        (MathEquivalence(),),
        primary="math_equiv",
        category="reasoning",
        size=500,
        licence="MIT (MATH; not declared for this subset)",
        paper="arXiv:2103.03874, arXiv:2305.20050",
        note="MATH-500, the test subset that papers report",
        context=False,
    ),
)
