"""Outlines JSON: the records of an array, the members of an object, such that what is kept is JSON again."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_context_bench.systems.outline.prose import FULL_STOPS, sentences
from pytest_context_bench.systems.outline.unit import Unit, close

DEEPEST = 8
_SPACE = re.compile(r"[ \t\r\n]*+")
_scan = json.JSONDecoder().raw_decode


@dataclass(frozen=True)
class Value:
    """A JSON value from *start* to *end*, of which *key* is where the key before it starts, if it has one."""

    key: int
    start: int
    end: int


@dataclass(frozen=True)
class Members:
    """Takes a JSON text apart: what has more than *largest* characters into its members or sentences.

    The records of an array stay whole, unless all of them are that large.
    """

    text: str
    largest: int
    units: list[Unit] = field(default_factory=list)

    def add(self, value: Value, block: int, needs: tuple[int, ...] = (), joint: str = "") -> None:
        """Add the units of *value*, which stays whole if it is small, a number or deep down."""
        kind = self.text[value.start]
        if self._is_small(value) or kind not in '[{"' or len(needs) == DEEPEST:
            self.units.append(Unit(value.key, value.end, block, needs[-1:], joint=joint))
            return
        frame = len(self.units)
        opening = Unit(value.key, value.start + 1, block, needs[-1:], is_frame=True, joint=joint, opens=True)
        self.units.append(opening)
        if kind == '"':
            spans = _sentences(self.text, value.start + 1, value.end - 1)
            self.units.extend(Unit(*span, block, (frame,)) for span in spans)
        else:
            members = list(_members(self.text, value.start))
            self._add_members(members, block, (*needs, frame), is_array=kind == "[")
        close(self.units, frame, value.end - 1, value.end)

    def _add_members(
        self, members: list[Value], block: int, needs: tuple[int, ...], *, is_array: bool
    ) -> None:
        if is_array and any(map(self._is_small, members)):
            records = enumerate(members, len(self.units))
            self.units.extend(
                Unit(each.key, each.end, block, needs[-1:], joint=",") for block, each in records
            )
        else:
            for member in members:
                self.add(member, len(self.units) if is_array else block, needs, ",")

    def _is_small(self, value: Value) -> bool:
        return value.end - value.key <= self.largest


def json_members(text: str, largest: int) -> list[Unit]:
    """Outline *text*; nothing if it is no JSON array or object."""
    start = _after_space(text, 0)
    if text[start : start + 1] not in ("[", "{"):
        return []
    try:
        end = _scan(text, start)[1]
    except (ValueError, RecursionError):
        return []
    if _after_space(text, end) < len(text):
        return []
    members = Members(text, largest)
    members.add(Value(start, start, end), 0)
    return members.units


def _members(text: str, start: int) -> Iterator[Value]:
    """Yield the members of the array or object at *start*."""
    position = _after_space(text, start + 1)
    while text[position] not in "]}":
        key = value = position
        if text[start] == "{":
            colon = _after_space(text, _scan(text, key)[1])
            value = _after_space(text, colon + 1)
        end = _scan(text, value)[1]
        yield Value(key, value, end)
        position = _after_space(text, end)
        if text[position] == ",":
            position = _after_space(text, position + 1)


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the sentences of a string, cut only where no escape can be: at spaces and full stops."""
    spans: list[tuple[int, int]] = []
    for first, last in sentences(text, start, end):
        if spans and spans[-1][1] == first and text[first - 1] not in FULL_STOPS:
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
    return spans


def _after_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position
