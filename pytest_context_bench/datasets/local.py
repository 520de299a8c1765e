"""Data sets in local files: JSON lines, a JSON array, either of them gzipped.

A file of JSON lines is read once for ids and positions; each example is read again when it is asked for,
so that a large file costs little memory. Any other form is spooled to such a file first.
"""

import gzip
import json
import tempfile
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from pytest_context_bench.datasets.examples import Examples, example_id, identify
from pytest_context_bench.errors import BadRecordError
from pytest_context_bench.protocols import ExampleId

SUFFIXES = (".jsonl", ".json", ".ndjson", ".jsonl.gz", ".json.gz", ".ndjson.gz")
_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_LFS_POINTER = b"version https://git-lfs"


def is_path(name: str) -> bool:
    """Whether the data set *name* is that of a file."""
    return name.lower().endswith(SUFFIXES)


def load_jsonl(path: str | Path, n: int | None = None) -> list[dict[str, Any]]:
    """Load the first *n* examples of a file of JSON lines or a JSON array; each gets an `id` if it has none.

    Raises BadRecordError, naming `file:line`, DuplicateExampleError and EmptyDatasetError.
    """
    examples = open_local(path, n)
    return [{**examples.fetch(index), "id": found} for index, found in enumerate(examples.ids)]


def open_local(path: str | Path, n: int | None = None) -> Examples:
    """Open the first *n* examples of a file; raises as `load_jsonl` does."""
    file = _open(Path(path))
    index = _Index(file)
    ids = identify(stem(path), islice(index.ids(), n), index.where)
    return Examples(stem(path), ids, index.read)


def stem(path: str | Path) -> str:
    """Return the name of the data set in the file *path*."""
    name = Path(path).name
    suffix = next((known for known in sorted(SUFFIXES, key=len)[::-1] if name.lower().endswith(known)), "")
    return name.removesuffix(name[len(name) - len(suffix) :]) if suffix else name


@dataclass(frozen=True)
class _File:
    """A file of JSON lines: *path* as the user named it, *lines* as it is read, *spool* if that is a copy."""

    path: Path
    lines: Path
    spool: Any = None
    unit: str = ""

    def where(self, number: int) -> str:
        """Word the place of the record *number*, counted from 1."""
        return f"{self.path}:{number}" if not self.unit else f"{self.path}: {self.unit} {number}"


@dataclass(frozen=True)
class _Index:
    """Where the examples of a file stand: 16 bytes each, whatever their length."""

    file: _File
    offsets: "array[int]" = field(default_factory=lambda: array("q"))
    numbers: "array[int]" = field(default_factory=lambda: array("q"))

    def ids(self) -> Iterator[ExampleId]:
        """Read the file through, note where each example stands, and yield its id."""
        offset = 0
        with self.file.lines.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip(b"\xef\xbb\xbf \t\r\n\v\f"):
                    self.offsets.append(offset)
                    self.numbers.append(number)
                    where = self.file.where(number)
                    yield example_id(_parse(line, where), where)
                offset += len(line)

    def where(self, index: int) -> str:
        """Word the place of the example at *index*."""
        return self.file.where(self.numbers[index])

    def read(self, index: int) -> dict[str, Any]:
        """Read the example at *index*."""
        with self.file.lines.open("rb") as lines:
            lines.seek(self.offsets[index])
            return _parse(lines.readline(), self.where(index))


def _parse(line: bytes, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line.removeprefix(_BOM).decode())
    except UnicodeDecodeError as error:
        raise BadRecordError(where, f"not UTF-8 text ({error.reason} at byte {error.start})") from error
    except (ValueError, RecursionError) as error:
        raise BadRecordError(where, f"not JSON on one line ({error})") from error
    if not isinstance(record, dict):
        raise BadRecordError(where, f"a JSON {type(record).__name__}, expected an object")
    return record


def _open(path: Path) -> _File:
    try:
        with path.open("rb") as file:
            start = file.read(64)
        if start.startswith(_LFS_POINTER):
            raise BadRecordError(str(path), "a Git LFS pointer, not the data: run `git lfs pull`")
        if start.startswith(_GZIP):
            return _unpacked(path)
        return _spooled_array(path) if _is_array(start) else _File(path, path)
    except FileNotFoundError as error:
        raise BadRecordError(str(path), f"no such file{_similar(path)}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise BadRecordError(str(path), f"cannot be read ({error})") from error


def _is_array(start: bytes) -> bool:
    return start.removeprefix(_BOM).lstrip().startswith(b"[")


def _spooled_array(path: Path, unpacked: BinaryIO | gzip.GzipFile | None = None) -> _File:
    try:
        with unpacked or path.open("rb") as file:
            records = json.loads(file.read().removeprefix(_BOM))
    except (ValueError, RecursionError) as error:
        raise BadRecordError(str(path), f"not a JSON array ({error})") from error
    lines = (json.dumps(record).encode() + b"\n" for record in records)
    return _spool(path, lines, unit="item")


def _unpacked(path: Path) -> _File:
    with gzip.open(path) as file:
        if _is_array(file.read(64)):
            file.seek(0)
            return _spooled_array(path, file)
        file.seek(0)
        return _spool(path, file)


def _spool(path: Path, lines: Any, unit: str = "") -> _File:
    spool = tempfile.NamedTemporaryFile(prefix="context-bench-", suffix=".jsonl")  # noqa: SIM115 - lives as long as the data set
    spool.writelines(lines)
    spool.flush()
    return _File(path, Path(spool.name), spool, unit)


def _similar(path: Path) -> str:
    from difflib import get_close_matches

    folder = path.parent
    names = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
    close = get_close_matches(path.name, names, n=1)
    return f": did you mean {str(folder / close[0])!r}?" if close else ""
