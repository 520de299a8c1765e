"""Is the line still found that one of many services wrote to a log?"""

import pytest


@pytest.mark.context_bench(dataset="needle:log-1k", max_examples=8)
def test_logs(context_bench):
    context_bench.run()
