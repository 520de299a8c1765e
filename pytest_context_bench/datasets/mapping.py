"""From records to examples: declared as templates, or as plain functions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from string import Formatter
from typing import Any, TypeAlias

from pytest_context_bench.datasets.ids import example_id, identify, numbered
from pytest_context_bench.datasets.record import Record, distinct
from pytest_context_bench.datasets.records import Records
from pytest_context_bench.errors import ContextBenchError
from pytest_context_bench.protocols import Example, ExampleId

Reader: TypeAlias = Callable[[Record], Example | Sequence[Example]]
Field: TypeAlias = str | Callable[[Record], Any]


@dataclass(frozen=True)
class Map:
    """How records become examples: *read* gives one, or none or many of them where *many* says so.

    *id* is a template of the id, as `{task_id}`; without it the row's number is the id. Of many examples
    of a record, one without an id of its own gets the record's and its place among them. Where ids of the
    source come again, as *repeated* says, each but the first has its number: `q7`, `q7-2`.
    """

    read: Reader
    id: str | None = None
    many: bool = False
    repeated: bool = False

    def examples(self, record: Record) -> list[dict[str, Any]]:
        """Return the examples of *record*, each with an id. Raises BadRecordError, naming row and column."""
        found = self._id(record)
        try:
            read = self.read(record)
        except ContextBenchError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise record.problem(f"cannot be read as an example ({type(error).__name__}: {error})") from error
        if isinstance(read, Sequence):
            return [{"id": f"{found}-{index}", **example} for index, example in enumerate(read)]
        return [{**read, "id": found}]

    def places(self, records: Records) -> Iterator[tuple[ExampleId, int, int]]:
        """Yield the id of each example, the row of its record and its place among that record's.

        No more is read than that takes. A record that cannot be read stands for one example, which fails.
        """
        if self.many:
            for row in range(len(records)):
                yield from ((found, row, place) for place, found in enumerate(self._ids(records, row)))
        elif self.id is None:
            yield from ((row, row, 0) for row in range(len(records)))
        else:
            ids = map(self._id_or_row, records.only(columns_of(self.id)))
            told_apart = numbered(ids) if self.repeated else ids
            yield from ((found, row, 0) for row, found in enumerate(told_apart))

    def _ids(self, records: Records, row: int) -> list[ExampleId]:
        try:
            return [example["id"] for example in self.examples(records[row])]
        except ContextBenchError:
            return [f"row {row}"]

    def _id(self, record: Record) -> ExampleId:
        if self.id is None:
            return record.row
        name = self.id[1:-1]
        if columns_of(self.id) == [name]:  # of one column alone: whatever type it is
            return example_id({"id": record.value(name)}, f"{record.where}, column {name!r}")
        return fill(self.id, record)

    def _id_or_row(self, record: Record) -> ExampleId:
        try:
            return self._id(record)
        except ContextBenchError:
            return f"row {record.row}"


def template(*, id: str | None = None, **fields: Field) -> Map:  # noqa: A002 - the field of an example
    """Map a record to one example: each field a text with `{columns}` in it, or a function of the record."""

    def read(record: Record) -> Example:
        return {
            name: fill(field, record) if isinstance(field, str) else field(record)
            for name, field in fields.items()
        }

    return Map(read, id)


def fill(text: str, record: Record) -> str:
    """Return *text* with the columns that it names, each text or a number."""
    return "".join(
        literal + (record.shown(column) if column is not None else "")
        for literal, column, _, _ in Formatter().parse(text)
    )


def columns_of(text: str) -> list[str]:
    """Return the columns that *text* names."""
    return [column for _, column, _, _ in Formatter().parse(text) if column is not None]


def golds(*columns: str) -> Callable[[Record], list[str]]:
    """Return what reads the gold answers in *columns*, each a text or a list of texts, without repetitions.

    A column after the first may be null.
    """

    def read(record: Record) -> list[str]:
        found = [record.value(columns[0]), *(record.get(column) for column in columns[1:])]
        named = [column for column, value in zip(columns, found, strict=True) if value is not None]
        return distinct(text for column in named for text in _texts(record, column))

    return read


def column(name: str) -> Callable[[Record], Any]:
    """Return what reads the column *name* as it is; not null."""
    return lambda record: record.value(name)


def identified(
    name: str, records: Records, mapping: Map, n: int | None
) -> tuple[list[ExampleId], Callable[[int], Example]]:
    """Return the ids of the first *n* examples of *records*, and what reads the one at an index."""
    places = list(islice(mapping.places(records), n))
    ids = identify(name, ({"id": found} for found, _, _ in places), lambda index: f"row {places[index][1]}")

    def fetch(index: int) -> Example:
        _, row, place = places[index]
        return mapping.examples(records[row])[place]

    return ids, fetch


def _texts(record: Record, name: str) -> list[str]:
    return record.texts(name) if isinstance(record.value(name), list) else [record.text(name)]
