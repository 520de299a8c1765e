"""The hooks that users of the plugin implement."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_context_bench.registry import Registry
    from pytest_context_bench.results import EvalResult


@pytest.hookspec(historic=True)
def pytest_context_bench_register(registry: "Registry") -> None:
    """Register systems, data sets, evaluators and metrics for this run.

    Metrics must be registered in the root conftest.py or in a plugin: the process that judges a parallel
    run loads no other.
    """


@pytest.hookspec
def pytest_context_bench_summary(result: "EvalResult", config: pytest.Config) -> None:
    """Use the finished result, verdicts of gates included: upload it, chart it, comment on it."""
