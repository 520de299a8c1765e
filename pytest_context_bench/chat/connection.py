"""Kept-alive connections to one endpoint, shared between threads."""

import threading
import weakref
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_context_bench.chat.attempt import AttemptError
from pytest_context_bench.chat.endpoint import Endpoint
from pytest_context_bench.chat.transfer import Transfer, transfer

if TYPE_CHECKING:
    import asyncio
    import ssl

    import httpx

T = TypeVar("T")

_CONNECT_LIMIT = 10.0
_GRACE = 5.0


class Connection:
    """Connections to one endpoint: opened on first use, closed when forgotten."""

    def __init__(self, target: Endpoint, headers: Mapping[str, str]) -> None:
        self._target = target
        self._headers = headers
        self._lock = threading.Lock()
        self._line: _Line | None = None
        self._closer: weakref.finalize[..., Any] | None = None

    def post(self, content: bytes, limit: float) -> Transfer:
        """Send *content* and return what came back within *limit* seconds."""
        try:
            future = self._start(lambda client: transfer(client, self._target.url, content, limit))
        except AttemptError as failed:
            return Transfer(problem=failed.problem)
        try:
            return future.result(limit + _GRACE)
        except TimeoutError:
            return Transfer(problem=f"no reply within {limit:g} s", transient=True)
        except CancelledError:
            return Transfer(problem="the client was closed during the call")
        finally:
            future.cancel()

    def open(self) -> None:
        """Load and start what the first call would have to wait for."""
        with suppress(AttemptError, TimeoutError):  # a call will tell what is wrong
            self._start(lambda _: _load()).result(_GRACE)

    def close(self) -> None:
        """End the calls under way and close the connections; a later call opens them again."""
        with self._lock:
            closer, self._line, self._closer = self._closer, None, None
        if closer:
            closer()

    def _start(self, task: "Callable[[httpx.AsyncClient], Coroutine[Any, Any, T]]") -> "Future[T]":
        from asyncio import run_coroutine_threadsafe

        with self._lock:
            line = self._opened()
            return run_coroutine_threadsafe(task(line.client), line.loop)

    def _opened(self) -> "_Line":
        # A forked process inherits the line, but not the thread that serves it.
        if self._line is None or not self._line.thread.is_alive():
            self._line = _open(_client(self._target, self._headers))
            self._closer = weakref.finalize(self, self._line.close)
        return self._line


@dataclass(frozen=True)
class _Line:
    """A client and the event loop that serves it, in a thread of its own.

    Only cancelling a task bounds a server that dribbles: a socket's time limit starts anew with each byte.
    """

    client: "httpx.AsyncClient"
    loop: "asyncio.AbstractEventLoop"
    thread: threading.Thread

    def close(self) -> None:
        if not self.thread.is_alive():
            return
        self.loop.call_soon_threadsafe(self.loop.stop)
        if self.thread is not threading.current_thread():  # a finalizer may run in any thread
            self.thread.join(_GRACE)


def _open(client: "httpx.AsyncClient") -> _Line:
    import asyncio

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=_serve, args=(loop, client), name="context-bench-chat", daemon=True)
    thread.start()
    return _Line(client, loop, thread)


def _serve(loop: "asyncio.AbstractEventLoop", client: "httpx.AsyncClient") -> None:
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(_wind_up(client))
        loop.close()


async def _load() -> None:
    from anyio import lowlevel

    await lowlevel.checkpoint()  # makes it load what serves this kind of loop


async def _wind_up(client: "httpx.AsyncClient") -> None:
    import asyncio

    under_way = asyncio.all_tasks() - {asyncio.current_task()}
    for task in under_way:
        task.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)
    await client.aclose()
    await asyncio.get_running_loop().shutdown_asyncgens()


def _client(target: Endpoint, headers: Mapping[str, str]) -> "httpx.AsyncClient":
    from http.cookiejar import CookieJar, DefaultCookiePolicy

    import httpx

    try:
        return httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(None, connect=_CONNECT_LIMIT),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=100),
            verify=_trusted(target),
            trust_env=not target.loopback,  # no proxy of the environment leads to this machine
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),  # no example may mark the next
        )
    except (ValueError, ImportError, OSError, httpx.InvalidURL) as error:
        raise AttemptError(
            f"the environment's proxy or certificate settings are not usable: {error}"
        ) from error


def _trusted(target: Endpoint) -> "ssl.SSLContext | bool":
    import ssl

    if not target.loopback:
        return True
    # Certificates for this machine are in its own store; without TLS, loading any is time lost.
    return ssl.create_default_context() if target.secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
