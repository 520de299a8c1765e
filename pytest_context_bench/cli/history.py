"""Shows how a figure moved over saved results."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_context_bench.baselines import CANDIDATE, Baselines
from pytest_context_bench.cli import arguments, plugins
from pytest_context_bench.errors import InvalidValueError, UnknownNameError
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.history import Point, sparkline, systems_of, trend
from pytest_context_bench.registry import registry
from pytest_context_bench.results import EvalResult

SMALL = 0.01
STEPS = {-1: "step down", 1: "step up", 0: ""}


def main(given: Sequence[str]) -> int:
    """Show the trend of a figure over a folder of results. Raises ContextBenchError."""
    parser = arguments.Parser(
        "context-bench history",
        "Show how a figure moved over the results in a folder, in the order in which they were saved; "
        "reports are in that of their names.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="Folder of JSON results.")
    parser.add_argument(
        "--metric", default="mean_score", metavar="NAME", help="Figure (default: mean_score)."
    )
    parser.add_argument(
        "--system", action="append", metavar="NAME", help="System (repeatable; default: all)."
    )
    arguments.add_plugins(parser)
    found = parser.read(given)
    with registry.run():
        plugins.load(found.plugin or ())
        runs = [(name, plugins.restored(run)) for name, run in _runs(found.folder)]
    known = list(systems_of(runs))
    for system in found.system or ():
        if system not in known:
            raise UnknownNameError("system", system, known)
    trends = {system: trend(runs, system, found.metric) for system in found.system or known}
    shown = [name for name, points in trends.items() if any(point.value is not None for point in points)]
    if not shown:
        keys = {key for _, run in runs for system in trends for key in run.summary.get(system, ())}
        raise UnknownNameError("metric", found.metric, keys)
    judged = any(run.population().metric_of(found.metric) for _, run in runs)
    for system in shown:
        sys.stdout.write(_text(system, found.metric, trends[system], judged=judged))
    return 0


def _runs(folder: Path) -> list[tuple[str, EvalResult]]:
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    kept = Baselines(folder)
    runs = [(path.stem, kept.load(str(path))) for path in files if not path.name.endswith(CANDIDATE)]
    if not runs:
        raise InvalidValueError("folder of results", str(folder), "a folder that holds saved results")
    return sorted(runs, key=lambda run: (str(run[1].config.get("created", "")), _natural(run[0])))


def _natural(name: str) -> list[tuple[int, str]]:
    """Return what puts run-2 before run-10."""
    parts = re.findall(r"([0-9]+)|([^0-9]+)", name)
    return [(int(digits or 0), text) for digits, text in parts]


def _text(system: str, metric: str, points: Sequence[Point], *, judged: bool) -> str:
    from tabulate import tabulate

    lines = [[point.run, _figure(point), STEPS[point.step]] for point in points]
    table = tabulate(lines, tablefmt="plain", disable_numparse=True, colalign=("left", "right", "left"))
    spark = sparkline([point.value for point in points])
    first = next((point for point in points if point.step), None)
    said = "no step shows" if judged else "steps take the metric itself (--plugin)"
    if first is not None:
        said = f"first {STEPS[first.step]} at {first.run}"
    return f"{one_line(system)}  {metric}  {spark}  {said}\n{table}\n\n"


def _figure(point: Point) -> str:
    if point.value is None:
        return "-"
    margin = "" if point.reach is None else f" ±{_number(point.reach)}"
    return f"{_number(point.value)}{margin}"


def _number(value: float) -> str:
    """Word *value* with three decimals, more where they would be zeros."""
    return f"{value:.3g}" if 0 < abs(value) < SMALL else f"{value:,.3f}"
