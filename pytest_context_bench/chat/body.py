"""Reads what one POST brought: JSON, or the event stream that some servers send unasked."""

import json
from typing import Any

from pytest_context_bench.chat.attempt import AttemptError
from pytest_context_bench.chat.reply import Reply, to_reply
from pytest_context_bench.chat.reported import error_message
from pytest_context_bench.chat.retry import transient
from pytest_context_bench.chat.stream import assemble, is_stream
from pytest_context_bench.chat.transfer import Transfer

_OK, _REDIRECTS = range(200, 300), range(300, 400)


def read(received: Transfer) -> Reply:
    """Return the reply in the body of *received*. Raises AttemptError for anything else."""
    if received.status is not None:
        _refuse_status(received.status, received.headers.get("location"), received.text)
    if received.problem:
        raise AttemptError(received.problem, transient=received.transient)
    body = assemble(received.text) if is_stream(received.text) else parse(received.text)
    return to_reply(body, {name: value for name, value in received.headers.items() if name != "set-cookie"})


def parse(text: str) -> Any:
    """Return *text* as JSON. Raises AttemptError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AttemptError("the reply is not JSON" if text.strip() else "the reply is empty") from error


def _refuse_status(status: int, location: str | None, text: str) -> None:
    if status in _OK:
        return
    if status in _REDIRECTS and location:
        # The request holds a key and the user's text: where they go is for the user to say.
        where = location.partition("?")[0]
        raise AttemptError(f"HTTP {status}: redirects are not followed", message=f"it leads to {where}")
    raise AttemptError(f"HTTP {status}", transient=transient(status), message=_message(text))


def _message(text: str) -> str:
    try:
        return error_message(parse(text))
    except AttemptError:
        return ""
