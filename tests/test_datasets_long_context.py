"""The long-context entries: the gold answer earns the full primary score, and odd rows are told."""

import json
from pathlib import Path

import pytest

from pytest_context_bench.catalog import open_dataset
from pytest_context_bench.datasets.records import Place
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.errors import BadRecordError, UnknownNameError
from pytest_context_bench.fields import answer_spans

FOLDER = Path(__file__).parent / "cases" / "datasets"
CASES = {
    name: json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for name, entry in BUILT_IN.items()
    if entry.category == "long-context"
}
LOADS = [(name, spec) for name, case in CASES.items() for spec in case["loads"]]


def gold(example):
    """Return the response that is right."""
    if "correct_letter" in example:
        return example["correct_letter"]
    return " ".join(answer_spans(example)[0])


def primary(examples, example, response):
    scores = {}
    for evaluator in examples.evaluators_for(example):
        scores |= evaluator.score(example, {**example, "response": response})
    return scores[examples.primary]


@pytest.mark.parametrize(("name", "spec"), LOADS, ids=[spec for _, spec in LOADS])
def test_the_gold_earns_all_and_nothing_earns_nothing(name, spec, hub):
    hub.add(BUILT_IN[name].source.repo, CASES[name]["files"])
    examples = open_dataset(spec)

    for example in examples:
        assert primary(examples, example, gold(example)) == 1.0
        assert primary(examples, example, "") == 0.0


@pytest.mark.parametrize("name", CASES)
def test_every_config_that_is_measured_otherwise_has_a_load(name):
    shown = {spec.partition("@")[0].partition(":")[2].removesuffix("_e") for spec in CASES[name]["loads"]}

    assert {config.removesuffix("_e") for config in BUILT_IN[name].measures} <= shown


@pytest.mark.parametrize(
    ("name", "config", "columns", "said"),
    [
        ("infinitebench", "longbook_choice_eng", {"answer": ["Elsewhere"]}, "column 'answer' is none of"),
        ("infinitebench", "longbook_choice_eng", {"answer": []}, "column 'answer' is none of the options"),
        ("infinitebench", "longbook_choice_eng", {"answer": ["E"]}, "column 'answer' is none of the options"),
        ("infinitebench", "code_debug", {"answer": ["x"], "options": []}, "column 'answer' is none of"),
        ("infinitebench", "code_run", {"input": "func_1(x)"}, "column 'input' names no call"),
        ("infinitebench", "math_calc", {"answer": "7"}, "column 'answer' is '7', expected a list"),
        ("infinitebench", "passkey", {"answer": None}, "column 'answer' is null"),
        ("longbench", "trec", {"all_classes": None}, "column 'all_classes' is null"),
        ("longbench", "lsht_e", {"all_classes": None}, "column 'all_classes' is null"),
        ("longbench", "hotpotqa", {"answers": None}, "column 'answers' is null"),
        ("longbench-v2", None, {"answer": "E"}, "column 'answer' is 'E', expected a letter from A to D"),
        ("longbench-v2", None, {"answer": ""}, "column 'answer' is '', expected a letter from A to D"),
        ("longbench-v2", None, {"answer": "AB"}, "column 'answer' is 'AB', expected a letter from A to D"),
        ("ruler", None, {"answer": "7"}, "column 'answer' is '7', expected a list"),
        ("longmemeval", None, {"haystack_dates": []}, "cannot be read as an example (ValueError"),
        ("longmemeval", None, {"haystack_sessions": [[{"role": "user"}]]}, "(KeyError: 'content')"),
        ("locomo", None, {"qa": [{"question": "?", "category": 1}]}, "no column 'qa[0].answer'"),
    ],
)
def test_a_row_that_is_not_as_expected_is_told(name, config, columns, said):
    row = {
        "longbench": {"_id": "a", "context": "c", "input": "i", "answers": ["x"], "all_classes": None},
        "longbench-v2": {
            "_id": "a",
            "context": "c",
            "question": "q",
            "answer": "A",
            **{f"choice_{letter}": letter for letter in "ABCD"},
            **dict.fromkeys(("domain", "sub_domain", "difficulty", "length"), "t"),
        },
        "infinitebench": {"context": "c", "input": "i", "answer": ["a"], "options": ["a", "b", "c", "d"]},
        "ruler": {"context": "c", "question": "q", "answer": ["x"], "task": "vt"},
        "longmemeval": {
            **dict.fromkeys(("question_id", "question", "question_date", "question_type", "answer"), "t"),
            "haystack_dates": ["today"],
            "haystack_sessions": [[{"role": "user", "content": "x"}]],
        },
        "locomo": {"sample_id": "c", "conversation": {}, "qa": []},
    }[name]
    mapping, place = BUILT_IN[name].mapping, Place(name, config, "test")

    with pytest.raises(BadRecordError) as refused:
        mapping.examples(place.record({**row, **columns}, 3))

    assert said in str(refused.value)
    assert "row 3" in str(refused.value)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("longbench:2wikimultihopqa", "did you mean '2wikimqa'"),
        ("longbench:repobench_p", "did you mean 'repobench-p'"),
        ("longbench:narrativeqa_e", "did you mean 'narrativeqa'"),
        ("infinitebench:longbook_qa_en", "did you mean 'longbook_qa_eng'"),
        ("babilong@qa21", "did you mean 'qa2"),
        ("ruler:4k", "expected one of 16384, 4096, 8192"),
        ("locomo:adversary", "did you mean 'adversarial'"),
    ],
)
def test_a_wrong_config_or_split_names_the_right_ones(spec, said, hub):
    with pytest.raises(UnknownNameError) as refused:
        open_dataset(spec)

    assert said in str(refused.value)
    assert not hub.requests
