"""Questions with options: records without a gold, or with two, are errors of their own."""

from dataclasses import replace

import pytest

from pytest_context_bench.catalog import open_dataset
from pytest_context_bench.datasets.hub_errors import SourceError
from pytest_context_bench.datasets.records import Place
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.errors import BadRecordError, UnknownNameError

PRO = {"question_id": 1, "question": "?", "options": ["x", "y", "N/A"], "category": "law"}
HELLA = {"activity_label": "Rowing", "ctx_a": "A man rows.", "ctx_b": "he", "endings": ["a", "b", "c", "d"]}
WINO = {"sentence": "Ann saw Bea as _ left.", "option1": "Ann", "option2": "Bea"}


def mc1(*labels):
    choices = [f"option {number}" for number in range(len(labels))]
    return {"question": "?", "mc1_targets": {"choices": choices, "labels": list(labels)}}


def arc(key, labels):
    choices = {"text": [f"text {label}" for label in labels], "label": list(labels)}
    return {"id": "q1", "question": "?", "choices": choices, "answerKey": key}


@pytest.mark.parametrize(
    ("name", "record", "said"),
    [
        ("mmlu-pro", {**PRO, "answer": "D", "answer_index": 3}, "'answer' is 'D', expected one of A, B, C"),
        ("mmlu-pro", {**PRO, "answer": "B", "answer_index": 0}, "'answer' and 'answer_index' do not name"),
        ("arc-challenge", arc("D", "ABC"), "column 'answerKey' is 'D', expected one of A, B, C"),
        ("arc-challenge", arc("A", "123"), "column 'answerKey' is 'A', expected one of 1, 2, 3"),
        ("truthfulqa", mc1(0, 0, 0), "column 'mc1_targets' has 0 true options, expected one"),
        ("truthfulqa", mc1(1, 0, 1), "column 'mc1_targets' has 2 true options, expected one"),
        ("hellaswag", {**HELLA, "label": ""}, "column 'label' is '', expected one of 0, 1, 2, 3"),
        ("winogrande", {**WINO, "answer": ""}, "column 'answer' is '', expected one of 1, 2"),
    ],
)
def test_a_record_without_one_gold_is_an_error_that_names_it(name, record, said):
    with pytest.raises(BadRecordError) as refused:
        BUILT_IN[name].mapping.examples(Place(name, None, "test").record(record, 7))

    assert f"data set '{name}', split test, row 7: " in str(refused.value)
    assert said in str(refused.value)


def test_the_true_option_is_found_wherever_it_stands():
    (example,) = BUILT_IN["truthfulqa"].mapping.examples(Place("truthfulqa").record(mc1(0, 0, 1), 0))

    assert example["choices"]["ABC".index(example["correct_letter"])] == "option 2"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("hellaswag@test", "unknown split of hellaswag 'test': expected one of train, validation"),
        ("winogrande@test", "unknown split of winogrande 'test': expected one of train, validation"),
        ("gpqa:gpqa_experts", "unknown config of gpqa 'gpqa_experts': did you mean "),
    ],
)
def test_what_has_no_golds_is_not_offered(spec, said, hub):
    with pytest.raises(UnknownNameError) as refused:
        open_dataset(spec)

    assert str(refused.value)[: len(said)] == said
    assert not hub.requests


def test_gpqa_without_access_says_how_to_get_it(hub):
    hub.add("Idavidrein/gpqa", {"gpqa_main.csv": [{"Record ID": "r"}]})
    hub.gated.add("Idavidrein/gpqa")
    not_cached = replace(BUILT_IN["gpqa"].source, revision="7" * 40)
    try:
        with pytest.raises(SourceError, match=r"gated: ask for it at .*Idavidrein/gpqa, .*HF_TOKEN"):
            replace(BUILT_IN["gpqa"], source=not_cached).open("gpqa:gpqa_main")
    finally:
        hub.gated.discard("Idavidrein/gpqa")
