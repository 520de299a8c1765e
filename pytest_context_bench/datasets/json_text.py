"""Reads JSON from the bytes of a file, and says what is wrong with it and where."""

import json
from collections.abc import Callable
from typing import Any

from pytest_context_bench.errors import BadRecordError, brief

BOM = b"\xef\xbb\xbf"
_WORDS = {type(None): "null", bool: "boolean", int: "number", float: "number", str: "string", list: "array"}


def read(content: bytes, where: Callable[[int], str]) -> Any:
    """Return the value in *content*; *where* words its line of a number, from 1. Raises BadRecordError."""
    text = _decoded(content, where)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadRecordError(where(error.lineno), f"not JSON ({_reason(error)})") from error
    except (ValueError, RecursionError) as error:
        raise BadRecordError(where(1), f"JSON that cannot be read ({error})") from error


def read_line(line: bytes, where: str) -> dict[str, Any]:
    """Return the object on *line*. Raises BadRecordError."""
    text = _decoded(line, lambda _: where)
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        if _ends_early(error, text):
            problem = (
                "JSON that does not end on its line: expected one object a line, or one array of objects"
            )
        else:
            problem = f"not JSON ({_reason(error)}): {brief(text, 60)}"
        raise BadRecordError(where, problem) from error
    except (ValueError, RecursionError) as error:
        raise BadRecordError(where, f"JSON that cannot be read ({error})") from error
    if not isinstance(record, dict):
        raise BadRecordError(where, f"a JSON {_WORDS[type(record)]}, expected an object")
    return record


def is_blank(line: bytes) -> bool:
    """Whether there is nothing on *line*."""
    return not line.removeprefix(BOM).strip()


def _decoded(content: bytes, where: Callable[[int], str]) -> str:
    content = content.removeprefix(BOM).rstrip()
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        start = content.rfind(b"\n", 0, error.start) + 1
        problem = f"not UTF-8 text ({error.reason} at byte {error.start - start + 1} of the line)"
        raise BadRecordError(where(content.count(b"\n", 0, start) + 1), problem) from error


def _reason(error: json.JSONDecodeError) -> str:
    return f"{error.msg} at column {error.colno}"


def _ends_early(error: json.JSONDecodeError, text: str) -> bool:
    return error.pos >= len(text) or error.msg.startswith("Unterminated string")
