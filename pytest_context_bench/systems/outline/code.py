"""Outlines code, and other text whose indentation is its structure: blocks under the lines that open them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from pytest_context_bench.systems.outline.unit import Line, Unit, close, lines

SMALL = 400  # characters: single lines are put together up to this
MOST_OPENING_LINES = 20
DEEPEST = 20

# What belongs to the block above it, at the same depth, and what belongs to the block below it.
_GOES_ON = re.compile(r"[)\]}{]|\*/|</|(?:else|elif|except|finally|catch|end|then|fi|done|esac)\b")
_LEADS_IN = re.compile(r"@|#|//|/\*|\*|--")

_CODE = re.compile(
    r"\s*(?:(?:def|class|function|func|fn|struct|enum|interface|impl|public|private|protected|static|package"
    r"|const|let|var|return|raise|throw|yield|import|#include)\s|from\s\S+\simport\s|@\w|//|/\*|\*/|[)\]}]"
    r"|(?:if|for|while|elif|else|try|except|with|switch|case|catch|finally)\b.*[:{(]$"
    r"|.*[;{}]$|[\w.\[\]]+\s*[-+*/|:]?=[^=]|[\w.]+\(.*\)$)"
)
_MARKUP = re.compile(r"\s*(?:<[\w/!]|[-\w\"'. ]{1,40}:(?:\s|$)|-\s)")
CODE_SHARE = 0.4
INDENTED_SHARE = 0.4  # with some code or much markup, indentation shows the structure
SOME_CODE_SHARE, MARKUP_SHARE = 0.15, 0.5


def code(text: str, largest: int) -> list[Unit]:
    """Outline *text*; nothing if it is not code or otherwise indented."""
    content = list(lines(text))
    if not _is_structured(content):
        return []
    taken = Code(largest)
    for block, segment in enumerate(_segments(content)):
        taken.add(segment, block)
    return taken.units


@dataclass(frozen=True)
class Code:
    """Takes code apart; blocks of more than *largest* characters into what is under their opening lines."""

    largest: int
    units: list[Unit] = field(default_factory=list)

    def add_all(self, body: Sequence[Line], block: int, needs: tuple[int, ...]) -> None:
        """Add the blocks of *body*, all of which need the last of the units at *needs*."""
        for segment in _segments(body):
            self.add(segment, block, needs)

    def add(self, segment: Sequence[Line], block: int, needs: tuple[int, ...] = ()) -> None:
        """Add the units of *segment*, whole if it is small, flat or deep down."""
        start, end, opening = segment[0].start, segment[-1].end, _opening_lines(segment)
        if end - start <= self.largest or opening == len(segment) or len(needs) == DEEPEST:
            self.units.append(Unit(start, end, block, needs[-1:]))
            return
        frame = len(self.units)
        closing = _closing_lines(segment[opening:], segment[0].indent)
        self.units.append(Unit(start, segment[opening - 1].end, block, needs[-1:], is_frame=True))
        self.add_all(segment[opening : len(segment) - closing], block, (*needs, frame))
        if closing:
            close(self.units, frame, segment[-closing].start, end)


def _is_structured(content: Sequence[Line]) -> bool:
    if len(content) == 1:
        return False
    return _share(_CODE, content) >= CODE_SHARE or (
        sum(line.indent > 0 for line in content) >= INDENTED_SHARE * len(content)
        and (_share(_CODE, content) >= SOME_CODE_SHARE or _share(_MARKUP, content) >= MARKUP_SHARE)
    )


def _share(pattern: re.Pattern[str], content: Sequence[Line]) -> float:
    return sum(pattern.match(line.text) is not None for line in content) / (len(content) or 1)


def _segments(body: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the blocks of *body* at its own depth, single lines put together."""
    segment: list[Line] = []
    for block in _blocks(body):
        if segment and not _fits(segment, block):
            yield segment
            segment = []
        segment += block
    if segment:
        yield segment


def _fits(segment: Sequence[Line], block: Sequence[Line]) -> bool:
    are_flat = len(block) == 1 and segment[0].indent == segment[-1].indent == block[0].indent
    return are_flat and not block[0].follows_blank and block[0].end - segment[0].start <= SMALL


def _blocks(body: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield each line of the least depth with what is deeper below it, what leads in, and what goes on."""
    base = min((line.indent for line in body), default=0)
    block: list[Line] = []
    for line in body:
        if (
            block
            and line.indent <= base
            and not _GOES_ON.match(line.text.lstrip())
            and not _leads_in(block, line)
        ):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _leads_in(block: Sequence[Line], line: Line) -> bool:
    above = block[-1]
    return (
        above.indent == line.indent and not line.follows_blank and bool(_LEADS_IN.match(above.text.lstrip()))
    )


def _opening_lines(segment: Sequence[Line]) -> int:
    """Count the lines before the first deeper one outside of parentheses; all if none is deeper."""
    base, unclosed = segment[0].indent, 0
    for count, line in enumerate(segment[:MOST_OPENING_LINES]):
        if count and line.indent > base and unclosed <= 0:
            return count
        unclosed += line.text.count("(") - line.text.count(")")
    return len(segment) if all(line.indent <= base for line in segment) else 1


def _closing_lines(body: Sequence[Line], depth: int) -> int:
    """Count the lines at the end of *body* that close what was opened above it at *depth*."""
    ends = takewhile(lambda line: line.indent <= depth and _GOES_ON.match(line.text.lstrip()), reversed(body))
    return sum(1 for _ in ends)
