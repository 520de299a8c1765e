"""The rows of an opened source: counted, and read one at a time or a few columns at a time."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pytest_context_bench.datasets.record import Record
from pytest_context_bench.datasets.spec import Spec
from pytest_context_bench.errors import BadRecordError, brief


class Records(Protocol):
    """Rows in a fixed order."""

    def __len__(self) -> int: ...
    def __getitem__(self, row: int) -> Record: ...
    def only(self, columns: Sequence[str]) -> Iterator[Record]:
        """Yield every row with no more than *columns* of it read."""
        ...


class Source(Protocol):
    """Where the records of a data set come from."""

    @property
    def repo(self) -> str:
        """The repository, or another word for the place."""
        ...

    def open(self, spec: Spec, n: int | None, *, sampled: bool = False, offline: bool = False) -> Records:
        """Return the first *n* records of the config and split of *spec*, or all to sample *n* from.

        Raises ContextBenchError.
        """
        ...


@dataclass(frozen=True)
class Place:
    """What the rows were read from."""

    name: str
    config: str | None = None
    split: str = ""

    def record(self, columns: Mapping[str, Any], row: int) -> Record:
        """Return the record at *row*."""
        return Record(columns, self.where(row), self.config, self.split, row)

    def where(self, row: int) -> str:
        """Word the place of *row*, counted from 0 as the hub's viewer does."""
        return f"data set {self.name!r}{f', split {self.split}' if self.split else ''}, row {row}"


@dataclass(frozen=True)
class Rows:
    """Records that are at hand, as a list of dicts or a mapped table of `datasets`.

    *parse* turns what is stored into the columns of a row.
    """

    rows: Any
    place: Place
    parse: Callable[[Any, str], Mapping[str, Any]] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: int) -> Record:
        found = self.rows[row]
        columns = found if self.parse is None else self.parse(found, self.place.where(row))
        return self.place.record(columns, row)

    def only(self, columns: Sequence[str]) -> Iterator[Record]:
        """Yield every row with no more than *columns* of it read; one that cannot be parsed has none."""
        for row, found in enumerate(self._cut(columns)):
            yield self.place.record(self._parsed(found, row), row)

    def _cut(self, columns: Sequence[str]) -> Any:
        known = getattr(self.rows, "column_names", None)
        if known is None or self.parse is not None:
            return self.rows
        return self.rows.select_columns([column for column in columns if column in known])

    def _parsed(self, found: Any, row: int) -> Mapping[str, Any]:
        if self.parse is None:
            return dict(found)
        try:
            return self.parse(found, self.place.where(row))
        except BadRecordError:
            return {}


def parse_line(found: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """Return the JSON object in *found*, kept as the text it is so that every type survives."""
    try:
        record = json.loads(found["text"])
    except ValueError as error:
        raise BadRecordError(where, f"not JSON ({error})") from error
    if not isinstance(record, dict):
        raise BadRecordError(where, f"{brief(record, 60)}, expected a JSON object")
    return record
