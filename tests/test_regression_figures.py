import math
import random

import pytest

from pytest_context_bench.regression import MODES, Figure, compare_figures, outcome
from pytest_context_bench.stats import mean, percentile
from pytest_context_bench.stats.holm import holm


def latencies(count, factor=1.0, seed=1):
    """Return seconds of a baseline, and of a current run that takes *factor* times as long."""
    rng = random.Random(seed)
    usual = [rng.lognormvariate(0, 0.6) for _ in range(count)]
    return [value * rng.lognormvariate(0, 0.1) * by for by in (1.0, factor) for value in usual]


def pairs(count):
    return {place: ((place,), (count + place,)) for place in range(count)}


def p95(values, bound=float, *, higher_is_better=False):
    return Figure(lambda rows: percentile([values[row] for row in rows], 95), bound, higher_is_better)


def agree(comparison):
    statuses = [outcome(comparison, comparison.p_value, mode).status for mode in MODES]
    proven, equal = comparison.least_drop > comparison.margin, comparison.greatest_drop < comparison.margin
    return (comparison.p_value < comparison.alpha) == proven == (statuses == ["FAIL", "FAIL"]) and (
        statuses[1] == "PASS"
    ) == equal


@pytest.mark.parametrize(
    ("factor", "bound", "expected"),
    [
        (2.0, float, ["FAIL", "FAIL"]),
        (2.0, lambda base: base * 1.1, ["FAIL", "FAIL"]),
        (1.0, lambda base: base * 1.5, ["PASS", "PASS"]),
        (1.0, lambda base: base + 1, ["PASS", "PASS"]),
        (0.5, float, ["PASS", "PASS"]),
    ],
    ids=["twice", "twice beyond a tenth", "the same within half", "the same within a second", "half"],
)
def test_a_latency_is_judged_against_its_baseline(factor, bound, expected):
    found = compare_figures(pairs(300), p95(latencies(300, factor), bound))

    assert [outcome(found, found.p_value, mode).status for mode in MODES] == expected
    assert agree(found)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("factor", [0.95, 1.05, 1.2])
@pytest.mark.parametrize("count", [1, 4, 12, 40])
def test_figures_never_contradict_themselves(count, factor, seed):
    values = latencies(count, factor, seed)
    found = compare_figures(pairs(count), p95(values, lambda base: base * 1.05), seed=seed, resamples=59)

    assert found.low <= found.difference <= found.high
    assert found.margin == pytest.approx(found.baseline * 0.05)
    assert agree(found)


def test_higher_is_better_is_the_mirror():
    values = latencies(60, 1.3)
    lower = compare_figures(
        pairs(60), Figure(lambda rows: mean([values[row] for row in rows]), higher_is_better=False)
    )
    higher = compare_figures(pairs(60), Figure(lambda rows: -mean([values[row] for row in rows])))

    assert (higher.low, higher.high, higher.p_value) == (-lower.high, -lower.low, lower.p_value)


def test_few_examples_do_not_deceive_a_high_percentile():
    failing = 0
    for seed in range(60):
        rng = random.Random(seed)
        values = [rng.lognormvariate(0, 1) for _ in range(20)]
        found = compare_figures(pairs(10), p95(values), seed=seed, resamples=99)
        failing += outcome(found, found.p_value, "regression").status == "FAIL"

    assert failing / 60 <= 0.05


def test_the_order_of_examples_does_not_show():
    values, examples = latencies(50, 1.1), pairs(50)
    shuffled = dict(random.Random(1).sample(list(examples.items()), 50))

    assert compare_figures(shuffled, p95(values)) == compare_figures(examples, p95(values))


def test_examples_without_rows_in_either_run_are_left_out():
    values, examples = latencies(50, 1.1), pairs(50)
    more = {**examples, 50: ((), (3,)), 51: ((4,), ())}

    assert compare_figures(more, p95(values)) == compare_figures(examples, p95(values))
    assert compare_figures(more, p95(values)).n == 50


@pytest.mark.parametrize(
    ("baseline", "current", "expected"),
    [(0, 10, "PASS"), (10, 0, "FAIL"), (0, 0, "FAIL"), (10, 10, "PASS"), (20, 4, "FAIL")],
    ids=["finite at last", "infinite now", "infinite still", "the same", "dearer"],
)
def test_a_cost_of_pass_that_can_be_infinite(baseline, current, expected):
    passes = [place < passing for passing in (baseline, current) for place in range(20)]

    def cost(rows):
        passing = sum(passes[row] for row in rows)
        return 100 * len(rows) / passing if passing else math.inf

    found = compare_figures(pairs(20), Figure(cost, higher_is_better=False))

    assert outcome(found, found.p_value, "regression").status == expected


@pytest.mark.parametrize("bound", [lambda base: math.nan, float], ids=["bound", "figure"])
def test_what_is_no_number_is_not_a_pass(bound):
    figure = Figure(lambda rows: 1.0 if bound is not float else math.nan, bound)
    found = compare_figures(pairs(20), figure)

    assert [outcome(found, found.p_value, mode).status for mode in MODES] == ["FAIL", "FAIL"]


def test_no_examples_are_not_a_pass():
    found = compare_figures({}, p95([]))

    assert (found.n, found.p_value) == (0, 1.0)
    assert outcome(found, found.p_value, "regression").status == "FAIL"


def test_a_ratio_of_sums_is_a_figure_too():
    rng = random.Random(3)
    before = [rng.randint(50, 2_000) for _ in range(200)] * 2
    after = [round(tokens * (0.5 if row < 200 else 0.6)) for row, tokens in enumerate(before)]
    figure = Figure(lambda rows: 1 - sum(after[row] for row in rows) / sum(before[row] for row in rows))
    found = compare_figures(pairs(200), figure)

    assert found.difference == pytest.approx(-0.1, abs=0.002)
    assert found.high == pytest.approx(-0.1, abs=0.002)
    assert outcome(found, holm([found.p_value] * 5)[0], "regression").status == "FAIL"
