"""Makes chat messages of an example: what is asked, the context in its place, and never the gold."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.protocols import Example
from pytest_context_bench.systems.inputs import context, question

Message: TypeAlias = dict[str, Any]

USER, SYSTEM, TOOL = PLACEMENTS = ("user", "system", "tool")
# Whatever else an example holds may be its answer.
SENDABLE = ("context", "question", "turns", "tools", "choices", "prompt")

_ASSISTANT = "assistant"
_OF_A_TURN = ("role", "content", "name", "tool_calls", "tool_call_id")
_CALL_ID = "context01"  # nine letters and digits, as the strictest of the services wants
_CALL = {"id": _CALL_ID, "type": "function", "function": {"name": "get_context", "arguments": "{}"}}


def sendable(example: Example) -> dict[str, Any]:
    """Return the part of *example* that may leave for a model."""
    return {name: example[name] for name in SENDABLE if name in example}


def to_messages(example: Example, placement: str = USER, system_prompt: str | None = None) -> list[Message]:
    """Return the turns and the question of *example*, with its context where *placement* says.

    A context that is all there is, or that the question or the first turn holds, is sent once. Raises
    InvalidValueError for an example with nothing to send, or with fields that are no texts.
    """
    text, asked = context(example), question(example)
    said = [to_message(turn) for turn in _listed(example, "turns")]
    said += [_message(USER, asked)] if asked else []
    if not said and text.strip():
        said = [_message(USER, text)]
    if not said:
        raise InvalidValueError("the example", sorted(example), "one with a question, a context or turns")
    instructions = [system_prompt] if system_prompt else []
    if text.strip() and not any(text.strip() in each for each in (asked or "", _opening(said))):
        if placement == SYSTEM:
            instructions.append(text)
        else:
            said = _placed(said, text, placement)
    return ([_message(SYSTEM, "\n\n".join(instructions))] if instructions else []) + said


def tools(example: Example) -> list[Any]:
    """Return the tools that *example* offers, in OpenAI's schema. Raises InvalidValueError for others."""
    offered = _listed(example, "tools")
    for tool in offered:
        if not isinstance(tool, Mapping):
            raise InvalidValueError("tools", tool, "a tool in OpenAI's schema")
    return offered


def rounds(turns: Any) -> list[list[Message]]:
    """Part *turns* into what is said before each reply: each round ends with a message of the user.

    Recorded replies, and what tools gave for them, are left out: the system gives its own. Raises
    InvalidValueError where no turn is the user's.
    """
    found: list[list[Message]] = []
    said: list[Message] = []
    for message in map(to_message, _listed({"turns": turns}, "turns")):
        if found and message["role"] in {_ASSISTANT, TOOL}:
            continue
        said.append(message)
        if message["role"] == USER:
            found.append(said)
            said = []
    if not found:
        raise InvalidValueError("turns", turns, "a list with a turn of the user")
    return found


def to_message(turn: Any) -> Message:
    """Return one turn, the user's text or a dict with role and content, without all that is not for a model.

    Raises InvalidValueError for anything else.
    """
    if isinstance(turn, str):
        return _message(USER, turn)
    if not isinstance(turn, Mapping) or not ("content" in turn or turn.get("tool_calls")):
        raise InvalidValueError("turns", turn, "a text, or a message with role and content")
    kept = {name: turn[name] for name in _OF_A_TURN if name in turn}
    return {**kept, "role": str(turn.get("role") or USER).lower(), "content": turn.get("content")}


def reply_message(text: str) -> Message:
    """Return what a model said as a message of the conversation so far."""
    return _message(_ASSISTANT, text)


def _opening(said: Sequence[Message]) -> str:
    """Return what the user says first; later turns do not count, or the context would go as they come."""
    first = next((message["content"] for message in said if message["role"] == USER), "")
    return first if isinstance(first, str) else ""


def _placed(said: Sequence[Message], text: str, placement: str) -> list[Message]:
    """Return *said* with *text* before the user's first message, or after it as what a tool gave."""
    first = next((at for at, message in enumerate(said) if message["role"] == USER), len(said))
    if placement == USER or first == len(said):
        return [*said[:first], _message(USER, text), *said[first:]]
    # Empty, where others write null: not every proxy reads that.
    call = {**_message(_ASSISTANT, ""), "tool_calls": [_CALL]}
    result = {**_message(TOOL, text), "tool_call_id": _CALL_ID}
    return [*said[: first + 1], call, result, *said[first + 1 :]]


def _message(role: str, text: str) -> Message:
    return {"role": role, "content": text}


def _listed(example: Mapping[str, Any], name: str) -> list[Any]:
    value = example.get(name)
    if value is not None and not isinstance(value, list | tuple):
        raise InvalidValueError(name, value, "a list")
    return list(value or ())
