"""Ends a command that has a result: writes it, saves it, and says whether all is well."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_context_bench.cli.arguments import TABLE, in_own_flags
from pytest_context_bench.cli.judging import baselines_of
from pytest_context_bench.errors import UnwritableBaselineError
from pytest_context_bench.population import Population
from pytest_context_bench.reports.files import write_reports
from pytest_context_bench.reports.formats import FORMATS
from pytest_context_bench.reports.github import add_summary, annotations
from pytest_context_bench.reports.terminal import section
from pytest_context_bench.reports.worst import records_of
from pytest_context_bench.results import EvalResult

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


def check_save(options: Mapping[str, Any]) -> None:
    """Check before anything runs that the result can be saved, if it is to be. Raises ContextBenchError."""
    if options["save"] is not None:
        baselines_of(options).check(options["save"])


def told(result: EvalResult, options: Mapping[str, Any], output: str) -> int:
    """Write and save *result*, print it as *output*; return the exit code."""
    population = result.population()
    population.fold()
    problems = [*population.problems, *write_reports(options["report"] or (), result)]
    errors = sum(row.error is not None for row in result.rows)
    unmet = (errors and options["max-errors"] is None) or not all(each.passed for each in result.verdicts)
    sys.stdout.write(text_of(result, population, output))
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


def text_of(result: EvalResult, population: Population, output: str) -> str:
    """Return *result* as *output*: a format, or the table and what else a terminal shows."""
    if output != TABLE:
        return FORMATS[output](result)
    width = shutil.get_terminal_size((80, 24)).columns
    lines = section(result, population, records_of(result), width=width, brief=False)
    return "".join(f"{in_own_flags(line.text)}\n" for line in lines)


def _saved(result: EvalResult, options: Mapping[str, Any], *, well: bool) -> list[str]:
    name = options["save"]
    if name is None:
        return []
    try:
        said = baselines_of(options).save(name, result, well=well, start=Path.cwd())
    except UnwritableBaselineError as error:
        return [str(error)]
    print(f"context-bench: {said}", file=sys.stderr)
    return []
