"""Questions, about passages or without any."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map, golds, template
from pytest_context_bench.datasets.mappings import qa
from pytest_context_bench.evaluators import AnswerQuality

ENTRIES = (
    Dataset(
        "hotpotqa",
        Hub(
            "hotpotqa/hotpot_qa",
            "{config}/{split}-*.parquet",
            split="validation",
            splits=("train", "validation"),
            config="distractor",
            configs=("distractor", "fullwiki"),
            revision="1908d6afbbead072334abe2965f91bd2709910ab",
        ),
        Map(qa.hotpotqa, id="{id}"),
        (AnswerQuality(mode="hotpotqa"),),
        primary="f1",
        category="qa",
        size=7405,
        licence="CC BY-SA 4.0",
        paper="arXiv:1809.09600",
    ),
    Dataset(
        "natural-questions",
        Hub(
            "google-research-datasets/nq_open",
            "nq_open/{split}-*.parquet",
            split="validation",
            splits=("train", "validation"),
            revision="5dd9790a83002ad084ddeb7c420dc716852c6f28",
        ),
        template(question="{question}", answer=golds("answer")),
        (AnswerQuality(),),
        primary="f1",
        category="qa",
        size=3610,
        licence="CC BY-SA 3.0",
        paper="arXiv:1906.00300",
        note="NQ-open: short answers, any of several",
        context=False,
    ),
    Dataset(
        "musique",
        Hub(
            "dgslibisey/MuSiQue",
            {"train": "musique_ans_v1.0_train.jsonl", "validation": "musique_ans_v1.0_dev.jsonl"},
            split="validation",
            revision="c8f4f8c9465fb69d31a8eae894c3fd509c4ca321",
        ),
        Map(qa.musique, id="{id}"),
        (AnswerQuality(mode="hotpotqa"),),
        primary="f1",
        category="qa",
        size=2417,
        licence="CC BY 4.0",
        paper="arXiv:2108.00573",
        note="MuSiQue-Ans: every question is answerable",
    ),
)
