"""Questions on conversations of many sessions."""

from pytest_context_bench.datasets.entry import Dataset, Measure
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.hub_load import ARRAY
from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.mappings import memory
from pytest_context_bench.evaluators import AnswerQuality, StringMatch

ENTRIES = (
    Dataset(
        "longmemeval",
        Hub(
            "xiaowu0162/longmemeval-cleaned",
            "longmemeval_{config}*.json",
            split="test",
            config="s",
            configs=("s", "m", "oracle"),
            revision="98d7416c24c778c2fee6e6f3006e7a073259d48f",
            form=ARRAY,
        ),
        Map(memory.longmemeval, id="{question_id}"),
        (AnswerQuality(),),
        primary="f1",
        category="long-context",
        size=500,
        licence="MIT",
        paper="arXiv:2410.10813",
        note=(
            "s: about 115 thousand tokens a question; m: 1.5 million; oracle: the sessions with the answer "
            "alone. Officially a model judges: F1 stands in for it, add a judge for figures to compare. The "
            "gold of an id that ends in `_abs` says why there is no answer"
        ),
    ),
    Dataset(
        "locomo",
        Hub(
            "KimmoZZZ/locomo",
            "locomo10.json",
            split="test",
            config="answerable",
            configs=("answerable", memory.ADVERSARIAL),
            form=ARRAY,
        ),
        Map(memory.locomo, id="{sample_id}", many=True),
        (AnswerQuality(),),
        primary="f1",
        category="long-context",
        size=10,
        licence="CC BY-NC 4.0",
        paper="arXiv:2402.17753",
        note=(
            "about 2,000 questions on 10 conversations, of a copy of the publisher's file; the official F1 "
            "is over stems; `adversarial` has the questions whose answer was not said"
        ),
        measures={memory.ADVERSARIAL: Measure((StringMatch(),), "string_match")},
    ),
)
