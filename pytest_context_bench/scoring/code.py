"""Finds the Python code in a response: past thoughts, prose and fences, with its indentation kept.

Nothing is compiled here, since hostile code can crash a compiler. Where the text alone does not say which
reading is right, the readings are listed, likeliest first, and the first that compiles is the answer.
"""

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from pytest_context_bench.scoring import completion
from pytest_context_bench.scoring.fences import Block, fenced, text_before_fences
from pytest_context_bench.scoring.thoughts import without_thoughts

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
_MOST_CHARACTERS = 5_000_000


def answer_parts(response: str, header: str, names: Collection[str]) -> list[list[str]]:
    """Return what to run for *response*, in turn: for each part its readings, likeliest first.

    *header* is the code that the response was to complete, if any: up to and with the signature, and mostly a
    docstring, of a function. *names* are those that the response or the header is to define.
    """
    readings = list(code_readings(response, names))
    whole = (reading for code in readings for reading in _whole(code))
    if not header:
        return [_unique(whole)]
    completed = (reading for code in readings for reading in _completed(header, code))
    if any(_defines(code, names) for code in readings):
        # Of the header an answer may need the imports and the functions before its own.
        return [
            [header, f"{header}\n{completion.body_margin(header)}pass\n", ""],
            _unique(chain(whole, completed)),
        ]
    return [_unique(completed)]


def header_in(text: str, names: Collection[str]) -> str:
    """Return the code in *text* that begins one of *names*; nothing where *text* only speaks of it."""
    for code in code_readings(text, names) if names else ():
        if _defines(code, names):
            return _from_code(code)
    return ""


def code_readings(response: str, names: Collection[str]) -> Iterator[str]:
    """Yield the code of *response*, likeliest reading first."""
    text = without_thoughts(response.replace("\r\n", "\n").removeprefix("\ufeff"))
    before, blocks = text_before_fences(text), _python(fenced(text), names)
    defining = [block for block in blocks if _defines(block, names)]
    if defining:
        yield "\n".join([*_helpers(blocks, defining[-1], names), defining[-1]])
        yield from reversed(defining)
    elif not blocks or _defines(before, names) or before.startswith(("  ", "\t")):
        yield before
    else:
        yield from (block for block in blocks if completion.margin(block))
        yield "\n".join(blocks)


def _python(blocks: list[Block], names: Collection[str]) -> list[str]:
    """Return the code marked as Python, or without a mark, or all: of the first kind that defines *names*."""
    marked = [block.code for block in blocks if block.is_python]
    unmarked = [block.code for block in blocks if not block.language]
    kinds = [kind for kind in (marked, unmarked, [block.code for block in blocks]) if kind]
    return next(
        (kind for kind in kinds if any(_defines(code, names) for code in kind)), kinds[0] if kinds else []
    )


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


def _completed(header: str, code: str) -> Iterator[str]:
    """Yield the readings of *code* as what follows *header*."""
    for body in (code, _until_prose(code), _until_prose(_from_code(code))):
        if body.strip():
            yield from completion.readings(header, body)


def _from_code(text: str) -> str:
    start = _CODE.search(text)
    return text[start.start() :] if start else text


def _until_prose(text: str) -> str:
    end = _PROSE.search(text)
    return text[: end.start()] if end else text


def _unique(readings: Iterable[str]) -> list[str]:
    """Return the readings that differ, as many as are of a sane size together: the first in any case."""
    kept: dict[str, None] = {}
    room = _MOST_CHARACTERS
    for reading in readings:
        room -= 0 if reading in kept else len(reading)
        if kept and room < 0:
            break
        kept[reading] = None
    return list(kept)
