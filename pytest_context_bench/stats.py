"""Exact summary statistics: the order of the values never shows."""

from collections.abc import Sequence
from itertools import chain, repeat
from math import fsum, isfinite


def mean(values: Sequence[float]) -> float:
    """Return the correctly rounded mean of one or more *values*.

    The sum is rounded exactly, but dividing rounds a second time: ten rows of 0.1 must not miss a bound
    of 0.1. The remainder, again summed exactly, takes that second rounding back.
    """
    count = len(values)
    first = fsum(values) / count
    if not isfinite(first):
        return first
    return first + fsum(chain(values, repeat(-first, count))) / count


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the *percent*-th percentile of one or more *values*, interpolated linearly (numpy's default)."""
    ordered = sorted(values)
    index, rest = divmod((len(ordered) - 1) * percent, 100)
    if rest == 0:
        return ordered[index]
    return ordered[index] + (ordered[index + 1] - ordered[index]) * rest / 100
