"""Measures the collection of 100,000 pairs against bare tests and half the pairs; exits 1 above bounds."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure.processes import Cost, in_turn, pytest_run
from measure.suites import WITHOUT_PLUGIN, write_bare, write_pairs
from measure.verdicts import Verdict, cpu, least, memory, ratio, report, wall

COUNT = 100_000
TURNS = 2
BOUND = 1.4
DOUBLED = 2.1  # twice, and what the machine adds by chance


def main() -> int:
    """Print the ratios; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="collection-") as folder:
        return report(verdicts(Path(folder)))


def verdicts(folder: Path) -> Iterator[Verdict]:
    """Measure, and compare with bare tests and with half the pairs."""
    _, half = measured(folder / "half", COUNT // 2)
    base, costs = measured(folder / "whole", COUNT)
    for name, figure, unit in (("time", cpu, "s"), ("memory", memory, "MiB")):
        pairs, bare = least(costs, figure), least(base, figure)
        print(f"{name}: {pairs:.2f} {unit} for pairs, {bare:.2f} {unit} for bare tests")
        yield Verdict(f"{COUNT:,} pairs, {name}", ratio(costs, base, figure), BOUND)
        yield Verdict(f"twice the pairs, {name}", ratio(costs, half, figure), DOUBLED)
    print(f"by the clock: {ratio(costs, base, wall):.2f} x")


def measured(folder: Path, count: int) -> tuple[list[Cost], list[Cost]]:
    """Return what collecting *count* bare tests and pairs takes."""
    folder.mkdir()
    expected = f"{count} tests collected"
    bare, pairs = write_bare(folder / "bare", count), write_pairs(folder / "pairs", count)
    return in_turn(
        pytest_run(bare, *WITHOUT_PLUGIN, "--collect-only", expected=expected),
        pytest_run(pairs, "--collect-only", expected=expected),
        TURNS,
    )


if __name__ == "__main__":
    sys.exit(main())
