"""LongBench, whose tasks are configs with scores of their own, and LongBench v2."""

from collections.abc import Mapping

from pytest_context_bench.datasets.entry import Dataset, Measure
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.hub_load import ARRAY
from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.mappings import longbench
from pytest_context_bench.evaluators import (
    AnswerQuality,
    ClassMatch,
    CodeSimilarity,
    FirstLine,
    MultipleChoiceAccuracy,
    NumberMatch,
    SummarizationQuality,
)

_ANSWER = Measure((AnswerQuality(),), "f1")
_SUMMARY = Measure((SummarizationQuality(),), "rouge_l_f1")
_LABEL = Measure((FirstLine(ClassMatch()),), "class_match")
_NUMBER = Measure((NumberMatch("share"),), "number_match")
_CODE = Measure((CodeSimilarity(),), "edit_similarity")
TASKS: Mapping[str, Measure] = {
    "narrativeqa": _ANSWER,
    "qasper": _ANSWER,
    "multifieldqa_en": _ANSWER,
    "multifieldqa_zh": Measure((AnswerQuality(mode="chinese"),), "f1"),
    "hotpotqa": _ANSWER,
    "2wikimqa": _ANSWER,
    "musique": _ANSWER,
    "dureader": _SUMMARY,
    "gov_report": _SUMMARY,
    "qmsum": _SUMMARY,
    "multi_news": _SUMMARY,
    "vcsum": _SUMMARY,
    "trec": _LABEL,
    "triviaqa": Measure((FirstLine(AnswerQuality()),), "f1"),
    "samsum": Measure((FirstLine(SummarizationQuality()),), "rouge_l_f1"),
    "lsht": _LABEL,
    "passage_count": _NUMBER,
    "passage_retrieval_en": _NUMBER,
    "passage_retrieval_zh": _NUMBER,
    "lcc": _CODE,
    "repobench-p": _CODE,
}
_EVEN = (  # those that are there with lengths spread evenly too
    "qasper",
    "multifieldqa_en",
    "hotpotqa",
    "2wikimqa",
    "gov_report",
    "multi_news",
    "trec",
    "triviaqa",
    "samsum",
    "passage_count",
    "passage_retrieval_en",
    "lcc",
    "repobench-p",
)
_MEASURES = {**TASKS, **{f"{task}_e": TASKS[task] for task in _EVEN}}

ENTRIES = (
    Dataset(
        "longbench",
        Hub(
            "zai-org/LongBench",
            "zip://data/{config}.jsonl::data.zip",
            split="test",
            config="hotpotqa",
            configs=tuple(_MEASURES),
            revision="5e628be450b7e67fb7ae6e201bd6d8f7056f7672",
        ),
        Map(longbench.longbench, id="{_id}"),
        _ANSWER.evaluators,
        primary=_ANSWER.primary,
        category="long-context",
        size=200,
        licence="MIT; each task its own",
        paper="arXiv:2308.14508",
        note=(
            "a config is a task, with `_e` one of lengths spread evenly; each has the score of the official "
            "script, but that ROUGE-L is that of `rouge-score` and words of Chinese are its characters"
        ),
        measures={config: measure for config, measure in _MEASURES.items() if measure is not _ANSWER},
    ),
    Dataset(
        "longbench-v2",
        Hub(
            "zai-org/LongBench-v2",
            "data.json",
            split="train",
            revision="2b48e494f2c7a2f0af81aae178e05c7e1dde0fe9",
            form=ARRAY,
        ),
        Map(longbench.longbench_v2, id="{_id}"),
        (MultipleChoiceAccuracy(),),
        primary="mc_accuracy",
        category="long-context",
        size=503,
        licence="Apache-2.0",
        paper="arXiv:2412.15204",
        note="contexts of 8 thousand to 2 million words; all of it is a file of 465 MB",
    ),
)
