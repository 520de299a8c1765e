"""Exact summary statistics: the order of the values never shows."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain
from math import fsum, inf, isfinite, isnan, nan


def mean(values: Sequence[float]) -> float:
    """Return the correctly rounded mean of one or more *values*: ten rows of 0.1 do not miss a bound of 0.1.

    One NaN makes it NaN, as do infinities of both signs.
    """
    if len(values) == 1:
        return float(values[0])
    unbounded = [value for value in values if not isfinite(value)]
    if unbounded:
        return float(sum(unbounded))
    return float(_sum(values) / len(values))


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the *percent*-th percentile of one or more *values*, interpolated linearly (numpy's default).

    It is correctly rounded; one NaN makes it NaN.
    """
    if any(map(isnan, values)):
        return nan  # NaN has no place in an order
    ordered = sorted(values)
    index, rest = divmod((len(ordered) - 1) * percent, 100)
    low, high = float(ordered[index]), float(ordered[index + 1] if rest else ordered[index])
    if low == high or not (isfinite(low) and isfinite(high)):
        return low if low == high else low + high
    return float((Fraction(low) * (100 - rest) + Fraction(high) * rest) / 100)


def total(values: Iterable[float]) -> float:
    """Return the correctly rounded sum; infinite where it is more than a float can hold."""
    try:
        return fsum(values)
    except OverflowError:
        return inf


def _sum(values: Sequence[float]) -> Fraction:
    """Return the exact sum: `fsum` rounds it, then tells what the rounding left, until nothing is left."""
    parts: list[float] = []
    try:
        while rest := fsum(chain(values, (-part for part in parts))):
            parts.append(rest)
    except OverflowError:
        return sum(map(Fraction, values), Fraction())
    return sum(map(Fraction, parts), Fraction())
