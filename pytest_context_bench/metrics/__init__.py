"""The metrics: each folds the rows of one system."""

from pytest_context_bench.metrics.counts import Counts
from pytest_context_bench.metrics.latency import Latency
from pytest_context_bench.metrics.quality import MeanScore, PassRate, PerDatasetBreakdown
from pytest_context_bench.metrics.summary import default_metrics, summarize
from pytest_context_bench.metrics.token_stats import CompressionRatio, CostOfPass, ParetoRank
from pytest_context_bench.metrics.usage import PromptReduction, Usage

__all__ = [
    "CompressionRatio",
    "CostOfPass",
    "Counts",
    "Latency",
    "MeanScore",
    "ParetoRank",
    "PassRate",
    "PerDatasetBreakdown",
    "PromptReduction",
    "Usage",
    "default_metrics",
    "summarize",
]
