"""What two runs over the same examples prove, by every test that must agree.

Higher is better. A p-value is below alpha exactly where the upper bound is below -margin, so that the two
never contradict each other.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import neg

from pytest_context_bench.stats import tango
from pytest_context_bench.stats.paired import PairedMeans, mcnemar, t_bounds, t_test
from pytest_context_bench.stats.power import fewest
from pytest_context_bench.stats.sign_flip import sign_flip

ENOUGH = 1_000  # changes from which on sign flips agree with the t test, but for what resampling leaves open


@dataclass(frozen=True)
class Evidence:
    """The one-sided p-value against "no worse than the margin", and bounds of the difference, each at alpha.

    Together the bounds are a two-sided interval at level 1 - 2 alpha.
    """

    p_value: float
    low: float
    high: float


def of_rates(lost: int, gained: int, n: int, margin: float, alpha: float) -> Evidence:
    """Return what *lost* and *gained* pairs of *n* prove.

    It is McNemar's exact test without a margin, and Tango's score test with one, where McNemar's must prove a
    loss too. The bounds are Tango's, and hold 0 where McNemar's test proves nothing.
    """
    loss, gain = mcnemar(lost, gained), mcnemar(gained, lost)
    p = tango.p_worse(lost, gained, n, margin) if margin else loss
    found = Evidence(max(p, loss) if margin > 0 else p, *tango.bounds(lost, gained, n, alpha))
    return _agreeing(_with_zero(found, loss, gain, alpha), margin, alpha)


def of_means(means: PairedMeans, margin: float, alpha: float, reach: float, seed: int = 0) -> Evidence:
    """Return what the differences of *means* prove; *reach* is the most that one example can change.

    It is Student's paired t, which few changes deceive: a loss or gain is not proven that the sign-flip
    test does not prove too. Where fewer examples changed than that test needs, their spread says nothing of
    changes that did not show; the bounds are then those for a loss of *reach* that none of n examples
    showed, 1 - alpha^(1/n) for each side, about 3/n (Hanley and Lippman-Hand 1983, JAMA 249:1743).
    """
    found = _of_t(means, margin, alpha)
    if means.changed < fewest(alpha):
        return _agreeing(_with_unseen(found, means, margin, alpha, reach), margin, alpha)
    if means.changed > ENOUGH:
        return _agreeing(found, margin, alpha)
    return checked(
        found,
        lambda: sign_flip(means.differences, seed=seed),
        lambda: sign_flip(map(neg, means.differences), seed=seed),
        margin,
        alpha,
    )


def checked(
    found: Evidence, loss: Callable[[], float], gain: Callable[[], float], margin: float, alpha: float
) -> Evidence:
    """Return what is left of *found* once a test of *loss*, or of *gain*, that it claims has its say."""
    of_loss = loss() if found.high < 0 else 1.0
    of_gain = gain() if found.low > 0 else 1.0
    p = max(found.p_value, of_loss) if found.high < 0 <= margin else found.p_value
    return _agreeing(_with_zero(replace(found, p_value=p), of_loss, of_gain, alpha), margin, alpha)


def _of_t(means: PairedMeans, margin: float, alpha: float) -> Evidence:
    """Return what Student's t says; nothing where it says NaN."""
    p, (low, high) = t_test(means, margin), t_bounds(means, alpha)
    if math.isnan(p + low + high):
        return Evidence(1.0, -math.inf, math.inf)
    return Evidence(p, low, high)


def _with_unseen(found: Evidence, means: PairedMeans, margin: float, alpha: float, reach: float) -> Evidence:
    """Widen the bounds to what can have stayed hidden, and raise the p-value alike."""
    n, difference = len(means.differences), means.difference
    hidden = reach * (1 - alpha ** (1 / n))
    share = min(1.0, max(0.0, (-margin - difference) / reach))
    by_signs = 0.5**means.changed if margin >= 0 else 0.0
    return Evidence(
        p_value=max(found.p_value, (1 - share) ** n, by_signs),
        low=min(found.low, difference - hidden, 0.0),
        high=max(found.high, difference + hidden, 0.0),
    )


def _with_zero(found: Evidence, loss: float, gain: float, alpha: float) -> Evidence:
    """Widen the bounds to hold 0 where a p-value for loss, or for gain, proves none."""
    return replace(
        found,
        low=found.low if gain < alpha else min(found.low, 0.0),
        high=found.high if loss < alpha else max(found.high, 0.0),
    )


def _agreeing(found: Evidence, margin: float, alpha: float) -> Evidence:
    """Keep rounding, and tests that differ far out, from parting the p-value from the upper bound."""
    if found.p_value < alpha and not found.high < -margin:
        return replace(found, high=math.nextafter(-margin, -math.inf))
    if found.p_value >= alpha and found.high < -margin:
        return replace(found, high=-margin)
    return found
