import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.evaluators import (
    AnswerQuality,
    ClassMatch,
    CodeSimilarity,
    FirstLine,
    NumberMatch,
    StringMatch,
)
from pytest_context_bench.protocols import Evaluator
from pytest_context_bench.scoring.longbench import edit_similarity

CASES = json.loads((Path(__file__).parent / "cases/long_context_scores.json").read_text(encoding="utf-8"))
EVALUATORS = {
    "string_match": StringMatch(),
    "string_match/case": StringMatch(ignore_case=False),
    "class_match": ClassMatch(),
    "code_similarity": CodeSimilarity(),
    "chinese": AnswerQuality(mode="chinese"),
    "first line": FirstLine(AnswerQuality()),
    **{rule: NumberMatch(rule) for rule in ("share", "first digits", "first number", "last word", "prefix")},
}
LINES = st.text("ab =", max_size=12)


@pytest.mark.parametrize("case", CASES, ids=[f"{case['evaluator']}-{case['why']}" for case in CASES])
def test_case(case):
    scores = EVALUATORS[case["evaluator"]].score(case["example"], {"response": case["response"]})

    assert {key: round(scores[key], 2) for key in case["scores"]} == case["scores"]
    assert bool(scores) == bool(case["scores"])


@settings(max_examples=200)
@given(LINES, LINES)
def test_edits_are_insertions_and_deletions(one, other):
    row = list(range(len(other) + 1))  # the textbook table, a row at a time
    for at, letter in enumerate(one, start=1):
        above, row[0] = row[0], at
        for place, mark in enumerate(other, start=1):
            above, row[place] = (
                row[place],
                above if letter == mark else 1 + min(row[place], row[place - 1]),
            )
    whole = len(one) + len(other)
    expected = (whole - row[-1]) / whole if whole else 1.0

    assert edit_similarity(one, other) == pytest.approx(expected, abs=0.005 + 1e-9)


def test_a_long_line_is_compared_in_no_time():
    assert edit_similarity("a" * 1_000_000, "a" * 100) == 0.0


def test_a_context_scored_for_want_of_a_response_is_scored_whole():
    example = {"answer": "Ann Lee", "context": "Passage:\nAnn Lee"}

    assert FirstLine(AnswerQuality()).score(example, {**example, "response": example["context"]})["contains"]
    assert FirstLine(AnswerQuality()).name == "answer_quality"
    assert isinstance(FirstLine(AnswerQuality()), Evaluator)


def test_an_unknown_rule_names_the_nearest():
    with pytest.raises(UnknownNameError, match="unknown rule of NumberMatch 'first': did you mean 'first"):
        NumberMatch("first")
