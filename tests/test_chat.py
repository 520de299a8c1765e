import gc
import json
import subprocess
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate

import pytest
from endpoint_server import PATIENCE, Endpoint, answer, cut, dribble, reply, reset, silent, stalled
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.chat import ChatClient
from pytest_context_bench.chat import transfer as transfer_module
from pytest_context_bench.chat.endpoint import endpoint as read_endpoint
from pytest_context_bench.chat.retry import wait_before
from pytest_context_bench.errors import ChatError, InvalidValueError

QUESTION = [{"role": "user", "content": "Capital of France?"}]
KEY = "k3y/with+odd=characters"


@pytest.fixture
def endpoint():
    server = Endpoint()
    yield server
    server.close()


@pytest.fixture
def connect(endpoint):
    """Return a maker of clients of the endpoint; each notes its waits in `waits` instead of waiting."""
    clients = []

    def make(base_url=None, **settings):
        waits = []
        client = ChatClient(
            base_url or endpoint.url, "m", **{"timeout": 2.0, "sleep": waits.append, **settings}
        )
        client.waits = waits
        clients.append(client)
        return client

    yield make
    for client in clients:
        client.close()


def failure(client):
    with pytest.raises(ChatError) as caught:
        client.complete(QUESTION)
    return str(caught.value)


# --- the request


@pytest.mark.parametrize(
    "path", ["", "/", "/v1", "/v1/", "/api/v1", "/api/v1/", "//v1//", "/v1/chat/completions"]
)
def test_every_form_of_base_url_reaches_one_chat_completions(endpoint, connect, path):
    connect(endpoint.url + path).complete(QUESTION)

    prefix = "/api" if path.startswith("/api") else ""
    assert [request[0] for request in endpoint.requests] == [f"{prefix}/v1/chat/completions"]


@pytest.mark.parametrize(
    ("base_url", "url"),
    [
        ("http://h:1/v1/chat", "http://h:1/v1/chat/completions"),
        ("http://h:1/v1/chat/completions/", "http://h:1/v1/chat/completions"),
        ("http://h:1/api", "http://h:1/api/v1/chat/completions"),
        ("https://h/v1beta/openai/", "https://h/v1beta/openai/chat/completions"),
        ("https://h/api/paas/v4", "https://h/api/paas/v4/chat/completions"),
        ("http://[::1]:8000", "http://[::1]:8000/v1/chat/completions"),
        (" http://h:1 \n", "http://h:1/v1/chat/completions"),
        ("HTTP://H:1/v1#top", "http://H:1/v1/chat/completions"),
        ("http://user:pass@h:1/v1", "http://h:1/v1/chat/completions"),
        ("http://h/v1?api-version=2", "http://h/v1/chat/completions?api-version=2"),
        ("http://h/vllm", "http://h/vllm/v1/chat/completions"),
    ],
)
def test_base_url_is_completed(base_url, url):
    assert read_endpoint(base_url).url == url


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "h:1",
        "localhost:8000",
        "ftp://h",
        "http://",
        "http://h:x",
        "http://h:99999",
        "http://h/a b",
        "http://[::1",
    ],
)
def test_an_address_that_is_none_is_refused(base_url):
    with pytest.raises(InvalidValueError, match="base URL"):
        ChatClient(base_url, "m")


@pytest.mark.parametrize(
    "base_url", ["user:hunter22@h:1", "ftp://user:hunter22@h", "http://user:hunter22@h:x?k=hunter22"]
)
def test_a_refused_address_does_not_show_its_password(base_url):
    with pytest.raises(InvalidValueError) as caught:
        ChatClient(base_url, "m")

    assert "hunter22" not in str(caught.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"timeout": 0},
        {"timeout": float("nan")},
        {"timeout": float("inf")},
        {"max_retries": -1},
        {"longest_wait": -1},
    ],
    ids=repr,
)
def test_a_limit_that_is_none_is_refused(settings):
    with pytest.raises(InvalidValueError, match=next(iter(settings))):
        ChatClient("http://h", "m", **settings)


def test_the_request_holds_model_messages_and_extras(endpoint, connect):
    connect(extra_body={"temperature": 0}, headers={"X-Team": "blue"}).complete(QUESTION)

    _, headers, body = endpoint.requests[0]
    assert body == {"model": "m", "messages": QUESTION, "temperature": 0}
    assert headers["x-team"] == "blue"
    assert "authorization" not in headers


@pytest.mark.parametrize("text", ["日本", "\ud83d", "\u2028", "<|endoftext|>", 'a"b\\c\n\0'], ids=ascii)
def test_any_text_can_be_sent(endpoint, connect, text):
    connect().complete([{"role": "user", "content": text}])

    assert endpoint.requests[0][2]["messages"][0]["content"] == text


@pytest.mark.parametrize("value", [b"bytes", float("nan"), object()], ids=["bytes", "nan", "object"])
def test_what_json_cannot_carry_is_not_sent(endpoint, connect, value):
    client = connect()
    with pytest.raises(ChatError, match="not JSON"):
        client.complete([{"role": "user", "content": value}])

    assert endpoint.requests == []


# --- who the client says it is, and to whom


@pytest.mark.parametrize(
    ("credentials", "settings", "authorization"),
    [
        ("", {"api_key": KEY}, f"Bearer {KEY}"),
        ("", {"api_key": f" {KEY}\n"}, f"Bearer {KEY}"),
        ("", {"api_key": "  "}, None),
        ("user:p%40ss@", {}, "Basic dXNlcjpwQHNz"),
        ("user:pass@", {"api_key": KEY}, f"Bearer {KEY}"),
        ("", {"api_key": KEY, "headers": {"Authorization": "Token t"}}, "Token t"),
    ],
)
def test_credentials_are_sent(endpoint, connect, credentials, settings, authorization):
    connect(f"http://{credentials}{endpoint.authority}", **settings).complete(QUESTION)

    assert endpoint.requests[0][1].get("authorization") == authorization


@pytest.mark.parametrize("key", ["ke\ny-12345678", "schlüssel-123", "a\0bcdefgh"], ids=ascii)
def test_a_key_that_no_header_carries_is_refused_without_showing_it(key):
    with pytest.raises(InvalidValueError, match="api_key") as caught:
        ChatClient("http://h", "m", api_key=key)

    assert key not in str(caught.value)
    assert repr(key)[1:-1] not in str(caught.value)


@pytest.mark.parametrize("filler", ["", "x" * 285], ids=["whole", "over the cut"])
@pytest.mark.parametrize("status", [401, 500, 200])
def test_no_secret_that_a_server_repeats_reaches_the_error(endpoint, connect, filler, status):
    secrets = [KEY, "hunter2222", "dXNlcjpodW50ZXIyMjIy", "t0ken-of-a-header", "q-value+12%33"]
    told = f"{filler} bad key {' '.join(secrets)}"
    endpoint.behave(reply({"error": {"message": told}}, status), reply(told, status))
    client = connect(
        f"http://user:hunter2222@{endpoint.authority}/v1?key=q-value+12%33",
        api_key=KEY,
        headers={"x-api-key": "t0ken-of-a-header"},
        max_retries=0,
    )
    shown = failure(client) + failure(client) + repr(client)

    assert "bad" in shown
    assert [secret for secret in secrets if secret[:5] in shown] == []


def test_a_redirect_is_not_followed(endpoint, connect):
    other = f"http://user:hunter22@{endpoint.authority}/v2?token=hunter22"
    endpoint.behave(reply("", 307, location=other), reply(answer()))

    error = failure(connect(api_key=KEY))

    assert "HTTP 307" in error
    assert "/v2" in error
    assert "hunter22" not in error
    assert len(endpoint.requests) == 1


def test_no_cookie_ties_one_call_to_the_next(endpoint, connect):
    endpoint.behave(reply(answer(), set_cookie="session=1; Path=/"))
    client = connect()
    headers = client.complete(QUESTION).headers
    client.complete(QUESTION)

    assert "set-cookie" not in headers
    assert "cookie" not in {name.lower() for name in endpoint.requests[1][1]}


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
@pytest.mark.parametrize("proxy", ["http://127.0.0.1:9", "nonsense://x"])
def test_no_proxy_of_the_environment_catches_this_machine(connect, monkeypatch, variable, proxy):
    monkeypatch.setenv(variable, proxy)

    assert connect(max_retries=0).complete(QUESTION).text == "Paris"


@pytest.mark.parametrize(
    "host", ["localhost", "api.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]"]
)
def test_loopback_has_many_names(host):
    assert read_endpoint(f"http://{host}:1").loopback


def test_other_machines_are_reached_through_the_proxy_of_the_environment(endpoint, connect, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", endpoint.url)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)

    connect("http://model.invalid:81").complete(QUESTION)

    assert endpoint.requests[0][0] == "http://model.invalid:81/v1/chat/completions"


def test_an_unusable_proxy_of_the_environment_is_one_readable_error(connect, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "nonsense://user:hunter22@x")

    error = failure(connect("http://model.invalid:81"))

    assert "proxy" in error
    assert "hunter22" not in error


# --- what is tried again


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529, 599])
def test_a_passing_failure_is_retried(endpoint, connect, status):
    endpoint.behave(reply("busy", status), reply("busy", status), reply(answer()))
    client = connect()
    got = client.complete(QUESTION)

    assert (got.text, got.attempts, got.waited) == ("Paris", 3, 1.5)
    assert client.waits == [0.5, 1.0]
    assert got.metadata["attempts"] == 3


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 413, 422, 304, 418])
def test_a_lasting_failure_is_not_retried_and_its_message_is_shown(endpoint, connect, status):
    endpoint.behave(reply({"error": {"message": "no such model: m"}} if status != 304 else "", status))

    error = failure(connect())

    assert f"HTTP {status}" in error
    assert "no such model: m" in error or status == 304
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": "plain words"}, "plain words"),
        ({"message": "plain words"}, "plain words"),
        ({"detail": [{"loc": ["body"], "msg": "plain words"}]}, "plain words"),
        ([{"error": {"message": "plain words"}}], "plain words"),
        ({"padding": "x" * 500, "error": {"message": "plain words"}}, "plain words"),
        ({"error": {"message": "mod\u00e8le it's"}}, "modèle it's"),
        ("<html>plain\n\n words\x1b[31m", r"<html>plain words\x1b[31m"),
        ("[" * 5000, "[[[["),
        ('{"error":' * 400 + "1" + "}" * 400, '{"error":'),
    ],
)
def test_a_refusal_is_shown_in_the_words_of_the_server(endpoint, connect, body, words):
    endpoint.behave(reply(body, 400))

    error = failure(connect())

    assert words in error
    assert len(error) < 1000
    assert error.isprintable()


def test_a_refusal_that_breaks_off_is_still_a_refusal(endpoint, connect):
    endpoint.behave(cut("no such mod", status=404))

    assert "HTTP 404: the body starts no such mod" in failure(connect())
    assert len(endpoint.requests) == 1


def test_a_garbled_reply_that_repeats_the_key_is_not_quoted_with_it(endpoint, connect):
    endpoint.behave(dribble(f"HTTP/1.1 200 OK\r\nno header {KEY}\r\n\r\n".encode(), b"", pause=0.01))
    with pytest.raises(ChatError, match="RemoteProtocolError") as caught:
        connect(api_key=KEY, max_retries=0).complete(QUESTION)

    assert KEY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "fault", [reset, silent, stalled, cut('{"choices": [')], ids=["reset", "silent", "stalled", "cut"]
)
def test_a_broken_connection_is_retried(endpoint, connect, fault):
    endpoint.behave(fault, reply(answer()))

    assert connect(timeout=0.15).complete(QUESTION).attempts == 2


def test_retries_end(endpoint, connect):
    endpoint.behave(reply("overloaded", 503))
    client = connect(max_retries=5, longest_wait=3)
    error = failure(client)

    assert "6 attempts" in error
    assert "overloaded" in error
    assert client.waits == [0.5, 1.0, 2.0, 3, 3]
    assert len(endpoint.requests) == 6


def test_nobody_listening_is_one_error(connect):
    client = connect("http://127.0.0.1:1", max_retries=1)

    assert "ConnectError" in failure(client)
    assert client.waits == [0.5]


def test_a_reply_that_was_cut_is_quoted(endpoint, connect):
    endpoint.behave(cut('{"choices": [{"mess'))

    assert '{"choices": [{"mess' in failure(connect())


# --- Retry-After


@pytest.mark.parametrize(
    ("retry_after", "wait"),
    [
        ("2", 2), ("0", 0), (" 1.5 ", 1.5), ("3600", 30), ("1e400", 30), ("inf", 30), ("9" * 5000, 30),
        ("-5", 0.5), ("-inf", 0.5), ("nan", 0.5), ("", 0.5), ("soon", 0.5), ("1, 2", 0.5), ("٣", 3),
        ("Thu, 01 Jan 1970 00:00:12 GMT", 2), ("Thu, 01 Jan 1970 00:00:12 -0000", 2),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 30), ("Thu, 01 Jan 1970 00:00:01 GMT", 0.5),
        ("Thu, 99 Jan 1970 00:00:12 GMT", 0.5), ("Thu, 01 Jan 99999 00:00:12 GMT", 0.5),
        ("Thu, 01 Jan 1970 00:00:12 +99999999", 0.5), (None, 0.5),
    ],
)  # fmt: skip
def test_retry_after_is_obeyed_as_far_as_it_makes_sense(retry_after, wait):
    assert wait_before(1, retry_after, longest=30, now=10.0) == wait


@settings(max_examples=50)
@given(
    st.one_of(st.text(), st.floats().map(str), st.datetimes().map(lambda d: d.strftime("%a, %d %b %Y %T %z")))
)
def test_no_retry_after_breaks_the_wait(retry_after):
    assert 0 <= wait_before(2, retry_after, longest=30, now=1e9) <= 30


@pytest.mark.parametrize("status", [429, 200])
def test_a_date_to_retry_after_is_waited_for(endpoint, connect, status):
    soon = formatdate(time.time() + 5, usegmt=True)
    endpoint.behave(reply({"error": {"code": 429}}, status, retry_after=soon), reply(answer()))
    client = connect()
    client.complete(QUESTION)

    assert 3 < client.waits[0] <= 5


# --- time


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{", b" "),
        (b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n", b": still here\n\n"),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (b"HTTP/1.1 200 OK\r\nx-long: ", b"y"),
        (b"", b"HTTP/1.1 102 Processing\r\n\r\n"),
    ],
    ids=["body", "stream", "chunks", "headers", "interim"],
)
def test_a_server_that_dribbles_does_not_outlive_the_limit(endpoint, connect, start, piece):
    endpoint.behave(dribble(start, piece))
    client = connect(timeout=0.2, max_retries=0)
    began = time.monotonic()
    error = failure(client)

    assert time.monotonic() - began < PATIENCE / 2
    assert "within 0.2 s" in error


def test_a_reply_too_slow_to_end_in_time_is_not_asked_for_again(endpoint, connect):
    endpoint.behave(dribble(b"HTTP/1.1 200 OK\r\n\r\n{", b" "))
    failure(connect(timeout=0.2))

    assert len(endpoint.requests) == 1


def test_an_endless_reply_is_given_up(endpoint, connect, monkeypatch):
    monkeypatch.setattr(transfer_module, "_LARGEST_BODY", 10_000)
    endpoint.behave(dribble(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 5000, pause=0))

    assert "more than 10000 bytes" in failure(connect())
    assert len(endpoint.requests) == 1


# --- bodies that are no answer


@pytest.mark.parametrize(
    ("body", "attempts"),
    [
        ({"error": {"code": 429}}, 2),
        ({"error": {"code": "429"}}, 2),
        ({"error": {"code": 529, "message": "m"}, "choices": None}, 2),
        ({"error": {"status": 503}}, 2),
        ({"error": 429}, 2),
        ({"error": True, "code": 500}, 2),
        ({"error": {"type": "overloaded_error"}}, 2),
        ({"error": {"code": "rate_limit_exceeded", "message": "slow down"}}, 2),
        ({"error": "Too many requests"}, 2),
        ([{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}], 2),
        ({"code": 503, "message": "later"}, 2),
        ({"choices": [{"error": {"code": 502}, "message": {"content": ""}, "finish_reason": "error"}]}, 2),
        ({"error": {"code": 400}}, 1),
        ({"error": {"code": 400, "type": "server_error"}}, 1),
        ({"error": {"message": "bad model"}}, 1),
        ({"error": {"code": True}}, 1),
        ({"error": ["?"]}, 1),
        ({"error": "none", **answer()}, 1),
        ({"choices": None}, 1),
        ({"choices": []}, 1),
        ({"choices": {}}, 1),
        ({"choices": [None]}, 1),
        ({"choices": [{}]}, 1),
        ({"choices": [{"message": None, "finish_reason": "stop"}]}, 1),
        ({"choices": [{"message": {}, "finish_reason": "stop"}]}, 1),
        ({"choices": [{"message": {"role": "assistant"}}]}, 1),
        ({"choices": [{"message": {"content": 42}}]}, 1),
        ({"choices": [{"message": {"content": ""}, "finish_reason": "error"}]}, 1),
        ({"detail": "Not Found"}, 1),
        ({}, 1), ([], 1), (None, 1), ("null", 1), ("42", 1), ('"Paris"', 1),
        ("<!doctype html><title>Login</title>", 1),
        ('{"choices": [{"message": {"content": "Par', 1),
        ("Paris", 1),
        ("", 1), (" \n", 1),
        ("[" * 100_000, 1),
        (b"\xff\xfe\x00", 1),
        ('{"usage": ' + "9" * 5000 + "}", 1),
    ],
    ids=lambda value: repr(value)[:60] if not isinstance(value, int) else None,
)  # fmt: skip
def test_a_body_that_is_no_answer_is_an_error_and_not_an_empty_response(endpoint, connect, body, attempts):
    endpoint.behave(reply(body))

    error = failure(connect(max_retries=1))

    start = body if isinstance(body, str) else json.dumps(body) if not isinstance(body, bytes) else ""
    assert " ".join(start[:50].split()) in error
    assert len(error) < 1000
    assert len(endpoint.requests) == attempts


def test_an_empty_error_beside_an_answer_is_none(endpoint, connect):
    for nothing in (None, {}, "", [], False):
        endpoint.behave(reply({"error": nothing, **answer()}))
        assert connect().complete(QUESTION).text == "Paris"


# --- answers


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "Paris"}, "Paris"),
        ({"content": ""}, ""),
        ({"content": " Paris\u2028\n"}, " Paris\u2028\n"),
        ({"content": [{"type": "text", "text": "Pa"}, {"type": "text", "text": "ris"}]}, "Paris"),
        ({"content": [{"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": "Paris"}]}, "Paris"),
        ({"content": [{"type": "reasoning", "text": "Hm"}, {"type": "output_text", "text": "P"}]}, "P"),
        ({"content": [{"type": "text", "text": "Hm", "thought": True}, {"text": "Paris"}]}, "Paris"),
        ({"content": [{"type": "text", "text": {"value": "Paris"}}]}, "Paris"),
        ({"content": ["Pa", "ris"]}, "Paris"),
        ({"content": {"type": "text", "text": "Paris"}}, "Paris"),
        ({"content": [{"type": "image_url", "image_url": {}}, {"type": "text", "text": None}, 7, None]}, ""),
        ({"content": [{"type": ["text"], "text": "x"}]}, ""),
        ({"content": []}, ""),
        ({"content": None, "reasoning_content": "Hm"}, ""),
    ],
    ids=repr,
)  # fmt: skip
def test_the_text_of_a_message_is_its_text_parts(endpoint, connect, message, text):
    endpoint.behave(reply(answer(**message)))

    assert connect().complete(QUESTION).text == text


CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q": 1}'}}


@pytest.mark.parametrize(
    ("message", "reason", "calls"),
    [
        ({"content": None, "tool_calls": [CALL]}, "tool_calls", [CALL]),
        ({"tool_calls": [CALL]}, None, [CALL]),
        ({"content": None}, "length", []),
        ({"role": "assistant"}, "length", []),
        ({"content": None}, "content_filter", []),
        ({"content": None, "tool_calls": None}, "stop", []),
        (
            {"content": None, "function_call": CALL["function"]},
            "function_call",
            [{"type": "function", "function": CALL["function"]}],
        ),
    ],
)
def test_no_content_for_a_reason_is_an_empty_text_that_keeps_the_reason(
    endpoint, connect, message, reason, calls
):
    endpoint.behave(reply({"choices": [{"message": message, "finish_reason": reason}]}))
    got = connect().complete(QUESTION)

    assert (got.text, got.finish_reason, got.tool_calls) == ("", reason, calls)
    assert got.metadata.get("finish_reason") == reason


def test_a_refusal_of_the_model_is_kept(endpoint, connect):
    endpoint.behave(reply(answer(None, refusal="I would rather not.")))

    assert connect().complete(QUESTION).metadata == {
        "finish_reason": "stop",
        "refusal": "I would rather not.",
    }


def test_an_old_style_completion_is_read(endpoint, connect):
    endpoint.behave(reply({"choices": [{"text": "Paris", "finish_reason": "stop"}]}))

    assert connect().complete(QUESTION).text == "Paris"


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 50}, (9, 50)),
        ({"prompt_tokens": 9, "completion_tokens": 0}, (9, None)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, (None, None)),
        ({"prompt_tokens": None, "completion_tokens": 50}, (None, 50)),
        ({"input_tokens": 9, "output_tokens": 50}, (9, 50)),
        ({"prompt_tokens": 9.0, "completion_tokens": "50"}, (9, None)),
        ({"prompt_tokens": True, "completion_tokens": -1}, (None, None)),
        ({}, (None, None)), (None, (None, None)), ("?", (None, None)), ([1], (None, None)),
    ],
    ids=repr,
)  # fmt: skip
def test_usage_that_is_missing_null_or_zero_is_missing(endpoint, connect, usage, counted):
    endpoint.behave(reply(answer(usage=usage)))
    got = connect().complete(QUESTION)

    assert (got.usage.prompt_tokens, got.usage.completion_tokens) == counted
    assert "completion_tokens" not in got.metadata or got.metadata["completion_tokens"] > 0


@pytest.mark.parametrize(
    ("cost", "known"),
    [(0.25, 0.25), (0, 0.0), (None, None), ("0.25", None), (-1, None), (True, None), (1e999, None)],
)
def test_a_reported_cost_is_read(endpoint, connect, cost, known):
    endpoint.behave(reply(answer(usage={"prompt_tokens": 9, "cost": cost})))

    assert connect().complete(QUESTION).metadata.get("cost") == known


@pytest.mark.parametrize(
    "body",
    [
        "\ufeff" + json.dumps(answer()),
        json.dumps(answer(), indent=2),
        b" \r\n" + json.dumps(answer()).encode(),
    ],
)
def test_json_may_be_dressed_in_white_space_and_a_byte_order_mark(endpoint, connect, body):
    endpoint.behave(reply(body, content_type="text/plain"))

    assert connect().complete(QUESTION).text == "Paris"


# --- event streams


def chunk(delta=None, finish_reason=None):
    return {"choices": [{"index": 0, "delta": delta or {}, "finish_reason": finish_reason}]}


def stream(*chunks, end="\n\n", done=True):
    events = [f"data: {data if isinstance(data, str) else json.dumps(data)}{end}" for data in chunks]
    return "".join(events) + ("data: [DONE]\n\n" if done else "")


PARIS = (chunk({"role": "assistant", "content": None}), chunk({"content": "Pa"}), chunk({"content": "ris"}))
STOP = chunk(finish_reason="stop")
USED = {"usage": {"prompt_tokens": 9, "completion_tokens": 2}}
USAGE = {"choices": [], **USED}
HM = {"type": "thinking", "thinking": "Hm"}


@pytest.mark.parametrize(
    "body",
    [
        stream(*PARIS, STOP, USAGE),
        stream(*PARIS, {**STOP, **USED}, done=False),
        stream(*PARIS, STOP, USAGE, end="\r\n\r\n"),
        stream(*PARIS, STOP, USAGE, end="\n"),
        ": waiting\n\nretry: 5\nevent: x\nid: 1\n" + stream(*PARIS, STOP, USAGE),
        stream(*PARIS, STOP, USAGE).replace("data: ", "data:"),
        stream(chunk({"content": [HM, {"type": "text", "text": "Paris"}]}, "stop"), USAGE),
        stream({"choices": [{"message": {"content": "Paris"}, "finish_reason": "stop"}], **USED}),
        stream({"choices": [{"text": "Paris", "finish_reason": "stop"}]}, USAGE),
        stream({"choices": [{"index": 1, "delta": {"content": "Rome"}}]}, *PARIS, STOP, USAGE),
        stream(json.dumps(chunk({"content": "Paris"}, "stop"), indent=1).replace("\n", "\ndata: "), USAGE),
        "\ufeff\n" + stream(*PARIS, STOP, USAGE),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["text/event-stream", "application/json"])
def test_an_event_stream_is_put_together(endpoint, connect, body, kind):
    endpoint.behave(reply(body, content_type=kind))
    got = connect().complete(QUESTION)

    assert (got.text, got.finish_reason, got.usage.completion_tokens) == ("Paris", "stop", 2)


def test_line_ends_of_unicode_do_not_end_a_line_of_a_stream(endpoint, connect):
    text = "a\u2028b\u0085c\x0bd data: [DONE]"
    endpoint.behave(
        reply("data: " + json.dumps(chunk({"content": text}, "stop"), ensure_ascii=False) + "\n\n")
    )

    assert connect().complete(QUESTION).text == text


def test_tool_calls_of_a_stream_are_put_together(endpoint, connect):
    pieces = [
        {"index": 0, "id": "c1", "type": "function", "function": {"name": "find", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"q":'}},
        {"index": 0, "function": {"arguments": " 1}"}},
        {"index": 1, "id": "c2", "function": {"name": "stop"}},
        {"index": [], "function": None},
    ]
    endpoint.behave(
        reply(stream(*[chunk({"tool_calls": [piece]}) for piece in pieces], chunk({}, "tool_calls")))
    )
    got = connect().complete(QUESTION)

    assert got.text == ""
    assert got.tool_calls[:2] == [CALL, {"id": "c2", "type": "function", "function": {"name": "stop"}}]


@pytest.mark.parametrize(
    ("body", "attempts"),
    [
        (stream(*PARIS, done=False), 2),
        (stream(*PARIS, {"error": {"code": 503}}), 2),
        (stream(*PARIS, {"error": {"message": "bad"}}), 1),
        (stream(*PARIS, '{"choices": [{"del'), 1),
        (stream(), 1),
        (stream("7", "[]", "null"), 1),
        (stream({"choices": [{"delta": "x"}]}), 1),
        (": nothing\n\n", 2),
    ],
)
def test_a_stream_that_is_no_answer_is_an_error(endpoint, connect, body, attempts):
    endpoint.behave(reply(body, content_type="text/event-stream"))

    assert body[:20].split()[0] in failure(connect(max_retries=1))
    assert len(endpoint.requests) == attempts


def test_a_finished_stream_that_stays_open_is_not_waited_for(endpoint, connect):
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
    endpoint.behave(dribble(head + stream(chunk({"content": "Paris"}, "stop")).encode(), b"", pause=1))

    assert connect(timeout=1.5).complete(QUESTION).text == "Paris"


# --- connections


def test_calls_of_one_client_share_a_connection(endpoint, connect):
    client = connect()
    for _ in range(3):
        client.complete(QUESTION)

    assert len(endpoint.connections) == 1


def test_threads_share_a_client(endpoint, connect):
    client = connect()
    with ThreadPoolExecutor(8) as threads:
        texts = list(
            threads.map(lambda n: client.complete([{"role": "user", "content": str(n)}]).text, range(40))
        )

    assert texts == ["Paris"] * 40
    assert sorted(int(body["messages"][0]["content"]) for *_, body in endpoint.requests) == list(range(40))


def chat_threads():
    return [thread for thread in threading.enumerate() if thread.name == "context-bench-chat"]


def test_a_forgotten_client_leaves_no_thread(endpoint):
    client = ChatClient(endpoint.url, "m")
    client.complete(QUESTION)
    before = len(chat_threads())
    del client
    gc.collect()

    assert (before, len(chat_threads())) == (1, 0)


def test_a_client_can_be_closed_twice_and_used_again(endpoint):
    with ChatClient(endpoint.url, "m") as client:
        client.complete(QUESTION)
        client.close()
        assert chat_threads() == []
        assert client.complete(QUESTION).text == "Paris"

    assert chat_threads() == []


def test_an_opened_client_is_ready_for_its_first_call(connect):
    client = connect()
    client.open()
    line = client._connection._line
    client.complete(QUESTION)

    assert client._connection._line is line


def test_a_client_whose_thread_is_gone_as_after_a_fork_opens_another(connect):
    client = connect()
    client.complete(QUESTION)
    client._connection._line.close()

    assert client.complete(QUESTION).text == "Paris"


def test_closing_ends_a_call_under_way(endpoint, connect):
    arrived = threading.Event()
    endpoint.behave(lambda handler: (arrived.set(), silent(handler)))
    client = connect()
    with ThreadPoolExecutor(1) as thread:
        error = thread.submit(failure, client)
        arrived.wait(PATIENCE)
        client.close()

    assert "closed" in error.result()


def test_nothing_is_imported_before_the_first_call_and_nothing_is_left_at_the_end(endpoint):
    program = (
        "import sys; from pytest_context_bench.evaluators import LLMJudge;"
        f"judge = LLMJudge({endpoint.url!r}, 'm');"
        "assert not {'httpx', 'asyncio', 'ssl', 'anyio'} & set(sys.modules);"
        "print(judge.client.complete([]).text)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "Paris\n", "")
