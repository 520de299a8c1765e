"""Finds the calls in the text of a reply: JSON or code, alone, fenced, or among prose."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pytest_context_bench.scoring.fences import fenced
from pytest_context_bench.scoring.thoughts import without_thoughts
from pytest_context_bench.scoring.tool_calls.call import Call, api_name
from pytest_context_bench.scoring.tool_calls.call_text import calls_as_code, read_list
from pytest_context_bench.scoring.tool_calls.prose import (
    JSON_OPENING,
    LIST_OPENING,
    SLOWER,
    find_calls,
    json_at,
)
from pytest_context_bench.scoring.tool_calls.scanner import NotReadableError, Scanner
from pytest_context_bench.scoring.tool_calls.structures import calls_in

_LONGEST = 50_000  # characters of code or prose: what is longer is no call, or ends with one
_TAG = re.compile(r"</?[|\w]{1,30}>")
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_MARKS = re.compile(r"^\s*(?:(?:[-*•]|\d{1,3}[.)])\s+)?`*+|`++\s*$")


@dataclass(frozen=True)
class Reading:
    """How replies are read: the *names* of the functions, and whether code gives the *sources* of values."""

    names: frozenset[str]
    sources: bool = False

    @classmethod
    def of(cls, names: Collection[str], *, sources: bool = False) -> "Reading":
        """Return the reading of replies that may call the functions of these *names*."""
        return cls(frozenset(map(api_name, names)), sources)

    def calls(self, reply: str) -> list[Call]:
        """Return the calls in *reply*: those that it is, else those of its fences, else those in its prose.

        In prose, code is read as calls only of functions that there are.
        """
        text = without_thoughts(reply).strip()
        blocks = [block.code for block in fenced(text)]
        end = text[-_LONGEST:]
        return (
            self._whole(text)
            or [call for block in blocks for call in self._whole(block)]
            or find_calls(end, JSON_OPENING, self._json_at)
            or find_calls(end, LIST_OPENING, self._list_at)
            or self._lines_among(_TAG.sub("\n", end))
        )

    def _whole(self, text: str) -> list[Call]:
        try:
            return calls_in(json.loads(text), self.names)
        except (ValueError, RecursionError):
            return calls_as_code(text, sources=self.sources) if len(text) <= _LONGEST else []

    def _json_at(self, text: str, start: int) -> tuple[list[Call], int]:
        value, end = json_at(text, start)
        return calls_in(value, self.names), end

    def _list_at(self, text: str, start: int) -> tuple[list[Call], int]:
        scanner = Scanner(text, start)
        try:
            return self._known(read_list(scanner, sources=self.sources)), scanner.place
        except NotReadableError as error:
            return [], start + SLOWER * (error.place - start)

    def _lines_among(self, text: str) -> list[Call]:
        return [call for part in self._parts(text) for call in self._known(part)]

    def _parts(self, text: str) -> Iterator[list[Call]]:
        """Yield the calls of each paragraph that consists of such, and of each line of the others."""
        for paragraph in _PARAGRAPHS.split(text):
            if calls := calls_as_code(_MARKS.sub("", paragraph), sources=self.sources):
                yield calls
            else:
                for line in paragraph.split("\n"):
                    yield calls_as_code(_MARKS.sub("", line), sources=self.sources)

    def _known(self, calls: list[Call]) -> list[Call]:
        return [call for call in calls if not self.names or api_name(call.name) in self.names]
