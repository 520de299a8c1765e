import json
import math
import random
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.stats import mean, tango
from pytest_context_bench.stats.holm import holm
from pytest_context_bench.stats.paired import mcnemar, mcnemar_two_sided, paired_means, t_bounds, t_test
from pytest_context_bench.stats.sign_flip import EXACT, sign_flip

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=60)
CASES = json.loads((Path(__file__).parent / "cases/statistics.json").read_text(encoding="utf-8"))
SCORES = st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0]) | st.floats(0, 1)
TABLES = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 30)).filter(any)
RAGGED = st.lists(
    st.tuples(st.lists(SCORES, min_size=1, max_size=3), st.lists(SCORES, min_size=1, max_size=3)),
    min_size=2,
    max_size=12,
)


def single(baseline, current):
    return paired_means([([old], [new]) for old, new in zip(baseline, current, strict=True)])


@pytest.mark.parametrize("case", CASES["mcnemar"], ids=lambda case: case["why"])
def test_statsmodels_agrees_on_mcnemar(case):
    assert mcnemar_two_sided(case["lost"], case["gained"]) == pytest.approx(case["two_sided"], rel=1e-10)


@SEEDED
@given(st.integers(0, 400), st.integers(0, 400))
def test_scipy_agrees_on_mcnemar(lost, gained):
    stats = pytest.importorskip("scipy.stats")
    expected = stats.binomtest(lost, lost + gained, alternative="greater").pvalue if lost + gained else 1.0

    assert mcnemar(lost, gained) == pytest.approx(expected, rel=1e-10)


@SEEDED
@given(st.integers(0, 6), st.integers(0, 6))
def test_mcnemar_is_the_sign_flip_test_of_passes(lost, gained):
    assert sign_flip([-1.0] * lost + [1.0] * gained + [0.0] * 5) == pytest.approx(mcnemar(lost, gained))


@SEEDED
@given(st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=30))
def test_scipy_agrees_on_the_paired_t(pairs):
    stats = pytest.importorskip("scipy.stats")
    baseline, current = zip(*pairs, strict=True)
    means = single(baseline, current)
    if len({new - old for old, new in pairs}) > 1 and means.error > 1e-9:
        found = stats.ttest_rel(current, baseline, alternative="less")
        interval = stats.ttest_rel(current, baseline).confidence_interval(0.9)

        assert t_test(means) == pytest.approx(found.pvalue, rel=1e-6, abs=1e-12)
        assert t_bounds(means, 0.05) == pytest.approx(tuple(interval), rel=1e-6, abs=1e-9)


@SEEDED
@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=10), st.integers(1, 3), st.integers(1, 3))
def test_repeats_alike_leave_the_differences_of_the_examples(pairs, of_baseline, of_current):
    means = paired_means([([old] * of_baseline, [new] * of_current) for old, new in pairs])

    assert means.differences == tuple(new - old for old, new in pairs)
    assert means.baseline == mean([old for old, _ in pairs])


@SEEDED
@given(RAGGED)
def test_the_difference_is_that_of_the_means_over_all_runs(pairs):
    means = paired_means(pairs)
    old, new = ([value for pair in pairs for value in pair[side]] for side in (0, 1))

    assert (means.baseline, means.current) == (mean(old), mean(new))
    assert mean(means.differences) == pytest.approx(means.difference, abs=1e-12)


def test_the_error_of_ragged_runs_is_what_they_scatter():
    rng, found, errors = random.Random(1), [], []
    for _ in range(400):
        pairs = []
        for _ in range(40):
            level, runs = rng.random(), (rng.randint(1, 4), rng.randint(1, 4))
            pairs.append([[level + rng.gauss(0, 0.2) for _ in range(count)] for count in runs])
        found.append(paired_means(pairs).difference)
        errors.append(paired_means(pairs).error)

    assert mean(errors) == pytest.approx(math.sqrt(mean([value**2 for value in found])), rel=0.1)


def test_an_example_of_one_run_alone_is_no_pair():
    assert paired_means([([1.0], []), ([], [0.0]), ([0.5], [0.25])]).differences == (-0.25,)


@pytest.mark.parametrize(
    ("baseline", "current", "margin", "expected"),
    [
        ([0.5], [0.1], 0.0, math.nan),
        ([0.5, 0.6], [0.4, 0.5], 0.0, 0.0),
        ([0.5, 0.6], [0.6, 0.7], 0.0, 1.0),
        ([0.8, 0.8], [0.75, 0.75], 0.05, 1.0),
        ([0.5, 0.5], [0.5, 0.5], 0.0, 1.0),
        ([1.0, 0.0], [0.0, 1.0], 0.0, 0.5),
    ],
    ids=["one example", "alike drops", "alike gains", "on the margin", "no change", "no difference"],
)
def test_a_paired_t_of_few_values(baseline, current, margin, expected):
    assert t_test(single(baseline, current), margin) == pytest.approx(expected, nan_ok=True, abs=1e-9)


@pytest.mark.parametrize("case", CASES["tango"], ids=lambda case: case["why"])
def test_published_intervals_of_paired_rates(case):
    found = tango.bounds(case["lost"], case["gained"], case["n"], case["alpha"])

    assert found == pytest.approx((case["low"], case["high"]), abs=5e-4)


def likelihood(counts, lost, difference):
    """Return the likelihood of counts of lost, gained and other pairs at one rate of lost ones."""
    rates = (lost, lost + difference, 1 - 2 * lost - difference)
    return sum(
        count * math.log(max(rate, 1e-300)) for count, rate in zip(counts, rates, strict=True) if count
    )


@SEEDED
@given(TABLES, st.floats(-0.95, 0.95))
def test_the_likeliest_rate_is_likelier_than_its_neighbours(table, difference):
    lost, gained, _ = table
    found = tango._likeliest(lost, gained, sum(table), difference)
    least, most = max(0.0, -difference), (1 - difference) / 2
    neighbours = [min(most, max(least, found + step)) for step in (-1e-3, 1e-3)]

    assert least - 1e-9 <= found <= most + 1e-9
    best = likelihood(table, min(most, max(least, found)), difference)
    assert all(likelihood(table, rate, difference) <= best + 1e-6 for rate in neighbours)


@SEEDED
@given(TABLES, st.sampled_from([0.005, 0.025, 0.05, 0.2]))
def test_a_paired_interval_is_where_the_test_does_not_reject(table, alpha):
    lost, gained, _ = table
    low, high = tango.bounds(lost, gained, sum(table), alpha)

    assert -1 <= low <= (gained - lost) / sum(table) <= high <= 1
    assert high in (1, pytest.approx(1)) or tango.p_worse(lost, gained, sum(table), -high) == pytest.approx(
        alpha, rel=1e-5
    )
    assert tango.bounds(gained, lost, sum(table), alpha) == pytest.approx((-high, -low), abs=1e-12)


def test_pairs_that_never_changed_still_have_an_interval():
    reach = 1.6448536269514722**2

    assert tango.bounds(0, 0, 100, 0.05) == pytest.approx((-reach / (100 + reach), reach / (100 + reach)))


@pytest.mark.parametrize(
    ("lost", "gained", "n", "margin", "expected"),
    [
        (10, 0, 10, 1.0, 0.5),
        (0, 10, 10, -1.0, 0.5),
        (5, 0, 10, 1.5, 1.0),
        (0, 5, 10, -2.0, 0.0),
        (0, 0, 10, 0.0, 0.5),
        (0, 0, 1, 0.5, 0.8413447460685429),
    ],
)
def test_the_score_test_at_its_ends(lost, gained, n, margin, expected):
    assert tango.p_worse(lost, gained, n, margin) == pytest.approx(expected, abs=1e-9)


def enumerated(values):
    """Return the p-value over every choice of signs, in the plainest way."""
    sums = [sum(signs) for signs in product(*((value, -value) for value in values))]
    return sum(total <= sum(values) + 1e-9 for total in sums) / len(sums)


@SEEDED
@given(st.lists(st.sampled_from([-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3]) | st.floats(-1, 1), max_size=9))
def test_sign_flips_are_enumerated(values):
    values = [round(value, 6) for value in values]

    assert sign_flip(values) == pytest.approx(enumerated(values))


def test_scipy_agrees_on_sign_flips():
    stats = pytest.importorskip("scipy.stats")
    rng = random.Random(3)
    values = [rng.gauss(-0.3, 1) for _ in range(12)]
    found = stats.permutation_test(
        (values,), sum, permutation_type="samples", alternative="less", n_resamples=math.inf
    )

    assert sign_flip(values) == pytest.approx(found.pvalue)


def test_drawn_sign_flips_come_near_to_the_counted_ones():
    rng = random.Random(5)
    values = [rng.gauss(-0.25, 1) for _ in range(EXACT)]
    zeros = [0.0] * 10
    drawn = sign_flip([*values, 1e-9])  # one difference more than are counted

    assert drawn != sign_flip(values)
    assert drawn == pytest.approx(sign_flip(values), abs=0.015)
    assert drawn * 10_000 == pytest.approx(round(drawn * 10_000))
    assert sign_flip([*zeros, *values]) == sign_flip(values)


def test_drawn_sign_flips_follow_the_seed_and_not_the_order():
    rng = random.Random(7)
    values = [rng.gauss(-0.1, 1) for _ in range(50)]

    assert sign_flip(values, seed=1) == sign_flip(values[::-1], seed=1)
    assert sign_flip(values, seed=1) != sign_flip(values, seed=2)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], 1.0), ([0.0, 0.0], 1.0), ([-1.0], 0.5), ([1.0], 1.0), ([-1.0] * 40, 1e-4), ([1.0] * 40, 1.0)],
    ids=["none", "zeros", "one drop", "one gain", "many drops", "many gains"],
)
def test_sign_flips_of_clear_cases(values, expected):
    assert sign_flip(values) == expected


@pytest.mark.parametrize("case", CASES["holm"], ids=lambda case: case["why"])
def test_statsmodels_agrees_on_holm(case):
    assert holm(case["p"]) == pytest.approx(case["adjusted"])


@SEEDED
@given(st.lists(st.floats(0, 1), max_size=12), st.randoms(use_true_random=False))
def test_holm_keeps_the_order_and_never_makes_a_proof_stronger(p_values, rng):
    adjusted = dict(zip(p_values, holm(p_values), strict=True))
    shuffled = rng.sample(p_values, len(p_values))

    assert holm(shuffled) == [adjusted[p] for p in shuffled]
    assert all(p <= adjusted[p] <= 1 for p in p_values)
    assert all(adjusted[one] <= adjusted[other] for one, other in pairwise(sorted(p_values)))


def test_what_proves_nothing_counts_in_holm():
    assert holm([0.02, math.nan, 1.5]) == [0.06, 1.0, 1.0]
    assert holm([]) == []
