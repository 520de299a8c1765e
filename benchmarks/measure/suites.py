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
WAITING = """
import time

class Slow:
    name = "slow"

    def process(self, example):
        begun = time.monotonic()
        time.sleep({seconds})
        with open("times.jsonl", "a") as times:
            times.write(f"[{{begun}}, {{time.monotonic()}}]\\n")
        return {{"response": "one"}}

def numbers():
    return ({{"id": number, "context": "one two", "answer": "one"}} for number in range({count}))

def pytest_context_bench_register(registry):
    registry.register("system", "slow", Slow())
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


def write_waiting(folder: Path, count: int, seconds: float) -> Path:
    """Write *count* pairs of a system that waits for so many *seconds*, and notes from when to when."""
    folder.mkdir()
    (folder / "conftest.py").write_text(WAITING.format(count=count, seconds=seconds), encoding="utf-8")
    (folder / "test_pairs.py").write_text(PAIRS.replace("no-op", "slow"), encoding="utf-8")
    return folder
