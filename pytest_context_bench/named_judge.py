"""The judge that the command line or an ini file names."""

import os

import pytest

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.options import setting
from pytest_context_bench.registry import registry

KEYS = ("CONTEXT_BENCH_JUDGE_API_KEY", "OPENAI_API_KEY")


def register(config: pytest.Config) -> None:
    """Add the judge to the evaluators of the run, if one is named. Raises ContextBenchError."""
    url, model = setting(config, "judge-url"), setting(config, "judge-model")
    if url is None and model is None:
        return
    if url is None or model is None:
        missing = "--context-bench-judge-url" if url is None else "--context-bench-judge-model"
        raise InvalidValueError(missing, None, "given: a judge needs both its URL and its model")
    from pytest_context_bench.evaluators import LLMJudge

    key = next((os.environ[name] for name in KEYS if os.environ.get(name)), None)
    judge = LLMJudge(url, model, api_key=key)
    registry.register("evaluator", judge.name, judge)
