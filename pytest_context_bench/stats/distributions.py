"""Probabilities and quantiles, accurate in the tails too."""

import math
from collections.abc import Iterator
from itertools import count
from statistics import NormalDist

MEDIAN = 0.5
LARGE = 1e4  # degrees of freedom from which the fraction loses digits, and the expansion does not
_NORMAL = 1e18  # beyond, no float tells t from the normal distribution
_SERIES = 15  # from here on it is accurate to the last digit
_NEARER = 0.9
_NEGLIGIBLE = 1e-15
_TINY = 1e-300  # stands for a zero that would be divided by


def normal_cdf(z: float) -> float:
    """Return the probability that a standard normal variable is at most *z*."""
    return math.erfc(-z / math.sqrt(2)) / 2  # `NormalDist.cdf` has no digits in the lower tail


def normal_ppf(p: float) -> float:
    """Return the *p*-th quantile of the standard normal distribution; NaN outside [0, 1]."""
    if 0 < p < 1:
        return NormalDist().inv_cdf(p)
    return math.copysign(math.inf, p - MEDIAN) if p in (0, 1) else math.nan


def t_cdf(t: float, df: float) -> float:
    """Return the probability that Student's t with *df* degrees of freedom is at most *t*.

    It is half of the regularized incomplete beta function I_x(df/2, 1/2) at x = df / (df + t^2), and from
    LARGE degrees on the normal approximation of G. W. Hill (1970), Algorithm 395, CACM 13(10).
    """
    if math.isnan(t) or not df > 0:
        return math.nan
    tail = _upper_tail(abs(t), df)
    return tail if t < 0 else 1 - tail


def t_ppf(p: float, df: float) -> float:
    """Return the *p*-th quantile of Student's t; NaN outside [0, 1]."""
    if not (0 < p < 1 and df > 0) or df > _NORMAL:
        return normal_ppf(p) if df > 0 else math.nan
    return _upper_quantile(1 - p, df) if p > MEDIAN else -_upper_quantile(p, df)


def binomial_tail(heads: int, tosses: int) -> float:
    """Return the probability of *heads* or more in so many *tosses* of a fair coin.

    The first term is correctly rounded, whatever its size; each next one follows from it.
    """
    if heads <= 0:
        return 1.0
    if 2 * heads <= tosses:
        return 1 - binomial_tail(tosses - heads + 1, tosses)
    first = term = math.comb(tosses, heads) / (1 << tosses)
    terms = []
    while term > first * _NEGLIGIBLE:
        terms.append(term)
        term *= (tosses - heads) / (heads + 1)
        heads += 1
    return math.fsum(terms)


def _upper_tail(t: float, df: float) -> float:
    """Return the probability of more than *t*, which is not negative."""
    if df > _NORMAL:
        return normal_cdf(-t)
    stretch = _stretch(t, df)
    return _expansion(stretch, df) if df >= LARGE else _half_beta(stretch, df / 2)


def _stretch(t: float, df: float) -> float:
    """Return log(1 + t^2 / df) without overflow."""
    root = math.sqrt(df)
    return math.log1p((t / root) ** 2) if t < root else 2 * math.log(math.hypot(root, t)) - math.log(df)


def _expansion(stretch: float, df: float) -> float:
    """Return the tail by Hill's expansion."""
    a = df - 0.5
    b = 48 * a * a
    y = a * stretch
    term = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b)
    return normal_cdf(-((term + y + 3) / b + 1) * math.sqrt(y))


def _half_beta(stretch: float, a: float) -> float:
    """Return I_x(a, 1/2) / 2, where *stretch* is -log x."""
    x, front = math.exp(-stretch), _front(stretch, a)
    if x < (a + 1) / (a + 2.5):
        return front / (2 * a) * _beta_fraction(x, a, 0.5)
    return 0.5 - front * _beta_fraction(1 - x, 0.5, a)


def _front(stretch: float, a: float) -> float:
    """Return x^a (1 - x)^(1/2) / B(a, 1/2), which is also t times the density at t."""
    return math.exp(-a * stretch) * math.sqrt(-math.expm1(-stretch) / math.pi) * _half_step(a)


def _half_step(a: float) -> float:
    """Return gamma(a + 1/2) / gamma(a); for large *a* by its series (DLMF 5.11.13), else digits cancel."""
    if a < _SERIES:
        return math.exp(math.lgamma(a + 0.5) - math.lgamma(a))
    c = 1 / (a * a)
    series = ((((-31 / 18432 * c) + 17 / 14336) * c - 1 / 640) * c + 1 / 192) * c - 1 / 8
    return math.sqrt(a) * math.exp(series / a)


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    above, below, value = 1.0, 0.0, 1.0
    for coefficient in _coefficients(x, a, b):
        below = 1 / (1 + coefficient * below or _TINY)
        above = 1 + coefficient / above or _TINY
        value *= above * below
        if abs(above * below - 1) < _NEGLIGIBLE:
            break
    return 1 / value


def _coefficients(x: float, a: float, b: float) -> Iterator[float]:
    yield -(a + b) * x / (a + 1)
    for m in count(1):
        at = a + 2 * m
        yield m * (b - m) * x / ((at - 1) * at)
        yield -(a + m) * (a + b + m) * x / (at * (at + 1))


def _upper_quantile(p: float, df: float) -> float:
    """Return what is exceeded with probability *p*, at most 1/2, by Newton's method on logarithms.

    The logarithm of the tail falls ever faster with that of t: from above, each step comes nearer.
    """
    if p == MEDIAN:
        return 0.0
    t, step = 1.0, -math.inf
    while _upper_tail(t, df) > p:
        t *= 2
    while step < -_NEGLIGIBLE and t < math.inf:
        tail = _upper_tail(t, df)
        if tail:
            step = math.log(tail / p) * tail / _front(_stretch(t, df), df / 2)
        t *= math.exp(max(step, -1)) if tail else _NEARER
    return t
