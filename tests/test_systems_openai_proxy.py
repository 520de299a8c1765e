import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from endpoint_server import (
    PATIENCE,
    Endpoint,
    answer,
    cut,
    dribble,
    reply,
    reset,
    respond,
    silent,
)

from pytest_context_bench import evaluate
from pytest_context_bench.cache import Cache
from pytest_context_bench.errors import ChatError, InvalidValueError
from pytest_context_bench.evaluators import AnswerQuality
from pytest_context_bench.pipeline import Scoring, attempt_pair, run_pair
from pytest_context_bench.protocols import Conversational, System
from pytest_context_bench.systems import OpenAIProxy
from pytest_context_bench.systems.openai_proxy import KEYS
from pytest_context_bench.tokens import counter

KEY = "k3y/with+odd=characters"
EXAMPLE = {"id": 1, "context": "Paris is the capital of France.", "question": "Capital?", "answer": "Paris"}
TOOL = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q": 1}'}}
USED = {"prompt_tokens": 9, "completion_tokens": 2}


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def endpoint():
    server = Endpoint()
    server.behave(reply(answer(usage=USED)))
    yield server
    server.close()


@pytest.fixture
def connect(endpoint):
    """Return a maker of systems at the endpoint."""
    made = []

    def make(base_url=None, model="m", **settings):
        system = OpenAIProxy(
            base_url or endpoint.url, model, **{"timeout": 2.0, "longest_wait": 0, **settings}
        )
        made.append(system)
        return system

    yield make
    for system in made:
        system.close()


def ran(system, example=EXAMPLE, evaluators=None):
    return run_pair(system, example, evaluators or [AnswerQuality()], counter())


def user(text):
    return {"role": "user", "content": text}


# --- what is asked, and of whom


def test_it_is_a_system_that_holds_conversations(connect):
    assert isinstance(connect(), System)
    assert isinstance(connect(), Conversational)


def test_the_request_holds_model_context_and_question(endpoint, connect):
    row = ran(connect(extra_body={"temperature": 0}))

    assert (row.error, row.scores["exact_match"]) == (None, 1.0)
    assert endpoint.bodies == [
        {"model": "m", "messages": [user(EXAMPLE["context"]), user("Capital?")], "temperature": 0}
    ]


@pytest.mark.parametrize(
    ("settings", "roles"),
    [
        ({}, ["user", "user"]),
        ({"system_prompt": "Be brief."}, ["system", "user", "user"]),
        ({"placement": "system"}, ["system", "user"]),
        ({"placement": "tool"}, ["user", "assistant", "tool"]),
        ({"build_messages": lambda example: [user(str(example))]}, ["user"]),
        ({"build_messages": lambda example: (user(str(example)),), "system_prompt": "S"}, ["system", "user"]),
    ],
    ids=["default", "prompt", "system", "tool", "own", "own and prompt"],
)
def test_the_context_is_placed_as_the_user_says(endpoint, connect, settings, roles):
    ran(connect(**settings))

    assert [message["role"] for message in endpoint.bodies[0]["messages"]] == roles
    assert str(endpoint.bodies[0]).count(EXAMPLE["context"]) == 1
    assert str(endpoint.bodies[0]).count(EXAMPLE["question"]) == 1


GOLD = {
    "answer": "G0LD",
    "answers": ["G0LD"],
    "correct_letter": "G0LD",
    "test": "assert solve() == 'G0LD'",
    "test_list": ["G0LD"],
    "entry_point": "G0LD",
    "kwargs": [{"x": "G0LD"}],
    "instruction_id_list": ["G0LD"],
    "evidence": "G0LD",
    "response": "G0LD",
    "tool_calls": ["G0LD"],
    "metadata": {"x": "G0LD"},
    "id": "G0LD",
    "dataset": "G0LD",
}
TOLD = {"question": "Q", "context": "C", "tools": [TOOL]}
TURNS = [{"role": "user", "content": "1", "answer": "G0LD"}, {"role": "assistant", "content": "G0LD"}, "2"]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"placement": "system"},
        {"placement": "tool"},
        {"build_messages": lambda example: [user(json.dumps(example))]},
    ],
    ids=["user", "system", "tool", "own"],
)
@pytest.mark.parametrize(
    "example",
    [
        TOLD,
        {"context": "C"},
        {"multi_turn": True, "turns": TURNS, **TOLD},
        {"multi_turn": True, "turns": TURNS},
    ],
    ids=["question", "context", "conversation", "turns"],
)
def test_the_gold_never_leaves(endpoint, connect, settings, example):
    turns = {"turns": ["1", "2"]} if "build_messages" in settings and "turns" in example else {}
    row = ran(connect(**settings), {**GOLD, **example, **turns})

    sent = json.dumps(list(endpoint.requests))
    assert len(endpoint.requests) == (2 if "turns" in example else 1)
    assert row.error is None
    assert "G0LD" not in sent


def test_a_builder_that_asks_for_the_gold_gets_an_error(endpoint, connect):
    row = ran(connect(build_messages=lambda example: [user(example["answer"])]))

    assert row.error.startswith("InvalidValueError: build_messages: 'answer' is not a field that it is given")
    assert endpoint.requests == []


@pytest.mark.parametrize("built", [None, "Capital?", {"role": "user"}, ["Capital?"], [None]], ids=repr)
def test_a_builder_that_makes_no_messages_gets_an_error(endpoint, connect, built):
    row = ran(connect(build_messages=lambda _: built))

    assert row.error.startswith("InvalidValueError: what build_messages returns: ")
    assert endpoint.requests == []


def test_tools_of_the_example_are_offered(endpoint, connect):
    ran(connect(), {**EXAMPLE, "tools": [TOOL]})
    ran(connect(extra_body={"tools": []}), {**EXAMPLE, "tools": [TOOL]})
    ran(connect(), {**EXAMPLE, "tools": []})

    assert [body.get("tools") for body in endpoint.bodies] == [[TOOL], [], None]


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/api/v1"])
def test_every_form_of_base_url_reaches_one_chat_completions(endpoint, connect, path):
    assert ran(connect(endpoint.url + path)).error is None

    prefix = "/api" if path.startswith("/api") else ""
    assert [request[0] for request in endpoint.requests] == [f"{prefix}/v1/chat/completions"]


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        ("http://localhost:7878", "localhost:7878"),
        ("http://localhost:7878/v1/", "localhost:7878"),
        ("http://user:hunter22@h:1/v1?key=hunter22", "h:1"),
        ("http://user:p%40ss@h:1", "h:1"),
        ("https://api.openai.com/v1", "api.openai.com"),
        ("http://[::1]:8000", "[::1]:8000"),
    ],
)
def test_an_unnamed_endpoint_is_called_by_host_and_port(base_url, name):
    assert OpenAIProxy(base_url, "m").name == name
    assert OpenAIProxy(base_url, "m", None).name == name
    assert OpenAIProxy(base_url, "m", "mine").name == "mine"


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"base_url": "localhost:1"}, "base URL"),
        ({"base_url": "localhost:1", "name": "mine"}, "base URL"),
        ({"model": ""}, "model: '' is not the name of a model"),
        ({"model": None}, "model: None is not the name of a model"),
        ({"placement": "assistant"}, "placement: 'assistant' is not one of user, system, tool"),
        ({"timeout": 0}, "timeout"),
        ({"max_retries": -1}, "max_retries"),
        ({"headers": {"a b": "c"}}, "headers"),
        ({"api_key": "ke\ny-12345678"}, "api_key"),
    ],
)
def test_a_setting_that_is_wrong_is_told_before_the_first_row(settings, error):
    with pytest.raises(InvalidValueError, match=error):
        OpenAIProxy(**{"base_url": "http://h", "model": "m", **settings})


@pytest.mark.parametrize(
    ("keys", "settings", "authorization"),
    [
        ((None, None), {}, None),
        ((None, "open-key"), {}, "Bearer open-key"),
        (("our-key", "open-key"), {}, "Bearer our-key"),
        (("", "open-key"), {}, "Bearer open-key"),
        ((None, "open-key"), {"api_key": "given"}, "Bearer given"),
        ((None, "open-key"), {"api_key": ""}, None),
        ((None, "open-key"), {"credentials": "user:pass@"}, "Basic dXNlcjpwYXNz"),
        ((None, "open-key"), {"headers": {"Authorization": "Token t"}}, "Token t"),
    ],
)
def test_the_key_is_that_of_the_environment_unless_another_is_given(
    endpoint, connect, monkeypatch, keys, settings, authorization
):
    for name, key in zip(KEYS, keys, strict=True):
        if key is not None:
            monkeypatch.setenv(name, key)
    given = dict(settings)
    ran(connect(f"http://{given.pop('credentials', '')}{endpoint.authority}", **given))

    assert endpoint.requests[0][1].get("authorization") == authorization


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_no_proxy_of_the_environment_catches_this_machine(connect, monkeypatch, variable):
    monkeypatch.setenv(variable, "http://127.0.0.1:9")

    assert ran(connect(max_retries=0)).error is None


@pytest.mark.parametrize("where", ["argument", "environment", "url"])
def test_no_secret_reaches_the_row_or_the_name(endpoint, connect, monkeypatch, where):
    endpoint.behave(reply(f"bad key {KEY}", 401), reply(answer(), x_request_id=f"id of {KEY}"))
    url, settings = endpoint.url, {}
    if where == "environment":
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
    elif where == "url":
        url = f"http://user:hunter2222@{endpoint.authority}/v1?key={KEY}"
    else:
        settings = {"api_key": KEY}
    system = connect(url, **settings)
    failed, right = ran(system), ran(system)

    shown = repr(system) + system.name + repr(failed) + repr(right)
    assert "bad key" in failed.error
    assert right.metadata["headers"] == {"x-request-id": "id of ***"}
    assert [secret for secret in (KEY, "hunter2222") if secret in shown] == []


# --- what comes back


def test_the_row_keeps_what_the_endpoint_said_of_the_call(endpoint, connect):
    endpoint.behave(reply(answer(usage=USED), x_request_id="r1", x_other="no", X_Headroom_Tokens_After="7"))
    row = ran(connect())

    assert row.metadata == {
        "model": "m",
        "finish_reason": "stop",
        **USED,
        "headers": {"x-request-id": "r1", "x-headroom-tokens-after": "7"},
    }


@pytest.mark.parametrize(
    ("chosen", "kept"), [(("X-Other",), {"x-other": "yes"}), ("x-other", {"x-other": "yes"}), ((), None)]
)
def test_headers_are_kept_by_name(endpoint, connect, chosen, kept):
    endpoint.behave(reply(answer(usage=USED), x_request_id="r1", x_other="yes", set_cookie="s=1"))

    assert ran(connect(keep_headers=chosen)).metadata.get("headers") == kept


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": None}, {"completion_tokens": 0, "prompt_tokens": 0}]
)
def test_usage_that_is_missing_null_or_zero_is_counted_here(endpoint, connect, usage):
    text = "Paris. " * 25
    endpoint.behave(reply(answer(text, usage=usage)))
    row = ran(connect())

    count = counter().count
    assert row.metadata["prompt_tokens"] == count(EXAMPLE["context"]) + count("Capital?")
    assert row.metadata["completion_tokens"] == count(text) > 25
    assert row.metadata["usage_estimated"] is True


def test_usage_that_is_half_there_is_completed(endpoint, connect):
    endpoint.behave(reply(answer(usage={"prompt_tokens": 99, "completion_tokens": 0})))
    row = ran(connect())

    assert [row.metadata[key] for key in (*USED, "usage_estimated")] == [99, 1, True]


def test_reported_usage_is_not_marked(connect):
    assert "usage_estimated" not in ran(connect()).metadata


def test_tools_count_where_the_endpoint_does_not(endpoint, connect):
    endpoint.behave(reply(answer(None, "tool_calls", tool_calls=[CALL])))
    with_tools = ran(connect(), {**EXAMPLE, "tools": [TOOL]})
    without = ran(connect())

    assert with_tools.metadata["prompt_tokens"] > without.metadata["prompt_tokens"] + 10
    assert with_tools.metadata["completion_tokens"] > 5


@pytest.mark.parametrize(
    ("message", "reason", "noted"),
    [
        ({"content": None, "tool_calls": [CALL]}, "tool_calls", {"tool_calls": [CALL]}),
        ({"tool_calls": [CALL]}, None, {"tool_calls": [CALL]}),
        ({"content": None}, "length", {"finish_reason": "length"}),
        ({"content": ""}, "length", {"finish_reason": "length"}),
        ({"content": None}, "content_filter", {"finish_reason": "content_filter"}),
        ({"content": None, "refusal": "No."}, "stop", {"refusal": "No."}),
    ],
)
def test_no_content_for_a_reason_is_an_empty_response_that_keeps_it(
    endpoint, connect, message, reason, noted
):
    endpoint.behave(reply({"choices": [{"message": message, "finish_reason": reason}], "usage": USED}))
    output = connect().process(EXAMPLE)

    assert output["response"] == ""
    assert output["metadata"].items() >= noted.items()
    assert output.get("tool_calls", []) == noted.get("tool_calls", [])


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "Pa"}, {"type": "text", "text": "ris"}], "Paris"),
        ([{"type": "thinking", "thinking": "Rome?"}, {"type": "text", "text": "Paris"}], "Paris"),
        ([{"type": "thinking", "thinking": "Rome?"}], ""),
        ([], ""),
    ],
)
def test_the_response_is_the_text_parts(endpoint, connect, content, text):
    endpoint.behave(reply(answer(content)))

    assert connect().process(EXAMPLE)["response"] == text


@pytest.mark.parametrize("offered", [[TOOL], []])
def test_no_call_leaves_none_of_the_data_set_in_place(connect, offered):
    output = connect().process({**EXAMPLE, "tools": offered, "tool_calls": ["gold"]})

    assert output.get("tool_calls") == ([] if offered else None)


def test_a_stream_that_was_not_asked_for_is_put_together(endpoint, connect):
    chunks = [{"choices": [{"index": 0, "delta": {"content": part}}]} for part in ("Pa", "ris")]
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": USED}
    text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in [*chunks, end]) + "data: [DONE]\n\n"
    endpoint.behave(reply(text, content_type="text/event-stream"))
    row = ran(connect())

    assert (row.scores["exact_match"], row.metadata["completion_tokens"]) == (1.0, 2)


@pytest.mark.parametrize("text", ["日本", "\ud83d", "\u2028", "<|endoftext|>", 'a"b\\c\n\0'], ids=ascii)
def test_any_text_passes(endpoint, connect, text):
    endpoint.behave(respond(lambda body: answer(body["messages"][0]["content"])))
    row = ran(connect(), {**EXAMPLE, "context": f"{text} Paris"})

    assert (row.error, row.scores["contains"]) == (None, 1.0)
    assert endpoint.bodies[0]["messages"][0]["content"] == f"{text} Paris"


# --- what goes wrong


@pytest.mark.parametrize(
    ("behaviour", "attempts", "words"),
    [
        (reply({"error": {"code": 429}}), 3, '{"error": {"code": 429}}'),
        (reply({"error": {"code": 400, "message": "no"}}), 1, "no"),
        (reply({"choices": None}), 1, '{"choices": null}'),
        (reply({"choices": []}), 1, '{"choices": []}'),
        (reply("<html>Please log in</html>"), 1, "<html>Please log in"),
        (reply('{"choices": [{"message": {"content": "Par'), 1, '{"message": {"content": "Par'),
        (reply(""), 1, "empty"),
        (reply("busy", 429), 3, "HTTP 429"),
        (reply("busy", 408), 3, "HTTP 408"),
        (reply("busy", 409), 3, "HTTP 409"),
        (reply("busy", 500), 3, "HTTP 500"),
        (reply("busy", 529), 3, "HTTP 529"),
        (reply({"error": {"message": "no such model: m"}}, 404), 1, "no such model: m"),
        (reply({"error": {"message": "bad key"}}, 401), 1, "bad key"),
        (reply({"error": {"message": "too long"}}, 400), 1, "too long"),
        (reset, 3, "chat call to http://127.0.0.1"),
        (cut('{"choices": ['), 3, "the body starts"),
        (silent, 3, "within 0.2 s"),
    ],
)
def test_a_reply_that_is_no_answer_is_an_error_row(endpoint, connect, behaviour, attempts, words):
    endpoint.behave(behaviour)
    row = ran(connect(max_retries=2, timeout=0.2))

    assert row.error.startswith("ChatError: chat call to http://127.0.0.1")
    assert words in row.error
    assert row.scores == {}
    assert len(endpoint.requests) == attempts


@pytest.mark.parametrize(
    "asked", ["0", "3600", "-1", "nan", "inf", "1e999", "Wed, 21 Oct 2099 07:28:00 GMT", "?"]
)
def test_no_retry_waits_beyond_the_cap(endpoint, connect, asked):
    endpoint.behave(reply("busy", 429, Retry_After=asked), reply(answer()))
    started = time.monotonic()
    row = ran(connect(longest_wait=0.05))

    assert (row.error, row.metadata["attempts"]) == (None, 2)
    assert time.monotonic() - started < 1


def test_a_server_that_dribbles_does_not_outlive_the_limit(endpoint, connect):
    endpoint.behave(dribble(b"HTTP/1.1 200 OK\r\n\r\n{", b" "))
    started = time.monotonic()
    row = ran(connect(timeout=0.2, max_retries=0))

    assert "within 0.2 s" in row.error
    assert time.monotonic() - started < PATIENCE / 2


def test_failed_calls_are_no_latencies(endpoint, connect):
    examples = [{**EXAMPLE, "id": number} for number in range(10)]
    endpoint.behave(*[reply(answer(usage=USED))] * 8, silent)
    system = connect(timeout=0.3, max_retries=0)
    result = evaluate(system, examples, progress=False)

    right = [row.latency for row in result.rows if row.error is None]
    assert len(right) == 8
    assert result.summary[system.name]["latency_p99"] <= max(right)


def flakes(count=200):
    """Yield behaviours: of a hundred ten refuse, five break off and two hang."""
    good = respond(lambda body: answer(body["messages"][-1]["content"].removeprefix("Repeat: ")))
    for number in range(count):
        spot = number % 50
        if spot in (3, 13, 23, 33, 43):
            yield reply("slow down", 429, Retry_After="7")
        elif spot in (7, 27) or number == 57:
            yield reset
        else:
            yield silent if spot == 11 else good
    yield good


def test_sixty_pairs_against_a_flaky_server_end_right(endpoint, connect):
    endpoint.behave(*flakes())
    examples = [
        {"id": n, "context": f"c{n}", "question": f"Repeat: word{n}", "answer": f"word{n}"} for n in range(60)
    ]
    result = evaluate(connect(timeout=0.5), examples, max_workers=8, progress=False)

    assert [row.error for row in result.rows] == [None] * 60
    assert [row.scores["exact_match"] for row in result.rows] == [1.0] * 60
    assert len(endpoint.requests) > 65


# --- conversations


def test_turns_are_sent_one_by_one_with_what_was_said(endpoint, connect):
    endpoint.behave(respond(lambda body: answer(f"reply {len(body['messages'])}", usage=USED)))
    row = ran(connect(), {"id": 1, "multi_turn": True, "turns": ["1", {"content": "2"}], "answer": "reply 3"})

    said = {"role": "assistant", "content": "reply 1"}
    assert [body["messages"] for body in endpoint.bodies] == [[user("1")], [user("1"), said, user("2")]]
    assert row.scores["exact_match"] == 1.0
    assert row.metadata == {
        "model": "m", "finish_reason": "stop", "prompt_tokens": 18, "completion_tokens": 4
    }  # fmt: skip


@pytest.mark.parametrize("placement", ["user", "system", "tool"])
def test_the_context_goes_once_with_the_first_turn(endpoint, connect, placement):
    example = {
        "id": 1,
        "multi_turn": True,
        "turns": ["1", "2"],
        "context": "C0NTEXT",
        "tools": [TOOL],
        "question": "Q",
    }
    ran(connect(placement=placement, system_prompt="S"), example)

    for body in endpoint.bodies:
        contents = [message["content"] for message in body["messages"]]
        assert sum("C0NTEXT" in content for content in contents) == 1
        assert contents.index(next(each for each in contents if "C0NTEXT" in each)) <= contents.index("1") + 2
        assert "Q" not in contents
        assert body["tools"] == [TOOL]


def test_the_context_stays_in_place_when_it_is_repeated(endpoint, connect):
    endpoint.behave(reply(answer("It is C0NTEXT.")))
    ran(connect(), {"id": 1, "multi_turn": True, "turns": ["1", "Why C0NTEXT?", "3"], "context": "C0NTEXT"})

    sent = [[message["content"] for message in body["messages"]] for body in endpoint.bodies]
    assert [contents[:2] for contents in sent] == [["C0NTEXT", "1"]] * 3
    assert sent[2] == [*sent[1], "It is C0NTEXT.", "3"]


def test_what_one_turn_lacks_is_counted_and_marks_the_row(endpoint, connect):
    endpoint.behave(reply(answer(usage=None)), reply(answer(None, "length", usage=USED)))
    row = ran(connect(), {"id": 1, "multi_turn": True, "turns": ["one two", "3"]})

    assert row.metadata == {
        "model": "m",
        "finish_reason": "length",
        "prompt_tokens": 2 + 9,
        "completion_tokens": 1 + 2,
        "usage_estimated": True,
    }


def test_calls_of_the_last_turn_are_those_of_the_output(endpoint, connect):
    endpoint.behave(reply(answer(None, "tool_calls", tool_calls=[CALL])))
    output = connect().process({"multi_turn": True, "turns": ["1"], "tools": [TOOL]})

    assert (output["response"], output["turn_responses"], output["tool_calls"]) == ("", [""], [CALL])
    assert output["metadata"]["tool_calls"] == [CALL]


def test_a_turn_that_fails_fails_the_conversation(endpoint, connect):
    endpoint.behave(reply(answer()), reply("no", 400))
    row = ran(connect(), {"id": 1, "multi_turn": True, "turns": ["1", "2"], "answer": "Paris"})

    assert "HTTP 400" in row.error
    assert row.scores == {}


def test_a_conversation_is_held_alike_from_within_and_without(connect):
    turns = ["1", "2"]
    system = connect()

    assert [each["content"] for each in system.process_conversation(turns)] == ["Paris", "Paris"]
    assert system.process({"multi_turn": True, "turns": turns})["turn_responses"] == ["Paris", "Paris"]
    with pytest.raises(InvalidValueError, match="turns"):
        system.process({"multi_turn": True, "turns": []})


# --- threads, cache and start


def test_threads_share_the_system(endpoint, connect):
    endpoint.behave(respond(lambda body: answer(body["messages"][-1]["content"])))
    system = connect()
    with ThreadPoolExecutor(8) as threads:
        outputs = list(threads.map(lambda n: system.process({"question": str(n)})["response"], range(40)))

    assert outputs == [str(n) for n in range(40)]


def one(example):
    return [user(example["question"])]


def other(example):
    return [user(example["question"] + "!")]


@pytest.mark.parametrize(
    ("changed", "calls"),
    [
        ({}, 1),
        ({"api_key": "another-key-123"}, 1),
        ({"timeout": 9.0}, 1),
        ({"max_retries": 9, "longest_wait": 9.0}, 1),
        ({"model": "n"}, 2),
        ({"path": "/v2"}, 2),
        ({"system_prompt": "Be brief."}, 2),
        ({"placement": "system"}, 2),
        ({"extra_body": {"temperature": 1}}, 2),
        ({"headers": {"x-kompact-disable": "toon"}}, 2),
        ({"build_messages": other}, 2),
        ({"keep_headers": ("x-other",)}, 2),
    ],
    ids=lambda value: next(iter(value), "nothing") if isinstance(value, dict) else "",
)
def test_the_cache_tells_one_configuration_from_another(endpoint, connect, tmp_path, changed, calls):
    common = {"build_messages": one, "extra_body": {"temperature": 0}, "name": "proxy", "api_key": KEY}
    first = {**common, "path": "/v1"}
    for settings in (first, {**first, **changed}):
        path, chosen = settings["path"], {key: value for key, value in settings.items() if key != "path"}
        system = connect(endpoint.url + path, **chosen)
        with Cache(tmp_path, [system]) as cache:
            row, _ = attempt_pair(system, EXAMPLE, Scoring([AnswerQuality()], counter()), cache)
            assert row.error is None

    assert len(endpoint.requests) == calls
    assert not any(KEY.encode() in file.read_bytes() for file in tmp_path.iterdir())


def test_the_cache_knows_it_again_in_another_process(endpoint, connect, monkeypatch, tmp_path):
    program = (
        "from pytest_context_bench import evaluate; from pytest_context_bench.systems import OpenAIProxy;"
        f"system = OpenAIProxy({endpoint.url!r}, 'm', timeout=2.0, longest_wait=0);"
        f"result = evaluate(system, [{EXAMPLE!r}], progress=False, cache_dir={str(tmp_path)!r});"
        "print(result.rows[0].error, result.rows[0].metadata.get('cached'))"
    )
    monkeypatch.setenv("OPENAI_API_KEY", "first-key-12345")
    evaluate(connect(), [EXAMPLE], progress=False, cache_dir=tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "second-key-12345")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True, text=True, timeout=30, check=False, cwd=tmp_path,
    )  # fmt: skip

    assert (done.stdout, done.stderr) == ("None True\n", "")
    assert len(endpoint.requests) == 1


def test_nothing_heavy_is_imported_before_the_first_call():
    program = (
        "import sys; from pytest_context_bench.systems import OpenAIProxy;"
        "loaded = set(sys.modules); OpenAIProxy('http://h:1', 'm');"
        "heavy = {'httpx', 'asyncio', 'ssl', 'anyio', 'tiktoken'};"
        "print(sorted(heavy & loaded), sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False
    )

    assert (done.stdout, done.stderr) == ("[] []\n", "")


def test_it_is_made_ready_once_before_its_time_is_taken(connect):
    system, opened = connect(), []
    system.client.open = lambda: opened.append(True)
    for _ in range(3):
        ran(system)

    assert opened == [True]


def test_errors_of_the_chat_are_raised(endpoint, connect):
    endpoint.behave(reply("no", 400))

    with pytest.raises(ChatError, match="HTTP 400"):
        connect().process(EXAMPLE)
