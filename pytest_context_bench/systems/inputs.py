"""Reads what systems use of an example."""

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.protocols import Example


def context(example: Example) -> str:
    """Return the context of *example*, empty if it has none. Raises InvalidValueError for other than text."""
    return _text(example, "context") or ""


def question(example: Example) -> str | None:
    """Return the question of *example*, if it has one. Raises InvalidValueError for other than text."""
    return _text(example, "question")


def _text(example: Example, name: str) -> str | None:
    value = example.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidValueError(name, value, "text")
    return value
