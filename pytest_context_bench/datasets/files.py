"""Opens a file of examples in any of its forms as one of JSON lines."""

import gzip
import json
import os
import tempfile
import weakref
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pytest_context_bench.datasets import json_text
from pytest_context_bench.errors import BadRecordError

_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 16
_POINTERS: Mapping[bytes, str] = {
    b"version https://git-lfs": "a Git LFS pointer, not the data: run `git lfs pull`",
    b"version https://hawser": "a Git LFS pointer, not the data: run `git lfs pull`",
    b"/annex/objects/": "a git-annex pointer, not the data: run `git annex get`",
}


@dataclass(frozen=True)
class JsonLines:
    """A file of JSON lines: *path* as the user named it, *lines* where they are read.

    They are elsewhere where *path* is packed, or an array: then *unit* is what a line of them is of it.
    """

    path: Path
    lines: Path
    unit: str = ""

    def where(self, number: int) -> str:
        """Word the place of the line *number*, counted from 1."""
        return f"{self.path}: {self.unit} {number}" if self.unit else f"{self.path}:{number}"


def open_lines(path: Path) -> JsonLines:
    """Open the file at *path*. Raises BadRecordError where it is none, or holds no lines of text."""
    try:
        if not path.is_file() and path.exists():
            raise BadRecordError(
                str(path), "a folder, expected a file" if path.is_dir() else "not a plain file"
            )
        return _open(path)
    except FileNotFoundError as error:
        raise BadRecordError(str(path), f"no such file{_nearest(path)}") from error
    except (OSError, EOFError, zlib.error, ValueError) as error:  # a path can hold a NUL: a ValueError
        reason = getattr(error, "strerror", None) or error
        raise BadRecordError(str(path), f"cannot be read ({reason})") from error


def _open(path: Path) -> JsonLines:
    with path.open("rb") as file:
        start = file.read(64)
    for pointer, problem in _POINTERS.items():
        if start.startswith(pointer):
            raise BadRecordError(str(path), problem)
    packed = start.startswith(_GZIP)
    with gzip.open(path) if packed else path.open("rb") as content:
        if _is_array(content):
            return _spooled(path, _lines_of_array(content.read(), path), unit="item")
        return _spooled(path, _chunks(content)) if packed else JsonLines(path, path.absolute())


def _is_array(content: BinaryIO | gzip.GzipFile) -> bool:
    """Whether the first byte of *content* that is not blank opens an array; go back to its start."""
    first = next((chunk for chunk in _chunks(content) if not json_text.is_blank(chunk)), b"")
    content.seek(0)
    return first.removeprefix(json_text.BOM).lstrip().startswith(b"[")


def _chunks(content: BinaryIO | gzip.GzipFile) -> Iterator[bytes]:
    return iter(lambda: content.read(_CHUNK), b"")


def _lines_of_array(content: bytes, path: Path) -> Iterator[bytes]:
    """Yield each entry of the array in *content* as a line. Raises BadRecordError."""
    entries: list[Any] = json_text.read(content, JsonLines(path, path).where)
    for number, entry in enumerate(entries, start=1):
        try:
            yield json.dumps(entry).encode() + b"\n"
        except RecursionError as error:
            raise BadRecordError(f"{path}: item {number}", f"cannot be read ({error})") from error


def _spooled(path: Path, content: Iterable[bytes], unit: str = "") -> JsonLines:
    """Return *content* as lines in a file that is there as long as what reads them."""
    handle, name = tempfile.mkstemp(prefix="context-bench-", suffix=".jsonl")
    spool = JsonLines(path, Path(name), unit)
    weakref.finalize(spool, spool.lines.unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as file:
        file.writelines(content)
    return spool


def _nearest(path: Path) -> str:
    """Word which file may have been meant instead of *path*."""
    from difflib import get_close_matches

    folder = path.parent
    if not folder.is_dir():
        return f": there is no folder {str(folder)!r}"
    try:
        names = {entry.name.lower(): entry.name for entry in sorted(folder.iterdir()) if entry.is_file()}
    except OSError:  # a folder that may not be listed
        return ""
    close = get_close_matches(path.name.lower(), names, n=1)
    return f": did you mean {str(folder / names[close[0]])!r}?" if close else ""
