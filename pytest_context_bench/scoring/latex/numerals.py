"""Reads numerals, and works out what is only defined for natural numbers."""

from fractions import Fraction
from math import comb, factorial

from pytest_context_bench.scoring.latex.algebra import Quotient, constant
from pytest_context_bench.scoring.latex.polynomials import OutOfBoundsError, UnclearError

MAX_DIGITS = 600
MAX_FACTORIAL = 200


def decimal(token: str) -> Fraction:
    """Return the value of digits with a point and an exponent."""
    mantissa, _, exponent = token.lower().partition("e")
    if len(mantissa) > MAX_DIGITS or len(exponent) > len(str(MAX_DIGITS)) + 1:
        raise OutOfBoundsError
    if abs(int(exponent or 0)) > MAX_DIGITS:
        raise OutOfBoundsError
    return Fraction(mantissa) * Fraction(10) ** int(exponent or 0)


def repeating(token: str, digits: str) -> Fraction:
    """Return what *digits* under a line add to the decimal *token* before them."""
    whole, point, places = token.partition(".")
    if not (whole.isdigit() and point and digits.isdigit()):
        raise UnclearError
    if len(places) + len(digits) > MAX_DIGITS:
        raise OutOfBoundsError
    return Fraction(int(digits), (10 ** len(digits) - 1) * 10 ** len(places))


def factorial_of(value: Quotient) -> Quotient:
    """Return the factorial."""
    return constant(factorial(_natural(value)))


def binomial(upper: Quotient, lower: Quotient) -> Quotient:
    """Return the binomial coefficient."""
    return constant(comb(_natural(upper), _natural(lower)))


def _natural(value: Quotient) -> int:
    if value.rational is None or value.rational.denominator != 1 or value.rational < 0:
        raise UnclearError
    if value.rational > MAX_FACTORIAL:
        raise OutOfBoundsError
    return int(value.rational)
