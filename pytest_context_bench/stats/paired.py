"""Tests of whether a run is worse than another over the same examples.

Higher is better, differences are current minus baseline, and p-values are one-sided: small where the
current run is worse.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import sub

from pytest_context_bench.stats.descriptive import mean
from pytest_context_bench.stats.distributions import binomial_tail, t_cdf, t_ppf
from pytest_context_bench.stats.intervals import variance_of_single

ROUNDING = 1e-12
Pair = tuple[Sequence[float], Sequence[float]]
"""The values of one example: those of its runs in the baseline, and those in the current run."""


def mcnemar(lost: int, gained: int) -> float:
    """Return the p-value of the exact test against "as many pairs are gained as lost"; no mid-p."""
    return binomial_tail(lost, lost + gained)


def mcnemar_two_sided(lost: int, gained: int) -> float:
    """Return that p-value where a change for the better counts too."""
    return min(1.0, 2 * binomial_tail(max(lost, gained), lost + gained))


@dataclass(frozen=True)
class PairedMeans:
    """The means of both runs, and the *differences* of which theirs is the mean, one an example."""

    baseline: float
    current: float
    differences: tuple[float, ...]

    @property
    def difference(self) -> float:
        """The current mean minus the baseline's."""
        return self.current - self.baseline

    @cached_property
    def lost(self) -> int:
        """The number of examples that are worse."""
        return sum(difference < 0 for difference in self.differences)

    @cached_property
    def gained(self) -> int:
        """The number of examples that are better."""
        return sum(difference > 0 for difference in self.differences)

    @property
    def changed(self) -> int:
        """The number of examples that differ."""
        return self.lost + self.gained

    @cached_property
    def error(self) -> float:
        """The standard error of the difference; NaN for one example."""
        return math.sqrt(variance_of_single(self.differences))

    @property
    def deviation(self) -> float:
        """The standard deviation of the differences; 0 for one example."""
        return self.error * math.sqrt(len(self.differences)) if len(self.differences) > 1 else 0.0

    def mirrored(self) -> "PairedMeans":
        """Return the same where lower is better."""
        mirror = tuple(-difference for difference in self.differences)
        return PairedMeans(-self.baseline, -self.current, mirror)


def paired_means(pairs: Iterable[Pair]) -> PairedMeans:
    """Return the means over all values of the *pairs*; one without values on either side is none.

    Where every example was run equally often, its difference is that of its means. Elsewhere each mean is a
    ratio of sums, as in `variance_of_mean`, and the differences are the linear approximation of theirs.
    """
    whole = [pair for pair in pairs if pair[0] and pair[1]]
    if not whole:
        return PairedMeans(math.nan, math.nan, ())
    baseline, of_baseline = _contributions([values for values, _ in whole])
    current, of_current = _contributions([values for _, values in whole])
    return PairedMeans(baseline, current, tuple(map(sub, of_current, of_baseline)))


def t_test(means: PairedMeans, margin: float = 0.0) -> float:
    """Return the p-value of Student's paired t against "the difference is -*margin* or better".

    NaN for one example. Where the differences are all alike there is no doubt: 0 or 1.
    """
    excess, error = means.difference + margin, means.error
    if abs(excess) <= ROUNDING:
        excess = 0.0  # 0.75 - 0.8 is no more than a margin of 0.05
    t = excess / error if error else math.copysign(math.inf, excess)
    return t_cdf(t, len(means.differences) - 1)


def t_bounds(means: PairedMeans, alpha: float) -> tuple[float, float]:
    """Return the least and the greatest difference that the test does not reject, each at *alpha*."""
    half = t_ppf(1 - alpha, len(means.differences) - 1) * means.error
    return means.difference - half, means.difference + half


def _contributions(groups: Sequence[Sequence[float]]) -> tuple[float, list[float]]:
    """Return the mean over all values, and what each group contributes: numbers with the same mean."""
    center, size = mean(list(chain.from_iterable(groups))), sum(map(len, groups))
    shares = [len(groups) * len(group) / size for group in groups]  # 1 where all are of one size
    return center, [
        share * mean(group) - (share - 1) * center for share, group in zip(shares, groups, strict=True)
    ]
