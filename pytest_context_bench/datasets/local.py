"""Data sets in local files: JSON lines, a JSON array, either of them gzipped.

A file of JSON lines is read once for ids and positions; each example is read again when it is asked for,
so that a large file costs little memory. Any other form is spooled to such a file first.
"""

import os
import zlib
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from pytest_context_bench.datasets.examples import Examples, limit
from pytest_context_bench.datasets.files import JsonLines, open_lines
from pytest_context_bench.datasets.ids import identify
from pytest_context_bench.datasets.json_text import is_blank, read_line
from pytest_context_bench.errors import BadRecordError

SUFFIXES = (".jsonl", ".json", ".ndjson", ".jsonl.gz", ".json.gz", ".ndjson.gz")


def is_path(name: str) -> bool:
    """Whether the data set *name* is that of a file."""
    return name.lower().endswith(SUFFIXES)


def load_jsonl(path: str | Path, n: int | None = None) -> list[dict[str, Any]]:
    """Load the first *n* examples of a file of JSON lines or a JSON array; each gets an `id` if it has none.

    Raises BadRecordError, naming `file:line`, DuplicateExampleError and EmptyDatasetError.
    """
    examples = open_local(path, n)
    return [{**examples.fetch(index), "id": found} for index, found in enumerate(examples.ids)]


def open_local(path: str | Path, n: int | None = None, name: str = "") -> Examples:
    """Open the first *n* examples of a file, under its own name or *name*; raises as `load_jsonl` does."""
    index = _Index(open_lines(Path(path)))
    name = name or stem(path)
    fields: set[str] = set()
    records = _noting(islice(index.records(), limit(n)), fields)
    ids = identify(name, records, index.where)
    return Examples(name, ids, index.read, fields=frozenset(fields))


def _noting(records: Iterable[dict[str, Any]], fields: set[str]) -> Iterator[dict[str, Any]]:
    """Yield *records*, and note their *fields*."""
    for record in records:
        fields.update(record)
        yield record


def stem(path: str | Path) -> str:
    """Return the name of the data set in the file *path*, read as UTF-8 whatever the locale."""
    name = os.fsencode(Path(path).name).decode("utf-8", "surrogateescape")
    longest = max((len(suffix) for suffix in SUFFIXES if name.lower().endswith(suffix)), default=0)
    return name[: len(name) - longest] or name


@dataclass(frozen=True)
class _Index:
    """Where the examples of a file stand, and a checksum of each: 20 bytes, whatever their length."""

    file: JsonLines
    offsets: "array[int]" = field(default_factory=lambda: array("q"))
    numbers: "array[int]" = field(default_factory=lambda: array("q"))
    checksums: "array[int]" = field(default_factory=lambda: array("I"))

    def records(self) -> Iterator[dict[str, Any]]:
        """Read the file through, note where each example stands, and yield it."""
        offset = 0
        with self.file.lines.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not is_blank(line):
                    self.offsets.append(offset)
                    self.numbers.append(number)
                    self.checksums.append(_checksum(line))
                    yield read_line(line, self.file.where(number))
                offset += len(line)

    def where(self, index: int) -> str:
        """Word the place of the example at *index*."""
        return self.file.where(self.numbers[index])

    def read(self, index: int) -> dict[str, Any]:
        """Read the example at *index*. Raises BadRecordError if it is another than at first."""
        try:
            with self.file.lines.open("rb") as lines:
                lines.seek(self.offsets[index])
                line = lines.readline()
        except OSError as error:
            raise BadRecordError(self.where(index), f"cannot be read again ({error.strerror})") from error
        if _checksum(line) != self.checksums[index]:
            raise BadRecordError(self.where(index), "changed since the run began")
        return read_line(line, self.where(index))


def _checksum(line: bytes) -> int:
    return zlib.crc32(line.rstrip(b"\r\n"))  # the last line may get its line feed with what is appended
