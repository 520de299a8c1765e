"""How often a run may call: threads that share a rate wait for their turn."""

import re
import time
from dataclasses import dataclass, field
from threading import Event, Lock

from pytest_context_bench.errors import InvalidValueError, RunEndedError

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}
EXPECTED = "a number of calls in a unit of time, as 5/s, 300/m or 1000/h"
_SYNTAX = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*/\s*([smh])[a-z]*\s*")


@dataclass(eq=False)
class Rate:
    """At most one call in each *interval* of seconds; threads may share it."""

    interval: float
    _next: float = field(default=0.0, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)
    _closed: Event = field(default_factory=Event, init=False)

    @classmethod
    def parse(cls, text: str, *, where: str = "rate") -> "Rate":
        """Read `5/s`, `300/m` or `1000/h`. Raises InvalidValueError."""
        match = _SYNTAX.fullmatch(text) if isinstance(text, str) else None
        number = float(match[1]) if match else 0.0
        if match is None or number == 0:
            raise InvalidValueError(where, text, EXPECTED)
        return cls(UNITS[match[2]] / number)

    def shared_by(self, processes: int) -> "Rate":
        """Return the part of the rate that is one process's."""
        return Rate(self.interval * processes)

    def wait(self) -> None:
        """Wait until it is this call's turn. Raises RunEndedError if the rate is closed before."""
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self.interval
        pause = turn - time.monotonic()
        if self._closed.wait(pause) if pause > 0 else self._closed.is_set():
            raise RunEndedError

    def close(self) -> None:
        """Give no more turns."""
        self._closed.set()
