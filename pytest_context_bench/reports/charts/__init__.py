"""Charts as inline SVG: data in, markup out. Each says in words what it shows."""

from pytest_context_bench.reports.charts.bars import Bar, bars
from pytest_context_bench.reports.charts.distribution import Distribution, distribution
from pytest_context_bench.reports.charts.latency import Curve, latency
from pytest_context_bench.reports.charts.marks import mark
from pytest_context_bench.reports.charts.pareto import Point, pareto

__all__ = [
    "Bar",
    "Curve",
    "Distribution",
    "Point",
    "bars",
    "distribution",
    "latency",
    "mark",
    "pareto",
]
