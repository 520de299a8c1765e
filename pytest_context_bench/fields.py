"""Reads the fields of examples and outputs that evaluators share."""

from collections.abc import Mapping
from typing import Any

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.protocols import Example


def answers(example: Example) -> list[str]:
    """Return the gold answers: `answer` (one or a list), else `answers`; none where there is no gold.

    A mapping stands for its `text`, as in SQuAD. Numbers and booleans become text; nulls are no answers.
    """
    return golds(_gold(example))


def answer_spans(example: Example) -> list[list[str]]:
    """Return the gold answers as lists of spans: a list within the list of answers is one answer."""
    gold = _gold(example)
    if isinstance(gold, Mapping):
        gold = gold.get("text")
    entries = gold if isinstance(gold, list | tuple) else [gold]
    return [spans for entry in entries if (spans := golds(entry))]


def golds(value: Any) -> list[str]:
    """Return *value*, one gold or several, as texts."""
    if value is None:
        return []
    if isinstance(value, Mapping):
        return golds(value.get("text"))
    if isinstance(value, list | tuple):
        return [text for entry in value for text in golds(entry)]
    return [str(value)]


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
    return example.get("answers") if gold is None else gold
