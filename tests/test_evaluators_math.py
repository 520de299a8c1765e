import json
from pathlib import Path

import pytest
from shared import shared_lines

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.evaluators import MathEquivalence
from pytest_context_bench.scoring.latex import symbolic

CASES = json.loads((Path(__file__).parent / "cases/math_equivalence.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def unasked(monkeypatch):
    """Fail whatever asks the helper: what these tests hold must not depend on the extra."""

    def start():
        pytest.fail("a helper was started")

    monkeypatch.setattr(symbolic, "_start", start)


def verdict(gold, response):
    return MathEquivalence().score({"answer": gold}, {"response": response})["math_equiv"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['gold']}-{case['response']}"[:60])
def test_the_answer_is_found_in_the_response(case):
    assert verdict(case["gold"], case["response"]) == case["math_equiv"]


def test_every_verdict_of_the_gsm8k_publisher_is_ours():
    disagreements = [
        number
        for number, row in enumerate(shared_lines("oracles/gsm8k_solutions.jsonl"))
        if verdict(row["answer"], row["response"]) != row["is_correct"]
    ]

    assert disagreements == []


@pytest.mark.parametrize(
    "response",
    ["#### {}", "The answer is ${}.", "So she makes ${} a day", "It is **{}** apples!", "\\boxed{{{}.00}}"],
)
def test_a_gold_may_be_a_whole_gsm8k_solution(response):
    solutions = [row["answer"] for row in shared_lines("data/gsm8k_test.jsonl")[::4]]
    finals = [solution.rpartition("####")[2].strip() for solution in solutions]

    missed = [
        final
        for solution, final in zip(solutions, finals, strict=True)
        if verdict(solution, response.format(final)) != 1
    ]

    assert missed == []


def test_the_published_math500_solutions_are_right():
    rows = shared_lines("data/math500.jsonl")

    wrong = [
        row["answer"]
        for row in rows
        if (verdict(row["answer"], row["solution"]), verdict(row["solution"], row["answer"])) != (1, 1)
    ]

    assert wrong == []


@pytest.mark.parametrize(
    "response",
    ["The answer is {}.", "Answer: ${}$", "\\[ {} \\]", "**Answer:** \\( {} \\)", "We find ${}$.", "#### {}"],
)
def test_a_math500_gold_is_found_without_a_box(response):
    golds = [row["answer"] for row in shared_lines("data/math500.jsonl")]

    missed = [gold for gold in golds if verdict(gold, f"First 4 = 2 + 2.\n{response.format(gold)}") != 1]

    assert missed == []


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        ({"answer": 18}, 1),
        ({"answer": 18.0}, 1),
        ({"answer": ["17", "18"]}, 1),
        ({"answers": ["\\frac{36}{2}"]}, 1),
        ({"answer": ["17", "19"]}, 0),
        ({"answer": ""}, 0),
    ],
    ids=json.dumps,
)
def test_any_gold_may_match(example, expected):
    assert MathEquivalence().score(example, {"response": "\\boxed{18}"}) == {"math_equiv": expected}


@pytest.mark.parametrize("example", [{}, {"answer": None}, {"answer": []}], ids=json.dumps)
def test_no_gold_gives_no_score(example):
    assert MathEquivalence().score(example, {"response": "18"}) == {}


@pytest.mark.parametrize("response", [{}, {"response": None}, {"response": ""}], ids=json.dumps)
def test_no_response_is_wrong(response):
    assert MathEquivalence().score({"answer": "18"}, response) == {"math_equiv": 0.0}


def test_a_response_that_is_no_text_is_an_error():
    with pytest.raises(InvalidValueError):
        MathEquivalence().score({"answer": "18"}, {"response": 18})
