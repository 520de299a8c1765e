r"""Finds the answer in what a model or a publisher wrote.

In this order: the last `\boxed` or `\fbox`, the first `####`, what "answer is" or "answer:" announces, a
response that is nothing but an answer, the last number.
"""

import re
from itertools import islice

from pytest_context_bench.scoring.latex.excerpt import (
    last_formula,
    maths_around_last_number,
    maths_at_start,
    words_at_start,
)
from pytest_context_bench.scoring.latex.functions import NAMES
from pytest_context_bench.scoring.latex.notation import clean

MAX_CLAUSE = 1_000  # characters after a mark that are looked at
MAX_WHOLE = 200
MAX_MARKS = 40
_BOX = re.compile(r"\\(?:boxed|fbox)(?![A-Za-z])\s*")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BOX_END = re.compile(r"[\n$]|\\[)\]]")
_HASHES = re.compile(r"(?<!#)####(?!#)[ \t]*")
_NUMBERED = re.compile(r"[\W_]*\d{1,2}[.):][ \t]+[^\d\s]")  # `#### 1. First` is a heading
_CUE = re.compile(
    r"\banswers?\b(?:\s(?:to|of|for)\b[^.\n:=]{0,80}?(?=[\s*_:=]))?[\s*_]{0,9}"
    r"(?:\b(?:is|are|was|equals|would be|will be|must be|should be|comes to)\b|[:=])[\s*_]{0,9}:?",
    re.IGNORECASE,
)
_NEXT_QUESTION = re.compile(r"^[ \t]*(?:\*\*)?(?:Question|Q)(?: ?\d+)?(?:\*\*)?:", re.MULTILINE)
_SYMBOL = re.compile(r"(?<!\s)x|x(?!\s)|[A-Za-wyzA-Z]")  # a lone `x` is a times sign
_DIGIT_OR_COMMAND = re.compile(r"\d|\\[A-Za-z]")
_FIRST_WORD = re.compile(r"[A-Za-z]{2,}(?=[\s:])")
_STOPS = " \t\n.,;:*_`\"'!?"


def readings(text: str) -> list[str]:
    """Return the texts that may be the answer of a response: most often one, none in an empty response."""
    text = _without_next_question(text)
    return marked(text) or _whole(text) or _last(text)


def marked(text: str) -> list[str]:
    """Return the answer that a mark points out, where there is a mark."""
    return _boxed(text) or _hashed(text) or _announced(text)


def _without_next_question(text: str) -> str:
    """Cut off where a model, its answer given, goes on to ask itself the next question."""
    marks = filter(None, (pattern.search(text) for pattern in (_BOX, _HASHES, _CUE)))
    first = min((mark.end() for mark in marks), default=len(text))
    further = _NEXT_QUESTION.search(text, first)
    return text[: further.start()] if further else text


def _boxed(text: str) -> list[str]:
    for box in reversed(list(_BOX.finditer(text))):
        content = _content(text, box.end())
        if content:
            return [content, *_told(content)]
    return []


def _told(content: str) -> list[str]:
    """Return the number of a box that holds a sentence."""
    sentence = clean(content[:MAX_CLAUSE])
    word = _FIRST_WORD.match(sentence)
    is_sentence = word and word[0].lower() not in NAMES and "=" not in sentence
    return _filled(maths_around_last_number(sentence)) if is_sentence else []


def _content(text: str, start: int) -> str:
    """Return what a box holds: to the closing brace, or to the end of the line where there is none."""
    depth = 0
    for brace in _BRACE.finditer(text, start) if text.startswith("{", start) else ():
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0:
            return text[start + 1 : brace.start()].strip()
    line = _BOX_END.split(text[start : start + MAX_CLAUSE], maxsplit=1)[0]
    if text.startswith("{", start):
        return line.lstrip("{").strip()
    return maths_at_start(line)[0] or line.strip()


def _hashed(text: str) -> list[str]:
    last_line = text.rstrip().rfind("\n") + 1
    for hashes in islice(_HASHES.finditer(text), MAX_MARKS):
        line = text[hashes.end() : hashes.end() + MAX_CLAUSE].partition("\n")[0]
        maths, rest = maths_at_start(line)
        is_answer = _DIGIT_OR_COMMAND.search(maths) or (maths and not rest.strip(_STOPS))
        if is_answer and not _NUMBERED.match(line):
            return [maths]
        if hashes.start() >= last_line and not _CUE.search(line):
            return _filled(line.strip(_STOPS), maths_around_last_number(text))
    return []


def _announced(text: str) -> list[str]:
    clauses = [text[cue.end() : cue.end() + MAX_CLAUSE] for cue in list(_CUE.finditer(text))[-MAX_MARKS:]]
    if not clauses:
        return []
    words = words_at_start(clauses[-1])
    for clause in reversed(clauses):
        maths, _ = maths_at_start(clause)
        if maths:
            return [maths] if clause is clauses[-1] else [words, maths]
    return _filled(words, maths_around_last_number(text))


def _whole(text: str) -> list[str]:
    """Return a response that is nothing but an answer; `3 x 4 = 12` is a calculation."""
    text = text.strip()
    if len(text) > MAX_WHOLE or "\n" in text or ("=" in text and not _SYMBOL.search(text)):
        return []
    maths, rest = maths_at_start(text)
    if maths and not rest.strip(_STOPS):
        return [maths, *_last(text)] if text.count("=") > 1 else [maths]
    return [] if re.search(r"\d", text) else _filled(last_formula(text), text.strip(_STOPS))


def _last(text: str) -> list[str]:
    return _filled(last_formula(text), maths_around_last_number(text))


def _filled(*texts: str) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))
