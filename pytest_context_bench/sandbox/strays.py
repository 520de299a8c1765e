"""Ends what got away from its supervisor, which only happens where the kernel has no seccomp."""

import os
import signal
from contextlib import suppress
from pathlib import Path

_ROUNDS = 100  # a process that forks faster than we look is left to its limits


def end_strays(folder: str) -> None:
    """Kill every process whose environment names *folder*, as far as the system shows environments."""
    mark = os.fsencode(folder)
    for _ in range(_ROUNDS):
        strays = [int(process.name) for process in Path("/proc").glob("[0-9]*") if _has(process, mark)]
        for stray in strays:
            with suppress(OSError):
                os.kill(stray, signal.SIGKILL)
        if not strays:
            return


def _has(process: Path, mark: bytes) -> bool:
    with suppress(OSError):
        return mark in (process / "environ").read_bytes()
    return False
