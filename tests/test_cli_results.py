"""The commands on saved results: baseline, compare, merge and history."""

import json
import math
import random
import shlex
from pathlib import Path

import pytest
from engine_rows import row

from pytest_context_bench.history import sparkline, trend
from pytest_context_bench.metrics import default_metrics, summarize
from pytest_context_bench.results import EvalResult

MINE = """
import json
from pathlib import Path

class Model:
    name = "model"
    def process(self, example):
        wrong = json.loads(Path("wrong.json").read_text())
        return {"response": "no" if example["id"] in wrong else example["answer"]}

def pytest_context_bench_register(registry):
    registry.register("system", "model", Model())
"""
TWICE = """
    class Twice:
        name = "twice"
        def compute(self, rows):
            return {"twice": 2 * sum(row.scores["score"] for row in rows) / len(rows)}
    registry.register("metric", "twice", Twice())
"""
PART = "--shard=2/3"


def add(lines, folder):
    """Add *lines* to what the plugin registers."""
    with (folder / "mine.py").open("a") as file:
        file.write(lines)


@pytest.fixture
def cli(command_line):
    """Run the command line where a plugin has a system; return its exit code, stdout and stderr."""
    return command_line(MINE)


@pytest.fixture
def saved(cli, tmp_path):
    """Run on so many examples, so many of them answered wrongly, and save the result under a name."""

    def save(name, count=100, wrong=(), *flags, word="w"):
        words = [word if n == count // 2 else "w" for n in range(count)]
        lines = [
            json.dumps({"id": n, "context": "c", "question": "q", "answer": f"{each}{n}"})
            for n, each in enumerate(words)
        ]
        (tmp_path / "wrong.json").write_text(json.dumps(list(wrong)))
        (tmp_path / "data.jsonl").write_text("\n".join(lines))
        found = cli("--dataset=data.jsonl", "--plugin=mine", "-q", f"--report=json:{name}.json", *flags)
        return found[0]

    return save


class TestRun:
    def test_it_saves_a_baseline_and_is_judged_by_it(self, cli, saved, tmp_path):
        assert saved("one", 100, (), "--save=main") == 0
        assert saved("two", 100, range(20), "--baseline=main", "--gate=pass_rate>=baseline") == 1
        assert saved("three", 100, (), "--baseline=main", "--gate=pass_rate>=baseline") == 0

    def test_a_run_that_fails_saves_a_candidate(self, cli, saved, tmp_path):
        saved("one", 10, (), "--save=main", "--min-pass-rate=1")
        before = (tmp_path / ".context-bench" / "main.json").read_bytes()
        assert saved("two", 10, [1], "--save=main", "--min-pass-rate=1") == 1

        assert (tmp_path / ".context-bench" / "main.json").read_bytes() == before
        code, out, _ = cli("baseline", "list")
        assert (code, out) == (0, "main: 10 rows of model, a candidate waits to be accepted\n")
        assert cli("baseline", "accept", "main")[0] == 0
        assert "0.900" in cli("baseline", "show", "main")[1]

    def test_one_baseline_that_cannot_be_read_does_not_hide_the_others(self, cli, saved, tmp_path):
        saved("one", 10, (), "--save=main")
        saved("two", 10, (), "--save=new", "--gate=mean_score<0")
        (tmp_path / ".context-bench" / "broken.json").write_text("{]")
        code, out, _ = cli("baseline", "list")

        assert code == 0
        broken, main, new = out.splitlines()
        assert broken.startswith("broken: baseline '.context-bench/broken.json': result: not a saved result")
        assert main == "main: 10 rows of model"
        assert new == "new: no baseline yet, a candidate waits to be accepted"

    def test_what_cannot_be_accepted_is_told(self, cli, saved, tmp_path):
        saved("one", 10, (), "--save=main")
        (tmp_path / ".context-bench" / "broken.candidate.json").write_text("{]")

        for name, told in (("main", "candidates wait for broken"), ("broken", "not a saved result")):
            code, _, err = cli("baseline", "accept", name)
            assert code == 2
            assert told in err

    @pytest.mark.parametrize("name", ["main", "some where/main.json"])
    @pytest.mark.parametrize("folder", [".context-bench", "else where"])
    def test_the_command_that_accepts_a_candidate_is_told(self, name, folder, cli, saved, tmp_path):
        saved("one", 10)
        where = ["--dataset=data.jsonl", "--plugin=mine", "-q", f"--baseline-dir={folder}"]
        code, _, err = cli(*where, f"--save={name}", "--gate=mean_score<0")
        command = shlex.split(err[err.rindex("(") + 1 : err.rindex(")")])

        assert (code, command[0]) == (1, "context-bench")
        assert cli(*command[1:])[0] == 0
        assert cli(*where, f"--baseline={name}", "--require-baseline")[0] == 0

    def test_a_metric_that_fails_is_told_and_is_no_success(self, cli, saved, tmp_path):
        with (tmp_path / "mine.py").open("a") as file:
            file.write("""
    class Bad:
        name = "bad"
        def compute(self, rows):
            raise ValueError("cannot")
    registry.register("metric", "bad", Bad())
""")
        saved("one", 5)
        code, _, err = cli("--dataset=data.jsonl", "--plugin=mine", "-q", "--save=main")

        assert code == 1
        assert "error: metric 'bad' failed on system 'model': ValueError: cannot" in err
        assert "not saved as baseline 'main'" in err

    def test_what_must_pass_decides(self, cli, saved):
        assert saved("one", 10, [3], "--must-pass=3") == 1
        assert saved("one", 10, [3], "--must-pass=4") == 0

    @pytest.mark.parametrize("flag", ["--must-pass=@gone.txt", "--save=file/main.json", "--baseline=."])
    def test_what_would_be_missed_at_the_end_is_told_before_anything_runs(self, flag, cli, saved, tmp_path):
        (tmp_path / "file").write_text("")

        assert saved("one", 10, (), flag) == 2
        assert not (tmp_path / "one.json").exists()

    def test_a_baseline_that_is_required_is_missed(self, cli, saved):
        assert saved("one", 10, (), "--baseline=main", "--require-baseline") == 2


class TestCompare:
    def test_a_drop_fails_where_that_is_asked_for(self, cli, saved):
        saved("one")
        saved("two", 100, range(20))

        code, out, _ = cli("compare", "one.json", "two.json")
        assert code == 0
        assert "FAIL  mean_score >= baseline: model" in out
        assert cli("compare", "one.json", "two.json", "--fail")[0] == 1
        assert cli("compare", "two.json", "one.json", "--fail")[0] == 0
        assert cli("compare", "one.json", "one.json", "--fail")[0] == 0

    def test_other_gates_and_formats(self, cli, saved):
        saved("one")
        saved("two", 100, [1])

        code, out, _ = cli(
            "compare", "one.json", "two.json", "--fail", "--gate=mean_score>=baseline", "--output=json",
            "--gate-mode=noninferiority",
        )  # fmt: skip
        assert code == 1
        assert json.loads(out)["comparison"]["flips"][0]["example_id"] == 1

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [(["one.json"], "required"), (["one.json", "gone.json"], "there is no baseline 'gone.json'")],
        ids=["one alone", "missing"],
    )
    def test_mistakes_are_told(self, arguments, told, cli, saved):
        saved("one", 5)

        code, _, err = cli("compare", *arguments)
        assert code == 2
        assert told in err


class TestMerge:
    def shards(self, saved, parts=3):
        for part in range(1, parts + 1):
            saved(f"shard{part}", 60, [7, 8], f"--shard={part}/{parts}")
        return [f"shard{part}.json" for part in range(1, parts + 1)]

    def test_the_whole_is_what_one_run_would_have_given(self, cli, saved, tmp_path):
        saved("whole", 60, [7, 8])
        code, out, _ = cli("merge", *reversed(self.shards(saved)), "--output=json", "--min-pass-rate=0.9")

        whole = EvalResult.from_json((tmp_path / "whole.json").read_text())
        merged = EvalResult.from_json(out)
        assert code == 0
        latencies = {key for key in whole.summary["model"] if key.startswith("latency")}
        assert {key: value for key, value in merged.summary["model"].items() if key not in latencies} == {
            key: value for key, value in whole.summary["model"].items() if key not in latencies
        }
        assert {(row.example_id, row.scores["score"]) for row in merged.rows} == {
            (row.example_id, row.scores["score"]) for row in whole.rows
        }

    def test_baselines_of_shards_make_the_baseline_of_the_whole(self, cli, saved, tmp_path):
        saved("whole", 60, [7, 8], "--save=whole", "--dataset=needle:1k", "--max-examples=7")
        for part in (1, 2, 3):
            saved("one", 60, [7, 8], f"--save=part{part}", f"--shard={part}/3", "--dataset=needle:1k",
                  "--max-examples=7")  # fmt: skip
        gates = [f"--gate={key}==baseline" for key in ("mean_score", "pass_rate", "cost_of_pass", "n")]
        code, _, err = cli("merge", "part1", "part2", "part3", "--save=merged", "--baseline=whole", *gates)

        assert code == 0, err
        assert cli("compare", "whole", "merged", "--fail", *gates)[0] == 0
        whole, merged = (
            EvalResult.from_json((tmp_path / ".context-bench" / f"{name}.json").read_text())
            for name in ("whole", "merged")
        )
        assert {key: whole.config[key] for key in merged.config if key not in {"merged", "created"}} == {
            key: merged.config[key] for key in merged.config if key not in {"merged", "created"}
        }

    def test_a_metric_of_ones_own_takes_its_plugin(self, cli, saved, tmp_path):
        add(TWICE, tmp_path)
        files = self.shards(saved)
        gate = "--gate=twice>=1.9"

        assert cli("merge", *files, gate)[0] == 2
        code, out, _ = cli("merge", *files, gate, "--plugin=mine")
        assert (code, "PASS  twice >= 1.9: model 1.933 (n=60)" in out) == (0, True)
        code, out, _ = cli("compare", files[0], files[0], "--gate=twice>=baseline", "--fail", "--plugin=mine")
        assert (code, "PASS  twice >= baseline" in out) == (0, True)

    def test_its_gates_decide(self, cli, saved):
        assert cli("merge", *self.shards(saved), "--min-pass-rate=0.99")[0] == 1

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            (lambda files, saved: files.pop(), "shard 3 is missing"),
            (lambda files, saved: saved("shard2", 60, (), "--shard=3/3"), "are the same shard, 3/3"),
            (lambda files, saved: saved("shard2", 60, (), "--shard=2/4"), "different splits, into 3 and 4"),
            (lambda files, saved: saved("shard2", 60), "is no shard"),
            (lambda files, saved: saved("shard2", 60, (), PART, "--threshold=0.5"), "differ in threshold"),
            (lambda files, saved: saved("shard2", 60, (), PART, "--system=identity"), "different systems"),
            (lambda files, saved: double(files), "both hold example"),
            (lambda files, saved: drop(files), "the shards hold 59 of 60 examples"),
            (lambda files, saved: saved("shard2", 61, (), PART), "of data: 60 examples and 61 examples"),
            (lambda files, saved: saved("shard2", 60, (), PART, word="v"), "are of other examples of data"),
            (lambda files, saved: saved("shard2", 60, (), PART, "--repeats=2"), "differ in repeats"),
            (lambda files, saved: saved("shard2", 60, (), PART, "--max-examples=60"), "differ in max_"),
        ],
        ids=[
            "gap", "twice", "other split", "no shard", "other threshold", "other system", "duplicates",
            "a row is missing", "an example more", "an edited example", "repeats", "sample",
        ],
    )  # fmt: skip
    def test_what_is_not_one_run_is_refused(self, change, told, cli, saved, tmp_path):
        files = self.shards(saved)
        change(files, saved)

        code, out, err = cli("merge", *files)
        assert (code, out) == (2, "")
        assert told in err


def drop(files):
    """Take a row out of the second shard."""
    content = json.loads(Path(files[1]).read_text())
    Path(files[1]).write_text(json.dumps({**content, "rows": content["rows"][1:]}))


def double(files):
    """Make the second shard hold the rows of the first."""
    first, second = (json.loads(Path(file).read_text()) for file in files[:2])
    Path(files[1]).write_text(json.dumps({**second, "rows": first["rows"]}))


class TestHistory:
    def test_a_step_shows_where_it_came_and_noise_does_not(self, cli, saved, tmp_path):
        (tmp_path / "runs").mkdir()
        for number, wrong in enumerate([[1], [2], [1, 3], range(20), range(21), [1]]):
            saved(f"runs/r{number}", 100, wrong)

        code, out, _ = cli("history", "runs", "--metric=pass_rate")
        lines = out.splitlines()
        assert code == 0
        assert "first step down at r3" in lines[0]
        assert [line.split()[0] for line in lines if line.endswith("step down")] == ["r3"]
        assert [line.split()[0] for line in lines if line.endswith("step up")] == ["r5"]

    def test_runs_stand_in_the_order_of_their_numbers(self, cli, saved, tmp_path):
        for number in (1, 2, 10):
            saved(f"runs/r{number}", 5)

        _, out, _ = cli("history", "runs")
        assert [line.split()[0] for line in out.splitlines()[1:4]] == ["r1", "r2", "r10"]

    def test_a_metric_of_ones_own_moves_too_and_its_steps_take_the_plugin(self, cli, saved, tmp_path):
        add(TWICE, tmp_path)
        saved("runs/r1", 100)
        saved("runs/r2", 100, range(20))

        assert "█▁  steps take the metric itself (--plugin)" in cli("history", "runs", "--metric=twice")[1]
        assert "█▁  first step down at r2" in cli(
            "history", "runs", "--metric=twice", "--plugin=mine"
        )[1]  # fmt: skip

    def test_an_empty_folder_is_told(self, cli, tmp_path):
        code, _, err = cli("history", tmp_path)

        assert code == 2
        assert "a folder that holds saved results" in err

    @pytest.mark.parametrize(
        ("flag", "told"),
        [
            ("--metric=pass_rat", "unknown metric 'pass_rat': did you mean 'pass_rate'"),
            ("--system=modle", "'model'"),
        ],
    )
    def test_what_no_run_has_is_told(self, flag, told, cli, saved, tmp_path):
        (tmp_path / "runs").mkdir()
        saved("runs/one", 5)

        code, out, err = cli("history", "runs", flag)
        assert (code, out) == (2, "")
        assert told in err

    def test_a_sparkline_has_a_bar_a_run(self):
        assert sparkline([0.0, 0.5, 1.0, None, 0.0]) == "▁▅█ ▁"
        assert sparkline([0.5, 0.5]) == "▄▄"
        assert sparkline([None]) == " "
        assert sparkline([math.inf, 1.0, 2.0, math.nan, -math.inf]) == "█▁█ ▁"
        assert sparkline([math.inf]) == "▄"

    def test_figures_that_are_no_mean_have_steps_and_gaps(self):
        rng = random.Random(2)
        usual = [rng.lognormvariate(0, 0.5) for _ in range(200)]

        def run(factor, system="a"):
            latencies = [value * factor * rng.lognormvariate(0, 0.05) for value in usual]
            rows = [row(1.0, example_id=at, system=system, latency=each) for at, each in enumerate(latencies)]
            return EvalResult(rows, summarize(rows, default_metrics())[0])

        runs = [run(1), run(1), run(1, "b"), run(2), run(2), run(1)]
        points = trend([(str(at), one) for at, one in enumerate(runs)], "a", "latency_p95")

        assert [point.step for point in points] == [0, 0, 0, 1, 0, -1]
        assert [point.value is None for point in points] == [False, False, True, False, False, False]

    def test_equal_runs_rarely_show_a_step(self):
        rng = random.Random(1)

        def run():
            rows = [row(float(rng.random() < chance), example_id=at) for at, chance in enumerate(chances)]
            return EvalResult(rows, summarize(rows, default_metrics())[0])

        alarms = 0
        for _ in range(40):
            chances = [rng.betavariate(0.2, 0.1) for _ in range(60)]
            runs = [(str(number), run()) for number in range(10)]
            alarms += any(point.step for point in trend(runs, "a", "mean_score"))
        assert alarms <= 5  # of a true 5 %, more than 5 of 40 have a chance of 1.4 %
