"""Runs a command that answers on standard output, within a time limit."""

import os
import signal
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from pytest_context_bench.errors import CommandError
from pytest_context_bench.excerpt import excerpt
from pytest_context_bench.plain import printable


@dataclass(frozen=True)
class Finished:
    """What a command wrote before it ended well."""

    output: str
    complaints: str


def run_command(command: Sequence[str], text: str, limit: float) -> Finished:
    """Give *text* to *command* in an empty folder, and return what it wrote.

    Raises CommandError for one that cannot be started, fails, takes more than *limit* seconds, or says
    nothing; whatever it started ends with it.
    """
    with tempfile.TemporaryDirectory(prefix="context-bench-") as folder:
        process = _started(command, folder)
        # Also where this process ends while a thread of it waits here: at exit.
        end = weakref.finalize(process, _end_group, process.pid)
        try:
            output, complaints = process.communicate(printable(text).encode(), timeout=limit)
        except subprocess.TimeoutExpired:
            raise CommandError(command[0], [f"no answer within {limit:g} s"]) from None
        finally:
            end()
            _close(process)
    finished = Finished(output.decode("utf-8", "replace"), complaints.decode("utf-8", "replace"))
    if process.returncode or not finished.output.strip():
        raise CommandError(command[0], _facts(process.returncode, finished))
    return finished


def _started(command: Sequence[str], folder: str) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(  # noqa: S603 - the user's own command, without a shell
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # to be ended with all that it started
        )
    except (OSError, ValueError) as error:
        raise CommandError(command[0], [f"it cannot be started ({error})"]) from error


def _end_group(leader: int) -> None:
    """End the process *leader* and all that it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(leader, signal.SIGKILL)
        else:
            os.kill(leader, signal.SIGTERM)


def _close(process: "subprocess.Popen[bytes]") -> None:
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _facts(status: int, finished: Finished) -> list[str]:
    facts = [f"exit status {status}" if status else "it gave no answer"]
    said = (("it complains", finished.complaints), ("it says", finished.output))
    return facts + [f"{how} {excerpt(text)}" for how, text in said if text.strip()]
