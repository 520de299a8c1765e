"""Values of JavaScript, in the texts that calls of its functions hold in their place."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pytest_context_bench.scoring.tool_calls.sources import parts, unquoted

_DEEPEST = 20
_NUMBERS: Mapping[str, tuple[re.Pattern[str], Callable[[str], Any]]] = {
    "integer": (re.compile(r"(-?\d{1,300})"), int),
    "float": (re.compile(r"(-?\d{1,300}(?:\.\d{1,300})?)"), float),
    "bigint": (re.compile(r"(-?\d{1,300})n"), int),
}
_ARRAY = re.compile(r"\[(.*)\]|new\s+Array\((.*)\)", re.DOTALL)
_OBJECT = re.compile(r"\{(.*)\}", re.DOTALL)
_PAIR = re.compile(r"(?P<quote>[\"']?)(?P<key>[^:\"']++)(?P=quote)\s*:(?P<value>.*)", re.DOTALL)


def read(source: str, kind: str, items_kind: str = "", depth: int = 0) -> Any:
    """Return the value of type *kind* that *source* is; itself, as a variable, where it is no such."""
    text = source.strip()
    if depth > _DEEPEST:
        return text
    if kind == "boolean":
        return {"true": True, "false": False}.get(text, text)
    if kind in _NUMBERS:
        pattern, number = _NUMBERS[kind]
        match = pattern.fullmatch(text)
        return number(match[1]) if match else text
    if kind == "array":
        array = _ARRAY.fullmatch(text)
        items = parts(array[1] or array[2] or "") if array else ()
        return [_item(one, items_kind, depth + 1) for one in items] if array else text
    if kind == "dict":
        return _object(text, depth + 1)
    return unquoted(text) if kind == "string" else source


def _object(text: str, depth: int) -> Any:
    match = _OBJECT.fullmatch(text)
    pairs = [_PAIR.fullmatch(one) for one in parts(match[1])] if match else None
    if pairs is None or not all(pairs):
        return text
    return {pair["key"].strip(): _item(pair["value"].strip(), "", depth) for pair in pairs if pair}


def _item(source: str, kind: str, depth: int) -> Any:
    value = read(source, kind.lower(), depth=depth)
    if not isinstance(value, str) or kind == "String":
        return value
    readings = (read(source, each, depth=depth) for each in ("boolean", "integer", "float", "array", "dict"))
    return next((found for found in readings if not isinstance(found, str)), unquoted(source))
