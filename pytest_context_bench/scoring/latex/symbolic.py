"""Asks math-verify where the exact rules leave a comparison open.

math-verify limits its time with the process's alarm, works on the main thread only and may hang all the
same. So it runs in a helper process: started with the first question, ended at exit, replaced when a question
hangs.
Without the extra `[math]` nothing is started and every question is answered with no.
"""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Timer
from typing import IO, Any, cast

from pytest_context_bench.errors import BrokenExtraError

START_SECONDS = 120.0
CPU_SECONDS = 3.0  # a question, of the processor: the verdict must not depend on the load
QUESTION_SECONDS = 60.0  # of the clock, where the processor is not what it waits for
MAX_REMEMBERED = 4_096
_WORKER = Path(__file__).with_name("symbolic_worker.py")


@dataclass(frozen=True)
class _Helper:
    """The process and the pipes to it."""

    process: "subprocess.Popen[bytes]"
    questions: IO[bytes]
    answers: IO[bytes]

    def exchange(self, question: bytes, seconds: float) -> dict[str, Any]:
        """Return the answer to *question*, empty where the process ends: after *seconds* at the latest."""
        limit = Timer(seconds, self.process.kill)
        limit.daemon = True
        limit.start()
        try:
            self.questions.write(question)
            line = self.answers.readline()
        except BrokenPipeError:
            line = b""
        finally:
            limit.cancel()
            limit.join()  # a process without threads may be forked
        return json.loads(line) if line.endswith(b"\n") else {}

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
        self.close()

    def close(self) -> None:
        """Close this side of the pipes."""
        self.questions.close()
        self.answers.close()


class Verifier:
    """One helper behind a lock: any thread may ask, and a forked process starts a helper of its own."""

    def __init__(self) -> None:
        self._helper: _Helper | None = None
        self._answers: dict[tuple[str, str], bool] = {}
        self._lock = Lock()

    def ask(self, given: str, gold: str) -> bool:
        """Whether the two are mathematically equal; no where that takes too long. Raises BrokenExtraError."""
        if not sys.executable or find_spec("math_verify") is None:
            return False
        with self._lock:
            if (given, gold) not in self._answers:
                if len(self._answers) >= MAX_REMEMBERED:
                    self._answers.clear()
                self._answers[given, gold] = self._answer({"given": given, "gold": gold})
            return self._answers[given, gold]

    def close(self) -> None:
        """End the helper, if there is one."""
        helper, self._helper = self._helper, None
        if helper is not None:
            helper.end()

    def leave(self) -> None:
        """Leave the helper to the process that this one was forked from."""
        helper, self._helper, self._lock = self._helper, None, Lock()
        if helper is not None:
            helper.close()
            helper.process.returncode = 0  # another's child: nothing here is to wait for it

    def _answer(self, question: Mapping[str, str]) -> bool:
        helper = self._running()
        try:
            answer = helper.exchange(json.dumps(question).encode() + b"\n", QUESTION_SECONDS)
        except BaseException:
            self.close()  # its answer, still to come, would be taken for that of the next question
            raise
        if not answer:
            self.close()
        return bool(answer.get("equal"))

    def _running(self) -> _Helper:
        if self._helper is None or self._helper.process.poll() is not None:
            self.close()
            atexit.unregister(self.close)  # once is enough, however often one is started
            atexit.register(self.close)
            self._helper = _start()
        return self._helper


def _start() -> _Helper:
    # By its path and with -P: nothing in the working directory is taken for a library.
    process = subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-P", str(_WORKER), str(CPU_SECONDS)],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONWARNINGS": "ignore"},
        start_new_session=True,  # Ctrl-C is for the user's process
    )
    helper = _Helper(process, cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout))
    try:
        greeting = helper.exchange(b"", START_SECONDS)
    except BaseException:
        helper.end()
        raise
    if "ready" not in greeting:
        helper.end()
        raise BrokenExtraError("math", greeting.get("problem", "math-verify does not start"))
    return helper


VERIFIER = Verifier()  # one a process, like the process it stands for
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=VERIFIER.leave)
