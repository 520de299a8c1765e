"""Is an answer still given that stands in one sentence of a text?"""

import pytest


@pytest.mark.context_bench(dataset="articles", gates=["mean_score>=0.3 @ system=direct"])
def test_articles(context_bench):
    context_bench.run()
