"""A figure over a row of saved results: its trend, and the first run at which a step shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, isnan

from pytest_context_bench.bounds import Relative
from pytest_context_bench.paired_figures import compare_pairs
from pytest_context_bench.pairing import pair_up, unlike
from pytest_context_bench.results import EvalResult

BARS = "▁▂▃▄▅▆▇█"
ALPHA = 0.05
UNCHANGED = Relative("baseline")


@dataclass(frozen=True)
class Point:
    """The figure of one run, the reach of its interval, and whether a step shows there: -1 down, 1 up."""

    run: str
    value: float | None
    reach: float | None = None
    step: int = 0


def trend(runs: Sequence[tuple[str, EvalResult]], system: str, key: str) -> list[Point]:
    """Return *key* of *system* over *runs*, in their order.

    A step is where a run differs, pair by pair, from the first run since the last step, more than chance
    explains: p < 0.05 on either side together, adjusted (Bonferroni) for the number of comparisons.
    """
    points: list[Point] = []
    level: EvalResult | None = None
    for name, run in runs:
        value = run.summary.get(system, {}).get(key)
        interval = run.population().interval(key, system) if value is not None else None
        step = 0 if level is None or value is None else _step(level, run, system, key, len(runs) - 1)
        if value is not None and (level is None or step):
            level = run
        points.append(Point(name, value, interval.reach if interval else None, step))
    return points


def sparkline(values: Sequence[float | None]) -> str:
    """Return *values* as a line of bars; a gap where there is none, and the last bar for an infinite one."""
    known = [value for value in values if value is not None and isfinite(value)]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    return "".join(_bar(value, low, high) for value in values)


def _bar(value: float | None, low: float, high: float) -> str:
    if value is None or isnan(value):
        return " "
    inside = min(max(value, low), high)
    return BARS[round((inside - low) / (high - low) * (len(BARS) - 1)) if high > low else 3]


def systems_of(runs: Sequence[tuple[str, EvalResult]]) -> Iterator[str]:
    """Yield the systems of all runs, in the order of their first."""
    yield from dict.fromkeys(system for _, run in runs for system in run.summary)


def _step(level: EvalResult, run: EvalResult, system: str, key: str, comparisons: int) -> int:
    metric = run.population().metric_of(key)
    if metric is None or unlike(key, level.config, run.config):
        return 0
    old, new = (one.population().by_system.get(system, ()) for one in (level, run))
    paired = pair_up(old, new)
    found = compare_pairs(paired, metric, key, UNCHANGED, higher=True)
    rises = found.difference > 0
    if rises:
        found = compare_pairs(paired, metric, key, UNCHANGED, higher=False)
    if 2 * found.p_value * comparisons >= ALPHA:
        return 0
    return 1 if rises else -1
