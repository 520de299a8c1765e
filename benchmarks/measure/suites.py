"""Writes suites of as many tests, bare ones and pairs."""

from pathlib import Path

WITHOUT_PLUGIN = ("-p", "no:context_bench")
BARE = """
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_bare(number):
    pass
"""
PAIRS = """
import pytest

@pytest.mark.context_bench(dataset="numbers", systems=["no-op"])
def test_pair(context_bench):
    context_bench.run()
"""
CONFTEST = """
class NoOp:
    name = "no-op"

    def process(self, example):
        return {{"response": ""}}

class One:
    name = "one"

    def score(self, original, processed):
        return {{"one": 1.0}}

def numbers():
    return ({{"id": number, "context": "one two"}} for number in range({count}))

def pytest_context_bench_register(registry):
    registry.register("system", "no-op", NoOp())
    registry.register("evaluator", "one", One())
    registry.register("dataset", "numbers", numbers)
"""


def write_bare(folder: Path, count: int) -> Path:
    """Write *count* parametrized tests that do nothing."""
    folder.mkdir()
    (folder / "test_bare.py").write_text(BARE.format(count=count), encoding="utf-8")
    return folder


def write_pairs(folder: Path, count: int) -> Path:
    """Write *count* pairs of a system that does nothing and an evaluator that is always content."""
    folder.mkdir()
    (folder / "conftest.py").write_text(CONFTEST.format(count=count), encoding="utf-8")
    (folder / "test_pairs.py").write_text(PAIRS, encoding="utf-8")
    return folder
