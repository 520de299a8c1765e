"""Reads values as Python writes them: texts, numbers, lists, dicts, names, arithmetic with numbers."""

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from pytest_context_bench.scoring.tool_calls.scanner import Scanner

_WHOLE = re.compile(r"(?:0[xX][\da-fA-F]++|0[oO][0-7]++|0[bB][01]++|\d[\d_]*+)(?![.\w])")
_NUMBER = re.compile(r"(?:\d[\d_]*+(?:\.[\d_]*+)?|\.\d[\d_]*+)(?:[eE][+-]?\d++)?(?![.\w])")
_TEXT = re.compile(
    r"(?P<raw>[rR]?)[uU]?(?P<quote>\"{3}|'{3}|\"|')(?P<inside>(?:\\.|(?!(?P=quote))[^\\])*+)(?P=quote)\s*+",
    re.DOTALL,
)
_ESCAPE = re.compile(
    r"\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U(00(?:0[\da-fA-F]|10)[\da-fA-F]{4})|([0-7]{1,3})|(.))",
    re.DOTALL,
)
_ESCAPED = {**dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True)), "\n": "", **{one: one for one in "\\'\""}}
_INDEXES = re.compile(r"(?:\[[^\[\]\n]*+\])*+")
_CONSTANTS = {"True": True, "False": False, "None": None}
_Operators = Mapping[str, Callable[[Any, Any], Any]]
_SUMS: _Operators = {"+": operator.add, "-": operator.sub}
_PRODUCTS: _Operators = {"*": operator.mul, "/": operator.truediv}


def read_value(scanner: Scanner) -> Any:
    """Read a value. A variable, or what is computed otherwise than from numbers, is its own text.

    Raises NotReadableError.
    """
    return _chain(scanner, _SUMS, _product)


def _product(scanner: Scanner) -> Any:
    return _chain(scanner, _PRODUCTS, _signed)


def _chain(scanner: Scanner, operators: _Operators, part: Callable[[Scanner], Any]) -> Any:
    value = part(scanner)
    while mark := next((one for one in operators if scanner.passes(one)), None):
        other = part(scanner)
        if not (_is_number(value) and _is_number(other)):
            raise scanner.failure()
        try:
            value = operators[mark](value, other)
        except ArithmeticError as error:
            raise scanner.failure() from error
    return value


def _signed(scanner: Scanner) -> Any:
    if not scanner.passes("-"):
        return _atom(scanner)
    value = _atom(scanner)
    if not _is_number(value):
        raise scanner.failure()
    return -value


def _atom(scanner: Scanner) -> Any:
    for opening, read in _BRACKETS.items():
        if scanner.passes(opening):
            return read(scanner)
    if part := scanner.match(_TEXT):
        return _text(scanner, part)
    if number := scanner.match(_WHOLE) or scanner.match(_NUMBER):
        return _number(scanner, number[0])
    return _named(scanner)


def _list(scanner: Scanner) -> list[Any]:
    found: list[Any] = []
    scanner.entries("]", lambda: found.append(read_value(scanner)))
    return found


def _tuple(scanner: Scanner) -> Any:
    found: list[Any] = []
    comma = scanner.entries(")", lambda: found.append(read_value(scanner)))
    return found[0] if len(found) == 1 and not comma else tuple(found)


def _dict(scanner: Scanner) -> dict[Any, Any]:
    found: dict[Any, Any] = {}

    def entry() -> None:
        key = read_value(scanner)
        if isinstance(key, list | dict | tuple) or not scanner.passes(":"):
            raise scanner.failure()
        found[key] = read_value(scanner)

    scanner.entries("}", entry)
    return found


_BRACKETS: Mapping[str, Callable[[Scanner], Any]] = {"[": _list, "(": _tuple, "{": _dict}


def _text(scanner: Scanner, first: re.Match[str]) -> str:
    parts = [first]
    while part := scanner.match(_TEXT):
        parts.append(part)
    return "".join(
        part["inside"] if part["raw"] else _ESCAPE.sub(_unescaped, part["inside"]) for part in parts
    )


def _number(scanner: Scanner, digits: str) -> int | float:
    try:
        if _WHOLE.fullmatch(digits):
            return int(digits, 0 if digits[1:2].isalpha() else 10)
        return float(digits)
    except ValueError as error:  # more digits than Python reads, or an underscore at their end
        raise scanner.failure() from error


def _named(scanner: Scanner) -> Any:
    start = scanner.place
    name = scanner.name()
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    given = scanner.arguments(lambda: read_value(scanner)) if scanner.passes("(") else None
    scanner.match(_INDEXES)
    return {name: given} if given else scanner.text[start : scanner.place].strip()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code or match[4]:
        return chr(int(code or match[4], 16 if code else 8))
    return _ESCAPED.get(match[5], match[0])
