"""How good the outputs are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.metrics.selection import by_dataset, scored, with_count
from pytest_context_bench.protocols import Scores
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.stats import mean

DEFAULT_THRESHOLD = 0.7


@dataclass(frozen=True)
class MeanScore:
    """Average of one score over the rows that have it; an error counts as 0."""

    score_field: str = "score"
    name: str = "mean_score"
    keys: ClassVar[Sequence[str]] = ("mean_score",)

    def compute(self, rows: Sequence[EvalRow]) -> Scores:
        """Return `mean_score`, in the score's own unit."""
        values = scored(rows, self.score_field)
        return with_count(self.name, {"mean_score": mean(values)}, len(values), rows) if values else {}


@dataclass(frozen=True)
class PassRate:
    """Share of the rows whose score reaches the threshold; an error does not."""

    threshold: float = DEFAULT_THRESHOLD
    score_field: str = "score"
    name: str = "pass_rate"
    keys: ClassVar[Sequence[str]] = ("pass_rate",)

    def compute(self, rows: Sequence[EvalRow]) -> Scores:
        """Return `pass_rate`, in [0, 1]."""
        values = scored(rows, self.score_field)
        if not values:
            return {}
        # An error never passes, not even a threshold of 0.
        passing = sum(passes(row, self.score_field, self.threshold) for row in rows)
        return with_count(self.name, {"pass_rate": passing / len(values)}, len(values), rows)


@dataclass(frozen=True)
class PerDatasetBreakdown:
    """Mean score of each data set, where there are *min_datasets*; untagged rows are `dataset:unknown`."""

    score_field: str = "score"
    min_datasets: int = 1
    name: str = "per_dataset"
    keys: ClassVar[Sequence[str]] = ("dataset:*",)

    def compute(self, rows: Sequence[EvalRow]) -> Scores:
        """Return one `dataset:<name>` for each data set with a scored row, sorted by name."""
        groups = by_dataset(rows)
        if len(groups) < self.min_datasets:
            return {}
        values = {name: scored(group, self.score_field) for name, group in sorted(groups.items())}
        return {f"dataset:{name}": mean(of_dataset) for name, of_dataset in values.items() if of_dataset}


def passes(row: EvalRow, score_field: str, threshold: float) -> bool:
    """Whether *row* has the score, without an error, at *threshold* or above."""
    return row.error is None and score_field in row.scores and row.scores[score_field] >= threshold
