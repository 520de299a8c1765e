"""Reads the fields of examples and outputs that evaluators share."""

import math
from collections.abc import Mapping
from typing import Any

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.protocols import Example


def answers(example: Example) -> list[str]:
    """Return the gold answers: `answer` (one or a list), else `answers`; none where there is no gold.

    A mapping stands for its `text`, as in SQuAD. Numbers and booleans become text; null, and what pandas
    makes of it, are no answers.
    """
    return golds(_gold(example))


def answer_spans(example: Example) -> list[list[str]]:
    """Return the gold answers as lists of spans: a list within the list of answers is one answer."""
    gold = _gold(example)
    if isinstance(gold, Mapping):
        gold = gold.get("text")
    entries = _entries(gold)
    return [spans for entry in ([gold] if entries is None else entries) if (spans := golds(entry))]


def golds(value: Any) -> list[str]:
    """Return *value*, one gold or several, as texts."""
    value = _without_numpy(value)
    if _is_missing(value):
        return []
    if isinstance(value, Mapping):
        return golds(value.get("text"))
    entries = _entries(value)
    return [str(value)] if entries is None else [text for entry in entries for text in golds(entry)]


def references(example: Example) -> list[str]:
    """Return what a judge alone is told: the `reference`, one or several; a missing one is empty text."""
    value = example.get("reference")
    entries = _entries(value)
    return ["\n".join(golds(entry)) for entry in ([value] if entries is None else entries)]


def response(processed: Example) -> str:
    """Return the response as text: null is empty text. Raises InvalidValueError for what is not text."""
    value = processed.get("response")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidValueError("response", value, "text")
    return value


def _gold(example: Example) -> Any:
    gold = example.get("answer")
    return gold if golds(gold) else example.get("answers")


def _is_missing(value: Any) -> bool:
    """Whether *value* is null, or one of the marks that pandas puts in its place."""
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in {"NAType", "NaTType"}


def _without_numpy(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value  # pandas holds a list as an array


def _entries(value: Any) -> list[Any] | None:
    """Return what *value* holds if it is several values, else None."""
    value = _without_numpy(value)
    if isinstance(value, set | frozenset):  # whose order differs from process to process
        return sorted(value, key=str)
    return list(value) if isinstance(value, list | tuple) else None
