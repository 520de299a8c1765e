"""Shows how a figure moved over saved results."""

import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_context_bench.baselines import CANDIDATE, Baselines
from pytest_context_bench.cli import arguments
from pytest_context_bench.errors import InvalidValueError, UnknownNameError
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.history import Point, sparkline, systems_of, trend
from pytest_context_bench.results import EvalResult

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
    found = parser.read(given)
    runs = _runs(found.folder)
    known = list(systems_of(runs))
    for system in found.system or ():
        if system not in known:
            raise UnknownNameError("system", system, known)
    trends = {system: trend(runs, system, found.metric) for system in found.system or known}
    shown = [name for name, points in trends.items() if any(point.value is not None for point in points)]
    if not shown:
        keys = {key for _, run in runs for system in trends for key in run.summary.get(system, ())}
        raise UnknownNameError("metric", found.metric, keys)
    for system in shown:
        sys.stdout.write(_text(system, found.metric, trends[system]))
    return 0


def _runs(folder: Path) -> list[tuple[str, EvalResult]]:
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    kept = Baselines(folder)
    runs = [(path.stem, kept.load(str(path))) for path in files if not path.name.endswith(CANDIDATE)]
    if not runs:
        raise InvalidValueError("folder of results", str(folder), "a folder that holds saved results")
    return sorted(runs, key=lambda run: (str(run[1].config.get("created", "")), run[0]))


def _text(system: str, metric: str, points: Sequence[Point]) -> str:
    from tabulate import tabulate

    lines = [[point.run, _figure(point), STEPS[point.step]] for point in points]
    table = tabulate(lines, tablefmt="plain", disable_numparse=True, colalign=("left", "right", "left"))
    spark = sparkline([point.value for point in points])
    first = next((point for point in points if point.step), None)
    said = f"first {STEPS[first.step]} at {first.run}" if first else "no step shows"
    return f"{one_line(system)}  {metric}  {spark}  {said}\n{table}\n\n"


def _figure(point: Point) -> str:
    if point.value is None:
        return "-"
    return f"{point.value:.3f}" + ("" if point.reach is None else f" ±{point.reach:.3f}")
