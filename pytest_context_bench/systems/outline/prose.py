"""Outlines prose and Markdown: sentences under their title and heading, table rows under their header."""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, takewhile

from pytest_context_bench.systems.outline.code import Code
from pytest_context_bench.systems.outline.records import TABLE_RULE
from pytest_context_bench.systems.outline.unit import Line, Unit, close, lines

LONGEST = 1000  # characters: what has no end of a sentence by then is cut between words
LONGEST_TITLE = 80
MOST_TITLE_LINES = 3  # "Passage 1:", a title, a date
WRAPPED = 0.3  # share of lines that go on in lower case, above which a paragraph's line ends mean nothing

FULL_STOPS = "。\uff01\uff1f"  # no space follows them
_END = re.compile(
    r"(?<![.!?…؟।])[.!?…؟।]++[\"'”\u2019)\]»]*+\s++|[。\uff01\uff1f]++[」』”\u2019\uff09]*+\s*+"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'“\u2018])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Gen|Col|Lt|Sgt|Capt|Rev|Hon|vs|No|Vol|pp?|Figs?|Eqs?|Sec"
    r"|Inc|Ltd|Co|Corp|cf|al|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|[A-Z]|(?:[A-Za-z]\.)+[A-Za-z])$"
)
_ABBREVIATION_SPAN = 16
_HEADING = re.compile(r"\s*#{1,6}\s")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_LIST_MARKER = re.compile(r"\s*(?:\d{1,3}|[ivxIVX]{1,5}|\w)")
_SPEAKER = re.compile(r"\s*[\w .'-]{1,30}:\s")
_NO_TITLE = re.compile(r"[.!?;,。\uff01\uff1f]$|^\s*(?:[-*+•]|\d+[.)])\s")
_TABLE_ROW = re.compile(r"\s*\|")


def prose(text: str, largest: int) -> list[Unit]:
    """Outline *text*, whatever it is."""
    units: list[Unit] = []
    heading: tuple[int, ...] = ()
    for block, part in enumerate(_blocks(text)):
        if _FENCE.match(part[0].text):
            _add_fenced(units, part, block, heading, largest)
        elif _TABLE_ROW.match(part[0].text):
            _add_table(units, part, block, heading)
        else:
            heading = _add_paragraph(units, text, part, block, heading)
    return units


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of *text* between *start* and *end* start and end."""
    for found in _END.finditer(text, start, end):
        if found.end() < end and _is_boundary(text, start, found):
            yield from _cut(text, start, found.start() + len(found.group().rstrip()))
            start = found.end()
    yield from _cut(text, start, end)


def _is_boundary(text: str, start: int, found: re.Match[str]) -> bool:
    if found.group()[0] in FULL_STOPS:
        return True
    following = text[found.end() : found.end() + 3].lstrip("\"'“\u2018«([¿¡")
    before = text[max(start, found.start() - _ABBREVIATION_SPAN) : found.start()]
    return not (following[:1].islower() or _ABBREVIATION.search(before) or _LIST_MARKER.fullmatch(before))


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST:
        cut = text.rfind(" ", start + 1, start + LONGEST)
        cut = cut if cut > 0 else start + LONGEST
        yield start, cut
        start = cut + 1 if text[cut] == " " else cut
    yield start, end


def _blocks(text: str) -> Iterator[list[Line]]:
    """Yield the lines of each paragraph, table and fenced piece of code."""
    part: list[Line] = []
    for line in lines(text):
        if part and not _goes_on(part, line):
            yield part
            part = []
        part.append(line)
    if part:
        yield part


def _goes_on(part: Sequence[Line], line: Line) -> bool:
    if _FENCE.match(part[0].text):
        return len(part) == 1 or not _FENCE.match(part[-1].text)
    starts_section = _is_heading(line) and not _is_heading(part[-1])
    if line.follows_blank or starts_section or _FENCE.match(line.text):
        return False
    return bool(_TABLE_ROW.match(part[-1].text)) == bool(_TABLE_ROW.match(line.text))


def _add_fenced(
    units: list[Unit], part: Sequence[Line], block: int, heading: tuple[int, ...], largest: int
) -> None:
    opening, *body = part
    closing = body.pop() if body and _FENCE.match(body[-1].text) else None
    frame = len(units)
    units.append(Unit(opening.start, opening.end, block, heading, is_frame=True))
    Code(largest, units).add_all(body, block, (frame,))
    if closing:
        close(units, frame, closing.start, closing.end)


def _add_table(units: list[Unit], part: Sequence[Line], block: int, heading: tuple[int, ...]) -> None:
    needs = heading
    if len(part) > 1 and TABLE_RULE.match(part[1].text):
        needs = (*heading, len(units))
        units.append(Unit(part[0].start, part[1].end, block, heading, is_frame=True))
        part = part[2:]
    units += [Unit(row.start, row.end, block, needs) for row in part]


def _add_paragraph(
    units: list[Unit], text: str, part: Sequence[Line], block: int, heading: tuple[int, ...]
) -> tuple[int, ...]:
    """Add the sentences of a paragraph with its headings and title; return the heading of what follows."""
    for line in takewhile(_is_heading, part):
        heading = (len(units),)
        units.append(Unit(line.start, line.end, block, is_frame=True))
    part = list(dropwhile(_is_heading, part))
    needs = heading
    if title := part[: _title_lines(part)]:
        needs = (*heading, len(units))
        units.append(Unit(title[0].start, title[-1].end, block, heading, is_frame=True))
    for start, end in _running(part[len(title) :]):
        units += [Unit(*span, block, needs) for span in sentences(text, start, end)]
    return heading


def _is_heading(line: Line) -> bool:
    return _HEADING.match(line.text) is not None


def _title_lines(part: Sequence[Line]) -> int:
    """Count the lines at the head of a paragraph that are its title: short ones before a long one."""
    longest = max((len(line.text) for line in part), default=0)
    if all(map(_SPEAKER.match, (line.text for line in part[:2]))):
        return 0
    titles = takewhile(lambda line: _is_title(line.text, longest), part[:MOST_TITLE_LINES])
    return sum(1 for _ in titles)


def _is_title(line: str, longest: int) -> bool:
    return 2 * len(line) <= min(longest, 2 * LONGEST_TITLE) and not _NO_TITLE.search(line)


def _running(part: Sequence[Line]) -> list[tuple[int, int]]:
    """Return where running text starts and ends: each line, or all of them if they are wrapped."""
    going_on = sum(line.text.lstrip()[0].islower() for line in part[1:])
    if part and going_on > WRAPPED * (len(part) - 1):
        return [(part[0].start, part[-1].end)]
    return [(line.start, line.end) for line in part]
