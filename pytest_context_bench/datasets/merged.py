"""Rows that are one record: a source that gives every reference answer a row of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_context_bench.datasets.record import Record
from pytest_context_bench.datasets.records import Records


@dataclass(frozen=True)
class Merged:
    """One record for each of *groups*, rows of *records* that must not differ but in the columns *listed*."""

    records: Records
    groups: Sequence[Sequence[int]]
    listed: Sequence[str]

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, row: int) -> Record:
        first, *others = [self.records[at] for at in self.groups[row]]
        for other in others:
            self._check_same(first, other)
        lists = {name: [record.get(name) for record in (first, *others)] for name in self.listed}
        return replace(first, columns={**first.columns, **lists})

    def only(self, columns: Sequence[str]) -> Iterator[Record]:
        """Yield the first row of every record with no more than *columns* of it read."""
        firsts = {group[0] for group in self.groups}
        return (record for row, record in enumerate(self.records.only(columns)) if row in firsts)

    def _check_same(self, first: Record, other: Record) -> None:
        for name in sorted(first.columns.keys() | other.columns.keys()):
            if name not in self.listed and first.get(name) != other.get(name):
                raise other.problem(f"the same record as row {first.row}, but another {name!r}")


def merged(records: Records, key: str, listed: Sequence[str]) -> Merged:
    """Return *records* with those that have one *key* as one, in the order of their first rows.

    A row without a key stands for itself.
    """
    groups: dict[tuple[str, object], list[int]] = {}
    for row, record in enumerate(records.only([key])):
        found = record.get(key)
        groups.setdefault(("row", row) if found is None else ("key", str(found)), []).append(row)
    return Merged(records, list(groups.values()), listed)
