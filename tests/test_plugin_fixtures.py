"""The fixtures: a pair run whole or in steps, wrapped, overridden, parametrized on top, or taken bare."""

import pytest
from runs import PUPPET, REPORT, assert_usage_error, counted, run_ids, said

DATA = "--context-bench-dataset=data.jsonl"
IDENTITY = "--context-bench-system=identity"


@pytest.fixture
def rows(bench, saved):
    """Run the test's folder and return the rows of its report, and what was counted."""

    def run(*flags):
        outcome = bench(DATA, REPORT, *flags)
        return saved()["rows"], counted(outcome)

    return run


def test_the_fixture_makes_one_test_a_pair(pytester, bench, examples, dist):
    examples(3)
    pytester.makepyfile(
        test_own="""
        import pytest

        @pytest.mark.context_bench(dataset="data.jsonl", systems=["identity", "truncate:999"])
        def test_own(context_bench):
            row = context_bench.run()
            assert row.system == context_bench.system.name
            assert row.example_id == context_bench.example["id"]
            assert row.dataset == context_bench.dataset == "data"
            assert row.scores["f1"] == row.scores["score"] == 1.0
            assert row.error is None

        def test_other():
            pass
        """
    )

    outcome = bench("-v", *dist)

    outcome.assert_outcomes(passed=7)
    outcome.stdout.fnmatch_lines(["*test_own.py::test_own?truncate:999-data-3?*"])


def test_the_steps_make_the_row_that_run_makes(pytester, examples, rows):
    examples(2, response="gold1", metadata={"model": "m"})
    pytester.makeconftest(PUPPET)
    pytester.makepyfile(
        test_run="def test_run(context_bench): context_bench.run()",
        test_steps="""
        def test_steps(context_bench):
            output = context_bench.process()
            assert output["answer"] == context_bench.example["answer"]
            scores = context_bench.score(output)
            row = context_bench.record(**scores)
            assert row.latency > 0
            assert row.scores == scores
        """,
    )

    found, _ = rows()

    for row in found:
        del row["latency"]
    assert found[:2] == found[2:]
    assert [row["scores"]["score"] for row in found] == [1.0, 0.0, 1.0, 0.0]
    assert found[0]["metadata"] == {"model": "m"}


@pytest.mark.parametrize(
    ("statements", "scores"),
    [
        ("record(f1=0.5)", {"f1": 0.5, "score": 0.5}),
        ("record(mine=True)", {"mine": 1.0, "score": 1.0}),
        ("record(f1=0.5); record(f1=0.9)", {"f1": 0.9, "score": 0.9}),
        ("record(a=0.1); record(b=0.2)", {"a": 0.1, "b": 0.2, "score": 0.1}),
        ("record(a=0.1, score=0.3)", {"a": 0.1, "score": 0.3}),
        ("record(a=0.1, score=0.3); record(a=0.2)", {"a": 0.2, "score": 0.3}),
        ("record(a=None, b=0.4)", {"b": 0.4, "score": 0.4}),
        ("record()", {}),
    ],
)
def test_recorded_scores_add_up(pytester, examples, rows, statements, scores):
    examples(1)
    calls = "; ".join(f"context_bench.{call}" for call in statements.split("; "))
    pytester.makepyfile(f"def test_own(context_bench): {calls}")

    found, _ = rows(IDENTITY)

    assert [row["scores"] for row in found] == [scores]


def test_what_is_recorded_after_a_run_is_added_to_it(pytester, examples, rows):
    examples(1, response="gold1", metadata={"model": "m"})
    pytester.makeconftest(PUPPET.replace("return {key", "return {'context': 'shorter than it was'} | {key"))
    pytester.makepyfile(
        """
        import copy
        def test_own(context_bench):
            before = copy.deepcopy(context_bench.run())
            after = context_bench.record(politeness=0.25)
            assert after.latency == before.latency > 0
            assert after.output_tokens == before.output_tokens
            assert after.metadata == before.metadata == {"model": "m"}
            assert after.scores == {**before.scores, "politeness": 0.25}
        """
    )

    _, outcomes = rows()

    assert outcomes == {"passed": 1}


def test_a_score_alone_records_nothing(pytester, examples, bench):
    examples(1)
    pytester.makepyfile("def test_own(context_bench): context_bench.score({'response': 'gold1'})")

    outcome = bench(DATA, IDENTITY)

    outcome.assert_outcomes(failed=1)


@pytest.mark.parametrize("take", ["context_bench", "wrapped"])
def test_taking_the_fixture_and_recording_nothing_fails(pytester, examples, bench, alone_or_not, take):
    examples(2)
    pytester.makepyfile(
        f"""
        import pytest
        @pytest.fixture
        def wrapped(context_bench): return context_bench
        def test_own({take}): pass
        """
    )

    outcome = bench(DATA, IDENTITY, *alone_or_not)

    outcome.assert_outcomes(failed=2)
    outcome.stdout.fnmatch_lines(["took context_bench but recorded nothing: call run() or record()"])
    assert outcome.ret == 1


@pytest.mark.parametrize(
    "wrapper",
    [
        "def wrapped(context_bench): return context_bench.run()",
        "def wrapped(context_bench): yield context_bench.run()",
        "def wrapped(request, context_bench_system, context_bench): return context_bench.run()",
    ],
)
def test_a_users_fixture_may_run_the_pair(pytester, examples, rows, wrapper):
    examples(2)
    pytester.makepyfile(
        f"""
        import pytest
        @pytest.fixture
        {wrapper}
        def test_own(wrapped): assert wrapped.scores["f1"] == 1
        """
    )

    found, outcomes = rows(IDENTITY)

    assert [row["scores"]["f1"] for row in found] == [1, 1]
    assert outcomes == {"passed": 2}


def test_an_error_in_a_users_fixture_keeps_what_was_measured(pytester, examples, rows):
    examples(1, raises="no answer")
    pytester.makeconftest(PUPPET)
    pytester.makepyfile(
        """
        import pytest
        @pytest.fixture
        def row(context_bench): return context_bench.run()
        def test_own(row): pass
        """
    )

    ((row,), outcomes) = rows()

    assert outcomes == {"error": 1}
    assert row["error"] == "RuntimeError: no answer"
    assert row["input_tokens"] > 0
    assert row["latency"] > 0


def test_a_tolerated_error_in_a_users_fixture_is_an_error_not_a_skip(pytester, examples, rows):
    examples(2, odd={1: {"raises": "no answer"}})
    pytester.makeconftest(PUPPET)
    pytester.makepyfile(
        """
        import pytest
        @pytest.fixture
        def row(context_bench): return context_bench.run()
        def test_own(row): pass
        """
    )

    found, outcomes = rows("--context-bench-max-errors=50%")

    assert [row["error"] for row in found] == ["RuntimeError: no answer", None]
    assert outcomes == {"errored": 1, "passed": 1}


def test_another_fixture_that_fails_leaves_an_error_row(pytester, examples, rows):
    examples(1)
    pytester.makepyfile(
        """
        import pytest
        @pytest.fixture
        def server(): raise OSError("no server")
        def test_own(server, context_bench): context_bench.run()
        """
    )

    ((row,), outcomes) = rows(IDENTITY)

    assert outcomes == {"error": 1}
    assert row["error"] == "OSError: no server"


def test_a_teardown_that_fails_keeps_the_row(pytester, examples, rows):
    examples(1)
    pytester.makepyfile(
        """
        import pytest
        @pytest.fixture
        def server():
            yield
            raise OSError("no goodbye")
        def test_own(server, context_bench): context_bench.run()
        """
    )

    ((row,), outcomes) = rows(IDENTITY)

    assert outcomes == {"passed": 1, "error": 1}
    assert row["error"] is None
    assert row["scores"]["score"] == 1


def test_an_assert_that_fails_fails_the_test_and_keeps_the_row(pytester, examples, rows):
    examples(2)
    pytester.makepyfile("def test_own(context_bench): assert context_bench.run().example_id == 1")

    found, outcomes = rows(IDENTITY)

    assert outcomes == {"passed": 1, "failed": 1}
    assert [(row["error"], row["scores"]["score"]) for row in found] == [(None, 1), (None, 1)]


def test_a_test_that_fails_before_it_records_leaves_an_error_row(pytester, examples, rows):
    examples(1)
    pytester.makepyfile("def test_own(context_bench): assert not context_bench.example['id']")

    ((row,), outcomes) = rows(IDENTITY)

    assert outcomes == {"failed": 1}
    assert row["error"].startswith("AssertionError: assert not 1")


def test_a_user_may_catch_what_a_system_raises(pytester, examples, rows):
    examples(1, raises="no answer")
    pytester.makeconftest(PUPPET)
    pytester.makepyfile(
        """
        def test_own(context_bench):
            try:
                context_bench.process()
            except RuntimeError:
                context_bench.record(score=0.1)
        """
    )

    ((row,), _) = rows()

    assert (row["error"], row["scores"]) == (None, {"score": 0.1})


@pytest.mark.parametrize("step", ["run()", "process()", "score(context_bench.process())"])
def test_an_error_that_the_run_tolerates_ends_any_step(pytester, examples, rows, step):
    examples(4, odd={2: {"raises": "no answer"}})
    pytester.makeconftest(PUPPET)
    pytester.makepyfile(f"def test_own(context_bench): context_bench.{step}; context_bench.record(mine=1)")

    found, outcomes = rows("--context-bench-max-errors=1")

    assert outcomes == {"errored": 1, "passed": 3}
    assert [row["error"] for row in found] == [None, "RuntimeError: no answer", None, None]


def test_skipped_and_expected_failures_keep_their_meaning(pytester, examples, rows):
    examples(1)
    pytester.makepyfile(
        """
        import pytest
        @pytest.mark.skip
        def test_marked(context_bench): context_bench.run()
        def test_before(context_bench): pytest.skip("not today"); context_bench.run()
        def test_after(context_bench): context_bench.run(); pytest.skip("not today")
        @pytest.mark.xfail
        def test_xfail(context_bench): context_bench.run(); assert False
        @pytest.mark.xfail
        def test_xpass(context_bench): context_bench.run()
        @pytest.mark.xfail(run=False)
        def test_not_run(context_bench): context_bench.run()
        """
    )

    found, outcomes = rows(IDENTITY)

    assert outcomes == {"skipped": 3, "xfailed": 2, "xpassed": 1}
    assert len(found) == 3


def test_bare_pairs_are_given_without_measuring(pytester, bench, examples):
    examples(3)
    pytester.makepyfile(
        """
        def test_own(context_bench_system, context_bench_example):
            output = context_bench_system.process(context_bench_example)
            assert output.get("context", context_bench_example["context"]).startswith("gold")
            assert context_bench_example["dataset"] == "data"
        def test_example(context_bench_example): assert context_bench_example["id"] in (1, 2, 3)
        """
    )

    outcome = bench(DATA, IDENTITY, "-m", "context_bench")

    outcome.assert_outcomes(passed=6)
    assert "= context-bench =" not in said(outcome)


def test_a_gate_over_bare_pairs_is_not_green(pytester, bench, examples):
    examples(3)
    pytester.makepyfile("def test_own(context_bench_system): pass")

    outcome = bench(DATA, IDENTITY, "--context-bench-gate=n>=0")

    outcome.assert_outcomes(passed=3)
    assert outcome.ret == 1
    outcome.stdout.fnmatch_lines(["FAIL  n >= 0: no rows"])


EVALUATOR = """
import pytest

class Length:
    name = "length"
    def score(self, original, processed):
        return {"length": len(processed["response"])}

"""


EXTENDED = """def context_bench_evaluators(context_bench_evaluators):
    return [*context_bench_evaluators, Length()]
"""


@pytest.mark.parametrize(
    ("override", "keys"),
    [
        ("def context_bench_evaluators(): return [Length()]", ["length", "score"]),
        (
            EXTENDED,
            ["contains", "exact_match", "f1", "length", "recall", "score"],
        ),
        (
            "def context_bench_evaluators(context_bench_case): return ['answer_quality']",
            ["contains", "exact_match", "f1", "recall", "score"],
        ),
        (
            "def context_bench_evaluators(context_bench_system): return (one for one in [Length()])",
            ["length", "score"],
        ),
        ("def context_bench_evaluators(): return []", []),
    ],
    ids=["overridden", "extended", "by name", "generator", "none"],
)
@pytest.mark.parametrize("place", ["module", "conftest", "zero code"])
def test_evaluators_can_be_chosen(pytester, examples, rows, place, override, keys):
    examples(1)
    source = f"{EVALUATOR}@pytest.fixture\n{override}\n"
    test = "\ndef test_own(context_bench): context_bench.run()\n"
    if place == "module":
        pytester.makepyfile(source + test)
    else:
        pytester.makeconftest(source)
        pytester.makepyfile("" if place == "zero code" else test)

    ((row,), _) = rows(IDENTITY)

    assert sorted(row["scores"]) == keys


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("['answer_qualiti']", "unknown evaluator 'answer_qualiti': did you mean 'answer_quality'"),
        ("[42]", "evaluator: 42 is not an object with .name and .score(original, processed)"),
        ("None", "fixture context_bench_evaluators: None is not a list of evaluators"),
    ],
)
def test_what_is_no_evaluator_fails_its_tests_readably(pytester, examples, bench, value, words):
    examples(1)
    pytester.makeconftest(f"import pytest\n@pytest.fixture\ndef context_bench_evaluators(): return {value}\n")

    outcome = bench(DATA, IDENTITY)

    outcome.assert_outcomes(errors=1)
    assert words in said(outcome)


def test_users_parametrize_on_top(pytester, examples, rows):
    examples(2)
    pytester.makepyfile(
        test_own="""
        import pytest
        @pytest.mark.parametrize("k", [1, 2, 3])
        def test_own(context_bench, k): context_bench.run()
        """
    )

    found, outcomes = rows(IDENTITY)

    assert outcomes == {"passed": 6}
    assert sorted(row["example_id"] for row in found) == [1, 1, 1, 2, 2, 2]


def test_users_parametrize_fixtures_and_classes(pytester, examples, bench, alone_or_not):
    examples(2)
    pytester.makepyfile(
        test_own="""
        import pytest
        @pytest.fixture(params=["warm", "cold"])
        def cache(request): return request.param
        @pytest.mark.context_bench(dataset="data.jsonl")
        class TestOwn:
            @pytest.mark.context_bench(systems="identity", max_examples=1)
            def test_one(self, context_bench, cache): context_bench.run()
            @pytest.mark.context_bench(systems=["identity", "truncate:999"])
            def test_two(self, context_bench): context_bench.run()
            class TestWithin:
                @pytest.mark.context_bench(systems="identity")
                def test_three(self, context_bench): context_bench.run()
        """
    )

    outcome = bench("-v", *alone_or_not)

    outcome.assert_outcomes(passed=8)
    if not alone_or_not:
        assert "test_own.py::TestOwn::TestWithin::test_three[identity-data-2]" in run_ids(outcome)


def test_a_pair_taken_in_a_way_that_makes_no_tests_is_explained(pytester, bench, examples):
    examples(1)
    pytester.makepyfile(
        """
        import pytest, unittest
        def test_dynamic(request): request.getfixturevalue("context_bench").run()
        class TestUnit(unittest.TestCase):
            @pytest.fixture(autouse=True)
            def pair(self, context_bench): self.pair = context_bench
            def test_unit(self): self.pair.run()
        """
    )

    outcome = bench(DATA, IDENTITY)

    assert outcome.ret == 1
    assert said(outcome).count("take context_bench as an argument of a test function") >= 2
    assert "has no attribute 'param'" not in said(outcome)


def test_usefixtures_makes_pairs_too(pytester, bench, examples):
    examples(2)
    pytester.makepyfile(
        """
        import pytest
        @pytest.mark.usefixtures("context_bench_example")
        def test_own(): pass
        """
    )

    bench(DATA, IDENTITY, "-m", "context_bench", "-k", "test_own").assert_outcomes(passed=2)


def test_a_change_of_the_example_stays_in_its_test(pytester, examples, rows):
    examples(1)
    pytester.makepyfile(
        """
        def test_change(context_bench, context_bench_example):
            context_bench_example["answer"] = "other"
            context_bench.example["context"] = "other"
        def test_own(context_bench):
            assert context_bench.example["context"] == "gold1"
            context_bench.run()
        """
    )

    found, outcomes = rows(IDENTITY, "-k", "test_own or test_change")

    assert outcomes == {"failed": 1, "passed": 1}  # the first recorded nothing
    assert found[1]["scores"]["score"] == 1


def test_an_unknown_evaluator_of_the_run_is_a_usage_error(pytester, bench, examples):
    examples(1)
    pytester.makeconftest(
        """
        def pytest_context_bench_register(registry):
            registry.register("evaluator", "mine", object())
        """
    )

    assert_usage_error(bench(DATA), "evaluator", ".score(original, processed)")
