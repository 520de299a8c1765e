"""Word problems, formulas, puzzles, and sums over passages."""

from pytest_context_bench.datasets.entries import subjects
from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map, template
from pytest_context_bench.datasets.mappings import reasoning
from pytest_context_bench.datasets.together import Together
from pytest_context_bench.evaluators import (
    AnswerMatch,
    AnswerQuality,
    MathEquivalence,
    MultipleChoiceAccuracy,
)

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
    Dataset(
        "drop",
        Hub(
            "EleutherAI/drop",
            "drop_{split}.parquet",
            split="validation",
            splits=("train", "validation"),
            revision="619386fc7ffe6dace3cc6d3483c69b164ebf6bf3",
        ),
        Map(reasoning.drop),
        (AnswerQuality(mode="drop"),),
        primary="f1",
        category="reasoning",
        size=9536,
        licence="CC BY-SA 4.0",
        paper="arXiv:1903.00161",
        note="every annotator's answer counts, as in the official script",
    ),
    Dataset(
        "mgsm",
        Hub(
            "juletxara/mgsm",
            "{config}/{split}-*.parquet",
            split="test",
            splits=("train", "test"),
            config="en",
            configs=("bn", "de", "en", "es", "fr", "ja", "ru", "sw", "te", "th", "zh"),
            revision="b2f13d426afe3be8d69a7e739b36724db8b66bbc",
        ),
        template(question="{question}", answer="{answer_number}"),
        (MathEquivalence(),),
        primary="math_equiv",
        category="reasoning",
        size=250,
        licence="CC BY-SA 4.0",
        paper="arXiv:2210.03057",
        note="one config a language; a row is the same problem in all of them",
        context=False,
    ),
    Dataset(
        "bbh",
        Together(
            Hub(
                "lukaemon/bbh",
                "{config}/{split}-*.parquet",
                split="test",
                configs=subjects.BBH,
                revision="982bb89fd79532a8ac676a61fc42eb1aeec63f99",
            )
        ),
        Map(reasoning.bbh),
        (MultipleChoiceAccuracy(), AnswerMatch()),
        primary="mc_accuracy",
        category="reasoning",
        size=6511,
        licence="MIT",
        paper="arXiv:2210.09261",
        note="its 27 tasks in turn, or one, as `bbh:navigate`; sample them with a seed; without options the "
        "score is `answer_match`",
        context=False,
    ),
)
