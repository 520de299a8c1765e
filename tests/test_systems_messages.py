import pytest

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.systems.messages import SENDABLE, rounds, sendable, to_message, to_messages, tools

EXAMPLE = {"context": "C", "question": "Q", "answer": "gold"}
CALL = {"id": "context01", "type": "function", "function": {"name": "get_context", "arguments": "{}"}}
CALLED = {"role": "assistant", "content": "", "tool_calls": [CALL]}
GIVEN = {"role": "tool", "content": "C", "tool_call_id": "context01"}
TOOL = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}


def user(text):
    return {"role": "user", "content": text}


def system(text):
    return {"role": "system", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


@pytest.mark.parametrize(
    ("placement", "prompt", "messages"),
    [
        ("user", None, [user("C"), user("Q")]),
        ("user", "Be brief.", [system("Be brief."), user("C"), user("Q")]),
        ("system", None, [system("C"), user("Q")]),
        ("system", "Be brief.", [system("Be brief.\n\nC"), user("Q")]),
        ("tool", None, [user("Q"), CALLED, GIVEN]),
        ("tool", "Be brief.", [system("Be brief."), user("Q"), CALLED, GIVEN]),
    ],
)
def test_the_context_stands_where_it_is_placed(placement, prompt, messages):
    assert to_messages(EXAMPLE, placement, prompt) == messages


@pytest.mark.parametrize("placement", ["user", "system", "tool"])
@pytest.mark.parametrize(
    ("example", "messages"),
    [
        ({"question": "Q"}, [user("Q")]),
        ({"question": "Q", "context": ""}, [user("Q")]),
        ({"question": "Q", "context": None}, [user("Q")]),
        ({"question": "Q", "context": " \n"}, [user("Q")]),
        ({"question": "Q", "turns": None, "tools": None}, [user("Q")]),
        ({"context": "C"}, [user("C")]),
        ({"context": "C", "question": None}, [user("C")]),
        ({"context": "C", "question": ""}, [user("C")]),
        ({"context": "Do this.", "question": "Do this."}, [user("Do this.")]),
        ({"context": "Do this.\n", "question": " Do this."}, [user(" Do this.")]),
        ({"context": "Facts.", "question": "Facts.\n\nWhich?"}, [user("Facts.\n\nWhich?")]),
        ({"context": "Hello", "turns": ["Hello"]}, [user("Hello")]),
        ({"turns": ["Hello"]}, [user("Hello")]),
        ({"turns": [user([{"text": "Hello"}])]}, [user([{"text": "Hello"}])]),
        ({"turns": ["Hello"], "question": "Q"}, [user("Hello"), user("Q")]),
    ],
)
def test_what_is_said_twice_is_sent_once(placement, example, messages):
    assert to_messages(example, placement) == messages


@pytest.mark.parametrize(
    ("placement", "messages"),
    [
        ("user", [system("S"), user("C"), user("1"), assistant("2"), user("Q")]),
        ("system", [system("C"), system("S"), user("1"), assistant("2"), user("Q")]),
        ("tool", [system("S"), user("1"), CALLED, GIVEN, assistant("2"), user("Q")]),
    ],
)
def test_the_context_goes_with_the_first_turn(placement, messages):
    turns = [system("S"), "1", assistant("2")]

    assert to_messages({**EXAMPLE, "turns": turns}, placement) == messages


@pytest.mark.parametrize("placement", ["user", "tool"])
def test_a_context_after_which_nobody_asks_is_what_the_user_says(placement):
    assert to_messages({"context": "C", "turns": [assistant("1")]}, placement) == [assistant("1"), user("C")]


@pytest.mark.parametrize("placement", ["user", "system", "tool"])
def test_no_field_but_those_for_a_model_is_sent(placement):
    example = {
        name: f"{name} is gold" for name in ("id", "answer", "answers", "correct_letter", "test", "kwargs")
    }
    turn = {"role": "user", "content": "1", "answer": "gold", "has_answer": True, "metadata": {"a": "gold"}}
    known = {**EXAMPLE, **example, "turns": [turn], "choices": ["gold"], "prompt": "gold"}

    assert "gold" not in str(to_messages(known, placement))
    assert set(sendable(known)) <= set(SENDABLE)


@pytest.mark.parametrize(
    ("example", "error"),
    [
        ({}, r"the example: \[\] is not one with a question, a context or turns"),
        ({"answer": "gold"}, r"the example: \['answer'\] is not one with"),
        ({"context": "", "question": ""}, "is not one with"),
        ({"context": ["C"], "question": "Q"}, r"context: \['C'\] is not text"),
        ({"question": 7}, "question: 7 is not text"),
        ({"turns": "Hello"}, "turns: 'Hello' is not a list"),
        ({"turns": {"role": "user"}}, "turns: .* is not a list"),
        ({"turns": [7]}, "turns: 7 is not a text, or a message"),
        ({"turns": [{"role": "user"}]}, "is not a text, or a message"),
        ({"turns": [None]}, "turns: None is not a text, or a message"),
    ],
)
def test_an_example_that_cannot_be_sent_is_refused(example, error):
    with pytest.raises(InvalidValueError, match=error):
        to_messages(example)


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        ("Hello", user("Hello")),
        ("", user("")),
        ({"content": "Hello"}, user("Hello")),
        ({"role": "User", "content": "Hello"}, user("Hello")),
        ({"role": None, "content": "Hello"}, user("Hello")),
        ({"role": "assistant", "content": None, "tool_calls": [CALL]}, {**CALLED, "content": None}),
        ({"role": "assistant", "tool_calls": [CALL]}, {**CALLED, "content": None}),
        (GIVEN, GIVEN),
        (user([{"type": "text", "text": "Hello"}]), user([{"type": "text", "text": "Hello"}])),
    ],
)
def test_a_turn_is_a_text_or_a_message(turn, message):
    assert to_message(turn) == message


@pytest.mark.parametrize(
    ("turns", "parts"),
    [
        (["1", "2"], [["1"], ["2"]]),
        (("1",), [["1"]]),
        ([system("S"), "1", "2"], [["S", "1"], ["2"]]),
        (["1", assistant("recorded"), "2", assistant("recorded")], [["1"], ["2"]]),
        ([assistant("Hello, what is it?"), "1"], [["Hello, what is it?", "1"]]),
        (["1", CALLED, GIVEN, assistant("recorded"), "2"], [["1"], ["2"]]),
        (["1", assistant("recorded"), system("S"), "2"], [["1"], ["S", "2"]]),
    ],
)
def test_each_round_ends_with_the_user(turns, parts):
    assert [[message["content"] for message in said] for said in rounds(turns)] == parts


@pytest.mark.parametrize("turns", [[], None, [assistant("1")], "1", 7])
def test_turns_in_which_no_user_speaks_are_refused(turns):
    with pytest.raises(InvalidValueError, match="turns"):
        rounds(turns)


@pytest.mark.parametrize(
    ("given", "offered"), [(None, []), ([], []), ([TOOL], [TOOL]), ((TOOL, TOOL), [TOOL, TOOL])]
)
def test_tools_are_those_of_the_example(given, offered):
    assert tools({"tools": given}) == offered
    assert tools({}) == []


@pytest.mark.parametrize("given", ["[]", {"name": "find"}, ["find"], [None], 7])
def test_tools_in_no_schema_are_refused(given):
    with pytest.raises(InvalidValueError, match="tools"):
        tools({"tools": given})
