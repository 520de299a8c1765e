"""Measures 200 calls of 50 ms, 32 at once, through pytest and evaluate(); exits 1 above the bounds."""

import json
import math
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure.processes import Python, pytest_run
from measure.suites import write_waiting
from measure.verdicts import Verdict, report

CALLS, SECONDS, WORKERS = 200, 0.05, 32
IDEAL = math.ceil(CALLS / WORKERS) * SECONDS
TURNS = 3
SLOWER, FASTER = 1.15, 25
EVALUATE = """
import sys
from conftest import Slow, numbers
from pytest_context_bench import evaluate

evaluate([Slow()], list(numbers()), ["answer_quality"], max_workers=int(sys.argv[1]), progress=False)
"""


def main() -> int:
    """Print the ratios; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="ahead-") as name:
        folder = write_waiting(Path(name) / "calls", CALLS, SECONDS)
        print(f"ideal: {IDEAL:.3f} s for {CALLS} calls of {SECONDS:g} s, {WORKERS} at once")
        through_pytest = pytest_run(folder, expected=f"{CALLS} passed")
        through_evaluate = Python(folder, ("-c", EVALUATE))
        return report(
            [
                *verdicts("pytest", through_pytest, "--context-bench-max-workers={}"),
                *verdicts("evaluate()", through_evaluate, "{}"),
            ]
        )


def verdicts(what: str, run: Python, workers: str) -> Iterator[Verdict]:
    """Compare the time from the first call to the last with the ideal, and with that of one by one."""
    alone = seconds(run.with_arguments(workers.format(1)))
    ahead = min(seconds(run.with_arguments(workers.format(WORKERS))) for _ in range(TURNS))
    print(f"{what}: {alone:.2f} s one by one, {ahead:.3f} s with {WORKERS} workers")
    yield Verdict(f"{what}, times the ideal", ahead / IDEAL, SLOWER)
    yield Verdict(f"{what}, times as fast as one by one", alone / ahead, FASTER, at_least=True)


def seconds(run: Python) -> float:
    """Return the seconds from the first call's begin to the last one's end."""
    times = run.folder / "times.jsonl"
    times.unlink(missing_ok=True)
    run.cost()
    begun, ended = zip(*map(json.loads, times.read_text(encoding="utf-8").splitlines()), strict=True)
    assert len(begun) == CALLS
    return float(max(ended) - min(begun))


if __name__ == "__main__":
    sys.exit(main())
