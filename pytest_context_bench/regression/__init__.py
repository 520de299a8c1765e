"""Decides whether a run is worse than its baseline, and says how sure that is."""

from pytest_context_bench.regression.comparison import Comparison
from pytest_context_bench.regression.figures import Figure, compare_figures
from pytest_context_bench.regression.means import compare
from pytest_context_bench.regression.outcome import MODES, Outcome, outcome

__all__ = ["MODES", "Comparison", "Figure", "Outcome", "compare", "compare_figures", "outcome"]
