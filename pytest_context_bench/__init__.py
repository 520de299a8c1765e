"""Benchmarks of LLM-context systems as pytest tests."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_context_bench.results import EvalResult, EvalRow
    from pytest_context_bench.runner import evaluate
    from pytest_context_bench.session import rows_key

__all__ = ["EvalResult", "EvalRow", "evaluate", "rows_key"]

_HOMES = {"EvalResult": "results", "EvalRow": "results", "evaluate": "runner", "rows_key": "session"}


def __getattr__(name: str) -> Any:
    """Import what is asked for on first use: pytest loads this package at every start."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
