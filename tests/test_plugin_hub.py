"""Whole runs on data sets by name, from the hub on loopback."""

import json
from pathlib import Path

import pytest
from runs import REPORT, assert_usage_error, said

from pytest_context_bench.datasets.table import BUILT_IN

CASES = Path(__file__).parent / "cases" / "datasets"


@pytest.fixture
def held(hub):
    """Put the records of data sets on the hub, as their case files have them."""

    def hold(*names):
        for name in names:
            case = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
            hub.add(BUILT_IN[name].source.repo, case["files"])
        return [f"--context-bench-dataset={name}" for name in names]

    return hold


def test_offline_ends_the_run_before_it_begins_where_nothing_is_cached(bench, hub):
    outcome = bench("--context-bench-dataset=mbpp@train", "--context-bench-offline")

    assert_usage_error(outcome, "data set 'mbpp", "not in the cache", "the run is offline")
    assert not hub.requests


def test_offline_reads_what_an_earlier_run_fetched(bench, held, hub):
    run = [*held("gsm8k"), "--context-bench-system=identity"]
    assert bench(*run).ret == 0
    hub.requests.clear()

    assert bench(*run, "--context-bench-offline").ret == 0
    assert not hub.requests


def test_offline_leaves_files_and_registered_loaders_alone(bench, examples):
    outcome = bench("--context-bench-dataset", examples(), "--context-bench-offline")

    assert outcome.ret == 0


MIXED = ("hotpotqa", "gsm8k", "mmlu", "humaneval", "ifeval")


def test_a_mixed_run_has_a_line_for_each_data_set_and_one_meaningful_mean(
    bench, held, saved, alone_or_not, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "80")
    outcome = bench(
        *held(*MIXED),
        "--context-bench-system=identity",
        "--context-bench-max-examples=1",
        "--context-bench-allow-code-execution",
        REPORT,
        *alone_or_not,
    )

    assert outcome.ret == 0
    figures = saved()["summary"]["identity"]
    parts = [figures[f"dataset:{name}"] for name in MIXED]
    assert figures["mean_score"] == pytest.approx(sum(parts) / len(MIXED))
    assert [f"|- {name}" in said(outcome) for name in MIXED] == [True] * len(MIXED)
    primaries = {row["dataset"]: BUILT_IN[row["dataset"]].primary for row in saved()["rows"]}
    assert [
        row["scores"]["score"] == row["scores"][primaries[row["dataset"]]] for row in saved()["rows"]
    ] == [True] * len(MIXED)


def test_the_report_says_which_data_sets_have_no_context(bench, held):
    run = [*held("hotpotqa", "gsm8k"), "--context-bench-max-examples=1"]

    assert "note: gsm8k has no context: the question stands for it" in said(bench(*run))


def test_a_registered_data_set_of_that_name_is_not_meant(bench, pytester):
    pytester.makeconftest("""
def pytest_context_bench_register(registry):
    registry.register("dataset", "gsm8k", lambda: [{"context": "a", "answer": "a"}], replace=True)
""")

    assert "no context" not in said(bench("--context-bench-dataset=gsm8k"))


class TestARowThatCannotBeRead:
    @pytest.fixture
    def broken(self, hub):
        """Put twenty rows on the hub of which the eighth has no result."""
        rows = [{"question": f"What is {n}?", "answer": f"so #### {n}"} for n in range(20)]
        rows[7]["answer"] = "no result"
        hub.add("openai/gsm8k", {"socratic/train-00000-of-00001.parquet": rows})
        return ["--context-bench-dataset=gsm8k:socratic@train", "--context-bench-system=identity", REPORT]

    def test_fails_its_own_test_and_names_row_and_column(self, bench, broken, saved, alone_or_not):
        run = bench(*broken, *alone_or_not)

        assert run.ret == 1
        assert len(saved()["rows"]) == 20
        (error,) = [row["error"] for row in saved()["rows"] if row["error"]]
        assert "data set 'gsm8k:socratic', split train, row 7: column 'answer'" in error

    @pytest.mark.parametrize("ahead", [[], ["--context-bench-max-workers=4"]], ids=["", "ahead"])
    def test_is_tolerated_where_errors_are(self, ahead, bench, broken, saved):
        run = bench(*broken, "--context-bench-max-errors=1", *ahead)

        assert run.ret == 0
        assert saved()["summary"]["identity"]["errors"] == 1
        assert "row 7" in said(run)
