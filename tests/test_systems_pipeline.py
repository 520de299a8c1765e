from dataclasses import dataclass
from typing import Any

import pytest
from endpoint_server import Endpoint, answer, respond

from pytest_context_bench import evaluate
from pytest_context_bench.cache import Cache
from pytest_context_bench.evaluators import AnswerQuality
from pytest_context_bench.pipeline import Scoring, attempt_pair, run_pair
from pytest_context_bench.protocols import System
from pytest_context_bench.systems import Compressor, Identity, OpenAIProxy, Pipeline, Truncate
from pytest_context_bench.tokens import counter

EXAMPLE = {"id": 1, "context": " the" * 90 + " Paris" * 10, "question": "Which city?", "answer": "Paris"}


@dataclass(frozen=True)
class Gives:
    """A system that returns, raises or makes what it is given."""

    output: Any
    name: str = "gives"

    def process(self, example):
        if isinstance(self.output, BaseException):
            raise self.output
        return self.output(example) if callable(self.output) else self.output


@dataclass(frozen=True)
class Talks:
    """A reader that holds conversations."""

    name: str = "talks"

    def process(self, _):
        return {"response": "not asked"}

    def process_conversation(self, turns, example):
        return [
            {"content": f"{turn} {example['context']}", "metadata": {"prompt_tokens": 3}} for turn in turns
        ]


READS = Gives(lambda example: {"response": example["context"], "metadata": {"reader": 1}}, "reads")


def ran(compressor, reader=READS, example=EXAMPLE, **options):
    return run_pair(Pipeline(compressor, reader), example, [AnswerQuality()], counter(), **options)


def test_it_is_a_system_named_after_both():
    assert isinstance(Pipeline(Identity(), READS), System)
    assert Pipeline(Truncate(0.5), READS).name == "truncate:0.5+reads"
    assert Pipeline(Identity(), READS, "mine").name == "mine"


def test_the_reader_answers_from_what_the_compressor_left():
    kept, lost = ran(Truncate(0.2, "tail")), ran(Truncate(0.2))

    assert (kept.scores["contains"], lost.scores["contains"]) == (1.0, 0.0)
    assert (kept.input_tokens, kept.output_tokens) == (100, 20)
    assert kept.metadata == {"reader": 1}


def test_the_latency_is_that_of_both(monkeypatch):
    from pytest_context_bench import pipeline

    now = [0.0]
    monkeypatch.setattr(pipeline.time, "perf_counter", lambda: now[0])

    def takes(seconds, output):
        return Gives(lambda _: now.__setitem__(0, now[0] + seconds) or output)

    assert ran(takes(2.0, {}), takes(3.0, {"response": "x"})).latency == 5.0


@pytest.mark.parametrize(
    ("compressor", "reader", "kept"),
    [
        ({}, {}, {}),
        ({"a": 1}, {}, {"a": 1}),
        ({}, {"b": 2}, {"b": 2}),
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": 1, "c": 0}, {"b": 2, "a": 3}, {"a": 3, "b": 2, "c": 0, "compressor": {"a": 1}}),
        (
            {"a": 1, "compressor": {"a": 0}},
            {"a": 3},
            {"a": 3, "compressor": {"a": 1, "compressor": {"a": 0}}},
        ),
        ({"a": 1, "compressor": 7}, {"b": 2}, {"a": 1, "b": 2, "compressor": 7}),
        (None, {"b": 2}, {"b": 2}),
        ("note", {"b": 2}, {"b": 2, "metadata": "note"}),
    ],
)
def test_metadata_of_both_are_kept(compressor, reader, kept):
    row = ran(Gives({"metadata": compressor}), Gives({"response": "x", "metadata": reader}))

    assert (row.error, row.metadata) == (None, kept)


@pytest.mark.parametrize(
    "output", [{"response": "Paris"}, {"response": "Paris", "turn_responses": ["Paris"]}]
)
def test_the_response_is_the_readers(output):
    assert ran(Gives(output), Gives({"response": "Lyon"})).scores["f1"] == 0.0
    assert ran(Gives({**output, "context": "Lyon"}), Gives({})).scores["contains"] == 0.0


def test_two_compressors_are_scored_on_the_context_they_leave():
    row = ran(Truncate(0.5, "tail"), Truncate(0.5, "tail"))

    assert (row.output_tokens, row.scores["contains"]) == (25, 1.0)
    assert row.metadata == {"scored": "context"}


@pytest.mark.parametrize(
    ("output", "error"),
    [
        (RuntimeError("out of memory"), "RuntimeError: out of memory"),
        (None, "InvalidOutputError: system 'gives': process() must return a dict, not NoneType"),
        ("text", "InvalidOutputError: system 'gives': process() must return a dict, not str"),
        ({"response": 7}, "InvalidOutputError: system 'gives': the response must be text, not int"),
    ],
)
@pytest.mark.parametrize("place", [0, 1], ids=["compressor", "reader"])
def test_what_fails_in_either_is_the_error_of_the_row(output, error, place):
    pair = [Identity(), READS]
    pair[place] = Gives(output)

    assert ran(*pair).error == error


def test_what_both_load_for_their_first_call_is_no_latency(monkeypatch):
    from pytest_context_bench import pipeline

    now, loaded = [0.0], []
    monkeypatch.setattr(pipeline.time, "perf_counter", lambda: now[0])

    class Loads(Gives):
        def warm_up(self):
            loaded.append(self.name)
            now[0] += 60

    row = ran(Loads({}, "one"), Loads({"response": "x"}, "two"))

    assert loaded == ["one", "two"]
    assert (row.error, row.latency) == (None, 0.0)


def test_what_cannot_be_loaded_is_the_error_of_the_row():
    class Fails(Gives):
        def warm_up(self):
            raise RuntimeError("no memory")

    assert ran(Identity(), Fails({"response": "x"})).error == "RuntimeError: no memory"


def test_the_reader_is_not_called_where_the_compressor_fails():
    asked = []

    ran(Gives(RuntimeError()), Gives(asked.append))

    assert asked == []


def test_neither_changes_what_the_other_is_given():
    def spoil(example):
        example["turns"][0]["content"] = "spoilt"
        example["context"] = "spoilt"
        return {}

    row = ran(Gives(spoil), READS, {**EXAMPLE, "turns": [{"content": "Paris"}]})

    assert row.scores["contains"] == 1.0


def test_the_reader_is_given_the_whole_example():
    seen = []
    ran(Gives({"context": "short"}), Gives(lambda example: seen.append(example) or {"response": "x"}))

    assert seen == [{**EXAMPLE, "context": "short"}]


def test_a_conversation_is_compressed_and_held():
    example = {
        "id": 1,
        "multi_turn": True,
        "turns": ["one two", "three four"],
        "context": "Paris",
        "answer": "Paris",
    }
    row = ran(Gives(lambda example: {"turns": example["turns"][:1], "context": "Lyon"}), Talks(), example)

    assert (row.input_tokens, row.output_tokens) == (5, 4)
    assert row.metadata == {"prompt_tokens": 3}
    assert Pipeline(Identity(), Talks()).process(example)["turn_responses"] == [
        "one two Paris",
        "three four Paris",
    ]


@pytest.fixture
def endpoint():
    server = Endpoint()
    server.behave(respond(lambda body: answer(" ".join(each["content"] for each in body["messages"]))))
    yield server
    server.close()


def test_a_model_reads_what_is_left(endpoint):
    reader = OpenAIProxy(endpoint.url, "m", "gpt", timeout=2)
    result = evaluate(
        [Pipeline(Truncate(0.2, side), reader) for side in ("head", "tail")], [EXAMPLE], progress=False
    )

    assert list(result.summary) == ["truncate:0.2+gpt", "truncate:tail:0.2+gpt"]
    assert [row.scores["contains"] for row in result.rows] == [0.0, 1.0]
    assert [row.output_tokens for row in result.rows] == [20, 20]
    reader.close()


def test_a_question_that_is_the_context_is_compressed_with_it(endpoint):
    reader = OpenAIProxy(endpoint.url, "m", "gpt", timeout=2)
    example = {"id": 1, "context": "Say it. Say Paris.", "question": "Say it. Say Paris.", "answer": "Paris"}
    row = ran(Compressor(lambda context: context[8:], "cut"), reader, example)

    assert [message["content"] for message in endpoint.bodies[0]["messages"]] == ["Say Paris."]
    assert row.error is None
    reader.close()


def test_the_cache_tells_compressors_and_readers_apart(tmp_path):
    for number, (compressor, reader) in enumerate([(0.5, "a"), (0.5, "a"), (0.4, "a"), (0.5, "b")]):
        system = Pipeline(Truncate(compressor), Gives({"response": reader}), "one name")
        with Cache(tmp_path, [system]) as cache:
            row, _ = attempt_pair(system, EXAMPLE, Scoring([AnswerQuality()], counter()), cache)
        assert row.metadata.get("cached", False) is (number == 1)
