"""Calls systems and reads what they give back, in whichever of the accepted forms."""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from threading import RLock
from typing import Any, TypeAlias

from pytest_context_bench.errors import InvalidOutputError
from pytest_context_bench.protocols import Example, Output, System

Await: TypeAlias = Callable[[Awaitable[Any]], Any]
SUMMED = (
    "prompt_tokens",
    "completion_tokens",
    "cost",
    "waited",
)  # metadata of a conversation: of all its turns
ESTIMATED = "usage_estimated"  # metadata that tells tokens counted here from those an endpoint reported
_WARMING = RLock()  # threads that come to a system together must not load its model twice


def run(system: System, example: Example) -> Any:
    """Return what *system* makes of *example*; where it holds conversations, its replies as an output.

    Raises InvalidOutputError for replies that are none.
    """
    converse = getattr(system, "process_conversation", None)
    if converse is None or not is_conversation(example):
        return _awaited(system.process(example))
    whole = {"example": example} if _takes_example(converse) else {}
    return conversation(system.name, _awaited(converse(example["turns"], **whole)))


def warm_up(system: System) -> None:
    """Let *system* load what its first call would else wait for, where it has a method for that."""
    own = getattr(system, "warm_up", None)
    if callable(own):
        with _WARMING:
            _awaited(own())


@contextmanager
def awaiting(wait_for: Await) -> Iterator[None]:
    """Have *wait_for* wait for what async systems give within, those inside of others too."""
    token = _wait_for.set(wait_for)
    try:
        yield
    finally:
        _wait_for.reset(token)


def is_conversation(example: Example) -> bool:
    """Whether *example* is to be answered turn by turn."""
    return bool(example.get("multi_turn")) and "turns" in example


def conversation(system: str, replies: Any) -> Output:
    """Return *replies*, texts or dicts with `content`, as an output. Raises InvalidOutputError."""
    if isinstance(replies, str | bytes | Mapping) or not isinstance(replies, Iterable):
        kind = type(replies).__name__
        raise InvalidOutputError(system, f"process_conversation() must return a list of replies, not {kind}")
    given = [reply if isinstance(reply, Mapping) else {"content": reply} for reply in replies]
    if not given:
        raise InvalidOutputError(system, "process_conversation() returned no reply")
    said = [reply.get("content") for reply in given]
    output = {"response": said[-1], "turn_responses": ["" if text is None else text for text in said]}
    if metadata := _of_all([metadata_of(reply) for reply in given]):
        output["metadata"] = metadata
    return output | {key: given[-1][key] for key in ("tool_calls",) if key in given[-1]}


def metadata_of(output: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of *output* as a dict, whatever a system put there."""
    given = output.get("metadata")
    if isinstance(given, Mapping):
        return dict(given)
    return {} if given is None else {"metadata": given}


def check_output(system: str, output: Any) -> None:
    """Raise InvalidOutputError for an *output* that is not a dict, or whose response is not text."""
    if not isinstance(output, Mapping):
        kind = type(output).__name__
        raise InvalidOutputError(system, f"process() must return a dict, not {kind}")
    response = output.get("response")
    if response is not None and not isinstance(response, str):
        raise InvalidOutputError(system, f"the response must be text, not {type(response).__name__}")


def _awaited(given: Any) -> Any:
    return _wait_for.get()(given) if inspect.isawaitable(given) else given


def _wait_alone(awaitable: Awaitable[Any]) -> Any:
    import asyncio

    async def awaited() -> Any:
        return await awaitable

    return asyncio.run(awaited())


# An event loop of each call's own, unless a run has one for all of them.
_wait_for: ContextVar[Await] = ContextVar("wait_for", default=_wait_alone)


def _takes_example(converse: Callable[..., Any]) -> bool:
    try:
        return "example" in inspect.signature(converse).parameters
    except (TypeError, ValueError):  # a callable that does not tell
        return False


def _of_all(turns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the metadata of a conversation: that of its last turn, and what all turns took."""
    sums = {key: sum(numbers) for key in SUMMED if (numbers := _numbers(turns, key))}
    estimated = {ESTIMATED: True} if any(turn.get(ESTIMATED) for turn in turns) else {}
    return {**turns[-1], **sums, **estimated}


def _numbers(turns: Sequence[Mapping[str, Any]], key: str) -> list[Any]:
    found = [turn.get(key) for turn in turns]
    return [number for number in found if isinstance(number, Real) and not isinstance(number, bool)]
