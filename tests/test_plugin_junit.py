"""What `--junitxml` shows of benchmarks: figures as properties, gates as test cases."""

import xml.etree.ElementTree as ET

import pytest
from runs import PUPPET, REPORT
from test_plugin_robustness import ODD_TEXT, RERUNS

DATA = "--context-bench-dataset=data.jsonl"
IDENTITY = "--context-bench-system=identity"
JUNIT = "--junitxml=junit.xml"
PHASES = ("setup", "call", "teardown")
OWN = """
import pytest

@pytest.mark.context_bench(dataset="data.jsonl", systems=["identity"])
def test_own(context_bench, record_property):
    context_bench.run()
    record_property("mine", 1)
"""


@pytest.fixture
def junit(pytester):
    """Read the JUnit report: the properties of the suite, and of each test case by its name."""

    def read():
        suite = ET.parse(pytester.path / "junit.xml").find("testsuite")
        cases = {case.get("name"): case for case in suite.findall("testcase")}
        assert int(suite.get("tests")) == len(cases)
        return suite, cases

    return read


def properties(element):
    return {found.get("name"): found.get("value") for found in element.findall("properties/property")}


def outcome_of(case):
    return [child.tag for child in case if child.tag != "properties"]


def test_the_figures_of_a_pair_are_properties_of_its_test_case(
    pytester, bench, examples, junit, saved, alone_or_not
):
    pytester.makeconftest(PUPPET)
    examples(3, odd={2: {"raises": "down"}, 3: {"metadata": {"prompt_tokens": 7, "completion_tokens": 2}}})

    bench(DATA, JUNIT, REPORT, *alone_or_not)

    first, second, third = saved()["rows"]
    _, cases = junit()
    assert properties(cases["test_context_bench[puppet-data-1]"]) == {
        "context_bench.system": "puppet",
        "context_bench.dataset": "data",
        "context_bench.example_id": "1",
        **{f"context_bench.score.{key}": str(value) for key, value in first["scores"].items()},
        "context_bench.input_tokens": str(first["input_tokens"]),
        "context_bench.output_tokens": str(first["output_tokens"]),
        "context_bench.latency": repr(first["latency"]),
    }
    broken = cases["test_context_bench[puppet-data-2]"]
    assert properties(broken)["context_bench.error"] == "RuntimeError: down" == second["error"]
    assert outcome_of(broken) == ["failure"]
    usage = properties(cases["test_context_bench[puppet-data-3]"])
    assert (usage["context_bench.prompt_tokens"], usage["context_bench.completion_tokens"]) == ("7", "2")
    assert third["metadata"]["prompt_tokens"] == 7


def test_what_turns_the_build_red_is_a_failure_and_nothing_else_of_the_gates(bench, examples, junit):
    examples(3)

    gates = ["mean_score>1", "n==3", "pass_rate>=baseline"]
    bench(DATA, IDENTITY, JUNIT, *[f"--context-bench-gate={gate}" for gate in gates])

    suite, cases = junit()
    assert {name: outcome_of(case) for name, case in cases.items() if name.startswith("gate")} == {
        "gate[mean_score > 1]": ["failure"],
        "gate[n == 3]": [],
        "gate[pass_rate >= baseline]": [],
    }
    failing = cases["gate[mean_score > 1]"]
    assert failing.get("classname") == "context-bench.gates"
    assert failing.find("failure").get("message") == "FAIL  mean_score > 1: identity 1.000 (n=3)"
    assert properties(failing)["context_bench.status"] == "FAIL"
    assert properties(cases["gate[pass_rate >= baseline]"])["context_bench.status"] == "WARN"
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("6", "1", "0")


def test_a_gate_of_a_run_that_did_not_finish_is_a_failure(pytester, bench, examples, junit):
    pytester.makeconftest(PUPPET)
    examples(3, odd={1: {"raises": "down"}})

    bench(DATA, JUNIT, "-x", "--context-bench-gate=n==1")

    suite, cases = junit()
    assert outcome_of(cases["gate[n == 1]"]) == ["failure"]
    assert properties(suite)["context_bench.partial"] == "true"


def test_the_gates_of_a_test_name_it(pytester, bench, examples, junit):
    examples(2)
    pytester.makepyfile(
        test_own="""
        import pytest
        @pytest.mark.context_bench(dataset="data.jsonl", gates=["n>5"], min_pass_rate=0.5)
        def test_own(context_bench): context_bench.run()
        """
    )

    bench(JUNIT, IDENTITY)

    assert {name for name in junit()[1] if name.startswith("gate")} == {
        "gate[n > 5 in test_own.py::test_own]",
        "gate[pass_rate >= 0.5 in test_own.py::test_own]",
    }


def test_what_else_turns_the_build_red_is_a_failure_too(pytester, bench, examples, junit):
    pytester.makeconftest("def pytest_context_bench_summary(result, config): raise ValueError('no way')")
    examples(1)

    outcome = bench(DATA, IDENTITY, JUNIT)

    assert outcome.ret == 1
    (problem,) = [case for name, case in junit()[1].items() if name.startswith("problem[")]
    assert outcome_of(problem) == ["failure"]
    assert "ValueError: no way" in problem.find("failure").get("message")


def test_a_report_has_the_figures_of_each_system_and_data_set(bench, examples, junit, saved):
    examples(3)
    examples(2, name="more.jsonl", answer="other")

    bench(DATA, "--context-bench-dataset=more.jsonl", IDENTITY, JUNIT, REPORT)

    figures = properties(junit()[0])
    for where, part in (
        ("system=identity", saved()),
        ("system=identity,dataset=data", saved()["datasets"]["data"]),
        ("system=identity,dataset=more", saved()["datasets"]["more"]),
    ):
        summary, bounds = part["summary"]["identity"], part["intervals"]["identity"]
        assert {key: float(figures[f"context_bench.{key} @ {where}"]) for key in summary} == summary | (
            {"cost_of_pass": float("inf")} if summary["cost_of_pass"] is None else {}
        )
        low, high = bounds["pass_rate"]
        assert float(figures[f"context_bench.pass_rate_low @ {where}"]) == low
        assert float(figures[f"context_bench.pass_rate_high @ {where}"]) == high
    assert figures["context_bench.cost_of_pass @ system=identity,dataset=more"] == "Infinity"
    assert "note" in "".join(figures)


@pytest.mark.parametrize("family", ["xunit1", "xunit2", "legacy"])
def test_hostile_text_is_well_formed(pytester, bench, examples, junit, family):
    pytester.makeconftest(
        f"""
        class Odd:
            name = {ODD_TEXT!r}
            def process(self, example):
                if example["id"] == 2:
                    raise RuntimeError({ODD_TEXT!r} + "x" * 5000)
                return {{}}
            def score(self, original, processed):
                return {{{ODD_TEXT!r}: 0.5}}
        def pytest_context_bench_register(registry):
            registry.register("system", Odd.name, Odd())
            registry.register("evaluator", Odd.name, Odd())
        """
    )
    pytester.makepyfile(
        f"""
        import pytest
        @pytest.fixture
        def context_bench_evaluators(): return [{ODD_TEXT!r}]
        @pytest.mark.context_bench(dataset="data.jsonl")
        def test_own(context_bench): context_bench.run()
        """
    )
    examples(2)

    bench(JUNIT, "--context-bench-gate=n>=1 @ system=]]><a::b[c]\x1b", "-o", f"junit_family={family}")

    suite, cases = junit()
    names = [*properties(suite), *(name for case in cases.values() for name in properties(case))]
    assert all(name.isprintable() for name in names)
    assert [name for name in names if name.startswith("context_bench.score.</script>|]]>")]
    assert [name for name in names if name.startswith("context_bench.errors @ system=</script>|]]>")]
    assert outcome_of(cases["gate[n >= 1 @ system=]]><a::b[c]\\x1b]"]) == ["failure"]
    (error,) = [
        found["context_bench.error"]
        for found in map(properties, cases.values())
        if "context_bench.error" in found
    ]
    assert error.startswith("RuntimeError: </script>|]]>")
    assert len(error) < 1100


def test_no_secret_is_a_property(pytester, bench, examples, junit):
    pytester.makeconftest(PUPPET.replace('"puppet"', '"http://me:hunter22@host"'))
    examples(2, odd={1: {"raises": "no answer of http://me:hunter22@host"}})

    bench(DATA, JUNIT, "--context-bench-gate=n>3 @ system=http://me:hunter22@host")

    assert len(junit()[1]) == 3
    assert "hunter22" not in (pytester.path / "junit.xml").read_text()


def test_without_a_junit_report_tests_have_no_properties(pytester, bench, examples):
    pytester.makeconftest(
        """
        def pytest_runtest_logreport(report):
            print(f"\\n{report.when} {report.user_properties}")
        """
    )
    pytester.makepyfile(OWN)
    examples(1)

    outcome = bench("-s")

    assert [line for line in outcome.outlines if "[" in line and line.startswith(PHASES)] == [
        "setup []",
        "call [('mine', 1)]",
        "teardown [('mine', 1)]",
    ]


def test_of_reruns_the_properties_of_the_last_one_count(pytester, bench, examples):
    pytester.makeconftest(RERUNS)
    examples(2, odd={2: {"fails": 1}, 1: {"fails": 0}})
    bench(DATA, JUNIT)

    suite = ET.parse(pytester.path / "junit.xml").find("testsuite")
    last = [case for case in suite.findall("testcase") if "data-2" in case.get("name")][-1]
    names = [found.get("name") for found in last.findall("properties/property")]
    assert len(set(names)) == len(names)
    assert "context_bench.error" not in names
    assert "context_bench.score.score" in names


def test_a_users_own_properties_stay(pytester, bench, examples, junit):
    examples(1)
    pytester.makepyfile(OWN)

    bench(JUNIT, "-o", "junit_family=xunit1")

    (case,) = junit()[1].values()
    assert properties(case)["mine"] == "1"
    assert properties(case)["context_bench.system"] == "identity"


@pytest.mark.parametrize("flags", [("-p", "no:junitxml"), ()], ids=["no plugin", "no report"])
def test_without_pytests_own_report_there_is_none(pytester, bench, examples, flags):
    examples(1)

    assert bench(DATA, IDENTITY, "--context-bench-gate=n==1", *flags).ret == 0
    assert not (pytester.path / "junit.xml").exists()


def test_a_run_of_other_tests_has_the_report_that_it_had(pytester, bench, junit):
    pytester.makepyfile("def test_unit(): pass")

    bench(JUNIT)

    suite, cases = junit()
    assert list(cases) == ["test_unit"]
    assert suite.find("properties") is None
