"""What is known of a figure in two runs over the same examples."""

from dataclasses import dataclass
from math import nan

from pytest_context_bench.regression.plan import Plan
from pytest_context_bench.stats.evidence import Evidence

ALPHA = 0.05


@dataclass(frozen=True)
class Comparison:
    """A figure of two runs over the same *n* examples; all but *n* is in the unit of the figure, or a share.

    *low* and *high* bound the *difference*, current minus baseline, each at 1 - *alpha*: together they are a
    two-sided interval at *level*. *p_value* is one-sided, against "no worse than *margin*", and below *alpha*
    exactly where the bounds leave that out. *detectable* is the least drop that so many examples show with
    80 % power, None where they show none; *needed* is how many would decide, None where it is decided or no
    number would do. A difference that is NaN says nothing.
    """

    n: int
    baseline: float
    current: float
    difference: float
    low: float = nan
    high: float = nan
    p_value: float = 1.0
    detectable: float | None = None
    needed: int | None = None
    margin: float = 0.0
    alpha: float = ALPHA
    higher_is_better: bool = True

    @property
    def level(self) -> float:
        """The confidence level of the interval from *low* to *high*."""
        return 1 - 2 * self.alpha

    @property
    def drop(self) -> float:
        """How much worse the current run is; below 0 where it is better."""
        return 0.0 - self.difference if self.higher_is_better else self.difference  # never -0.0

    @property
    def least_drop(self) -> float:
        """What the drop is at least, at 1 - alpha."""
        return 0.0 - self.high if self.higher_is_better else self.low

    @property
    def greatest_drop(self) -> float:
        """What the drop is at most, at 1 - alpha."""
        return 0.0 - self.low if self.higher_is_better else self.high


def known(
    baseline: float, current: float, evidence: Evidence, plan: Plan, *, higher_is_better: bool
) -> Comparison:
    """Return the comparison that *evidence*, in which higher is better, and *plan* make."""
    difference = current - baseline
    gain = difference if higher_is_better else -difference
    return Comparison(
        n=plan.n,
        baseline=baseline,
        current=current,
        difference=difference,
        low=evidence.low if higher_is_better else 0.0 - evidence.high,  # never -0.0
        high=evidence.high if higher_is_better else 0.0 - evidence.low,
        p_value=evidence.p_value,
        detectable=plan.detectable(),
        needed=plan.needed(gain, evidence),
        margin=plan.margin,
        alpha=plan.alpha,
        higher_is_better=higher_is_better,
    )


def unknown(n: int, baseline: float, current: float, alpha: float, *, higher_is_better: bool) -> Comparison:
    """Return the comparison that tells nothing: no example is in both runs, or a figure is no number."""
    return Comparison(n, baseline, current, nan, alpha=alpha, higher_is_better=higher_is_better)
