"""Sees what is in a cache, and takes out what is old."""

import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pytest_context_bench.cache.store import TABLES, connected

DAY = 86_400
_COUNTS = (
    "SELECT name, count(*), sum(length(CAST(content AS BLOB))), min(made), max(made) FROM {} "
    "GROUP BY name ORDER BY name"
)


@dataclass(frozen=True)
class Kept:
    """What is kept of one system's outputs or one evaluator's scores; ages are in days."""

    kind: str
    name: str
    entries: int
    bytes: int
    oldest: float
    newest: float


def stats(folder: Path) -> list[Kept]:
    """Return what the cache in *folder* holds, by kind and name. Raises CacheError."""
    now = time.time()
    with closing(connected(folder)) as connection:
        found = [(table, *row) for table in TABLES for row in connection.execute(_COUNTS.format(table))]
    return [
        Kept(kind, name, entries, size, (now - oldest) / DAY, (now - newest) / DAY)
        for kind, name, entries, size, oldest, newest in found
    ]


def prune(folder: Path, older_than: float | None = None, name: str | None = None) -> int:
    """Take out what is older than so many days, or of *name*, or both where both are given.

    Returns how many entries that were; the file shrinks. Raises CacheError.
    """
    conditions: list[tuple[str, float | str]] = []
    if older_than is not None:
        conditions.append(("made < ?", time.time() - older_than * DAY))
    if name is not None:
        conditions.append(("name = ?", name))
    where = " AND ".join(condition for condition, _ in conditions) or "1"
    values = [value for _, value in conditions]
    with closing(connected(folder)) as connection:
        taken = [
            connection.execute(f"DELETE FROM {table} WHERE {where}", values).rowcount  # noqa: S608 - our own
            for table in TABLES
        ]
        connection.execute("VACUUM")
    return sum(taken)
