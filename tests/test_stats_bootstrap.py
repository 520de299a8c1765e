import math
import random
import time

import pytest

from pytest_context_bench.stats import mean, percentile
from pytest_context_bench.stats.bootstrap import bootstrap, rows, swap_test
from pytest_context_bench.stats.paired import mcnemar

SECONDS = 2  # of the processor: a third of one is usual


def singles(count):
    """Return examples of one row in either run: rows of the baseline first."""
    return [((place,), (count + place,)) for place in range(count)]


def gain_of(figure, values):
    """Return how much higher a figure of values is in the second run."""

    def gain(old, new):
        return figure([values[row] for row in new]) - figure([values[row] for row in old])

    return gain


def drawn(count, drop=0.0, seed=1):
    rng = random.Random(seed)
    usual = [rng.random() for _ in range(count)]
    return [*usual, *(value - drop + rng.gauss(0, 0.1) for value in usual)]


def test_the_error_and_bounds_of_a_mean_are_those_of_t():
    stats = pytest.importorskip("scipy.stats")
    values = drawn(200, drop=0.01)
    found = bootstrap(singles(200), gain_of(mean, values), alpha=0.05, resamples=1_999)
    paired = stats.ttest_rel(values[200:], values[:200])
    low, high = paired.confidence_interval(0.9)

    assert (found.low, found.high) == pytest.approx((low, high), abs=0.0015)
    assert found.error == pytest.approx((high - low) / 2 / 1.6525, rel=0.05)
    assert found.p_value == pytest.approx(
        stats.ttest_rel(values[200:], values[:200], alternative="less").pvalue, abs=0.04
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_the_p_value_and_the_upper_bound_say_the_same(alpha, seed):
    values = drawn(30, drop=0.03, seed=seed)
    found = bootstrap(singles(30), gain_of(mean, values), alpha=alpha, seed=seed, resamples=99)

    assert (found.p_value < alpha) == (found.high < 0)
    assert found.low <= found.high


def test_runs_of_one_example_are_drawn_together():
    examples = [((at, at + 10), (at + 20,)) for at in range(10)]
    seen = []
    bootstrap(examples, lambda old, new: seen.append((old, new)) or 0.0, alpha=0.05, resamples=20)

    assert all(old == [row for place in new for row in (place - 20, place - 10)] for old, new in seen)
    assert {len(new) for _, new in seen} == {10}
    assert len({tuple(new) for _, new in seen}) == 20
    assert rows(examples) == ([row for old, _ in examples for row in old], list(range(20, 30)))


def test_the_same_seed_gives_the_same_figures():
    values = drawn(50)
    calls = [bootstrap(singles(50), gain_of(mean, values), alpha=0.05, seed=seed) for seed in (1, 1, 2)]

    assert calls[0] == calls[1] != calls[2]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_too_few_examples_prove_nothing(count):
    found = bootstrap(singles(count), lambda old, new: -1.0, alpha=0.05)

    assert (found.p_value, found.low, found.high) == (1.0, -math.inf, math.inf)


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        (math.nan, (1.0, -math.inf, math.inf)),
        (-math.inf, (0.002, -math.inf, -math.inf)),
        (math.inf, (1.0, math.inf, math.inf)),
        (-1.0, (0.002, -1.0, -1.0)),
        (0.0, (1.0, 0.0, 0.0)),
    ],
    ids=repr,
)
def test_gains_that_are_all_alike(gain, expected):
    found = bootstrap(singles(10), lambda old, new: gain, alpha=0.05)

    assert (found.p_value, found.low, found.high) == expected


def test_too_few_resamples_prove_nothing():
    found = bootstrap(singles(10), lambda old, new: -1.0, alpha=0.05, resamples=10)

    assert (found.p_value, found.high) == (pytest.approx(1 / 11), math.inf)


@pytest.mark.parametrize(("lost", "gained"), [(3, 0), (8, 2), (5, 5)])
def test_swapped_runs_of_passes_are_mcnemars_test(lost, gained):
    values = [1] * lost + [0] * gained + [1] * 20 + [0] * lost + [1] * gained + [1] * 20
    examples = singles(lost + gained + 20)

    assert swap_test(examples, gain_of(sum, values), resamples=4_999) == pytest.approx(
        mcnemar(lost, gained), abs=0.02
    )


def test_swaps_do_not_part_the_rows_of_a_run():
    examples = [((0, 1), (2,)), ((3,), (4, 5))]
    seen = set()
    swap_test(examples, lambda old, new: seen.add((tuple(old), tuple(new))) or 0.0, resamples=50)

    assert seen == {
        ((0, 1, 3), (2, 4, 5)),
        ((2, 3), (0, 1, 4, 5)),
        ((0, 1, 4, 5), (2, 3)),
        ((2, 4, 5), (0, 1, 3)),
    }


def test_a_gain_that_is_no_number_is_never_a_proof():
    assert swap_test(singles(10), lambda old, new: math.nan) == 1.0


def test_a_hundred_resamples_of_ten_thousand_examples_are_quick():
    values = drawn(10_000)
    start = time.process_time()
    found = bootstrap(
        singles(10_000), gain_of(lambda of_rows: percentile(of_rows, 95), values), alpha=0.05, resamples=99
    )

    assert found.low < 0.1
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize("drop", [0.0, 0.02])
def test_fewer_examples_than_there_are_tell_the_same_of_a_mean(drop):
    stats = pytest.importorskip("scipy.stats")
    values = drawn(4_000, drop)
    found = bootstrap(singles(4_000), gain_of(mean, values), alpha=0.05, most=500)
    paired = stats.ttest_rel(values[4_000:], values[:4_000])
    low, high = paired.confidence_interval(0.9)

    assert (found.low, found.high) == pytest.approx((low, high), abs=0.0005)
    assert found.error == pytest.approx((high - low) / 2 / 1.645, rel=0.1)
    assert (found.p_value < 0.05) == (found.high < 0) == bool(drop)


def test_a_p_value_can_be_smaller_than_resamples_count():
    stats = pytest.importorskip("scipy.stats")
    values = drawn(200, drop=0.04)
    gain = gain_of(mean, values)
    expected = stats.ttest_rel(values[200:], values[:200], alternative="less").pvalue

    for p in (bootstrap(singles(200), gain, alpha=0.05).p_value, swap_test(singles(200), gain)):
        assert 1e-12 < p < 1e-3
        assert math.log10(p) == pytest.approx(math.log10(expected), rel=0.25)


@pytest.mark.parametrize("count", [3, 6, 12])
def test_no_p_value_is_smaller_than_swaps_allow(count):
    values = [1.0] * count + [0.0] * count

    assert swap_test(singles(count), gain_of(mean, values)) >= 0.5**count
