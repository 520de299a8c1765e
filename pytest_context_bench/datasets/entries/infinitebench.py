"""InfiniteBench, whose tasks are configs with scores of their own."""

from collections.abc import Mapping

from pytest_context_bench.datasets.entry import Dataset, Measure
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.hub_load import LINES
from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.mappings import infinitebench
from pytest_context_bench.evaluators import (
    AnswerQuality,
    MultipleChoiceAccuracy,
    NumberMatch,
    StringMatch,
    SummarizationQuality,
)

_ANSWER = Measure((AnswerQuality(),), "f1")
_CHOICE = Measure((MultipleChoiceAccuracy(),), "mc_accuracy")
_DIGITS = Measure((NumberMatch("first digits"),), "number_match")
MEASURES: Mapping[str, Measure] = {
    "passkey": _DIGITS,
    "number_string": _DIGITS,
    "kv_retrieval": Measure((AnswerQuality(),), "contains"),
    "longbook_qa_eng": _ANSWER,
    "longbook_qa_chn": Measure((AnswerQuality(mode="chinese"),), "f1"),
    "longbook_sum_eng": Measure((SummarizationQuality(),), "rouge_l_f1"),
    "longbook_choice_eng": _CHOICE,
    "longdialogue_qa_eng": Measure((StringMatch(),), "string_match"),
    "math_find": Measure((NumberMatch("first number"),), "number_match"),
    "math_calc": Measure((NumberMatch("prefix"),), "number_match"),
    "code_run": Measure((NumberMatch("last word"),), "number_match"),
    "code_debug": _CHOICE,
}

ENTRIES = (
    Dataset(
        "infinitebench",
        Hub(
            "xinrongzhang2022/InfiniteBench",
            "{config}.jsonl",
            split="test",
            config="longbook_qa_eng",
            configs=tuple(MEASURES),
            revision="611fbbf7c75816ac4cfe0048d311c15233d47afd",
            form=LINES,
        ),
        Map(infinitebench.infinitebench),
        _ANSWER.evaluators,
        primary=_ANSWER.primary,
        category="long-context",
        size=351,
        licence="Apache-2.0 (code: MIT)",
        paper="arXiv:2402.13718",
        note=(
            "a config is a task, of contexts of 100 thousand tokens and more, scored as the official script "
            "does, but that choices and keys are found in any wording, and ROUGE-L is not cut at sentences"
        ),
        measures={config: measure for config, measure in MEASURES.items() if measure is not _ANSWER},
    ),
)
