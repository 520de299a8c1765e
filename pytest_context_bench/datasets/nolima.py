"""NoLiMa as a source: the needles of a set, each with the book that it is to be hidden in."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType
from typing import Any

from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.hub_load import ARRAY
from pytest_context_bench.datasets.record import Record
from pytest_context_bench.datasets.records import Place, Records, Rows
from pytest_context_bench.datasets.spec import Spec

BOOKS = range(1, 6)
DEPTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
CHARACTER = "{CHAR}"
_SETS = {"all": "needle_set", "hard": "needle_set_hard", "direct": "needle_set_ONLYDirect"}
_SIZES = {"250": 250, "500": 500} | {f"{n}k": n * 1000 for n in (1, 2, 4, 8, 16, 32)}
_DEFAULT = "4k"

# A set, a size, or both, as `nolima:hard-16k`: the file of the needles, and the tokens around one.
CONFIGS = MappingProxyType(
    {size: (_SETS["all"], tokens) for size, tokens in _SIZES.items()}
    | {name: (file, _SIZES[_DEFAULT]) for name, file in _SETS.items()}
    | {f"{name}-{size}": (file, tokens) for name, file in _SETS.items() for size, tokens in _SIZES.items()}
)


@dataclass(frozen=True)
class NeedlesInBooks:
    """The needle sets and books of *repo*: one row a needle, question and test."""

    repo: str
    revision: str
    configs: Sequence[str] = tuple(CONFIGS)
    split: str = "test"

    def open(self, spec: Spec, n: int | None, *, sampled: bool = False, offline: bool = False) -> Records:
        """Return all rows, which are few.

        Raises UnknownNameError before any network use, then SourceError and BadRecordError.
        """
        del n, sampled
        config = spec.one_of("config", self.configs, _DEFAULT)
        place = Place(f"{spec.name}:{config}", config, spec.one_of("split", [self.split], self.split))
        file, tokens = CONFIGS[config]
        needles = self._file(spec, f"needlesets/{file}.json", ARRAY, offline=offline)
        books = [self._book(spec, number, offline=offline) for number in BOOKS]
        return Rows([{**row, "tokens": tokens} for row in rows_of(needles, books)], place)

    def _book(self, spec: Spec, number: int, *, offline: bool) -> list[str]:
        lines = self._file(spec, f"haystack/rand_shuffle/rand_book_{number}.txt", None, offline=offline)
        return [record.text("text") for record in lines.only(["text"])]

    def _file(self, spec: Spec, path: str, form: str | None, *, offline: bool) -> Records:
        source = Hub(self.repo, path, split=self.split, revision=self.revision, form=form)
        return source.open(Spec(spec.name), None, offline=offline)


def rows_of(needles: Records, books: Sequence[list[str]]) -> Iterator[dict[str, Any]]:
    """Yield the needles with their books and depths: in turn, so that each book meets every depth."""
    place = count()
    for row in range(len(needles)):
        for kind, test, needle in _variants(needles[row]):
            turn = next(place)
            book, depth = turn % len(books), DEPTHS[turn // len(books) % len(DEPTHS)]
            found = f"{needles[row].text('id')}-{kind}-{test}-book{book + 1}-{depth:g}"
            yield {"id": found, **needle, "book": books[book], "depth": depth}


def _variants(entry: Record) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the kind of question, the test and the filled-in texts of each variant of a needle."""
    questions, tests = entry.part("questions"), entry.part("tests")
    for kind in questions.columns:
        for test in tests.columns:
            yield kind, test, _filled(entry, questions.text(kind), test, tests.part(test))


def _filled(entry: Record, question: str, name: str, test: Record) -> dict[str, Any]:
    needle = entry.text("needle")
    for number, argument in enumerate(test.texts("input_args"), start=1):
        slot = f"{{{number}}}"
        needle, question = needle.replace(slot, argument), question.replace(slot, argument)
    if CHARACTER not in needle:
        return {"needle": needle, "question": question, "answer": test.texts("gold_answers")}
    who = _drawn(entry.texts("character_set"), f"{entry.text('id')}/{name}")
    return {
        "needle": needle.replace(CHARACTER, who),
        "question": question.replace(CHARACTER, who),
        "answer": [who],
    }


def _drawn(names: Sequence[str], seed: str) -> str:
    digest = hashlib.blake2b(seed.encode(), digest_size=8).digest()
    return names[int.from_bytes(digest, "big") % len(names)]
