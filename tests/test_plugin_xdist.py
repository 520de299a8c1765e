"""Parallel runs: the same rows and reports, whatever is distributed how, and whatever dies or differs."""

import numpy as np  # noqa: F401 - before pytester: it cannot be loaded twice
import pytest
from runs import NAMED, PUPPET, REPORT, assert_usage_error, counted, id_of, registering, said

DATA = "--context-bench-dataset=data.jsonl"
IDENTITY = "--context-bench-system=identity"
HALF = """
class Half:
    name = "half"
    def process(self, example):
        if int(example["id"]) % 5 == 0:
            raise ValueError(f"no answer to {example['id']}")
        return {"context": example["context"] if int(example["id"]) % 2 else "other"}

def pytest_context_bench_register(registry):
    registry.register("system", "half", Half())
"""


def without_times(report):
    """Return a report without what differs from one run to another."""
    for row in report["rows"]:
        del row["latency"]
    parts = (report, *report["datasets"].values())
    told = [part[name] for part in parts for name in ("summary", "intervals")]
    for figures in (figures for summary in told for figures in summary.values()):
        for key in [key for key in figures if key.startswith("latency")]:
            del figures[key]
    del report["timing"]
    return report


@pytest.fixture
def forty(pytester, bench, examples, saved):
    """Run 20 examples on two systems; return the outcome and the report without times."""
    pytester.makeconftest(HALF)
    examples(20)

    def run(*flags):
        outcome = bench(
            DATA, IDENTITY, "--context-bench-system=half", "--context-bench-gate=n==20", REPORT, *flags
        )
        assert str(outcome.stdout).count("= context-bench =") == 1
        return outcome, without_times(saved())

    return run


def test_reports_are_identical_however_the_tests_are_distributed(forty):
    outcome, report = forty()

    assert len(report["rows"]) == 40
    assert [row["example_id"] for row in report["rows"]] == [at for at in range(1, 21) for _ in "ab"]
    for flags in (
        ["-n0"],
        ["-p", "no:xdist"],
        ["-n2"],
        *(["-n2", f"--dist={way}"] for way in ("loadfile", "loadscope", "loadgroup", "worksteal", "each")),
    ):
        other, same = forty(*flags)
        assert same == report, flags
        assert other.ret == outcome.ret == 1
        section = str(other.stdout).partition("= context-bench =")[2]
        assert "PASS  n == 20: identity 20.000 (n=20); half 20.000 (n=20)" in section


def test_rows_do_not_depend_on_the_order_of_the_tests(pytester, forty):
    _, report = forty()
    for seed in (1, 2):
        pytester.makeconftest(
            HALF
            + f"""
import random
def pytest_collection_modifyitems(items):
    random.Random({seed}).shuffle(items)
"""
        )
        _, shuffled = forty()
        assert shuffled == report
    assert forty("-n2")[1] == report


def test_groups_of_tests_that_take_the_fixture_stay_one_test(pytester, bench, examples, saved):
    examples(4)
    pytester.makepyfile(
        """
        import pytest
        @pytest.mark.xdist_group("mine")
        @pytest.mark.context_bench(systems="identity", gates="n==4")
        def test_own(context_bench): context_bench.run()
        """
    )

    outcome = bench(DATA, REPORT, "-n2", "--dist=loadgroup")

    assert outcome.ret == 0
    assert [verdict["status"] for verdict in saved()["verdicts"]] == ["PASS"]
    assert len(saved()["rows"]) == 4


def test_a_worker_that_is_killed_loses_only_its_own_row(pytester, bench, examples, saved):
    pytester.makeconftest(PUPPET)
    examples(20, odd={7: {"dies": True}})

    outcome = bench(
        DATA, REPORT, "-n2", "--context-bench-gate=mean_score>=0.95", "--context-bench-max-errors=1"
    )

    assert outcome.ret == 1
    assert counted(outcome) == {"failed": 1, "passed": 19}
    rows = {row["example_id"]: row for row in saved()["rows"]}
    assert sorted(rows) == list(range(1, 21))
    assert "crashed while running" in rows[7]["error"]
    assert [row["error"] for at, row in rows.items() if at != 7] == [None] * 19
    assert saved()["summary"]["puppet"]["mean_score"] == 0.95
    assert saved()["config"]["partial"] is False


def test_a_worker_that_is_killed_for_good_ends_the_run_partial(pytester, bench, examples, saved):
    pytester.makeconftest(PUPPET)
    examples(6, odd={2: {"dies": True}, 3: {"dies": True}})

    outcome = bench(DATA, REPORT, "-n1", "--max-worker-restart=0", "--context-bench-gate=errors<=6")

    assert outcome.ret not in {0, 3}
    rows = {row["example_id"]: row["error"] for row in saved()["rows"]}
    assert rows[1] is None
    assert "crashed" in rows[2]
    assert saved()["config"]["partial"] is True
    assert [verdict["status"] for verdict in saved()["verdicts"]] == ["PARTIAL"]


@pytest.mark.parametrize(
    ("ids", "dataset"),
    [
        ("str(uuid.uuid4()) for _ in range(4)", True),
        ("hash(word) for word in 'abcd'", True),
        ("sorted(range(40), key=lambda at: hash(str(at) + 'x'))", True),
        ("set(map(str, range(50)))", True),
        ("os.getpid() for _ in range(1)", False),
    ],
    ids=["uuid4", "hash", "order", "set", "system"],
)
def test_what_differs_from_process_to_process_is_a_usage_error(pytester, bench, monkeypatch, ids, dataset):
    monkeypatch.setenv("PYTHONHASHSEED", "random")
    loader = f'"dataset", "odd", lambda: [dict(id=at, context="x", answer="x") for at in ({ids})]'
    system = '"system", f"at{os.getpid()}", Named(f"at{os.getpid()}")'
    pytester.makeconftest("import os, uuid\n" + registering(loader if dataset else system))

    outcome = bench(
        *(["--context-bench-dataset=odd", IDENTITY] if dataset else ["--context-bench-dataset=needle:1k"]),
        "-n2",
    )

    assert "Different tests were collected" not in said(outcome)
    assert_usage_error(outcome, "same in every process", "uuid4()")


def test_other_tests_that_differ_are_left_to_xdist(pytester, bench):
    pytester.makepyfile(
        """
        import os, pytest
        @pytest.mark.parametrize("at", [os.getpid()])
        def test_unit(at): pass
        """
    )

    outcome = bench("-n2")

    assert "Different tests were collected" in said(outcome)
    assert "uuid4" not in said(outcome)


def test_systems_given_as_a_set_are_the_same_tests_in_every_process(pytester, bench, examples, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "random")
    examples(2)
    pytester.makepyfile(
        f"""
        import pytest
        {NAMED.replace(chr(10), chr(10) + " " * 8)}
        @pytest.mark.context_bench(systems={{Named(name) for name in "edcba"}})
        def test_own(context_bench): context_bench.run()
        """
    )

    bench(DATA, "-n2").assert_outcomes(passed=10)


VALUES = """
import decimal, enum, fractions, pathlib
import numpy
class Colour(enum.Enum):
    RED = "red"
    ONE = 1
class Level(enum.IntEnum):
    HIGH = 1
class Words(enum.StrEnum):
    YES = "yes"
def odd():
    return {
        "numpy": [numpy.float32(0.5), numpy.int64(3), numpy.bool_(True), numpy.array([1, 2])],
        "decimal": decimal.Decimal("0.1"), "fraction": fractions.Fraction(1, 2), "enum": Colour.RED,
        "int enum": Level.HIGH, "text enum": Words.YES, "path": pathlib.Path("a/b"), "nan": float("nan"),
        numpy.int64(7): (1, 2), pathlib.Path("key"): None, "set": {3, 1, 2}, "surrogate": "\\ud83d",
    }
class System:
    name = "system"
    def process(self, example): return {"response": "gold1", "metadata": odd()}
class Evaluator:
    name = "evaluator"
    def score(self, original, processed):
        return {"a": numpy.float32(0.5), "b": decimal.Decimal("0.25"), "c": Colour.ONE,
                "d": numpy.bool_(True), "e": Level.HIGH, "f": fractions.Fraction(1, 8),
                "g": numpy.int8(1), "h": True, "i": None}
def pytest_context_bench_register(registry):
    registry.register("system", "system", System())
    registry.register("evaluator", "evaluator", Evaluator())
"""


def test_scores_and_metadata_of_many_types_are_plain_in_every_report(
    pytester, bench, examples, saved, alone_or_not
):
    pytester.makeconftest(VALUES)
    examples(2)

    outcome = bench(
        DATA, REPORT, "--context-bench-report=jsonl:rows.jsonl", "--junitxml=junit.xml", *alone_or_not
    )

    assert outcome.ret == 0, said(outcome)
    row = saved()["rows"][0]
    assert {key: row["scores"].get(key) for key in "abcdefghi"} == {
        "a": 0.5, "b": 0.25, "c": 1.0, "d": 1.0, "e": 1.0, "f": 0.125, "g": 1.0, "h": 1.0, "i": None,
    }  # fmt: skip
    assert row["metadata"] == {
        "numpy": [0.5, 3, True, [1, 2]], "decimal": 0.1, "fraction": 0.5, "enum": "red", "int enum": 1,
        "text enum": "yes", "path": "a/b", "nan": None, "7": [1, 2], "key": None, "set": [1, 2, 3],
        "surrogate": "\\ud83d",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ("object()", "metadata"),
        ("lambda: 1", "metadata"),
        ("b'bytes'", "metadata"),
        ("open", "metadata"),
        ("looped", "100 levels down"),
    ],
)
def test_what_cannot_be_plain_fails_its_own_test_readably(pytester, bench, examples, saved, value, where):
    pytester.makeconftest(
        f"""
        looped = []
        looped.append(looped)
        class Odd:
            name = "odd"
            def process(self, example):
                return {{"metadata": {{"thing": {value}}}}} if example["id"] == 2 else {{}}
        def pytest_context_bench_register(registry):
            registry.register("system", "odd", Odd())
        """
    )
    examples(3)

    outcome = bench(DATA, REPORT)

    assert counted(outcome) == {"failed": 1, "passed": 2}
    errors = [row["error"] for row in saved()["rows"]]
    assert errors[0] is errors[2] is None
    assert where in errors[1]


@pytest.mark.parametrize(
    "statement",
    [
        "row.metadata['thing'] = object()",
        "row.scores['thing'] = object()",
        "row.scores = None",
        "row.latency = 'long'",
        "row.system = None",
        "row.example_id = object()",
        "row.error = ''",
        "row.error = 5",
    ],
)
def test_a_row_that_a_test_has_spoilt_fails_or_crosses(pytester, bench, examples, saved, statement):
    examples(3)
    pytester.makepyfile(
        f"""
        def test_own(context_bench):
            row = context_bench.run()
            if row.example_id == 2:
                {statement}
        """
    )

    outcome = bench(DATA, IDENTITY, REPORT)

    assert outcome.ret in {0, 1}, said(outcome)
    assert "INTERNALERROR" not in said(outcome)
    assert len(saved()["rows"]) == 3


def test_a_row_that_a_test_has_spoilt_does_not_end_a_parallel_run(pytester, bench, examples, saved):
    examples(3)
    pytester.makepyfile(
        """
        def test_own(context_bench):
            row = context_bench.run()
            row.metadata["thing"] = object()
        """
    )

    outcome = bench(DATA, IDENTITY, REPORT, "-n2")

    assert counted(outcome) == {"failed": 3}
    assert "metadata['thing'] is a object" in said(outcome)
    assert len(saved()["rows"]) == 3


LONE = "\\ud83d"


def test_lone_surrogates_cross_every_border(pytester, bench, examples, saved, alone_or_not):
    pytester.makeconftest(
        f"""
        import logging, pytest
        class Odd:
            name = "odd {LONE}"
            def process(self, example):
                logging.getLogger().warning("said {LONE}")
                print("said {LONE}".encode("utf-8", "backslashreplace"))
                if example["id"] == "raises":
                    raise RuntimeError("no {LONE}")
                return {{"response": "gold1 {LONE}", "metadata": {{"{LONE}": "{LONE}"}}}}
        def pytest_context_bench_register(registry):
            registry.register("system", "odd {LONE}", Odd())
        """
    )
    examples(ids=["fine", "raises", "fails", "skips", "is expected", "\ud83d"], context="\ud83d gold")
    pytester.makepyfile(
        f"""
        import pytest
        def test_own(context_bench, record_property, request):
            row = context_bench.run()
            record_property("response", "{LONE}")
            if row.example_id == "fails": assert "{LONE}" == "other"
            if row.example_id == "skips": pytest.skip("{LONE}")
            if row.example_id == "is expected":
                request.applymarker(pytest.mark.xfail)
                assert "{LONE}" == "other"
        def test_bare(context_bench_example, context_bench_system):
            assert context_bench_example["context"] == "other {LONE}"
        """
    )

    outcome = bench(
        DATA,
        REPORT,
        "--context-bench-report=jsonl:rows.jsonl",
        "--junitxml=junit.xml",
        "-ojunit_family=legacy",
        "-rA",
        "--context-bench-threshold=0",
        *alone_or_not,
    )

    assert "INTERNALERROR" not in said(outcome)
    assert counted(outcome) == {"failed": 8, "passed": 2, "skipped": 1, "xfailed": 1}
    assert len(saved()["rows"]) == 6
    assert [row["error"] for row in saved()["rows"] if row["error"]] == ["RuntimeError: no \\ud83d"]
    for name in ("out.json", "rows.jsonl", "junit.xml"):
        pytester.path.joinpath(name).read_bytes().decode("utf-8")


@pytest.mark.parametrize(
    "flags", [("-n1",), ("-n2", "--dist=each"), ("-d", "--tx=2*popen"), ("-n0", "--dist=load")]
)
def test_less_common_ways_to_distribute_work_too(bench, examples, saved, flags):
    examples(3)

    outcome = bench(DATA, IDENTITY, REPORT, *flags)

    assert outcome.ret == 0
    assert len(saved()["rows"]) == 3


def test_node_ids_can_be_passed_back_to_a_parallel_run(bench, examples, saved):
    examples(3)

    bench(DATA, IDENTITY, REPORT, "-n2", id_of(example=3))

    assert [row["example_id"] for row in saved()["rows"]] == [3]
