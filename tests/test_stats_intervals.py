import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.stats import mean
from pytest_context_bench.stats.intervals import clustered_wilson, effective_size, grouped, t_interval, wilson

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=60)
CASES = json.loads((Path(__file__).parent / "cases/statistics.json").read_text(encoding="utf-8"))
SCORES = st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0]) | st.floats(0, 1)
RUNS = st.lists(st.tuples(SCORES, st.integers(0, 5)), min_size=1, max_size=30)
PASSES = st.lists(st.tuples(st.sampled_from([0, 1]), st.integers(0, 6)), min_size=1, max_size=40)
INF, NAN = math.inf, math.nan


def bounds(interval):
    return (interval.low, interval.high)


@pytest.mark.parametrize("case", CASES["wilson"], ids=lambda case: case["why"])
def test_statsmodels_agrees_on_wilson(case):
    found = wilson(case["passing"], case["n"], case["level"])

    assert bounds(found) == pytest.approx((case["low"], case["high"]), rel=1e-12)
    assert found.value == case["passing"] / case["n"]


@pytest.mark.parametrize("case", CASES["clustered_mean"], ids=lambda case: case["why"])
def test_statsmodels_agrees_on_the_mean_of_clusters(case):
    found = t_interval(case["values"], case["clusters"], case["level"])

    assert bounds(found) == pytest.approx((case["low"], case["high"]), rel=1e-10)
    assert found.value == mean(case["values"])


@SEEDED
@given(st.lists(SCORES, min_size=2, max_size=30))
def test_scipy_agrees_on_the_mean_of_single_runs(values):
    stats = pytest.importorskip("scipy.stats")
    error = stats.sem(values)
    expected = stats.t.interval(0.95, len(values) - 1, mean(values), error) if error else [values[0]] * 2

    assert bounds(t_interval(values)) == pytest.approx(tuple(expected), rel=1e-9, abs=1e-12)
    assert t_interval(values, range(len(values))) == t_interval(values)


@SEEDED
@given(RUNS, st.randoms(use_true_random=False))
def test_order_does_not_show_in_an_interval(runs, rng):
    shuffled = rng.sample(runs, len(runs))
    one, other = zip(*runs, strict=True), zip(*shuffled, strict=True)

    assert repr(t_interval(*one)) == repr(t_interval(*other))


@SEEDED
@given(st.lists(SCORES, min_size=2, max_size=10), st.integers(2, 5))
def test_running_each_example_again_alike_tells_nothing_new(values, times):
    again, examples = values * times, list(range(len(values))) * times

    assert bounds(t_interval(again, examples)) == pytest.approx(bounds(t_interval(values)))


@pytest.mark.parametrize(
    ("values", "clusters", "expected"),
    [
        ([], None, (NAN, NAN, NAN)),
        ([0.7], None, (0.7, NAN, NAN)),
        ([0.7, 0.9], "aa", (0.8, NAN, NAN)),
        ([0.7, 0.7, 0.7], None, (0.7, 0.7, 0.7)),
        ([0.1] * 6, "aaabbc", (0.1, 0.1, 0.1)),
        ([0.5, NAN], None, (NAN, NAN, NAN)),
        ([0.5, INF], None, (INF, NAN, NAN)),
        ([-INF, 0.5, 1.0], "aab", (-INF, NAN, NAN)),
        ([1e200, -1e200], None, (0.0, -INF, INF)),
        ([1.2e154, -1.2e154] * 2, None, (0.0, -INF, INF)),
        ([1.7e308, -1.7e308, 1.7e308], None, (1.7e308 / 3, -INF, INF)),
        ([True, False], None, (0.5, 0.5 - 6.35310236808735, 0.5 + 6.35310236808735)),
    ],
    ids=repr,
)
def test_an_interval_of_unusual_values(values, clusters, expected):
    found = t_interval(values, clusters)

    assert (found.value, found.low, found.high) == pytest.approx(expected, nan_ok=True)


def test_the_half_width_is_that_of_the_interval():
    assert t_interval([0.0, 1.0, 0.5]).half_width == pytest.approx(1.2420688608839)
    assert math.isnan(t_interval([0.5]).half_width)


@pytest.mark.parametrize(
    ("passing", "n"), [(0, 0), (1, 0), (-1, 10), (11, 10), (NAN, 10), (1, NAN), (1, INF)], ids=repr
)
def test_what_is_no_rate_has_no_interval(passing, n):
    found = wilson(passing, n)

    assert all(map(math.isnan, (found.value, *bounds(found))))


@pytest.mark.parametrize("values", [[], [0, 2], [NAN, 1], [-1, 1], [0, INF]], ids=repr)
def test_values_outside_of_a_rate_have_no_interval(values):
    found = clustered_wilson(values, range(len(values)))

    assert all(map(math.isnan, (found.value, *bounds(found))))


@SEEDED
@given(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=60))
def test_the_interval_of_single_runs_is_wilsons_own(values):
    assert clustered_wilson(values, range(len(values))) == wilson(sum(values), len(values))


@SEEDED
@given(PASSES)
def test_repeats_never_tell_more_than_as_many_examples(runs):
    values, clusters = zip(*runs, strict=True)
    found, alone = clustered_wilson(values, clusters), wilson(sum(values), len(values))

    assert 1 <= effective_size(grouped(values, clusters)) <= len(values)
    assert 0 <= found.low <= alone.low + 1e-12
    assert alone.high - 1e-12 <= found.high <= 1


@pytest.mark.parametrize(
    ("groups", "size"),
    [
        ([[1] * 5, [0] * 5] * 10, 20),
        ([[1] * 5] * 20, 20),
        ([[1, 0, 1]], 1),
        ([[1, 0]] * 50, 100 * (1.9842169515864 / 2.0095752371292) ** 2),
        ([[1], [0], [1], [1]], 4),
    ],
    ids=["runs that agree", "all pass", "one example", "runs that cancel out", "no repeats"],
)
def test_the_effective_number_of_runs(groups, size):
    assert effective_size(groups) == pytest.approx(size)


def test_a_clustered_interval_covers_the_rate():
    import random

    rng, covered = random.Random(0), 0
    for _ in range(300):
        chances = [rng.betavariate(0.7, 0.3) for _ in range(40)]
        runs = [(rng.random() < chance, example) for example, chance in enumerate(chances) for _ in range(5)]
        found = clustered_wilson(*zip(*runs, strict=True))
        covered += found.low <= 0.7 <= found.high

    assert covered / 300 > 0.92
