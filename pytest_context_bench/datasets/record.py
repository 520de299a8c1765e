"""One row of a source: its columns are read by type, and what is not as expected is named."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pytest_context_bench.errors import BadRecordError, brief, nearest

_T = TypeVar("_T")


@dataclass(frozen=True)
class Record:
    """The columns of a row; *where* words its place, *path* leads to it where it is nested in another.

    *config*, *split* and *row* are those it was read from. All readers raise BadRecordError.
    """

    columns: Mapping[str, Any]
    where: str
    config: str | None = None
    split: str = ""
    row: int = 0
    path: str = ""

    def get(self, column: str) -> Any:
        """Return what is in *column*, null where there is no such column."""
        return self.columns.get(column)

    def value(self, column: str) -> Any:
        """Return what is in *column*, which is not null."""
        if column not in self.columns:
            raise self.problem(f"no column {self.path + column!r}: {nearest(column, self.columns)}")
        found = self.columns[column]
        if found is None:
            raise self._unlike(column, None, "a value")
        return found

    def text(self, column: str) -> str:
        """Return the text in *column*."""
        return self._checked(column, str, "text")

    def whole(self, column: str) -> int:
        """Return the whole number in *column*."""
        return self._checked(column, int, "a whole number")

    def flag(self, column: str) -> bool:
        """Return the boolean in *column*."""
        return self._checked(column, bool, "true or false")

    def shown(self, column: str) -> str:
        """Return the text or number in *column*, as text."""
        found = self.value(column)
        if isinstance(found, bool) or not isinstance(found, str | int | float):
            raise self._unlike(column, found, "text or a number")
        return str(found)

    def values(self, column: str) -> list[Any]:
        """Return the list in *column*."""
        return list(self._checked(column, list, "a list"))

    def texts(self, column: str) -> list[str]:
        """Return the list of texts in *column*."""
        found = self.values(column)
        if not all(isinstance(entry, str) for entry in found):
            raise self._unlike(column, found, "a list of texts")
        return found

    def part(self, column: str) -> "Record":
        """Return the record within *column*."""
        return self._nested(self._checked(column, Mapping, "a record"), column)  # type: ignore[type-abstract]  # only isinstance uses it

    def parts(self, column: str) -> list["Record"]:
        """Return the records within *column*: a list of them, or a record of lists of one length."""
        found = self.value(column)
        rows = self._rows(column, found) if isinstance(found, Mapping) else found
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            raise self._unlike(column, found, "a list of records")
        return [self._nested(row, f"{column}[{index}]") for index, row in enumerate(rows)]

    def problem(self, words: str) -> BadRecordError:
        """Return the error that says *words* of this row."""
        return BadRecordError(self.where, words)

    def _rows(self, column: str, found: Mapping[str, Any]) -> list[dict[str, Any]]:
        lists = list(found.values())
        if not all(isinstance(one, list) and len(one) == len(lists[0]) for one in lists):
            raise self._unlike(column, found, "a list of records")
        return [dict(zip(found, row, strict=True)) for row in zip(*lists, strict=True)]

    def _nested(self, columns: Mapping[str, Any], column: str) -> "Record":
        return replace(self, columns=columns, path=f"{self.path}{column}.")

    def _checked(self, column: str, kind: type[_T], expected: str) -> _T:
        found = self.value(column)
        if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
            raise self._unlike(column, found, expected)
        return found

    def _unlike(self, column: str, found: Any, expected: str) -> BadRecordError:
        given = "null" if found is None else brief(found, 60)
        return self.problem(f"column {self.path + column!r} is {given}, expected {expected}")


def distinct(texts: Iterable[str]) -> list[str]:
    """Return *texts* without repetitions, in their order."""
    return list(dict.fromkeys(texts))
