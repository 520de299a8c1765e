"""How long `process` took."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import ClassVar

from pytest_context_bench.metrics.selection import answered, by_system, with_count
from pytest_context_bench.protocols import Scores
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.stats import mean, percentile

PERCENTILES: Mapping[str, int] = {"latency_median": 50, "latency_p95": 95, "latency_p99": 99}


@dataclass(frozen=True)
class Latency:
    """Seconds from the start of `process` to its return; failed calls are left out."""

    name: str = "latency"
    keys: ClassVar[Sequence[str]] = ("latency_mean", *PERCENTILES)

    def compute(self, rows: Sequence[EvalRow]) -> Scores:
        """Return `latency_mean`, `latency_median`, `latency_p95` and `latency_p99`, in seconds."""
        values = [row.latency for row in answered(rows)]
        if not values:
            return {}
        scores = {key: percentile(values, percent) for key, percent in PERCENTILES.items()}
        scores = {"latency_mean": mean(values), **scores}
        return with_count(self.name, scores, len(values), rows)


def seconds_spent(rows: Sequence[EvalRow]) -> dict[str, float]:
    """Return the seconds that each system spent on *rows*, failed calls included."""
    return {system: fsum(row.latency for row in own) for system, own in by_system(rows).items()}
