"""The test that the plugin contributes when a data set is named and no test takes the fixture."""

import pytest

from pytest_context_bench.pair import ContextBench


@pytest.mark.context_bench
def test_context_bench(context_bench: ContextBench) -> None:
    """Run one pair."""
    context_bench.run()


test_context_bench.__test__ = True  # type: ignore[attr-defined]  # a test whatever the ini key python_functions says
