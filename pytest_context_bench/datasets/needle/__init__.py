"""Needles in haystacks, made on the spot, to see whether a transformed context keeps what a question needs.

No file, no network and no model is needed: the answer stands once in the context, beside others of its form.
"""

from pytest_context_bench.datasets.needle.config import DEFAULT_SIZE, SIZES, TASKS, parse_config
from pytest_context_bench.datasets.needle.generation import generate

__all__ = ["DEFAULT_SIZE", "SIZES", "TASKS", "generate", "parse_config"]
