"""Outlines text whose lines are records: JSON lines, logs, comma-separated values."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from pytest_context_bench.systems.outline.unit import Line, Unit, lines

FEWEST = 3  # lines: fewer are too few to tell
JSON_SHARE = 0.8
LOG_SHARE = 0.3  # the others go on with the record above, as stack traces do
COLUMNS_SHARE = 0.9

_JSON_LINE = re.compile(r"\s*(?:\{.*\}|\[.*\]),?$")
_LOG_LINE = re.compile(
    r"\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d|\d\d?[-/.]\d\d?[-/.]\d{2,4}\b|\d\d?:\d\d\b"
    r"|[A-Z][a-z]{2} +\d+ +\d\d:\d\d|\d{9,}"
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b|\d+\.\d+\]|(?:\d{1,3}\.){3}\d{1,3} )"
)
# The second line of a Markdown table.
TABLE_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$")
_SENTENCE_END = re.compile(r"[.!?]$")
_SEPARATORS = ("\t", ",", ";", "|")


def records(text: str, _largest: int) -> list[Unit]:
    """Outline *text*; nothing if its lines are no records."""
    content = list(lines(text))
    if len(content) < FEWEST:
        return []
    if _share(_JSON_LINE, content) >= JSON_SHARE:
        return [Unit(line.start, line.end, block) for block, line in enumerate(content)]
    if _share(_LOG_LINE, content) >= LOG_SHARE:
        return _log(content)
    return _table(content) if _has_columns(content) else []


def _share(pattern: re.Pattern[str], content: Sequence[Line]) -> float:
    return sum(pattern.match(line.text) is not None for line in content) / len(content)


def _log(content: Sequence[Line]) -> list[Unit]:
    starts = [number for number, line in enumerate(content) if not number or _LOG_LINE.match(line.text)]
    return [
        Unit(content[first].start, content[following - 1].end)
        for first, following in pairwise([*starts, len(content)])
    ]


def _has_columns(content: Sequence[Line]) -> bool:
    """Whether a separator stands equally often in nearly all lines: twice at least, a tab once."""
    if _SENTENCE_END.search(content[0].text):
        return False
    for separator in _SEPARATORS:
        (count, agreeing), *_ = Counter(line.text.count(separator) for line in content).most_common(1)
        if count >= (1 if separator == "\t" else 2) and agreeing >= COLUMNS_SHARE * len(content):
            return True
    return False


def _table(content: Sequence[Line]) -> list[Unit]:
    last = 1 if TABLE_RULE.match(content[1].text) else 0
    frame = Unit(content[0].start, content[last].end, is_frame=True)
    rows = enumerate(content[last + 1 :], 1)
    return [frame, *(Unit(row.start, row.end, block, (0,)) for block, row in rows)]
