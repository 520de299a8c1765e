"""The cache: outputs and scores that were paid for once, kept in a folder and given again."""

from pytest_context_bench.cache.cache import Cache

__all__ = ["Cache"]
