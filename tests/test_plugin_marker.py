"""The marker: what it may say, what it refuses, and the gates that judge the rows of its test alone."""

import pytest
from runs import PUPPET, REPORT, assert_usage_error, said

DATA = "--context-bench-dataset=data.jsonl"


@pytest.fixture
def marked(pytester, bench):
    """Run a test file whose one test is marked with *arguments*."""

    def run(arguments, *flags, body="context_bench.run()"):
        pytester.makepyfile(
            test_own=f"""
            import pytest, pathlib, uuid
            class System:
                def __init__(self, name="one"): self.name = name
                def process(self, example): return {{}}
            def function(context): return context
            @pytest.mark.context_bench({arguments})
            def test_own(context_bench): {body}
            """
        )
        return bench(*flags)

    return run


REFUSED = {
    'datasets="x"': ["unknown keyword of marker context_bench 'datasets'", "'dataset'"],
    'system="identity"': ["keyword", "'system'", "'systems'"],
    "min_passrate=1": ["'min_passrate'", "'min_pass_rate'"],
    "gate=[]": ["'gate'", "'gates'"],
    '"needle"': ["'needle'", "dataset"],
    'dataset="needel"': ["unknown data set 'needel'"],
    'dataset="dat.jsonl"': ["dat.jsonl", "no such file", "data.jsonl"],
    "dataset=42": ["marker context_bench, dataset", "42"],
    "dataset=[]": ["marker context_bench, dataset", "at least one"],
    'dataset=["data.jsonl", "data.jsonl"]': ["two data sets are named 'data'"],
    'dataset=""': ["marker context_bench, dataset", "''"],
    "systems=[]": ["systems", "one system or more"],
    "systems=()": ["systems", "one system or more"],
    "systems={}": ["systems", "one system or more"],
    'systems=["identity", "identity"]': ["two systems are named 'identity'"],
    "systems=[System(), System()]": ["two systems are named 'one'"],
    "systems=[System(None)]": ["the name of system System", "None"],
    "systems=[System('')]": ["the name of system System", "''"],
    "systems=[42]": ["42", ".process(example)"],
    "systems=42": ["42", ".process(example)"],
    'systems=["identiti"]': ["unknown system 'identiti'", "'identity'"],
    "max_examples=0": ["marker context_bench, max_examples", "0"],
    "max_examples=True": ["marker context_bench, max_examples", "True"],
    "max_examples=2.5": ["marker context_bench, max_examples", "2.5"],
    "threshold=90": ["marker context_bench, threshold", "90", "between 0 and 1"],
    'threshold=float("nan")': ["marker context_bench, threshold", "nan"],
    "threshold=-1": ["marker context_bench, threshold", "-1"],
    "threshold=True": ["marker context_bench, threshold", "True"],
    "threshold=[0.5]": ["marker context_bench, threshold", "[0.5]"],
    "min_pass_rate=90": ["marker context_bench, min_pass_rate", "90"],
    "min_mean_score=-1": ["marker context_bench, min_mean_score", "-1"],
    "score_field=1": ["marker context_bench, score_field", "1"],
    'gates=["pas_rate>=1"]': ["pas_rate", "'pass_rate'"],
    'gates="pass_rate"': ["gate", "'pass_rate>=0.85'"],
    "gates=[0.5]": ["gate", "0.5"],
    "gates=0.5": ["gate", "0.5"],
    "text_fields=5": ["marker context_bench, text_fields", "5"],
    "text_fields=[1]": ["marker context_bench, text_fields", "1"],
    'strict="no"': ["marker context_bench, strict", "'no'"],
}


@pytest.mark.parametrize(("arguments", "words"), REFUSED.items(), ids=REFUSED)
def test_a_mistake_is_one_line_before_anything_runs(marked, examples, arguments, words):
    examples()

    assert_usage_error(marked(arguments), *words)


@pytest.mark.parametrize("arguments", ["min_passrate=1", "systems=[System(), System()]"])
def test_a_mistake_is_the_same_line_in_a_parallel_run(marked, arguments):
    assert_usage_error(marked(arguments, "-n2"), *REFUSED[arguments])


@pytest.mark.parametrize(
    ("arguments", "pairs"),
    [
        ("", ["identity", "truncate:0.5", "extract:0.5"]),
        ('systems="identity"', ["identity"]),
        ("systems=System()", ["one"]),
        ("systems=System", ["one"]),
        ("systems=function", ["function"]),
        ("systems=[lambda: System('made')]", ["made"]),
        ("systems=(System(name) for name in 'ba')", ["b", "a"]),
        ("systems={System(name) for name in 'bac'}", ["a", "b", "c"]),
        ("systems={'identity', 'truncate:0.1'}", ["identity", "truncate:0.1"]),
        ("systems=['identity', System()]", ["identity", "one"]),
    ],
)
def test_systems_are_named_made_or_given(marked, examples, saved, arguments, pairs):
    examples(1)

    marked(arguments, DATA, REPORT)

    assert [row["system"] for row in saved()["rows"]] == pairs


@pytest.mark.parametrize(
    ("arguments", "datasets"),
    [
        ('dataset="data.jsonl"', ["data"]),
        ('dataset=pathlib.Path("data.jsonl")', ["data"]),
        ('dataset=["needle:1k", "data.jsonl"]', ["needle:1k", "data"]),
        ('dataset=("data.jsonl", "more.jsonl")', ["data", "more"]),
        ('dataset={"more.jsonl", "data.jsonl"}', ["data", "more"]),
        ("max_examples=1", ["needle"]),
    ],
)
def test_data_sets_are_named_by_name_or_path(marked, examples, saved, arguments, datasets):
    examples(1)
    examples(1, name="more.jsonl")

    marked(arguments, "--context-bench-max-examples=1", "--context-bench-system=identity", REPORT)

    assert [row["dataset"] for row in saved()["rows"]] == datasets


def test_sets_have_the_same_order_in_every_process(marked, examples, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "random")
    for name in ("data", "more", "other"):
        examples(3, name=f"{name}.jsonl")

    outcome = marked(
        'dataset={"data.jsonl", "more.jsonl", "other.jsonl"}, systems={System(name) for name in "edcba"}',
        "-n2",
    )

    outcome.assert_outcomes(passed=45)


def test_nearer_markers_go_before_farther_ones(pytester, bench, examples):
    examples(4)
    pytester.makepyfile(
        """
        import pytest
        pytestmark = pytest.mark.context_bench(dataset="data.jsonl", systems="identity", max_examples=1)
        @pytest.mark.context_bench(max_examples=2)
        class TestOwn:
            @pytest.mark.context_bench(max_examples=3)
            def test_three(self, context_bench): context_bench.run()
            def test_two(self, context_bench): context_bench.run()
        def test_one(context_bench): context_bench.run()
        """
    )

    bench().assert_outcomes(passed=6)


def test_gates_judge_the_rows_of_their_test_alone(pytester, bench, examples, saved, dist):
    examples(4, odd={1: {"response": "wrong"}})
    examples(4, name="bad.jsonl", response="wrong")
    pytester.makeconftest(PUPPET)
    pytester.makepyfile(
        test_own="""
        import pytest
        @pytest.mark.context_bench(dataset="data.jsonl", min_pass_rate=0.75, gates=["n==4", "errors==0"])
        def test_good(context_bench): context_bench.run()
        @pytest.mark.context_bench(dataset="bad.jsonl", min_mean_score=0.1)
        class TestBad:
            def test_bad(self, context_bench): context_bench.run()
            @pytest.mark.context_bench(min_mean_score=0)
            def test_better(self, context_bench): context_bench.run()
        """
    )

    outcome = bench(REPORT, *dist)

    assert outcome.ret == 1
    assert [(v["test"], v["gate"], v["status"]) for v in saved()["verdicts"]] == [
        ("test_own.py::TestBad::test_bad", "mean_score >= 0.1", "FAIL"),
        ("test_own.py::TestBad::test_better", "mean_score >= 0", "PASS"),
        ("test_own.py::test_good", "pass_rate >= 0.75", "PASS"),
        ("test_own.py::test_good", "n == 4", "PASS"),
        ("test_own.py::test_good", "errors == 0", "PASS"),
    ]
    outcome.stdout.fnmatch_lines(
        [
            "FAIL  mean_score >= 0.1 ?test_own.py::TestBad::test_bad?: puppet 0.000 (n=4)",
            "PASS  pass_rate >= 0.75 ?test_own.py::test_good?: puppet 0.750 (n=4)",
        ]
    )


@pytest.mark.parametrize("folder", ["plain", "odd[1]"])
def test_tests_of_one_name_are_told_apart(pytester, bench, examples, saved, folder):
    examples(1)
    for name in ("one", "two"):
        path = pytester.path / folder / f"test_{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            "import pytest\n"
            "@pytest.mark.context_bench(dataset='data.jsonl', systems='identity', gates='n==1')\n"
            "def test_own(context_bench): context_bench.run()\n"
        )

    bench(REPORT)

    assert [(v["test"], v["status"]) for v in saved()["verdicts"]] == [
        (f"{folder}/test_one.py::test_own", "PASS"),
        (f"{folder}/test_two.py::test_own", "PASS"),
    ]


def test_a_minimum_of_a_marker_takes_the_place_of_the_ini_files(pytester, bench, examples):
    pytester.makeini("[pytest]\ncontext_bench_min_pass_rate = 0.9\n")
    pytester.makeconftest(PUPPET)
    examples(2, response="wrong")
    test = (
        "@pytest.mark.context_bench(dataset='data.jsonl'{})\n"
        "def test_{}(context_bench): context_bench.run()\n"
    )

    def run(*minima):
        pytester.makepyfile(
            "import pytest\n" + "".join(test.format(own, at) for at, own in enumerate(minima))
        )
        return bench().ret

    assert run(", min_pass_rate=0") == 0
    assert run("") == 1
    assert run(", min_pass_rate=0", "") == 1


def test_the_command_line_goes_before_the_minimum_of_a_marker(marked, examples):
    examples(2)

    outcome = marked(
        'dataset="data.jsonl", systems="truncate:0.1", min_pass_rate=0', "--context-bench-min-pass-rate=0.5"
    )

    assert outcome.ret == 1
    assert "pass_rate >= 0 " not in said(outcome)
    outcome.stdout.fnmatch_lines(["FAIL  pass_rate >= 0.5: truncate:0.1 0.000 (n=2)"])


@pytest.mark.parametrize(
    ("gate", "code", "line"),
    [
        ("pass_rate>=0.5", 1, "FAIL  pass_rate >= 0.5: truncate:0.1 *"),
        ("pass_rate>=baseline", 0, "WARN  pass_rate >= baseline: *"),
    ],
)
def test_a_gate_is_judged_whatever_the_minimum_of_a_marker(gate, code, line, marked, examples):
    examples(2)
    terms = 'dataset="data.jsonl", systems="truncate:0.1", min_pass_rate=0'

    outcome = marked(terms, f"--context-bench-gate={gate}")
    assert outcome.ret == code
    outcome.stdout.fnmatch_lines_random([line, "PASS  pass_rate >= 0 *"])


def test_each_test_may_have_its_score_and_threshold(pytester, bench, examples):
    examples(2, context="not gold1", answer="gold1")
    pytester.makepyfile(
        test_own="""
        import pytest
        @pytest.mark.context_bench(score_field="contains", gates="pass_rate==1")
        def test_contains(context_bench): context_bench.run()
        @pytest.mark.context_bench(score_field="f1", threshold=0.9, gates="pass_rate==0")
        def test_f1(context_bench): context_bench.run()
        """
    )

    outcome = bench(DATA, "--context-bench-system=identity", REPORT, "-v")

    assert outcome.ret == 0
    outcome.stdout.fnmatch_lines(["test_own.py::test_f1?identity-data-1? BELOW (f1=0.67)*"])


def test_text_fields_are_those_of_the_marker(marked, examples, saved):
    examples(1, extra="one two three", turns=["a"])

    def tokens(arguments):
        marked(f"{arguments}", DATA, "--context-bench-system=identity", REPORT)
        return saved()["rows"][0]["input_tokens"]

    assert tokens("") == 3
    assert tokens("text_fields=['extra']") == tokens("text_fields='extra'") == 3
    assert tokens("text_fields='context,extra'") == tokens("text_fields={'extra', 'context'}") == 5


@pytest.mark.parametrize(
    "test",
    [
        "def test_own(): pass",
        "def test_own(context_bench_system): pass",
        "def test_own(context_bench_example): pass",
    ],
)
def test_gates_on_a_test_that_measures_nothing_are_a_usage_error(pytester, bench, examples, test):
    examples(1)
    pytester.makepyfile(
        test_own=f"""
        import pytest
        @pytest.mark.context_bench(dataset="data.jsonl", systems="identity", min_pass_rate=0.8)
        {test}
        """
    )

    assert_usage_error(bench(), "test_own", "does not take the fixture context_bench", "min_pass_rate")


def test_a_marker_without_gates_may_stand_anywhere(pytester, bench, examples):
    examples(1)
    pytester.makepyfile(
        """
        import pytest
        pytestmark = pytest.mark.context_bench(dataset="data.jsonl", systems="identity", min_pass_rate=1)
        @pytest.mark.context_bench(max_examples=1)
        def test_bare(context_bench_system): pass
        @pytest.mark.context_bench
        def test_unit(): pass
        def test_own(context_bench): context_bench.run()
        """
    )

    bench("-m", "context_bench").assert_outcomes(passed=3)


def test_gates_over_a_test_that_was_skipped_whole_are_not_met(pytester, bench, examples):
    examples(2)
    pytester.makepyfile(
        test_own="""
        import pytest
        @pytest.mark.skip
        @pytest.mark.context_bench(min_pass_rate=0.5)
        def test_skipped(context_bench): context_bench.run()
        @pytest.mark.context_bench(min_pass_rate=0.5)
        def test_own(context_bench): context_bench.run()
        """
    )

    outcome = bench(DATA, "--context-bench-system=identity")

    assert outcome.ret == 1
    outcome.stdout.fnmatch_lines(
        [
            "note: 2 of 4 pairs were skipped",
            "PASS  pass_rate >= 0.5 ?test_own.py::test_own?: *",
            "FAIL  pass_rate >= 0.5 ?test_own.py::test_skipped?: no rows",
        ]
    )
