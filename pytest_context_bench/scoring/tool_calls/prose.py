"""Finds calls among prose: JSON, what Python writes in its place, or lists of calls as code."""

import json
import re
from collections.abc import Callable
from typing import Any

from pytest_context_bench.scoring.tool_calls.call import Call
from pytest_context_bench.scoring.tool_calls.python_values import read_value
from pytest_context_bench.scoring.tool_calls.scanner import NotReadableError, Scanner

JSON_OPENING = re.compile(r"[\[{]")
LIST_OPENING = re.compile(r"\[\s*+[^\W\d][\w.]*+\(")
_EFFORT = 200_000  # characters to read in vain, after which a text is given up as hostile
SLOWER = 16  # times that a character of code takes as long as one of JSON
_DEEPEST = 1_000  # characters that a text of brackets alone costs before it is too deep
_DECODER = json.JSONDecoder(strict=False)


def find_calls(
    text: str, opening: re.Pattern[str], read: Callable[[str, int], tuple[list[Call], int]]
) -> list[Call]:
    """Return the calls that *read* finds where *opening* matches, one after the other.

    It returns also how far it has read; where it finds nothing, what stands within is tried next.
    """
    calls: list[Call] = []
    place, effort = 0, _EFFORT
    while effort > 0 and (start := opening.search(text, place)):
        found, end = read(text, start.start())
        calls += found
        place = end if found else start.start() + 1
        effort -= 0 if found else end - start.start()
    return calls


def json_at(text: str, start: int) -> tuple[Any, int]:
    """Return the list or object at *start*, None if there is none, and how far the text was read."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        far = len(text) if error.msg.startswith("Unterminated") else error.pos
    except (RecursionError, ValueError):  # a ValueError is a number of too many digits
        far = min(len(text), start + _DEEPEST)
    scanner = Scanner(text, start)
    try:
        return read_value(scanner), scanner.place
    except NotReadableError as error:
        return None, max(far, start + SLOWER * (error.place - start))
