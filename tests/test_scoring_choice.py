import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import shared_lines

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.evaluators import MultipleChoiceAccuracy
from pytest_context_bench.scoring.choice import LETTERS, Choices, chosen
from pytest_context_bench.scoring.choice_text import ALPHABET

CASES = json.loads((Path(__file__).parent / "cases/choice.json").read_text(encoding="utf-8"))
COLOURS = [
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "brown",
    "magenta",
    "mauve",
    "teal",
    "silver",
    "gold",
    "black",
    "grey",
    "pink",
]
CITIES = Choices("ABCD", dict(zip("ABCD", ["Rome", "Paris", "Oslo", "Berlin"], strict=True)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_case(case):
    evaluator = MultipleChoiceAccuracy()
    processed = {**case["example"], "response": case["response"]}

    assert evaluator.score(case["example"], processed) == case["scores"]
    assert evaluator.notes(case["example"], processed) == case["notes"]


TEMPLATES = {
    "letter": "{question}\n\nAnswer: {letter}",
    "letter and text": "So the answer is ({letter}) {text}.",
    "label": "**{letter}. {text}**\n\nThat is how it works.",
    "options, then letter": "{question}\n{options}\n\nThe correct option is {letter}.",
    "options, then box": "{question}\n{options}\n\n$\\boxed{{\\text{{{letter}}}}}$",
    "options, then line": "{question}\n{options}\n\n{letter}",
    "statement": "{question} Looking at the options, it must be {letter}.",
    "trace": "<think>The answer is {other}. {question}</think>The correct answer is **{letter}**.",
}


def real_questions():
    for row in shared_lines("data/mmlu_stem.jsonl")[::25]:
        texts = dict(zip("ABCD", row["choices"], strict=True))
        letter = "ABCD"[row["answer"]]
        options = "\n".join(f"{each}) {text}" for each, text in texts.items())
        words = {"question": row["question"], "letter": letter, "text": texts[letter], "options": options}
        yield Choices("ABCD", texts), {**words, "other": "BCDA"[row["answer"]]}


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
def test_replies_to_real_questions_are_read(template):
    wrong = [
        (template.format(**words), found)
        for choices, words in real_questions()
        if (found := chosen(template.format(**words), choices)) != words["letter"]
    ]

    assert wrong == []


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
def test_replies_about_more_than_ten_choices_are_read(template):
    texts = dict(zip(ALPHABET, COLOURS, strict=False))
    options = "\n".join(f"{each}) {text}" for each, text in texts.items())
    replies = {
        letter: template.format(
            question="What colour is it?", options=options, letter=letter, text=text, other="L"
        )
        for letter, text in texts.items()
    }

    found = {letter: chosen(reply, Choices("".join(texts), texts)) for letter, reply in replies.items()}

    assert found == {letter: letter for letter in texts}


@pytest.mark.parametrize(
    "template", ["The answer is not {letter}.", "<think>The answer is {letter}.", "{question}\n{options}"]
)
def test_replies_to_real_questions_that_answer_nothing_are_told(template):
    replies = [(template.format(**words), choices) for choices, words in real_questions()]

    answered = [reply for reply, choices in replies if chosen(reply, choices)]

    assert answered == []


@pytest.mark.parametrize(
    "choices",
    [
        ["Rome", "Paris"],
        ["A) Rome", "B) Paris"],
        {"A": "Rome", "B": "Paris"},
        {"b": "Paris", "a": "Rome"},
        {"text": ["Rome", "Paris"], "label": ["1", "2"]},
    ],
    ids=json.dumps,
)
@pytest.mark.parametrize("response", ["B", "Paris", "(b) Paris"])
def test_choices_of_any_shape_are_read(choices, response):
    example = {"correct_letter": "b", "choices": choices}

    assert MultipleChoiceAccuracy().score(example, {"response": response}) == {"mc_accuracy": 1.0}


@pytest.mark.parametrize("example", [{}, {"correct_letter": None}, {"correct_letter": "", "choices": ["x"]}])
def test_no_gold_gives_neither_score_nor_note(example):
    evaluator = MultipleChoiceAccuracy()

    assert evaluator.score(example, {"response": "A"}) == evaluator.notes(example, {"response": "A"}) == {}


@pytest.mark.parametrize(
    "example",
    [
        {"correct_letter": "K"},
        {"correct_letter": "AB"},
        {"correct_letter": 1},
        {"correct_letter": "C", "choices": ["x", "y"]},
        {"correct_letter": "A", "choices": "xy"},
        {"correct_letter": "A", "choices": {"1": "x"}},
    ],
    ids=json.dumps,
)
def test_a_gold_that_no_reply_can_meet_is_an_error(example):
    with pytest.raises(InvalidValueError, match=r"correct_letter|choices"):
        MultipleChoiceAccuracy().score(example, {"response": "A"})


def test_a_missing_response_is_no_answer():
    example = {"correct_letter": "A"}

    assert MultipleChoiceAccuracy().score(example, {"response": None}) == {"mc_accuracy": 0.0}
    assert MultipleChoiceAccuracy().notes(example, {}) == {"mc_answer": "none found"}


@settings(deadline=None, max_examples=150)
@given(st.text(st.characters(), max_size=60), st.lists(st.text(st.characters(), max_size=8), max_size=10))
def test_any_unicode_is_read(response, texts):
    letters = LETTERS[: len(texts)] or LETTERS

    found = chosen(
        f"{response} the answer is {response}", Choices(letters, dict(zip(letters, texts, strict=False)))
    )

    assert found is None or found in letters


@pytest.mark.parametrize("unit", ["the answer is not ", "(", "A, ", "not Paris ", "A) x\n"])
def test_a_huge_reply_is_read_in_bounded_time(unit):
    reply = (unit * 200_000)[:200_000] + "\n\nThe answer is B"
    start = time.process_time()

    assert chosen(reply, CITIES) == "B"
    assert time.process_time() - start < 10
