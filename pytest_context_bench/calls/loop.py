"""One event loop for the systems that are async: their clients and locks belong to the loop they began in."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any


class Loop:
    """Runs awaitables in a thread of its own, many at once; it begins with the first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, awaitable: Awaitable[Any]) -> Any:
        """Wait for *awaitable*; return what it gives, raise what it raises."""
        future = asyncio.run_coroutine_threadsafe(_outcome(awaitable), self._started())
        try:
            outcome = future.result()
        except BaseException:  # an interrupt: nobody waits for it any more
            future.cancel()
            raise
        if outcome.error is not None:
            raise outcome.error
        return outcome.result

    def close(self) -> None:
        """End the loop."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                Thread(target=_serve, args=(self._loop,), name="context-bench-loop", daemon=True).start()
            return self._loop


@dataclass
class _Outcome:
    """What an awaitable gave, or the exit that it asked for."""

    result: Any = None
    error: BaseException | None = None


async def _outcome(awaitable: Awaitable[Any]) -> _Outcome:
    try:
        return _Outcome(await awaitable)
    except (SystemExit, KeyboardInterrupt) as error:  # raised here, they would end the loop of all others
        return _Outcome(error=error)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    finally:
        loop.close()
