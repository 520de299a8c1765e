"""The systems that come with the project: baselines, a plain function as a system, and models that answer."""

from pytest_context_bench.systems.claude_cli import ClaudeCLI
from pytest_context_bench.systems.compressor import Compressor
from pytest_context_bench.systems.endpoints import endpoints
from pytest_context_bench.systems.extract import Extract
from pytest_context_bench.systems.identity import Identity
from pytest_context_bench.systems.openai_proxy import OpenAIProxy
from pytest_context_bench.systems.pipeline import Pipeline
from pytest_context_bench.systems.table import BUILT_IN, built_in
from pytest_context_bench.systems.truncate import Truncate

__all__ = [
    "BUILT_IN",
    "ClaudeCLI",
    "Compressor",
    "Extract",
    "Identity",
    "OpenAIProxy",
    "Pipeline",
    "Truncate",
    "built_in",
    "endpoints",
]
