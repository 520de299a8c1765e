"""Which figures are the mean of one value a row, so that intervals and comparisons know of what."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_context_bench.metrics.counts import Counts
from pytest_context_bench.metrics.quality import MeanScore, PassRate, PerDatasetBreakdown, passes
from pytest_context_bench.metrics.selection import UNTAGGED
from pytest_context_bench.protocols import Metric
from pytest_context_bench.rows import EvalRow


@dataclass(frozen=True)
class Values:
    """The value of each row of which a figure is the mean, none where a row has none; *rates* are 0 or 1."""

    of: Callable[[EvalRow], float | None]
    rates: bool = False
    dataset: str | None = None

    def read(self, rows: Sequence[EvalRow]) -> list[tuple[EvalRow, float]]:
        """Return the rows that have a value, each with it."""
        within = [row for row in rows if self.dataset in {None, row.dataset or UNTAGGED}]
        return [(row, value) for row in within if (value := self.of(row)) is not None]


def values_of(metric: Metric, key: str) -> Values | None:
    """Return the values of which *key* of *metric* is the mean, if it is one."""
    if isinstance(metric, MeanScore):
        return Values(lambda row: _score(row, metric.score_field))
    if isinstance(metric, PerDatasetBreakdown):
        return Values(lambda row: _score(row, metric.score_field), dataset=key.partition(":")[2])
    if isinstance(metric, PassRate):
        return Values(lambda row: _passing(row, metric), rates=True)
    if isinstance(metric, Counts) and key == "error_rate":
        return Values(lambda row: float(row.error is not None), rates=True)
    return None


def _score(row: EvalRow, field: str) -> float | None:
    return 0.0 if row.error is not None else row.scores.get(field)


def _passing(row: EvalRow, metric: PassRate) -> float | None:
    if row.error is None and metric.score_field not in row.scores:
        return None
    return float(passes(row, metric.score_field, metric.threshold))
