"""The tokens that endpoints report, and what is saved of them inside a proxy."""

import pytest
from runs import REPORT, said

from pytest_context_bench import evaluate
from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.metrics import PromptReduction, Usage, summarize
from pytest_context_bench.rows import EvalRow


def row(system="a", example_id=1, error=None, **metadata):
    return EvalRow(system, example_id, {"score": 1.0}, 10, 10, metadata, error=error)


def folded(*rows, baseline="a"):
    summary, problems = summarize(rows, [Usage(), PromptReduction(baseline)])
    assert problems == []
    return summary


def test_usage_is_the_mean_over_the_rows_that_tell_it():
    rows = [
        row(prompt_tokens=10, completion_tokens=2),
        row(example_id=2, prompt_tokens=30),
        row(example_id=3),
    ]

    assert folded(*rows)["a"] == {
        "mean_prompt_tokens": 20,
        "mean_completion_tokens": 2,
        "usage_n": 2,
    }


def test_nothing_told_is_no_figure():
    assert folded(row(), row(system="b", prompt_tokens="many")) == {"a": {}, "b": {}}


def test_an_error_tells_nothing():
    assert folded(row(prompt_tokens=10, error="down")) == {"a": {}}


def test_a_reduction_is_paired_by_example():
    rows = [
        row("a", 1, prompt_tokens=100), row("a", 2, prompt_tokens=300),
        row("b", 1, prompt_tokens=50), row("b", 2, prompt_tokens=90, error="down"),
        row("b", 3, prompt_tokens=9),
    ]  # fmt: skip

    summary = folded(*rows)
    assert summary["b"]["prompt_reduction"] == 0.5
    assert summary["b"]["prompt_reduction_n"] == 1
    assert "prompt_reduction" not in summary["a"]


@pytest.mark.parametrize("baseline", ["", "c"])
def test_without_its_baseline_nothing_is_reduced(baseline):
    summary = folded(row("a", prompt_tokens=10), row("b", prompt_tokens=5), baseline=baseline)

    assert "prompt_reduction" not in summary["b"]


CONFTEST = """
class Proxy:
    def __init__(self, name, share):
        self.name, self.share = name, share
    def process(self, example):
        return {"response": "x", "metadata": {"prompt_tokens": int(100 * self.share), "completion_tokens": 5}}

def pytest_context_bench_register(registry):
    registry.register("system", "direct", Proxy("direct", 1))
    registry.register("system", "squeezed", Proxy("squeezed", 0.4))
"""


def test_a_run_shows_the_compression_inside_a_proxy(bench, pytester, examples, saved, alone_or_not):
    pytester.makeconftest(CONFTEST)
    run = bench(
        "--context-bench-dataset", examples(), "--context-bench-baseline-system=direct", REPORT,
        "--context-bench-gate=prompt_reduction>=0.5 @ system=squeezed", *alone_or_not,
    )  # fmt: skip

    assert run.ret == 0
    assert saved()["summary"]["squeezed"]["prompt_reduction"] == pytest.approx(0.6)
    assert "prompt" in said(run)


def test_a_baseline_system_that_did_not_run_is_a_problem(bench, pytester, examples):
    pytester.makeconftest(CONFTEST)
    run = bench("--context-bench-dataset", examples(), "--context-bench-baseline-system=dirct")

    assert run.ret == 1
    assert "unknown baseline system 'dirct': did you mean 'direct'?" in said(run)


def test_evaluate_refuses_one_before_anything_runs():
    with pytest.raises(UnknownNameError, match="baseline system"):
        evaluate("identity", [{"context": "x"}], baseline_system="direct", progress=False)


def test_a_compressor_that_compresses_nothing_is_flagged(bench, pytester, examples):
    pytester.makeconftest("""
def nothing(context):
    return context

def pytest_context_bench_register(registry):
    registry.register("system", "nothing", nothing)
""")
    run = ["--context-bench-dataset", examples()]

    assert "note: nothing passed everything through" in said(bench(*run))
    assert "passed everything through" not in said(bench(*run, "--context-bench-system=identity"))


def test_tokens_that_were_not_reported_are_marked(bench, pytester, examples):
    pytester.makeconftest("""
class Proxy:
    name = "proxy"
    def process(self, example):
        return {"response": "x", "metadata": {"prompt_tokens": 7, "usage_estimated": True}}

def pytest_context_bench_register(registry):
    registry.register("system", "proxy", Proxy())
""")
    assert "note: proxy reports no usage on 4 examples" in said(bench("--context-bench-dataset", examples()))
