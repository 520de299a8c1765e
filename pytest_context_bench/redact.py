"""Masks secrets in text that leaves the process."""

import os
import re
from functools import lru_cache

MASK = "***"
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)S?$", re.IGNORECASE)
_SHORTEST_SECRET = 8  # shorter values are words, and masking words would garble every report
_SHAPES = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*://)[^\s/@]+@"  # URL credentials
    r"|\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}"
    r"|\bhf_[A-Za-z0-9]{16,}"
    r"|(?P<header>\b(?:bearer|authorization:|x-api-key:)\s+)[^\s'\",]{8,}",
    re.IGNORECASE,
)


def redact(text: str) -> str:
    """Return *text* with keys, bearer tokens, URL credentials and secret environment values masked."""
    if len(text) < _SHORTEST_SECRET:
        return text
    for secret in _environment_secrets(_named_like_secrets()):
        text = text.replace(secret, MASK)
    return _SHAPES.sub(_masked, text)


def _masked(match: re.Match[str]) -> str:
    if match["scheme"]:
        return f"{match['scheme']}{MASK}@"
    return f"{match['header'] or ''}{MASK}"


def _named_like_secrets() -> tuple[str, ...]:
    return tuple(value for name, value in os.environ.items() if _SECRET_NAME.search(name))


@lru_cache(maxsize=4)
def _environment_secrets(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({v for v in values if len(v) >= _SHORTEST_SECRET}, key=len, reverse=True))
