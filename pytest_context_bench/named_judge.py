"""The judge that a command line or an ini file names."""

import os
from typing import TYPE_CHECKING

import pytest

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.options import setting
from pytest_context_bench.registry import registry

if TYPE_CHECKING:
    from pytest_context_bench.evaluators import LLMJudge

KEYS = ("CONTEXT_BENCH_JUDGE_API_KEY", "OPENAI_API_KEY")


def register(config: pytest.Config) -> None:
    """Add the judge to the evaluators of the run, if one is named. Raises ContextBenchError."""
    judge = named_judge(setting(config, "judge-url"), setting(config, "judge-model"))
    if judge is not None:
        registry.register("evaluator", judge.name, judge)


def named_judge(url: str | None, model: str | None, prefix: str = "--context-bench-") -> "LLMJudge | None":
    """Return the judge that *url* and *model* name, if they do; *prefix* begins their flags.

    Raises InvalidValueError where one is missing.
    """
    if url is None and model is None:
        return None
    if url is None or model is None:
        missing = f"{prefix}judge-{'url' if url is None else 'model'}"
        raise InvalidValueError(missing, None, "given: a judge needs both its URL and its model")
    from pytest_context_bench.evaluators import LLMJudge

    key = next((os.environ[name] for name in KEYS if os.environ.get(name)), None)
    return LLMJudge(url, model, api_key=key)
