"""Reads the parsed body of a chat completion."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_context_bench.chat.attempt import AttemptError
from pytest_context_bench.chat.reported import error_message, passes, refuse_errors

_TEXT_PARTS = (None, "text", "output_text")


@dataclass(frozen=True)
class Usage:
    """Tokens as the endpoint counted them, None where it reported none or zero, and the dollars it asks."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None


@dataclass(frozen=True)
class Reply:
    """What the model said, and what the call took: *attempts*, and the seconds *waited* between them."""

    text: str
    finish_reason: str | None = None
    usage: Usage = Usage()
    tool_calls: list[Any] = field(default_factory=list)
    refusal: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    attempts: int = 1
    waited: float = 0.0

    @property
    def metadata(self) -> dict[str, Any]:
        """The facts about the call as plain JSON, leaving out what the endpoint did not say."""
        facts = {
            "finish_reason": self.finish_reason,
            "prompt_tokens": self.usage.prompt_tokens,
            "completion_tokens": self.usage.completion_tokens,
            "cost": self.usage.cost,
            "tool_calls": self.tool_calls or None,
            "refusal": self.refusal,
            "attempts": self.attempts if self.attempts > 1 else None,
            "waited": self.waited or None,
        }
        return {name: value for name, value in facts.items() if value is not None}


def to_reply(body: Any, headers: Mapping[str, str]) -> Reply:
    """Return the first choice of *body* as a reply. Raises AttemptError where there is none."""
    refuse_errors(body)
    choice = _first_choice(body)
    refuse_errors(choice)
    message, finish_reason = _message(choice), choice.get("finish_reason")
    if finish_reason == "error":
        raise AttemptError("the reply ended in an error")
    tool_calls = _tool_calls(message)
    if "content" not in message and not (message and (finish_reason or tool_calls)):
        raise AttemptError("the first choice holds no message")
    return Reply(
        text=content_text(message.get("content")),
        finish_reason=finish_reason if isinstance(finish_reason, str) else None,
        usage=_usage(body.get("usage")),
        tool_calls=tool_calls,
        refusal=message["refusal"] if isinstance(message.get("refusal"), str) else None,
        headers=headers,
    )


def content_text(content: Any) -> str:
    """Return the text of a message: of a list the text parts joined, thoughts left out; null is empty.

    Raises AttemptError for content of another kind.
    """
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        return _part_text(content)
    if isinstance(content, list | tuple):
        return "".join(part if isinstance(part, str) else _part_text(part) for part in content)
    raise AttemptError(f"the content is a {type(content).__name__}, not text")


def _first_choice(body: Any) -> Mapping[str, Any]:
    if not isinstance(body, Mapping):
        raise AttemptError(f"the reply is a JSON {type(body).__name__}, not a chat completion")
    choices = body.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return choices[0]
    raise AttemptError("the reply holds no choices", transient=passes(body), message=error_message(body))


def _message(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    message = choice.get("message")
    if isinstance(message, Mapping):
        return message
    return {"content": choice["text"]} if isinstance(choice.get("text"), str) else {}


def _part_text(part: Any) -> str:
    if not isinstance(part, Mapping) or part.get("type") not in _TEXT_PARTS or part.get("thought"):
        return ""
    text = part.get("text")
    if isinstance(text, Mapping):
        text = text.get("value")
    return text if isinstance(text, str) else ""


def _tool_calls(message: Mapping[str, Any]) -> list[Any]:
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        return calls
    legacy = message.get("function_call")
    return [{"type": "function", "function": legacy}] if legacy else []


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, Mapping):
        return Usage()
    return Usage(
        _counted(usage.get("prompt_tokens", usage.get("input_tokens"))),
        _counted(usage.get("completion_tokens", usage.get("output_tokens"))),
        _dollars(usage.get("cost")),
    )


def _counted(tokens: Any) -> int | None:
    if isinstance(tokens, bool) or not isinstance(tokens, int | float):
        return None
    return int(tokens) if 0 < tokens < 2**53 else None


def _dollars(cost: Any) -> float | None:
    """Return the *cost* that gateways such as OpenRouter report."""
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return None
    return float(cost) if 0 <= cost < math.inf else None
