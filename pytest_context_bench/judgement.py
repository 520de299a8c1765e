"""Judges the gates of a run, those that a baseline bounds together: of many trials one fails by chance."""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_context_bench.gates import Finding, Gate, Verdict, exact, judge, missing
from pytest_context_bench.metrics.token_stats import CompressionRatio, CostOfPass
from pytest_context_bench.metrics.values import Values, values_of
from pytest_context_bench.paired_values import SEED, compare_values
from pytest_context_bench.pairing import Paired, pair_up, unlike_counts
from pytest_context_bench.population import Population, gives
from pytest_context_bench.protocols import Metric, SystemComparison, SystemRanking
from pytest_context_bench.regression import Comparison, Figure, compare_figures, outcome
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.stats.holm import holm

HIGHER = frozenset({">=", ">"})
NO_BASELINE = "there is no baseline to compare with: make one with --context-bench-save NAME"


@dataclass(frozen=True)
class Asked:
    """A gate, the rows that it is about, and the test whose own it is, if it is one's."""

    gate: Gate
    population: Population
    test: str = ""


@dataclass(frozen=True)
class Baseline:
    """The rows and settings of the baseline, and the run's own settings."""

    rows: Sequence[EvalRow]
    config: Mapping[str, Any]
    current: Mapping[str, Any]


@dataclass(frozen=True)
class _Trial:
    """What a gate compares for one system, or why it cannot."""

    system: str
    comparison: Comparison | None = None
    problem: str = ""
    new: bool = False
    plain: Finding | None = None


def judge_all(
    asked: Sequence[Asked], baseline: Baseline | None, *, mode: str = "regression", partial: bool = False
) -> list[Verdict]:
    """Judge the gates *asked*, in their order; *mode* is `regression` or `noninferiority`.

    P-values are adjusted (Holm) for all comparisons with the *baseline* that the run makes.
    """
    trials = [_trials(one, baseline) if one.gate.relative else [] for one in asked]
    compared = [trial.comparison for of_gate in trials for trial in of_gate if trial.comparison is not None]
    adjusted = iter(holm([comparison.p_value for comparison in compared]))
    verdicts = []
    for one, of_gate in zip(asked, trials, strict=True):
        if one.gate.relative is None:
            verdicts.append(judge(one.gate, one.population, partial=partial, test=one.test))
            continue
        judged = [_judged(trial, adjusted, mode) for trial in of_gate]
        verdicts.append(_verdict(one, judged, baseline, partial=partial))
    return verdicts


def _verdict(
    one: Asked, judged: Sequence[tuple[str, Finding]], baseline: Baseline | None, *, partial: bool
) -> Verdict:
    gate, text = one.gate, str(one.gate)
    problem = missing(gate, one.population)
    if problem or (baseline is not None and not judged):
        found = problem or f"no rows of system {gate.system!r} on data set {gate.dataset!r}"
        return Verdict(text, "FAIL", problem=found, test=one.test)
    if baseline is None:
        return Verdict(text, "PARTIAL" if partial else "WARN", problem=NO_BASELINE, test=one.test)
    statuses = {status for status, _ in judged}
    worst = next(status for status in ("FAIL", "WARN", "PASS") if status in statuses)
    status = "PARTIAL" if partial and worst != "FAIL" else worst
    return Verdict(text, status, tuple(finding for _, finding in judged), test=one.test)


def _judged(trial: _Trial, adjusted: Iterator[float], mode: str) -> tuple[str, Finding]:
    comparison = trial.comparison
    if trial.plain is not None:
        return "PASS" if trial.plain.holds else "FAIL", trial.plain
    if comparison is None:
        status = "WARN" if trial.new else "FAIL"
        return status, Finding(trial.system, None, 0, holds=trial.new, problem=trial.problem)
    decided = outcome(comparison, next(adjusted), mode)
    holds = decided.status != "FAIL"
    found = Finding(trial.system, comparison.current, comparison.n, holds=holds, reason=decided.reason)
    return decided.status, found


def _trials(one: Asked, baseline: Baseline | None) -> list[_Trial]:
    gate, population = one.gate, one.population
    if baseline is None or missing(gate, population):
        return []
    chosen = [system for system in population.summary(gate.dataset) if gate.system in {None, system}]
    return [_trial(gate, population, baseline, system) for system in chosen]


def _trial(gate: Gate, population: Population, baseline: Baseline, system: str) -> _Trial:
    """Compare the figure of one system, by its pairs where it is one that pairs tell."""
    if not any(row.system == system for row in baseline.rows):
        return _Trial(system, problem="is not in the baseline: there is nothing to compare it with", new=True)
    metric = next((one for one in population.metrics if gives(one, gate.metric)), None)
    if isinstance(metric, CompressionRatio | CostOfPass):
        unlike = unlike_counts(baseline.config, baseline.current)
        if unlike:
            return _Trial(system, problem=unlike)
    paired = pair_up(baseline.rows, population.rows, system).within(gate.dataset)
    values = None if metric is None else values_of(metric, gate.metric)
    if values is not None:
        return _Trial(system, _compared(gate, paired, values))
    if metric is None or isinstance(metric, SystemRanking | SystemComparison):
        return _Trial(system, plain=_plainly(gate, population, baseline, system))
    return _Trial(system, _compare_figures(gate, paired, metric))


def _compared(gate: Gate, paired: Paired, values: Values) -> Comparison:
    assert gate.relative is not None  # noqa: S101 - only such gates are compared
    return compare_values(paired, values, gate.relative, higher=gate.op in HIGHER)


def _plainly(gate: Gate, population: Population, baseline: Baseline, system: str) -> Finding:
    """Compare a figure that several systems make together, as it stands."""
    assert gate.relative is not None  # noqa: S101 - only such gates are compared
    whole = Population(baseline.rows, population.metrics)
    before = whole.summary(gate.dataset).get(system, {}).get(gate.metric)
    now = population.summary(gate.dataset)[system].get(gate.metric)
    n = population.count(gate.metric, system, gate.dataset)
    if before is None or now is None:
        where = "the baseline" if before is None else "this run"
        return Finding(system, now, n, holds=False, problem=f"has no {gate.metric} in {where}")
    bound = gate.relative.bound(before)
    reason = f"{exact(now)}, {exact(before)} in the baseline"
    return Finding(system, now, n, holds=replace(gate, bound=bound).holds(now), reason=reason)


def _compare_figures(gate: Gate, paired: Paired, metric: Metric) -> Comparison:
    """Compare any other figure by resampling the examples."""
    assert gate.relative is not None  # noqa: S101 - only such gates are compared
    rows: list[EvalRow] = []
    places: dict[Hashable, tuple[list[int], list[int]]] = {}
    for key, (before, now) in paired.pairs.items():
        first = len(rows)
        rows += [*before, *now]
        middle = first + len(before)
        places[key] = list(range(first, middle)), list(range(middle, len(rows)))

    def figure(at: Sequence[int]) -> float:
        return metric.compute([rows[place] for place in at]).get(gate.metric, math.nan)

    held = Figure(figure, gate.relative.bound, higher_is_better=gate.op in HIGHER)
    return compare_figures(places, held, seed=SEED)
