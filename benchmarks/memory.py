"""Measures the memory that pairs on a file of 1 GiB take more than bare tests; exits 1 above 200 MB.

All its 100,000 examples are collected, and as many of them run as hold 200 MB of text.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure.processes import pytest_run
from measure.suites import WITHOUT_PLUGIN, write_bare
from measure.verdicts import Verdict, memory, report

COUNT = 100_000
RUN = 20_000
CHARACTERS = 2**30 // COUNT
LIMIT_MB = 200
LINE = '{{"id": {number}, "question": "which?", "answer": "word {number}", "context": "{context}"}}\n'


def main() -> int:
    """Print what pairs take more; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="memory-") as folder:
        return report(verdicts(Path(folder)))


def verdicts(folder: Path) -> Iterator[Verdict]:
    """Compare the peak memory of collection, then that of running."""
    data = write_examples(folder / "large.jsonl")
    benchmark = (
        "--context-bench-dataset",
        str(data),
        "--context-bench-system",
        "identity",
        "--context-bench-score-field",
        "contains",
    )
    empty = folder / "pairs"
    empty.mkdir()
    for what, count, arguments in (
        ("collected", COUNT, ("--collect-only",)),
        ("run", RUN, ("--context-bench-max-examples", str(RUN))),
    ):
        own = arguments if what == "collected" else ()
        bare = write_bare(folder / what, count)
        base = pytest_run(bare, *WITHOUT_PLUGIN, *own, expected=f"{count} ").cost()
        cost = pytest_run(empty, *benchmark, *arguments, expected=f"{count} ").cost()
        more = (cost.memory - base.memory) / 1e6
        print(f"{what}: {memory(cost):.0f} MiB, bare tests {memory(base):.0f} MiB")
        yield Verdict(
            f"{count:,} pairs {what}, {data.stat().st_size / 2**30:.2f} GiB of text",
            more,
            LIMIT_MB,
            "MB more",
        )


def write_examples(path: Path) -> Path:
    """Write the examples: no two contexts are alike."""
    words = " ".join(str(number) for number in range(CHARACTERS))
    with path.open("w", encoding="utf-8") as file:
        for number in range(COUNT):
            start = number % (len(words) - CHARACTERS)
            head = f"word {number} "
            file.write(
                LINE.format(number=number, context=head + words[start : start + CHARACTERS - len(head)])
            )
    return path


if __name__ == "__main__":
    sys.exit(main())
