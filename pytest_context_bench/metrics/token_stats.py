"""What the outputs cost in tokens, and how systems compare on quality and cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import ClassVar

from pytest_context_bench.metrics.quality import DEFAULT_THRESHOLD, passes
from pytest_context_bench.metrics.selection import answered, with_count
from pytest_context_bench.protocols import Scores, Summary
from pytest_context_bench.rows import EvalRow


@dataclass(frozen=True)
class CompressionRatio:
    """Share of the context's tokens that the system took away; below 0 where it added some."""

    name: str = "compression_ratio"
    keys: ClassVar[Sequence[str]] = ("compression_ratio", "mean_input_tokens", "mean_output_tokens")

    def compute(self, rows: Sequence[EvalRow]) -> Scores:
        """Return `compression_ratio` = 1 - output/input over all tokens, and mean tokens a row.

        Errors are left out; without a single input token there is nothing to compress.
        """
        used = answered(rows)
        before = sum(row.input_tokens for row in used)
        after = sum(row.output_tokens for row in used)
        if not before:
            return {}
        scores = {
            "compression_ratio": 1 - after / before,
            "mean_input_tokens": before / len(used),
            "mean_output_tokens": after / len(used),
        }
        return with_count(self.name, scores, len(used), rows)


@dataclass(frozen=True)
class CostOfPass:
    """Output tokens spent for each passing row (arXiv:2504.13359); infinite where none passes."""

    threshold: float = DEFAULT_THRESHOLD
    score_field: str = "score"
    name: str = "cost_of_pass"
    keys: ClassVar[Sequence[str]] = ("cost_of_pass",)

    def compute(self, rows: Sequence[EvalRow]) -> Scores:
        """Return `cost_of_pass`, in tokens, over the rows that have the score or an error."""
        judged = [row for row in rows if row.error is not None or self.score_field in row.scores]
        if not judged:
            return {}
        passing = sum(passes(row, self.score_field, self.threshold) for row in judged)
        spent = sum(row.output_tokens for row in judged)
        return with_count(self.name, {"cost_of_pass": spent / passing if passing else inf}, len(judged), rows)


@dataclass(frozen=True)
class ParetoRank:
    """One more than the number of systems that dominate a system on quality and cost.

    A system dominates another if it is at least as good on both and better on one. A cost that is not
    finite ranks below every finite one; equals share a rank. *quality_field* is `score` for the mean of
    the run's score, or any summary key. Fewer than *min_systems* are not ranked.
    """

    quality_field: str = "score"
    cost_field: str = "cost_of_pass"
    min_systems: int = 1
    name: str = "pareto_rank"
    keys: ClassVar[Sequence[str]] = ("pareto_rank",)

    def compute(self, rows: Sequence[EvalRow]) -> Scores:  # noqa: ARG002 - a Metric's signature
        """Return the placeholder 0: one system's rows cannot tell its rank."""
        return {"pareto_rank": 0.0}

    def rank(self, summary: Summary) -> Mapping[str, float]:
        """Return the rank of each system of *summary*."""
        if len(summary) < self.min_systems:
            return {}
        quality = "mean_score" if self.quality_field == "score" else self.quality_field
        ranks = self.rank_systems(summary, quality, self.cost_field)
        return {system: float(rank) for system, rank in ranks.items()}

    @staticmethod
    def rank_systems(
        summary: Mapping[str, Mapping[str, float]],
        quality_field: str = "mean_score",
        cost_field: str = "cost_of_pass",
    ) -> dict[str, int]:
        """Return the rank of each system, 1 for those that nothing dominates."""
        points = {
            system: (_finite(values.get(quality_field), -inf), _finite(values.get(cost_field), inf))
            for system, values in summary.items()
        }
        return {
            system: 1 + sum(_dominates(other, point) for other in points.values())
            for system, point in points.items()
        }


def _finite(value: float | None, worst: float) -> float:
    return value if value is not None and isfinite(value) else worst


def _dominates(one: tuple[float, float], other: tuple[float, float]) -> bool:
    if isfinite(one[1]) != isfinite(other[1]):
        return isfinite(one[1])
    return one != other and one[0] >= other[0] and one[1] <= other[1]
