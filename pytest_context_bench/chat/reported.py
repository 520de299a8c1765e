"""The errors that endpoints report in the body, each provider in its own form."""

import re
from collections.abc import Mapping
from typing import Any

from pytest_context_bench.chat.attempt import AttemptError
from pytest_context_bench.chat.retry import transient

_TRANSIENT_WORDS = re.compile(
    r"rate.?limit|too.?many.?requests|overloaded|exhausted|unavailable|internal|server.?error|time(?:d.)?out",
    re.IGNORECASE,
)
_CODE_KEYS = ("code", "status", "status_code", "http_status")
_MESSAGE_KEYS = ("error", "message", "detail", "msg")
_DEEPEST = 6
_HTTP_STATUSES = range(100, 600)


def refuse_errors(body: Any) -> None:
    """Raise AttemptError where *body* reports an error, whatever the HTTP status said."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping) or not body.get("error"):
        return
    error = body["error"]
    facts = {**body, **error} if isinstance(error, Mapping) else {"code": error, "message": error, **body}
    raise AttemptError("the endpoint reports an error", transient=passes(facts), message=error_message(body))


def error_message(body: Any) -> str:
    """Return what *body* says went wrong, in the server's words; empty where it says nothing we know."""
    for _ in range(_DEEPEST):
        if isinstance(body, str):
            return body
        if isinstance(body, list):
            body = body[0] if body else None
        elif isinstance(body, Mapping):
            inner = (body.get(key) for key in _MESSAGE_KEYS)
            body = next((value for value in inner if value and isinstance(value, str | Mapping | list)), None)
    return ""


def passes(error: Mapping[str, Any]) -> bool:
    """Whether *error* reads like one that passes: by its code, else by its type, else by its message."""
    codes = [code for key in _CODE_KEYS if (code := _status(error.get(key))) is not None]
    if codes:
        return any(map(transient, codes))
    kinds = [kind for key in ("type", *_CODE_KEYS) if isinstance(kind := error.get(key), str)]
    words = kinds or [str(error.get("message"))]
    return any(_TRANSIENT_WORDS.search(word) for word in words)


def _status(code: Any) -> int | None:
    if isinstance(code, str) and re.fullmatch(r"\s*\d{3}\s*", code):
        return int(code)
    if isinstance(code, bool) or not isinstance(code, int | float):
        return None
    return int(code) if code in _HTTP_STATUSES else None
