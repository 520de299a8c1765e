"""Gates beside a baseline, judged over rows: by their pairs, together, and never against what is printed."""

import math
import random
import time
from dataclasses import dataclass
from typing import ClassVar

import pytest
from engine_rows import row

from pytest_context_bench.differences import compared
from pytest_context_bench.gates import Gate
from pytest_context_bench.judgement import Asked, judge_all
from pytest_context_bench.metrics import PassRate, default_metrics
from pytest_context_bench.metrics.values import parts_of, values_of
from pytest_context_bench.pairing import Baseline
from pytest_context_bench.population import Population, gives
from pytest_context_bench.reports.terminal import verdict_line
from pytest_context_bench.stats import mean

SETTINGS = {"tokenizer": "cl100k_base", "text_fields": []}


def run_of(scores, system="a", **values):
    """Return a row of *system* for each score, by the number of its example; None stands for an error."""
    return [
        row(score, system=system, example_id=at, error=None if score is not None else "down", **values)
        for at, score in enumerate(scores)
    ]


def judged(texts, now, before, metrics=(), before_config=SETTINGS, **options):
    metrics = [*default_metrics(), *metrics]
    texts = [texts] if isinstance(texts, str) else texts
    population = Population(now, metrics)
    baseline = None if before is None else Baseline(before, before_config, SETTINGS)
    return judge_all([Asked(Gate.parse(text), population) for text in texts], baseline, **options)


def status(*args, **options):
    return [verdict.status for verdict in judged(*args, **options)]


@dataclass(frozen=True)
class Silent:
    """A user's metric that does not say what it gives; it fails where few rows are left to fold."""

    name: str = "mine"
    least: int = 0

    def compute(self, rows):
        if len({each.example_id for each in rows}) < self.least:
            raise ZeroDivisionError
        return {"mine": mean([each.scores["score"] for each in rows])}


@dataclass(frozen=True)
class Total:
    """A user's metric that is a sum."""

    name: str = "total"
    keys: ClassVar = ("total",)

    def compute(self, rows):
        return {"total": sum(each.output_tokens for each in rows)}


class TestFiguresOfAnyKind:
    def test_a_metric_that_does_not_say_what_it_gives_is_judged_by_its_examples_too(self):
        before, now = run_of([1.0] * 60), run_of([1.0] * 58 + [0.0] * 2)

        assert status("mine>=baseline", now, before, [Silent()]) == ["WARN"]
        assert status("mine>=baseline", run_of([1.0] * 40 + [0.0] * 20), before, [Silent()]) == ["FAIL"]

    def test_a_metric_that_fails_on_what_is_drawn_does_not_break_the_judgement(self):
        before, now = run_of([1.0] * 60), run_of([0.0] * 60)
        (verdict,) = judged("mine>=baseline", now, before, [Silent(least=60)])

        assert verdict.status in {"WARN", "FAIL"}
        assert verdict.findings[0].value == 0.0

    @pytest.mark.parametrize("count", [50, 1_500])
    def test_a_sum_is_compared_as_a_sum(self, count):
        before, now = run_of([1.0] * count), run_of([1.0] * count, output_tokens=6)
        gates = ["total<=baseline", "total<=baseline+19%", "total<=baseline+21%", f"total<=baseline+{count}"]

        assert status(gates, now, before, [Total()]) == ["FAIL", "FAIL", "PASS", "PASS"]

    def test_a_number_of_rows_is_that_of_the_whole_runs(self):
        before, now = run_of([1.0] * 20), run_of([1.0] * 15)

        assert status("n>=baseline", now, before) == ["FAIL"]
        assert status("n>=baseline-5", now, before) == ["PASS"]
        assert status("n>=baseline", before, now) == ["PASS"]

    def test_a_rank_is_among_the_systems_that_both_runs_have(self):
        old, better = run_of([0.5] * 9), run_of([1.0] * 9, system="new")
        rival = run_of([0.4] * 9, system="b")

        assert status("pareto_rank<=baseline @ system=a", [*old, *rival, *better], [*old, *rival]) == ["PASS"]
        worse = run_of([0.1] * 9)
        assert status("pareto_rank<=baseline @ system=a", [*worse, *rival], [*old, *rival]) == ["FAIL"]

    @pytest.mark.parametrize(
        ("before", "now", "expected"),
        [
            ([1, 0], [0, 0], "FAIL"),
            ([0, 0], [1, 0], "PASS"),
            ([0, 0], [0, 0], "FAIL"),
            ([1, 1], [1, 1], "PASS"),
        ],
        ids=["infinite now", "finite at last", "infinite still", "the same"],
    )
    def test_a_cost_that_is_infinite(self, before, now, expected):
        before, now = run_of(before * 10), run_of(now * 10)

        (verdict,) = judged("cost_of_pass<=baseline+10%", now, before)
        assert verdict.status == expected


class TestOperators:
    def test_equal_means_the_very_same_figure(self):
        before = run_of([1.0] * 60)

        assert status("mean_score==baseline", before, before) == ["PASS"]
        assert status("mean_score==baseline", run_of([1.0] * 59 + [0.9]), before) == ["FAIL"]
        assert status("mean_score==baseline", before, run_of([1.0] * 59 + [0.9])) == ["FAIL"]

    @pytest.mark.parametrize(
        ("gate", "expected"),
        [
            ("mean_score>baseline", "WARN"),
            ("mean_score<baseline", "WARN"),
            ("mean_score>=baseline", "PASS"),
            ("mean_score>baseline-0.1", "PASS"),
            ("mean_score>baseline+0.1", "FAIL"),
        ],
    )
    def test_more_than_the_same_is_not_what_the_same_shows(self, gate, expected):
        same = run_of([0.5, 0.7] * 30)

        assert status(gate, same, same) == [expected]


class TestModes:
    def test_what_is_the_same_is_not_less_than_nothing(self):
        same = run_of([0.5] * 30)
        (verdict,) = judged("mine>=baseline", same, same, [Silent()], mode="noninferiority")

        assert verdict.status == "FAIL"
        assert "the same as the baseline's 0.500, at most 0.000 lower" in verdict.findings[0].reason

    def test_a_release_takes_proof(self):
        now = run_of([1.0] * 50)

        for mode, expected in (("regression", "WARN"), ("noninferiority", "FAIL")):
            assert status("mean_score>=baseline", now, None, mode=mode) == [expected]
            assert status("mean_score>=baseline", now, run_of([1.0], "b"), mode=mode) == [expected]

    def test_a_partial_run_passes_nothing(self):
        now = run_of([1.0] * 50)

        assert status("mean_score>=baseline", now, now, partial=True) == ["PARTIAL"]
        assert status("mean_score>=baseline", now, None, partial=True) == ["PARTIAL"]
        assert status("mean_score>=baseline", run_of([0.0] * 50), now, partial=True) == ["FAIL"]


def test_of_many_gates_a_clear_loss_of_speed_still_fails():
    rng = random.Random(1)
    usual = [rng.lognormvariate(0, 0.5) for _ in range(200)]
    systems = [f"s{number}" for number in range(30)]

    def run(slower):
        return [
            row(1.0, system=system, example_id=at, latency=latency * (3 if system == slower else 1))
            for system in systems
            for at, latency in enumerate(usual)
        ]

    (verdict, *others) = judged(
        ["latency_p95<=baseline*1.5", *["pass_rate>=baseline"] * 4], run("s7"), run("")
    )
    assert [finding.system for finding in verdict.findings if not finding.holds] == ["s7"]
    assert {other.status for other in others} == {"PASS"}


def test_a_line_names_those_that_do_not_pass_alone():
    before = [*run_of([1.0] * 30), *run_of([1.0] * 30, "b")]
    warned = judged(
        "mean_score>=baseline", [*run_of([0.0, 0.9] + [1.0] * 28), *run_of([1.0] * 30, "b")], before
    )

    assert "b " not in verdict_line(warned[0]).partition(": ")[2].partition(" ")[2]
    assert verdict_line(judged("mean_score>=baseline", before, before)[0]) == (
        "PASS  mean_score >= baseline: a the same as the baseline's 1.000 (n=30); "
        "b the same as the baseline's 1.000 (n=30)"
    )


@pytest.mark.parametrize(
    "metric",
    [metric for metric in default_metrics() if metric.name != "pareto_rank"],
    ids=lambda metric: metric.name,
)
@pytest.mark.parametrize("seed", range(5))
def test_what_figures_are_made_of_gives_the_figures(metric, seed):
    rng = random.Random(seed)
    rows = [
        row(
            rng.choice([None, 0.0, 0.5, rng.random(), 1.0]),
            example_id=at,
            error=rng.choice([None, None, "down"]),
            input_tokens=rng.randrange(5),
            output_tokens=rng.randrange(99),
            latency=rng.random(),
            dataset=rng.choice(["x", "y", ""]),
            metadata=rng.choice([{}, {"prompt_tokens": rng.randrange(9), "completion_tokens": 3.5}]),
        )
        for at in range(rng.choice([1, 7, 40]))
    ]

    for key, figure in metric.compute(rows).items():
        if not gives(metric, key):  # the number of rows that a figure is over
            continue
        values, parts = values_of(metric, key), parts_of(metric, key)
        if values is not None:
            assert mean([value for _, value in values.read(rows)]) == pytest.approx(figure, rel=1e-12)
        assert parts.fold([parts.of(each) for each in rows]) == figure
        assert math.isnan(parts.fold([]))


def test_many_rows_are_judged_in_seconds():
    rng = random.Random(0)

    def run():
        return [
            row(
                rng.random(),
                system=system,
                example_id=at,
                output_tokens=rng.randrange(99),
                latency=rng.random(),
            )
            for at in range(5_000)
            for system in ("a", "b")
        ]

    gates = [
        "mean_score>=baseline", "pass_rate>=baseline", "latency_p95<=baseline*1.2",
        "cost_of_pass<=baseline+10%", "compression_ratio>=baseline-0.01",
    ]  # fmt: skip
    before, now = run(), run()
    started = time.process_time()
    judged(gates, now, before)

    assert time.process_time() - started < 10  # of the processor: a third of it is usual


class TestFlips:
    def test_a_score_that_the_baseline_does_not_have_flips_nothing(self):
        before = run_of([1.0, 0.0, None])
        now = [row(at / 2, example_id=at, metadata={}) for at in range(3)]
        for each in now:
            each.scores = {"new": 1.0}
        judging = [PassRate(0.7, "new")]
        found = compared("main", Population(now, judging), Baseline(before, SETTINGS, SETTINGS))

        assert [(flip.example_id, flip.passes) for flip in found.flips] == [(2, True)]

    def test_repeats_flip_by_most_of_them(self):
        before = [row(score, example_id=at, repeat=n) for at in range(2) for n, score in enumerate([1, 1, 0])]
        now = [row(score, example_id=at, repeat=n) for at in range(2) for n, score in enumerate([1, at, 0])]
        found = compared("main", Population(now, default_metrics()), Baseline(before, SETTINGS, SETTINGS))

        assert [(flip.example_id, flip.passes) for flip in found.flips] == [(0, False)]
