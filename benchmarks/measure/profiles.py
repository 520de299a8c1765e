"""Compares profiles of two runs, module by module."""

import pstats
from collections import Counter
from dataclasses import replace
from pathlib import Path

from measure.processes import Python

SHOWN = 25


def print_difference(base: Python, run: Python, folder: Path, count: int) -> None:
    """Print where *run* spends more than *base*, in microseconds for each of *count* tests."""
    before, after = by_module(base, folder / "base"), by_module(run, folder / "run")
    print("profiled microseconds a test (a profile makes calls dearer than they are)")
    print(f"{'more':>8}  {'bare':>8}  {'pairs':>8}  module")
    more = Counter({module: after[module] - before[module] for module in after.keys() | before.keys()})
    for module, seconds in [("all", more.total()), *more.most_common(SHOWN)]:
        figures = (seconds, before[module] or before.total(), after[module] or after.total())
        print("  ".join(f"{figure / count * 1e6:8.1f}" for figure in figures), "", module)


def by_module(run: Python, file: Path) -> "Counter[str]":
    """Return the seconds that *run* spends in each module; what is built in counts for its callers."""
    replace(run, arguments=("-m", "cProfile", "-o", str(file), *run.arguments)).cost()
    seconds: Counter[str] = Counter()
    for (path, _, _), (_, _, own, _, callers) in pstats.Stats(str(file)).stats.items():  # type: ignore[attr-defined]
        if path != "~":
            seconds[module_of(path)] += own
            continue
        for (caller, _, _), (_, _, of_caller, _) in callers.items():
            seconds[module_of(caller)] += of_caller
    return seconds


def module_of(path: str) -> str:
    """Return the last two parts of *path*."""
    return "/".join(Path(path).parts[-2:])
