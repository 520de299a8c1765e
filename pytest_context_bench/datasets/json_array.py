"""Finds the objects of a JSON array by their ends alone, so that each is read only when it is asked for."""

import mmap
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from pytest_context_bench.datasets import json_text
from pytest_context_bench.errors import ContextBenchError

_READ_FIRST = 1 << 20  # bytes; twice as much each time that is not enough
# A string, to the end of what there is if it is cut; what repeats gives nothing back: long ones are quick.
_PART = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
_END = re.compile(rb"\s*\]\s*\Z")
_EMPTY = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*\]\s*\Z")


class Readable(Protocol):
    """A file opened for reading bytes."""

    def read(self, size: int, /) -> bytes:
        """Return at most *size* bytes, none at the end."""
        ...


class NoArrayError(ContextBenchError):
    """Content that is not one whole JSON array."""


@dataclass(frozen=True)
class JsonArray:
    """The objects of an array, each as the text it is; *spans* are their places in *content*."""

    content: Any
    spans: Sequence[tuple[int, int]]

    @classmethod
    def of_file(cls, path: Path) -> "JsonArray":
        """Map the array in the file at *path*. Raises NoArrayError where it is none, or is cut."""
        if not path.stat().st_size:
            raise NoArrayError("an empty file, expected a JSON array")
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        spans = list(entries(content))
        if not (_END.match(content, spans[-1][1]) if spans else _EMPTY.match(content)):
            raise NoArrayError("not a whole JSON array of objects")
        return cls(content, spans)

    @classmethod
    def first(cls, n: int, file: Readable) -> "JsonArray":
        """Return the first *n* objects of the array in *file*; at most about twice that is read."""
        content, size = b"", _READ_FIRST
        while True:
            read = file.read(size)
            content += read
            spans = list(islice(entries(content), n))
            if len(spans) == n or not read:
                return cls(content, spans)
            size = len(content)

    def __len__(self) -> int:
        return len(self.spans)

    def __getitem__(self, index: int) -> dict[str, str]:
        start, end = self.spans[index]
        return {"text": self.content[start:end].decode("utf-8", "replace")}

    def select(self, indexes: range) -> "JsonArray":
        """Return the objects at *indexes* alone."""
        return JsonArray(self.content, [self.spans[index] for index in indexes])


def entries(content: bytes | mmap.mmap) -> Iterator[tuple[int, int]]:
    """Yield where each object of the array in *content* begins and ends; one that is cut is left out.

    Raises NoArrayError where *content* begins with anything but an array.
    """
    start, depth = 0, 0
    for part in _PART.finditer(content):
        mark = part[0]
        if mark in {b"{", b"["}:
            depth += 1
            if depth == 1:
                _check_opens(content, part.start())
            elif depth == 2:  # noqa: PLR2004 - the array, and an object in it
                start = part.start()
        elif mark in {b"}", b"]"}:
            depth -= 1
            if depth == 1:
                yield start, part.end()


def _check_opens(content: bytes | mmap.mmap, at: int) -> None:
    if content[at : at + 1] != b"[" or not json_text.is_blank(content[:at]):
        raise NoArrayError("not a JSON array")
