"""Print what a sandboxed run costs over a bare start of the interpreter, side by side in one run."""

import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

from pytest_context_bench.sandbox import Task, run

ROUNDS = 60
TASK = Task(answer=[["def double(x):\n    return 2 * x\n"]], tests=[["assert double(2) == 4\n"]])


def milliseconds(action: Callable[[], object]) -> float:
    """Time one call."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def start_bare() -> None:
    """Start an isolated interpreter that does nothing."""
    subprocess.run([sys.executable, "-I", "-c", "pass"], check=True, stdin=subprocess.DEVNULL)


def run_sandboxed() -> None:
    """Run an answer that passes its test."""
    assert run(TASK).passed


def main() -> None:
    """Alternate the two, so that a busy machine slows both alike, and compare medians."""
    run_sandboxed()
    pairs = [(milliseconds(start_bare), milliseconds(run_sandboxed)) for _ in range(ROUNDS)]
    bare, sandboxed = (median(times) for times in zip(*pairs, strict=True))
    print(f"bare `python -I -c pass`: {bare:.1f} ms")
    print(f"sandboxed run:            {sandboxed:.1f} ms")
    print(f"overhead a run:           {sandboxed - bare:.1f} ms, {sandboxed / bare:.2f} times the bare start")


if __name__ == "__main__":
    main()
