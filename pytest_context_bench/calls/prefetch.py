"""Does coming work in threads, some way ahead of who takes its results in order."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from threading import Condition, Lock, RLock, Thread
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


@dataclass(eq=False)
class _Task(Generic[T]):
    """Work that has begun: its result or its error, once it is no longer *under_way*."""

    under_way: Lock = field(default_factory=Lock)
    result: T | None = None
    error: BaseException | None = None

    def __post_init__(self) -> None:
        self.under_way.acquire()

    def do(self, work: Callable[[K], T], key: K) -> None:
        """Do the *work* for *key*, and let go who waits for it."""
        try:
            self.result = work(key)
        except BaseException as error:  # noqa: BLE001 - whoever takes the result meets it
            self.error = error
        self.under_way.release()

    def wait(self) -> T:
        """Return the result, or raise the error, when there is one."""
        with self.under_way:
            pass
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]  # set where there is no error


class Prefetch(Generic[K, T]):
    """Does *work* for the keys offered, in their order, by *workers* threads.

    No more than *window* results are under way or waiting, so that memory is bounded and a run that is
    stopped has not gone far ahead. Threads are daemons: a process that must end does not wait for a call.
    """

    def __init__(self, work: Callable[[K], T], workers: int, window: int | None = None) -> None:
        self._work = work
        self._workers = workers
        self._window = 2 * workers if window is None else window
        self._coming: OrderedDict[K, None] = OrderedDict()
        self._tasks: dict[K, _Task[T]] = {}
        self._lock = RLock()
        # Two, so that no thread wakes for nothing: where results are kept, waking takes longer than working.
        self._to_do = Condition(self._lock)
        self._begun = Condition(self._lock)
        self._threads: list[Thread] = []
        self._awaited: K | None = None
        self._closed = False

    def offer(self, keys: Iterable[K]) -> None:
        """Say what is coming; each key once."""
        with self._lock:
            self._coming.update(dict.fromkeys(keys))
            while len(self._threads) < min(self._workers, len(self._coming) + len(self._tasks)):
                name = f"context-bench-{len(self._threads)}"
                self._threads.append(Thread(target=self._serve, name=name, daemon=True))
                self._threads[-1].start()
            if self._may_begin():
                self._to_do.notify(len(self._coming))

    def __contains__(self, key: K) -> bool:
        """Whether *key* was offered, and neither taken nor dropped."""
        with self._lock:
            return key in self._tasks or key in self._coming

    def take(self, key: K) -> T:
        """Return the result for *key*, waiting for it; raise what the work raised. Each is given once."""
        task = self._task(key)
        if task is None:  # not offered, or given before: done here and now
            return self._work(key)
        try:
            return task.wait()
        finally:
            self.drop(key)

    def drop(self, key: K) -> bool:
        """Forget *key*: nobody will take it. Return whether its work had begun, in vain."""
        with self._lock:
            begun = self._tasks.pop(key, None) is not None
            if not begun:
                self._coming.pop(key, None)
            if self._may_begin():
                self._to_do.notify()
            return begun

    def close(self) -> None:
        """Begin nothing more."""
        with self._lock:
            self._closed = True
            self._to_do.notify_all()
            self._begun.notify_all()

    def join(self, patience: float) -> None:
        """Let what has begun finish, for so many seconds; first close."""
        until = time.monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def is_done(self, key: K) -> bool:
        """Whether there is a result for *key*, and no error, to be taken without waiting."""
        with self._lock:
            task = self._tasks.get(key)
            return task is not None and not task.under_way.locked() and task.error is None

    def _task(self, key: K) -> _Task[T] | None:
        """Return the task of *key*, brought forward if it has not begun; nothing if it is not to come."""
        with self._lock:
            while key in self._coming and not self._closed:
                self._coming.move_to_end(key, last=False)
                self._awaited = key
                self._to_do.notify()
                self._begun.wait()
            return self._tasks.get(key)

    def _serve(self) -> None:
        while (begun := self._begin()) is not None:
            key, task = begun
            task.do(self._work, key)

    def _begin(self) -> tuple[K, _Task[T]] | None:
        with self._lock:
            while not (self._closed or self._may_begin()):
                self._to_do.wait()
            if self._closed:
                return None
            key, _ = self._coming.popitem(last=False)
            task = self._tasks[key] = _Task()
            self._begun.notify_all()
            return key, task

    def _may_begin(self) -> bool:
        """Whether there is room for what comes next, or somebody waits for it."""
        coming = next(iter(self._coming), None)
        return bool(self._coming) and (len(self._tasks) < self._window or coming == self._awaited)
