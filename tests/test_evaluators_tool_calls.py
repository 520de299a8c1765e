"""Function calls against those expected: the cases of `cases/tool_calls.json`, and what is refused."""

import json
import time
from pathlib import Path

import pytest

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.evaluators import ToolCallMatch, evaluators_for
from pytest_context_bench.pipeline import overlay

CASES = json.loads((Path(__file__).parent / "cases" / "tool_calls.json").read_text(encoding="utf-8"))
MATCH = ToolCallMatch()
TIDE = {"expected_calls": [{"tide": {"harbour": ["Veld"]}}]}


def score(example, output):
    return MATCH.score(example, overlay("system", example, output).example)


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["why"])
def test_case(case):
    example = {"context": "c", "functions": CASES["functions"]}
    example |= {key: value for key, value in case.items() if key not in {"why", "score", "output"}}

    assert score(example, case["output"]) == {"tool_call_match": case["score"]}


def test_without_a_gold_there_is_no_score():
    for example in ({}, {"expected_calls": None}, {"expected_calls": float("nan")}):
        assert score({"context": "c", **example}, {"response": "[f()]"}) == {}
        assert MATCH.notes(example, {"response": "[f()]"}) == {}


def test_the_expected_calls_of_an_example_choose_the_evaluator_even_if_they_are_none():
    for gold in ([{"f": {}}], []):
        assert [one.name for one in evaluators_for({"expected_calls": gold})] == ["tool_call_match"]
    assert evaluators_for({"expected_calls": float("nan")}) == []


@pytest.mark.parametrize(
    ("response", "read"),
    [("None fits.", 0), ("[tide(harbour='Ost')]", 1), ("tide(harbour='Ost')\nnow()", 2)],
)
def test_a_note_says_how_many_calls_were_read(response, read):
    assert MATCH.notes(TIDE, {"response": response}) == {"tool_calls_read": read}


@pytest.mark.parametrize(
    ("example", "named"),
    [
        ({"expected_calls": "tide()"}, "expected_calls"),
        ({"expected_calls": [{"a": {}, "b": {}}]}, "expected_calls"),
        ({"expected_calls": ["tide"]}, "expected_calls"),
        ({"expected_calls": [{"name": "tide", "arguments": "{"}]}, "expected_calls"),
        ({**TIDE, "tools": "tide"}, "tools"),
        ({**TIDE, "tools": [{"description": "no name"}]}, "tools"),
        ({**TIDE, "tools": [{"name": "tide", "parameters": ["harbour"]}]}, "parameters of 'tide'"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_gold_or_a_tool_that_is_none_is_refused_by_name(example, named):
    with pytest.raises(InvalidValueError, match=named):
        MATCH.score(example, {"response": "tide()"})


def test_tool_calls_that_are_no_calls_at_all_are_an_error():
    with pytest.raises(InvalidValueError, match="tool_calls"):
        score(TIDE, {"response": "", "tool_calls": 7})


@pytest.mark.parametrize("language", ["", "java"])
@pytest.mark.parametrize(
    "text",
    ["[", "{", '{"a":', "[f(", "f(", '"', '[f(a="', "-", "[f(a=1*9", "[f(a=1)] ", "```\n", "(", "<a>", "a."],
)
def test_a_hostile_reply_is_given_up_in_time(text, language):
    started = time.perf_counter()
    result = score({**TIDE, "language": language}, {"response": text * (100_000 // len(text))})

    assert result == {"tool_call_match": 0.0}
    assert (
        time.perf_counter() - started < 10
    )  # it takes a third of a second, or minutes where it grows faster
