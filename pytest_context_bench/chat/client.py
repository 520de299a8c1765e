"""The chat client: one call, tried again where another attempt may do better."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from math import isfinite
from types import TracebackType
from typing import Any, Self

from pytest_context_bench.chat.attempt import AttemptError
from pytest_context_bench.chat.body import read
from pytest_context_bench.chat.connection import Connection
from pytest_context_bench.chat.endpoint import endpoint
from pytest_context_bench.chat.reply import Reply
from pytest_context_bench.chat.request import looks_like_key, request_headers, secrets_of
from pytest_context_bench.chat.retry import wait_before
from pytest_context_bench.errors import ChatError, InvalidValueError
from pytest_context_bench.excerpt import excerpt


@dataclass(eq=False)
class ChatClient:
    """Calls one model of an OpenAI-compatible endpoint; threads may share it.

    One attempt takes at most *timeout* seconds, however the server behaves. At most *max_retries* attempts
    follow it, each after a wait of at most *longest_wait* seconds, whatever the server asks for.
    Close it, use it in `with`, or forget it: its connections are closed either way.
    """

    base_url: str = field(repr=False)
    model: str
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 120.0
    max_retries: int = 3
    extra_body: Mapping[str, Any] | None = field(default=None, repr=False)
    headers: Mapping[str, str] | None = field(default=None, repr=False)
    longest_wait: float = 30.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def __post_init__(self) -> None:
        _require("timeout", self.timeout, "a number of seconds above 0", accepted=self.timeout > 0)
        _require("longest_wait", self.longest_wait, "a number of seconds", accepted=self.longest_wait >= 0)
        _require("max_retries", self.max_retries, "a number of retries", accepted=self.max_retries >= 0)
        self._endpoint = endpoint(self.base_url)
        headers = request_headers(self._endpoint, self.api_key, self.headers or {})
        self._secrets = secrets_of(self._endpoint, self.api_key, headers)
        self._keys = list(filter(looks_like_key, self._secrets))
        self._connection = Connection(self._endpoint, headers)

    @property
    def url(self) -> str:
        """The address that is called, without credentials and query."""
        return self._endpoint.shown

    def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
    ) -> Reply:
        """Send *messages*, and the *tools* that the model may call; return its reply. Raises ChatError."""
        waited = 0.0
        for attempt in count(1):
            # No name for the request: tracebacks that show local values must not show what it holds.
            received = self._connection.post(self._content(messages, tools), self.timeout).without(self._keys)
            try:
                return replace(read(received), attempts=attempt, waited=waited)
            except AttemptError as failed:
                if not failed.transient or attempt > self.max_retries:
                    # Not from *failed*: it may quote a server that repeats our secrets.
                    raise ChatError(self.url, self._facts(failed, received.text), attempt) from None
            pause = wait_before(
                attempt, received.headers.get("retry-after"), longest=self.longest_wait, now=time.time()
            )
            self.sleep(pause)
            waited += pause
        raise AssertionError  # the loop has no end of its own

    def quote(self, text: str) -> str:
        """Return the start of *text* as messages may quote it: one line, without this client's secrets."""
        return excerpt(text, secrets=self._secrets)

    def open(self) -> None:
        """Make ready, so that the first call takes no longer than the others; calls do it by themselves."""
        self._connection.open()

    def close(self) -> None:
        """Close the connections; a later call opens them again."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _content(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> bytes:
        offered = {"tools": list(tools)} if tools else {}
        body = {"model": self.model, "messages": list(messages), **offered, **(self.extra_body or {})}
        try:
            # Escaped, a lone surrogate in the text can be sent at all.
            return json.dumps(body, ensure_ascii=True, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise ChatError(self.url, [f"the request is not JSON: {error}"], attempts=1) from error

    def _facts(self, failed: AttemptError, text: str) -> list[str]:
        problem, message, start = map(self.quote, (failed.problem, failed.message, text))
        facts = [problem]
        if message and message not in start:
            facts.append(message)
        if start:
            facts.append(f"the body starts {start}")
        return facts


def _require(name: str, value: float, expected: str, *, accepted: bool) -> None:
    if not (accepted and isfinite(value)):
        raise InvalidValueError(name, value, expected)
