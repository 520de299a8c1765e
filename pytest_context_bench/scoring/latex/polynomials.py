"""Adds and multiplies polynomials in symbols and square roots, within bounds."""

from collections.abc import Mapping
from fractions import Fraction
from math import gcd
from typing import TypeAlias

# A term is a square-free integer under the root (-1 is the imaginary unit) and powers of symbols.
Term: TypeAlias = tuple[int, tuple[tuple[str, int], ...]]
Terms: TypeAlias = Mapping[Term, Fraction]

UNIT: Term = (1, ())
MAX_TERMS = 60
MAX_BITS = 2_000  # some 600 digits: Python can be told to print no more than 640


class UnclearError(ValueError):
    """What is written cannot be worked out here."""


class OutOfBoundsError(ArithmeticError):
    """A figure beyond any answer worth comparing, or none at all: a division by zero."""


def add(left: Terms, right: Terms) -> Terms:
    """Return the sum."""
    total = dict(left)
    for term, factor in right.items():
        total[term] = total.get(term, Fraction(0)) + factor
    return _bounded(total)


def multiply(left: Terms, right: Terms) -> Terms:
    """Return the product."""
    total: dict[Term, Fraction] = {}
    for one, first in left.items():
        for other, second in right.items():
            factor, term = _multiply_terms(one, other)
            total[term] = total.get(term, Fraction(0)) + factor * first * second
    return _bounded(total)


def bits(terms: Terms) -> int:
    """Return how long the longest figures are."""
    return max((_length(term, factor) for term, factor in terms.items()), default=0)


def _multiply_terms(one: Term, other: Term) -> tuple[int, Term]:
    """Return a factor and a term: √6 times √10 is 2 times √15."""
    shared = gcd(one[0], other[0])
    both_imaginary = one[0] < 0 and other[0] < 0
    radicand = (one[0] // shared) * (other[0] // shared)
    powers = dict(one[1])
    for name, exponent in other[1]:
        powers[name] = powers.get(name, 0) + exponent
    return -shared if both_imaginary else shared, (radicand, tuple(sorted(powers.items())))


def _length(term: Term, factor: Fraction) -> int:
    return (abs(factor.numerator) * factor.denominator * abs(term[0])).bit_length() - 1


def _bounded(terms: dict[Term, Fraction]) -> Terms:
    kept = {term: factor for term, factor in terms.items() if factor}
    if len(kept) > MAX_TERMS:
        raise UnclearError
    if bits(kept) > MAX_BITS:
        raise OutOfBoundsError
    return kept
