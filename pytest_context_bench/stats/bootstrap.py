"""Resampling of whole examples, for figures that are no mean: percentiles, ratios of sums.

Rows are indexes into one list that holds those of both runs. An example has its rows of the baseline and
those of the current run; a gain says how much better the second rows are than the first.
"""

import random
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf, isfinite, isnan, nan, sqrt
from statistics import pstdev

from pytest_context_bench.stats.descriptive import mean
from pytest_context_bench.stats.distributions import t_cdf
from pytest_context_bench.stats.power import fewest

Rows = Sequence[int]
Example = tuple[Rows, Rows]
Gain = Callable[[Rows, Rows], float]
RESAMPLES = 499


@dataclass(frozen=True)
class Resampled:
    """The p-value against "the gain is 0 or more", its bounds at alpha each, and its standard error."""

    p_value: float
    low: float
    high: float
    error: float


def bootstrap(
    examples: Sequence[Example],
    gain: Gain,
    *,
    alpha: float,
    seed: int = 0,
    resamples: int = RESAMPLES,
    most: int | None = None,
) -> Resampled:
    """Draw *examples* anew, with replacement, and take the percentile bounds of the *gain*.

    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13. The p-value is below *alpha*
    exactly where the upper bound is below 0. Fewer examples than a sign test needs prove nothing. A gain that
    is NaN speaks for neither side. Of more than *most* examples each resample draws so many, and what it is
    off by is taken for as much less as it would be of all (Bickel, Goetze and van Zwet 1997, Statistica
    Sinica 7:1-31): that is for gains that do not grow with the number of examples.
    """
    count = len(examples)
    if count < fewest(alpha):
        return Resampled(1.0, -inf, inf, nan)
    size = count if most is None else min(count, most)
    rng = random.Random(seed)  # noqa: S311 - a resample, not a secret
    gains = _gains(examples, gain, (rng.choices(range(count), k=size) for _ in range(resamples)))
    if size < count:
        gains = _shrunk(gains, gain(*rows(examples)), sqrt(size / count))
    allowed = sum((number + 1) / (resamples + 1) < alpha for number in range(resamples)) - 1
    lows = sorted(-inf if isnan(value) else value for value in gains)
    highs = sorted(inf if isnan(value) else value for value in gains)
    reached = resamples - bisect_left(highs, 0)
    finite = [value for value in gains if isfinite(value)]
    return Resampled(
        p_value=_tail(gains, reached, count) if allowed >= 0 else (reached + 1) / (resamples + 1),
        low=lows[allowed] if allowed >= 0 else -inf,
        high=highs[-1 - allowed] if allowed >= 0 else inf,
        error=pstdev(finite) if finite else nan,
    )


def swap_test(examples: Sequence[Example], gain: Gain, *, seed: int = 0, resamples: int = RESAMPLES) -> float:
    """Return the one-sided p-value against "either run could have been the other": small for a low *gain*.

    Each resample swaps the runs of half the examples, drawn at random: the permutation test of any figure, as
    sign flips are that of a mean. It is valid for however few examples, which the bootstrap is not.
    """
    observed, rng = gain(*rows(examples)), random.Random(seed)  # noqa: S311 - a resample, not a secret
    both = [*examples, *((new, old) for old, new in examples)]
    gains = _gains(both, gain, (_swaps(len(examples), rng) for _ in range(resamples)))
    centered = [observed - value for value in gains]
    return _tail(centered, sum(not value < 0 for value in centered), len(examples))


def _tail(gains: Sequence[float], reached: int, count: int) -> float:
    """Return the p-value where *reached* of the *gains*, of so many examples, are 0 or more.

    Where none is, so many resamples cannot tell how small it is; it is then the tail of Student's t with
    their spread. Else of many comparisons none could ever be proven.
    """
    p = (reached + 1) / (len(gains) + 1)
    if reached or not all(map(isfinite, gains)):
        return p
    error = pstdev(gains)
    return min(p, t_cdf(mean(gains) / error, count - 1)) if error else p


def _shrunk(gains: Sequence[float], whole: float, factor: float) -> list[float]:
    """Return *gains* nearer to that of the *whole*, if there is one."""
    return [whole + (value - whole) * factor for value in gains] if isfinite(whole) else list(gains)


def rows(examples: Sequence[Example]) -> Example:
    """Return all rows of the baseline, and all of the current run."""
    return _picker(examples, 0)(range(len(examples))), _picker(examples, 1)(range(len(examples)))


def _swaps(count: int, rng: random.Random) -> list[int]:
    """Return places of *count* examples, each drawn as it is or from a second half where it is swapped."""
    return [place + count * (byte & 1) for place, byte in enumerate(rng.randbytes(count))]


def _gains(examples: Sequence[Example], gain: Gain, draws: Iterable[Sequence[int]]) -> list[float]:
    """Return the gain in each of the *draws* of places of *examples*."""
    old, new = _picker(examples, 0), _picker(examples, 1)
    return [gain(old(places), new(places)) for places in draws]


def _picker(examples: Sequence[Example], side: int) -> Callable[[Sequence[int]], Rows]:
    """Return what gathers the rows that one side of the examples has at given places."""
    groups = [example[side] for example in examples]
    if all(len(group) == 1 for group in groups):  # as always without repeats: three times as fast
        single = [row for (row,) in groups]
        return lambda places: list(map(single.__getitem__, places))
    return lambda places: list(chain.from_iterable(map(groups.__getitem__, places)))
