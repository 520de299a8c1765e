"""Values of Java, in the texts that calls of its functions hold in their place."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pytest_context_bench.scoring.tool_calls.sources import parts, unquoted

_WHOLE, _REAL = r"(-?\d{1,300})", r"(-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?)"
_NUMBERS: Mapping[str, tuple[re.Pattern[str], Callable[[str], Any]]] = {
    **dict.fromkeys(("byte", "short", "integer"), (re.compile(_WHOLE), int)),
    "long": (re.compile(rf"{_WHOLE}[lL]"), int),
    "float": (re.compile(rf"{_REAL}[fF]"), float),
    "double": (re.compile(_REAL), float),
}
_ARRAY = re.compile(r"new\s+[\w.]+(?:<.*>)?\s*\[\s*\]\s*\{(.*)\}", re.DOTALL)
_LISTED = re.compile(r"new\s+ArrayList\s*<[^()]*>\s*\(\s*Arrays\.asList\((.*)\)\s*\)", re.DOTALL)
_FILLED = re.compile(
    r"new\s+(?:ArrayList|HashMap)\s*<[^()]*>\s*\(\s*\)\s*(?:\{\s*(?:\{(.*)\})?\s*\})?", re.DOTALL
)
_ADDED = re.compile(r"(?:add|put)\s*\((.*)\)", re.DOTALL)


def read(source: str, kind: str, items_kind: str = "") -> Any:
    """Return the value of type *kind* that *source* is; itself, as a variable, where it is no such."""
    text = source.strip()
    if kind == "boolean":
        return {"true": True, "false": False}.get(text, text)
    if kind in _NUMBERS:
        pattern, number = _NUMBERS[kind]
        match = pattern.fullmatch(text)
        return number(match[1]) if match else text
    if kind in {"array", "arraylist"}:
        found = _items(text, kind)
        return text if found is None else [_item(one, items_kind) for one in found]
    return _map(text) if kind == "hashmap" else source


def _items(text: str, kind: str) -> list[str] | None:
    match = (_ARRAY if kind == "array" else _LISTED).fullmatch(text)
    if match:
        return list(parts(match[1]))
    match = _FILLED.fullmatch(text) if kind == "arraylist" else None
    return _added(match[1] or "") if match else None


def _map(text: str) -> Any:
    match = _FILLED.fullmatch(text)
    pairs = [list(parts(one)) for one in _added(match[1] or "")] if match else None
    if pairs is None or any(len(pair) != 2 for pair in pairs):  # noqa: PLR2004 - a key and a value
        return text
    return {unquoted(key): _item(value, "any") for key, value in pairs}


def _added(code: str) -> list[str]:
    statements = (_ADDED.fullmatch(one.strip()) for one in parts(code, ";"))
    return [match[1] for match in statements if match]


def _item(source: str, kind: str) -> Any:
    if kind.lower() not in {"", "any"}:
        return unquoted(source) if kind in {"String", "char"} else read(source, kind.lower())
    readings = (read(source, each) for each in ("boolean", "integer", "double", "long", "float"))
    return next((value for value in readings if not isinstance(value, str)), unquoted(source))
