"""Reads the arguments of instructions: one reader a name, the same for all instructions that take it.

The official script replaces what is missing or out of range by a random value; here that is an error.
"""

import operator
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pytest_context_bench.errors import InvalidValueError, UnknownNameError
from pytest_context_bench.scoring.ifeval.checks import Relation
from pytest_context_bench.scoring.ifeval.language import LANGUAGES
from pytest_context_bench.scoring.ifeval.patterns import compiled

_RELATIONS: Mapping[str, Relation] = MappingProxyType({"less than": operator.lt, "at least": operator.ge})
_POSTSCRIPTS = MappingProxyType({"P.P.S": r"p\.\s?p\.\s?s", "P.S.": r"p\.\s?s\."})


def text(where: str, value: object) -> str:
    """Read a text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidValueError(where, value, "text")
    return value


def count(where: str, value: object) -> int:
    """Read a whole number from 0; tables with gaps turn such numbers into floats."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidValueError(where, value, "a whole number from 0")
    return value


def relation(where: str, value: object) -> Relation:
    """Read `less than` or `at least`."""
    if not isinstance(value, str) or value not in _RELATIONS:
        raise InvalidValueError(where, value, " or ".join(map(repr, _RELATIONS)))
    return _RELATIONS[value]


def letter(where: str, value: object) -> str:
    """Read one character that is not white space, in lower case."""
    if len(text(where, value)) != 1:
        raise InvalidValueError(where, value, "one character")
    return text(where, value).lower()


def language(where: str, value: object) -> str:
    """Read the code of a language that can be detected."""
    if not isinstance(value, str) or value not in LANGUAGES:
        raise UnknownNameError(where, value, LANGUAGES)
    return value


def phrase(where: str, value: object) -> str:
    """Read a text that is met in any case, without the white space around it."""
    return text(where, value).strip().lower()


def word(where: str, value: object) -> str:
    """Read a text that is met in any case."""
    return text(where, value).lower()


def keyword(where: str, value: object) -> re.Pattern[str]:
    """Read a pattern that is met in any case, without the white space around it."""
    return compiled(where, text(where, value).strip(), flags=re.IGNORECASE)


def keywords(where: str, value: object) -> list[re.Pattern[str]]:
    """Read patterns that are met in any case."""
    return _each(where, value, "{}")


def whole_words(where: str, value: object) -> list[re.Pattern[str]]:
    """Read patterns that are met in any case, as words of their own."""
    return _each(where, value, r"\b{}\b")


def section_mark(where: str, value: object) -> re.Pattern[str]:
    """Read the word that, with a number after it, begins a section."""
    return compiled(where, text(where, value).strip(), r"\s?{}\s?\d+\s?")


def postscript_mark(where: str, value: object) -> re.Pattern[str]:
    """Read what begins a postscript, as it stands in text in lower case."""
    marker = text(where, value).strip()
    if marker in _POSTSCRIPTS:
        return re.compile(_POSTSCRIPTS[marker])
    return compiled(where, marker.lower())


def _each(where: str, value: object, frame: str) -> list[re.Pattern[str]]:
    if not isinstance(value, list | tuple) or not value:
        raise InvalidValueError(where, value, "a list of words")
    return [compiled(where, text(where, entry), frame, re.IGNORECASE) for entry in value]


READERS: Mapping[str, Callable[[str, object], Any]] = MappingProxyType(
    {
        "capital_frequency": count,
        "capital_relation": relation,
        "end_phrase": phrase,
        "first_word": word,
        "forbidden_words": whole_words,
        "frequency": count,
        "keyword": keyword,
        "keywords": keywords,
        "language": language,
        "let_frequency": count,
        "let_relation": relation,
        "letter": letter,
        "nth_paragraph": count,
        "num_bullets": count,
        "num_highlights": count,
        "num_paragraphs": count,
        "num_placeholders": count,
        "num_sections": count,
        "num_sentences": count,
        "num_words": count,
        "postscript_marker": postscript_mark,
        "prompt_to_repeat": phrase,
        "relation": relation,
        "section_spliter": section_mark,
    }
)
