"""A run that names a data set and has no test: the plugin contributes its own, which behaves as any other."""

import os

import pytest
from runs import PUPPET, REPORT, assert_usage_error, id_of, registering, run_ids

NEEDLE = ("--context-bench-dataset=needle:1k", "--context-bench-max-examples=4")
FAILS = {"raises": "no answer"}


def test_the_baselines_run_on_the_embedded_data_set(bench, saved, dist):
    outcome = bench(*NEEDLE, REPORT, *dist)

    assert outcome.ret == 0
    result = saved()
    assert [(row["example_id"], row["system"]) for row in result["rows"]][:4] == [
        (0, "identity"),
        (0, "truncate:0.5"),
        (0, "extract:0.5"),
        (1, "identity"),
    ]
    assert len(result["rows"]) == 12
    assert result["summary"]["identity"]["mean_score"] == 1.0
    outcome.stdout.fnmatch_lines(
        ["*= context-bench =*", "system *", "identity *", "truncate:0.5 *", "extract:0.5 *"]
    )
    assert str(outcome.stdout).count("= context-bench =") == 1


def test_fifty_examples_of_the_embedded_data_set_are_the_default(bench):
    outcome = bench("--context-bench-dataset=needle", "--co", "-q")

    assert str(outcome.stdout).count("[identity-needle-") == 50


def test_a_system_alone_runs_on_the_embedded_data_set(bench):
    outcome = bench("--context-bench-system=identity", "--context-bench-max-examples=2")

    outcome.assert_outcomes(passed=2)
    outcome.stdout.fnmatch_lines(["context-bench: data sets needle; systems identity"])


def test_a_function_of_a_module_is_a_system(pytester, bench, examples):
    pytester.makepyfile(squeeze="def same(context):\n    return context\n")
    pytester.syspathinsert()

    outcome = bench(f"--context-bench-dataset={examples()}", "--context-bench-system=mine=squeeze:same", "-v")

    assert "context-bench::test_context_bench[mine-data-1]" in run_ids(outcome)


def test_registered_systems_replace_the_baselines(pytester, bench, examples):
    pytester.makeconftest(registering('"system", "half", Named("half")'))

    outcome = bench(f"--context-bench-dataset={examples(1)}", "-v")

    assert run_ids(outcome) == [id_of("half")]


@pytest.mark.parametrize(
    ("flags", "chosen"),
    [
        (["-k", "half-data-3"], [id_of("half", example=3)]),
        (["-k", "identity and not 2"], [id_of(example=at) for at in (1, 3, 4)]),
        (["-m", "context_bench", "-k", "data-4"], [id_of(example=4), id_of("half", example=4)]),
        (
            ["--deselect", id_of("half", example=1), "-k", "data-1"],
            [id_of(example=1)],
        ),
        (["--deselect", "context-bench::test_context_bench"], []),
        (["-m", "not context_bench"], []),
    ],
    ids=lambda value: " ".join(value) if value and value[0].startswith("-") else "",
)
def test_pytest_selects_among_its_pairs(pytester, bench, examples, flags, chosen):
    pytester.makeconftest(registering('"system", "half", Named("half")'))

    outcome = bench(
        f"--context-bench-dataset={examples()}",
        "--context-bench-system=identity",
        "--context-bench-system=half",
        "-v",
        *flags,
    )

    assert run_ids(outcome) == chosen
    assert outcome.ret == (0 if chosen else 5)


def test_printed_node_ids_can_be_passed_back(bench, examples, dist):
    outcome = bench(f"--context-bench-dataset={examples()}", id_of(example=3), *dist)

    outcome.assert_outcomes(passed=1)


def test_several_node_ids_run_once_each_in_the_order_of_the_arguments(bench, examples):
    wanted = [id_of(example=3), id_of(example=1), id_of(example=3)]

    outcome = bench(f"--context-bench-dataset={examples()}", *wanted, "-v")

    assert run_ids(outcome) == [id_of(example=3), id_of(example=1)]


@pytest.mark.parametrize("whole", ["context-bench", "context-bench::test_context_bench"])
def test_the_whole_test_can_be_named(bench, examples, whole):
    outcome = bench(f"--context-bench-dataset={examples()}", "--context-bench-system=identity", whole)

    outcome.assert_outcomes(passed=4)


def test_a_node_id_alone_asks_for_the_embedded_data_set(bench):
    outcome = bench("context-bench::test_context_bench[identity-needle-3]")

    outcome.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    "wrong",
    [
        "context-bench::test_context_bench[identity-data-33]",
        "context-bench::test_nothing",
        "context-bench::test_context_bench[" + "x" * 5000 + "]",
        "context-bench::",
    ],
    ids=["id", "test", "5,000 characters", "nothing"],
)
def test_an_unknown_node_id_is_a_usage_error_that_names_the_nearest(bench, examples, wrong):
    outcome = bench(f"--context-bench-dataset={examples()}", wrong)

    assert_usage_error(outcome, "unknown test 'context-bench::", id_of(example=3))


def test_an_unknown_node_id_is_the_same_line_in_a_parallel_run(bench, examples):
    outcome = bench(f"--context-bench-dataset={examples()}", id_of(example=33), "-n2")

    assert_usage_error(outcome, f"unknown test '{id_of(example=33)}'", id_of(example=3))


def test_node_ids_printed_in_a_folder_below_the_root_can_be_passed_back(pytester, bench, examples):
    pytester.makeini("[pytest]")
    examples()
    below = pytester.mkdir("below")
    os.chdir(below)
    outcome = bench("--context-bench-dataset=../data.jsonl", "--context-bench-system=identity", "-v")
    printed = run_ids(outcome)

    outcome = bench("--context-bench-dataset=../data.jsonl", printed[2])

    assert printed[2].endswith("context-bench::test_context_bench[identity-data-3]")
    outcome.assert_outcomes(passed=1)


def test_a_node_id_goes_with_other_arguments(pytester, bench, examples):
    pytester.makepyfile(test_unit="def test_unit(): pass\ndef test_more(): pass")

    outcome = bench(
        f"--context-bench-dataset={examples()}", "test_unit.py::test_unit", id_of(example=2), "-v"
    )

    assert run_ids(outcome) == ["test_unit.py::test_unit", id_of(example=2)]


def test_a_node_id_is_not_lost_beside_tests_that_take_the_fixture(pytester, bench, examples):
    pytester.makepyfile(test_own="def test_own(context_bench): context_bench.run()")

    outcome = bench(
        f"--context-bench-dataset={examples(1)}",
        "--context-bench-system=identity",
        "test_own.py",
        id_of(),
        "-v",
    )

    assert run_ids(outcome) == ["test_own.py::test_own[identity-data-1]", id_of()]


def test_a_folder_of_its_name_is_a_folder(pytester, bench):
    pytester.mkdir("context-bench").joinpath("test_unit.py").write_text("def test_unit(): pass")

    outcome = bench("context-bench", "-v")

    assert run_ids(outcome) == ["context-bench/test_unit.py::test_unit"]


def test_collect_only_lists_pairs_calls_no_system_and_writes_nothing(pytester, bench, examples, alone_or_not):
    pytester.makeconftest(
        """
        from pathlib import Path
        class Loud:
            name = "loud"
            def process(self, example):
                Path("called").touch()
                return {}
        def pytest_context_bench_register(registry):
            registry.register("system", "loud", Loud())
        """
    )
    examples()
    before = set(pytester.path.iterdir())

    outcome = bench(
        "--context-bench-dataset=data.jsonl",
        "--context-bench-gate=mean_score>=0.99",
        "--context-bench-report=json:out.json",
        "--co",
        "-q",
        *alone_or_not,
    )

    assert outcome.ret == 0
    assert {path for path in pytester.path.iterdir() if path.name != "__pycache__"} == before
    assert "= context-bench =" not in str(outcome.stdout)
    assert [line for line in outcome.outlines if "::" in line] == [
        id_of("loud", example=at) for at in range(1, 5)
    ]


def test_last_failed_runs_the_pairs_that_failed(pytester, bench, examples, alone_or_not):
    pytester.makeconftest(PUPPET)
    flags = [
        f"--context-bench-dataset={examples(odd={2: FAILS, 3: FAILS})}",
        "-p",
        "cacheprovider",
        *alone_or_not,
    ]
    bench(*flags).assert_outcomes(passed=2, failed=2)

    outcome = bench(*flags, "--lf")

    outcome.assert_outcomes(failed=2)


def test_last_failed_runs_them_beside_other_tests_that_failed(pytester, bench, examples):
    pytester.makeconftest(PUPPET)
    pytester.makepyfile(test_unit="def test_unit(): assert False\ndef test_more(): pass")
    flags = [f"--context-bench-dataset={examples(2, **FAILS)}", "-p", "cacheprovider"]
    bench(*flags).assert_outcomes(passed=1, failed=3)

    outcome = bench(*flags, "--lf")

    outcome.assert_outcomes(failed=3)


@pytest.mark.parametrize(
    ("flags", "test"),
    [
        ((), True),
        (("below",), True),
        (("below/test_unit.py",), False),
        (("below/test_unit.py::test_unit",), False),
        (("below/test_unit.py", "--context-bench-dataset=needle:1k"), True),
        (("--context-bench-skip",), False),
    ],
    ids=["nothing named", "folder", "file", "test", "file and data set", "skip"],
)
def test_an_ini_file_asks_for_it_in_runs_of_folders(pytester, bench, flags, test):
    pytester.makeini(
        """
        [pytest]
        context_bench_dataset = needle:1k
        context_bench_system = identity
        context_bench_max_examples = 2
        """
    )
    pytester.mkdir("below").joinpath("test_unit.py").write_text("def test_unit(): pass")

    outcome = bench(*flags)

    outcome.assert_outcomes(passed=3 if test else 1)
    assert ("context-bench: data sets" in str(outcome.stdout)) == test


def test_it_stays_away_where_a_test_takes_the_fixture_even_if_that_is_deselected(pytester, bench, examples):
    pytester.makepyfile("def test_own(context_bench): context_bench.run()")

    outcome = bench(f"--context-bench-dataset={examples()}", "-k", "nothing")

    assert outcome.ret == 5


def test_it_joins_other_tests(pytester, bench, examples):
    pytester.makepyfile(test_unit="def test_unit(): pass")

    outcome = bench(f"--context-bench-dataset={examples(1)}", "--context-bench-system=identity", "-v")

    assert run_ids(outcome) == ["test_unit.py::test_unit", id_of()]


@pytest.mark.parametrize("mode", ["prepend", "append", "importlib"])
def test_no_import_mode_minds_it_nor_does_it_change_the_import_path(pytester, bench, examples, mode):
    pytester.syspathinsert()
    pytester.makepyfile(
        plugin_of_user="""
        import sys
        from pathlib import Path
        import pytest_context_bench
        home = str(Path(pytest_context_bench.__file__).parents[1])
        before = sys.path.count(home)
        def pytest_runtest_setup(item):
            assert sys.path.count(home) == before
        """
    )

    outcome = bench(
        f"--context-bench-dataset={examples(1)}",
        "--context-bench-system=identity",
        f"--import-mode={mode}",
        "-p",
        "plugin_of_user",
    )

    outcome.assert_outcomes(passed=1)


def test_the_first_failure_can_end_it(pytester, bench, examples):
    pytester.makeconftest(PUPPET)

    outcome = bench(f"--context-bench-dataset={examples(**FAILS)}", "-x")

    outcome.assert_outcomes(failed=1)
    outcome.stdout.fnmatch_lines(["note: partial: 1 of 4 pairs have a row"])


@pytest.mark.parametrize("key", ["python_functions = check_*", "python_files = check_*.py"])
def test_it_is_a_test_whatever_other_tests_are_called(pytester, bench, examples, key):
    pytester.makeini(f"[pytest]\n{key}\n")

    outcome = bench(f"--context-bench-dataset={examples(2)}", "--context-bench-system=identity")

    outcome.assert_outcomes(passed=2)
