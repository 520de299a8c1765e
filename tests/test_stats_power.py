import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.stats import mean
from pytest_context_bench.stats.paired import mcnemar, paired_means, t_test
from pytest_context_bench.stats.power import detectable, detectable_loss, fewest, needed, needed_for_loss

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=60)
CASES = json.loads((Path(__file__).parent / "cases/statistics.json").read_text(encoding="utf-8"))
ALPHAS = st.sampled_from([0.001, 0.01, 0.025, 0.05, 0.1])


@pytest.mark.parametrize("case", CASES["needed"], ids=lambda case: case["why"])
def test_statsmodels_agrees_on_the_number_needed(case):
    found = needed(1.0, case["difference"], case["alpha"], case["power"])

    assert found == pytest.approx(case["n"], abs=0.2)


@SEEDED
@given(st.floats(0.01, 10), st.floats(10, 1e6), ALPHAS)
def test_what_is_detectable_needs_as_many(deviation, n, alpha):
    assert needed(deviation, detectable(deviation, n, alpha), alpha) == pytest.approx(n)
    assert needed_for_loss(deviation, detectable_loss(deviation, n, alpha), alpha) == pytest.approx(n)


def test_the_power_is_as_stated():
    rng, drop = random.Random(1), detectable(1.0, 40, 0.05)
    runs = [[rng.gauss(-drop, 1) for _ in range(40)] for _ in range(500)]
    proven = [t_test(paired_means([([0.0], [value]) for value in run])) < 0.05 for run in runs]

    assert mean(proven) == pytest.approx(0.8, abs=0.04)


def test_the_power_over_a_few_losses_is_as_stated():
    rng, drop = random.Random(2), detectable_loss(1.0, 200, 0.05)
    lost = [sum(rng.random() < drop for _ in range(200)) for _ in range(500)]

    assert mean([mcnemar(count, 0) < 0.05 for count in lost]) == pytest.approx(0.75, abs=0.07)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (needed(1.0, 0.0, 0.05), math.inf),
        (needed(1.0, -1.0, 0.05), math.inf),
        (needed(0.0, 1.0, 0.05), 1.3527717270),
        (needed_for_loss(1.0, 0.0, 0.05), math.inf),
        (detectable(1.0, 1, 0.05), math.inf),
        (detectable(0.0, 100, 0.05), 0.0),
        (detectable_loss(1.0, 0.5, 0.05), 12.36511446),
    ],
)
def test_the_ends_of_power_are_defined(found, expected):
    assert found == pytest.approx(expected)


@SEEDED
@given(ALPHAS)
def test_one_change_fewer_proves_nothing(alpha):
    assert mcnemar(fewest(alpha), 0) < alpha <= mcnemar(fewest(alpha) - 1, 0)


def test_an_alpha_that_so_many_changes_just_reach_takes_one_more():
    assert (fewest(0.5**5), fewest(0.05), fewest(0.025)) == (6, 5, 6)
