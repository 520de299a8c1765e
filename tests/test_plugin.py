"""What a user of the plugin sees: the zero-code test, the fixtures, the marker, the hooks."""

import pytest

HALF = """
class Half:
    name = "half"
    def process(self, example):
        words = example["context"].split()
        return {"context": " ".join(words[: len(words) // 2])}

def pytest_context_bench_register(registry):
    registry.register("system", "half", Half())
"""


def test_zero_code_runs_the_baselines_on_the_embedded_data_set(bench, saved, dist):
    outcome = bench(
        "--context-bench-dataset=needle",
        "--context-bench-max-examples=4",
        "--context-bench-report=json:out.json",
        *dist,
    )

    assert outcome.ret == 0
    result = saved()
    assert [(row["example_id"], row["system"]) for row in result["rows"]][:3] == [
        (0, "identity"),
        (0, "truncate:0.5"),
        (0, "extract:0.5"),
    ]
    assert len(result["rows"]) == 12
    assert result["summary"]["identity"]["mean_score"] == 1.0
    outcome.stdout.fnmatch_lines(
        ["*= context-bench =*", "system *", "identity *", "truncate:0.5 *", "extract:0.5 *"]
    )


def test_reports_are_identical_however_the_tests_are_distributed(pytester, bench, saved):
    pytester.makeconftest(HALF)
    reports = []
    for flags in (
        [],
        ["-n0"],
        ["-n2"],
        *(["-n2", f"--dist={way}"] for way in ("loadfile", "loadscope", "worksteal")),
    ):
        bench(
            "--context-bench-dataset=needle:json-1k",
            "--context-bench-max-examples=20",
            "--context-bench-system=identity",
            "--context-bench-system=half",
            "--context-bench-report=json:out.json",
            *flags,
        )
        report = saved()
        for row in report["rows"]:
            del row["latency"]
        for figures in report["summary"].values():
            for key in [key for key in figures if key.startswith("latency")]:
                del figures[key]
        del report["timing"]
        reports.append(report)

    assert len(reports[0]["rows"]) == 40
    assert all(report == reports[0] for report in reports)


def test_printed_node_ids_can_be_passed_back(bench, dist):
    node_id = "context-bench::test_context_bench[identity-needle-3]"

    outcome = bench("--context-bench-dataset=needle", node_id, *dist)

    outcome.assert_outcomes(passed=1)


def test_the_fixture_makes_one_test_a_pair(pytester, bench, dist):
    pytester.makeconftest(HALF)
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.context_bench(dataset="needle:1k", systems=["identity", "half"], max_examples=3)
        def test_quality(context_bench):
            row = context_bench.run()
            assert row.system == context_bench.system.name
            assert row.example_id == context_bench.example["id"]
            assert "f1" in row.scores

        def test_other():
            pass
        """
    )

    outcome = bench("-v", *dist)

    outcome.assert_outcomes(passed=7 - below(outcome))
    assert outcome.ret == 0
    outcome.stdout.fnmatch_lines(["*test_quality*identity-needle:1k-0*"])


def below(outcome):
    """Return how many pairs the last line counts as below the threshold."""
    return outcome.parseoutcomes().get("threshold", 0) or outcome.parseoutcomes().get("below", 0)


@pytest.mark.parametrize("flags", [(), ("-n2",)], ids=["plain", "n2"])
def test_a_system_that_raises_fails_its_test_and_leaves_an_error_row(pytester, bench, saved, flags):
    pytester.makeconftest(
        """
        class Shaky:
            name = "shaky"
            def process(self, example):
                if example["id"] in (1, 3):
                    raise RuntimeError("no answer")
                return {}
        def pytest_context_bench_register(registry):
            registry.register("system", "shaky", Shaky())
        """
    )

    outcome = bench(
        "--context-bench-dataset=needle",
        "--context-bench-max-examples=5",
        "--context-bench-report=json:out.json",
        *flags,
    )

    outcome.assert_outcomes(passed=3, failed=2)
    assert outcome.ret == 1
    errors = {row["example_id"]: row["error"] for row in saved()["rows"]}
    assert errors == {0: None, 1: "RuntimeError: no answer", 2: None, 3: "RuntimeError: no answer", 4: None}
    assert saved()["summary"]["shaky"]["mean_score"] == 0.6
