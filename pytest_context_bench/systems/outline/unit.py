"""The parts a text is made of, for systems that keep some of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

TAB = 8


@dataclass(frozen=True)
class Unit:
    """A part of a text, from *start* to *end*, that is kept or left out as a whole.

    With it go the units it *needs* (by position: its title, header, brackets); a frame is kept for others
    only. Units of one *block* belong together. A *joint* stands before the unit, but after one that *opens*.
    """

    start: int
    end: int
    block: int = 0
    needs: tuple[int, ...] = ()
    is_frame: bool = False
    joint: str = ""
    opens: bool = False


@dataclass(frozen=True)
class Line:
    """A line that is not blank, without the white space after it."""

    text: str
    start: int
    follows_blank: bool

    @property
    def end(self) -> int:
        """Where it ends in the whole text."""
        return self.start + len(self.text)

    @property
    def indent(self) -> int:
        """The columns before its first character."""
        expanded = self.text.expandtabs(TAB)
        return len(expanded) - len(expanded.lstrip())


def lines(text: str) -> Iterator[Line]:
    """Yield the lines of *text* that are not blank."""
    start, follows_blank = 0, False
    for raw in text.split("\n"):
        if content := raw.rstrip():
            yield Line(content, start, follows_blank)
        follows_blank = not content
        start += len(raw) + 1


def close(units: list[Unit], opening: int, start: int, end: int) -> None:
    """Append, as a frame, what closes the one at *opening*: each needs the other."""
    frame = units[opening]
    units[opening] = replace(frame, needs=(*frame.needs, len(units)))
    units.append(Unit(start, end, frame.block, (opening,), is_frame=True))


def closure(units: Sequence[Unit], position: int) -> set[int]:
    """Return *position* and all that it needs."""
    found: set[int] = set()
    open_positions = [position]
    while open_positions:
        each = open_positions.pop()
        if each not in found:
            found.add(each)
            open_positions += units[each].needs
    return found


def join(text: str, units: Sequence[Unit], kept: Iterable[int]) -> str:
    """Put the *kept* units of *text* together in order, apart by the widest gap that was between them."""
    parts: list[str] = []
    last = -1
    for position in sorted(kept):
        unit = units[position]
        if parts:
            parts += ["" if units[last].opens else unit.joint, _gap(text, units, last, position)]
        parts.append(text[unit.start : unit.end])
        last = position
    return "".join(parts)


def _gap(text: str, units: Sequence[Unit], last: int, position: int) -> str:
    """Return the widest gap between two units, the nearest one of equals; after one that opens, its own."""
    if units[last].opens:
        return _gap_before(text, units, last + 1)
    return max((_gap_before(text, units, each) for each in range(position, last, -1)), key=_line_ends)


def _gap_before(text: str, units: Sequence[Unit], position: int) -> str:
    unit = units[position]
    gap = text[units[position - 1].end : unit.start]
    return gap.replace(unit.joint, "", 1) if unit.joint else gap


def _line_ends(gap: str) -> int:
    return gap.count("\n")
