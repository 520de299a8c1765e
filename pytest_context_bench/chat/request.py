"""The headers of a chat call, and what of them no message may quote."""

import base64
import re
from collections.abc import Mapping

from pytest_context_bench.chat.endpoint import Endpoint
from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.redact import MASK

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
# Shorter ones are placeholders and words, and masking those would garble every message.
_SHORTEST_KEY, _SHORTEST_VALUE = 4, 8
_COMMON = {"content-type": "application/json", "user-agent": "pytest-context-bench"}


def request_headers(target: Endpoint, api_key: str | None, extra: Mapping[str, str]) -> dict[str, str]:
    """Return the headers to send; *extra* goes before the key, the key before the URL's credentials."""
    headers = {**_COMMON, **_authorization(target, api_key)}
    for name, value in extra.items():
        if not _HEADER_NAME.fullmatch(name):
            raise InvalidValueError("headers", name, "the name of an HTTP header")
        headers[name.lower()] = _sendable(f"header {name}", value)
    return headers


def secrets_of(target: Endpoint, api_key: str | None, headers: Mapping[str, str]) -> tuple[str, ...]:
    """Return what no message may quote: the key, the credentials, and header and query values like keys."""
    keys = {(api_key or "").strip(), (target.credentials or ("", ""))[1], _basic(target)}
    sent = [value for name, value in headers.items() if name not in _COMMON]
    values = {*target.query_values, *sent, *(value.rpartition(" ")[2] for value in sent)}
    long_enough = {key for key in keys if len(key) >= _SHORTEST_KEY}
    return tuple(sorted(long_enough | {value for value in values if len(value) >= _SHORTEST_VALUE}))


def looks_like_key(secret: str) -> bool:
    """Whether *secret* is no placeholder, as `lm-studio` is: answers may hold such words."""
    return len(secret) >= _SHORTEST_VALUE and any(map(str.isdigit, secret))


def _authorization(target: Endpoint, api_key: str | None) -> dict[str, str]:
    key = (api_key or "").strip()  # keys read from files end in a newline
    if key:
        return {"authorization": f"Bearer {_sendable('api_key', key)}"}
    return {"authorization": f"Basic {_basic(target)}"} if target.credentials else {}


def _basic(target: Endpoint) -> str:
    return base64.b64encode(":".join(target.credentials).encode()).decode() if target.credentials else ""


def _sendable(where: str, value: str) -> str:
    if not (value.isascii() and value.isprintable()):
        raise InvalidValueError(where, MASK, "printable ASCII text")
    return value
