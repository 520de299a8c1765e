"""What users add through hooks: systems, data sets, evaluators, metrics, and their own use of a result."""

import pytest
from runs import REPORT, assert_usage_error, registering, said

from pytest_context_bench.registry import registry

MINE = '"system", "mine", Named("mine")'
TICKETS = '"dataset", "tickets", lambda: [dict(id=at, context="gold", answer="gold") for at in range(3)]'
HALF = '"evaluator", "half", Named("half", half=0.5)'
SEVEN = '"metric", "seven", Named("seven", seven=7)'


def test_everything_that_is_registered_takes_part(pytester, bench, saved, dist):
    pytester.makeconftest(registering(MINE, TICKETS, HALF, SEVEN))

    outcome = bench("--context-bench-dataset=tickets", "--context-bench-gate=seven==7", REPORT, *dist)

    assert outcome.ret == 0
    rows = saved()["rows"]
    assert [(row["system"], row["dataset"], row["scores"]["half"], row["scores"]["f1"]) for row in rows] == [
        ("mine", "tickets", 0.5, 1.0)
    ] * 3
    assert saved()["summary"]["mine"]["seven"] == 7


@pytest.mark.parametrize("place", ["plugin", "root conftest"])
def test_a_plugin_registers_as_a_conftest_does(pytester, bench, examples, alone_or_not, place):
    source = registering(MINE, SEVEN)
    if place == "plugin":
        pytester.makepyfile(user_plugin=source)
        source = 'pytest_plugins = ["user_plugin"]'
    pytester.makeconftest(source)

    outcome = bench(f"--context-bench-dataset={examples()}", "--context-bench-gate=seven==7", *alone_or_not)

    outcome.assert_outcomes(passed=4)
    outcome.stdout.fnmatch_lines(["PASS  seven == 7: mine 7.000 (n=4)"])


@pytest.mark.parametrize("place", ["conftest", "module"])
def test_importing_a_file_may_register_too(pytester, bench, alone_or_not, place):
    register = """
        from pytest_context_bench.registry import register_dataset
        register_dataset("tickets", lambda: [dict(id=1, context="gold", answer="gold")])
        """
    pytester.makepyfile(
        test_own=f"""
        import pytest
        {register if place == "module" else ""}
        @pytest.mark.context_bench(dataset="tickets", systems="identity")
        def test_own(context_bench): context_bench.run()
        """
    )
    if place == "conftest":
        pytester.makeconftest(register)

    bench(*alone_or_not).assert_outcomes(passed=1)
    bench(*alone_or_not).assert_outcomes(passed=1)


def test_a_plugin_that_is_loaded_late_opens_its_run_as_well(pytester, bench, examples, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest('pytest_plugins = ["pytest_context_bench.plugin"]')
    pytester.makepyfile(
        """
        from pytest_context_bench.registry import registry
        def test_own(context_bench): context_bench.run()
        def test_registry(): registry.register("dataset", "leaving", list)
        """
    )
    examples(1)

    bench("-o", "context_bench_dataset=data.jsonl", "-o", "context_bench_system=identity").assert_outcomes(
        passed=2
    )

    assert "leaving" not in registry.added("dataset")


def below(pytester, conftest, test="def test_below(context_bench): context_bench.run()"):
    """Write a conftest.py that only collection finds, and a test beside it."""
    folder = pytester.mkdir("below")
    folder.joinpath("conftest.py").write_text(conftest)
    folder.joinpath("test_below.py").write_text(test)


def test_a_metric_registered_below_the_root_is_a_usage_error_in_every_mode(pytester, bench, dist):
    below(pytester, registering('"metric", "late", Named("late")'))

    outcome = bench(*dist)

    assert_usage_error(outcome, "metric 'late' is registered too late", "root conftest.py")


def test_a_system_registered_below_the_root_works_there(pytester, bench, alone_or_not):
    below(
        pytester,
        registering(MINE, TICKETS, HALF),
        """
import pytest
@pytest.mark.context_bench(dataset="tickets", systems=["mine"])
def test_below(context_bench): assert context_bench.run().scores["half"] == 0.5
""",
    )

    bench(*alone_or_not).assert_outcomes(passed=3)


@pytest.mark.parametrize("name", ["mine", "identity"], ids=["registered", "built in"])
def test_a_name_that_is_taken_is_a_usage_error(pytester, bench, name):
    pytester.makeconftest(registering(MINE, f'"system", "{name}", Named("{name}")'))

    assert_usage_error(bench(), f"two systems are named {name!r}")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('"sistem", "mine", Named("mine")', ["unknown kind 'sistem'", "did you mean 'system'?"]),
        ('"system", "", Named("mine")', ["the name of a system"]),
        ('"system", None, Named("mine")', ["the name of a system"]),
        ('"metric", "bad", 42', ["metric", "42", ".compute(rows)"]),
        ('"metric", "bad", Named', ["metric", "Named", ".compute(rows)"]),
        ('"evaluator", "bad", 42', ["evaluator", "42", ".score(original, processed)"]),
        ('"evaluator", "bad", Named', ["evaluator", "Named", ".score(original, processed)"]),
        ('"system", "bad", 42', ["system", "42", ".process(example)"]),
        ('"dataset", "bad", 42', []),
    ],
)
def test_what_cannot_be_registered_is_a_usage_error(pytester, bench, call, words):
    pytester.makeconftest(registering(call))
    pytester.makepyfile(
        """
        import pytest
        @pytest.mark.context_bench(max_examples=1)
        def test_any(context_bench): context_bench.run()
        """
    )

    outcome = bench(*(["--context-bench-dataset=bad"] if not words else []))

    assert_usage_error(outcome, *(words or ["data set 'bad'", "42 is not a loader"]))


FAILING = (
    'def pytest_context_bench_register(registry):\n    raise ValueError("no\\nkey sk-1234567890abcdefghij")\n'
)


def test_an_error_in_the_register_hook_is_one_line_with_its_place(pytester, bench, alone_or_not):
    pytester.makeconftest(FAILING)

    outcome = bench(*alone_or_not)

    assert_usage_error(
        outcome, "hook pytest_context_bench_register failed: ValueError: no key *** (conftest.py:2)"
    )


def test_an_error_in_the_register_hook_below_the_root_is_a_failed_collection(pytester, bench):
    below(pytester, FAILING)

    outcome = bench()

    assert outcome.ret in {1, 2}
    outcome.stdout.fnmatch_lines(["*ERROR collecting below*", "below/conftest.py:2: *"])
    assert "INTERNALERROR" not in said(outcome)


def test_a_loader_that_fails_is_one_line_with_its_place(pytester, bench, alone_or_not):
    pytester.makeconftest(
        """
        def load():
            yield dict(context="gold", answer="gold")
            raise OSError("no route to https://user:secret@host")
        def pytest_context_bench_register(registry):
            registry.register("dataset", "far", load)
        """
    )

    outcome = bench("--context-bench-dataset=far", *alone_or_not)

    assert_usage_error(
        outcome,
        "data set 'far': its loader failed: OSError: no route to https://***@host (conftest.py:3)",
    )


def test_a_loader_may_skip(pytester, bench, alone_or_not):
    pytester.makeconftest(
        """
        import pytest
        def load():
            pytest.importorskip("no_such_package")
        def pytest_context_bench_register(registry):
            registry.register("dataset", "far", load)
        """
    )

    outcome = bench("--context-bench-dataset=far", "-rs", *alone_or_not)

    assert outcome.ret == 5
    assert "INTERNALERROR" not in said(outcome)
    assert alone_or_not or "could not import 'no_such_package'" in said(outcome)


def test_a_failed_loader_of_a_users_test_is_one_line_too(pytester, bench):
    pytester.makeconftest(registering('"dataset", "far", lambda: 1 / 0'))
    pytester.makepyfile("def test_own(context_bench): context_bench.run()")

    outcome = bench("--context-bench-dataset=far")

    assert_usage_error(outcome, "'far'", "ZeroDivisionError: division by zero (conftest.py:")


def test_the_summary_hook_gets_the_result_once_after_the_gates(pytester, bench, examples, dist):
    pytester.makeconftest(
        """
        def pytest_context_bench_summary(result, config):
            statuses = [verdict.status for verdict in result.verdicts]
            print("\\nHOOK", len(result.rows), result.summary["identity"]["mean_score"], statuses)
        """
    )

    outcome = bench(
        f"--context-bench-dataset={examples()}",
        "--context-bench-system=identity",
        "--context-bench-gate=mean_score>1",
        *dist,
    )

    assert [line for line in outcome.outlines if line.startswith("HOOK")] == ["HOOK 4 1.0 ['FAIL']"]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ('raise ValueError("no upload")', "ValueError: no upload"),
        ('assert result.summary["identity"]["mean_score"] > 1', "AssertionError: assert 1.0 > 1"),
        ('pytest.fail("worse than before")', "Failed: worse than before"),
        ('pytest.skip("not today")', "Skipped: not today"),
    ],
)
def test_an_error_in_the_summary_hook_fails_the_build_but_loses_nothing(
    pytester, bench, examples, saved, statement, words
):
    pytester.makeconftest(f"import pytest\ndef pytest_context_bench_summary(result):\n    {statement}\n")

    outcome = bench(f"--context-bench-dataset={examples()}", "--context-bench-system=identity", REPORT)

    assert outcome.ret == 1
    outcome.stdout.fnmatch_lines(
        ["identity *", f"ERROR  hook pytest_context_bench_summary failed: {words} (conftest.py:3)"]
    )
    assert "INTERNALERROR" not in said(outcome)
    assert len(saved()["rows"]) == 4


def test_a_metric_that_fails_costs_its_own_figures_and_fails_the_build(pytester, bench, examples):
    pytester.makeconftest(
        """
        class Broken:
            name = "broken"
            def compute(self, rows):
                return {"broken": 1 / 0}
        def pytest_context_bench_register(registry):
            registry.register("metric", "broken", Broken())
        """
    )

    outcome = bench(f"--context-bench-dataset={examples()}", "--context-bench-system=identity")

    assert outcome.ret == 1
    outcome.stdout.fnmatch_lines(
        ["identity *", "ERROR  metric 'broken' failed on system 'identity': ZeroDivisionError: *"]
    )
    assert said(outcome).count("metric 'broken'") == 1


def test_rows_are_on_the_session_of_the_process_that_judges(pytester, bench, examples, dist):
    pytester.makeconftest(
        """
        import pytest, pytest_context_bench
        @pytest.hookimpl(wrapper=True)
        def pytest_sessionfinish(session):
            yield
            rows = session.stash.get(pytest_context_bench.rows_key, None)
            if rows:
                print("\\nROWS", sorted((nodeid, row.system, row.example_id) for nodeid, row in rows.items()))
        """
    )

    outcome = bench(f"--context-bench-dataset={examples(2)}", "--context-bench-system=identity", *dist)

    test = "context-bench::test_context_bench"
    assert [line for line in outcome.outlines if line.startswith("ROWS")] == [
        f"ROWS {[(f'{test}[identity-data-{at}]', 'identity', at) for at in (1, 2)]}"
    ]


def test_two_runs_in_one_process_do_not_see_each_other(pytester, bench, examples):
    pytester.makeconftest(registering(MINE, SEVEN))
    data = f"--context-bench-dataset={examples()}"
    first = bench(data, "--context-bench-gate=seven==7")
    again = bench(data, "--context-bench-gate=seven==7")
    pytester.makeconftest("")

    other = bench(data)

    first.assert_outcomes(passed=4)
    again.assert_outcomes(passed=4)
    other.stdout.fnmatch_lines(["identity *", "truncate:0.5 *", "extract:0.5 *"])
    assert "mine" not in said(other)
    assert_usage_error(bench(data, "--context-bench-gate=seven==7"), "unknown metric", "seven")
