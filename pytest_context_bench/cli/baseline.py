"""Lists, shows and accepts baselines."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_context_bench.baselines import FOLDER, Baselines
from pytest_context_bench.cli import arguments
from pytest_context_bench.errors import ContextBenchError, MissingBaselineError
from pytest_context_bench.reports.table import table_of
from pytest_context_bench.reports.terminal import fitted, legend


def main(given: Sequence[str]) -> int:
    """Do `list`, `show` or `accept`. Raises ContextBenchError."""
    return arguments.subcommand("baseline", {"list": _list, "show": _show, "accept": _accept}, given)


def _list(given: Sequence[str]) -> int:
    baselines, _ = _read(given, "list", "List the baselines.", named=False)
    names = baselines.names()
    for name in (*names, *(name for name in baselines.candidates() if name not in names)):
        waiting = ", a candidate waits to be accepted" if baselines.candidate(name).is_file() else ""
        print(f"{name}: {_said(baselines, name)}{waiting}")
    return 0


def _said(baselines: Baselines, name: str) -> str:
    try:
        result = baselines.load(name)
    except MissingBaselineError:
        return "no baseline yet"
    except ContextBenchError as error:  # one that cannot be read must not hide the others
        return str(error)
    return f"{len(result.rows)} rows of {', '.join(result.summary)}"


def _show(given: Sequence[str]) -> int:
    baselines, name = _read(given, "show", "Show the figures of a baseline.")
    result = baselines.load(name)
    width = shutil.get_terminal_size((80, 24)).columns
    sys.stdout.write(f"{fitted(table_of(result.population(), result.verdicts), width)}\n{legend(result)}\n")
    return 0


def _accept(given: Sequence[str]) -> int:
    baselines, name = _read(given, "accept", "Make the candidate that a failing run saved the baseline.")
    print(f"accepted: {baselines.accept(name)}")
    return 0


def _read(given: Sequence[str], command: str, what: str, *, named: bool = True) -> tuple[Baselines, str]:
    parser = arguments.Parser(f"context-bench baseline {command}", what)
    if named:
        parser.add_argument("name", metavar="NAME|PATH")
    shown = f"Folder of the baselines (default: {FOLDER})."
    parser.add_argument("--baseline-dir", type=Path, default=Path(FOLDER), metavar="DIR", help=shown)
    found = parser.read(given)
    return Baselines(found.baseline_dir), found.name if named else ""
