"""One POST on the event loop: whatever the server does, it ends in time and says what arrived."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pytest_context_bench.redact import MASK

if TYPE_CHECKING:
    import httpx

_LARGEST_BODY = 64 * 2**20
# Raw newlines cannot stand within JSON: this is the end of a stream, not a text that mentions it.
_STREAM_END = re.compile(rb"(?:^|\n)data:\s*\[DONE\]\s*$")


@dataclass
class Transfer:
    """What one POST brought; *problem* says why it is not whole, *status* is None where none arrived."""

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytearray = field(default_factory=bytearray, repr=False)
    problem: str = ""
    transient: bool = False

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8-sig", "replace")

    def without(self, secrets: Sequence[str]) -> "Transfer":
        """Return what came back with *secrets* masked, which some servers repeat."""
        body = self.body
        for secret in secrets:
            body = body.replace(secret.encode(), MASK.encode())
        headers = {name: _masked(value, secrets) for name, value in self.headers.items()}
        return replace(self, headers=headers, body=body)


async def transfer(client: "httpx.AsyncClient", url: str, content: bytes, limit: float) -> Transfer:
    """POST *content* and read the reply, connecting included, in *limit* seconds."""
    import asyncio

    import httpx

    received = _Receiving()
    try:
        async with asyncio.timeout(limit), client.stream("POST", url, content=content) as response:
            await received.read(response)
    except TimeoutError:
        received.out_of_time(limit)
    except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as error:
        received.fail(
            f"{type(error).__name__}: {error}".rstrip(": "),
            transient=isinstance(error, httpx.TransportError | httpx.DecodingError)
            and not isinstance(error, httpx.LocalProtocolError | httpx.UnsupportedProtocol),
        )
    return received.so_far


def _masked(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, MASK)
    return text


@dataclass
class _Receiving:
    so_far: Transfer = field(default_factory=Transfer)
    last_heard: float = 0.0

    async def read(self, response: "httpx.Response") -> None:
        self.so_far.status, self.so_far.headers = response.status_code, response.headers
        streamed = "event-stream" in response.headers.get("content-type", "")
        self._hear(b"")
        async for chunk in response.aiter_bytes():
            self._hear(chunk)
            if len(self.so_far.body) > _LARGEST_BODY:
                return self.fail(f"a reply of more than {_LARGEST_BODY} bytes")
            # Some servers keep a finished stream open.
            if streamed and _STREAM_END.search(self.so_far.body[-64:]):
                return None
        return None

    def out_of_time(self, limit: float) -> None:
        """Note the failure: a silent server may do better next time, a slow reply would be as slow again."""
        silent = self.so_far.status is None or _now() - self.last_heard > limit / 2
        self.fail(f"no complete reply within {limit:g} s", transient=silent)

    def fail(self, problem: str, *, transient: bool = False) -> None:
        self.so_far.problem, self.so_far.transient = problem, transient

    def _hear(self, chunk: bytes) -> None:
        self.so_far.body += chunk
        self.last_heard = _now()


def _now() -> float:
    from time import monotonic

    return monotonic()
