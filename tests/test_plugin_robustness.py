"""Whatever comes: odd ids and texts, small and plain terminals, interrupts, reruns, other plugins."""

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

import pytest
from runs import PUPPET, REPORT, SUITE, counted, id_of, run_ids, said

DATA = "--context-bench-dataset=data.jsonl"
IDENTITY = "--context-bench-system=identity"
ODD_IDS = [
    "a::b",
    "a[b]",
    "a]b[",
    "x/y",
    "",
    " spaces  in it ",
    "line\nbreak",
    "line\\nbreak",
    "NUL\0",
    "5" * 5000,
    "5" * 4999 + "6",
    "日本",
    "../../x",
    "..",
    "/etc/passwd",
    "\ud83d",
    "\x1b[31mred",
    "</script><img src=x onerror=alert(1)>",
    "a|b",
    "]]>",
    "-k",
    "%s{}$HOME",
    "a,b=c @ d",
    "1-2",
    -7,
    10**30,
]


@pytest.fixture
def odd(pytester, examples):
    """Write examples of odd ids into a folder of a folder, all that a run may touch."""
    folder = pytester.mkdir("deep") / "er"
    folder.mkdir()
    examples(ids=ODD_IDS)
    pytester.path.joinpath("data.jsonl").rename(folder / "data.jsonl")
    folder.joinpath("pytest.ini").write_text("[pytest]\n")
    os.chdir(folder)
    return folder


def files_outside(odd, pytester):
    return [path for path in pytester.path.rglob("*") if path.is_file() and odd not in path.parents]


def passing_ids(outcome):
    return [line.rpartition(" PASSED")[0] for line in outcome.outlines if " PASSED" in line]


def test_odd_ids_run_and_can_be_passed_back_one_by_one(bench, odd, pytester):
    outcome = bench(DATA, IDENTITY, "-v", "--junitxml=junit.xml", "--context-bench-report=json:out.json")
    printed = passing_ids(outcome)

    assert outcome.ret == 0
    assert len(set(printed)) == len(printed) == len(ODD_IDS)
    assert max(map(len, printed)) < 300
    again = bench(DATA, IDENTITY, "-v", *printed)
    assert passing_ids(again) == printed
    assert bench(DATA, IDENTITY, printed[9]).parseoutcomes() == {"passed": 1}
    assert len(ET.parse(odd / "junit.xml").findall(".//testcase")) == len(ODD_IDS)
    rows = json.loads((odd / "out.json").read_text(encoding="utf-8"))["rows"]
    assert [row["example_id"] for row in rows] == ["\\ud83d" if at == "\ud83d" else at for at in ODD_IDS]
    assert files_outside(odd, pytester) == []


def test_odd_ids_cross_to_other_processes(bench, odd, pytester):
    outcome = bench(DATA, IDENTITY, "-n2", "--junitxml=junit.xml", "--context-bench-report=json:out.json")

    outcome.assert_outcomes(passed=len(ODD_IDS))
    rows = json.loads((odd / "out.json").read_text(encoding="utf-8"))["rows"]
    assert len(rows) == len(ODD_IDS)
    assert len(ET.parse(odd / "junit.xml").findall(".//testcase")) == len(ODD_IDS)
    assert files_outside(odd, pytester) == []


def test_odd_ids_in_the_users_own_tests_can_be_selected(bench, odd):
    odd.joinpath("test_own.py").write_text(
        "def test_own(context_bench):\n"
        "    context_bench.run()\n"
        "    assert 'b' not in str(context_bench.example['id'])\n"
    )
    flags = (DATA, IDENTITY, "-p", "cacheprovider", "-v")
    failing = [at for at in ODD_IDS if "b" in str(at)]

    first = bench(*flags)

    first.assert_outcomes(failed=len(failing), passed=len(ODD_IDS) - len(failing))
    bench(*flags, "--lf").assert_outcomes(failed=len(failing))
    bench(*flags, *passing_ids(first)).assert_outcomes(passed=len(ODD_IDS) - len(failing))
    bench(*flags, "-k", "spaces").assert_outcomes(passed=1)
    bench(*flags, "-k", "data-a::b").assert_outcomes(failed=1)


def test_ids_that_pytest_would_print_alike_are_told_apart(bench, examples):
    examples(ids=["a\n", "a\\n", "日", "\\u65e5"])

    outcome = bench(DATA, IDENTITY, "-v", "-o", "strict_parametrization_ids=true")

    outcome.assert_outcomes(passed=4)
    assert len(set(run_ids(outcome))) == 4


def test_names_that_make_one_id_together_are_told_apart(pytester, bench, examples):
    pytester.makeconftest(
        """
        class System:
            def __init__(self, name): self.name = name
            def process(self, example): return {}
        def pytest_context_bench_register(registry):
            registry.register("system", "a", System("a"))
            registry.register("system", "a-b", System("a-b"))
        """
    )
    examples(1, name="b-c.jsonl")
    examples(1, name="c.jsonl")

    outcome = bench("--context-bench-dataset=b-c.jsonl", "--context-bench-dataset=c.jsonl", "-v")

    assert len(set(run_ids(outcome))) == 4


ODD_TEXT = "</script>|]]>\n\r\0\x07\x1b[31m\x9b31m\u202e\u2028\ud83d 日本 \U0001f600"


def test_odd_texts_are_shown_as_such_and_written_well(pytester, bench, examples, saved):
    pytester.makeconftest(
        f"""
        class Odd:
            name = {ODD_TEXT!r}
            def process(self, example):
                if example["id"] == 2:
                    raise RuntimeError({ODD_TEXT!r})
                return {{"response": {ODD_TEXT!r}, "metadata": {{{ODD_TEXT!r}: {ODD_TEXT!r}}}}}
        def pytest_context_bench_register(registry):
            registry.register("system", Odd.name, Odd())
        """
    )
    examples(2)

    outcome = bench(DATA, REPORT, "--junitxml=junit.xml", "-v", "--context-bench-max-errors=1")

    assert outcome.ret == 0, said(outcome)
    section = str(outcome.stdout).partition("= context-bench =")[2]
    assert not [char for char in section if not (char.isprintable() or char == "\n")]
    tables = [line for line in section.splitlines() if line.startswith("</script>")]
    assert len(tables) == 1
    ET.parse(pytester.path / "junit.xml")
    row = saved()["rows"][0]
    assert row["system"] == ODD_TEXT.replace("\ud83d", "\\ud83d")


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("-q",),
        ("-qq",),
        ("-v",),
        ("-vv",),
        ("--tb=no",),
        ("--color=yes",),
        ("-rA",),
        ("-p", "no:logging"),
        ("-s",),
    ],
    ids=" ".join,
)
def test_the_verdict_is_printed_however_quiet_the_run(bench, examples, flags):
    examples(2)

    outcome = bench(DATA, IDENTITY, "--context-bench-gate=mean_score>1", "--context-bench-gate=n==2", *flags)

    assert outcome.ret == 1
    assert "FAIL  mean_score > 1: identity 1.000 (n=2)" in said(outcome)
    assert "PASS  n == 2: identity 2.000 (n=2)" in said(outcome)


@pytest.mark.parametrize("columns", ["1", "20", "40", "80", "1000", "0", "x"])
def test_a_terminal_of_any_width_will_do(bench, examples, monkeypatch, columns):
    examples(2)
    monkeypatch.setenv("COLUMNS", columns)

    outcome = bench(
        DATA, IDENTITY, "--context-bench-system=truncate:middle:0.123456789", "--context-bench-gate=n==2"
    )

    assert outcome.ret == 0
    assert "PASS  n == 2" in said(outcome)


def test_the_table_fits_a_terminal_of_80_columns(bench, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    outcome = bench("--context-bench-dataset=needle:1k", "--context-bench-max-examples=2")

    table = str(outcome.stdout).partition("= context-bench =")[2].splitlines()[1:7]
    assert table[2].startswith("------")
    assert max(map(len, table)) <= 80


def test_without_colours_there_are_none(bench, examples, monkeypatch):
    examples(2)
    flags = (DATA, IDENTITY, "--context-bench-gate=n==2")
    coloured = str(bench(*flags, "--color=yes").stdout)
    monkeypatch.setenv("NO_COLOR", "1")

    assert "\x1b[32mPASS  n == 2" in coloured
    assert "\x1b" not in said(bench(*flags))


def test_an_ascii_terminal_is_no_obstacle(pytester, command, monkeypatch, saved):
    for name, value in {
        "PYTHONIOENCODING": "ascii",
        "PYTHONUTF8": "0",
        "LC_ALL": "C",
        "COLUMNS": "20",
    }.items():
        monkeypatch.setenv(name, value)
    pytester.makeconftest(PUPPET.replace('"puppet"', '"püppet 日本"'))
    record = {"id": "日本", "context": "日本", "answer": "日本", "dataset": "dätä", "raises": "Lösung \ud83d"}
    pytester.path.joinpath("data.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")

    outcome = command(DATA, "--context-bench-gate=n==1", REPORT, "-q")

    assert outcome.ret == 1
    assert "PASS  n == 1: p\\xfcppet \\u65e5\\u672c 1.000 (n=1)" in said(outcome)
    assert "UnicodeEncodeError" not in said(outcome)
    (row,) = saved()["rows"]
    assert (row["system"], row["dataset"], row["error"]) == (
        "püppet 日本",
        "dätä",
        "RuntimeError: Lösung \\ud83d",
    )


@pytest.mark.parametrize(
    "flags", [("-p", "no:terminal"), ("--no-summary",), ("--no-header",), ("-qq", "--no-summary")]
)
def test_without_the_terminals_summary_the_run_is_judged_all_the_same(bench, examples, saved, flags):
    examples(2)

    outcome = bench(DATA, IDENTITY, "--context-bench-gate=mean_score>1", REPORT, *flags)

    assert outcome.ret == 1
    assert len(saved()["rows"]) == 2
    if flags == ("--no-summary",):
        assert counted(outcome) == {"passed": 2, "gate not met": 1}


@pytest.mark.parametrize("flags", [(), ("-n2",)], ids=["plain", "n2"])
def test_an_interrupt_reports_the_rows_so_far_as_partial(pytester, clean, examples, saved, flags):
    pytester.makeconftest(
        """
        import time
        from pathlib import Path
        class Slow:
            name = "slow"
            def process(self, example):
                if example["id"] > 4:
                    Path(f"reached-{example['id']}").touch()
                    time.sleep(20)
                return {}
        def pytest_context_bench_register(registry):
            registry.register("system", "slow", Slow())
        """
    )
    examples(20)
    run = subprocess.Popen(
        [
            *(sys.executable, "-m", "pytest", DATA, REPORT, "--context-bench-gate=mean_score>=0.5"),
            *("-p", "no:cacheprovider", "-p", "no:hypothesispytest", *flags),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 30
    while not list(pytester.path.glob("reached-*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.3 if flags else 0)  # reports of other workers are on their way

    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to every process of the run
    output, _ = run.communicate(timeout=30)

    assert run.returncode == 2, output
    rows = saved()["rows"]
    assert 1 <= len(rows) <= 6
    assert [row["error"] for row in rows if row["example_id"] <= 4] == [None] * min(4, len(rows))
    assert f"partial: {len(rows)} of 20 pairs have a row" in saved()["notes"]
    assert [verdict["status"] for verdict in saved()["verdicts"]] == ["PARTIAL"]
    assert "PARTIAL  mean_score >= 0.5" in output


RERUNS = """
import pytest
from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    for attempt in range(3):
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        again = any(report.failed for report in reports) and attempt < 2
        for report in reports:
            if again and report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
            if report.outcome == "rerun":
                break
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if not again:
            return True
        item._initrequest()

def pytest_report_teststatus(report):
    if report.outcome == "rerun":
        return "rerun", "R", "RERUN"

tries = {}

class Flaky:
    name = "flaky"
    def process(self, example):
        tries[example["id"]] = tries.get(example["id"], 0) + 1
        if tries[example["id"]] <= example["fails"]:
            raise RuntimeError(f"try {tries[example['id']]}")
        return {}

def pytest_context_bench_register(registry):
    registry.register("system", "flaky", Flaky())
"""


def test_of_reruns_the_last_one_counts(pytester, bench, examples, saved, alone_or_not):
    pytester.makeconftest(RERUNS)
    examples(4, odd={at: {"fails": at - 1} for at in range(1, 5)})

    outcome = bench(DATA, REPORT, "--context-bench-gate=n==4", *alone_or_not)

    assert [row["error"] for row in saved()["rows"]] == [None, None, None, "RuntimeError: try 3"]
    assert counted(outcome) == {"passed": 3, "failed": 1, "rerun": 5}
    assert saved()["config"]["partial"] is False


@pytest.mark.skipif(pytest.version_tuple < (9,), reason="subtests are new in pytest 9")
def test_subtests_are_shown_and_counted_as_pytest_does(pytester, bench, examples, saved):
    examples(2, context="other")
    pytester.makepyfile(
        """
        def test_own(context_bench, subtests):
            with subtests.test("before"): pass
            context_bench.run()
            with subtests.test("after"): assert context_bench.example["id"] == 1
        """
    )

    outcome = bench(DATA, IDENTITY, REPORT, "-v")

    assert outcome.ret == 1
    assert counted(outcome) == {"failed": 2, "subtests passed": 3, "below threshold": 1}
    assert [row["scores"]["score"] for row in saved()["rows"]] == [0, 0]


@pytest.mark.parametrize(
    "flags", [("--setup-only",), ("--setup-plan",), ("--setup-show", "-q"), ("--trace-config",)]
)
def test_pytests_looks_into_itself_still_work(bench, examples, flags):
    examples(2)

    outcome = bench(DATA, IDENTITY, *flags)

    assert outcome.ret == 0
    assert "INTERNALERROR" not in said(outcome)


@pytest.mark.parametrize("flag", ["--sw", "--ff", "--nf"])
def test_pytests_orders_of_failures_work(pytester, bench, examples, flag):
    pytester.makeconftest(PUPPET)
    examples(4, odd={3: {"raises": "no answer"}})
    flags = (DATA, "-p", "cacheprovider", "-p", "stepwise", "-v")
    bench(*flags, flag)

    outcome = bench(*flags, flag)

    expected = {"--sw": [3], "--ff": [3, 1, 2, 4], "--nf": [1, 2, 3, 4]}[flag]
    assert run_ids(outcome) == [id_of("puppet", example=at) for at in expected]


def test_a_run_under_the_debugger_ends(pytester, bench, examples):
    pytester.makeconftest(
        PUPPET
        + """
import pdb
class NoDebugger(pdb.Pdb):
    def interaction(self, *args): pass
"""
    )
    examples(2, odd={1: {"raises": "no answer"}})

    outcome = bench(DATA, "--pdb", "--pdbcls=conftest:NoDebugger")

    outcome.assert_outcomes(passed=1, failed=1)


def test_texts_are_let_go_when_a_test_ends(pytester, bench, examples):
    pytester.makeconftest(
        """
        import gc, weakref
        class Text(str): pass
        alive = weakref.WeakSet()
        class System:
            name = "system"
            def process(self, example):
                output = {"response": Text("long")}
                alive.add(output["response"])
                return output
        def pytest_context_bench_register(registry):
            registry.register("system", "system", System())
        def pytest_sessionfinish(session):
            gc.collect()
            print("\\nALIVE", len(alive), "OF", len(session.items))
        """
    )
    pytester.makepyfile(
        "def test_own(context_bench): context_bench.record(**context_bench.score(context_bench.process()))"
    )
    examples(10)

    outcome = bench(DATA)

    assert "ALIVE 0 OF 10" in outcome.outlines


UNUSED = """
import sys
def pytest_unconfigure():
    heavy = {"tiktoken", "datasets", "httpx", "jinja2", "pandas", "numpy", "tabulate", "tqdm", "sqlite3"}
    if "coverage" in sys.modules:  # which keeps its data in a database
        heavy.discard("sqlite3")
    print("HEAVY", sorted(heavy & set(sys.modules)))
    ours = sorted(name for name in sys.modules if name.startswith("pytest_context_bench."))
    print("OURS", len(ours))
"""


def test_unused_the_plugin_is_invisible(pytester, command):
    pytester.makeconftest(UNUSED)
    pytester.makepyfile("def test_unit(): pass")

    outcome = command("-p", "no:anyio")
    without = command("-p", "no:anyio", "-p", "no:context_bench")

    assert outcome.ret == 0
    assert "HEAVY []" in outcome.outlines
    text = [line for line in outcome.outlines if not line.startswith(("OURS", "=", "plugins:"))]
    assert text == [line for line in without.outlines if not line.startswith(("OURS", "=", "plugins:"))]
    (ours,) = [int(line.split()[1]) for line in outcome.outlines if line.startswith("OURS")]
    assert ours <= 17
    assert sorted(path.name for path in pytester.path.iterdir() if path.suffix not in {"", ".py"}) == []


def test_the_plugin_opens_no_file_where_it_is_not_used(pytester, command):
    pytester.makeconftest(
        """
        import sys
        opened = []
        def hook(event, args):
            path = str(args[0])
            imported = path.endswith((".py", ".pyc", ".txt", "METADATA"))
            if event == "open" and "context" in path and not imported:
                opened.append(path)
        sys.addaudithook(hook)
        def pytest_unconfigure():
            print("OPENED", opened)
        """
    )
    pytester.makepyfile("def test_unit(): pass")

    assert "OPENED []" in command().outlines


def test_warnings_as_errors_find_nothing(pytester, bench, examples):
    examples(2)
    pytester.path.joinpath("array.json").write_text('[{"id": 1, "context": "gold", "answer": "gold"}]')

    outcome = bench(DATA, "--context-bench-dataset=array.json", IDENTITY, REPORT, "-W", "error")

    outcome.assert_outcomes(passed=3)
    assert counted(outcome) == {"passed": 3}


def test_secrets_do_not_leave_by_any_door(pytester, bench, examples, monkeypatch, alone_or_not):
    monkeypatch.setenv("MY_API_KEY", "very-secret-value")
    secrets = ["very-secret-value", "sk-1234567890abcdefghij", "user:hunter2password@"]
    text = f"{secrets[0]} {secrets[1]} https://{secrets[2]}host/v1"
    pytester.makeconftest(
        f"""
        import logging
        class Leaky:
            name = "leaky {text}"
            def process(self, example):
                print({text!r})
                logging.getLogger().warning({text!r})
                if example["id"] == 1:
                    raise RuntimeError({text!r})
                return {{"response": "x", "metadata": {{"url": {text!r}}}}}
        def pytest_context_bench_register(registry):
            registry.register("system", Leaky.name, Leaky())
        """
    )
    examples(2)

    outcome = bench(
        DATA, REPORT, "--junitxml=junit.xml", "-ojunit_logging=all", "-rA", "--tb=short", *alone_or_not
    )

    pages = [said(outcome), *(pytester.path.joinpath(name).read_text() for name in ("out.json", "junit.xml"))]
    for page in pages:
        assert "***" in page
        for secret in secrets:
            assert secret not in page


def test_a_pair_is_named_by_its_node_id_alone(bench, examples):
    examples(1)

    outcome = bench(DATA, IDENTITY, "-v")

    assert run_ids(outcome) == [f"{SUITE}[identity-data-1]"]
