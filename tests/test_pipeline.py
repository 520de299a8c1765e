import math
import pathlib
import threading
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.errors import ConflictingScoresError
from pytest_context_bench.evaluators import AnswerQuality
from pytest_context_bench.notes import notes_on
from pytest_context_bench.pipeline import overlay, run_pair, with_primary
from pytest_context_bench.systems.adapt import as_system
from pytest_context_bench.tokens import counter

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=50)
CONTEXT = "The capital of France is Paris. " * 20
EXAMPLE = {"id": 1, "context": CONTEXT, "question": "Which city?", "answer": "Paris", "dataset": "geo"}


class Half(Enum):
    HALF = 0.5
    WORD = "half"


@dataclass
class Returns:
    """A system that returns, or raises, what it is given."""

    output: Any
    name: str = "system"

    def process(self, example):
        if isinstance(self.output, BaseException):
            raise self.output
        return self.output(example) if callable(self.output) else self.output


@dataclass
class Talks:
    """A system that holds conversations."""

    replies: Any
    name: str = "talker"
    heard: list[Any] = field(default_factory=list)

    def process(self, _):
        return {"response": "not asked"}

    def process_conversation(self, turns):
        self.heard.append(turns)
        return self.replies


@dataclass
class Gives:
    """An evaluator that gives, or raises, what it is given."""

    scores: Any
    name: str = "gives"

    def score(self, original, processed):
        if isinstance(self.scores, BaseException):
            raise self.scores
        return self.scores(original, processed) if callable(self.scores) else self.scores


def ran(output, example=EXAMPLE, evaluators=None, **options):
    system = output if hasattr(output, "process") else Returns(output)
    chosen = [AnswerQuality()] if evaluators is None else evaluators
    return run_pair(system, example, chosen, counter(), **options)


def scored(*scores, **options):
    return ran({}, evaluators=[Gives(each, f"e{n}") for n, each in enumerate(scores)], **options)


def test_an_output_is_laid_over_its_example():
    seen = []
    evaluator = Gives(lambda original, processed: seen.extend([dict(original), dict(processed)]) or {})

    ran({"context": "short", "response": "Paris"}, evaluators=[evaluator])

    assert seen == [EXAMPLE, {**EXAMPLE, "context": "short", "response": "Paris"}]


def test_without_a_response_the_context_is_scored():
    kept, lost = ran({"context": "It is Paris."}), ran({"context": "It is a city."})

    assert (kept.scores["contains"], lost.scores["contains"]) == (1.0, 0.0)
    assert kept.metadata == {"scored": "context"}
    assert notes_on([kept, lost], {}) == ["no response from system: scored on the context they return"]


@pytest.mark.parametrize(
    ("output", "example", "kept"),
    [
        ({"context": ["Lyon", "Paris"]}, EXAMPLE, True),
        ({"context": [{"title": "France", "text": "big city:\nParis"}]}, EXAMPLE, True),
        ({"context": {"sentences": [["Its capital is\nParis"]]}}, EXAMPLE, True),
        ({"context": [{"role": "user", "content": "Paris"}]}, EXAMPLE, True),
        ({"context": None}, EXAMPLE, False),
        ({"context": ""}, EXAMPLE, False),
        ({}, {"id": 1, "answer": "Paris", "turns": [{"role": "user", "content": "I live in Paris"}]}, True),
        ({"turns": []}, {"id": 1, "answer": "Paris", "turns": ["I live in Paris"]}, False),
    ],
    ids=["list", "passages", "nested", "messages", "null", "empty", "turns kept", "turns dropped"],
)
def test_the_answer_is_sought_in_every_form_of_context(output, example, kept):
    row = ran(output, example)

    assert row.error is None
    assert row.scores["contains"] == float(kept)


def test_a_response_of_the_data_set_is_not_taken_for_one_of_the_system():
    row = ran({"context": "nothing"}, {**EXAMPLE, "response": "Paris"})

    assert row.scores["contains"] == 0.0


def test_null_is_an_empty_response():
    row = ran({"response": None})

    assert (row.scores["f1"], row.metadata, row.error) == (0.0, {}, None)


@pytest.mark.parametrize(
    ("output", "error"),
    [
        (None, "InvalidOutputError: system 'system': process() must return a dict, not NoneType"),
        ("Paris", "InvalidOutputError: system 'system': process() must return a dict, not str"),
        (["Paris"], "InvalidOutputError: system 'system': process() must return a dict, not list"),
        ({"response": 42}, "InvalidOutputError: system 'system': the response must be text, not int"),
        ({"response": 0}, "InvalidOutputError: system 'system': the response must be text, not int"),
        ({"response": False}, "InvalidOutputError: system 'system': the response must be text, not bool"),
        ({"response": []}, "InvalidOutputError: system 'system': the response must be text, not list"),
        ({"response": b"Paris"}, "InvalidOutputError: system 'system': the response must be text, not bytes"),
        ({"response": ["Paris"]}, "InvalidOutputError: system 'system': the response must be text, not list"),
        (RuntimeError("no answer"), "RuntimeError: no answer"),
        (TimeoutError(), "TimeoutError"),
        (KeyError("id"), "KeyError: 'id'"),
        (SystemExit(2), "SystemExit: 2"),
        (RecursionError("deep"), "RecursionError: deep"),
        (ValueError("two\nlines \ud83d"), "ValueError: two\nlines \\ud83d"),
        (ConnectionError("https://me:pw@h/v1"), "ConnectionError: https://***@h/v1"),
    ],
    ids=repr,
)
def test_what_fails_is_the_error_of_its_row(output, error):
    row = ran(output)

    assert row.error == error
    assert (row.scores, row.output_tokens, row.metadata) == ({}, 0, {})
    assert row.input_tokens > 0
    assert row.latency > 0


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, GeneratorExit])
def test_an_interrupt_is_nobodys_error(interrupt):
    with pytest.raises(interrupt):
        ran(interrupt())


def test_text_that_is_a_string_by_another_class_is_a_response():
    assert ran({"response": np.str_("Paris")}).scores["exact_match"] == 1.0


def test_what_a_system_does_to_its_example_changes_nothing_else():
    example = {**EXAMPLE, "turns": [{"content": "hi"}], "answer": ["Paris"]}

    def spoil(given):
        given["turns"][0]["content"] = "spoilt"
        given["answer"].append("Lyon")
        given.clear()
        return {"response": "Lyon"}

    row = ran(spoil, example)

    assert row.scores["f1"] == 0.0
    assert example == {**EXAMPLE, "turns": [{"content": "hi"}], "answer": ["Paris"]}


def test_what_a_system_changes_in_place_and_returns_counts():
    def halve(given):
        given["context"] = given["context"][: len(CONTEXT) // 2]
        return given

    row = ran(halve)

    assert row.error is None
    assert row.output_tokens == pytest.approx(row.input_tokens / 2, abs=2)


def test_an_example_that_cannot_be_copied_is_an_error_of_its_row():
    row = ran({"response": "Paris"}, {**EXAMPLE, "lock": threading.Lock()})

    assert row.error.startswith("TypeError: cannot pickle")


@pytest.mark.parametrize(
    ("dataset", "name"),
    [(None, ""), ("", ""), (7, "7"), (["x"], "['x']"), ("a:b", "a:b"), ("\ud83d", "\\ud83d")],
)
def test_a_data_set_of_any_type_has_a_name(dataset, name):
    row = ran({}, {**EXAMPLE, "dataset": dataset})

    assert (row.dataset, row.error) == (name, None)


def test_tokens_are_those_of_the_context_before_and_after():
    example = {**EXAMPLE, "context": " the" * 1000}
    row = ran({"context": " the" * 500, "response": " word" * 400}, example)

    assert (row.input_tokens, row.output_tokens) == (1000, 500)
    other = {**example, "question": "x " * 99, "answer": "y " * 99, "id": "z " * 99}
    assert ran({"context": " the" * 500}, other).output_tokens == 500


@pytest.mark.parametrize(
    ("fields", "tokens"),
    [((), 2), (("question",), 3), (("context", "question"), 5), (("*",), 7), (("none",), 0)],
)
def test_text_fields_choose_what_counts(fields, tokens):
    example = {"id": "id", "context": "hello world", "question": "Which city?", "answer": "Paris", "n": 5}

    row = ran({}, example, text_fields=fields)
    assert (row.input_tokens, row.output_tokens) == (tokens, tokens)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (None, {}),
        ({}, {}),
        (
            {"tokens": np.int64(3), "cost": Decimal("0.5"), "path": pathlib.PurePosixPath("x")},
            {"tokens": 3, "cost": 0.5, "path": "x"},
        ),
        ({"nan": math.nan}, {"nan": math.nan}),
        ({1: {"a": (1, 2)}}, {"1": {"a": [1, 2]}}),
        ("gpt-4o", {"metadata": "gpt-4o"}),
        (["a"], {"metadata": ["a"]}),
        (0, {"metadata": 0}),
        ({"text": "\ud83d"}, {"text": "\\ud83d"}),
        ({"api_key": "sk-1"}, {"api_key": "***"}),
        ({"url": "http://me:pw@h"}, {"url": "http://***@h"}),
    ],
    ids=repr,
)
def test_metadata_is_kept_as_plain_json(given, kept):
    row = ran({"response": "Paris", "metadata": given})

    assert row.error is None
    assert repr(row.metadata) == repr(kept)


@pytest.mark.parametrize(
    "value", [object(), b"x", 1j, {"deeper": [object()]}], ids=["object", "bytes", "complex", "deep"]
)
def test_metadata_that_json_cannot_carry_is_an_error_that_names_it(value):
    row = ran({"response": "Paris", "metadata": {"client": value}})

    assert row.error.startswith("NotJsonError: metadata['client']")
    assert row.metadata == {}


@pytest.mark.parametrize(
    ("given", "number"),
    [
        (1, 1.0),
        (True, 1.0),
        (np.float64(0.5), 0.5),
        (np.float32(0.5), 0.5),
        (np.int8(1), 1.0),
        (np.bool_(1), 1.0),
        (Decimal("0.5"), 0.5),
        (Fraction(1, 2), 0.5),
        (Half.HALF, 0.5),
        (math.inf, math.inf),
        (-0.0, 0.0),
    ],
    ids=repr,
)
def test_numbers_of_every_kind_are_scores(given, number):
    row = scored({"mine": given})

    assert row.error is None
    assert row.scores == {"mine": number, "score": number}
    assert type(row.scores["mine"]) is float


@pytest.mark.parametrize(
    "given",
    [
        "0.5",
        np.str_("1"),
        b"1",
        [0.5],
        {},
        object(),
        1j,
        Half.WORD,
        10**400,
        Decimal("sNaN"),
        pathlib.PurePath("1"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_number_is_an_error_that_names_evaluator_and_score(given):
    row = scored({"mine": given})

    assert row.error.startswith("InvalidScoreError: evaluator 'e0': score 'mine' is a ")
    assert row.scores == {}


@pytest.mark.parametrize("given", [None, 0.5, "text", [("mine", 0.5)]], ids=repr)
def test_scores_that_are_no_dict_are_an_error_that_names_the_evaluator(given):
    row = scored(given)

    assert (
        row.error
        == f"InvalidValueError: what evaluator 'e0' scores: {type(given).__name__!r} is not a dict of numbers"
    )


def test_a_score_that_does_not_apply_is_absent():
    assert scored({"mine": None, "yours": 1.0}).scores == {"yours": 1.0, "score": 1.0}
    assert scored({"mine": None}).scores == {}
    assert scored({}, {}).scores == {}
    assert ran({}, {"id": 1, "context": "x"}).scores == {}


def test_nan_is_a_score_that_shows():
    row = scored({"mine": math.nan})

    assert row.error is None
    assert math.isnan(row.scores["score"])


def test_names_of_scores_are_printable_text():
    assert scored({1: 0.5, "\ud83d": 1}).scores == {"1": 0.5, "\\ud83d": 1.0, "score": 0.5}


@pytest.mark.parametrize("error", [ValueError("bad"), AssertionError(), SystemExit("bye")], ids=repr)
def test_an_evaluator_that_raises_makes_an_error(error):
    row = scored({"mine": 1}, error)

    assert row.error.startswith(type(error).__name__)
    assert row.scores == {}
    assert row.output_tokens > 0


def test_evaluators_that_disagree_are_both_named():
    row = scored({"f1": 0.5, "x": 1}, {"x": 1}, {"f1": 0.25})

    assert row.error == f"ConflictingScoresError: {ConflictingScoresError('f1', 'e0', 'e2', (0.5, 0.25))}"
    assert "evaluators 'e0' and 'e2' both give 'f1'" in row.error


@pytest.mark.parametrize("value", [0.5, math.nan, math.inf, 0])
def test_evaluators_may_agree(value):
    assert scored({"f1": value}, {"f1": np.float64(value)}).error is None


@pytest.mark.parametrize(
    ("scores", "primary", "score"),
    [
        ({"f1": 0.5, "exact": 0.0}, None, 0.5),
        ({"f1": 0.5, "exact": 0.0}, "exact", 0.0),
        ({"f1": 0.5, "exact": 0.0}, "absent", 0.5),
        ({"f1": 0.5, "score": 0.25}, "f1", 0.25),
    ],
)
def test_one_score_is_the_primary_one(scores, primary, score):
    assert with_primary(scores, primary)["score"] == score
    assert with_primary({}, primary) == {}


TURNS = [{"role": "user", "content": "Where?"}, {"role": "user", "content": "Sure?"}]
CONVERSATION = {"id": 1, "multi_turn": True, "turns": TURNS, "answer": "Paris"}


@pytest.mark.parametrize(
    ("replies", "response", "kept"),
    [
        (["Lyon", "Paris"], "Paris", ["Lyon", "Paris"]),
        ([{"content": "Lyon"}, {"role": "assistant", "content": "Paris"}], "Paris", ["Lyon", "Paris"]),
        (("Lyon", {"content": "Paris"}), "Paris", ["Lyon", "Paris"]),
        (["Lyon", None], "", ["Lyon", ""]),
        (["Lyon", {"content": None}], "", ["Lyon", ""]),
        (["Lyon", {}], "", ["Lyon", ""]),
        ((each for each in ["Lyon", "Paris"]), "Paris", ["Lyon", "Paris"]),
    ],
    ids=["texts", "messages", "mixed", "null", "null content", "no content", "generator"],
)
def test_a_conversation_goes_to_a_system_that_talks(replies, response, kept):
    seen = {}
    talker = Talks(replies)
    row = ran(talker, CONVERSATION, [Gives(lambda _, processed: seen.update(processed) or {})])

    assert row.error is None
    assert (seen["response"], seen["turn_responses"]) == (response, kept)
    assert talker.heard == [TURNS]
    assert talker.heard[0] is not TURNS


@pytest.mark.parametrize(
    ("replies", "problem"),
    [
        ([], "process_conversation() returned no reply"),
        (None, "process_conversation() must return a list of replies, not NoneType"),
        ("Paris", "process_conversation() must return a list of replies, not str"),
        ({"response": "Paris"}, "process_conversation() must return a list of replies, not dict"),
        (5, "process_conversation() must return a list of replies, not int"),
        (["Lyon", 5], "the response must be text, not int"),
    ],
    ids=repr,
)
def test_replies_that_are_none_are_an_error(replies, problem):
    assert ran(Talks(replies), CONVERSATION).error == f"InvalidOutputError: system 'talker': {problem}"


@pytest.mark.parametrize(
    "example", [{**CONVERSATION, "multi_turn": False}, {"id": 1, "multi_turn": True}], ids=["no", "no turns"]
)
def test_other_examples_go_to_process(example):
    seen = {}
    ran(Talks(["x"]), example, [Gives(lambda _, processed: seen.update(processed) or {})])

    assert seen["response"] == "not asked"


def test_a_system_that_does_not_talk_processes_conversations_too():
    assert ran({"response": "Paris"}, CONVERSATION).scores["exact_match"] == 1.0
    assert ran(as_system(Talks(["Paris"]), "renamed"), CONVERSATION).scores["exact_match"] == 1.0


@pytest.mark.parametrize(
    "text", ["\ud83d", "\x00\x1b[31m", "]]>", "日本 \u2028", "a" * 100_000], ids=lambda text: ascii(text[:9])
)
def test_no_text_breaks_a_pair(text):
    example = {"id": text[:100], "context": text, "question": text, "answer": text, "dataset": text[:100]}

    row = ran({"response": text, "metadata": {text[:9]: text}}, example)
    assert row.error is None
    assert row.scores["exact_match"] == 1.0
    str(row.to_dict()).encode()


@SEEDED
@given(st.text(st.characters(), max_size=10), st.text(st.characters(), max_size=10))
def test_every_response_to_every_answer_is_scored(answer, response):
    row = ran({"response": response}, {**EXAMPLE, "answer": answer})

    assert row.error is None
    assert 0 <= row.scores["score"] <= 1


def test_latency_is_that_of_process_alone(monkeypatch):
    ticks = iter(range(100))
    monkeypatch.setattr("pytest_context_bench.pipeline.time.perf_counter", lambda: float(next(ticks)))

    assert ran({"response": "Paris"}, evaluators=[Gives(lambda *_: next(ticks) and {})]).latency == 1.0


@given(st.dictionaries(st.sampled_from(["context", "question", "id", "extra"]), st.text(max_size=3)))
@SEEDED
def test_what_a_system_does_not_return_stays(output):
    laid = overlay("system", EXAMPLE, output).example

    assert {key: laid[key] for key in EXAMPLE if key not in output} == {
        key: value for key, value in EXAMPLE.items() if key not in output
    }
    assert {key: laid[key] for key in output} == output


def test_notes_tell_which_rows_have_no_score():
    given = [ran({}), ran({}, {"id": 2, "context": "x"}), ran(RuntimeError())]

    nothing = "nothing in their examples to score against"
    assert notes_on(given, {})[2:] == [f"1 of 3 rows have no 'score': {nothing}"]
    assert notes_on(given, {}, "fl", "score")[2] == (
        "2 of 3 rows have no 'fl': the scores are contains, exact_match, f1, recall, score"
    )
    assert notes_on(given[1:2], {})[2] == f"1 of 1 rows have no 'score': {nothing}"


def test_notes_tell_which_figures_are_not_finite():
    summary = {"a": {"cost_of_pass": math.inf, "mean_score": math.nan, "n": 3.0}}

    assert notes_on([], summary) == ["cost_of_pass of a is inf: no row passes", "mean_score of a is nan"]


def test_the_texts_of_a_pair_are_kept_as_far_as_asked_for():
    from pytest_context_bench.pipeline import Scoring, attempt_pair

    example = {"id": 1, "context": "a" * 50, "question": "why?", "answer": ["x", "y"]}
    row, _ = attempt_pair(Answering({"context": "short"}), example, Scoring([], counter(), keep_texts=10))

    assert row.metadata["texts"] == {
        "question": "why?",
        "answer": "x\ny",
        "context": "aaaaaaaaaa … and 40 characters more",
        "processed": "short",
        "response": "short",
    }


def test_a_fingerprint_tells_an_edited_example_and_not_a_renamed_one():
    from pytest_context_bench.pipeline import Scoring, attempt_pair

    def of(**fields):
        example = {"id": 1, "context": "a", "answer": "b", **fields}
        return attempt_pair(Answering({}), example, Scoring([], counter(), fingerprint=True))[0].fingerprint

    assert of() == of(id=2, dataset="x") != of(context="c")
    assert of(answer=object()) == ""


class Answering:
    name = "answering"

    def __init__(self, output):
        self.output = output

    def process(self, example):
        return self.output
