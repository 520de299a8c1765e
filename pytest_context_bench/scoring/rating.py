"""Reads the rating from a judge's reply, on a scale of 1 to 5.

A number is a rating only where the reply says so: in double brackets, after a label, over the scale, in the
judge's own sentence, or alone on a line. Anything less sure is no rating: a benchmark is better off with an
error than with a made-up number.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_context_bench.scoring.judgement import SCALE, names_other_scale, own_words, without_thoughts

LOWEST, HIGHEST = 1.0, 5.0

_ABSURD = 1e6
_WORDS = {"one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "ten": 10.0}

_DIGITS = r"[+\u2212-]?\d{1,6}(?:\.\d{1,6})?"
_OVER = (
    r"\s*(?:(?:stars?|points?|marks?)\s+)?\(?\s*(?:/|\bout\s+of\b)\s*"
    rf"(?:a\s+possible\s+)?(?:{_DIGITS}|five\b|ten\b)"
)
_CLAUSE_END = (
    rf"(?=\s*(?:$|[.,;:!?()\[\]<{{}}{SCALE}\u2013\u2014]|-\s"
    r"|(?:because|since|as|due|given|for|stars?|points?|overall|and|but|on|from)\b))"
)
# No part of a longer number, a date, a share or a fraction is a rating.
_START = r"(?<![\w.,/#$+\u2212-])"
_END = r"(?![\w%+]|[.,:/\\]\d|[^\S\n]*(?:[%/\u00bd]|percent\b|\d)|\s+(?:out\s+)?of\b)"
_WORD = rf"(?:one|two|three|four|five)\b(?={_OVER}|{_CLAUSE_END})"
_NUMBER = rf"{_START}(?P<number>{_DIGITS}|{_WORD})"
_RATED = rf"{_NUMBER}(?P<over>{_OVER}|\s+of\s+5\b)?{_END}"

_LABEL = (
    r"(?P<about>\b[a-z]+[^\S\n]+)?\b(?:rating|score|grade|verdict|assessment)\b[\"']?"
    rf"(?:\s+for\s+[a-z' ]{{1,40}}?)?(?:\s*\([^()\n]{{0,80}}\)|\s*{SCALE}|\s+out\s+of\s+5)?"
)
_MARK = r"(?:>|(?:\s+is)?\s*[:=|\uff1a\u2192]|\s*[\u2013\u2014-](?=\s))[\s\"'(\[<{]*"
_LINK = r"[^\S\n]*(?:\b(?:is|was|of|(?:should|would)\s+be)\b)?[^\S\n]*(?:an?\s+)?[\"'(\[]*"
_I_RATE = (
    r"(?:\bI(?:['\u2019][a-z]+)?\s+(?:[a-z'\u2019]+\s+){0,3}?"
    r"(?:giv(?:e|ing)|gave|rat(?:e|ed|ing)|scor(?:e|ed)|assign(?:ed)?|award(?:ed)?|say|go|settle|choose|chose)"
    r"|\b(?:deserves?|earns?|merits?|warrants?|worth))\b[^\d.!?\n]{0,60}?"
)
_IS = r"\b(?:is|be|it|as|at|an?)\s+(?:an?\s+)?(?:[a-z]+\s+)?"

_FIELDS = ("final_rating", "overall_rating", "rating", "final_score", "overall_score", "score", "judge_score")
# What a judge calls its last word.
_FINAL = frozenset({"overall", "final", "revised", "corrected", "updated"})
# Words that leave open what is rated.
_PLAIN = frozenset({"", "the", "my", "a", "an", "this", "your", "its", "initial"})
_NEGATION = re.compile(r"\b(?:not|never|cannot|no|without)\b|n['\u2019]t\b", re.IGNORECASE)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.MULTILINE)


_BRACKETED = _pattern(rf"\[\[\s*(?:[a-z ]{{1,30}}[:=]\s*)?{_RATED}\s*\]\]")
_LABELLED = (
    _pattern(_LABEL + _MARK + _RATED),
    _pattern(_LABEL + _LINK + _RATED + _CLAUSE_END),
    _pattern(rf"\b(?P<about>overall|final):[\s\"'(\[<{{]*{_RATED}{_CLAUSE_END}"),
)
_WITHHELD = _pattern(_LABEL + _MARK + r"(?:n/?a\b|none\b|not\b|unknown|unable|can ?not|null\b|\?)")
_SAID = (
    _pattern(rf"(?:\bnot\s+(?:an?\s+)?)?{_NUMBER}(?P<over>{_OVER}){_END}(?!\s*=){_CLAUSE_END}"),
    _pattern(_I_RATE + _RATED + _CLAUSE_END),
    _pattern(rf"{SCALE}(?:\s*[:,=]\s*|[^\d.!?\n]{{0,80}}?{_IS}){_RATED}{_CLAUSE_END}"),
    _pattern(rf"{_IS}{_RATED}\s*{SCALE}"),
)
_ALONE = _pattern(rf"^[^\w\n+.\u2212-]*(?:-\s+)?{_RATED}(?:\s*(?:stars?|points?))?[^\w\n%/]*$")
_FENCE = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL | re.IGNORECASE)


def read_rating(reply: str) -> float | None:
    """Return the rating that *reply* states, be it on the scale or not; None where none can be made out."""
    fields = _json_fields(reply)
    if fields is not None:
        return _field_rating(fields)
    text = own_words(reply)
    bracketed = _matches(text, _BRACKETED)
    if bracketed:
        return _value(bracketed[-1])
    stated = _statement(text)
    if stated is None or (not stated["over"] and names_other_scale(reply, LOWEST, HIGHEST)):
        return None
    return _value(stated)


def _statement(text: str) -> re.Match[str] | None:
    labelled = _matches(text, *_LABELLED)
    if labelled:
        return _meant(labelled)
    if _WITHHELD.search(text):
        return None
    said = [match for match in _matches(text, *_SAID) if not _NEGATION.search(match[0])]
    return _agreed(said or _matches(text, _ALONE))


def _meant(labelled: Sequence[re.Match[str]]) -> re.Match[str] | None:
    """Return the last rating called final, else the last of the whole; one of parts only if they agree."""
    for topics in (_FINAL, _PLAIN):
        found = [match for match in labelled if (match["about"] or "").strip().lower() in topics]
        if found:
            return found[-1]
    return _agreed(labelled)


def _agreed(matches: Sequence[re.Match[str]]) -> re.Match[str] | None:
    return matches[-1] if len({_value(match) for match in matches}) == 1 else None


def _matches(text: str, *patterns: re.Pattern[str]) -> list[re.Match[str]]:
    found = [match for pattern in patterns for match in pattern.finditer(text)]
    return sorted(found, key=lambda match: match.end("number"))


def _value(match: re.Match[str]) -> float | None:
    """Return the number of *match*; None where it is over another scale than ours."""
    if match["over"] and _number(re.split(r"/|\s", match["over"])[-1]) != HIGHEST:
        return None
    return _number(match["number"])


def _number(text: str) -> float:
    word = _WORDS.get(text.lower())
    return float(text.replace("\u2212", "-")) if word is None else word


def _json_fields(reply: str) -> Mapping[str, Any] | None:
    text = without_thoughts(reply)
    try:
        value = json.loads(_FENCE.sub(r"\1", text))
    except (ValueError, RecursionError):
        return None
    return {key.lower(): entry for key, entry in value.items()} if isinstance(value, dict) else None


def _field_rating(fields: Mapping[str, Any]) -> float | None:
    names = [name for name in _FIELDS if name in fields]
    value = fields[names[0]] if names else None
    if isinstance(value, str):
        match = _ALONE.fullmatch(value.strip())
        return _value(match) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < _ABSURD else None
