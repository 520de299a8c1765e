"""A data set whose configs are read one by one, or all of them as one."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.record import Record
from pytest_context_bench.datasets.records import Records
from pytest_context_bench.datasets.spec import Spec


@dataclass(frozen=True)
class Together:
    """The configs of *hub*, in their order one after the other unless one is named; *name* is that of all.

    The rows of all are numbered on from config to config; each record knows its own config.
    """

    hub: Hub
    name: str = "all"

    @property
    def repo(self) -> str:
        """The repository on the hub."""
        return self.hub.repo

    @property
    def where(self) -> str:
        """The same, as users are told."""
        return self.hub.repo

    def open(self, spec: Spec, n: int | None, *, sampled: bool = False, offline: bool = False) -> Records:
        """Open the first *n* records, or all to sample *n* from; raises as Hub.open does.

        Configs beyond the first *n* records are not asked for.
        """
        if spec.one_of("config", (self.name, *self.hub.configs), self.name) != self.name:
            return self.hub.open(spec, n, sampled=sampled, offline=offline)
        parts: list[Records] = []
        left = None if sampled else n
        for config in self.hub.configs:
            part = self.hub.open(replace(spec, config=config), left, sampled=sampled, offline=offline)
            parts.append(part)
            if left is not None:
                left -= len(part)
                if left <= 0:
                    break
        return _Joined(parts)


@dataclass(frozen=True)
class _Joined:
    parts: Sequence[Records]

    @cached_property
    def starts(self) -> list[int]:
        """The row at which each part starts, and at which the next one would."""
        return [0, *accumulate(map(len, self.parts))]

    def __len__(self) -> int:
        return self.starts[-1]

    def __getitem__(self, row: int) -> Record:
        index = bisect_right(self.starts, row) - 1
        return replace(self.parts[index][row - self.starts[index]], row=row)

    def only(self, columns: Sequence[str]) -> Iterator[Record]:
        records = (record for part in self.parts for record in part.only(columns))
        return (replace(record, row=row) for row, record in enumerate(records))
