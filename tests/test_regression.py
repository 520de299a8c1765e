import json
import math
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.regression import MODES, compare, outcome
from pytest_context_bench.stats.holm import holm
from pytest_context_bench.stats.paired import mcnemar
from pytest_context_bench.stats.tango import bounds, p_worse

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=150)
SCORES = st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0]) | st.floats(0, 1)
RUNS = st.lists(SCORES, max_size=3)
PAIRS = st.lists(st.tuples(RUNS, RUNS), max_size=14)
TABLES = st.tuples(st.integers(0, 14), st.integers(0, 14), st.integers(0, 40))
MARGINS = st.sampled_from([0.0, 0.01, 0.02, 0.05, 0.3, 1.0, -0.02])
CASES = json.loads((Path(__file__).parent / "cases/comparisons.json").read_text(encoding="utf-8"))
BOUND = re.compile(r"at least ([\d.]+) with")
CHANCE = re.compile(r"p = ([\d.]+)")
INF, NAN = math.inf, math.nan


def numbered(pairs):
    return dict(enumerate(pairs))


def passes(lost, gained, same):
    """Return pairs of single runs that pass or fail."""
    table = [([1.0], [0.0])] * lost + [([0.0], [1.0])] * gained + [([1.0], [1.0])] * same
    return numbered(table)


def scores(count, drop, noise=0.1, seed=0):
    """Return pairs of scores that differ by *drop* and noise."""
    rng = random.Random(seed)
    usual = [rng.uniform(0.3, 0.7) for _ in range(count)]
    return numbered(([value], [value - drop + rng.uniform(-noise, noise)]) for value in usual)


def agree(comparison, adjusted_p=None):
    """Whether p-value, bounds, margin and verdicts of a comparison all say the same."""
    p = comparison.p_value if adjusted_p is None else adjusted_p
    statuses = [outcome(comparison, p, mode).status for mode in MODES]
    proven, equal = comparison.least_drop > comparison.margin, comparison.greatest_drop < comparison.margin
    return (
        (comparison.p_value < comparison.alpha) == proven
        and comparison.low <= comparison.difference + 1e-12
        and comparison.difference <= comparison.high + 1e-12
        and not (proven and equal)
        and (statuses[0] == "FAIL") == (statuses == ["FAIL", "FAIL"] and proven)
        and (statuses[1] == "PASS") == equal
    )


@SEEDED
@given(PAIRS, MARGINS, st.booleans(), st.sampled_from([0.01, 0.05, 0.2]))
def test_scores_never_contradict_themselves(pairs, margin, higher_is_better, alpha):
    found = compare(
        numbered(pairs), margin=margin, rates=False, alpha=alpha, higher_is_better=higher_is_better
    )

    assert math.isnan(found.difference) or agree(found)


@SEEDED
@given(TABLES.filter(any), MARGINS, st.booleans(), st.sampled_from([1e-7, 0.01, 0.05, 0.2]))
def test_rates_never_contradict_themselves(table, margin, higher_is_better, alpha):
    pairs = passes(*table)

    assert agree(compare(pairs, margin=margin, rates=True, alpha=alpha, higher_is_better=higher_is_better))


@SEEDED
@given(PAIRS, st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_examples_and_runs_does_not_show(pairs, rates, rng):
    items = [
        (at, (rng.sample(old, len(old)), rng.sample(new, len(new)))) for at, (old, new) in enumerate(pairs)
    ]
    rng.shuffle(items)

    one, other = (compare(each, margin=0.01, rates=rates) for each in (numbered(pairs), dict(items)))
    assert repr(one) == repr(other)


@SEEDED
@given(PAIRS, MARGINS)
def test_lower_is_better_is_the_mirror(pairs, margin):
    mirrored = [([1 - value for value in old], [1 - value for value in new]) for old, new in pairs]
    one = compare(numbered(pairs), margin=margin, rates=False)
    other = compare(numbered(mirrored), margin=margin, rates=False, higher_is_better=False)

    assert (other.low, other.high) == pytest.approx((-one.high, -one.low), nan_ok=True, abs=1e-9)
    assert other.p_value == pytest.approx(one.p_value, abs=1e-6) or abs(one.drop - margin) < 1e-9


@SEEDED
@given(TABLES.filter(any))
def test_rates_without_a_margin_are_mcnemars(table):
    lost, gained, _ = table
    found = compare(passes(*table), margin=0, rates=True)

    assert found.p_value == mcnemar(lost, gained)
    assert found.n == sum(table)
    assert found.difference == pytest.approx((gained - lost) / sum(table))


def test_rates_with_a_margin_are_tangos():
    found = compare(passes(30, 5, 165), margin=0.05, rates=True)

    assert found.p_value == p_worse(30, 5, 200, 0.05)
    assert (found.low, found.high) == bounds(30, 5, 200, 0.05)


@pytest.mark.parametrize(("lost", "expected"), [(4, "WARN"), (5, "FAIL")])
@pytest.mark.parametrize("rates", [True, False], ids=["rates", "scores"])
def test_the_fewest_losses_that_prove_a_drop(rates, lost, expected):
    found = compare(passes(lost, 0, 95), margin=0, rates=rates)

    assert found.p_value == pytest.approx(0.5**lost)
    assert outcome(found, found.p_value, "regression").status == expected


def test_scipy_agrees_on_scores():
    stats = pytest.importorskip("scipy.stats")
    pairs = scores(60, drop=0.02)
    old, new = ([pair[side][0] for pair in pairs.values()] for side in (0, 1))
    found = compare(pairs, margin=0.01, rates=False)
    shifted = [value + 0.01 for value in new]

    assert found.p_value == pytest.approx(stats.ttest_rel(shifted, old, alternative="less").pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(stats.ttest_rel(new, old).confidence_interval(0.9)))
    assert found.level == pytest.approx(0.9)


def test_many_scores_are_judged_by_t_alone():
    stats = pytest.importorskip("scipy.stats")
    pairs = scores(1_200, drop=0.02)
    old, new = ([pair[side][0] for pair in pairs.values()] for side in (0, 1))
    found = compare(pairs, margin=0, rates=False)

    assert found.p_value == pytest.approx(stats.ttest_rel(new, old, alternative="less").pvalue)
    assert agree(found)


def test_an_exact_proof_that_tangos_bounds_do_not_reach_moves_them():
    found = compare(passes(17, 0, 83), margin=0, rates=True, alpha=1e-5)

    assert found.p_value < found.alpha < p_worse(17, 0, 100, 0)
    assert agree(found)


def test_more_repeats_alike_change_nothing():
    pairs = scores(40, drop=0.03)
    again = {example: (old * 3, new * 3) for example, (old, new) in pairs.items()}

    assert compare(again, margin=0, rates=False) == compare(pairs, margin=0, rates=False)


def test_repeats_of_passes_are_judged_by_example():
    rng = random.Random(2)
    pairs = numbered(
        ([rng.random() < 0.9 for _ in range(5)], [rng.random() < 0.6 for _ in range(5)]) for _ in range(30)
    )
    found = compare(pairs, margin=0, rates=True)

    assert found.n == 30
    assert outcome(found, found.p_value, "regression").status == "FAIL"


@pytest.mark.parametrize(
    ("pairs", "n"),
    [
        ({}, 0),
        ({"a": ([], [1.0]), "b": ([0.5], [])}, 0),
        ({"a": ([NAN], [1.0])}, 1),
        ({"a": ([INF], [1.0])}, 1),
    ],
    ids=["no examples", "no example in both", "NaN", "infinity"],
)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rates", [True, False])
def test_nothing_to_compare_is_not_a_pass(pairs, n, mode, rates):
    found = compare(pairs, margin=0.1, rates=rates)

    assert (found.n, found.p_value, found.detectable, found.needed) == (n, 1.0, None, None)
    assert outcome(found, found.p_value, mode).status == "FAIL"
    assert outcome(found, found.p_value, mode).reason.startswith(("no example", "there is no number"))


@pytest.mark.parametrize("higher_is_better", [True, False])
@pytest.mark.parametrize(("baseline", "current"), [(0.8, 0.75), (0.3, 0.25), (0.7, 0.65)])
def test_a_drop_of_the_margin_is_within_it(baseline, current, higher_is_better):
    pair = ([baseline], [current]) if higher_is_better else ([current], [baseline])
    found = compare(
        dict.fromkeys(range(20), pair), margin=0.05, rates=False, higher_is_better=higher_is_better
    )

    assert outcome(found, found.p_value, "regression").status == "PASS"
    assert found.p_value >= 0.05
    assert agree(found)


def test_a_single_example_proves_nothing():
    found = compare({"a": ([1.0], [0.0])}, margin=0, rates=False)

    assert (found.low, found.high, found.p_value) == (-1.0, 1.0, 1.0)
    assert outcome(found, found.p_value, "regression").status == "WARN"
    assert outcome(found, found.p_value, "noninferiority").status == "FAIL"
    assert found.detectable is None
    assert found.needed == 7


@SEEDED
@given(PAIRS, MARGINS)
def test_what_is_open_takes_more_examples_and_what_is_decided_none(pairs, margin):
    found = compare(numbered(pairs), margin=margin, rates=False)
    decided = found.p_value < found.alpha or found.greatest_drop < found.margin

    assert found.needed is None or (not decided and found.needed > found.n)
    assert found.detectable is None or found.detectable > margin - 1e-12


@pytest.mark.parametrize("rates", [True, False], ids=["rates", "scores"])
@pytest.mark.parametrize(("n", "expected"), [(50, "FAIL"), (100, "FAIL"), (200, "PASS")])
def test_runs_alike_are_only_proven_equal_over_enough_examples(rates, n, expected):
    found = compare(passes(0, 0, n), margin=0.02, rates=rates)

    assert outcome(found, found.p_value, "noninferiority").status == expected
    assert outcome(found, found.p_value, "regression").status == "PASS"
    assert found.needed is None if expected == "PASS" else found.needed > n


def test_scores_alike_outside_of_0_to_1_are_not_taken_for_shares():
    found = compare(numbered([([5.0], [5.0])] * 20), margin=0.02, rates=False)

    assert found.high == pytest.approx(5 * (1 - 0.05 ** (1 / 20)))
    assert outcome(found, 1.0, "noninferiority").status == "FAIL"


def test_noninferiority_without_a_margin_takes_a_gain():
    equal, better = (
        compare(passes(5, 5, 90), margin=0, rates=True),
        compare(passes(0, 9, 91), margin=0, rates=True),
    )

    assert outcome(equal, equal.p_value, "noninferiority").status == "FAIL"
    assert outcome(better, better.p_value, "noninferiority").status == "PASS"


def test_a_margin_below_zero_asks_for_a_gain():
    found = compare(passes(2, 6, 192), margin=-0.1, rates=True)

    assert outcome(found, found.p_value, "regression").status == "FAIL"


def test_a_drop_is_not_proven_among_many_comparisons():
    found = compare(passes(12, 3, 85), margin=0, rates=True)
    adjusted = holm([found.p_value, 0.5, 0.6, 0.7])[0]
    verdicts = {mode: outcome(found, adjusted, mode) for mode in MODES}

    assert found.p_value < 0.05 < adjusted
    assert {mode: verdict.status for mode, verdict in verdicts.items()} == {
        "regression": "WARN",
        "noninferiority": "FAIL",
    }
    assert "p = 0.070 among all comparisons, p = 0.018 alone" in verdicts["regression"].reason
    assert verdicts["noninferiority"].reason.startswith("inconclusive: ")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["reason"])
def test_reason(case):
    found = compare(passes(case["lost"], case["gained"], case["same"]), **case["terms"])
    verdict = outcome(found, found.p_value, case["mode"])

    assert (verdict.status, verdict.reason) == (case["status"], case["reason"])
    assert agree(found)


@SEEDED
@given(TABLES.filter(any), MARGINS, st.booleans())
def test_no_number_of_a_reason_contradicts_its_status(table, margin, higher_is_better):
    found = compare(passes(*table), margin=margin, rates=True, higher_is_better=higher_is_better)
    reasons = [outcome(found, found.p_value, mode).reason for mode in MODES]
    bounds = [float(number) for reason in reasons for number in BOUND.findall(reason)]
    chances = [float(number) for reason in reasons for number in CHANCE.findall(reason)]

    assert all((number > margin) == (found.least_drop > margin) for number in bounds if margin >= 0)
    assert all((number < found.alpha) == (found.p_value < found.alpha) for number in chances)


@pytest.mark.parametrize("mode", MODES)
def test_a_drop_of_the_margin_is_worded_as_the_margin(mode):
    found = compare(numbered([([0.9], [0.88])] * 50), margin=0.9 - 0.88, rates=False)

    assert "0.020 lower than the baseline's 0.900" in outcome(found, found.p_value, mode).reason
    found = compare(passes(6, 2, 192), margin=0.02, rates=True)
    assert found.drop > 0.02
    assert "0.020 lower than the baseline's 0.990" in outcome(found, found.p_value, mode).reason


def test_an_unknown_mode_is_named():
    with pytest.raises(UnknownNameError, match="did you mean 'regression'"):
        outcome(compare(passes(1, 1, 8), margin=0, rates=True), 1.0, "regresion")
