"""Puts the chunks of an event stream together into one chat completion."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_context_bench.chat.attempt import AttemptError
from pytest_context_bench.chat.reply import content_text
from pytest_context_bench.chat.reported import refuse_errors

_LINE_END = re.compile(r"\r\n|\n|\r")
_FIELD = re.compile(r"(?:data|event|id|retry)?:")


def is_stream(text: str) -> bool:
    """Whether *text* is an event stream: no JSON and no HTML starts like one."""
    return _FIELD.match(text.lstrip()) is not None


def assemble(text: str) -> dict[str, Any]:
    """Return the event stream *text* as the completion that one body would have held.

    Raises AttemptError for a broken chunk, a reported error, or a stream that stops before its end.
    """
    whole = _Whole()
    for data in _events(text):
        if data.strip() == "[DONE]":
            whole.ended = True
            break
        whole.add(_chunk(data))
    if not whole.ended and whole.finish_reason is None:
        raise AttemptError("the stream stops before its end", transient=True)
    return whole.completion()


@dataclass
class _Whole:
    texts: list[str] = field(default_factory=list)
    calls: dict[str, dict[str, Any]] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)
    finish_reason: Any = None
    usage: Any = None
    started: bool = False
    ended: bool = False

    def add(self, chunk: Mapping[str, Any]) -> None:
        self.usage = chunk.get("usage") or self.usage
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else []:
            if isinstance(choice, Mapping) and choice.get("index", 0) == 0:
                self._add_choice(choice)

    def _add_choice(self, choice: Mapping[str, Any]) -> None:
        refuse_errors(choice)
        self.started = True
        self.finish_reason = choice.get("finish_reason") or self.finish_reason
        delta = choice.get("delta") or choice.get("message") or {"content": choice.get("text")}
        if not isinstance(delta, Mapping):
            raise AttemptError("a chunk of the stream holds no message")
        self.texts.append(content_text(delta.get("content")))
        if isinstance(delta.get("refusal"), str):
            self.refusals.append(delta["refusal"])
        calls = delta.get("tool_calls")
        for position, call in enumerate(calls if isinstance(calls, list) else []):
            self._add_call(call, position)

    def _add_call(self, call: Any, position: int) -> None:
        piece = call if isinstance(call, Mapping) else {}
        known = self.calls.setdefault(str(piece.get("index", position)), {"type": "function", "function": {}})
        known.update({key: piece[key] for key in ("id", "type") if piece.get(key)})
        function = piece.get("function")
        for key, text in function.items() if isinstance(function, Mapping) else ():
            if isinstance(text, str):
                known["function"][key] = known["function"].get(key, "") + text

    def completion(self) -> dict[str, Any]:
        message = {
            "content": "".join(self.texts),
            "tool_calls": list(self.calls.values()),
            "refusal": "".join(self.refusals) or None,
        }
        choices = [{"message": message, "finish_reason": self.finish_reason}] if self.started else []
        return {"choices": choices, "usage": self.usage}


def _events(text: str) -> Iterator[str]:
    """Yield the data of each event; its lines end as the format says, not at every Unicode line end."""
    lines: list[str] = []
    for line in [*_LINE_END.split(text), ""]:
        name, _, value = line.partition(":")
        if name == "data":
            lines.append(value.removeprefix(" "))
        elif not line and lines:
            # Some servers leave out the blank line that ends an event.
            yield from lines if all(map(_complete, lines)) else ["\n".join(lines)]
            lines = []


def _complete(line: str) -> bool:
    return line.strip() == "[DONE]" or (line.startswith("{") and line.endswith("}"))


def _chunk(data: str) -> Mapping[str, Any]:
    try:
        chunk = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise AttemptError("a chunk of the stream is not JSON") from error
    refuse_errors(chunk)
    return chunk if isinstance(chunk, Mapping) else {}
