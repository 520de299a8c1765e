"""Starts the sandbox's process, has it run a task, ends it, and says what came of it."""

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, cast

from pytest_context_bench.errors import InvalidValueError, SandboxError
from pytest_context_bench.sandbox.conversation import Conversation, StoppedError, until
from pytest_context_bench.sandbox.folder import empty_folder
from pytest_context_bench.sandbox.strays import end_strays

LAYERS = ("landlock", "capabilities", "seccomp", "rlimits")
_START = (
    "import sys; sys.path.insert(0, sys.argv.pop()); from inside import harness; del sys.path[0]; "
    "harness.main()"
)
_START_SECONDS = 30.0  # an interpreter that takes longer to start than this is broken, not slow
_END_SECONDS = 2.0
# Neither is a secret, and an interpreter may need them to start.
_KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class Limits:
    """What one run may use: seconds by the clock and of the CPU, MiB of memory, MiB written anywhere."""

    seconds: float = 12.0
    cpu_seconds: int = 6
    memory_mb: int = 1024
    written_mb: int = 64

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not value > 0:
                raise InvalidValueError(f"limit {name}", value, "more than 0")


@dataclass(frozen=True)
class Task:
    """Python to run: parts in turn, each the first of several sources that compiles.

    *tests* see the names of *answer*, not the other way round.
    """

    answer: list[list[str]]
    tests: list[list[str]]


@dataclass(frozen=True)
class Outcome:
    """Whether every part of a task ran to its end, else how many did and why no more; what contained them."""

    passed: bool
    parts_done: int
    reason: str
    layers: frozenset[str]


def run(task: Task, limits: Limits | None = None, layers: tuple[str, ...] = LAYERS) -> Outcome:
    """Run *task* in a process of its own, contained by *layers* as far as the system has them.

    Raises SandboxError where the sandbox itself does not work.
    """
    if not hasattr(os, "fork"):
        raise SandboxError("it needs a Unix system")
    try:
        with empty_folder() as folder:
            return _run_in(folder, task, limits or Limits(), layers)
    except OSError as error:
        raise SandboxError(str(error)) from error


def _run_in(folder: Path, task: Task, limits: Limits, layers: tuple[str, ...]) -> Outcome:
    with _process(folder) as process:
        outcome = _outcome(process, task, limits, (str(folder), list(layers)))
    if not outcome.passed and "seccomp" not in outcome.layers:
        end_strays(str(folder))
    return outcome


@contextmanager
def _process(folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Start the process, in a group of its own, and end the whole group at the end."""
    command = [sys.executable, "-I", "-X", "utf8", "-c", _START, str(Path(__file__).parent)]
    with subprocess.Popen(  # noqa: S603 - running this is what the user allowed
        command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=_environment(folder),
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    places = {"PATH": os.defpath, "HOME": str(folder), "TMPDIR": str(folder)}
    return kept | places | dict.fromkeys(_ONE_THREAD, "1") | {"LANG": "C.UTF-8", "TZ": "UTC"}


def _outcome(
    process: "subprocess.Popen[bytes]", task: Task, limits: Limits, confinement: tuple[str, list[str]]
) -> Outcome:
    parts, requests = (cast("IO[bytes]", pipe).fileno() for pipe in (process.stdin, process.stdout))
    talk = Conversation(parts, requests, until(_START_SECONDS))
    layers = _in_force(talk, (asdict(limits), *confinement, len(task.answer), len(task.tests)))
    talk.look = until(limits.seconds, process.pid, limits.written_mb)
    done, reason = _follow(talk, [*task.answer, *task.tests])
    if not reason and "seccomp" not in layers and not _ends_cleanly(process):
        reason = "left processes running"
    return Outcome(not reason, done, reason, layers)


def _in_force(talk: Conversation, terms: tuple[object, ...]) -> frozenset[str]:
    """Have the process confine itself, and return the layers that are in force then."""
    try:
        if noise := talk.request():  # from an interpreter that starts badly, or from a start-up hook
            raise SandboxError(noise)
        talk.send(terms)
        return frozenset(filter(None, talk.request().split(",")))
    except StoppedError as stopped:
        raise SandboxError(str(stopped)) from stopped


def _follow(talk: Conversation, parts: list[list[str]]) -> tuple[int, str]:
    """Hand over *parts* in turn; return how many were done, and why no more."""
    done, token = 0, secrets.token_bytes(16)
    try:
        for part in parts:
            talk.send(part)
            talk.request()
            done += 1
        talk.send(token)  # only what came through every part is there to read it
        return done, "" if talk.answer(len(token)) == token else "left early"
    except StoppedError as stopped:
        return done, str(stopped)


def _ends_cleanly(process: "subprocess.Popen[bytes]") -> bool:
    """Whether the guardian, which is there where seccomp is not, found nothing left running."""
    with suppress(subprocess.TimeoutExpired):
        return process.wait(_END_SECONDS) == 0
    return False
