import math
import time
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from engine_rows import row, rows
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.metrics import (
    CompressionRatio,
    CostOfPass,
    Counts,
    Latency,
    MeanScore,
    ParetoRank,
    PassRate,
    PerDatasetBreakdown,
    default_metrics,
    summarize,
)
from pytest_context_bench.metrics.saved import KINDS, from_saved, to_saved
from pytest_context_bench.metrics.token_stats import ParetoRank as ParetoRankOfTokenStats
from pytest_context_bench.population import Population
from pytest_context_bench.protocols import Metric, SystemRanking
from pytest_context_bench.reports.table import table_of

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=100)
INF = math.inf


@dataclass(frozen=True)
class Given:
    """A user's metric that returns, or raises, what it is given."""

    figures: object = field(default_factory=dict)
    name: str = "given"

    def compute(self, rows):
        if isinstance(self.figures, BaseException):
            raise self.figures
        return self.figures(rows) if callable(self.figures) else self.figures


@pytest.mark.parametrize("metric", default_metrics(), ids=lambda metric: metric.name)
def test_a_metric_over_no_rows_gives_no_figure_it_could_make_up(metric):
    assert isinstance(metric, Metric)
    assert metric.compute([]) == ({"pareto_rank": 0.0} if isinstance(metric, ParetoRank) else {})


@pytest.mark.parametrize("metric", default_metrics(), ids=lambda metric: metric.name)
def test_the_order_of_rows_does_not_show(metric):
    values = [
        row(
            (n * 7 % 10) / 10,
            latency=n / 7,
            output_tokens=n,
            dataset=f"d{n % 3}",
            error="x" if n == 4 else None,
        )
        for n in range(20)
    ]

    assert metric.compute(values) == metric.compute(values[::-1])


def test_errors_are_no_passes_and_zero_in_means():
    figures = summarize(rows(1, 1, 1, 1, 1, 1, 0, 0, "down", "down"), default_metrics())[0]["a"]

    assert (figures["mean_score"], figures["pass_rate"]) == (0.6, 0.6)
    assert (figures["n"], figures["errors"], figures["error_rate"]) == (10, 2, 0.2)


def test_an_error_passes_not_even_a_threshold_of_0():
    assert PassRate(0.0).compute(rows(0, "down")) == {"pass_rate": 0.5}
    assert CostOfPass(0.0).compute(rows(0, "down")) == {"cost_of_pass": 10.0}


def test_a_score_at_the_threshold_passes():
    assert PassRate(0.7).compute(rows(0.7, math.nextafter(0.7, 0), math.nextafter(0.7, 1))) == {
        "pass_rate": 2 / 3
    }


def test_metrics_say_over_how_many_rows_they_are():
    given = rows(1, None, "down", 0)

    assert MeanScore().compute(given) == {"mean_score": 1 / 3, "mean_score_n": 3}
    assert PassRate().compute(given) == {"pass_rate": 1 / 3, "pass_rate_n": 3}
    assert CostOfPass().compute(given) == {"cost_of_pass": 15.0, "cost_of_pass_n": 3}
    assert Latency().compute(given)["latency_n"] == 3
    assert CompressionRatio().compute(given)["compression_ratio_n"] == 3


@pytest.mark.parametrize("metric", [MeanScore("f1"), PassRate(0.5, "f1"), CostOfPass(0.5, "f1")])
def test_a_score_that_no_row_has_gives_no_figure(metric):
    assert metric.compute(rows(1, 0)) == {}


@pytest.mark.parametrize("value", [math.nan, INF, -INF])
def test_a_score_that_is_not_finite_shows_in_the_mean(value):
    assert MeanScore().compute(rows(1, value))["mean_score"] == pytest.approx(value, nan_ok=True)


def test_nan_does_not_pass():
    assert PassRate(0.0).compute(rows(math.nan, 1)) == {"pass_rate": 0.5}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [(1000, 500, 0.5), (1000, 0, 1.0), (1000, 1000, 0.0), (1000, 1500, -0.5)],
)
def test_compression_is_the_share_of_tokens_taken_away(before, after, expected):
    figures = CompressionRatio().compute([row(input_tokens=before, output_tokens=after)] * 3)

    assert figures["compression_ratio"] == expected
    assert (figures["mean_input_tokens"], figures["mean_output_tokens"]) == (before, after)


def test_compression_is_over_all_tokens_not_over_ratios():
    given = [row(input_tokens=10, output_tokens=0), row(input_tokens=990, output_tokens=990)]

    assert CompressionRatio().compute(given)["compression_ratio"] == pytest.approx(0.01)


def test_nothing_to_compress_is_no_compression():
    assert CompressionRatio().compute([row(input_tokens=0, output_tokens=0)]) == {}


@pytest.mark.parametrize(
    ("scores", "cost"), [((1, 0, 1, 0), 10.0), ((0, 0), INF), ((1,), 5.0), (("down", 1), 10.0)]
)
def test_cost_of_pass_is_output_tokens_a_passing_row(scores, cost):
    assert CostOfPass().compute(rows(*scores)) == {"cost_of_pass": cost}


def test_latency_leaves_failed_calls_out():
    given = [row(latency=n, error="down" if n > 20 else None) for n in [*range(1, 21), 500, 900]]

    assert Latency().compute(given) == {
        "latency_mean": 10.5,
        "latency_median": 10.5,
        "latency_p95": 19.05,
        "latency_p99": 19.81,
        "latency_n": 20,
    }


def test_data_sets_are_sorted_and_rows_without_one_are_unknown():
    given = [row(1, dataset="b"), row(0, dataset="a:x"), row(1), row(dataset="c")]

    figures = PerDatasetBreakdown().compute(given)
    assert list(figures.items()) == [("dataset:a:x", 0.0), ("dataset:b", 1.0), ("dataset:unknown", 1.0)]
    assert PerDatasetBreakdown(min_datasets=5).compute(given) == {}


@pytest.mark.parametrize(
    ("points", "ranks"),
    [
        ({"one": (0.5, 100)}, [1]),
        ({"best": (0.9, 10), "worse": (0.8, 20), "worst": (0.7, 30)}, [1, 2, 3]),
        ({"good": (0.9, 100), "cheap": (0.5, 10)}, [1, 1]),
        ({"tie": (0.5, 10), "tied": (0.5, 10), "below": (0.5, 11)}, [1, 1, 3]),
        ({"dear": (0.9, 20), "same but cheaper": (0.9, 10)}, [2, 1]),
        ({"never passes": (0.99, INF), "bad": (0.1, 1000)}, [2, 1]),
        ({"never": (0.2, INF), "never too": (0.1, INF)}, [1, 2]),
        ({"no cost": (0.9, None), "bad": (0.1, 1000)}, [2, 1]),
        ({"no quality": (None, 1), "bad": (0.1, 1000)}, [1, 1]),
        ({"NaN": (math.nan, 5), "bad": (0.1, 1)}, [2, 1]),
        ({"NaN cost": (0.9, math.nan), "bad": (0.1, 1)}, [2, 1]),
        ({"nothing": (None, None), "nothing too": (None, None)}, [1, 1]),
        ({"free": (0.5, 0), "also": (0.6, 0)}, [2, 1]),
    ],
    ids=str,
)
def test_ranks(points, ranks):
    given = {
        system: {
            key: value
            for key, value in zip(("mean_score", "cost_of_pass"), point, strict=True)
            if value is not None
        }
        for system, point in points.items()
    }

    assert ParetoRank.rank_systems(given) == dict(zip(points, ranks, strict=True))


COSTS = st.sampled_from([0.0, 1.0, 2.0, 3.0, INF])
QUALITIES = st.sampled_from([0.0, 0.5, 1.0])


@SEEDED
@given(st.lists(st.tuples(QUALITIES, COSTS), min_size=1, max_size=6))
def test_rank_1_is_what_nothing_dominates_and_systems_without_a_pass_come_last(points):
    summary = {
        str(n): {"mean_score": quality, "cost_of_pass": cost} for n, (quality, cost) in enumerate(points)
    }

    ranks = ParetoRank.rank_systems(summary)
    finite = [ranks[str(n)] for n, (_, cost) in enumerate(points) if cost < INF]
    infinite = [ranks[str(n)] for n, (_, cost) in enumerate(points) if cost == INF]
    assert 1 in ranks.values()
    assert not finite or not infinite or max(finite) < min(infinite)
    for n, (quality, cost) in enumerate(points):
        dominated = any(q >= quality and c <= cost and (q, c) != (quality, cost) for q, c in points)
        if cost < INF:
            assert (ranks[str(n)] == 1) == (not dominated)


def test_the_fields_to_rank_by_can_be_chosen():
    summary = {"a": {"f1_mean": 0.9, "latency_p95": 2.0}, "b": {"f1_mean": 0.8, "latency_p95": 3.0}}

    assert ParetoRank("f1_mean", "latency_p95").rank(summary) == {"a": 1, "b": 2}
    assert ParetoRank.rank_systems(summary, "f1_mean", "latency_p95") == {"a": 1, "b": 2}
    assert ParetoRankOfTokenStats is ParetoRank
    assert isinstance(ParetoRank(), SystemRanking)


def test_one_system_is_not_ranked_by_default():
    assert "pareto_rank" not in summarize(rows(1), default_metrics())[0]["a"]
    both = [*rows(1), *rows(0, system="b")]
    assert {
        name: figures["pareto_rank"] for name, figures in summarize(both, default_metrics())[0].items()
    } == {
        "a": 1,
        "b": 2,
    }


@pytest.mark.parametrize(
    ("value", "figure"),
    [
        (np.float32(0.5), 0.5),
        (np.int64(3), 3.0),
        (Decimal("0.25"), 0.25),
        (Fraction(1, 2), 0.5),
        (True, 1.0),
        (-INF, -INF),
    ],
    ids=repr,
)
def test_figures_of_users_become_plain_floats(value, figure):
    summary, problems = summarize(rows(1), [Given({"mine": value})])

    assert (summary, problems) == ({"a": {"mine": figure}}, [])
    assert type(summary["a"]["mine"]) is float


def test_null_is_no_figure():
    assert summarize(rows(1), [Given({"mine": None, "yours": 1})]) == ({"a": {"yours": 1.0}}, [])


@pytest.mark.parametrize(
    ("figures", "problem"),
    [
        (ZeroDivisionError("by zero"), "ZeroDivisionError: by zero"),
        (None, "what metric 'given' computes: 'NoneType' is not a dict of numbers"),
        (0.5, "what metric 'given' computes: 'float' is not a dict of numbers"),
        ({"mine": "0.5"}, "figure 'mine': '0.5' is not a number"),
        ({"mine": [1]}, "figure 'mine': [1] is not a number"),
        ({"mean_score": 0.9}, "figure 'mean_score' of metric 'given': 0.9 is not the 1 of another"),
        (SystemExit(3), "SystemExit: 3"),
        (ConnectionError("https://me:pw@host"), "ConnectionError: https://***@host"),
    ],
    ids=repr,
)
def test_a_metric_that_fails_costs_its_own_figures_alone(figures, problem):
    summary, problems = summarize(rows(1), [MeanScore(), Given(figures), Counts()])

    assert summary == {"a": {"mean_score": 1.0, "n": 1.0, "errors": 0.0, "error_rate": 0.0}}
    assert len(problems) == 1
    assert problems[0].startswith("metric 'given' failed on system 'a': ")
    assert problems[0].endswith(problem)


@pytest.mark.parametrize("value", [0.5, math.nan, INF])
def test_metrics_may_agree_on_a_figure(value):
    assert summarize(rows(1), [Given({"mine": value}), Given({"mine": value})])[1] == []


def test_what_a_metric_does_to_its_rows_is_not_the_next_ones_loss():
    summary, problems = summarize(rows(1, 0), [Given(lambda given: given.clear() or {}), Counts()])

    assert (summary["a"]["n"], problems) == (2.0, [])


def test_figures_can_have_any_printable_name():
    assert summarize(rows(1), [Given({"\ud83d": 1, 3: 2})])[0] == {"a": {"\\ud83d": 1.0, "3": 2.0}}


@pytest.mark.parametrize(
    ("ranks", "problem"),
    [
        ({"nobody": 1}, "KeyError: 'nobody'"),
        ({"a": "first"}, "InvalidValueError: rank of 'a': 'first' is not a number"),
        (None, "AttributeError: 'NoneType' object has no attribute 'items'"),
    ],
    ids=repr,
)
def test_a_ranking_that_fails_costs_its_own_figures_alone(ranks, problem):
    @dataclass(frozen=True)
    class Order:
        name: str = "order"

        def compute(self, _):
            return {}

        def rank(self, summary):
            summary.clear()
            return ranks

    summary, problems = summarize(rows(1), [MeanScore(), Order()])

    assert summary == {"a": {"mean_score": 1.0}}
    assert problems == [f"metric 'order' failed: {problem}"]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_metric_of_the_project_can_be_saved(kind):
    assert from_saved(to_saved(kind())) == kind()


def test_saved_metrics_keep_their_settings():
    metric = PassRate(0.25, "f1", name="strict")

    assert from_saved({**to_saved(metric), "of_a_newer_version": 1}) == metric


def test_a_saved_metric_of_a_user_says_that_it_is_not_there():
    metric = from_saved(to_saved(Given({"mine": 1})))

    assert metric.name == "given"
    summary, (problem,) = summarize(rows(1), [metric])
    assert summary == {"a": {}}
    assert problem.startswith("metric 'given' failed on system 'a': ")
    assert problem.endswith("a saved result holds no code: put the metric in result.metrics to compute it")


def test_a_subclass_is_not_saved_as_what_it_changes():
    class Doubled(MeanScore):
        def compute(self, rows):
            return {"mean_score": 2 * super().compute(rows)["mean_score"]}

    assert to_saved(Doubled()) == {"name": "mean_score"}


def test_a_hundred_thousand_rows_of_ten_data_sets_take_seconds():
    given = [
        row(n % 10 / 10, system=f"s{n % 2}", example_id=n, dataset=f"d{n % 10}", latency=n / 7)
        for n in range(100_000)
    ]
    population = Population(given, default_metrics())

    start = time.process_time()
    table = table_of(population)
    assert time.process_time() - start < 5
    assert len(table.lines) == 2 + 10


def test_rows_of_many_data_sets_are_gone_through_once():
    class Counted(list):
        passes = 0

        def __iter__(self):
            self.passes += 1
            return super().__iter__()

    given = Counted(row(1.0, example_id=n, dataset=f"d{n}") for n in range(300))

    table = table_of(Population(given, default_metrics()))

    assert len(table.lines) == 1 + 300
    assert given.passes < 20
