"""A figure over a row of saved results: its trend, and the first run at which a step shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_context_bench.gates import Relative
from pytest_context_bench.metrics import MeanScore
from pytest_context_bench.metrics.values import values_of
from pytest_context_bench.paired_values import compare_values
from pytest_context_bench.pairing import pair_up
from pytest_context_bench.population import gives
from pytest_context_bench.results import EvalResult
from pytest_context_bench.stats.holm import holm

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
    explains: p < 0.05, adjusted (Holm) for the number of runs.
    """
    points: list[Point] = []
    level: EvalResult | None = None
    for name, run in runs:
        population = run.population()
        value = population.summary().get(system, {}).get(key)
        interval = population.interval(key, system) if value is not None else None
        step = 0 if level is None or value is None else _step(level, run, system, key, len(runs))
        if value is not None and (level is None or step):
            level = run
        points.append(Point(name, value, interval.reach if interval else None, step))
    return points


def sparkline(values: Sequence[float | None]) -> str:
    """Return *values* as a line of bars; a gap where there is none."""
    known = [value for value in values if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    span = high - low
    return "".join(
        " " if value is None else BARS[round((value - low) / span * (len(BARS) - 1)) if span else 3]
        for value in values
    )


def systems_of(runs: Sequence[tuple[str, EvalResult]]) -> Iterator[str]:
    """Yield the systems of all runs, in the order of their first."""
    yield from dict.fromkeys(system for _, run in runs for system in run.summary)


def _step(level: EvalResult, run: EvalResult, system: str, key: str, runs: int) -> int:
    metric = next((one for one in run.population().metrics if gives(one, key)), MeanScore())
    values = values_of(metric, key)
    if values is None:
        return 0
    paired = pair_up(level.rows, run.rows, system)
    for direction, higher in ((-1, True), (1, False)):
        found = compare_values(paired, values, UNCHANGED, higher=higher)
        (adjusted, *_) = holm([found.p_value, *[1.0] * (max(runs - 1, 1) - 1)])
        if adjusted < ALPHA:
            return direction
    return 0
