"""Examples that have to pass, and runs of a part of the examples."""

import pytest
from runs import REPORT, assert_usage_error, said

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

    @pytest.mark.parametrize("content", [None, "", "# none\n"], ids=["absent", "empty", "comments"])
    def test_a_file_without_ids_is_no_promise(self, content, bench, data, pytester):
        if content is not None:
            (pytester.path / "must.txt").write_text(content)

        run = bench(DATA, data() and "--context-bench-must-pass=@must.txt")
        assert_usage_error(run, "--context-bench-must-pass", "must.txt")


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

    def test_a_part_that_holds_nothing_is_no_success(self, bench, examples):
        codes = [bench(DATA, examples(1) and f"--context-bench-shard={n}/4").ret for n in (1, 2, 3, 4)]

        assert sorted(codes) == [0, 4, 4, 4]

    @pytest.mark.parametrize("written", ["", "2", "0/2", "3/2", "1/0", "a/b", "-1/2", "1/2/3"])
    def test_what_is_no_part_is_told(self, written, bench, examples):
        run = bench(DATA, examples() and f"--context-bench-shard={written}")

        assert_usage_error(run, "--context-bench-shard")
