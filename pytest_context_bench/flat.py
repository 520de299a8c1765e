"""Rows laid flat: a column for each field, score and key of metadata that any of them has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pytest_context_bench.rows import ROW_FIELDS, EvalRow

Place: TypeAlias = tuple[str, str]  # of a value in a row: `scores` or `metadata`, and the key there
FIELDS = tuple(name for name in ROW_FIELDS if name not in {"scores", "metadata"})


@dataclass(frozen=True)
class Flat:
    """The names of the columns, and for each row its values by column; what it does not have is left out.

    A score named like a field is in `scores.<key>`, metadata named like either in `metadata.<key>`.
    """

    columns: list[str]
    lines: list[dict[str, Any]]


def flatten(rows: Sequence[EvalRow]) -> Flat:
    """Lay *rows* flat."""
    columns: dict[Place, str] = {("", name): name for name in FIELDS}
    for kind in ("scores", "metadata"):
        columns.update(_columns(kind, rows, set(columns.values())))
    lines = [{columns[at]: value for at, value in _values(row)} for row in rows]
    return Flat(list(columns.values()), lines)


def _columns(kind: str, rows: Sequence[EvalRow], taken: set[str]) -> dict[Place, str]:
    """Name a column for each key that any row has: the same key is the same column in all rows."""
    columns = {}
    for key in dict.fromkeys(key for row in rows for key in getattr(row, kind)):
        name = key if key not in taken else f"{kind}.{key}"
        while name in taken:
            name += "_"
        taken.add(name)
        columns[kind, key] = name
    return columns


def _values(row: EvalRow) -> Iterator[tuple[Place, Any]]:
    yield from ((("", name), getattr(row, name)) for name in FIELDS)
    for kind in ("scores", "metadata"):
        yield from (((kind, key), value) for key, value in getattr(row, kind).items())
