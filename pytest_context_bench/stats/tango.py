"""The score test of Tango (1998), Statistics in Medicine 17:891-908, for the difference of paired rates.

Of *n* pairs *lost* passed before and fail now, *gained* failed and pass; the difference is
(gained - lost) / n. Unlike Wald's it stays within [-1, 1], and it has a width where no pair changed.
"""

import math

from pytest_context_bench.stats.distributions import normal_cdf, normal_ppf

_HALVINGS = 60


def p_worse(lost: int, gained: int, n: int, margin: float) -> float:
    """Return the one-sided p-value against "the difference is -*margin* or better"."""
    return normal_cdf(_score(lost, gained, n, max(-1.0, min(-margin, 1.0))))


def bounds(lost: int, gained: int, n: int, alpha: float) -> tuple[float, float]:
    """Return the least and the greatest difference that the test does not reject, each at *alpha*."""
    reach = -normal_ppf(alpha)
    return -_greatest(gained, lost, n, reach), _greatest(lost, gained, n, reach)


def _greatest(lost: int, gained: int, n: int, reach: float) -> float:
    """Return the difference below which the observed one lies by *reach*, by bisection: the score falls."""
    low, high = (gained - lost) / n, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _score(lost, gained, n, middle) < -reach:
            high = middle
        else:
            low = middle
    return high


def _score(lost: int, gained: int, n: int, difference: float) -> float:
    """Return how many standard errors the observed difference lies above *difference*.

    The standard error is that of the likeliest rates that have this difference.
    """
    gap = gained - lost - n * difference
    rate, spread = _likeliest(lost, gained, n, difference), difference * (1 - difference)
    variance = n * (2 * rate + spread)
    if variance <= 0:
        return math.copysign(math.inf, gap) if gap else 0.0
    return gap / math.sqrt(variance)


def _likeliest(lost: int, gained: int, n: int, difference: float) -> float:
    """Return the likeliest rate of lost pairs where that of gained ones is higher by *difference*.

    It is the greater root of 2n x^2 + bx = c, to which setting the derivative of the likelihood to 0 leads.
    """
    b = (2 * n + lost - gained) * difference - lost - gained
    c = lost * difference * (1 - difference)
    root = math.sqrt(max(0.0, b * b + 8 * n * c))
    return 2 * c / (b + root) if b > 0 else (root - b) / (4 * n)
