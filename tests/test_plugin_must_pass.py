"""Examples that have to pass, and runs of a part of the examples."""

import json
import os

import pytest
from runs import REPORT, assert_usage_error, id_of, said

from pytest_context_bench.cli import main

DATA = "--context-bench-dataset=data.jsonl"


@pytest.fixture
def data(examples):
    """Write ten examples of which the third is lost on the way."""
    return lambda count=10: examples(count, odd={3: {"context": "nothing"}})


class TestMustPass:
    def test_those_that_do_leave_the_build_green(self, bench, data, saved, alone_or_not):
        data()
        run = bench(
            DATA, "--context-bench-system=identity", "--context-bench-must-pass=1",
            "--context-bench-must-pass=data::7", REPORT, *alone_or_not,
        )  # fmt: skip

        assert run.ret == 0
        assert saved()["verdicts"][0]["status"] == "PASS"
        assert "PASS  must_pass of 2 examples: identity passes all" in said(run)

    def test_one_that_does_not_turns_it_red_whatever_the_mean(self, bench, data, alone_or_not):
        data()
        run = bench(
            DATA, "--context-bench-system=identity", "--context-bench-must-pass=3",
            "--context-bench-min-pass-rate=0.9", *alone_or_not,
        )  # fmt: skip

        assert run.ret == 1
        assert "PASS  pass_rate >= 0.9" in said(run)
        assert "FAIL  must_pass of 1 example: identity does not pass 3" in said(run)

    def test_a_file_names_many(self, bench, data, pytester):
        data()
        (pytester.path / "must.txt").write_text("# the ones we promised\n1\n\n 2 \n")

        run = bench(DATA, "--context-bench-system=identity", "--context-bench-must-pass=@must.txt")
        assert run.ret == 0
        assert "must_pass of 2 examples" in said(run)

    def test_one_that_did_not_run_is_not_one_that_passed(self, bench, data):
        run = bench(DATA, data() and "--context-bench-system=identity", "--context-bench-must-pass=33")

        assert run.ret == 1
        assert "unknown example '33': did you mean '3'?" in said(run)

    def test_a_marker_names_those_of_its_test(self, bench, data, pytester, saved):
        data()
        pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl", systems=["identity"], must_pass=[3])
def test_one(context_bench):
    context_bench.run()
""")
        assert bench(REPORT).ret == 1
        assert saved()["verdicts"][0]["test"].endswith("test_one")

    def test_a_file_may_hold_any_id_that_fits_a_line(self, bench, examples, pytester):
        ids = ["a::b", "x\u2028y", " padded ", "a,b", "日本"]
        examples(ids=ids)
        content = "\ufeff" + "".join(f"{one}\r\n" for one in ids) + "data::a::b"
        (pytester.path / "must.txt").write_bytes(content.encode())

        run = bench(DATA, "--context-bench-system=identity", "--context-bench-must-pass=@must.txt")
        assert run.ret == 0
        assert "PASS  must_pass of 6 examples: identity passes all (n=5)" in said(run)

    def test_a_file_is_read_once_and_from_where_it_was_named(self, bench, data, pytester):
        data()
        (pytester.path / "must.txt").write_text("1\n")
        (pytester.path / "sub").mkdir()
        test = pytester.path / "sub" / "test_one.py"
        test.write_text(f"""
import os, pytest

@pytest.mark.context_bench(dataset="{pytester.path}/data.jsonl", systems=["identity"], must_pass="@must.txt")
def test_one(context_bench):
    context_bench.run()
    if os.path.exists("../must.txt"):
        os.remove("../must.txt")
""")
        pytester.makeini("[pytest]\ncontext_bench_must_pass = @must.txt")
        os.chdir(pytester.path / "sub")

        run = bench("test_one.py")
        assert run.ret == 0
        assert said(run).count("PASS  must_pass of 1 example") == 2

    def test_an_example_has_to_pass_each_time_and_stands_once(self, bench, data):
        run = bench(
            DATA, data() and "--context-bench-system=identity", "--context-bench-must-pass=3",
            "--context-bench-repeats=3",
        )  # fmt: skip

        assert run.ret == 1
        assert "FAIL  must_pass of 1 example: identity does not pass 3" in said(run)
        assert "3, 3" not in said(run)

    def test_a_system_that_ran_none_of_them_says_nothing(self, bench, data, pytester):
        data()
        pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl", systems=["identity"])
def test_one(context_bench):
    context_bench.run()

@pytest.mark.context_bench(dataset="needle:1k", systems=["truncate"], max_examples=1)
def test_two(context_bench):
    context_bench.run()
""")
        assert "PASS  must_pass of 1 example: identity passes all (n=1)\n" in said(
            bench("--context-bench-must-pass=1")
        )

    def test_a_run_that_was_cut_short_does_not_take_an_id_for_a_mistake(self, bench, data):
        run = bench(
            DATA, data() and "--context-bench-system=identity", "--context-bench-must-pass=10",
            "--context-bench-strict", "-x",
        )  # fmt: skip

        assert run.ret == 1
        assert "PARTIAL  must_pass of 1 example: 1 did not run, as '10'" in said(run)

    def test_shards_leave_to_each_other_what_is_theirs(self, bench, data, saved):
        data()
        statuses = []
        for part in (1, 2, 3, 4):
            bench(
                DATA, "--context-bench-system=identity", "--context-bench-must-pass=3", REPORT,
                f"--context-bench-shard={part}/4",
            )  # fmt: skip
            statuses.append(saved()["verdicts"][0]["status"])

        assert sorted(statuses) == ["FAIL", "PASS", "PASS", "PASS"]

    def test_nothing_but_what_must_pass_is_not_green(self, bench, pytester):
        pytester.makepyfile("def test_unit(): pass")

        assert bench("--context-bench-must-pass=3").ret == 1

    @pytest.mark.parametrize("content", [None, "", "# none\n"], ids=["absent", "empty", "comments"])
    def test_a_file_without_ids_is_no_promise(self, content, bench, data, pytester):
        if content is not None:
            (pytester.path / "must.txt").write_text(content)

        run = bench(DATA, data() and "--context-bench-must-pass=@must.txt")
        assert_usage_error(run, "--context-bench-must-pass", "must.txt")


def _steady(summary):
    """Return the figures that no clock has a part in."""
    return {
        system: {key: value for key, value in figures.items() if not key.startswith("latency")}
        for system, figures in summary.items()
    }


class TestShards:
    def test_the_parts_are_all_and_share_nothing(self, bench, examples, saved, alone_or_not):
        examples(30)
        parts = []
        for part in (1, 2, 3):
            run = [DATA, "--context-bench-system=identity", f"--context-bench-shard={part}/3", REPORT]
            assert bench(*run, *alone_or_not).ret == 0
            parts.append([row["example_id"] for row in saved()["rows"]])
            assert saved()["config"]["shard"] == f"{part}/3"

        assert all(parts)
        assert sorted(one for part in parts for one in part) == list(range(1, 31))

    def test_together_they_are_the_whole_run(self, bench, data, saved, pytester, alone_or_not, capsys):
        data(12)
        both = [DATA, "--context-bench-dataset=needle:1k", "--context-bench-max-examples=12", *alone_or_not]
        bench(*both, REPORT)
        whole = saved()
        for part in (1, 2):
            bench(*both, f"--context-bench-shard={part}/2", f"--context-bench-report=json:s{part}.json")
        capsys.readouterr()
        code = main(["merge", "s1.json", "s2.json", "--output=json", "--min-pass-rate=0.1"])

        merged = json.loads(capsys.readouterr().out)
        assert code == 0
        assert _steady(merged["summary"]) == _steady(whole["summary"])
        del whole["config"]["tests"]
        assert merged["config"] == {**whole["config"], "merged": 2}

    def test_one_of_selected_pairs_is_none_of_them(self, bench, data, saved, capsys):
        data()
        flags = [DATA, "--context-bench-system=identity"]
        for part in (1, 2):
            bench(*flags, f"--context-bench-shard={part}/2", f"--context-bench-report=json:s{part}.json")
        left = id_of(example=saved("s2.json")["rows"][0]["example_id"])
        bench(*flags, "--deselect", left, "--context-bench-shard=2/2", "--context-bench-report=json:s2.json")
        capsys.readouterr()

        assert main(["merge", "s1.json", "s2.json"]) == 2
        assert "s2.json is of selected pairs" in capsys.readouterr().err

    def test_a_part_that_holds_nothing_is_no_success(self, bench, examples):
        codes = [bench(DATA, examples(1) and f"--context-bench-shard={n}/4").ret for n in (1, 2, 3, 4)]

        assert sorted(codes) == [0, 4, 4, 4]

    @pytest.mark.parametrize("written", ["", "2", "0/2", "3/2", "1/0", "a/b", "-1/2", "1/2/3"])
    def test_what_is_no_part_is_told(self, written, bench, examples):
        run = bench(DATA, examples() and f"--context-bench-shard={written}")

        assert_usage_error(run, "--context-bench-shard")
