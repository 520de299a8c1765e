import json

import numpy as np
import pandas as pd
import pytest

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.evaluators import AnswerQuality, evaluators_for
from pytest_context_bench.fields import answer_spans, answers, references, response

GOLDS = {
    "text": ({"answer": "a"}, ["a"]),
    "empty text": ({"answer": ""}, [""]),
    "whole number": ({"answer": 18}, ["18"]),
    "zero": ({"answer": 0}, ["0"]),
    "float": ({"answer": 1.5}, ["1.5"]),
    "boolean": ({"answer": False}, ["False"]),
    "list": ({"answer": ["18", 18, "eighteen"]}, ["18", "18", "eighteen"]),
    "list with a null": ({"answer": [None, "a"]}, ["a"]),
    "nested list": ({"answers": [["a", "b"], "c"]}, ["a", "b", "c"]),
    "tuple": ({"answer": ("a", "b")}, ["a", "b"]),
    "set": ({"answer": {"c", "a", "b"}}, ["a", "b", "c"]),
    "numpy array": ({"answer": np.array(["a", "b"])}, ["a", "b"]),
    "numpy array of arrays": ({"answers": np.array([["a"], ["b"]])}, ["a", "b"]),
    "numpy number": ({"answer": np.int64(5)}, ["5"]),
    "SQuAD": ({"answers": {"text": ["a", "b"], "answer_start": [0, 5]}}, ["a", "b"]),
    "SQuAD without an answer": ({"answers": {"text": [], "answer_start": []}}, []),
    "SQuAD from pandas": ({"answers": {"text": np.array(["a"], dtype=object)}}, ["a"]),
    "answer before answers": ({"answer": "a", "answers": ["b"]}, ["a"]),
    "answers where answer is null": ({"answer": None, "answers": ["b"]}, ["b"]),
    "answers where answer is no list of any": ({"answer": [], "answers": ["b"]}, ["b"]),
    "answers where answer is missing": ({"answer": np.nan, "answers": ["b"]}, ["b"]),
    "nothing": ({}, []),
    "null": ({"answer": None}, []),
    "nulls": ({"answers": [None, None]}, []),
    "NaN": ({"answer": float("nan")}, []),
    "NaN of 32 bits": ({"answer": np.float32("nan")}, []),
    "NaN in a list": ({"answers": ["a", float("nan")]}, ["a"]),
    "missing in pandas": ({"answer": pd.NA}, []),
    "no time in pandas": ({"answer": pd.NaT}, []),
    "empty list": ({"answer": []}, []),
    "empty array": ({"answer": np.array([])}, []),
    "mapping without text": ({"answer": {"value": "a"}}, []),
}


@pytest.mark.parametrize(("example", "golds"), GOLDS.values(), ids=GOLDS)
def test_gold_answers_are_texts(example, golds):
    assert answers(example) == golds
    assert [span for spans in answer_spans(example) for span in spans] == golds


@pytest.mark.parametrize(("example", "golds"), GOLDS.values(), ids=GOLDS)
def test_without_a_gold_there_is_no_score(example, golds):
    assert bool(AnswerQuality().score(example, {"response": "a"})) is bool(golds)
    assert bool(evaluators_for(example)) is bool(golds)


def test_a_table_with_missing_answers_scores_those_that_are_there():
    table = pd.DataFrame({"answer": ["a", None, "b"], "year": [1.0, None, 3.0]})
    rows = table.to_dict("records")

    assert [answers(row) for row in rows] == [["a"], [], ["b"]]
    assert [answers({"answer": row["year"]}) for row in rows] == [["1.0"], [], ["3.0"]]


@pytest.mark.parametrize(
    ("example", "spans"),
    [
        ({"answers": [["a", "b"], "c"]}, [["a", "b"], ["c"]]),
        ({"answers": [[], None, ["a"]]}, [["a"]]),
        ({"answers": [[None, "a"]]}, [["a"]]),
        ({"answer": "a"}, [["a"]]),
        ({"answers": {"text": [["a", "b"]]}}, [["a", "b"]]),
        ({"answers": []}, []),
    ],
    ids=json.dumps,
)
def test_a_list_within_the_answers_is_one_answer_of_several_spans(example, spans):
    assert answer_spans(example) == spans


@pytest.mark.parametrize(
    ("processed", "text"), [({}, ""), ({"response": None}, ""), ({"response": " a\n"}, " a\n")]
)
def test_a_response_is_text_and_null_is_empty(processed, text):
    assert response(processed) == text


@pytest.mark.parametrize("value", [5, 0, False, ["a"], {"content": "a"}, b"a", float("nan")], ids=repr)
def test_a_response_that_is_no_text_is_an_error(value):
    with pytest.raises(InvalidValueError, match=r"^response: .* is not text$"):
        response({"response": value})


@pytest.mark.parametrize(
    ("reference", "texts"),
    [
        ("a", ["a"]),
        (7, ["7"]),
        (None, [""]),
        (np.nan, [""]),
        ([], []),
        (["a", None, ""], ["a", "", ""]),
        (np.array(["a", None], dtype=object), ["a", ""]),
        ([["a", "b"], "c"], ["a\nb", "c"]),
    ],
    ids=repr,
)
def test_references_keep_their_places(reference, texts):
    assert references({"reference": reference, "answer": "gold"}) == texts


def test_an_example_without_a_reference_has_an_empty_one():
    assert references({"answer": "gold"}) == [""]
