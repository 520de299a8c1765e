"""Whole runs that make calls ahead, in turn, within a budget, again, and not twice."""

import time

import pytest
from runs import REPORT, SUITE, assert_usage_error, counted, id_of, said

DATA = "--context-bench-dataset=data.jsonl"


def without_times(result):
    rows = [{key: value for key, value in row.items() if key != "latency"} for row in result["rows"]]
    summary = {
        system: {key: value for key, value in figures.items() if not key.startswith("latency")}
        for system, figures in result["summary"].items()
    }
    return rows, summary, result["notes"], result["verdicts"]


class TestAhead:
    def test_calls_are_made_at_once_and_each_once(self, bench, model, examples, saved):
        run = bench(DATA, "--context-bench-max-workers=8", examples(30, takes=0.01) and REPORT)

        assert run.ret == 0
        assert sorted(map(int, model())) == list(range(1, 31))
        assert 4 <= model.most() <= 8

    def test_results_are_those_of_one_by_one(self, bench, model, examples, saved):
        examples(20, odd={3: {"raises": "down"}, 7: {"answer": "other", "response": "x"}})
        results = []
        for workers in ("1", "8"):
            bench(DATA, f"--context-bench-max-workers={workers}", "--context-bench-max-errors=2", REPORT)
            results.append(without_times(saved()))

        assert results[0] == results[1]

    def test_an_exception_fails_its_own_test_with_its_own_traceback(self, bench, model, examples):
        examples(6, odd={3: {"raises": "the model is down"}})
        run = bench(DATA, "--context-bench-max-workers=4")

        assert counted(run) == {"failed": 1, "passed": 5}
        run.stdout.fnmatch_lines(["*RuntimeError: the model is down*"])

    def test_x_stops_at_the_failing_test_and_not_far_ahead(self, bench, model, examples, saved):
        examples(100, odd={2: {"raises": "down"}})
        run = bench(DATA, "--context-bench-max-workers=2", "-x", REPORT)

        assert counted(run) == {"failed": 1, "passed": 1}
        assert len(saved()["rows"]) == 2
        assert len(model()) <= 2 + 2 * 2 + 2

    @pytest.mark.parametrize(
        "mark", ["skip", "skipif(True, reason='no')", "xfail(run=False)"], ids=["skip", "skipif", "xfail"]
    )
    def test_no_call_is_made_for_a_test_that_does_not_run(self, mark, bench, model, examples, pytester):
        examples(8)
        pytester.makepyfile(f"""
import pytest

@pytest.mark.{mark}
@pytest.mark.context_bench(dataset="data.jsonl")
def test_one(context_bench):
    context_bench.run()
""")
        bench("--context-bench-max-workers=4")

        assert model() == []

    def test_deselected_pairs_are_not_called(self, bench, model, examples):
        bench(DATA, examples(8) and "--context-bench-max-workers=4", "-k", "data-3 or data-5")

        assert sorted(model()) == ["3", "5"]

    def test_a_test_that_changes_its_example_gets_what_it_asked_for(self, bench, model, examples, pytester):
        examples(4)
        pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl")
def test_one(context_bench):
    context_bench.example["answer"] = "changed"
    row = context_bench.run()
    assert context_bench.process()["response"] == "changed"
""")
        assert bench("--context-bench-max-workers=4").ret == 0

    def test_tests_that_never_run_their_pair_do_not_stand_in_the_way(self, bench, model, examples, pytester):
        examples(30)
        pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl")
def test_one(context_bench):
    context_bench.record(f1=1.0)
""")
        run = bench("--context-bench-max-workers=2")

        assert counted(run) == {"passed": 30}

    def test_two_hundred_slow_calls_take_little_more_than_they_must(self, bench, model, examples):
        examples(200, takes=0.05)
        bench(DATA, "--context-bench-max-workers=2", "-k", "data-1]")  # what a first run imports
        started = time.monotonic()
        run = bench(DATA, "--context-bench-max-workers=32", "-q")

        assert run.ret == 0
        assert time.monotonic() - started < 5  # one by one: more than 10; benchmarks/ahead.py tells the ratio

    def test_xdist_workers_make_the_call_of_the_next_test(self, bench, model, examples, saved):
        examples(12)
        run = bench(DATA, "-n2", "--context-bench-max-workers=4", REPORT)

        assert run.ret == 0
        assert len(saved()["rows"]) == 12
        assert sorted(map(int, model())) == list(range(1, 13))

    def test_async_systems_wait_together(self, bench, examples, pytester, saved):
        pytester.makeconftest("""
import asyncio

class Slow:
    name = "slow"
    async def process(self, example):
        await asyncio.sleep(0.01)
        return {"response": example["answer"]}

def pytest_context_bench_register(registry):
    registry.register("system", "slow", Slow())
""")
        run = bench(DATA, examples(20) and "--context-bench-max-workers=10", REPORT)

        assert run.ret == 0
        assert saved()["summary"]["slow"]["mean_score"] == 1.0

    def test_the_header_says_what_is_best(self, bench, model, examples):
        run = [DATA, examples() and "--context-bench-max-workers=4"]

        assert "4 calls at once, best where they wait for an API" in said(bench(*run))
        assert "leave out -n where calls wait" in said(bench(*run, "-n2"))
        assert "at once" not in said(bench(DATA))


class TestBudget:
    def test_the_run_is_partial_once_it_is_spent(self, bench, model, examples, saved, alone_or_not):
        examples(10)
        run = bench(
            DATA, "--context-bench-max-tokens=40", "--context-bench-min-pass-rate=0.1", REPORT, *alone_or_not
        )

        assert run.ret == 1
        assert len(saved()["rows"]) == 4
        assert saved()["config"]["partial"]
        assert saved()["verdicts"][0]["status"] == "PARTIAL"
        assert "partial: 4 of 10 pairs have a row: the budget" in said(run)

    def test_a_rate_spaces_the_calls(self, bench, model, examples):
        started = time.monotonic()
        bench(DATA, examples(6) and "--context-bench-rate=20/s", "--context-bench-max-workers=6")

        assert time.monotonic() - started >= 5 / 20

    @pytest.mark.parametrize(
        "option",
        [
            "rate=5", "rate=0/s", "max-tokens=0", "max-tokens=-1", "max-cost=nan", "price=1", "repeats=0",
            "max-workers=0", "cache=onyl",
        ],
    )  # fmt: skip
    def test_what_is_none_is_told_before_anything_runs(self, option, bench, model, examples):
        examples()
        name, _, value = option.partition("=")

        assert_usage_error(bench(DATA, f"--context-bench-{option}"), f"--context-bench-{name}", value)
        assert model() == []


class TestRepeats:
    def test_each_is_a_test_of_its_own(self, bench, model, examples, saved, alone_or_not):
        run = bench(DATA, examples(2) and "--context-bench-repeats=3", REPORT, "-v", *alone_or_not)

        assert counted(run)["passed"] == 6
        assert id_of("model", example="1-r2") in said(run)
        assert [(row["example_id"], row["repeat"]) for row in saved()["rows"]] == [
            (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)
        ]  # fmt: skip

    def test_an_example_of_that_name_is_told_apart(self, bench, model, examples):
        run = bench(DATA, examples(ids=["1", "1-r2"]) and "--context-bench-repeats=2")

        assert counted(run)["passed"] == 4


class TestCache:
    def test_a_second_run_calls_nothing(self, bench, model, examples, saved, alone_or_not):
        examples(6)
        run = [DATA, "--context-bench-cache-dir=kept", REPORT, *alone_or_not]
        bench(*run)
        first = saved()
        second = bench(*run)

        assert len(model()) == 6
        assert without_times(saved())[1] == without_times(first)[1]
        assert [row["latency"] for row in saved()["rows"]] == [row["latency"] for row in first["rows"]]
        assert "6 of 6 outputs are from the cache" in said(second)

    def test_only_replays_and_a_miss_is_an_error(self, bench, model, examples):
        bench(DATA, examples(3) and "--context-bench-cache-dir=kept")
        examples(4)
        run = bench(DATA, "--context-bench-cache-dir=kept", "--context-bench-cache=only")

        assert counted(run) == {"passed": 3, "failed": 1}
        assert len(model()) == 3

    def test_refresh_does_all_anew(self, bench, model, examples):
        examples(3)
        for _ in range(2):
            bench(DATA, "--context-bench-cache-dir=kept", "--context-bench-cache=refresh")

        assert len(model()) == 6

    def test_calls_made_ahead_are_kept_too(self, bench, model, examples):
        examples(10)
        for _ in range(2):
            bench(DATA, "--context-bench-cache-dir=kept", "--context-bench-max-workers=4")

        assert len(model()) == 10

    def test_two_tests_of_one_pair_call_once_also_ahead(self, bench, model, examples, pytester, saved):
        pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl")
def test_one(context_bench):
    context_bench.run()

test_other = test_one
""")
        run = bench(
            "--context-bench-cache-dir=kept",
            examples(4, takes=0.02) and "--context-bench-max-workers=8",
            REPORT,
        )

        assert counted(run) == {"passed": 8}
        assert sorted(model()) == ["1", "2", "3", "4"]
        assert sum(row["metadata"].get("cached", False) for row in saved()["rows"]) == 4

    def test_errors_are_not_kept(self, bench, model, examples):
        examples(2, odd={1: {"raises": "down"}})
        for _ in range(2):
            bench(DATA, "--context-bench-cache-dir=kept")

        assert sorted(model()) == ["1", "1", "2"]

    def test_collecting_writes_nothing(self, bench, model, examples, pytester):
        bench(DATA, examples() and "--context-bench-cache-dir=kept", "--collect-only")

        assert not (pytester.path / "kept").exists()

    def test_a_system_that_cannot_be_told_from_another_is_refused(
        self, bench, examples, pytester, alone_or_not
    ):
        pytester.makeconftest("""
class Odd:
    name = "odd"
    def __init__(self):
        self.stream = iter([])
    def process(self, example):
        return {}

def pytest_context_bench_register(registry):
    registry.register("system", "odd", Odd())
""")
        run = bench(DATA, examples() and "--context-bench-cache-dir=kept", *alone_or_not)

        assert_usage_error(run, "system 'odd' cannot be cached", "cache_key")

    def test_a_folder_that_cannot_be_used_is_told(self, bench, model, examples, pytester, alone_or_not):
        pytester.path.joinpath("kept").write_text("a file")

        run = bench(DATA, examples() and "--context-bench-cache-dir=kept", *alone_or_not)

        assert_usage_error(run, "cache", "kept")
        assert model() == []


def test_the_zero_code_test_needs_no_more_than_names(bench, model, examples):
    assert f"{SUITE}[model-data-1]" in said(bench(DATA, examples() and "--co", "-q"))
