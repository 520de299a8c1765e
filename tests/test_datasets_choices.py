"""Multiple choice: what is shown, and an order that gives nothing away."""

from collections import Counter

import pytest

from pytest_context_bench.datasets.mappings.choices import choice, shuffled_choice
from pytest_context_bench.datasets.records import Place
from pytest_context_bench.errors import BadRecordError

RECORD = Place("quiz", None, "test").record({}, 7)


def test_options_are_lines_after_the_question():
    fields = choice(RECORD, "Which?", ["one", "two"], 1)

    assert fields == {
        "question": "Which?\n\nA. one\nB. two",
        "choices": ["one", "two"],
        "correct_letter": "B",
    }


def test_the_letter_of_a_shuffled_choice_is_that_of_the_right_option():
    fields = shuffled_choice(RECORD, "Which?", "right", ["wrong", "worse", "worst"])

    assert sorted(fields["choices"]) == ["right", "worse", "worst", "wrong"]
    assert fields["choices"]["ABCD".index(fields["correct_letter"])] == "right"


def test_an_order_is_the_same_in_every_process():
    letters = [shuffled_choice(RECORD, f"{n}?", "x", ["y", "z"])["correct_letter"] for n in range(12)]

    assert "".join(letters) == "ACBBABBCAAAC"


@pytest.mark.parametrize("options", [2, 4, 10, 13])
def test_one_letter_for_all_is_right_as_often_as_chance(options):
    wrong = [f"w{n}" for n in range(options - 1)]

    letters = Counter(
        shuffled_choice(RECORD, f"question {n}", "right", wrong)["correct_letter"] for n in range(2000)
    )

    assert len(letters) == options
    assert all(abs(count / 2000 - 1 / options) < 0.04 for count in letters.values())


@pytest.mark.parametrize(
    ("choices", "right", "said"),
    [
        (["one"], 0, "1 options, expected 2 to 26"),
        (["x"] * 27, 0, "27 options, expected 2 to 26"),
        (["x", "y"], 2, "the right option is number 2 of 2, counted from 0"),
        (["x", "y"], -1, "the right option is number -1 of 2, counted from 0"),
    ],
)
def test_what_is_no_choice_names_its_row(choices, right, said):
    with pytest.raises(BadRecordError) as refused:
        choice(RECORD, "Which?", choices, right)

    assert str(refused.value) == f"data set 'quiz', split test, row 7: {said}"
