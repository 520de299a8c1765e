"""Quotes the start of foreign text in messages: one line, nothing unprintable, no secrets."""

from collections.abc import Iterable

from pytest_context_bench.redact import MASK, redact

_READ = 10_000  # masking shortens text, so more is masked than is shown


def excerpt(text: str, limit: int = 300, secrets: Iterable[str] = ()) -> str:
    """Return at most *limit* characters from the start of *text*, *secrets* masked before it is cut."""
    masked = redact(mask(text[:_READ], secrets))
    line = one_line(" ".join(masked.split()))
    return line if len(line) <= limit else f"{line[:limit]}…"


def mask(text: str, secrets: Iterable[str]) -> str:
    """Return *text* without the *secrets*; longer ones go first, as one may hold another."""
    for secret in sorted(secrets, key=lambda secret: (-len(secret), secret)):
        text = text.replace(secret, MASK)
    return text


def one_line(text: str) -> str:
    """Return *text* without secrets, and with escapes for what would break a line or steer a terminal."""
    masked = redact(text)
    return masked if masked.isprintable() else "".join(map(_shown, masked))


def _shown(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode()
