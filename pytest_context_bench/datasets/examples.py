"""An opened data set: ids are known, texts are fetched one at a time."""

import hashlib
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from pytest_context_bench.datasets.ids import fingerprint, identify
from pytest_context_bench.errors import BadRecordError, InvalidValueError
from pytest_context_bench.evaluators import CodeExecution, evaluators_for
from pytest_context_bench.protocols import Evaluator, Example, ExampleId

READ = 100


@dataclass(frozen=True)
class Examples:
    """The examples of one data set; *fetch* reads the one at an index.

    Where *evaluators* is None, each example's own fields choose them; *fields* are then those that any
    example has. None at all mean a judge. *primary* names the score that `score` repeats. *whole* tells of a
    shard what it was cut from.
    """

    name: str
    ids: Sequence[ExampleId]
    fetch: Callable[[int], Example]
    evaluators: tuple[Evaluator, ...] | None = None
    primary: str | None = None
    fields: frozenset[str] = frozenset()
    whole: str = ""

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> dict[str, Any]:
        found, example = self.ids[index], self.fetch(index)
        tag = example.get("dataset")
        return {**example, "id": found, "dataset": self.name if tag is None or tag == "" else str(tag)}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self.__getitem__, range(len(self)))

    def evaluators_for(self, example: Example) -> Sequence[Evaluator]:
        """Return what scores *example*: the data set's evaluators, else those its fields call for."""
        return evaluators_for(example) if self.evaluators is None else self.evaluators

    def runs_code(self) -> bool:
        """Whether scoring the examples means running the code of responses."""
        if self.evaluators is None:
            return not self.fields.isdisjoint(CodeExecution.fields)
        return any(isinstance(one, CodeExecution) and not one.allow for one in self.evaluators)

    def needs_judge(self) -> bool:
        """Whether nothing scores the examples but a judge, whom each run brings along."""
        return self.evaluators is not None and not self.evaluators

    def take(self, n: int | None, seed: int | None = None) -> "Examples":
        """Return the first *n* examples, or a sample of *n* by *seed*, part of any larger one."""
        if n is None or n >= len(self):
            return self
        indexes = range(n) if seed is None else sorted(_ranked(self.ids, seed)[:n])
        return replace(
            self, ids=[self.ids[index] for index in indexes], fetch=lambda at: self.fetch(indexes[at])
        )


def shard(examples: Examples, part: int, parts: int) -> Examples:
    """Return the *part*-th of so many *parts*, counted from 1, the same wherever it is asked for."""
    mine = [
        index for index, found in enumerate(examples.ids) if _draw(examples.name, found) % parts == part - 1
    ]
    ids = [examples.ids[index] for index in mine]
    return replace(examples, ids=ids, fetch=lambda at: examples.fetch(mine[at]), whole=_told(examples))


def _told(examples: Examples) -> str:
    """Tell *examples* by their number, a digest and their name.

    The digest is of all ids, and of the content of a hundred: no shard reads all texts to know whether the
    others had the same.
    """
    digest = hashlib.blake2b(digest_size=6)
    for found in examples.ids:
        digest.update(f"{found}\n".encode("utf-8", "surrogatepass"))
    for index in sorted(_ranked(examples.ids, 0)[:READ]):
        digest.update(_content(examples, index).encode())
    return f"{len(examples)} {digest.hexdigest()} {examples.name}"


def _content(examples: Examples, index: int) -> str:
    try:
        return fingerprint(examples.fetch(index))
    except Exception as error:  # noqa: BLE001 - what cannot be read is an error of its pair
        return type(error).__name__


def in_memory(name: str, examples: Iterable[Any], n: int | None = None) -> Examples:
    """Open the first *n* of *examples* that are at hand as dicts.

    Raises BadRecordError for what is no dict, and as `identify` does.
    """
    within = f"data set {name!r}, " if name else ""
    kept = [
        _as_dict(example, f"{within}{_place(index)}") for index, example in enumerate(islice(examples, n))
    ]
    fields = frozenset(field for example in kept for field in example)
    return Examples(name, identify(name, kept, _place, within), kept.__getitem__, fields=fields)


def limit(n: int | None) -> int | None:
    """Return *n*, how many examples are wanted. Raises InvalidValueError unless that is 1 or more."""
    if n is None:
        return None
    if isinstance(n, bool) or not hasattr(n, "__index__") or operator.index(n) < 1:
        raise InvalidValueError("number of examples", n, "a whole number of 1 or more")
    return operator.index(n)


_place = "example {}".format


def _as_dict(example: Any, where: str) -> dict[str, Any]:
    if not hasattr(type(example), "keys"):
        raise BadRecordError(where, f"a {type(example).__name__}, expected a dict")
    return dict(example)


def _draw(name: str, found: ExampleId) -> int:
    content = f"{name}/{found}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest())


def _ranked(ids: Sequence[ExampleId], seed: int) -> list[int]:
    """Return the indexes of *ids* in an order that depends on the seed and each id alone."""

    def rank(index: int) -> bytes:
        return hashlib.blake2b(
            f"{seed}/{ids[index]}".encode("utf-8", "surrogatepass"), digest_size=8
        ).digest()

    return sorted(range(len(ids)), key=rank)
