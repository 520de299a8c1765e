"""The talk with a process that may be hostile: never waits for it longer than its limits say."""

import marshal
import os
import select
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_context_bench.sandbox.inside import GIVES_UP, WANTS_MORE

_TICK_MS = 50  # between two looks at what the process is using
_LONGEST_REASON = 500


class StoppedError(Exception):
    """The talk is over, and did not come to its end: the text says why."""


class Conversation:
    """Sends parts to a process and hears its requests, until *look* raises StoppedError."""

    def __init__(self, parts: int, requests: int, look: Callable[[], None]) -> None:
        self._parts, self._requests, self.look = parts, requests, look
        os.set_blocking(parts, False)

    def request(self) -> str:
        """Return what comes with the next request; raise StoppedError when there will be none."""
        said = b""
        while len(said) < _LONGEST_REASON and (byte := self.answer(1)):
            if byte == WANTS_MORE:
                return said.decode("utf-8", "replace")
            if byte == GIVES_UP:
                break
            said += byte
        raise StoppedError((said + self.answer(_LONGEST_REASON)).decode("utf-8", "replace") or "left early")

    def answer(self, size: int) -> bytes:
        """Return the next *size* bytes, fewer where the process falls silent."""
        said = b""
        while len(said) < size and (more := self._read(size - len(said))):
            said += more
        return said

    def send(self, part: Any) -> None:
        """Hand over *part*."""
        message = memoryview(marshal.dumps(part))
        while message:
            self._wait(self._parts, select.POLLOUT)
            try:
                message = message[os.write(self._parts, message) :]
            except BrokenPipeError as error:
                raise StoppedError("left early") from error

    def _read(self, size: int) -> bytes:
        self._wait(self._requests, select.POLLIN)
        return os.read(self._requests, size)

    def _wait(self, pipe: int, event: int) -> None:
        poll = select.poll()
        poll.register(pipe, event)
        while not poll.poll(_TICK_MS):
            self.look()


def written(pid: int) -> int:
    """Return the bytes that *pid* has written, anywhere; 0 where the system does not say."""
    try:
        accounts = Path(f"/proc/{pid}/io").read_text(encoding="ascii")
    except OSError:
        return 0
    figures = accounts.partition("wchar:")[2].split()
    return int(figures[0]) if figures else 0


def until(seconds: float, pid: int = 0, written_mb: float = 0) -> Callable[[], None]:
    """Return what raises StoppedError after *seconds*, or once *pid* has written more than it may."""
    deadline = time.monotonic() + seconds

    def look() -> None:
        if time.monotonic() > deadline:
            raise StoppedError(f"took longer than {seconds:g} s")
        if pid and written(pid) > written_mb * 2**20:
            raise StoppedError(f"wrote more than {written_mb:g} MiB")

    return look
