"""Statistics on plain numbers: no rows, no gates, nothing but the standard library."""

from pytest_context_bench.stats.descriptive import mean, percentile

__all__ = ["mean", "percentile"]
