"""Judges the gates of a run, those that a baseline bounds together: of many trials one fails by chance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from pytest_context_bench.bounds import Relative, exact
from pytest_context_bench.gates import Finding, Gate, Verdict, judge, missing
from pytest_context_bench.paired_figures import compare_pairs
from pytest_context_bench.pairing import Baseline, Beside, unlike
from pytest_context_bench.population import Population
from pytest_context_bench.protocols import SystemComparison, SystemRanking
from pytest_context_bench.regression import Comparison, outcome
from pytest_context_bench.stats.holm import holm
from pytest_context_bench.stats.paired import ROUNDING

HIGHER = frozenset({">=", ">"})
STRICT = frozenset({">", "<"})
NONINFERIORITY = "noninferiority"
NO_BASELINE = "there is no baseline to compare with: make one with --context-bench-save NAME"


@dataclass(frozen=True)
class Asked:
    """A gate, the rows that it is about, and the test whose own it is, if it is one's."""

    gate: Gate
    population: Population
    test: str = ""


@dataclass(frozen=True)
class _Settled:
    """What is found for a system without a test, and what that means for the build."""

    status: str
    finding: Finding


_Trial: TypeAlias = tuple[str, Comparison | _Settled]  # a system, and what was found for it


def judge_all(
    asked: Sequence[Asked], baseline: Baseline | None, *, mode: str = "regression", partial: bool = False
) -> list[Verdict]:
    """Judge the gates *asked*, in their order; *mode* is `regression` or `noninferiority`.

    P-values are adjusted (Holm) for all comparisons with the *baseline* that the run makes.
    """
    tests = {one.test: baseline.of([one.test]) for one in asked if one.test} if baseline else {}
    trials = [_trials(one, tests.get(one.test, baseline), mode) if one.gate.relative else [] for one in asked]
    compared = [found for of_gate in trials for _, found in of_gate if isinstance(found, Comparison)]
    adjusted = iter(holm([comparison.p_value for comparison in compared]))
    verdicts = []
    for one, of_gate in zip(asked, trials, strict=True):
        if one.gate.relative is None:
            verdicts.append(judge(one.gate, one.population, partial=partial, test=one.test))
        else:
            settled = [_settled(one.gate, trial, adjusted, mode) for trial in of_gate]
            verdicts.append(_verdict(one, settled, baseline, mode, partial=partial))
    return verdicts


def _verdict(
    one: Asked, settled: Sequence[_Settled], baseline: Baseline | None, mode: str, *, partial: bool
) -> Verdict:
    gate, text = one.gate, str(one.gate)
    problem = missing(gate, one.population)
    if baseline is None and not problem:
        return Verdict(text, _at_best(_unproven(mode), partial=partial), problem=NO_BASELINE, test=one.test)
    if problem or not settled:
        problem = problem or f"no rows of system {gate.system!r} on data set {gate.dataset!r}"
        return Verdict(text, "FAIL", problem=problem, test=one.test)
    statuses = {each.status for each in settled}
    worst = next(status for status in ("FAIL", "WARN", "PASS") if status in statuses)
    findings = tuple(replace(each.finding, warns=each.status == "WARN") for each in settled)
    return Verdict(text, _at_best(worst, partial=partial), findings, test=one.test)


def _at_best(status: str, *, partial: bool) -> str:
    """Return the status of a gate: a partial run can fail it, and not pass it."""
    return "PARTIAL" if partial and status != "FAIL" else status


def _unproven(mode: str) -> str:
    """Return the status where nothing can be compared: a release takes proof."""
    return "FAIL" if mode == NONINFERIORITY else "WARN"


def _settled(gate: Gate, trial: _Trial, adjusted: Iterator[float], mode: str) -> _Settled:
    """Decide what a trial means; where it is a comparison, with the next of the *adjusted* p-values."""
    system, found = trial
    if isinstance(found, _Settled):
        return found
    decided = outcome(found, next(adjusted), mode)
    tied = gate.op in STRICT and mode != NONINFERIORITY and found.drop >= found.margin - ROUNDING
    status = "WARN" if tied and decided.status == "PASS" else decided.status
    holds = status != "FAIL"
    return _Settled(status, Finding(system, found.current, found.n, holds=holds, reason=decided.reason))


def _trials(one: Asked, baseline: Baseline | None, mode: str) -> list[_Trial]:
    """Compare the figures that a gate is about with their baseline, or say why that cannot be done."""
    gate, population = one.gate, one.population
    if baseline is None or gate.relative is None or missing(gate, population):
        return []
    chosen = [system for system in population.summary(gate.dataset) if gate.system in {None, system}]
    beside = baseline.beside(population)
    return [(system, _found(gate, gate.relative, beside, system, mode)) for system in chosen]


def _found(gate: Gate, relative: Relative, beside: Beside, system: str, mode: str) -> Comparison | _Settled:
    """Compare the figure of one system, by its pairs where it is one that pairs tell."""
    baseline = beside.baseline
    if system not in baseline.by_system:
        problem = "is not in the baseline: there is nothing to compare it with"
        return _unknown(system, problem, _unproven(mode))
    problem = unlike(gate.metric, baseline.config, baseline.current)
    if problem:
        return _unknown(system, problem)
    metric = beside.population.metric_of(gate.metric)
    if (
        metric is None
        or isinstance(metric, SystemRanking | SystemComparison)
        or gate.op == "=="
        or gate.metric == "n"
    ):
        return _as_it_stands(gate, relative, beside, system)
    paired = beside.pairs[system].within(gate.dataset)
    return compare_pairs(paired, metric, gate.metric, relative, higher=gate.op in HIGHER)


def _as_it_stands(gate: Gate, relative: Relative, beside: Beside, system: str) -> _Settled:
    """Compare a figure that pairs do not tell, as one that several systems make together.

    Both are over the systems and examples that both runs have; a number of rows is over all.
    """
    sides = beside.whole if gate.metric == "n" else beside.common
    before, now = (side.summary(gate.dataset).get(system, {}).get(gate.metric) for side in sides)
    if before is None or now is None:
        return _unknown(system, f"has no {gate.metric} in {'the baseline' if before is None else 'this run'}")
    n = sides[1].count(gate.metric, system, gate.dataset)
    holds = replace(gate, bound=relative.bound(before)).holds(now)
    reason = f"{exact(now)}, {exact(before)} in the baseline"
    return _Settled("PASS" if holds else "FAIL", Finding(system, now, n, holds=holds, reason=reason))


def _unknown(system: str, problem: str, status: str = "FAIL") -> _Settled:
    """Say why nothing can be compared."""
    return _Settled(status, Finding(system, None, 0, holds=status != "FAIL", problem=problem))
