"""What figures are made of: one value a row of which they are the mean, or what rows give to be folded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Any

from pytest_context_bench.metrics.counts import Counts
from pytest_context_bench.metrics.latency import PERCENTILES, Latency
from pytest_context_bench.metrics.quality import MeanScore, PassRate, PerDatasetBreakdown, passes
from pytest_context_bench.metrics.selection import UNTAGGED
from pytest_context_bench.metrics.summary import summarize
from pytest_context_bench.metrics.token_stats import CompressionRatio, CostOfPass
from pytest_context_bench.metrics.usage import COMPLETION, PROMPT, Usage
from pytest_context_bench.plain import to_float
from pytest_context_bench.protocols import Metric
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.stats import percentile

Value = Callable[[EvalRow], float | None]
MEANS: Mapping[tuple[type[Any], str], Value] = {
    (Latency, "latency_mean"): lambda row: row.latency,
    (CompressionRatio, "mean_input_tokens"): lambda row: float(row.input_tokens),
    (CompressionRatio, "mean_output_tokens"): lambda row: float(row.output_tokens),
    (Usage, "mean_prompt_tokens"): lambda row: to_float(row.metadata.get(PROMPT)),
    (Usage, "mean_completion_tokens"): lambda row: to_float(row.metadata.get(COMPLETION)),
}
"""Figures over the rows without an error."""


@dataclass(frozen=True)
class Values:
    """The value of each row of which a figure is the mean, none where a row has none; *rates* are 0 or 1."""

    of: Value
    rates: bool = False
    dataset: str | None = None

    def read(self, rows: Sequence[EvalRow]) -> list[tuple[EvalRow, float]]:
        """Return the rows that have a value, each with it."""
        within = [row for row in rows if self.dataset in {None, row.dataset or UNTAGGED}]
        return [(row, value) for row in within if (value := self.of(row)) is not None]


@dataclass(frozen=True)
class Parts:
    """A figure that is folded from what each row gives to it.

    One that is *steady* is about the same for fewer rows of the same kind, as no sum is.
    """

    of: Callable[[EvalRow], Any]
    fold: Callable[[Sequence[Any]], float]
    steady: bool = True


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
    of = MEANS.get((type(metric), key))
    return None if of is None else Values(lambda row: None if row.error is not None else of(row))


def parts_of(metric: Metric, key: str) -> Parts:
    """Return what makes the figure *key* of *metric*: of a metric that is not known here, the rows."""
    if isinstance(metric, Latency) and key in PERCENTILES:
        return Parts(_latency, lambda seconds: _percentile(seconds, PERCENTILES[key]))
    if isinstance(metric, CompressionRatio) and key == "compression_ratio":
        return Parts(_tokens, _compression)
    if isinstance(metric, CostOfPass) and key == "cost_of_pass":
        return Parts(lambda row: _cost(row, metric), _cost_of_pass)
    return Parts(lambda row: row, lambda rows: _figure(metric, key, rows), steady=False)


def _score(row: EvalRow, field: str) -> float | None:
    return 0.0 if row.error is not None else row.scores.get(field)


def _passing(row: EvalRow, metric: PassRate) -> float | None:
    if row.error is None and metric.score_field not in row.scores:
        return None
    return float(passes(row, metric.score_field, metric.threshold))


def _latency(row: EvalRow) -> float | None:
    return None if row.error is not None else row.latency


def _percentile(seconds: Sequence[float | None], percent: int) -> float:
    known = [value for value in seconds if value is not None]
    return percentile(known, percent) if known else nan


def _tokens(row: EvalRow) -> tuple[int, int]:
    return (0, 0) if row.error is not None else (row.input_tokens, row.output_tokens)


def _compression(tokens: Sequence[tuple[int, int]]) -> float:
    before = sum(each for each, _ in tokens)
    return 1 - sum(each for _, each in tokens) / before if before else nan


def _cost(row: EvalRow, metric: CostOfPass) -> tuple[int, bool] | None:
    if row.error is None and metric.score_field not in row.scores:
        return None
    return row.output_tokens, passes(row, metric.score_field, metric.threshold)


def _cost_of_pass(costs: Sequence[tuple[int, bool] | None]) -> float:
    judged = [cost for cost in costs if cost is not None]
    passing = sum(passed for _, passed in judged)
    spent = sum(tokens for tokens, _ in judged)
    return spent / passing if passing else inf if judged else nan


def _figure(metric: Metric, key: str, rows: Sequence[EvalRow]) -> float:
    """Return a figure of the rows of one system; NaN where the metric gives none, or fails."""
    summary, _ = summarize(rows, [metric])
    return next(iter(summary.values()), {}).get(key, nan)
