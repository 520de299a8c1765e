import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.stats.distributions import binomial_tail, normal_cdf, normal_ppf, t_cdf, t_ppf

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=100)
CASES = json.loads((Path(__file__).parent / "cases/statistics.json").read_text(encoding="utf-8"))
DEGREES = [0.3, 1, 2, 2.5, 7, 29.7, 99, 400, 9_999, 10_000, 1e6, 1e12, math.inf]
INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("case", CASES["t_tail"], ids=lambda case: case["why"])
def test_a_tail_of_t_has_ten_digits(case):
    assert t_cdf(-case["t"], case["df"]) == pytest.approx(case["p"], rel=1e-11)
    assert t_cdf(case["t"], case["df"]) == pytest.approx(1 - case["p"], rel=1e-15)


@pytest.mark.parametrize("df", DEGREES)
def test_scipy_agrees_on_t(df):
    stats = pytest.importorskip("scipy.stats")
    points = [-12, -3.3, -1.74, -1.7, -0.5, 0, 0.01, 0.5, 1.74, 4, 12]
    shares = [1e-9, 0.001, 0.025, 0.05, 0.3, 0.5, 0.8, 0.95, 0.975, 0.9999]

    assert [t_cdf(t, df) for t in points] == pytest.approx(stats.t.cdf(points, df), rel=1e-10)
    assert [t_ppf(p, df) for p in shares] == pytest.approx(stats.t.ppf(shares, df), rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(
    ("df", "distribution"),
    [(1, lambda t: math.atan2(1, -t) / math.pi), (2, lambda t: 1 / (2 + t * t - t * math.sqrt(2 + t * t)))],
    ids=["one degree", "two degrees"],
)
@SEEDED
@given(t=st.floats(-1e6, 0))
def test_a_lower_tail_is_the_closed_form(df, distribution, t):
    assert t_cdf(t, df) == pytest.approx(distribution(t), rel=1e-11)


@SEEDED
@given(st.floats(1e-250, 0.45), st.floats(0.5, 1e7))
def test_a_quantile_has_its_probability(p, df):
    quantile = t_ppf(p, df)

    assert t_cdf(quantile, df) == pytest.approx(p, rel=1e-11) or quantile == -INF
    assert t_ppf(1 - p, df) == pytest.approx(-t_ppf(1 - (1 - p), df))


@SEEDED
@given(st.floats(-60, 60), st.floats(1e-6, 60), st.floats(0.1, 1e6))
def test_t_never_falls_and_is_symmetric(t, step, df):
    assert 0 <= t_cdf(t, df) <= t_cdf(t + step, df) * (1 + 1e-12) <= 1 + 1e-12
    assert t_cdf(t, df) + t_cdf(-t, df) == pytest.approx(1)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (t_cdf(0, 5), 0.5),
        (t_cdf(-INF, 5), 0.0),
        (t_cdf(INF, 5), 1.0),
        (t_cdf(NAN, 5), NAN),
        (t_cdf(1, 0), NAN),
        (t_cdf(1, -1), NAN),
        (t_cdf(1, NAN), NAN),
        (t_cdf(-1e300, 1e-300), 0.5),
        (t_cdf(-1e300, 1e300), 0.0),
        (t_ppf(0, 5), -INF),
        (t_ppf(1, 5), INF),
        (t_ppf(0.5, 5), 0.0),
        (t_ppf(-0.1, 5), NAN),
        (t_ppf(1.1, INF), NAN),
        (t_ppf(NAN, 5), NAN),
        (t_ppf(0.1, 0), NAN),
        (t_ppf(1e-300, 0.1), -INF),
        (normal_cdf(-INF), 0.0),
        (normal_cdf(NAN), NAN),
        (normal_ppf(0), -INF),
        (normal_ppf(1), INF),
        (normal_ppf(2), NAN),
        (normal_ppf(NAN), NAN),
    ],
)
def test_the_ends_are_defined(found, expected):
    assert found == pytest.approx(expected, nan_ok=True, abs=1e-12)


def test_scipy_agrees_on_the_normal_distribution():
    stats = pytest.importorskip("scipy.stats")
    points, shares = [-38, -10, -1.96, 0, 0.5, 3], [1e-300, 1e-9, 0.05, 0.5, 0.975]

    assert [normal_cdf(z) for z in points] == pytest.approx(stats.norm.cdf(points), rel=1e-12)
    assert [normal_ppf(p) for p in shares] == pytest.approx(stats.norm.ppf(shares), rel=1e-12)


@SEEDED
@given(st.integers(0, 300).flatmap(lambda n: st.tuples(st.integers(-2, n + 2), st.just(n))))
def test_a_binomial_tail_is_the_exact_sum(drawn):
    heads, tosses = drawn
    exact = Fraction(sum(math.comb(tosses, k) for k in range(max(heads, 0), tosses + 1)), 2**tosses)

    assert binomial_tail(heads, tosses) == pytest.approx(float(exact), rel=1e-13)


@pytest.mark.parametrize("heads", [0, 49_000, 50_000, 50_001, 50_300, 55_000, 99_999, 100_000])
def test_scipy_agrees_on_a_hundred_thousand_tosses(heads):
    stats = pytest.importorskip("scipy.stats")

    assert binomial_tail(heads, 100_000) == pytest.approx(stats.binom.sf(heads - 1, 100_000, 0.5), rel=1e-10)
