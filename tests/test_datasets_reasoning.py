"""Puzzles and passages whose records are odd."""

import pytest

from pytest_context_bench.datasets.records import Place
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.errors import BadRecordError

NOTHING = {"number": "", "date": {"day": "", "month": "", "year": ""}, "spans": []}
DROP = {"passage": "p", "question": "?", "query_id": "q", "answer": NOTHING}


def read(name, record, config=None):
    (example,) = BUILT_IN[name].mapping.examples(Place(name, config, "test").record(record, 0))
    return example


@pytest.mark.parametrize(
    ("validated", "golds"),
    [
        ([{**NOTHING, "number": "3"}, {**NOTHING, "spans": ["a", "b"]}], ["3", ["a", "b"]]),
        ({"number": ["", "3"], "spans": [["a"], []], "date": [None, None]}, ["a", "3"]),
        ([{**NOTHING, "date": {"day": "", "month": "May", "year": "1931"}}, NOTHING], ["May 1931"]),
        ([{**NOTHING, "spans": ["a", "b"]}, {**NOTHING, "spans": ["b", "a"]}], [["a", "b"], ["b", "a"]]),
    ],
)
def test_the_answers_of_all_annotators_are_golds_and_empty_ones_are_not(validated, golds):
    assert read("drop", {**DROP, "validated_answers": validated})["answer"] == golds


@pytest.mark.parametrize("validated", [None, [], [NOTHING]])
def test_a_passage_question_without_any_answer_is_an_error(validated):
    with pytest.raises(
        BadRecordError, match="row 0: columns 'answer' and 'validated_answers' hold no answer"
    ):
        read("drop", {**DROP, "validated_answers": validated})


@pytest.mark.parametrize(
    ("puzzle", "target"),
    [
        ("Which?\nOptions:\n(A) x\n(C) y", "(C)"),
        ("Which?\nOptions:\n(B) x\n(C) y", "(B)"),
        ("Which?\nOptions:\n(A) x", "(A)"),
        ("Which?\nOptions:\n(A) x\n(B) y", "(C)"),
        ("Which?\nOptions:\n(A) x\n(B) y", "z"),
        ("Which?\nOptions:\n- Yes\n- No", "Yes"),
        ("Which?", "(A)"),
        ("(A) or (B)?", "( ) )"),
    ],
)
def test_a_puzzle_without_the_target_among_its_options_has_an_answer(puzzle, target):
    example = read("bbh", {"input": puzzle, "target": target}, "snarks")

    assert example == {"id": 0, "question": puzzle, "task": "snarks", "answer": target}


@pytest.mark.parametrize("target", ["(B)", "it's y"])
def test_a_puzzle_with_options_is_multiple_choice(target):
    example = read("bbh", {"input": "Which?\nOptions: two\nOptions:\n(A) x \n(B) it's y", "target": target})

    assert (example["choices"], example["correct_letter"]) == (["x", "it's y"], "B")
    assert "answer" not in example
