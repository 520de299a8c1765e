"""The system that answers through an OpenAI-compatible endpoint: a proxy, a gateway, or a model by itself."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.outputs import conversation, is_conversation
from pytest_context_bench.protocols import Example, Output
from pytest_context_bench.systems.messages import (
    PLACEMENTS,
    SENDABLE,
    USER,
    Message,
    reply_message,
    rounds,
    sendable,
    to_messages,
    tools,
)

if TYPE_CHECKING:
    from pytest_context_bench.chat import ChatClient, Reply

MessageBuilder: TypeAlias = Callable[[dict[str, Any]], Sequence[Mapping[str, Any]]]

KEYS = ("CONTEXT_BENCH_API_KEY", "OPENAI_API_KEY")
# Where a service names the call, and where a proxy says what it did or failed to do.
KEPT_HEADERS = (
    "x-request-id",
    "x-headroom-tokens-before",
    "x-headroom-tokens-after",
    "x-headroom-transforms",
    "x-headroom-compression-failed",
)
# What does not change an answer does not make it another in the cache: a run goes on under other limits.
NO_KEY = {"cache_key": False}


@dataclass(frozen=True)
class OpenAIProxy:
    """Sends context and question to `/v1/chat/completions` of *base_url*; unnamed, it is called `host:port`.

    *api_key* defaults to the environment's CONTEXT_BENCH_API_KEY or OPENAI_API_KEY, where neither the URL
    nor *headers* say who calls. *placement* says where the context goes: `user` (a message before the
    question), `system`, or `tool` (what a tool gave). *build_messages* makes the messages instead, of the
    fields that may be sent: never the answer. *extra_body* is laid over the request.
    *keep_headers* are the headers of the response that the row keeps. The limits are those of `ChatClient`.
    """

    base_url: str = field(repr=False)
    model: str
    name: str = ""
    api_key: str | None = field(default=None, repr=False, compare=False, metadata=NO_KEY)
    system_prompt: str | None = None
    build_messages: MessageBuilder | None = None
    timeout: float = field(default=120.0, metadata=NO_KEY)
    extra_body: Mapping[str, Any] | None = field(default=None, repr=False, hash=False)
    max_retries: int = field(default=3, metadata=NO_KEY)
    placement: str = USER
    keep_headers: Sequence[str] = KEPT_HEADERS
    headers: Mapping[str, str] | None = field(default=None, repr=False, hash=False)
    longest_wait: float = field(default=30.0, metadata=NO_KEY)

    def __post_init__(self) -> None:
        if self.placement not in PLACEMENTS:
            raise InvalidValueError("placement", self.placement, f"one of {', '.join(PLACEMENTS)}")
        if not isinstance(self.model, str) or not self.model.strip():
            raise InvalidValueError("model", self.model, "the name of a model")
        kept = (self.keep_headers,) if isinstance(self.keep_headers, str) else self.keep_headers
        object.__setattr__(self, "keep_headers", tuple(name.lower() for name in kept))
        url = self.client.url  # made here, not at the first row: that shows wrong settings now
        object.__setattr__(self, "name", self.name or urlsplit(url).netloc)

    @cached_property
    def client(self) -> "ChatClient":
        """The client that calls the endpoint; it connects on first use."""
        from pytest_context_bench.chat import ChatClient

        return ChatClient(
            self.base_url,
            self.model,
            api_key=self._key(),
            timeout=self.timeout,
            max_retries=self.max_retries,
            extra_body=self.extra_body,
            headers=self.headers,
            longest_wait=self.longest_wait,
        )

    def process(self, example: Example) -> Output:
        """Return the model's response, of a conversation all of them. Raises ChatError."""
        if is_conversation(example):
            return conversation(self.name, self.process_conversation(example["turns"], example))
        text, facts = self._said(sendable(example))
        return {"response": text, **facts}

    def process_conversation(self, turns: Any, example: Example | None = None) -> list[dict[str, Any]]:
        """Return the model's reply to each turn of the user, in view of those before. Raises ChatError.

        The context and the tools of *example* go with the first turn and with every call.
        """
        known = sendable({key: value for key, value in (example or {}).items() if key != "question"})
        replies: list[dict[str, Any]] = []
        sent: list[Message] = []
        for said in rounds(turns):
            sent += said
            text, facts = self._said({**known, "turns": list(sent)})
            sent.append(reply_message(text))
            replies.append({"content": text, **facts})
        return replies

    def warm_up(self) -> None:
        """Make ready, so that the first call takes no longer than the others."""
        _ = self._ready

    def close(self) -> None:
        """Close the connections; a later call opens them again."""
        self.client.close()

    @cached_property
    def _ready(self) -> bool:
        self.client.open()
        return True

    def _said(self, example: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the response to *example*, and the metadata and tool calls that came with it."""
        messages, offered = self._messages(example), tools(example)
        reply = self.client.complete(messages, offered)
        facts: dict[str, Any] = {"metadata": self._metadata(reply, messages, offered)}
        # Where there are tools, no call is an answer too: it must not leave a field of the example in place.
        if reply.tool_calls or offered:
            facts["tool_calls"] = reply.tool_calls
        return reply.text, facts

    def _messages(self, example: dict[str, Any]) -> list[Message]:
        if self.build_messages is None:
            return to_messages(example, self.placement, self.system_prompt)
        first = [{"role": "system", "content": self.system_prompt}] if self.system_prompt else []
        return [*first, *_built(self.build_messages, example)]

    def _metadata(
        self, reply: "Reply", messages: Sequence[Message], offered: Sequence[Any]
    ) -> dict[str, Any]:
        from pytest_context_bench.systems.usage import with_usage

        # Quoted, for a server may repeat a secret in them.
        kept = {
            name: self.client.quote(reply.headers[name])
            for name in self.keep_headers
            if name in reply.headers
        }
        facts = {"model": self.model, **reply.metadata, **({"headers": kept} if kept else {})}
        return with_usage(facts, messages, offered, [reply.text, *reply.tool_calls])

    def _key(self) -> str | None:
        from pytest_context_bench.chat.endpoint import endpoint

        named = {name.lower() for name in self.headers or ()}
        if self.api_key is not None or "authorization" in named or endpoint(self.base_url).credentials:
            return self.api_key
        return next((os.environ[name] for name in KEYS if os.environ.get(name)), None)


def _built(build: MessageBuilder, example: dict[str, Any]) -> list[Message]:
    try:
        messages = build(example)
    except KeyError as error:
        given = f"a field that it is given ({', '.join(SENDABLE)})"
        raise InvalidValueError("build_messages", next(iter(error.args), None), given) from error
    if not isinstance(messages, list | tuple) or not all(isinstance(each, Mapping) for each in messages):
        raise InvalidValueError("what build_messages returns", messages, "a list of messages")
    return [dict(message) for message in messages]
