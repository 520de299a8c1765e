"""Measures ROUGE-L against the textbook table in pure Python, in one run; exits 1 where it is too slow."""

import random
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import TypeVar

from pytest_context_bench.evaluators import SummarizationQuality
from pytest_context_bench.scoring.rouge import lcs_length

WORDS = 6_000
LIMIT_SECONDS = 1.0
LIMIT_RATIO = 50
T = TypeVar("T")


def table_length(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence by the textbook, two rows at a time."""
    above = [0] * (len(other) + 1)
    for left in one:
        row = [0]
        for place, right in enumerate(other):
            row.append(above[place] + 1 if left == right else max(above[place + 1], row[place]))
        above = row
    return above[-1]


def words(seed: int, count: int = WORDS) -> list[str]:
    """Return *count* seeded words, few of them frequent and many rare as in prose."""
    chance = random.Random(seed)  # noqa: S311 - a benchmark's text, not a secret
    return [f"w{int(chance.paretovariate(0.7))}" for _ in range(count)]


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """Return what *call* returns, and its seconds."""
    start = time.perf_counter()
    value = call()
    return value, time.perf_counter() - start


def peak_bytes(count: int) -> int:
    """Return the most memory that comparing *count* with *count* words, all different, takes at once."""
    one, other = [f"a{n}" for n in range(count)], [f"a{n}" for n in reversed(range(count))]
    tracemalloc.start()
    lcs_length(one, other)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def main() -> int:
    """Print the comparison; return the exit status."""
    reference, response = words(1), words(2)
    example, output = {"answer": " ".join(reference)}, {"response": " ".join(response)}
    _, seconds = timed(lambda: SummarizationQuality().score(example, output))
    length, bits_seconds = timed(lambda: lcs_length(response, reference))
    expected, table_seconds = timed(lambda: table_length(response, reference))
    ratio = table_seconds / seconds
    print(f"{WORDS} x {WORDS} words, common subsequence {length} (table: {expected})")
    print(f"SummarizationQuality.score  {seconds:8.4f} s  (limit {LIMIT_SECONDS:g} s)")
    print(f"subsequence, bit-parallel   {bits_seconds:8.4f} s")
    print(f"subsequence, table          {table_seconds:8.4f} s")
    print(f"score is {ratio:.0f} x faster than the table (limit {LIMIT_RATIO} x)")
    for count in (WORDS, 4 * WORDS):
        print(f"peak memory at {count:6} x {count:6} different words: {peak_bytes(count) / 2**20:.1f} MiB")
    return int(length != expected or seconds > LIMIT_SECONDS or ratio < LIMIT_RATIO)


if __name__ == "__main__":
    sys.exit(main())
