"""The calls of a run's systems: how many at once, how fast, within what budget, and what is kept of them."""

from pytest_context_bench.calls.budget import Budget, Price, open_budget
from pytest_context_bench.calls.calls import Calls
from pytest_context_bench.calls.prefetch import Prefetch
from pytest_context_bench.calls.rate import Rate

__all__ = ["Budget", "Calls", "Prefetch", "Price", "Rate", "open_budget"]
