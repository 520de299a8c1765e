"""Ends a command that has a result: judges it, writes it, and says whether all is well."""

import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_context_bench.baselines import FOLDER, Baselines
from pytest_context_bench.cli.arguments import TABLE, in_own_flags
from pytest_context_bench.differences import compared
from pytest_context_bench.errors import MissingBaselineError, NotSavedError, UnnamedBaselineError
from pytest_context_bench.gates import Gate, exact
from pytest_context_bench.judgement import Asked, judge_all
from pytest_context_bench.marker import MINIMA
from pytest_context_bench.must_pass import ids_of, judge_must_pass
from pytest_context_bench.pairing import Baseline
from pytest_context_bench.reports.files import write_reports
from pytest_context_bench.reports.formats import FORMATS
from pytest_context_bench.reports.github import add_summary, annotations
from pytest_context_bench.reports.terminal import section
from pytest_context_bench.reports.worst import records_of
from pytest_context_bench.results import EvalResult
from pytest_context_bench.run_gates import check_metrics

# The options of every command that judges a result.
NAMES = (
    "min-pass-rate",
    "min-mean-score",
    "gate",
    "gate-mode",
    "max-errors",
    "must-pass",
    "baseline",
    "require-baseline",
    "baseline-dir",
    "save",
    "report",
)
MET, UNMET, INTERRUPTED = 0, 1, 130


def gates_of(options: Mapping[str, Any]) -> list[Gate]:
    """Return the gates that *options* ask for. Raises ContextBenchError before anything runs."""
    minima = [
        f"{metric} >= {exact(options[name])}" for name, metric in MINIMA.items() if options[name] is not None
    ]
    budget = options["max-errors"]
    texts = (*(options["gate"] or ()), *minima, *([budget] if budget else ()))
    gates = [Gate.parse(text) for text in texts]
    check_metrics(gates)
    return gates


def baseline_of(options: Mapping[str, Any]) -> tuple[EvalResult | None, str]:
    """Return the baseline that *options* name, or why there is none. Raises ContextBenchError."""
    name, kept = options["baseline"], baselines_of(options)
    if options["save"] is not None:
        kept.check(options["save"])
    if name is None:
        if options["require-baseline"]:
            raise UnnamedBaselineError(kept.names())
        return None, ""
    try:
        return kept.load(name), ""
    except MissingBaselineError as error:
        if options["require-baseline"]:
            raise
        return None, in_own_flags(str(error))


def baselines_of(options: Mapping[str, Any]) -> Baselines:
    """Return the folder of the baselines."""
    return Baselines(Path(options["baseline-dir"] or FOLDER))


def judged(
    result: EvalResult,
    gates: list[Gate],
    found: tuple[EvalResult | None, str],
    options: Mapping[str, Any],
) -> EvalResult:
    """Return *result* with the verdicts on it, and beside its baseline."""
    old, missing = found
    population = result.population()
    partial = bool(result.config.get("partial"))
    baseline = None if old is None else Baseline(old.rows, old.config, result.config)
    asked = [Asked(gate, population) for gate in gates]
    verdicts = judge_all(asked, baseline, mode=options["gate-mode"], partial=partial)
    if options["must-pass"]:
        ids = ids_of(options["must-pass"], "--must-pass")
        verdicts.append(judge_must_pass(ids, population, partial=partial))
    comparison = None if baseline is None else compared(options["baseline"], population, baseline)
    notes = [*result.notes, *filter(None, [missing])]
    return replace(result, verdicts=verdicts, comparison=comparison, notes=notes)


def told(result: EvalResult, options: Mapping[str, Any], output: str) -> int:
    """Write and save *result*, print it as *output*; return the exit code."""
    problems = write_reports(options["report"] or (), result)
    errors = sum(row.error is not None for row in result.rows)
    unmet = (errors and options["max-errors"] is None) or not all(each.passed for each in result.verdicts)
    sys.stdout.write(text_of(result, output))
    if output == TABLE:  # any other is a format, in which nothing else has a place
        sys.stdout.writelines(f"{command}\n" for command in annotations(result))
    for remark in add_summary(result):
        print(f"context-bench: {remark}", file=sys.stderr)
    problems += _saved(result, options, well=not (unmet or problems))
    for problem in problems:
        print(f"context-bench: error: {problem}", file=sys.stderr)
    if result.config.get("interrupted"):
        return INTERRUPTED
    return UNMET if unmet or problems else MET


def text_of(result: EvalResult, output: str) -> str:
    """Return *result* as *output*: a format, or the table and what else a terminal shows."""
    if output != TABLE:
        return FORMATS[output](result)
    width = shutil.get_terminal_size((80, 24)).columns
    lines = section(result, result.population(), records_of(result), width=width, brief=False)
    return "".join(f"{in_own_flags(line.text)}\n" for line in lines)


def _saved(result: EvalResult, options: Mapping[str, Any], *, well: bool) -> list[str]:
    name = options["save"]
    if name is None:
        return []
    try:
        said = baselines_of(options).save(name, result, well=well, start=Path.cwd())
    except NotSavedError as error:
        return [str(error)]
    print(f"context-bench: {said}", file=sys.stderr)
    return []
