"""Finds JSON, or what Python writes in its place, in a text that holds other things too."""

import json
import re
from collections.abc import Iterator
from typing import Any

from pytest_context_bench.scoring.tool_calls.python_values import read_value
from pytest_context_bench.scoring.tool_calls.scanner import NotReadableError, Scanner

_OPENING = re.compile(r"[\[{]")
_EFFORT = 1_000_000  # characters to read in all, so that a hostile text is given up
_RECURSION = 1_000  # characters after which a text of brackets alone is too deep
_DECODER = json.JSONDecoder(strict=False)


def values(text: str) -> Iterator[tuple[Any, int, int]]:
    """Yield each list and object in *text* with its start and end, those within another after it."""
    effort = 0
    for opening in _OPENING.finditer(text):
        start = opening.start()
        value, end = _json(text, start)
        if value is None:
            value, far = _python(text, start)
            effort += 4 * (far - start)
            end = far if value is not None else end
        effort += end - start
        if effort > _EFFORT:
            return
        if value is not None:
            yield value, start, end


def _json(text: str, start: int) -> tuple[Any, int]:
    """Return the value at *start*, None if there is none, and how far it was read."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return None, len(text) if error.msg.startswith("Unterminated") else error.pos
    except (RecursionError, ValueError):  # a number of too many digits is a ValueError
        return None, min(len(text), start + _RECURSION)


def _python(text: str, start: int) -> tuple[Any, int]:
    scanner = Scanner(text, start)
    try:
        return read_value(scanner), scanner.place
    except NotReadableError as error:
        return None, error.place
