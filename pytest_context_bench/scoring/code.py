"""Finds the Python code in a response: past thoughts, prose and fences, with its indentation kept.

Nothing is compiled here, since hostile code can crash a compiler. Where the text alone does not say which
reading is right, the readings are listed, likeliest first, and the first that compiles is the answer.
"""

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator

from pytest_context_bench.scoring.fences import Block, fenced, text_before_fences

_THOUGHTS = re.compile(r"\A\s*<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHTS = "</think>"
_KEYWORDS = (
    "assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|lambda|"
    "match|nonlocal|not|pass|print|raise|return|try|type|while|with|yield"
)
_CODE = re.compile(
    r"^(?:[ \t]+\S|@\w|#|(?:async[ \t]+)?def[ \t]|class[ \t]+\w+[ \t]*[(:\[]"
    r"|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b|[^\W\d]\w*[ \t]*(?::[^=\n]+)?=(?!=)|\"\"\"|''')",
    re.MULTILINE,
)
_PROSE = re.compile(
    rf"^(?:(?!(?:{_KEYWORDS})\b)[^\W\d]\w*(?:'\w+)?[,.;:!?]?[ \t]+(?!(?:and|for|if|in|is|not|or)\b)[^\W\d]"
    r"|[-*>•][ \t]|\d+[.)][ \t]|\*\*)",
    re.MULTILINE,
)
_DEFINITION = re.compile(r"^(?:@|(?:async[ \t]+)?def[ \t]|class[ \t]|import[ \t]|from[ \t])", re.MULTILINE)
_BLANK_OR_COMMENT_LINES = r"\A(?:[ \t]*(?:#.*)?\n)*"
_SIGNATURE = re.compile(r"^(?P<margin>[ \t]*)(?:async[ \t]+)?def[ \t]", re.MULTILINE)
_DOCSTRING = re.compile(r"^(?P<margin>[ \t]+)(?=[rRuU]?(?:\"|'))", re.MULTILINE)


def answer_parts(response: str, header: str, names: Collection[str]) -> list[list[str]]:
    """Return what to run for *response*, in turn: for each part its readings, likeliest first.

    *header* is the code that the response was to complete, if any: up to and with the signature, and mostly a
    docstring, of a function. *names* are those that the response or the header is to define.
    """
    readings = list(code_readings(response, names))
    if not header:
        return [_unique(reading for code in readings for reading in _whole(code))]
    if any(_defines(code, names) for code in readings):
        # Of the header an answer may need the imports and the functions before its own.
        whole = _unique(reading for code in readings for reading in _whole(code))
        return [[header, f"{header}\n{_body_margin(header)}pass\n", ""], whole]
    return [_unique(reading for code in readings for reading in _completed(header, code))]


def header_in(text: str, names: Collection[str]) -> str:
    """Return the code in *text* that begins one of *names*; nothing where *text* only speaks of it."""
    for code in code_readings(text, names) if names else ():
        if _defines(code, names):
            return _from_code(code)
    return ""


def code_readings(response: str, names: Collection[str]) -> Iterator[str]:
    """Yield the code of *response*, likeliest reading first."""
    text = _without_thoughts(response.replace("\r\n", "\n").removeprefix("\ufeff"))
    blocks = _python(fenced(text))
    defining = [block for block in blocks if _defines(block, names)]
    before = text_before_fences(text)
    if defining:
        yield "\n".join([*_helpers(blocks, defining[-1], names), defining[-1]])
        yield from reversed(defining)
    elif not blocks or _defines(before, names) or before.startswith(("  ", "\t")):
        yield before
    else:
        yield "\n".join(blocks)
        yield blocks[0]


def _without_thoughts(text: str) -> str:
    rest = _THOUGHTS.sub("", text, count=1)
    return rest.rpartition(_END_OF_THOUGHTS)[2] if "<think>" not in rest else rest


def _python(blocks: list[Block]) -> list[str]:
    """Return the code of the blocks marked as Python, else of those without a mark, else of all."""
    for wanted in (lambda block: block.is_python, lambda block: not block.language, lambda _: True):
        chosen = [block.code for block in blocks if wanted(block)]
        if chosen:
            return chosen
    return []


def _helpers(blocks: list[str], chosen: str, names: Collection[str]) -> list[str]:
    """Return the blocks that define something else, and neither use nor define what *chosen* defines."""
    defined = [name for name in names if _defines(chosen, [name])]
    mention = re.compile(rf"\b(?:{'|'.join(map(re.escape, defined))})\b")
    return [block for block in blocks if _DEFINITION.search(block) and not mention.search(block)]


def _defines(code: str, names: Collection[str]) -> bool:
    if not names:
        return False
    name = f"(?:{'|'.join(map(re.escape, names))})"
    pattern = (
        rf"^(?:[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{name}\b|{name}[ \t]*(?::[^=\n]+)?=[ \t]*lambda\b)"
    )
    return re.search(pattern, code, re.MULTILINE) is not None


def _whole(code: str) -> Iterator[str]:
    """Yield the readings of *code* that is to stand by itself."""
    yield code
    yield textwrap.dedent(code)
    started = _from_code(code)
    yield started
    yield _until_prose(started)
    yield _until_prose(textwrap.dedent(started))


def _completed(header: str, body: str) -> Iterator[str]:
    """Yield the readings of *body* as what follows *header*."""
    for rest in (body, _until_prose(body), _until_prose(_from_code(body))):
        yield header + rest
        yield f"{_fitted(header, rest)}\n{rest}"
        for margin in _lost_margins(header, rest):
            restored = _first_line_at(margin, rest)
            yield f"{_fitted(header, restored)}\n{restored}"
        yield f"{header}\n{textwrap.indent(textwrap.dedent(rest), _body_margin(header))}"


def _fitted(header: str, body: str) -> str:
    """Return *header* with its docstring at the margin of *body*, which is not touched."""
    margin = re.match(rf"{_BLANK_OR_COMMENT_LINES}([ \t]*)", body)
    docstring = _docstring(header)
    if not margin or not margin[1] or not docstring:
        return header
    return header[: docstring.start()] + margin[1] + header[docstring.end() :]


def _body_margin(header: str) -> str:
    docstring, signature = _docstring(header), _signature(header)
    if docstring:
        return docstring["margin"]
    return (signature["margin"] if signature else "") + "    "


def _docstring(header: str) -> re.Match[str] | None:
    signature = _signature(header)
    return _DOCSTRING.search(header, signature.end()) if signature else None


def _signature(header: str) -> re.Match[str] | None:
    """Return the last signature, the one whose function is to be completed."""
    last = None
    for last in _SIGNATURE.finditer(header):  # noqa: B007 - the last one is what is wanted
        pass
    return last


def _lost_margins(header: str, body: str) -> list[str]:
    """Return the margins that the first line of *body* may have had: stripping a response takes it."""
    margins = sorted(set(re.findall(r"\n([ \t]+)\S", body)), key=len)[:3] or [""]
    return [_body_margin(header), *margins, margins[0][: len(margins[0]) // 2]]


def _first_line_at(margin: str, body: str) -> str:
    return re.sub(r"\A((?:[ \t]*\n)*)[ \t]*", rf"\g<1>{margin}", body, count=1)


def _from_code(text: str) -> str:
    start = _CODE.search(text)
    return text[start.start() :] if start else text


def _until_prose(text: str) -> str:
    end = _PROSE.search(text)
    return text[: end.start()] if end else text


def _unique(readings: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(readings))
