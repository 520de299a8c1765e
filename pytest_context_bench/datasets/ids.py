"""What tells the examples of a data set apart: their ids, given or made from their content."""

import hashlib
import json
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import PurePath
from typing import Any
from uuid import UUID

from pytest_context_bench.errors import (
    ContextBenchError,
    DuplicateExampleError,
    EmptyDatasetError,
    InvalidValueError,
)
from pytest_context_bench.plain import printable
from pytest_context_bench.protocols import Example, ExampleId

# Values beyond JSON that read the same in every process.
_READABLE = (bytes, complex, date, time, timedelta, Decimal, Fraction, PurePath, UUID)

_NAMES = frozenset({"id", "dataset"})


class NoIdError(ContextBenchError):
    """An example without an id whose content gives none that would be the same in every process."""

    def __init__(self, where: str, reason: object) -> None:
        super().__init__(f"{where} has no id, and its content gives none ({reason}): give it an 'id'")


def identify(
    name: str, examples: Iterable[Example], where: Callable[[int], str], within: str = ""
) -> list[ExampleId]:
    """Return the ids of *examples*; *where* words the place of one, *within* what such a place is in.

    Raises EmptyDatasetError for none, DuplicateExampleError for two alike (1 is "1"), InvalidValueError and
    NoIdError.
    """
    kept: list[ExampleId] = []
    first: dict[str, int] = {}
    for index, example in enumerate(examples):
        place = within + where(index)
        _check_tag(example, place)
        found = example_id(example, place)
        known = first.setdefault(printable(str(found)), index)
        if known != index:
            raise DuplicateExampleError(name, _alike(example, kept[known], found), where(known), where(index))
        kept.append(found)
    if not kept:
        raise EmptyDatasetError(name)
    return kept


def example_id(example: Example, where: str) -> ExampleId:
    """Return the `id` of *example*, or one made from its content. Raises InvalidValueError or NoIdError."""
    found = example.get("id")
    return content_id(example, where) if found is None else _plain_id(found, where)


def numbered(ids: Iterable[ExampleId]) -> Iterator[ExampleId]:
    """Yield *ids*, one that was there before with how many times that makes."""
    times: Counter[ExampleId] = Counter()
    for found in ids:
        times[found] += 1
        yield found if times[found] == 1 else f"{found}-{times[found]}"


def content_id(example: Example, where: str) -> str:
    """Return an id that is the same for the same content, wherever and whenever. Raises NoIdError."""
    try:
        content = json.dumps(dict(example), sort_keys=True, default=_to_json)
    except (TypeError, ValueError, RecursionError) as error:
        raise NoIdError(where, error) from error
    return hashlib.blake2b(content.encode(), digest_size=6).hexdigest()


def fingerprint(example: Example) -> str:
    """Return what tells whether *example* is still the same, whatever its name; nothing if unknown."""
    try:
        return content_id({key: value for key, value in example.items() if key not in _NAMES}, "")
    except NoIdError:
        return ""


def _plain_id(found: Any, where: str) -> ExampleId:
    if isinstance(found, str):
        return str.__str__(found)  # str() of a member of an Enum of texts is its name
    try:
        whole = None if isinstance(found, bool) else operator.index(found)  # numpy's whole numbers are
        str(whole)
    except (TypeError, ValueError):  # no whole number, or one of too many digits
        whole = None
    if whole is None:
        raise InvalidValueError(f"{where}, id", found, "text or a whole number")
    return whole


def _check_tag(example: Example, where: str) -> None:
    tag = example.get("dataset")
    if tag is not None and (isinstance(tag, bool) or not isinstance(tag, str | int)):
        raise InvalidValueError(f"{where}, dataset", tag, "text")


def _alike(example: Example, known: ExampleId, found: ExampleId) -> str:
    if example.get("id") is None:
        return "the same content, without an id,"
    return f"id {found!r}" if type(known) is type(found) else f"ids {known!r} and {found!r}, which are one,"


def _to_json(value: Any) -> Any:
    """Return what stands for *value* in the content of an example. Raises TypeError."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):  # whose order differs from process to process
        return sorted(json.dumps(entry, sort_keys=True, default=_to_json) for entry in value)
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "tolist"):  # numpy
        return value.tolist()
    if isinstance(value, _READABLE):
        return str(value)
    raise TypeError(f"it holds a {type(value).__name__}")
