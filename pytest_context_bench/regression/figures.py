"""Compares figures that are no mean, such as a percentile or a ratio of sums."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from math import isfinite, isnan, nan, sqrt

from pytest_context_bench.regression.comparison import ALPHA, Comparison, known, unknown
from pytest_context_bench.regression.plan import Plan
from pytest_context_bench.stats.bootstrap import RESAMPLES, Example, Rows, bootstrap, rows, swap_test
from pytest_context_bench.stats.evidence import Evidence, checked

MANY = 1_000  # examples
FEW = 99  # resamples


@dataclass(frozen=True)
class Figure:
    """A figure as a function of the indexes of rows, and the *bound* that the baseline's sets.

    One that is *steady* is about the same for fewer rows of the same kind, as no sum is.
    """

    of: Callable[[Rows], float]
    bound: Callable[[float], float] = float
    higher_is_better: bool = True
    steady: bool = False

    def gain(self, old: Rows, new: Rows) -> float:
        """Return by how much the figure of rows *new* is better than that of rows *old*."""
        return self.better(self.of(new), self.of(old))

    def spare(self, old: Rows, new: Rows) -> float:
        """Return by how much the figure of rows *new* is better than the bound that rows *old* set."""
        return self.better(self.of(new), self.bound(self.of(old)))

    def better(self, one: float, other: float) -> float:
        """Return by how much *one* is better than *other*."""
        return one - other if self.higher_is_better else other - one


def compare_figures(
    examples: Mapping[Hashable, Example],
    figure: Figure,
    *,
    alpha: float = ALPHA,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare a *figure* of the *examples*, each with its rows in the baseline and in the current run.

    The margin is what lies between the baseline's figure and the bound that it sets; an infinite one sets
    none. Examples without rows on either side are left out. The order of examples never shows.

    Of more than MANY examples a resample draws as many if the figure is steady, and else there are fewer
    resamples; so many tell the same by themselves as with runs swapped.
    """
    whole = [examples[key] for key in sorted(examples, key=repr) if examples[key][0] and examples[key][1]]
    baseline, current = map(figure.of, rows(whole)) if whole else (nan, nan)
    margin = figure.better(baseline, figure.bound(baseline)) if isfinite(baseline) else 0.0
    if isnan(current - baseline) or isnan(margin):
        return unknown(len(whole), baseline, current, alpha, higher_is_better=figure.higher_is_better)
    many = len(whole) > MANY
    times = min(resamples, FEW) if many and not figure.steady else resamples
    most = MANY if figure.steady else None
    found = bootstrap(whole, figure.spare, alpha=alpha, seed=seed, resamples=times, most=most)
    swaps = partial(swap_test, gain=figure.gain, seed=seed, resamples=resamples)
    evidence = checked(
        Evidence(found.p_value, found.low - margin, found.high - margin),
        lambda: 0.0 if many else swaps(whole),
        lambda: 0.0 if many else swaps([(new, old) for old, new in whole]),
        margin,
        alpha,
    )
    plan = Plan(len(whole), found.error * sqrt(len(whole)), margin, alpha)
    return known(baseline, current, evidence, plan, higher_is_better=figure.higher_is_better)
