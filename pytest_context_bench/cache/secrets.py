"""Tells secrets from configuration: a key that is exchanged leaves a system what it was."""

import re
from typing import Any

from pytest_context_bench.redact import MASK, redact

_SECRET = re.compile(
    r"((api|access|secret|private)[-_]?key|(api|access|auth|bearer|refresh)[-_]?token|client[-_]?secret"
    r"|passw(or)?d|authorization|credentials?)$",
    re.IGNORECASE,
)
_PERHAPS = re.compile(r"(key|token|secret|auth|cookie)s?$", re.IGNORECASE)  # max_tokens is no secret


def is_secret(name: str, value: Any) -> bool:
    """Whether *value* is a secret: by its *name*, or by a name that is often one's and a look that is."""
    if _SECRET.search(name):
        return not issubclass(type(value), bool | int | float | None)
    return _PERHAPS.search(name) is not None and type(value) is str and redact(value) == MASK
