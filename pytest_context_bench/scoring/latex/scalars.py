"""Compares two scalars: words as words, figures exactly, with their units, percent signs and scales."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from pytest_context_bench.scoring.latex.algebra import Quotient, constant
from pytest_context_bench.scoring.latex.functions import NAMES, SHORTEST_WORD
from pytest_context_bench.scoring.latex.polynomials import OutOfBoundsError, UnclearError
from pytest_context_bench.scoring.latex.structure import MAX_LENGTH, Scalar

Ask: TypeAlias = Callable[[str, str], bool]

MAX_ASKED = 300  # characters
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_IN_WORDS = re.compile(r"[^\d\\^_{}+*/<>=|]*")
_ARTICLE = re.compile(r"(?:an?|the)\s+(?=\w{2})")
_OPTION = re.compile(r"\(?([A-Z])[).:]\s*\S")
_MATHS = re.compile(r"\d|\\[A-Za-z]|(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
# What has no value, whatever is made of it elsewhere: `1 2`, `1:2`, `1.2.3`.
_NO_MATHS = re.compile(r"(?<![\d._^])\d[\d.]*\s+[\d.]|:|\.\d*\.|\\(?:boxed|fbox)")


def refuse(_given: str, _gold: str) -> bool:
    """Leave open what the rules leave open: only what is certain is the same."""
    return False


def same_scalars(given: Scalar, gold: Scalar, ask: Ask) -> bool:
    """Whether the two are the same; *ask* decides where the rules cannot and mathematics might."""
    verdict = _same_texts(given.text, gold.text)
    if verdict is None:
        verdict = _same_figures(given, gold)
    if verdict is None and _are_worth_asking(given, gold):
        verdict = ask(given.quantity.figure, gold.quantity.figure)
    return verdict is True


def is_no_number(text: str) -> bool:
    """Whether *text* says that there is no number, which is not even equal to itself."""
    return _folded(text) == "nan"


def _same_texts(given: str, gold: str) -> bool | None:
    """Decide by the texts; None where they are figures that differ in writing."""
    if is_no_number(given) or is_no_number(gold):
        return False
    if given == gold:
        return bool(gold)
    if max(len(given), len(gold)) > MAX_LENGTH:
        return False
    if _is_words(given) or _is_words(gold):
        return _folded(given) == _folded(gold)
    option = _OPTION.match(given) or _OPTION.match(gold)
    return option[1] in (given, gold) if option and min(len(given), len(gold)) == 1 else None


def _same_figures(given: Scalar, gold: Scalar) -> bool | None:
    """Decide by the values; None where they do not tell."""
    if given.quantity.contradicts(gold.quantity) or given.out_of_bounds or gold.out_of_bounds:
        return _same(given.product, gold.product) is True
    if given.value is None or gold.value is None:
        return None
    verdicts = [_same(_times(given.value, factor), gold.value) for factor in _factors(given, gold)]
    if True in verdicts or _same(given.product, gold.product):
        return True
    return None if None in verdicts else False


def _factors(given: Scalar, gold: Scalar) -> list[Fraction]:
    r"""Return what the given figure may be multiplied by before it is compared with the gold's.

    A percent sign may be left out on either side: `50\%` is 50 as well as 0.5. Only a gold below one
    is no percentage, so that 0.5 is not `0.5\%`.
    """
    scale = Fraction(given.quantity.scale, gold.quantity.scale)
    if given.quantity.percent == gold.quantity.percent:
        return [scale]
    if gold.quantity.percent:
        return [scale, 100 * scale]
    value = gold.value.rational if gold.value else None
    return [scale / 100] if value is None or abs(value) < 1 else [scale / 100, scale]


def _times(value: Quotient, factor: Fraction) -> Quotient:
    return value if factor == 1 else value * constant(factor)


def _same(one: Quotient | None, other: Quotient | None) -> bool | None:
    """Whether two values are equal; None where they were not worked out to the end."""
    if one is None or other is None:
        return None
    try:
        if one.equals(other):
            return True
    except (UnclearError, OutOfBoundsError):
        return None
    return None if one.is_opaque or other.is_opaque else False


def _is_words(text: str) -> bool:
    words = _WORD.findall(text) if _IN_WORDS.fullmatch(text) else []
    return any(word.lower() not in NAMES for word in words)


def _folded(text: str) -> str:
    """Return words without case, punctuation and a leading article."""
    return _ARTICLE.sub("", " ".join(re.findall(r"\w+", text.casefold())), count=1)


def _are_worth_asking(given: Scalar, gold: Scalar) -> bool:
    return _factors(given, gold) == [1] and _is_maths(given.text) and _is_maths(gold.text)


def _is_maths(text: str) -> bool:
    """Whether *text* is well-formed maths and nothing of prose."""
    if len(text) > MAX_ASKED or not _MATHS.search(text) or _NO_MATHS.search(text):
        return False
    prose = any(len(word) >= SHORTEST_WORD and word.lower() not in NAMES for word in _WORD.findall(text))
    return not prose and all(text.count(pair[0]) == text.count(pair[1]) for pair in ("{}", "()", "[]"))
