"""Measures 10,000 pairs against 10,000 bare tests, alone and on two workers; exits 1 above the bounds.

With `--profile` it says, module by module, where the rest goes.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure.processes import Python, in_turn, pytest_run
from measure.profiles import print_difference
from measure.suites import WITHOUT_PLUGIN, write_bare, write_pairs
from measure.verdicts import Verdict, cpu, least, ratio, report, wall

COUNT = 10_000
PROFILED = 2_000
TURNS = 3
BOUNDS = {"-n0": 1.4, "-n2": 1.3}


def main() -> int:
    """Print the ratios, or the profile; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="per-pair-") as folder:
        if "--profile" in sys.argv[1:]:
            print_difference(*runs(Path(folder), PROFILED, "-n0"), Path(folder), PROFILED)
            return 0
        return report(verdicts(Path(folder)))


def verdicts(folder: Path) -> Iterator[Verdict]:
    """Measure, one way to run tests after the other."""
    bare, pairs = runs(folder, COUNT)
    for way, bound in BOUNDS.items():
        base, costs = in_turn(bare.with_arguments(way), pairs.with_arguments(way), TURNS)
        print(
            f"{way}: {least(costs, cpu):.2f} s for pairs, {least(base, cpu):.2f} s for bare tests; "
            f"by the clock {ratio(costs, base, wall):.2f} x"
        )
        yield Verdict(f"{COUNT:,} pairs {way}, time", ratio(costs, base, cpu), bound)


def runs(folder: Path, count: int, *arguments: str) -> tuple[Python, Python]:
    """Return the runs of *count* bare tests and pairs."""
    expected = f"{count} passed"
    return (
        pytest_run(write_bare(folder / "bare", count), *WITHOUT_PLUGIN, *arguments, expected=expected),
        pytest_run(write_pairs(folder / "pairs", count), *arguments, expected=expected),
    )


if __name__ == "__main__":
    sys.exit(main())
