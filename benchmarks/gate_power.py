"""Simulates how often gates against a baseline fail equal runs, and catch worse ones; exits 1 out of bounds.

A system's noise is that of its examples: most it nearly always passes or fails, few are a toss-up. About a
tenth of the pairs then differ between two runs of one system (the tables say how many), more where one run is
worse. The more differ by chance, the more examples it takes to show a drop.
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence

from measure.verdicts import Verdict, report
from tabulate import tabulate

from pytest_context_bench.gates import Gate
from pytest_context_bench.judgement import Asked, judge_all
from pytest_context_bench.metrics import default_metrics
from pytest_context_bench.pairing import Baseline
from pytest_context_bench.population import Population
from pytest_context_bench.regression import Comparison, Figure, compare, compare_figures, outcome
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.stats import mean, percentile
from pytest_context_bench.stats.holm import holm

RUNS, TABLE_RUNS = 1_000, 100
N, DROP = 400, 0.05
FALSE_ALARMS, CAUGHT = 5.0, 80.0  # percent
LUCK = 1.4  # two standard errors of 1,000 runs: of many examples the test of a mean fails 5 %, not fewer
MEAN, CONCENTRATION = 0.7, 0.3  # of the chances to pass, which are beta distributed
PARTIAL = 0.25  # what a failed example scores on average
CHANCE = random.Random(0)  # noqa: S311 - a simulation, not a secret

GATES = (
    "pass_rate>=baseline",
    "mean_score>=baseline",
    "mean_score>=baseline-0.02 @ system=one",
    "mean_score>=baseline @ dataset=data 1",
    "dataset:data 2>=baseline",
    "error_rate<=baseline",
)

Pairs = dict[int, tuple[list[float], list[float]]]
Draw = Callable[[float, float], float]


def passes(chance: float, drop: float) -> float:
    """Return whether an example passes; over all, *drop* of them less than without."""
    return float(CHANCE.random() < chance * (1 - drop / MEAN))


def f1(chance: float, drop: float) -> float:
    """Return 1 where the example passes, else 0 or anything between; on average *drop* less than without."""
    if passes(chance, drop / (1 - PARTIAL)):
        return 1.0
    return CHANCE.random() if CHANCE.random() < 2 * PARTIAL else 0.0


def runs(draw: Draw, n: int, drop: float = 0.0) -> Pairs:
    """Return the scores of *n* examples in a baseline and in a run that is worse by *drop*."""
    alpha, beta = MEAN * CONCENTRATION, (1 - MEAN) * CONCENTRATION
    chances = [CHANCE.betavariate(alpha, beta) for _ in range(n)]
    return {at: ([draw(chance, 0.0)], [draw(chance, drop)]) for at, chance in enumerate(chances)}


def compared(draw: Draw, pairs: Pairs) -> Comparison:
    """Compare scores as the gate on them does."""
    return compare(pairs, margin=0.0, rates=draw is passes)


def fails(comparisons: Sequence[Comparison]) -> bool:
    """Whether a build with gates on all of these fails."""
    adjusted = holm([comparison.p_value for comparison in comparisons])
    judged = zip(comparisons, adjusted, strict=True)
    return any(outcome(comparison, p, "regression").status == "FAIL" for comparison, p in judged)


def build(drop: float = 0.0) -> bool:
    """Whether a whole build fails: two systems on three data sets, judged as in a run by GATES."""
    rows: tuple[list[EvalRow], list[EvalRow]] = [], []
    for system, worse in (("one", drop), ("two", 0.0)):
        for at, scores in runs(f1, N // 2, worse).items():
            for of_run, (score,) in zip(rows, scores, strict=True):
                of_run.append(EvalRow(system, at, {"score": score}, 100, 50, dataset=f"data {at % 3}"))
    baseline, current = rows
    population = Population(current, default_metrics())
    asked = [Asked(Gate.parse(text), population) for text in GATES]
    return any(verdict.status == "FAIL" for verdict in judge_all(asked, Baseline(baseline, {}, {})))


def latency() -> list[Comparison]:
    """Return what a gate on the 95th percentile of the latency finds."""
    usual = [CHANCE.lognormvariate(0, 0.6) for _ in range(N)]
    seconds = [value * CHANCE.lognormvariate(0, 0.3) for value in usual * 2]
    figure = Figure(lambda rows: percentile([seconds[row] for row in rows], 95), higher_is_better=False)
    return [compare_figures({at: ([at], [N + at]) for at in range(N)}, figure, resamples=99)]


def share(run: Callable[[], list[Comparison] | bool], count: int = RUNS) -> float:
    """Return what percentage of simulated builds fails."""
    CHANCE.seed(0)  # whatever was simulated before
    found = (run() for _ in range(count))
    return 100 * mean([one if isinstance(one, bool) else fails(one) for one in found])


def false_alarms() -> Iterator[Verdict]:
    """Compare systems with themselves."""
    for name, run, count, bound in (
        ("pass rate of 20 examples", lambda: [compared(passes, runs(passes, 20))], RUNS, FALSE_ALARMS),
        (f"pass rate of {N} examples", lambda: [compared(passes, runs(passes, N))], RUNS, FALSE_ALARMS),
        ("mean F1 of 20 examples", lambda: [compared(f1, runs(f1, 20))], RUNS, FALSE_ALARMS),
        (f"mean F1 of {N} examples", lambda: [compared(f1, runs(f1, N))], RUNS, FALSE_ALARMS + LUCK),
        (f"{len(GATES)} gates on 2 systems, {N // 2} examples each", build, RUNS, FALSE_ALARMS),
        (f"latency_p95 of {N} examples", latency, RUNS // 5, FALSE_ALARMS),
    ):
        yield Verdict(f"equal runs that fail, {name}", share(run, count), bound, "%")


def power() -> Iterator[Verdict]:
    """Compare systems with worse ones."""
    for name, draw in (("pass rate", passes), ("mean F1", f1)):
        figure = share(lambda draw=draw: [compared(draw, runs(draw, N, DROP))])
        what = f"drops of {DROP * 100:g} points that fail, {name} of {N} examples"
        yield Verdict(what, figure, CAUGHT, "%", at_least=True)
    what = f"drops of {2 * DROP * 100:g} points of one of 2 systems that fail, {N // 2} examples each"
    yield Verdict(what, share(lambda: build(2 * DROP), TABLE_RUNS), CAUGHT, "%", at_least=True)


def print_table(name: str, draw: Draw) -> None:
    """Print the percentage of drops caught by number of examples and size."""
    drops = (0.02, 0.05, 0.1)
    differing = 100 * mean([old != new for old, new in runs(draw, 10_000).values()])
    rows = []
    for n in (100, 200, 400, 800):
        caught = [
            share(lambda drop=drop, n=n: [compared(draw, runs(draw, n, drop))], TABLE_RUNS) for drop in drops
        ]
        rows.append([n, *caught])
    print(f"drops of the {name} that fail, %; between equal runs {differing:.0f} % of the pairs differ")
    print(tabulate(rows, headers=["n", *(f"{drop * 100:g} points" for drop in drops)], floatfmt=".0f"))


def main() -> int:
    """Print the tables and the verdicts; return the exit status."""
    print_table("pass rate", passes)
    print_table("mean F1", f1)
    return report([*false_alarms(), *power()])


if __name__ == "__main__":
    sys.exit(main())
