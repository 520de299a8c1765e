import math
import random
import statistics
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.stats import mean, percentile

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=100)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
SCORES = st.floats(0, 1) | st.sampled_from([0.1, 0.7, 1 / 3, 1e-300, 5e-324])
NAN, INF = math.nan, math.inf


@SEEDED
@given(st.lists(FINITE | SCORES, min_size=1, max_size=30))
def test_a_mean_is_the_exact_one_rounded_once(values):
    assert mean(values) == float(sum(map(Fraction, values)) / len(values))


@SEEDED
@given(st.lists(SCORES, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_order_does_not_show_in_a_mean(values, rng):
    shuffled = rng.sample(values, len(values))

    assert mean(shuffled) == mean(values) == statistics.mean(values)


@pytest.mark.parametrize("value", [0.1, 0.7, 1 / 3, 0.85, 5e-324, 1.7976931348623157e308, -2.5])
@pytest.mark.parametrize("count", [1, 3, 10, 997])
def test_rows_alike_have_their_value_as_mean(value, count):
    assert mean([value] * count) == value


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([INF, 1.0], INF),
        ([-INF, 1e308, 1e308], -INF),
        ([INF, -INF], NAN),
        ([NAN, 1.0], NAN),
        ([NAN, INF], NAN),
        ([1e308, 1e308, -1e308, -1e308], 0.0),
        ([True, False], 0.5),
        ([np.float32(0.5), np.int64(1), Decimal("0.75")], 0.75),
    ],
    ids=repr,
)
def test_a_mean_of_unusual_values(values, expected):
    assert mean(values) == pytest.approx(expected, nan_ok=True)
    assert type(mean(values)) is float


def interpolated(values, percent):
    """Return a percentile as its definition says, in exact arithmetic."""
    ordered = sorted(map(Fraction, values))
    at = Fraction(len(ordered) - 1) * percent / 100
    below = ordered[math.floor(at)]
    return float(below + (ordered[math.ceil(at)] - below) * (at - math.floor(at)))


@SEEDED
@given(st.lists(FINITE | SCORES, min_size=1, max_size=30), st.integers(0, 100))
def test_a_percentile_is_the_exact_interpolation_rounded_once(values, percent):
    assert percentile(values, percent) == interpolated(values, percent)


@SEEDED
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30), st.integers(0, 100))
def test_numpy_agrees(values, percent):
    assert percentile(values, percent) == pytest.approx(np.percentile(values, percent))


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        (range(1, 21), 95, 19.05),
        (range(1, 21), 50, 10.5),
        ([3.0], 99, 3.0),
        ([2.0, 1.0], 0, 1.0),
        ([2.0, 1.0], 100, 2.0),
        ([1.0, INF], 95, INF),
        ([INF, INF], 95, INF),
        ([-INF, 1.0], 50, -INF),
        ([-INF, INF], 50, NAN),
        ([1.0, 2.0, INF], 50, 2.0),
        ([NAN, 1.0], 50, NAN),
        ([1.0, NAN], 50, NAN),
        ([-1.7e308, 1.7e308], 50, 0.0),
        ([np.float32(1), Decimal(2)], 50, 1.5),
    ],
    ids=repr,
)
def test_known_percentiles(values, percent, expected):
    found = percentile(list(values), percent)

    assert found == pytest.approx(expected, nan_ok=True, rel=0)
    assert type(found) is float


def test_a_percentile_grows_with_its_percent():
    rng = random.Random(7)
    values = [rng.random() for _ in range(57)]
    found = [percentile(values, percent) for percent in range(101)]

    assert found == sorted(found)
    assert (found[0], found[-1]) == (min(values), max(values))
