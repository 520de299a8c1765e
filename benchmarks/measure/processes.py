"""Runs processes in turn and tells what each took."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

# ru_maxrss is in kibibytes, on macOS in bytes
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
# Bytecode is cached as in most installations, and nobody else's options or hash order show.
_ENVIRONMENT = {
    "PYTEST_ADDOPTS": "",
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "",
}


@dataclass(frozen=True)
class Cost:
    """What a process and its children took: seconds of processor time, seconds by the clock, peak bytes.

    Verdicts go by processor time: busy neighbours show less in it than by the clock.
    """

    cpu: float
    wall: float
    memory: int


@dataclass(frozen=True)
class Python:
    """A run of this interpreter in *folder*, whose output must hold *expected*."""

    folder: Path
    arguments: Sequence[str]
    expected: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)

    def with_arguments(self, *arguments: str) -> "Python":
        """Return the run with more *arguments*."""
        return replace(self, arguments=(*self.arguments, *arguments))

    def cost(self) -> Cost:
        """Run, and return what that took; exit where it goes wrong."""
        return self.run()[0]

    def run(self) -> tuple[Cost, str]:
        """Run, and return what that took and the output; exit where it goes wrong."""
        with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
            started = time.perf_counter()
            process = subprocess.Popen(
                [sys.executable, *self.arguments],
                cwd=self.folder,
                env={**os.environ, **_ENVIRONMENT, **self.environment},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - started
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            said = output.read()
        if process.returncode or self.expected not in said:
            sys.exit(f"{' '.join(self.arguments)} did not say {self.expected!r}:\n{said[-5000:]}")
        return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * _RSS_UNIT), said


def pytest_run(folder: Path, *arguments: str, expected: str) -> Python:
    """Return a quiet run of pytest in *folder* that caches nothing there."""
    return Python(folder, ("-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments), expected)


def in_turn(one: Python, other: Python, times: int) -> tuple[list[Cost], list[Cost]]:
    """Run both *times* times, first the one, then the other first: what slows the machine slows both."""
    costs: tuple[list[Cost], list[Cost]] = ([], [])
    for turn in range(times):
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            costs[side].append((one, other)[side].cost())
    return costs
