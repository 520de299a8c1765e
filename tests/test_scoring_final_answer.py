"""Final answers, to the word: what a reply ends up with, however it is written."""

import json
import time
from pathlib import Path

import pytest
from shared import shared_json

from pytest_context_bench.evaluators import AnswerMatch

CASES = json.loads((Path(__file__).parent / "cases/final_answers.json").read_text(encoding="utf-8"))
TASKS = (
    "boolean_expressions causal_judgement dyck_languages multistep_arithmetic_two navigate"
    " sports_understanding word_sorting"
)
TEMPLATES = (
    "{}",
    "{}.",
    "**{}**",
    "Let's think step by step.\n{other}, at first sight.\n\nSo the answer is {}.",
    "Reasoning: one thing, then another.\n\nAnswer: {}",
    "<think>The answer is {other}.</think>{}",
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['why']}: {case['response']}"[:60])
def test_case(case):
    scores = AnswerMatch().score({"answer": case["answer"]}, {"response": case["response"]})

    assert scores == {"answer_match": case["score"]}


def targets(task):
    """Return every seventh target, each with one that is another."""
    published = [one["target"] for one in shared_json(f"data/bbh_{task}.json")["examples"]]
    return [(one, next(each for each in published if each != one)) for one in published[::7]]


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("task", TASKS.split())
def test_replies_to_real_questions_are_read(task, template):
    for target, other in targets(task):
        right, wrong = template.format(target, other=other), template.format(other, other=target)

        assert AnswerMatch().score({"answer": target}, {"response": right}) == {"answer_match": 1.0}, right
        assert AnswerMatch().score({"answer": target}, {"response": wrong}) == {"answer_match": 0.0}, wrong


@pytest.mark.parametrize("example", [{}, {"answer": None}, {"answers": []}])
def test_no_gold_gives_no_score(example):
    assert AnswerMatch().score(example, {"response": "yes"}) == {}


def test_any_of_several_golds_counts():
    assert AnswerMatch().score({"answer": ["a b", "b c"]}, {"response": "b c"}) == {"answer_match": 1.0}


@pytest.mark.parametrize("gold", ["yes", "12", "] ]", "barn damp dot"])
@pytest.mark.parametrize("unit", ["] ", "barn damp ", "the answer is ", "1. barn\n", "( "])
def test_a_huge_reply_is_read_in_bounded_time(gold, unit):
    start = time.process_time()

    AnswerMatch().score({"answer": gold}, {"response": (unit * 50_000)[:50_000]})

    assert time.process_time() - start < 2
