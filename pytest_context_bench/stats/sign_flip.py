"""The sign-flip permutation test of paired differences.

Where two runs are of the same system, each difference could as well have had the other sign: how many of
the ways to choose the signs give a sum as low as the observed one? The order of the differences never shows.
"""

import random
from bisect import bisect_right
from collections.abc import Iterable
from operator import getitem

EXACT = 30  # differences other than 0 up to which every choice of signs is counted
RESAMPLES = 9_999
_CHUNK = 8  # signs that one random byte chooses


def sign_flip(differences: Iterable[float], *, seed: int = 0, resamples: int = RESAMPLES) -> float:
    """Return the one-sided p-value against "the differences are symmetric about 0": small where they are low.

    It is exact for few differences that are not 0. For more it is (k + 1) / (m + 1), where k of m random
    choices are as low (Phipson and Smyth 2010, Statistical Applications in Genetics 9:39).
    """
    changed = sorted(value for value in differences if value)
    slack = 1e-12 * sum(map(abs, changed))  # sums that are equal but for their rounding are as low
    limit = sum(changed) + slack
    if len(changed) <= EXACT:
        return _count(changed, limit) / (1 << len(changed))
    return (_drawn(changed, limit, seed, resamples) + 1) / (resamples + 1)


def _count(values: list[float], limit: float) -> int:
    """Return how many choices of signs give at most *limit*: the sums of one half meet those of the other."""
    half = len(values) // 2
    others = sorted(_sums(values[half:]))
    return sum(bisect_right(others, limit - one) for one in _sums(values[:half]))


def _drawn(values: list[float], limit: float, seed: int, resamples: int) -> int:
    """Return how many of the random choices of signs give at most *limit*."""
    padded = [*values, *[0.0] * (-len(values) % _CHUNK)]
    tables = [_sums(padded[at : at + _CHUNK]) for at in range(0, len(padded), _CHUNK)]
    rng = random.Random(seed)  # noqa: S311 - a resample, not a secret
    return sum(sum(map(getitem, tables, rng.randbytes(len(tables)))) <= limit for _ in range(resamples))


def _sums(values: list[float]) -> list[float]:
    """Return the sums of *values* with every choice of signs."""
    sums = [0.0]
    for value in values:
        sums = [total + signed for total in sums for signed in (value, -value)]
    return sums
