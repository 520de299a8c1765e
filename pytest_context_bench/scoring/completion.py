"""Joins the header of a function with a body that a model wrote for it, whatever became of its margin."""

import re
import textwrap
from collections.abc import Iterator

_BLANK_AND_COMMENT_LINES = re.compile(r"(?:[ \t]*(?:#.*)?\n)*")
_SIGNATURE = re.compile(r"^(?P<margin>[ \t]*)(?:async[ \t]+)?def[ \t]", re.MULTILINE)
_DOCSTRING = re.compile(r"^(?P<margin>[ \t]+)(?=[rRuU]?(?:\"|'))", re.MULTILINE)


def readings(header: str, body: str) -> Iterator[str]:
    """Yield the ways to read *body* after *header*: first as it stands, then with its margin restored."""
    yield header + body
    yield f"{_fitted(header, body)}\n{body}"
    for lost in _lost_margins(header, body):
        restored = _first_line_at(lost, body)
        yield f"{_fitted(header, restored)}\n{restored}"
    yield f"{header}\n{textwrap.indent(textwrap.dedent(body), body_margin(header))}"


def _fitted(header: str, body: str) -> str:
    """Return *header* with its docstring at the margin of *body*, which is not touched."""
    own, docstring = margin(body), _docstring(header)
    if not own or not docstring:
        return header
    return header[: docstring.start()] + own + header[docstring.end() :]


def margin(body: str) -> str:
    """Return the white space before the first statement of *body*."""
    before = _BLANK_AND_COMMENT_LINES.match(body)
    rest = body[before.end() :] if before else body
    return rest[: len(rest) - len(rest.lstrip(" \t"))]


def body_margin(header: str) -> str:
    """Return the white space that a body of *header* begins with."""
    docstring, signature = _docstring(header), _signature(header)
    if docstring:
        return docstring["margin"]
    return (signature["margin"] if signature else "") + "    "


def _docstring(header: str) -> re.Match[str] | None:
    signature = _signature(header)
    return _DOCSTRING.search(header, signature.end()) if signature else None


def _signature(header: str) -> re.Match[str] | None:
    """Return the last signature, the one whose function is to be completed."""
    return max(_SIGNATURE.finditer(header), key=re.Match.start, default=None)


def _lost_margins(header: str, body: str) -> list[str]:
    """Return the margins that the first line of *body* may have had: stripping a response takes it."""
    margins = sorted(set(re.findall(r"\n([ \t]+)\S", body)), key=len)[:3] or [""]
    return [body_margin(header), *margins, margins[0][: len(margins[0]) // 2]]


def _first_line_at(column: str, body: str) -> str:
    return re.sub(r"\A((?:[ \t]*\n)*)[ \t]*", rf"\g<1>{column}", body, count=1)
