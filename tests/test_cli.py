"""The command line: what goes where, and with what exit code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.results import EvalResult

PLUGIN = """
from pytest_context_bench.registry import register_dataset

class Model:
    name = "model"
    def process(self, example):
        if example.get("interrupts"):
            raise KeyboardInterrupt
        if example.get("raises"):
            raise RuntimeError(example["raises"])
        return {"response": example["answer"]}

register_dataset("imported", lambda n=None: [{"id": 1, "context": "a", "answer": "a"}])

def pytest_context_bench_register(registry):
    registry.register("system", "model", Model())
"""


@pytest.fixture
def cli(command_line):
    """Run the command line where a plugin registers things; return its exit code, stdout and stderr."""
    return command_line(PLUGIN)


@pytest.fixture
def data(tmp_path):
    def write(name="data.jsonl", odd=None, count=4):
        lines = [
            {"id": n, "context": f"gold{n} and more", "answer": f"gold{n}"} | (odd or {}).get(n, {})
            for n in range(count)
        ]
        (tmp_path / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        return f"--dataset={name}"

    return write


def test_without_arguments_the_baselines_run_on_the_embedded_data(cli):
    code, out, err = cli("-n", "2", "-q")

    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[3:6]] == ["identity", "truncate:0.5", "extract:0.5"]
    assert err == ""


def test_progress_goes_to_stderr_and_the_result_alone_to_stdout(cli, data):
    code, out, err = cli(data(), "--system=identity", "--output=json")

    assert code == 0
    assert EvalResult.from_json(out).summary["identity"]["n"] == 4
    assert "identity" in err


def test_several_data_sets_and_systems_are_broken_down_and_ranked(cli, data):
    _, out, _ = cli(
        data("one.jsonl"), data("two.jsonl"), "--system=identity", "--system=truncate", "--output=json", "-q"
    )

    figures = json.loads(out)["summary"]["identity"]
    assert {"dataset:one", "dataset:two", "pareto_rank"} <= figures.keys()


def test_a_plugin_registers_data_sets_and_systems(cli):
    code, out, _ = cli("--plugin=mine", "--dataset=imported", "--system=model", "--output=jsonl", "-q")

    assert code == 0
    assert json.loads(out)["scores"]["exact_match"] == 1.0


def test_what_a_plugin_registers_runs_where_no_system_is_named(cli):
    _, out, _ = cli("--plugin=mine", "--dataset=imported", "--output=jsonl", "-q")

    assert json.loads(out)["system"] == "model"


def test_a_registration_ends_with_the_run(cli):
    cli("--plugin=mine", "--dataset=imported", "-q")

    assert cli("--dataset=data.jsonl", "--system=model")[0] == 2


@pytest.mark.parametrize(
    ("gates", "code"),
    [
        (["--gate=pass_rate>=0.5"], 0),
        (["--gate=mean_score<0.5"], 1),
        (["--min-pass-rate=1"], 0),
        (["--min-mean-score=1", "--threshold=1"], 0),
    ],
)
def test_gates_decide_the_exit_code(gates, code, cli, data):
    found, out, _ = cli(data(), "--plugin=mine", "-q", *gates)

    assert found == code
    assert ("FAIL" if code else "PASS") in out


def test_an_error_is_not_silent(cli, data):
    run = [data(odd={1: {"raises": "down"}}), "--plugin=mine", "-q"]

    code, out, _ = cli(*run)
    assert code == 1
    assert "ERROR  model-data-1: RuntimeError: down" in out
    assert cli(*run, "--max-errors=1")[0] == 0
    assert cli(*run, "--max-errors=10%")[0] == 1


def test_an_interrupt_reports_what_was_measured(cli, data):
    code, out, _ = cli(
        data(odd={2: {"interrupts": True}}), "--plugin=mine", "-q", "--output=json", "--gate=pass_rate>=0.1"
    )

    result = json.loads(out)
    assert code == 130
    assert len(result["rows"]) == 2
    assert result["config"]["partial"]
    assert result["verdicts"][0]["status"] == "PARTIAL"


MISTAKES = {
    "unknown option": (["--datasett=x"], ["unknown option '--datasett=x'", "'--dataset'"]),
    "unknown command": (["datasetts"], ["unknown command 'datasetts'", "'datasets'"]),
    "unknown data set": (["--dataset=needel"], ["unknown data set 'needel'", "'needle'"]),
    "unknown system": (["--system=identiti"], ["'identity'"]),
    "argument too many": (["run", "again"], ["unexpected argument 'again'"]),
    "the plugin's flag": (
        ["--context-bench-seed=1"],
        ["unknown option '--context-bench-seed=1'", "'--seed'"],
    ),
    "no baseline": (["baseline", "show", "main"], ["make one with --save main"]),
    "baseline unnamed": (["--require-baseline"], ["--require-baseline without", "with --baseline\n"]),
    "unknown output": (["--output=jsn"], ["unknown output 'jsn'", "'json'"]),
    "no value": (["--dataset"], ["--dataset", "expected one argument"]),
    "no number": (["-n", "few"], ["--max-examples", "'few'"]),
    "no share": (["--threshold=90"], ["--threshold", "90"]),
    "no gate": (["--gate=pass_rate"], ["'pass_rate'"]),
    "unknown metric": (["--gate=pas_rate>=1"], ["pas_rate", "'pass_rate'"]),
    "half a judge": (["--judge-url=http://127.0.0.1:1"], ["--judge-model"]),
    "broken plugin": (["--plugin=nowhere"], ["plugin 'nowhere' failed", "ModuleNotFoundError"]),
    "unknown data set to show": (["datasets", "show", "hotpot"], ["'hotpotqa'"]),
    "unknown category": (["datasets", "--category=q"], ["unknown category 'q'", "qa"]),
    "unknown subcommand": (["datasets", "shwo"], ["datasets shwo", "datasets show"]),
    "nothing to show": (["datasets", "show"], ["required"]),
}


@pytest.mark.parametrize(("arguments", "told"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line_that_names_it(arguments, told, cli):
    code, out, err = cli(*arguments)

    assert code == 2
    assert out == ""
    assert err.startswith("context-bench: error: ")
    assert err.count("\n") == 1
    assert [word for word in told if word not in err] == []


def test_code_is_not_run_unasked(cli, tmp_path):
    example = {"id": 1, "context": "", "test": "def check(f):\n    assert f() == 1", "entry_point": "f"}
    (tmp_path / "code.jsonl").write_text(json.dumps(example))

    code, _, err = cli("--dataset=code.jsonl")

    assert code == 2
    assert "allow-code-execution" in err


def test_every_data_set_is_listed_with_its_facts(cli):
    code, out, _ = cli("datasets")

    listed = {line.split()[0]: line for line in out.splitlines()[1:]}
    assert code == 0
    assert listed.keys() == BUILT_IN.keys()
    assert "7405" in listed["hotpotqa"]
    assert "hotpotqa/hotpot_qa" in listed["hotpotqa"]


def test_a_category_is_listed_alone_and_as_json(cli):
    _, out, _ = cli("datasets", "--category=code", "--json")

    assert {"humaneval", "mbpp"} == {line["name"] for line in json.loads(out)}


def test_a_data_set_is_shown_with_its_first_examples(cli, data):
    _, out, _ = cli("datasets", "show", "needle:log", "-n", "2")

    assert out.count("\nid: ") == 2
    assert "characters)" in out
    data()
    assert "gold0" in cli("datasets", "show", "data.jsonl")[1]


def test_configs_and_splits_are_shown(cli, hub):
    case = json.loads(
        (Path(__file__).parent / "cases" / "datasets" / "gsm8k.json").read_text(encoding="utf-8")
    )
    hub.add(BUILT_IN["gsm8k"].source.repo, case["files"])

    _, out, _ = cli("datasets", "show", "gsm8k")
    assert "configs: main, socratic\nsplits: train, test\n" in out


def test_an_example_is_shown_whole_as_json(cli, data):
    data()
    _, out, _ = cli("datasets", "show", "data.jsonl", "--json")

    assert json.loads(out)["examples"][0]["answer"] == "gold0"


@pytest.mark.parametrize(
    "command", [["context-bench"], [sys.executable, "-m", "pytest_context_bench"]], ids=["script", "module"]
)
def test_both_commands_are_there(command, tmp_path):
    if command[0] == "context-bench":
        command = [str(__import__("pathlib").Path(sys.executable).with_name("context-bench"))]
    done = subprocess.run([*command, "datasets"], capture_output=True, text=True, cwd=tmp_path, check=True)

    assert "hotpotqa" in done.stdout


def test_a_reader_that_closes_early_is_no_error(tmp_path):
    done = subprocess.run(
        f"{sys.executable} -m pytest_context_bench datasets --json | head -c 1",
        capture_output=True,
        shell=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )

    assert done.stderr == ""


@pytest.mark.parametrize(("group", "commands"), [("cache", "stats|prune"), ("baseline", "list|show|accept")])
def test_a_group_of_commands_has_help(group, commands, cli):
    for flag in ("-h", "--help"):
        code, out, _ = cli(group, flag)

        assert code == 0
        assert f"context-bench {group} {commands}" in out


def test_the_command_run_may_be_named(cli):
    assert cli("run", "-n", "1", "-q", "--output=json")[0] == 0


def test_a_missing_baseline_is_told_with_the_flags_there_are(cli, data):
    _, out, _ = cli(data(), "--plugin=mine", "-q", "--baseline=main", "--gate=pass_rate>=baseline")

    assert out.count("make one with --save") == 2
    assert "--context-bench" not in out


def test_help_tells_every_option_and_the_exit_codes(cli, capsys):
    with pytest.raises(SystemExit) as left:
        cli("--help")

    out = capsys.readouterr().out
    assert left.value.code == 0
    assert [word for word in ("--dataset", "-n", "--output", "--gate", "130") if word not in out] == []


class TestCache:
    def test_it_is_shown_and_shortened(self, cli, data):
        cli(data(), "--plugin=mine", "--cache-dir=kept", "-q")

        _, out, _ = cli("cache", "stats", "kept")
        assert [line.split()[:3] for line in out.splitlines()[1:]] == [
            ["outputs", "model", "4"],
            ["scores", "answer_quality", "4"],
        ]
        assert cli("cache", "prune", "kept", "--older-than=1d")[1] == "0 entries taken out\n"
        assert cli("cache", "prune", "kept", "--name=model")[1] == "4 entries taken out\n"
        assert cli("cache", "prune", "kept", "--all")[1] == "4 entries taken out\n"

    def test_what_is_old_goes(self, cli, data, tmp_path):
        import sqlite3

        cli(data(), "--plugin=mine", "--cache-dir=kept", "-q")
        with sqlite3.connect(tmp_path / "kept" / "context-bench.sqlite3") as connection:
            connection.execute("UPDATE outputs SET made = made - 7200 WHERE rowid <= 3")
        connection.close()

        assert cli("cache", "prune", "kept", "--older-than=1.5h")[1] == "3 entries taken out\n"

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["stats", "nowhere"], "there is no cache"),
            (["stats"], "required"),
            (["prune", "nowhere"], "--older-than AGE, --name NAME, or --all"),
            (["prune", "nowhere", "--older-than=soon"], "30d"),
            (["prine"], "cache prune"),
            ([], "cache stats"),
        ],
    )
    def test_mistakes_are_told(self, arguments, told, cli, tmp_path):
        code, _, err = cli("cache", *arguments)

        assert code == 2
        assert told in err
        assert not (tmp_path / "nowhere").exists()
