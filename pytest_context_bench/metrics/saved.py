"""Metrics as plain JSON, so that a saved result can be folded anew."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from pytest_context_bench.errors import ContextBenchError
from pytest_context_bench.metrics.counts import Counts
from pytest_context_bench.metrics.latency import Latency
from pytest_context_bench.metrics.quality import MeanScore, PassRate, PerDatasetBreakdown
from pytest_context_bench.metrics.token_stats import CompressionRatio, CostOfPass, ParetoRank
from pytest_context_bench.metrics.usage import PromptReduction, Usage
from pytest_context_bench.protocols import Metric, Scores
from pytest_context_bench.rows import EvalRow

KINDS: Mapping[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        CompressionRatio,
        CostOfPass,
        Counts,
        Latency,
        MeanScore,
        ParetoRank,
        PassRate,
        PerDatasetBreakdown,
        PromptReduction,
        Usage,
    )
}


@dataclass(frozen=True)
class NotSaved:
    """Stands for a user's metric in a result that was read back."""

    name: str

    def compute(self, rows: Sequence[EvalRow]) -> Scores:  # noqa: ARG002 - a Metric's signature
        """Raise: a saved result holds the figures of such a metric, not the metric."""
        raise ContextBenchError(
            "a saved result holds no code: put the metric in result.metrics to compute it"
        )


def to_saved(metric: Metric) -> dict[str, Any]:
    """Return the settings of *metric*, or the name of a user's own."""
    kind = type(metric)
    if KINDS.get(kind.__name__) is not kind:
        return {"name": metric.name}
    return {"kind": kind.__name__, **asdict(metric)}  # type: ignore[call-overload]  # KINDS are dataclasses


def from_saved(values: Mapping[str, Any]) -> Metric:
    """Return the metric that `to_saved` wrote; settings of a newer version are passed over."""
    kind = KINDS.get(values.get("kind", ""), NotSaved)
    known = {field.name for field in fields(kind)}
    metric: Metric = kind(**{name: value for name, value in values.items() if name in known})
    return metric
