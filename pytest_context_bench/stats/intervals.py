"""Intervals for a mean and for a rate, also where an example was run several times.

Runs of one example are a cluster: they tell less than as many examples would.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from pytest_context_bench.stats.descriptive import mean, total
from pytest_context_bench.stats.distributions import normal_ppf, t_ppf

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A figure and its two-sided interval; the bounds are NaN where the data tell none."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the distance between the bounds."""
        return (self.high - self.low) / 2

    @property
    def reach(self) -> float:
        """The distance of the farther bound: what stands behind a plus-minus, lest that promise too much.

        Wilson's interval is not symmetric: of 100 passes in 100, it goes from 0.963 to 1.
        """
        return max(self.high - self.value, self.value - self.low)


def t_interval(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, level: float = LEVEL
) -> Interval:
    """Return the mean of *values* with Student's interval; *clusters* names the example of each value.

    It has one degree of freedom less than there are clusters. One cluster alone tells no bounds, nor do
    values that are not finite; values that are all alike have bounds equal to their mean.
    """
    if not values:
        return Interval(math.nan, math.nan, math.nan)
    if clusters is None:
        count, variance = len(values), variance_of_single(values)
    else:
        groups = grouped(values, clusters)
        count, variance = len(groups), variance_of_mean(groups)
    center = mean(values)
    half = t_ppf((1 + level) / 2, count - 1) * math.sqrt(variance)
    return Interval(center, center - half, center + half)


def wilson(passing: float, n: float, level: float = LEVEL) -> Interval:
    """Return the rate *passing* / *n* with the score interval of Wilson (1927), JASA 22:209-212.

    NaN where nothing was counted or *passing* is not between 0 and *n*.
    """
    return _wilson(passing / n if 0 < n < math.inf else math.nan, n, level)


def clustered_wilson(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, level: float = LEVEL
) -> Interval:
    """Return the rate of *values*, each 0 or 1, with Wilson's interval for the effective number of them.

    Without repeats it is Wilson's own. NaN where a value is outside [0, 1].
    """
    if not values or not all(0 <= value <= 1 for value in values):
        return _wilson(math.nan, 0, level)
    size = len(values) if clusters is None else effective_size(grouped(values, clusters), level)
    return _wilson(mean(values), size, level)


def _wilson(rate: float, n: float, level: float) -> Interval:
    if not 0 <= rate <= 1:
        return Interval(math.nan, math.nan, math.nan)
    share = normal_ppf((1 + level) / 2) ** 2 / n
    center = (rate + share / 2) / (1 + share)
    half = math.sqrt(share * (rate * (1 - rate) + share / 4)) / (1 + share)
    return Interval(rate, center - half if rate > 0 else 0.0, center + half if rate < 1 else 1.0)


def effective_size(groups: Sequence[Sequence[float]], level: float = LEVEL) -> float:
    """Return as how many independent values the clustered ones count for a rate.

    It is their number over the design effect: the variance of the mean beside that of as many independent
    values, not taken below 1 (Kish 1965; with Wilson's interval Franco et al. 2019, Journal of Survey
    Statistics and Methodology 7:334-364). Where the runs tell more than as many examples, that is estimated
    from the few examples, and corrected for it as in Korn and Graubard (1998), Survey Methodology 24:193-201.
    Values that are all alike tell nothing of their dependence: each cluster counts as one.
    """
    values, clusters = list(chain.from_iterable(groups)), len(groups)
    spread = mean(values) * (1 - mean(values))
    if clusters in (1, len(values)) or not spread:
        return float(clusters)
    effect = variance_of_mean(groups) * (clusters - 1) / clusters * len(values) / spread
    size = len(values) / max(1.0, effect)
    if size <= clusters:
        return max(1.0, size)
    p = (1 + level) / 2
    return max(float(clusters), size * (t_ppf(p, size - 1) / t_ppf(p, clusters - 1)) ** 2)


def variance_of_mean(groups: Sequence[Sequence[float]]) -> float:
    """Return the squared standard error of the mean over all values of *groups*; NaN for one group.

    The mean is a ratio, of the groups' sums to their sizes: Cochran (1977), Sampling Techniques, section 6.3;
    for evaluations of language models Miller (2024), arXiv:2411.00640. With one value a group it is the
    variance over n.
    """
    center = mean(list(chain.from_iterable(groups)))
    if len(groups) == 1 or not math.isfinite(center):
        return math.nan
    residuals = [total(value - center for value in group) for group in groups]
    squares = total(residual * residual for residual in residuals)
    return squares * len(groups) / (len(groups) - 1) / sum(map(len, groups)) ** 2


def variance_of_single(values: Sequence[float]) -> float:
    """Return the squared standard error of the mean where each of *values* is a group of its own."""
    center, count = mean(values), len(values)
    if count == 1 or not math.isfinite(center):
        return math.nan
    return total((value - center) ** 2 for value in values) * count / (count - 1) / count**2


def grouped(values: Iterable[float], clusters: Iterable[Hashable]) -> list[list[float]]:
    """Return *values* by cluster."""
    groups: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        groups.setdefault(cluster, []).append(value)
    return list(groups.values())
