"""Whole runs on systems behind HTTP: named by URL, readers behind compressors, failing servers, kill -9."""

import base64
import json
import os
import random
import signal
import subprocess
import sys
import time
from urllib.parse import quote

import pytest
from endpoint_server import Endpoint, answer, reply, reset, respond, silent
from runs import REPORT, assert_usage_error, said

DATA = "--context-bench-dataset=data.jsonl"
PROXY = "--context-bench-proxy=http://127.0.0.1:1"
KEY = "sk-secret-of-the-test-4711"


@pytest.fixture
def endpoint(monkeypatch):
    """An endpoint that repeats the last word it is sent; no key of the outer run is sent to it."""
    for name in ("CONTEXT_BENCH_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    server = Endpoint()
    server.behave(respond(last_word))
    yield server
    server.close()


def last_word(body):
    words = " ".join(message["content"] for message in body["messages"]).split()
    return answer(words[-1], usage={"prompt_tokens": len(words), "completion_tokens": 1})


@pytest.fixture
def repeat(pytester):
    """Write examples that ask for a word to be repeated."""

    def write(count=4):
        lines = [
            {"id": n, "context": f"some text {n}", "question": f"Repeat: word{n}", "answer": f"word{n}"}
            for n in range(count)
        ]
        (pytester.path / "data.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        return DATA

    return write


def test_a_url_is_all_it_takes(bench, endpoint, repeat, saved, alone_or_not):
    run = bench(repeat(), f"--context-bench-proxy={endpoint.url}", REPORT, *alone_or_not)

    assert run.ret == 0
    (system,) = saved()["summary"]
    assert system == endpoint.authority
    assert saved()["summary"][system]["mean_score"] == 1.0
    assert saved()["summary"][system]["mean_prompt_tokens"] > 0


def test_proxies_have_names_and_a_model(bench, endpoint, repeat, saved):
    bench(
        repeat(1), REPORT,
        f"--context-bench-proxy={endpoint.url}", "--context-bench-name=one",
        f"--context-bench-proxy={endpoint.url}/v1", "--context-bench-name=two",
        "--context-bench-model=some-model",
    )  # fmt: skip

    assert list(saved()["summary"]) == ["one", "two"]
    assert {body["model"] for body in endpoint.bodies} == {"some-model"}


def test_a_reader_answers_behind_every_compressor(bench, endpoint, repeat, saved, pytester):
    pytester.makeconftest("""
def half(context):
    return context[: len(context) // 2]

def pytest_context_bench_register(registry):
    registry.register("system", "half", half)
""")
    bench(repeat(1), f"--context-bench-reader={endpoint.url}", "--context-bench-model=reader", REPORT)
    assert list(saved()["summary"]) == ["half+reader"]
    assert saved()["summary"]["half+reader"]["compression_ratio"] > 0

    bench(
        repeat(1), f"--context-bench-reader={endpoint.url}", "--context-bench-model=reader", REPORT,
        "--context-bench-system=truncate", "--context-bench-system=identity",
        f"--context-bench-proxy={endpoint.url}", "--context-bench-name=proxy",
    )  # fmt: skip
    assert list(saved()["summary"]) == ["truncate+reader", "identity+reader", "proxy"]


def test_the_systems_of_a_marker_get_the_reader_too(bench, endpoint, repeat, saved, pytester):
    repeat(1)
    pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl", systems=["truncate"])
def test_one(context_bench):
    context_bench.run()
""")
    bench(f"--context-bench-reader={endpoint.url}", "--context-bench-model=m", REPORT, "test_the*.py")
    if not (pytester.path / "out.json").exists():
        bench(f"--context-bench-reader={endpoint.url}", "--context-bench-model=m", REPORT)

    assert list(saved()["summary"]) == ["truncate+m"]


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--context-bench-name=one"], ["one", "proxy"]),
        (["--context-bench-proxy=nonsense://x"], ["nonsense"]),
        ([PROXY, f"{PROXY}/v1"], ["127.0.0.1:1"]),
        ([PROXY, "--context-bench-placement=usr"], ["'usr'", "'user'"]),
    ],
    ids=["name without proxy", "no URL", "one host twice", "unknown placement"],
)  # fmt: skip
def test_mistakes_are_told_before_anything_is_sent(flags, told, bench, repeat):
    assert_usage_error(bench(repeat(), *flags), *told)


def test_no_request_holds_the_gold_and_no_report_the_key(bench, endpoint, pytester, monkeypatch, saved):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    example = {
        "id": 1, "context": "c", "question": "q", "answer": "G0LD-a", "correct_letter": "B",
        "choices": ["x", "y"], "test": "G0LD-t", "entry_point": "f", "reference": "G0LD-r",
    }  # fmt: skip
    del example["test"], example["entry_point"]
    (pytester.path / "data.jsonl").write_text(json.dumps(example))
    endpoint.behave(reply({"error": {"message": f"bad key {KEY}"}}, status=401))
    run = bench(
        DATA, f"--context-bench-proxy=http://user:{KEY}@{endpoint.authority}", REPORT,
        "--context-bench-cache-dir=kept", "-v", "--junitxml=out.xml", "--context-bench-save=main",
    )  # fmt: skip

    assert run.ret == 1
    assert not [body for body in endpoint.bodies if "G0LD" in json.dumps(body)]
    written = [path for path in pytester.path.rglob("*") if path.is_file() and path.name != "data.jsonl"]
    assert [str(path) for path in written if KEY.encode() in path.read_bytes()] == []
    assert KEY not in said(run)


def echo(handler):
    """Say what was sent, headers and all, as an error to one model and as an answer to the other."""
    said = json.dumps({"sent": str(handler.headers), "to": handler.path, **dict(handler.headers)})
    if handler.body["model"] == "refused":
        return reply({"error": {"message": said}}, status=401, x_request_id=said[:200])(handler)
    return reply(answer(said), x_request_id=said[:200].replace("\\n", " "))(handler)


@pytest.mark.parametrize("way", ["user:{}@", "", "?key={}"], ids=["in the address", "apart", "in the query"])
def test_keys_do_not_show_in_tracebacks_with_local_values(way, bench, endpoint, repeat, pytester):
    secret = "giraffe/stripe+44:12"
    before, after = (way, "") if "@" in way else ("", way)
    url = f"http://{before.format(quote(secret, safe=''))}{endpoint.authority}{after.format(quote(secret))}"
    own = "" if way else f", api_key={secret!r}, headers={{'x-team': {secret!r}}}"
    pytester.makeconftest(f"""
from pytest_context_bench.systems import OpenAIProxy, Pipeline, Truncate

def pytest_context_bench_register(registry):
    for model in ("refused", "answered"):
        system = OpenAIProxy({url!r}, model, name=model{own}, extra_body={{"key": {secret!r}}})
        registry.register("system", model, system)
        registry.register("system", f"pipe-{{model}}", Pipeline(Truncate(0.5), system))
""")
    pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl")
def test_one(context_bench, context_bench_system):
    output = context_bench.process()
    assert output["response"] == "nothing of the kind"
""")
    endpoint.behave(echo)
    run = bench(
        repeat(1) or "-l", "--tb=long", "-vv", "-ra", "--durations=0", "--setup-show", REPORT,
        "--junitxml=out.xml", "--context-bench-cache-dir=kept", "--context-bench-keep-texts=9999",
    )  # fmt: skip

    assert len(endpoint.requests) == 4
    basic = base64.b64encode(f"user:{secret}".encode()).decode()
    written = [path for path in pytester.path.rglob("*") if path.is_file() and path.suffix != ".py"]
    for form in (secret, quote(secret), quote(secret, safe=""), basic):
        assert form not in said(run)
        assert [path.name for path in written if form.encode() in path.read_bytes()] == []


def flaky(count, rng):
    """Yield what a server does that fails one request in six."""
    good = respond(last_word)
    for _ in range(count):
        draw = rng.random()
        if draw < 0.10:
            yield reply({"error": {"message": "slow down"}}, status=429, retry_after="0")
        elif draw < 0.15:
            yield reset
        elif draw < 0.17:
            yield silent
        else:
            yield good
    yield good


def test_three_hundred_pairs_against_a_flaky_server_end_right(bench, endpoint, repeat, saved, pytester):
    endpoint.behave(*flaky(400, random.Random(7)))
    pytester.makeconftest(f"""
from pytest_context_bench.systems import OpenAIProxy

def pytest_context_bench_register(registry):
    system = OpenAIProxy({endpoint.url!r}, "m", name="proxy", timeout=0.5, max_retries=6)
    registry.register("system", "proxy", system)
""")
    run = bench(repeat(300), "--context-bench-max-workers=16", REPORT, "-q")

    assert run.ret == 0
    rows = saved()["rows"]
    assert len(rows) == 300
    assert {row["error"] for row in rows} == {None}
    assert {row["scores"]["exact_match"] for row in rows} == {1.0}
    assert len(endpoint.requests) > 330


COUNTING = """
import os, time
from pathlib import Path

class Slow:
    name = "slow"
    cache_key = "slow 1"
    def process(self, example):
        time.sleep(0.004)
        with open("done.txt", "a") as file:
            file.write(f"{example['id']}\\n")
        return {"response": example["answer"]}

def pytest_context_bench_register(registry):
    registry.register("system", "slow", Slow())
"""


@pytest.mark.parametrize("flags", [[], ["--context-bench-max-workers=4"]], ids=["one by one", "ahead"])
def test_a_run_that_is_killed_again_and_again_goes_on_where_it_was(flags, pytester, repeat, clean, saved):
    repeat(150)
    pytester.makeconftest(COUNTING)
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", DATA,
        "--context-bench-cache-dir=kept", REPORT, *flags,
    ]  # fmt: skip
    rng, kills = random.Random(11), 0
    for _ in range(10):
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        begun = time.monotonic()
        before = calls(pytester)
        goal = len(before) + rng.randint(1, 12)
        while running.poll() is None and len(calls(pytester)) < goal and time.monotonic() - begun < 20:
            time.sleep(0.003)
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            kills += 1
        running.wait()
    last = subprocess.run(command, capture_output=True, text=True, check=False)

    assert last.returncode == 0, last.stdout
    assert kills == 10
    assert len(saved()["rows"]) == 150
    again = len(calls(pytester)) - 150  # a call may end, and the process before its output is kept
    assert 0 <= again <= kills * (4 if flags else 1)


def calls(pytester):
    path = pytester.path / "done.txt"
    return path.read_text().split() if path.exists() else []
