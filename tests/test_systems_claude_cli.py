import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_context_bench.cache import Cache
from pytest_context_bench.errors import CommandError, InvalidValueError
from pytest_context_bench.evaluators import AnswerQuality
from pytest_context_bench.pipeline import Scoring, attempt_pair, run_pair
from pytest_context_bench.protocols import System
from pytest_context_bench.systems import ClaudeCLI
from pytest_context_bench.tokens import counter

EXAMPLE = {"id": 1, "context": "C0NTEXT", "question": "Which city?", "answer": "Paris"}
USAGE = {
    "input_tokens": 3,
    "cache_read_input_tokens": 4,
    "cache_creation_input_tokens": 0,
    "output_tokens": 5,
}
RESULT = {"type": "result", "subtype": "success", "is_error": False, "result": "Paris"}
SAYS = "import sys, json, os; given = sys.stdin.read(); "


def stand_in(program, **settings):
    """Return the system with *program* in place of the command; it finds what it was given in `given`."""
    return ClaudeCLI(command=(sys.executable, "-I", "-S", "-c", SAYS + program), **settings)


def printing(value, **settings):
    text = value if isinstance(value, str) else json.dumps(value)
    return stand_in(f"print({text!r})", **settings)


def ran(system, example=EXAMPLE):
    return run_pair(system, example, [AnswerQuality()], counter())


def test_it_is_a_system_named_after_its_model():
    assert isinstance(ClaudeCLI(), System)
    assert [ClaudeCLI().name, ClaudeCLI("opus").name, ClaudeCLI("opus", "mine").name] == [
        "claude", "claude:opus", "mine"
    ]  # fmt: skip


def test_the_result_is_the_response_and_says_what_it_took():
    row = ran(printing({**RESULT, "usage": USAGE, "total_cost_usd": 0.25, "stop_reason": "end_turn"}))

    assert (row.error, row.scores["exact_match"]) == (None, 1.0)
    assert row.metadata == {
        "prompt_tokens": 7,
        "completion_tokens": 5,
        "finish_reason": "end_turn",
        "cost": 0.25,
    }


@pytest.mark.parametrize(
    ("output", "response"),
    [
        (RESULT, "Paris"),
        ([{"type": "system"}, RESULT], "Paris"),
        ({**RESULT, "result": ""}, ""),
        ("Paris", "Paris"),
        ('{"answer": "Paris"}', '{"answer": "Paris"}'),
        ("[1, 2]", "[1, 2]"),
        ("日本", "日本"),
    ],
)
def test_a_result_or_all_that_is_said_is_the_answer(output, response):
    output = printing(output).process(EXAMPLE)

    assert output["response"] == response
    assert output["metadata"]["usage_estimated"] is True
    assert output["metadata"]["prompt_tokens"] > 4


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("print('Paris'); sys.exit(3)", "exit status 3: it says Paris"),
        (
            "print('Paris'); sys.stderr.write('no credit'); sys.exit(1)",
            "exit status 1: it complains no credit",
        ),
        ("sys.stderr.write('Paris')", "it gave no answer: it complains Paris"),
        ("print('  ')", "it gave no answer"),
        ("pass", "it gave no answer"),
        ("os.kill(os.getpid(), 9)", "exit status -9"),
        ("sys.stderr.write('x' * 10_000 + '\\x1b[31m'); sys.exit(1)", "exit status 1: it complains xxx"),
    ],
)
def test_a_command_that_fails_or_says_nothing_is_an_error(program, words):
    row = ran(stand_in(program))

    assert row.error.startswith("CommandError: command ")
    assert words in row.error
    assert len(row.error) < 1000
    assert row.scores == {}


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (
            {**RESULT, "is_error": True, "result": "Invalid API key"},
            "it reports an error: success: Invalid API key",
        ),
        ({"type": "result", "subtype": "error_max_turns", "is_error": False}, "error: error_max_turns"),
        ({**RESULT, "result": None}, "it reports an error"),
        ({**RESULT, "result": 7}, "it reports an error"),
        (json.dumps(RESULT)[:-9], "its result is cut off"),
    ],
)
def test_a_result_that_is_an_error_is_no_answer(result, words):
    row = ran(printing(result))

    assert words in row.error
    assert row.scores == {}


def test_what_it_complains_beside_an_answer_is_noted():
    row = ran(stand_in("print('Paris'); sys.stderr.write('deprecated')"))

    assert (row.error, row.metadata["stderr"]) == (None, "deprecated")


def test_no_secret_of_the_environment_reaches_the_error(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k3y/with+odd=characters")
    row = ran(stand_in("sys.stderr.write('key ' + os.environ['ANTHROPIC_API_KEY']); sys.exit(1)"))

    assert row.error.endswith("it complains key ***")


def test_what_takes_too_long_is_ended_with_all_that_it_started(tmp_path):
    left = tmp_path / "pid"
    program = (
        "import subprocess, time;"
        f"child = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(20)']);"
        f"open({str(left)!r}, 'w').write(str(child.pid)); print('Paris', flush=True); time.sleep(20)"
    )
    started = time.monotonic()
    row = ran(stand_in(program, timeout=0.5))

    assert "no answer within 0.5 s" in row.error
    assert time.monotonic() - started < 5
    assert not is_running(int(left.read_text()))


def test_what_a_thread_waits_for_does_not_outlive_the_run(tmp_path):
    pid = tmp_path / "pid"
    command = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(20)"
    program = f"""
import sys, threading, time
from pathlib import Path
from pytest_context_bench.systems.command import run_command

call = ([sys.executable, "-I", "-S", "-c", {command!r}], "", 60)
threading.Thread(target=run_command, args=call, daemon=True).start()
while not (Path({str(pid)!r}).exists() and Path({str(pid)!r}).read_text()):
    time.sleep(0.01)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=20)

    assert not is_running(int(pid.read_text()))


def is_running(pid):
    """Whether a process runs that has perhaps only just been killed."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state in "ZX":
            return False
        time.sleep(0.01)
    return True


def test_a_command_that_is_not_there_is_an_error():
    assert (
        "command 'no-such-command': it cannot be started" in ran(ClaudeCLI(command="no-such-command")).error
    )


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
def test_a_time_limit_that_is_none_is_refused(timeout):
    with pytest.raises(InvalidValueError, match="timeout"):
        ClaudeCLI(timeout=timeout)


def given(example, **settings):
    text = stand_in("print(json.dumps([given, sys.argv[1:], os.listdir()]))", **settings).process(example)
    return json.loads(text["response"])


def test_it_is_asked_on_standard_input_in_an_empty_folder():
    prompt, arguments, files = given(EXAMPLE, model="opus", system_prompt="Be brief.")

    assert prompt == "C0NTEXT\n\nWhich city?"
    assert arguments[:7] == [
        "-p",
        "--output-format",
        "json",
        "--model",
        "opus",
        "--system-prompt",
        "Be brief.",
    ]
    assert "--tools" in arguments
    assert files == []


def test_arguments_can_be_others():
    assert given(EXAMPLE, arguments=("--max-turns", "3"))[1] == [
        "-p",
        "--output-format",
        "json",
        "--max-turns",
        "3",
    ]


@pytest.mark.parametrize(
    ("example", "prompt"),
    [
        ({"question": "/help"}, "/help"),
        ({"context": "word " * 60_000}, "word " * 60_000),
        ({"question": "\ud83d?"}, "\\ud83d?"),
        (
            {
                "multi_turn": True,
                "turns": ["1", {"role": "assistant", "content": "2"}, "3"],
                "answer": "gold",
            },
            "[user]\n1\n\n[assistant]\n2\n\n[user]\n3",
        ),
    ],
    ids=["command", "long", "surrogate", "turns"],
)
def test_the_prompt_is_one_text(example, prompt):
    assert given({"id": 1, **example})[0] == prompt


def test_the_gold_never_leaves():
    gold = dict.fromkeys(("id", "answer", "answers", "correct_letter", "test", "dataset", "evidence"), "G0LD")

    assert "G0LD" not in json.dumps(given({**gold, "question": "Q", "context": "C"}))


def test_an_example_with_nothing_to_ask_starts_no_command():
    with pytest.raises(InvalidValueError, match="the example"):
        ClaudeCLI(command="no-such-command").process({"answer": "gold"})


def test_errors_are_raised():
    with pytest.raises(CommandError, match="exit status 1"):
        stand_in("sys.exit(1)").process(EXAMPLE)


@pytest.mark.parametrize(("changed", "cached"), [({"timeout": 9.0}, True), ({"model": "opus"}, False)])
def test_the_cache_tells_one_configuration_from_another(tmp_path, changed, cached):
    for settings in ({}, changed):
        system = printing("Paris", name="claude", **settings)
        with Cache(tmp_path, [system]) as cache:
            row, _ = attempt_pair(system, EXAMPLE, Scoring([AnswerQuality()], counter()), cache)

    assert row.metadata.get("cached", False) is cached
