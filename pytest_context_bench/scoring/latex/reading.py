"""Reads a text into the structure of an answer."""

import re
from collections.abc import Callable
from typing import TypeAlias

from pytest_context_bench.scoring.latex import splitting
from pytest_context_bench.scoring.latex.splitting import enclosed, pieces, rewrite_outside, split
from pytest_context_bench.scoring.latex.structure import (
    MAX_LENGTH,
    Based,
    Equation,
    Group,
    Matrix,
    Node,
    Scalar,
)

MAX_DEPTH = 8
BASES = range(2, 37)
_BASE_NAMES = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
}  # fmt: skip
_BASED = re.compile(
    r"\(?(?P<digits>\d[0-9A-Za-z]*)\)?\s*"
    r"(?:_\s*\{?\s*\(?\s*(?:base\s+)?(?P<index>[0-9A-Za-z]+)\s*\)?\s*\}?|\(?\s*(?:in\s+)?base[\s-]+(?P<base>\w+)\s*\)?)"
)
_MATRIX = re.compile(r"\\begin\{(?P<kind>[a-z]*matrix|array)\}(?:\{[^{}]*\})?(?P<rows>.*)\\end\{(?P=kind)\}")
_COMMA_GROUPS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?!,?\d)")
_SPACE_GROUPS = re.compile(r"(?<![\d.,])(?<!\d )\d{1,3}(?: \d{3})+(?! ?[\d/])")
_NO_NAME = re.compile(r"\\(?:d?frac|sqrt)|[\d<>^*/]|^-|^$")
_SUBSCRIPT = re.compile(r"_\s*(?:\{[^{}]*\}|\w)|(?<=^[A-Za-z])\s*\([\w, ]*\)$")
_SYMBOL = re.compile(r"(?:[A-Za-z]|\\[A-Za-z]+)(?:_\{?\w+\}?)?'*")
_PLUS_MINUS = re.compile(r"\\(pm|mp)(?![A-Za-z])")
_FLIPPED = {">": "<", r"\geq": r"\leq"}

_Reader: TypeAlias = Callable[[str, int], Node | None]


def read(plain: str) -> Node:
    """Return the structure of a text in plain notation."""
    return _read(rewrite_outside(plain, _without_marks), 0) if len(plain) <= MAX_LENGTH else Scalar(plain)


def _read(text: str, depth: int) -> Node:
    if depth < MAX_DEPTH:
        for reader in _READERS:
            node = reader(text, depth + 1)
            if node is not None:
                return node
    return Scalar(text)


def _without_marks(text: str) -> str:
    """Drop the marks between thousands."""
    text = _COMMA_GROUPS.sub(lambda found: found[0].replace(",", ""), text)
    return _SPACE_GROUPS.sub(lambda found: found[0].replace(" ", ""), text)


def _based(text: str, _: int) -> Node | None:
    found = _BASED.fullmatch(text)
    if not found:
        return None
    name = (found["index"] or found["base"]).lower()
    base = int(name) if re.fullmatch("[0-9]{1,2}", name) else _BASE_NAMES.get(name, 0)
    return Based(found["digits"].upper().lstrip("0"), base) if base in BASES else None


def _list(text: str, depth: int) -> Node | None:
    parts = split(text, splitting.MEMBERS)
    return Group("", _members(parts, depth), "") if len(parts) > 1 else None


def _signs(text: str, depth: int) -> Node | None:
    r"""Read `a \pm b` as two answers."""
    if not _PLUS_MINUS.search(text) or text.startswith(r"\{"):
        return None
    plus = _PLUS_MINUS.sub(lambda found: "+" if found[1] == "pm" else "-", text)
    minus = _PLUS_MINUS.sub(lambda found: "-" if found[1] == "pm" else "+", text)
    return Group("", _members([plus, minus], depth), "")


def _members(parts: list[str], depth: int) -> tuple[Node, ...]:
    nodes = (_read(part, depth) for part in parts)
    return tuple(member for node in nodes for member in (_bare(node) or [node]))


def _bare(node: Node) -> tuple[Node, ...]:
    return node.members if isinstance(node, Group) and not node.opener else ()


def _union(text: str, depth: int) -> Node | None:
    parts = split(text, splitting.UNION)
    return Group(r"\cup", tuple(_read(part, depth) for part in parts), "") if len(parts) > 1 else None


def _bracketed(text: str, depth: int) -> Node | None:
    found = enclosed(text)
    if not found:
        return None
    opener, inside, closer = found
    if ", " in inside:  # then a comma without a space is a mark between thousands
        inside = rewrite_outside(inside, _without_marks)
    parts = split(inside, splitting.MEMBERS)
    if opener in ("{", r"\{"):
        return Group(r"\{", _members(parts, depth), r"\}")
    if len(parts) > 1:
        return Group(opener, tuple(_read(part, depth) for part in parts), closer)
    return _read(inside, depth)


def _matrix(text: str, depth: int) -> Node | None:
    found = _MATRIX.fullmatch(text)
    if not found:
        return None
    rows = (split(row, splitting.CELLS) for row in split(found["rows"], splitting.ROWS))
    return Matrix(tuple(tuple(_read(cell, depth) for cell in row) for row in rows))


def _approximation(text: str, depth: int) -> Node | None:
    r"""Read `a \approx b` as the exact side."""
    match split(text, splitting.APPROXIMATES):
        case [exact, *_, approximate]:
            return _named(text, exact, approximate, depth) or _read(exact, depth)
        case _:
            return None


def _equation(text: str, depth: int) -> Node | None:
    match split(text, splitting.EQUALS):
        case [left, *between, right]:
            named = _named(text, left, right, depth)
            if named is None and _SYMBOL.fullmatch(right):
                named = _named(text, right, left, depth)
            return named or _unnamed(Equation(text, left, right), is_chain=bool(between), depth=depth)
        case _:
            return None


def _unnamed(found: Equation, *, is_chain: bool, depth: int) -> Node:
    """Read what is worked out, `3 + 4 = 7` or a chain of steps, as its last side."""
    is_identity = found.difference is not None and found.difference.rational == 0
    return _read(found.right, depth) if is_chain or is_identity else found


def _membership(text: str, depth: int) -> Node | None:
    match split(text, splitting.BELONGS):
        case [name, members]:
            return _named(text, name, members, depth)
        case _:
            return None


def _named(text: str, name: str, value: str, depth: int) -> Node | None:
    if _NO_NAME.search(_SUBSCRIPT.sub("", name)):
        return None
    return Equation(text, name, value, name="".join(name.split()), value=_read(value, depth))


def _inequality(text: str, depth: int) -> Node | None:
    r"""Read `a < x \leq b` and `x > a` as a name and its interval."""
    parts = pieces(text, splitting.ORDER)
    if set(parts[1::2]) & _FLIPPED.keys():
        parts = [_FLIPPED.get(part, part) for part in reversed(parts)]
    match parts:
        case [name, operator, most] if _SYMBOL.fullmatch(name):
            return _interval(text, [r"-\infty", "<", name, operator, most], depth)
        case [least, operator, name]:
            return _interval(text, [least, operator, name, "<", r"\infty"], depth)
        case [_, _, _, _, _]:
            return _interval(text, parts, depth)
        case _:
            return None


def _interval(text: str, parts: list[str], depth: int) -> Node | None:
    least, first, name, second, most = parts
    if not _SYMBOL.fullmatch(name) or {first, second} & _FLIPPED.keys():
        return None
    opener, closer = "(" if first == "<" else "[", ")" if second == "<" else "]"
    interval = Group(opener, (_read(least, depth), _read(most, depth)), closer)
    return Equation(text, text, text, name=name, value=interval)


_READERS: tuple[_Reader, ...] = (
    _based, _list, _signs, _union, _approximation, _equation, _membership, _inequality, _matrix, _bracketed,
)  # fmt: skip
