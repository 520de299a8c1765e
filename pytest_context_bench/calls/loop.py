"""One event loop for the systems that are async: their clients and locks belong to the loop they began in."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from threading import Lock, Thread, current_thread
from typing import Any


class Loop:
    """Runs awaitables in a thread of its own, many at once; it begins with the first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None

    def run(self, awaitable: Awaitable[Any]) -> Any:
        """Wait for *awaitable*; return what it gives, raise what it raises.

        Not within the loop itself, where nothing could go on meanwhile: that raises RuntimeError.
        """
        loop = self._started()
        if current_thread() is self._thread:
            raise RuntimeError("an async system is run within another: await it there")
        future = asyncio.run_coroutine_threadsafe(_outcome(awaitable), loop)
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
                self._thread = Thread(
                    target=_serve, args=(self._loop,), name="context-bench-loop", daemon=True
                )
                self._thread.start()
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
