"""The systems that come with the project: baselines, and a plain function as a system."""

from pytest_context_bench.systems.compressor import Compressor
from pytest_context_bench.systems.extract import Extract
from pytest_context_bench.systems.identity import Identity
from pytest_context_bench.systems.table import BUILT_IN, built_in
from pytest_context_bench.systems.truncate import Truncate

__all__ = ["BUILT_IN", "Compressor", "Extract", "Identity", "Truncate", "built_in"]
