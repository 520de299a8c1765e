"""One test a pair: fifty log files, and what the system left of them."""

import pytest


@pytest.mark.context_bench(
    dataset="needle:log",
    systems=["squeeze"],
    score_field="contains",
    threshold=1.0,
    min_pass_rate=0.9,
)
def test_the_answer_survives(context_bench):
    row = context_bench.run()

    assert row.output_tokens <= row.input_tokens
    assert row.scores["lines_kept"] < 1
