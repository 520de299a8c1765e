"""Cuts a text in plain notation at its top level: outside brackets, braces and matrices."""

import re
from collections.abc import Callable

_OPENERS = {"(", "[", "{", r"\{", r"\begin"}
_BRACKET = r"(?P<bracket>\\(?:begin|end)(?![A-Za-z])|\\[{}]|[()\[\]{}])"
_OTHER = r"|\\[^A-Za-z]"  # an escaped character is no separator
_SEPARATING = re.compile(r"(?P<open>[(\[]|\\\{)|[)\]]|\\\}")
_ANY_BRACKET = re.compile(_BRACKET + _OTHER)


def _separator(pattern: str) -> "re.Pattern[str]":
    return re.compile(f"{_BRACKET}|(?P<cut>{pattern}){_OTHER}")


MEMBERS = _separator(r"[,;]|(?<![A-Za-z\\])(?:and|or)(?![A-Za-z])|\\(?:lor|land)(?![A-Za-z])")
UNION = _separator(r"\\cup(?![A-Za-z])|(?<=[)\]])\s*U\s*(?=[(\[])")
EQUALS = _separator(r"(?<![<>!=:])=(?!=)")
APPROXIMATES = _separator(r"\\(?:approx|simeq)(?![A-Za-z])")
BELONGS = _separator(r"\\in(?![A-Za-z])")
ORDER = _separator(r"<|>|\\leq(?![A-Za-z])|\\geq(?![A-Za-z])")
ROWS = _separator(r"\\\\")
CELLS = _separator(r"&")


def split(text: str, separator: "re.Pattern[str]") -> list[str]:
    """Return the stripped parts of *text* between its top-level separators, empty ones left out."""
    return [part for part in pieces(text, separator)[::2] if part]


def pieces(text: str, separator: "re.Pattern[str]") -> list[str]:
    """Return the stripped parts with the separators in between: part, separator, part."""
    found_pieces, start, depth = [], 0, 0
    for found in separator.finditer(text):
        if found["bracket"]:
            depth += 1 if found["bracket"] in _OPENERS else -1
        elif found["cut"] and depth == 0:
            found_pieces += [text[start : found.start()].strip(), found["cut"].strip()]
            start = found.end()
    return [*found_pieces, text[start:].strip()]


def enclosed(text: str) -> tuple[str, str, str] | None:
    """Return opener, content and closer where one pair of brackets holds all of *text*, else None.

    The two need not match: `(3,4]` is an interval.
    """
    depth, opener = 0, ""
    for found in _ANY_BRACKET.finditer(text):
        if not found["bracket"]:
            continue
        opener = opener or found["bracket"]
        depth += 1 if found["bracket"] in _OPENERS else -1
        if depth <= 0:
            whole = text.startswith(opener) and found.end() == len(text) and opener != r"\begin"
            return (opener, text[len(opener) : found.start()].strip(), found["bracket"]) if whole else None
    return None


def rewrite_outside(text: str, rewrite: Callable[[str], str]) -> str:
    """Apply *rewrite* to what no bracket holds; braces that only group are no brackets."""
    parts, start, depth = [], 0, 0
    for found in _SEPARATING.finditer(text):
        if depth == 0:
            parts.append(rewrite(text[start : found.start()]))
            start = found.start()
        depth = max(0, depth + (1 if found["open"] else -1))
        if depth == 0:
            parts.append(text[start : found.end()])
            start = found.end()
    parts.append(text[start:] if depth else rewrite(text[start:]))
    return "".join(parts)
