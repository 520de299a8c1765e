from functools import partial

import pytest

from pytest_context_bench.outputs import conversation, run, warm_up

TURNS = ["1", "2"]
CONVERSATION = {"multi_turn": True, "turns": TURNS, "context": "C"}


class Talks:
    name = "talks"

    def process(self, example):
        return {"response": "not asked"}

    def process_conversation(self, turns, example=None):
        return [f"{turns} {example['context']}"]


class TurnsOnly:
    name = "turns only"

    def process_conversation(self, turns):
        return [f"{turns}"]


class ByName:
    name = "by name"

    def process_conversation(self, turns, *, example):
        return [example["context"]]


class Bound:
    name = "bound"
    process_conversation = partial(lambda turns, extra: [f"{turns} {extra}"], extra=7)


@pytest.mark.parametrize(
    ("system", "response"),
    [(Talks(), f"{TURNS} C"), (TurnsOnly(), f"{TURNS}"), (ByName(), "C"), (Bound(), f"{TURNS} 7")],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_conversation_is_told_its_example_where_it_asks(system, response):
    assert run(system, CONVERSATION)["response"] == response


@pytest.mark.parametrize(
    "example", [{}, {"turns": TURNS}, {"multi_turn": True}, {**CONVERSATION, "multi_turn": 0}]
)
def test_what_is_no_conversation_is_processed(example):
    assert run(Talks(), example)["response"] == "not asked"


def turn(content="x", **metadata):
    return {"content": content, "metadata": metadata}


@pytest.mark.parametrize(
    ("replies", "metadata"),
    [
        (["a", "b"], None),
        ([{"content": "a"}, {"content": "b", "metadata": {}}], None),
        ([turn(prompt_tokens=3, completion_tokens=1), turn(prompt_tokens=4, completion_tokens=2)],
         {"prompt_tokens": 7, "completion_tokens": 3}),
        ([turn(prompt_tokens=3), "b"], {"prompt_tokens": 3}),
        ([turn(finish_reason="length"), turn(finish_reason="stop")], {"finish_reason": "stop"}),
        ([turn(finish_reason="length"), turn(model="m")], {"model": "m"}),
        ([turn(finish_reason="length"), "b"], None),
        ([turn(usage_estimated=True), turn(usage_estimated=False)], {"usage_estimated": True}),
        ([turn(waited=0.5), turn(), turn(waited=1.0)], {"waited": 1.5}),
        ([turn(attempts=3), turn(attempts=2)], {"attempts": 2}),
        ([turn(prompt_tokens="3"), turn(prompt_tokens=None)], {"prompt_tokens": None}),
        ([turn(prompt_tokens=True), turn(prompt_tokens=2)], {"prompt_tokens": 2}),
        ([turn(), {"content": "b", "metadata": "note"}], {"metadata": "note"}),
    ],
    ids=repr,
)  # fmt: skip
def test_metadata_of_a_conversation_are_those_of_its_last_turn_and_what_all_took(replies, metadata):
    assert conversation("s", replies).get("metadata") == metadata


@pytest.mark.parametrize(
    ("replies", "calls"),
    [
        ([{"content": "a", "tool_calls": [1]}, {"content": "b", "tool_calls": [2]}], [2]),
        ([{"content": "a", "tool_calls": [1]}, {"content": "b", "tool_calls": []}], []),
        ([{"content": "a", "tool_calls": [1]}, {"content": "b"}], "none"),
        (["a"], "none"),
    ],
)
def test_calls_are_those_of_the_last_turn(replies, calls):
    assert conversation("s", replies).get("tool_calls", "none") == calls


@pytest.mark.parametrize("own", [None, 7, "ready"])
def test_what_is_no_method_warms_nothing_up(own):
    system = Talks()
    system.warm_up = own

    warm_up(system)
    warm_up(TurnsOnly())
