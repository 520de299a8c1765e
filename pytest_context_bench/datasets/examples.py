"""An opened data set: ids are known, texts are fetched one at a time."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_context_bench.errors import (
    BadRecordError,
    DuplicateExampleError,
    EmptyDatasetError,
    InvalidValueError,
)
from pytest_context_bench.evaluators import evaluators_for
from pytest_context_bench.protocols import Evaluator, Example, ExampleId


@dataclass(frozen=True)
class Examples:
    """The examples of one data set; *fetch* reads the one at an index.

    Where *evaluators* is None, each example's own fields choose them. *primary* names the score that
    `score` repeats.
    """

    name: str
    ids: Sequence[ExampleId]
    fetch: Callable[[int], Example]
    evaluators: tuple[Evaluator, ...] | None = None
    primary: str | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> dict[str, Any]:
        example = self.fetch(index)
        return {**example, "id": self.ids[index], "dataset": example.get("dataset") or self.name}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self.__getitem__, range(len(self)))

    def evaluators_for(self, example: Example) -> Sequence[Evaluator]:
        """Return what scores *example*: the data set's evaluators, else those its fields call for."""
        return evaluators_for(example) if self.evaluators is None else self.evaluators

    def take(self, n: int | None, seed: int | None = None) -> "Examples":
        """Return the first *n* examples, or a sample of *n* by *seed*, part of any larger one."""
        if n is None or n >= len(self):
            return self
        indexes = range(n) if seed is None else sorted(_ranked(self.ids, seed)[:n])
        return replace(
            self, ids=[self.ids[index] for index in indexes], fetch=lambda at: self.fetch(indexes[at])
        )


def in_memory(name: str, examples: Iterable[Any], n: int | None = None) -> Examples:
    """Open *examples* that are at hand as dicts.

    Raises BadRecordError for what is no dict, DuplicateExampleError, and EmptyDatasetError.
    """
    kept = []
    for index, example in enumerate(examples):
        if n is not None and index >= n:
            break
        if not hasattr(example, "keys"):
            kind = type(example).__name__
            raise BadRecordError(f"data set {name!r}, example {index}", f"a {kind}, expected a dict")
        kept.append(example)
    ids = identify(
        name, (example_id(entry, f"data set {name!r}, example {i}") for i, entry in enumerate(kept))
    )
    return Examples(name, ids, kept.__getitem__)


def identify(
    name: str, ids: Iterable[ExampleId], where: Callable[[int], str] = "example {}".format
) -> list[ExampleId]:
    """Return *ids* as a list; *where* words a position. Raises for none, and for two alike (1 is "1")."""
    kept, first = [], dict[str, int]()
    for index, found in enumerate(ids):
        known = first.setdefault(str(found), index)
        if known != index:
            raise DuplicateExampleError(name, f"id {found!r}", where(known), where(index))
        kept.append(found)
    if not kept:
        raise EmptyDatasetError(name)
    return kept


def example_id(example: Example, where: str) -> ExampleId:
    """Return the `id` of *example*, or one made from its content. Raises InvalidValueError."""
    found = example.get("id")
    if found is None:
        return content_id(example)
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise InvalidValueError(f"{where}, id", found, "text or a whole number")
    return found


def content_id(example: Example) -> str:
    """Return an id that is the same for the same content, wherever and whenever."""
    content = json.dumps(dict(example), sort_keys=True, default=repr)
    return hashlib.blake2b(content.encode(), digest_size=6).hexdigest()


def _ranked(ids: Sequence[ExampleId], seed: int) -> list[int]:
    """Return the indexes of *ids* in an order that depends on the seed and each id alone."""

    def rank(index: int) -> bytes:
        return hashlib.blake2b(
            f"{seed}/{ids[index]}".encode("utf-8", "surrogatepass"), digest_size=8
        ).digest()

    return sorted(range(len(ids)), key=rank)
