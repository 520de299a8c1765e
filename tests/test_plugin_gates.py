"""Metrics and gates as a run judges them: boundaries, errors, thresholds, and what is not green."""

import json

import pytest
from runs import PUPPET, REPORT, SUITE, assert_usage_error, counted, id_of, said

DATA = "--context-bench-dataset=data.jsonl"
IDENTITY = "--context-bench-system=identity"
WRONG = {"response": "wrong"}
FAILS = {"raises": "no answer"}


@pytest.fixture
def puppet(pytester, bench, examples):
    """Run examples whose fields tell the system what to do; *odd* are those of single ones, by position."""

    def run(count, odd, *flags):
        pytester.makeconftest(PUPPET)
        examples(count, odd=odd)
        return bench(DATA, REPORT, *flags)

    return run


def verdicts(outcome):
    """Return the lines of the gates."""
    return [line for line in outcome.outlines if line.startswith(("PASS", "FAIL", "PARTIAL"))]


@pytest.mark.parametrize(
    ("gate", "ret"),
    [
        ("mean_score>=0.6", 0),
        ("mean_score>=0.7", 1),
        ("pass_rate>=0.6", 0),
        ("pass_rate>0.6", 1),
        ("errors<=2", 0),
    ],
)
def test_errors_are_no_passes_and_zeros_in_means(puppet, saved, gate, ret):
    odd = {2: FAILS, 5: FAILS, 7: WRONG, 8: WRONG}

    outcome = puppet(10, odd, "--context-bench-max-errors=2", f"--context-bench-gate={gate}")

    figures = saved()["summary"]["puppet"]
    assert (figures["mean_score"], figures["pass_rate"], figures["errors"]) == (0.6, 0.6, 2)
    assert outcome.ret == ret


@pytest.mark.parametrize(("wrong", "ret"), [(1, 0), (2, 1)])
def test_a_minimum_pass_rate_turns_exactly_at_its_bound(puppet, alone_or_not, wrong, ret):
    odd = dict.fromkeys(range(1, wrong + 1), WRONG)

    outcome = puppet(10, odd, "--context-bench-min-pass-rate=0.9", *alone_or_not)

    assert outcome.ret == ret
    assert counted(outcome) == {"passed": 10 - wrong, "below threshold": wrong} | (
        {"gate not met": 1} if ret else {}
    )


@pytest.mark.parametrize("name", ["min-mean-score", "min-pass-rate"])
@pytest.mark.parametrize("value", [0.1, 0.3, 0.7, 0.9, 1 / 3, 0.29])
def test_ten_rows_at_the_bound_meet_it(pytester, bench, examples, name, value):
    examples(10)
    pytester.makepyfile(f"def test_own(context_bench): context_bench.record(score={value!r})")

    outcome = bench(
        DATA, IDENTITY, f"--context-bench-{name}={value!r}", f"--context-bench-threshold={value!r}"
    )

    assert outcome.ret == 0, said(outcome)
    (line,) = verdicts(outcome)
    assert line.startswith("PASS")


@pytest.mark.parametrize(
    ("score", "bound"), [(0.6999, 0.7), (0.69999999, 0.7), (0.7 - 1e-16, 0.7), (0.7000001, 0.7000002)]
)
def test_what_is_printed_never_contradicts_the_verdict(pytester, bench, examples, score, bound):
    examples(1)
    pytester.makepyfile(f"def test_own(context_bench): context_bench.record(score={score!r})")

    outcome = bench(
        DATA,
        IDENTITY,
        f"--context-bench-min-mean-score={bound!r}",
        f"--context-bench-threshold={bound!r}",
        "-v",
    )

    assert outcome.ret == 1
    (line,) = verdicts(outcome)
    shown = float(line.split("identity ")[1].split()[0])
    assert shown < bound
    (below,) = [line for line in outcome.outlines if line.startswith("BELOW")]
    assert float(below.rpartition("=")[2]) < bound


def test_a_pair_below_the_threshold_is_shown_and_counted_but_does_not_fail(puppet, alone_or_not):
    outcome = puppet(4, {2: WRONG, 4: WRONG}, *alone_or_not)

    assert outcome.ret == 0
    assert counted(outcome) == {"passed": 2, "below threshold": 2}
    if not alone_or_not:
        outcome.stdout.fnmatch_lines(["context-bench .b.b *"])


def test_a_pair_below_the_threshold_is_named_in_a_verbose_run(puppet):
    outcome = puppet(2, {2: WRONG}, "-v")

    lines = [line for line in outcome.outlines if "BELOW (score=0.00)" in line]
    assert len(lines) == 1
    assert id_of("puppet", example=2) in lines[0]


def test_strict_fails_each_pair_below_the_threshold(puppet, saved):
    outcome = puppet(4, {2: WRONG, 3: FAILS}, "--context-bench-strict")

    assert outcome.ret == 1
    assert counted(outcome) == {"passed": 2, "failed": 2}
    assert "below the threshold: score=0.000 < 0.7" in said(outcome)
    assert [row["error"] for row in saved()["rows"]] == [None, None, "RuntimeError: no answer", None]


@pytest.mark.parametrize(
    ("budget", "errors", "ret"),
    [
        ("1", 1, 0),
        ("1", 2, 1),
        ("0", 1, 1),
        ("0", 0, 0),
        ("20%", 2, 0),
        ("20%", 3, 1),
        ("19.9%", 2, 1),
        ("0%", 1, 1),
    ],
)
def test_errors_are_tolerated_up_to_the_budget(puppet, budget, errors, ret):
    odd = dict.fromkeys(range(1, errors + 1), FAILS)

    outcome = puppet(10, odd, f"--context-bench-max-errors={budget}")

    assert outcome.ret == ret
    expected = {"errored": errors, "passed": 10 - errors, "gate not met": ret}
    assert counted(outcome) == {name: count for name, count in expected.items() if count}
    assert len([line for line in outcome.outlines if line.startswith("ERROR  ")]) == errors


def test_a_tolerated_error_is_shown_as_one(puppet, alone_or_not):
    outcome = puppet(2, {2: FAILS}, "--context-bench-max-errors=1", "-v", *alone_or_not)

    assert outcome.ret == 0
    assert "ERRORED (RuntimeError: no answer)" in said(outcome)


def test_errors_that_are_not_tolerated_fail_one_by_one(puppet, saved):
    outcome = puppet(5, {2: FAILS, 4: FAILS})

    assert outcome.ret == 1
    assert counted(outcome) == {"failed": 2, "passed": 3}
    assert [row["error"] for row in saved()["rows"]] == [None, FAILED, None, FAILED, None]
    assert saved()["summary"]["puppet"]["mean_score"] == 0.6


FAILED = "RuntimeError: no answer"


@pytest.mark.parametrize(
    ("gate", "problem"),
    [
        ("mean_score>=0@system=identiti", "unknown system 'identiti': did you mean 'identity'?"),
        ("mean_score>=0@dataset=date", "unknown data set 'date': did you mean 'data'?"),
        ("dataset:data>=0", "no row gives the metric 'dataset:data'"),
        ("pareto_rank>=0", "no row gives the metric 'pareto_rank'"),
    ],
)
def test_a_gate_over_what_the_run_does_not_have_is_not_met(bench, examples, gate, problem):
    examples()

    outcome = bench(DATA, IDENTITY, f"--context-bench-gate={gate}")

    assert outcome.ret == 1
    (line,) = verdicts(outcome)
    assert line.startswith("FAIL")
    assert problem in line


@pytest.mark.parametrize("name", ["mean_score", "pass_rate", "cost_of_pass"])
def test_a_gate_over_rows_without_the_score_is_not_met(bench, examples, name):
    examples(answer=None)

    outcome = bench(DATA, IDENTITY, f"--context-bench-gate={name}>=0")

    assert outcome.ret == 1
    (line,) = verdicts(outcome)
    assert "no row gives the metric" in line


@pytest.mark.parametrize("gate", ["mean_score>=0", "mean_score<=1", "mean_score<1"])
def test_a_gate_on_nan_is_not_met(pytester, bench, examples, gate, saved):
    examples(2)
    pytester.makepyfile("def test_own(context_bench): context_bench.record(score=float('nan'))")

    outcome = bench(DATA, IDENTITY, REPORT, f"--context-bench-gate={gate}")

    assert outcome.ret == 1
    assert verdicts(outcome)[0].endswith("identity nan (n=2)")
    assert saved()["summary"]["identity"]["mean_score"] is None


def test_a_gate_without_a_system_must_hold_for_every_one(bench, examples):
    examples()
    flags = [DATA, IDENTITY, "--context-bench-system=truncate:0.1"]

    each = bench(*flags, "--context-bench-gate=mean_score>=0.5")
    one = bench(*flags, "--context-bench-gate=mean_score>=0.5@system=identity")

    assert (each.ret, one.ret) == (1, 0)
    assert verdicts(each) == ["FAIL  mean_score >= 0.5: truncate:0.1 0.000 (n=4)"]
    assert verdicts(one) == ["PASS  mean_score >= 0.5 @ system=identity: identity 1.000 (n=4)"]


def test_a_gate_selects_a_system_and_a_data_set(pytester, bench, examples):
    pytester.makeconftest(PUPPET)
    examples(4)
    examples(2, name="hard.jsonl", **WRONG)

    outcome = bench(
        DATA,
        "--context-bench-dataset=hard.jsonl",
        IDENTITY,
        "--context-bench-system=puppet",
        "--context-bench-gate=mean_score==0 @ dataset=hard,system=puppet",
        "--context-bench-gate=mean_score==1@system=puppet,dataset=data",
        "--context-bench-gate=dataset:hard<=0 @ system=puppet",
        "--context-bench-gate=n==6",
    )

    assert outcome.ret == 0
    assert [line.rpartition("(")[2] for line in verdicts(outcome)] == ["n=2)", "n=4)", "n=6)", "n=6)"]


def test_all_deselected_is_exit_5_gate_or_not(bench, examples):
    examples()

    assert bench(DATA, "-k", "nothing").ret == 5
    outcome = bench(DATA, "-k", "nothing", "--context-bench-gate=n>=0")
    assert outcome.ret == 5
    assert verdicts(outcome) == ["FAIL  n >= 0: no rows"]


def test_all_deselected_is_exit_5_in_a_parallel_run(bench, examples):
    examples()

    assert bench(DATA, "-k", "nothing", "-n2").ret == 5


@pytest.mark.parametrize("where", ["command line", "ini file"])
def test_all_skipped_is_not_green_under_a_gate(pytester, bench, examples, where):
    examples()
    pytester.makepyfile(
        "import pytest\n@pytest.mark.skip\ndef test_own(context_bench): context_bench.run()\n"
    )
    flags = ["--context-bench-min-pass-rate=0"]
    if where == "ini file":
        pytester.makeini("[pytest]\ncontext_bench_min_pass_rate = 0\n")
        flags = []

    assert bench(DATA, IDENTITY).ret == (0 if where == "command line" else 1)
    outcome = bench(DATA, IDENTITY, *flags)

    assert outcome.ret == 1
    assert verdicts(outcome) == ["FAIL  pass_rate >= 0: no rows"]


def test_a_gate_in_an_ini_file_leaves_runs_without_benchmarks_alone(pytester, bench):
    pytester.makeini("[pytest]\ncontext_bench_min_pass_rate = 1\n")
    pytester.makepyfile("def test_unit(): pass")

    outcome = bench()

    assert outcome.ret == 0
    assert "context-bench:" not in said(outcome)
    assert "= context-bench =" not in said(outcome)


@pytest.mark.parametrize("content", ["", "\n\n", "[]"])
def test_an_empty_data_set_with_a_gate_is_not_green(pytester, bench, content):
    pytester.path.joinpath("data.jsonl").write_text(content)

    assert_usage_error(bench(DATA, "--context-bench-min-pass-rate=0"), "'data'", "no examples")


@pytest.mark.parametrize("flags", [("-x",), ("--maxfail=2",), ("-x", "-n2"), ("--maxfail=1", "-n2")])
def test_a_gate_does_not_pass_over_part_of_the_pairs(puppet, saved, flags):
    outcome = puppet(20, {3: FAILS, 4: FAILS, 5: FAILS}, "--context-bench-gate=errors<=20", *flags)

    assert outcome.ret in {1, 2}
    (verdict,) = saved()["verdicts"]
    assert verdict["status"] == "PARTIAL"
    assert saved()["config"]["partial"] is True
    rows = len(saved()["rows"])
    assert rows < 20
    assert f"partial: {rows} of 20 pairs have a row" in saved()["notes"]
    assert "(the run did not finish)" in verdicts(outcome)[0]


def test_a_gate_that_is_not_met_fails_over_part_of_the_pairs_too(puppet, saved):
    puppet(20, {3: FAILS}, "--context-bench-gate=errors<=0", "-x")

    assert [verdict["status"] for verdict in saved()["verdicts"]] == ["FAIL"]


@pytest.mark.parametrize("call", ["pytest.exit('enough', returncode=0)", "pytest.exit('enough')"])
def test_a_run_that_is_ended_early_is_not_green(pytester, bench, examples, saved, call):
    examples(4)
    pytester.makepyfile(
        f"""
        import pytest
        def test_own(context_bench):
            if context_bench.example["id"] == 3:
                {call}
            context_bench.run()
        """
    )

    outcome = bench(DATA, IDENTITY, REPORT, "--context-bench-gate=mean_score>=0.5")

    assert outcome.ret not in {0, 3}
    assert len(saved()["rows"]) == 2
    assert [verdict["status"] for verdict in saved()["verdicts"]] == ["PARTIAL"]


def test_pairs_that_were_deselected_do_not_make_a_run_partial(bench, examples, saved):
    examples(6)

    outcome = bench(DATA, IDENTITY, "-k", "data-1 or data-2", "--context-bench-gate=n==2", REPORT)

    assert outcome.ret == 0
    assert saved()["config"]["partial"] is False


def test_a_gate_turns_only_success_into_failure(pytester, bench, examples):
    examples(1)
    pytester.makepyfile("def test_own(context_bench): context_bench.run(); assert False")

    outcome = bench(DATA, IDENTITY, "--context-bench-gate=n==1")

    assert outcome.ret == 1
    assert verdicts(outcome)[0].startswith("PASS")


def test_costs_without_a_pass_are_infinite_and_rank_last(puppet, saved):
    puppet(2, {1: WRONG, 2: WRONG}, IDENTITY, "--context-bench-system=puppet")

    summary = saved()["summary"]
    assert summary["puppet"]["cost_of_pass"] is None
    assert summary["identity"]["pareto_rank"] < summary["puppet"]["pareto_rank"]
    assert saved()["non_finite"] == {
        "/summary/puppet/cost_of_pass": "Infinity",
        "/datasets/data/summary/puppet/cost_of_pass": "Infinity",
    }
    assert any("cost_of_pass of puppet is inf" in note for note in saved()["notes"])


def test_equal_systems_share_a_rank(bench, examples, saved):
    examples(2)

    bench(DATA, IDENTITY, "--context-bench-system=truncate:999", REPORT)

    assert {figures["pareto_rank"] for figures in saved()["summary"].values()} == {1.0}


def test_evaluators_that_contradict_each_other_are_an_error_of_the_pair(pytester, bench, examples, saved):
    pytester.makeconftest(
        """
        class Fixed:
            def __init__(self, name, value): self.name, self.value = name, value
            def score(self, original, processed): return {"mine": self.value}
        def pytest_context_bench_register(registry):
            registry.register("evaluator", "one", Fixed("one", 1))
            registry.register("evaluator", "other", Fixed("other", 0.5))
            registry.register("evaluator", "third", Fixed("third", True))
        """
    )

    outcome = bench(f"--context-bench-dataset={examples(1)}", IDENTITY, REPORT)

    assert outcome.ret == 1
    (row,) = saved()["rows"]
    for word in ("'one'", "'other'", "'mine'"):
        assert word in row["error"]


def test_latencies_leave_errors_out_and_percentiles_interpolate(pytester, bench, examples, saved):
    examples(20)
    pytester.makepyfile(
        "def test_own(context_bench):\n"
        "    row = context_bench.record(score=1)\n"
        "    row.latency = float(context_bench.example['id'])\n"
    )

    bench(DATA, IDENTITY, REPORT, "--context-bench-gate=latency_p95<=19.05")

    figures = saved()["summary"]["identity"]
    assert figures["latency_p95"] == pytest.approx(19.05)
    assert figures["latency_median"] == 10.5


def test_two_tests_of_one_pair_are_two_rows(pytester, bench, examples, saved):
    examples(2)
    pytester.makepyfile(
        "def test_one(context_bench): context_bench.run()\ndef test_two(context_bench): context_bench.run()\n"
    )

    bench(DATA, IDENTITY, REPORT, "--context-bench-gate=n==4").assert_outcomes(passed=4)

    assert len(saved()["rows"]) == 4


def test_what_a_run_lacks_is_said_beside_its_numbers(bench, examples):
    examples(4, odd={1: {"answer": None}, 2: {"answer": None}})

    outcome = bench(DATA, IDENTITY, "--context-bench-score-field=f11")

    assert outcome.ret == 0
    outcome.stdout.fnmatch_lines(
        [
            "note: no response from identity: scored on the context they return",
            "note: 4 of 4 rows have no 'f11': the scores are contains, exact_match, f1, recall, score",
        ]
    )


def test_the_numbers_of_every_report_are_the_same(puppet, pytester, saved):
    outcome = puppet(3, {2: WRONG}, "--context-bench-report=jsonl:rows.jsonl", "--junitxml=junit.xml", "-v")

    figures = saved()["summary"]["puppet"]
    (line,) = [line for line in outcome.outlines if line.startswith("puppet")]
    shown = [word for word in line.split() if not word.startswith("±")]
    assert shown[1:5] == ["3", "0", f"{figures['pass_rate']:.3f}", f"{figures['mean_score']:.3f}"]
    rows = [json.loads(line) for line in pytester.path.joinpath("rows.jsonl").read_text().splitlines()]
    assert rows == saved()["rows"]
    assert 'tests="3"' in pytester.path.joinpath("junit.xml").read_text()
    assert SUITE.partition("::")[0] in pytester.path.joinpath("junit.xml").read_text()
