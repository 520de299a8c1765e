"""NoLiMa: a needle on a line of its own, between the lines of a book."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from pytest_context_bench.datasets.record import Record
from pytest_context_bench.tokens import counter


def nolima(record: Record) -> dict[str, Any]:
    """Put the needle as deep into its book as is asked for; the book is cut to size at line ends."""
    lines, size, depth = record.texts("book"), record.whole("tokens"), record.value("depth")
    ends = line_ends(lines, 2 * size)
    at, start, end = window(ends, size, depth)
    if ends[-1] - ends[start] < size:
        raise record.problem(f"its book has {ends[-1]} tokens, too few for a part of {size}")
    return {
        "context": "\n".join([*lines[start:at], record.text("needle"), *lines[at:end]]),
        "question": record.text("question"),
        "answer": record.texts("answer"),
    }


def line_ends(lines: Sequence[str], size: int) -> list[int]:
    """Return how many tokens there are before each of the first *lines*, as many as hold *size* tokens."""
    tokens, ends = counter(), [0]
    for end in accumulate(tokens.count(f"{line}\n") for line in lines):
        ends.append(end)
        if end >= size:
            break
    return ends


def window(ends: Sequence[int], size: int, depth: float) -> tuple[int, int, int]:
    """Return the line before which the needle stands, and the first line of *size* tokens and the one after.

    As in the publisher's placement, the needle takes the first line end that has room for what is before it.
    """
    before = round(size * depth)
    at = min(bisect_left(ends, before), len(ends) - 1)
    start = bisect_left(ends, ends[at] - before)
    return at, start, bisect_right(ends, ends[start] + size) - 1
