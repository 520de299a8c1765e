"""Exact arithmetic on what answers are made of: rationals, square roots, the imaginary unit and symbols.

A value is a quotient of polynomials. Square roots of integers are kept square-free, so that equal polynomials
have equal terms. Symbols that start with `@` stand for what is not worked out (`sin x`, a cube root).
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from math import isqrt

from pytest_context_bench.scoring.latex.polynomials import (
    MAX_BITS,
    UNIT,
    OutOfBoundsError,
    Terms,
    add,
    bits,
    multiply,
)

OPAQUE = "@"
MAX_EXPONENT = 10_000
MAX_DIVISOR = 1_000
LONGEST_NAME = 200


@dataclass(frozen=True)
class Quotient:
    """One polynomial over another."""

    top: Terms
    bottom: Terms

    @cached_property
    def rational(self) -> Fraction | None:
        """The value as a fraction, where it is one."""
        if not self.top:
            return Fraction(0)
        if self.top.keys() == {UNIT} == self.bottom.keys():
            return self.top[UNIT] / self.bottom[UNIT]
        return None

    @cached_property
    def is_opaque(self) -> bool:
        """Whether something was not worked out: then being unequal proves nothing."""
        terms = (*self.top, *self.bottom)
        return any(name.startswith(OPAQUE) for _, powers in terms for name, _ in powers)

    def __add__(self, other: "Quotient") -> "Quotient":
        if self.bottom == other.bottom:
            return Quotient(add(self.top, other.top), self.bottom)
        top = add(multiply(self.top, other.bottom), multiply(other.top, self.bottom))
        return Quotient(top, multiply(self.bottom, other.bottom))

    def __mul__(self, other: "Quotient") -> "Quotient":
        return Quotient(multiply(self.top, other.top), multiply(self.bottom, other.bottom))

    def __truediv__(self, other: "Quotient") -> "Quotient":
        return self * _inverse(other)

    def __neg__(self) -> "Quotient":
        return self * constant(-1)

    def __sub__(self, other: "Quotient") -> "Quotient":
        return self + -other

    def __str__(self) -> str:
        """Write the value so that equal polynomials look equal."""
        return "/".join(str(sorted(terms.items())) for terms in (self.top, self.bottom))

    def equals(self, other: "Quotient") -> bool:
        """Whether the two are equal as far as worked out."""
        return multiply(self.top, other.bottom) == multiply(other.top, self.bottom)

    def is_proportional(self, other: "Quotient") -> bool:
        """Whether the two differ by a rational factor other than zero."""
        mine, theirs = multiply(self.top, other.bottom), multiply(other.top, self.bottom)
        if mine.keys() != theirs.keys():
            return False
        return len({mine[term] / theirs[term] for term in mine}) <= 1

    def power(self, exponent: "Quotient") -> "Quotient":
        """Raise to *exponent*: worked out for integers, and for halves under rational numbers."""
        exact = exponent.rational
        if exact is not None and exact.denominator == 1:
            return _integer_power(self, int(exact))
        if exact is not None and (2 * exact).denominator == 1 and self.rational is not None:
            return _integer_power(square_root(self), exact.numerator)
        return opaque(f"power({self},{exponent})")


def constant(value: int | Fraction) -> Quotient:
    """Return a rational number."""
    return Quotient({UNIT: Fraction(value)} if value else {}, {UNIT: Fraction(1)})


def symbol(name: str) -> Quotient:
    """Return a symbol."""
    return Quotient({(1, ((name, 1),)): Fraction(1)}, {UNIT: Fraction(1)})


def opaque(description: str) -> Quotient:
    """Return a symbol for what is not worked out; a digest stands for a long *description*."""
    if len(description) > LONGEST_NAME:  # descriptions nest, and would grow without bound
        description = sha256(description.encode()).hexdigest()
    return symbol(OPAQUE + description)


def square_root(radicand: Quotient) -> Quotient:
    """Return the principal square root: worked out for rational numbers."""
    value = radicand.rational
    if value is None:
        return opaque(f"root({radicand})")
    parts = _square_free(abs(value.numerator * value.denominator))
    if parts is None:
        return opaque(f"root({value})")
    outside, inside = parts
    term = (inside if value > 0 else -inside, ())
    return Quotient({term: Fraction(outside, value.denominator)} if inside else {}, {UNIT: Fraction(1)})


def _square_free(number: int) -> tuple[int, int] | None:
    """Split *number* into (a, b) with number = a²b and b free of squares; None where that takes long."""
    outside = inside = 1
    for divisor in range(2, MAX_DIVISOR + 1):
        if divisor * divisor > number:
            break
        while number % (divisor * divisor) == 0:
            number //= divisor * divisor
            outside *= divisor
        if number % divisor == 0:
            number //= divisor
            inside *= divisor
    root = isqrt(number)
    if root * root == number:
        return outside * root, inside if number else 0
    # Every prime factor left is above the bound, and a hidden square takes three of them.
    return (outside, inside * number) if number < MAX_DIVISOR**3 else None


def _integer_power(value: Quotient, exponent: int) -> Quotient:
    if exponent < 0:
        return constant(1) / _integer_power(value, -exponent)
    if exponent > MAX_EXPONENT or exponent * max(bits(value.top), bits(value.bottom)) > MAX_BITS:
        raise OutOfBoundsError
    result, square = constant(1), value
    while exponent:
        if exponent % 2:
            result = result * square
        exponent //= 2
        square = square * square if exponent else square
    return result


def _inverse(value: Quotient) -> Quotient:
    if not value.top:
        raise OutOfBoundsError
    if len(value.top) > 1:
        return Quotient(value.bottom, value.top)
    (((radicand, powers), factor),) = value.top.items()
    # A single term leaves its root and factor behind: 1/√3 is √3/3.
    raised = multiply(value.bottom, {(radicand, ()): 1 / (factor * radicand)})
    return Quotient(raised, {(1, powers): Fraction(1)})
