"""What so many examples can show, and how many it takes: one-sided tests at *alpha*.

Both take the normal approximation with the correction of Guenther (1981), American Statistician 35:243-244,
and *deviation*, the standard deviation of the differences.
"""

import math

from pytest_context_bench.stats.distributions import normal_ppf

POWER = 0.8


def detectable(deviation: float, n: float, alpha: float, power: float = POWER) -> float:
    """Return the least difference that *n* examples show with probability *power*; infinite for too few."""
    room = n - normal_ppf(alpha) ** 2 / 2
    return _reach(alpha, power) * deviation / math.sqrt(room) if room > 0 else math.inf


def needed(deviation: float, difference: float, alpha: float, power: float = POWER) -> float:
    """Return how many examples show a *difference* with probability *power*; infinite for none."""
    if not difference > 0:
        return math.inf
    return (_reach(alpha, power) * deviation / difference) ** 2 + normal_ppf(alpha) ** 2 / 2


def detectable_loss(loss: float, n: float, alpha: float, power: float = POWER) -> float:
    """Return the least mean difference to show where a few examples lose *loss* each and no other changes.

    The variance of such differences is *loss* times their mean: where none was seen yet, this can hide.
    """
    return _reach(alpha, power) ** 2 * loss / n


def needed_for_loss(loss: float, difference: float, alpha: float, power: float = POWER) -> float:
    """Return how many examples show such a mean *difference*."""
    return _reach(alpha, power) ** 2 * loss / difference if difference > 0 else math.inf


def fewest(alpha: float) -> int:
    """Return how many examples must change, all the same way, before a sign test proves anything."""
    return math.floor(-math.log2(alpha)) + 1


def _reach(alpha: float, power: float) -> float:
    return normal_ppf(1 - alpha) + normal_ppf(power)
