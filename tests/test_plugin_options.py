"""The options: what is refused before anything runs, which of several settings counts, where files go."""

import json
import os
import stat
from pathlib import Path

import pytest
from runs import PUPPET, REPORT, assert_usage_error, counted, id_of, registering, run_ids, said

DATA = "--context-bench-dataset=data.jsonl"
IDENTITY = "--context-bench-system=identity"
# What the user wrote, and what the one line must hold: the thing, and what is valid instead.
REFUSED = {
    "unknown data set": (["--context-bench-dataset=needel"], ["unknown data set 'needel'", "'needle'"]),
    "unknown task": (["--context-bench-dataset=needle:jsom"], ["jsom", "json"]),
    "unknown size": (["--context-bench-dataset=needle:3k"], ["3k", "4k"]),
    "missing file": (["--context-bench-dataset=dat.jsonl"], ["dat.jsonl", "no such file", "data.jsonl"]),
    "empty name": (["--context-bench-dataset="], ["--context-bench-dataset", "''"]),
    "one data set twice": ([DATA, DATA], ["two data sets are named 'data'"]),
    "unknown system": (
        [DATA, "--context-bench-system=identiti"],
        ["unknown system 'identiti'", "'identity'"],
    ),
    "two systems of one name": ([DATA, IDENTITY, IDENTITY], ["two systems are named 'identity'"]),
    "a share of more than all": ([DATA, "--context-bench-system=truncate:1.5"], ["truncate:1.5", "1.5"]),
    "no such module": (
        [DATA, "--context-bench-system=mine=nowhere:thing"],
        ["mine=nowhere:thing", "nowhere"],
    ),
    "no such attribute": ([DATA, "--context-bench-system=mine=json:thing"], ["mine=json:thing", "thing"]),
    "no attribute": ([DATA, "--context-bench-system=mine=json"], ["mine=json", "NAME=module:attribute"]),
    "no system": ([DATA, "--context-bench-system=mine=math:pi"], ["'mine'", "3.14", ".process(example)"]),
    "unknown metric": ([DATA, "--context-bench-gate=pas_rate>=0.5"], ["pas_rate", "'pass_rate'"]),
    "no gate": ([DATA, "--context-bench-gate=pass_rate"], ["'pass_rate'", "'pass_rate>=0.85'"]),
    "gate of no number": ([DATA, "--context-bench-gate=pass_rate>=much"], ["much", "a finite number"]),
    "gate of nan": ([DATA, "--context-bench-gate=mean_score>=nan"], ["nan", "a finite number"]),
    "gate of 90": ([DATA, "--context-bench-gate=pass_rate>=90"], ["90", "between 0 and 1"]),
    "gate of 900%": ([DATA, "--context-bench-gate=pass_rate>=900%"], ["pass_rate", "between 0 and 1"]),
    "unknown selector": ([DATA, "--context-bench-gate=n>=1@sistem=x"], ["sistem", "'system'"]),
    "unknown tokenizer": ([DATA, "--context-bench-tokenizer=cl100k_bass"], ["cl100k_bass", "cl100k_base"]),
    "unknown report": ([DATA, "--context-bench-report=yaml:out"], ["yaml:out", "json or jsonl"]),
    "report to nowhere": ([DATA, "--context-bench-report=json:"], ["json:", "FORMAT:PATH"]),
    "report of no format": ([DATA, "--context-bench-report=out.json"], ["out.json", "FORMAT:PATH"]),
    "two reports to one file": (
        [DATA, "--context-bench-report=json:out", "--context-bench-report=jsonl:./out"],
        ["out", "--context-bench-report"],
    ),
    "only and skip": ([DATA, "--context-bench-only", "--context-bench-skip"], ["only", "skip"]),
} | {
    f"{name} {value!r}": ([DATA, f"--context-bench-{name}={value}"], [f"--context-bench-{name}", repr(value)])
    for name, values in {
        "threshold": ["nan", "-1", "90", "inf", "", "0,5", "high", "1.0000001"],
        "min-pass-rate": ["nan", "-0.1", "90", "90%"],
        "min-mean-score": ["nan", "-0.1", "2"],
        "max-examples": ["0", "-3", "1.5", "all", ""],
        "seed": ["x", "1.5"],
        "max-errors": ["-1", "1.5", "101%", "nan", "nan%", "inf", "inf%", "-inf", "few", "%", ""],
        "score-field": ["", " "],
        "text-fields": [""],
        "gate": [""],
    }.items()
    for value in values
}


@pytest.mark.parametrize(("flags", "words"), REFUSED.values(), ids=REFUSED)
def test_a_mistake_is_one_line_before_anything_runs(bench, examples, flags, words):
    examples()

    outcome = bench(*flags, REPORT)

    assert_usage_error(outcome, *words)


@pytest.mark.parametrize("name", ["unknown data set", "two systems of one name", "threshold 'nan'"])
def test_a_mistake_is_the_same_line_in_a_parallel_run(bench, examples, name):
    examples()
    flags, words = REFUSED[name]

    assert_usage_error(bench(*flags, "-n2"), *words)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"id": 1}\n{"id": 2,}\n', ["data.jsonl:2", "not JSON"]),
        (b'{"id": 1}\n{"id": 2}\n\n{"id": 1}\n', ["'data'", "id 1", "data.jsonl:1", "data.jsonl:4"]),
        (b'{"id": 1}\n{"id": "1"}\n', ["1 and '1'", "data.jsonl:1", "data.jsonl:2"]),
        (b"", ["'data'", "no examples"]),
        (b"\n\n", ["'data'", "no examples"]),
        (b"[]", ["'data'", "no examples"]),
        (b'{"id": 1}\n{"id": 2, "context": "\xff"}\n', ["data.jsonl:2", "UTF-8"]),
        (b'"text"\n', ["data.jsonl:1", "str"]),
        (b'{"id": 1.5}\n', ["data.jsonl:1", "1.5"]),
        (b'{"id": true}\n', ["data.jsonl:1", "True"]),
        (b"version https://git-lfs.github.com/spec/v1\n", ["data.jsonl", "Git LFS"]),
    ],
    ids=lambda value: repr(value[:40]) if isinstance(value, bytes) else "",
)
def test_a_broken_data_set_is_one_line_before_anything_runs(pytester, bench, content, words):
    pytester.path.joinpath("data.jsonl").write_bytes(content)

    outcome = bench(DATA, "--context-bench-min-mean-score=0")

    assert_usage_error(outcome, *words)


def test_a_broken_data_set_is_the_same_line_in_a_parallel_run(pytester, bench):
    pytester.path.joinpath("data.jsonl").write_bytes(b'{"id": 1}\n{"id": 2,}\n')

    assert_usage_error(bench(DATA, "-n2"), "data.jsonl:2", "not JSON")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("context_bench_threshold = 90", ["context_bench_threshold", "'90'"]),
        ("context_bench_max_examples = none", ["context_bench_max_examples", "'none'"]),
        ("context_bench_gate =\n  n>=1\n  pas_rate>=1", ["pas_rate", "'pass_rate'"]),
        ("context_bench_system = identiti", ["unknown system 'identiti'"]),
        ("context_bench_strict = perhaps", ["perhaps"]),
    ],
)
def test_an_ini_file_is_read_as_the_command_line_is(pytester, bench, examples, line, words):
    examples()
    pytester.makeini(f"[pytest]\n{line}\n")

    assert_usage_error(bench(DATA), *words)


INI = """
context_bench_dataset = data.jsonl
context_bench_system = identity
context_bench_threshold = 0.3
context_bench_strict = true
context_bench_gate =
    n>=2
    n<=2
"""
TOML = """
context_bench_dataset = ["data.jsonl"]
context_bench_system = ["identity"]
context_bench_threshold = "0.3"
context_bench_strict = true
context_bench_gate = ["n>=2", "n<=2"]
"""
INI_FILES = {
    "pytest.ini": f"[pytest]{INI}",
    "tox.ini": f"[pytest]{INI}",
    "setup.cfg": f"[tool:pytest]{INI}",
    "pyproject.toml": f"[tool.pytest.ini_options]{TOML}",
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *INI_FILES.items(),
        pytest.param(
            "pyproject.toml",
            f"[tool.pytest]{TOML}",
            id="native pyproject.toml",
            marks=pytest.mark.skipif(pytest.version_tuple < (9,), reason="new in pytest 9"),
        ),
    ],
)
def test_every_kind_of_ini_file_is_read(pytester, bench, examples, saved, name, text):
    examples(2)
    pytester.path.joinpath(name).write_text(text)

    outcome = bench(REPORT)

    assert outcome.ret == 0
    assert saved()["config"]["threshold"] == 0.3
    assert [verdict["gate"] for verdict in saved()["verdicts"]] == ["n >= 2", "n <= 2"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ((), 0.7),
        (("ini",), 0.1),
        (("ini", "marker"), 0.2),
        (("ini", "marker", "command line"), 0.3),
        (("ini", "command line"), 0.3),
    ],
    ids=lambda value: "-".join(value) or "default" if isinstance(value, tuple) else "",
)
def test_the_command_line_goes_before_the_marker_that_before_the_ini_file(
    pytester, bench, saved, settings, expected
):
    if "ini" in settings:
        pytester.makeini("[pytest]\ncontext_bench_threshold = 0.1\n")
    marker = 'dataset="needle:1k", systems="identity", max_examples=1'
    if "marker" in settings:
        marker += ", threshold=0.2"
    pytester.makepyfile(
        f"""
        import pytest
        @pytest.mark.context_bench({marker})
        def test_own(context_bench): context_bench.run()
        """
    )

    bench(REPORT, *(["--context-bench-threshold=0.3"] if "command line" in settings else []))

    assert saved()["config"]["threshold"] == expected


OVERRULED = {
    "dataset": ["needle:json-1k", "needle:log-1k", "needle:code-1k"],
    "system": ["identity", "truncate:0.3", "extract:0.3"],
    "max_examples": [3, 2, 1],
    "score_field": ["f1", "recall", "contains"],
}
FOUND = {
    "dataset": lambda result: result["rows"][0]["dataset"],
    "system": lambda result: result["rows"][0]["system"],
    "max_examples": lambda result: len(result["rows"]),
    "score_field": lambda result: result["config"]["score_field"],
}


@pytest.mark.parametrize("key", OVERRULED)
def test_any_setting_can_be_overruled(pytester, bench, saved, key):
    ini, marker, flag = OVERRULED[key]
    pytester.makeini(f"[pytest]\ncontext_bench_{key} = {ini}\n")
    pytester.makepyfile(
        test_ini="def test_ini(context_bench): context_bench.run()",
        test_marker=f"""
        import pytest
        @pytest.mark.context_bench({"systems" if key == "system" else key}={marker!r})
        def test_marker(context_bench): context_bench.run()
        """,
    )
    base = {"dataset": "needle:1k", "system": "identity", "max_examples": 1}
    others = {name: value for name, value in base.items() if name != key}

    def found(file, **flags):
        bench(
            REPORT,
            file,
            *(
                f"--context-bench-{name.replace('_', '-')}={value}"
                for name, value in (others | flags).items()
            ),
        )
        return FOUND[key](saved())

    assert found("test_ini.py") == ini
    assert found("test_marker.py") == marker
    assert found("test_marker.py", **{key: flag}) == flag


@pytest.mark.parametrize(("own", "failed"), [("", 1), (", strict=False", 0)], ids=["ini", "marker"])
def test_a_marker_can_turn_off_what_the_ini_file_turns_on(pytester, bench, examples, own, failed):
    pytester.makeini("[pytest]\ncontext_bench_strict = true\n")
    examples(1, response="wrong")
    pytester.makeconftest(PUPPET)
    pytester.makepyfile(
        f"""
        import pytest
        @pytest.mark.context_bench(dataset="data.jsonl"{own})
        def test_own(context_bench): context_bench.run()
        """
    )

    outcome = bench()

    assert outcome.parseoutcomes().get("failed", 0) == failed


@pytest.mark.parametrize(
    ("written", "lands"),
    [
        ("out.json", "below/out.json"),
        ("deep/er/out.json", "below/deep/er/out.json"),
        ("../out.json", "out.json"),
        ("o:u t.json", "below/o:u t.json"),
        ("日本.json", "below/日本.json"),
    ],
)
def test_a_path_on_the_command_line_starts_at_the_current_folder(pytester, bench, saved, written, lands):
    pytester.makeini("[pytest]")
    os.chdir(pytester.mkdir("below"))

    bench(
        "--context-bench-dataset=needle:1k",
        "--context-bench-max-examples=1",
        f"--context-bench-report=json:{written}",
    )

    assert len(saved(lands)["rows"]) == 3


def test_a_path_in_an_ini_file_starts_at_the_root_folder(pytester, bench, examples, saved):
    pytester.makeini(
        """
        [pytest]
        context_bench_dataset = data.jsonl
        context_bench_report = json:reports/out.json
        """
    )
    examples(2)
    os.chdir(pytester.mkdir("below"))

    bench(".", IDENTITY)

    assert len(saved("reports/out.json")["rows"]) == 2


def test_a_path_in_a_marker_starts_at_the_root_folder(pytester, bench, examples):
    pytester.makeini("[pytest]")
    examples(2)
    below = pytester.mkdir("below")
    below.joinpath("test_own.py").write_text(
        "import pytest, pathlib\n"
        "@pytest.mark.context_bench(dataset=pathlib.Path('data.jsonl'), systems=['identity'])\n"
        "def test_own(context_bench): context_bench.run()\n"
    )
    os.chdir(below)

    bench().assert_outcomes(passed=2)


def test_tests_that_change_the_folder_do_not_mislead_paths(pytester, bench, examples, saved, alone_or_not):
    pytester.makeconftest(
        """
        import os, pytest
        @pytest.fixture(autouse=True)
        def elsewhere(tmp_path):
            os.chdir(tmp_path)
        """
    )
    examples(3)

    outcome = bench(DATA, IDENTITY, "--context-bench-report=json:out.json", *alone_or_not)

    outcome.assert_outcomes(passed=3)
    assert len(saved()["rows"]) == 3


def test_every_report_that_is_asked_for_is_written(pytester, bench, examples, saved):
    bench(
        f"--context-bench-dataset={examples(3)}",
        IDENTITY,
        "--context-bench-report=json:one.json",
        "--context-bench-report=jsonl:rows.jsonl",
        "--context-bench-report=json:two.json",
    )

    rows = [json.loads(line) for line in pytester.path.joinpath("rows.jsonl").read_text().splitlines()]
    assert saved("one.json") == saved("two.json")
    assert rows == saved("one.json")["rows"]
    assert len(rows) == 3


@pytest.mark.parametrize("obstacle", ["a file for a folder", "a folder for a file", "a full device"])
def test_a_report_that_cannot_be_written_fails_the_build_and_is_kept(
    pytester, bench, examples, saved, monkeypatch, obstacle
):
    monkeypatch.setenv("TMPDIR", str(pytester.mkdir("temporary")))
    monkeypatch.setattr("tempfile.tempdir", None)
    pytester.path.joinpath("taken").touch()
    pytester.mkdir("folder")
    path = {"a file for a folder": "taken/out", "a folder for a file": "folder", "a full device": "/dev/full"}

    outcome = bench(
        f"--context-bench-dataset={examples(3)}",
        IDENTITY,
        f"--context-bench-report=json:{path[obstacle]}",
        "--context-bench-report=json:good.json",
    )

    assert outcome.ret == 1
    (problem,) = [line for line in outcome.outlines if line.startswith("ERROR")]
    kept = Path(problem.partition("it is kept in ")[2])
    assert json.loads(kept.read_text()) == saved("good.json")
    assert not [path for path in pytester.path.rglob(".*") if path.is_file()]
    assert "report json:" in problem


def test_a_report_goes_through_links_and_into_devices(pytester, bench, examples, saved):
    examples(1)
    pytester.mkdir("real")
    pytester.path.joinpath("link.json").symlink_to("real/out.json")

    outcome = bench(
        DATA, IDENTITY, "--context-bench-report=json:link.json", "--context-bench-report=json:/dev/null"
    )

    assert outcome.ret == 0
    assert len(saved("real/out.json")["rows"]) == 1
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_report_replaces_an_older_one_and_can_be_read_by_others(pytester, bench, examples, saved):
    pytester.path.joinpath("out.json").write_text("old " * 10_000)
    mask = os.umask(0o022)

    bench(f"--context-bench-dataset={examples(1)}", IDENTITY, REPORT)
    os.umask(mask)

    assert len(saved()["rows"]) == 1
    assert stat.S_IMODE(pytester.path.joinpath("out.json").stat().st_mode) == 0o644


@pytest.mark.parametrize(
    ("flags", "ids"),
    [
        (
            ["--context-bench-only"],
            ["test_own.py::test_bare[identity-data-1]", "test_own.py::test_own[identity-data-1]"],
        ),
        (
            ["-m", "context_bench"],
            ["test_own.py::test_bare[identity-data-1]", "test_own.py::test_own[identity-data-1]"],
        ),
        (["-m", "not context_bench"], ["test_own.py::test_unit"]),
    ],
)
def test_benchmarks_can_be_told_from_other_tests(pytester, bench, examples, flags, ids):
    pytester.makepyfile(
        test_own="""
        def test_unit(): pass
        def test_bare(context_bench_system, context_bench_example): pass
        def test_own(context_bench): context_bench.run()
        """
    )

    outcome = bench(f"--context-bench-dataset={examples(1)}", IDENTITY, "-v", *flags)

    assert sorted(run_ids(outcome)) == ids
    assert "deselected" in counted(outcome)


def test_skip_skips_every_benchmark_without_opening_data(pytester, bench):
    pytester.makepyfile(
        test_own="""
        import pytest
        def test_unit(): pass
        def test_bare(context_bench_system, context_bench_example): assert False
        @pytest.mark.context_bench(dataset="missing.jsonl", min_pass_rate=1)
        def test_own(context_bench): assert False
        """
    )

    outcome = bench("--context-bench-skip")

    outcome.assert_outcomes(passed=1, skipped=2)
    assert outcome.ret == 0
    assert "= context-bench =" not in said(outcome)


def test_only_where_there_is_no_benchmark_is_nothing_collected(pytester, bench):
    pytester.makepyfile("def test_unit(): pass")

    assert bench("--context-bench-only").ret == 5


def test_only_and_a_data_set_run_the_zero_code_test_alone(pytester, bench, examples):
    pytester.makepyfile("def test_unit(): pass")

    outcome = bench(f"--context-bench-dataset={examples(1)}", IDENTITY, "--context-bench-only", "-v")

    assert run_ids(outcome) == [id_of()]


def test_a_sample_is_the_same_in_every_process_and_part_of_a_larger_one(bench, saved):
    def sample(n, *flags):
        bench(
            "--context-bench-dataset=needle:1k",
            IDENTITY,
            f"--context-bench-max-examples={n}",
            "--context-bench-seed=7",
            REPORT,
            *flags,
        )
        return [row["example_id"] for row in saved()["rows"]]

    small = sample(3)

    assert len(small) == 3
    assert small != [0, 1, 2]
    assert small == sample(3, "-n2")
    assert set(small) < set(sample(8))


def test_the_options_are_told_with_their_defaults(bench):
    text = str(bench("--help").stdout)

    for option in ("dataset", "gate", "strict"):
        assert f"--context-bench-{option}" in text
        assert f"context_bench_{option}" in text
    assert "(default: 0.7)" in " ".join(text.split())


def test_the_marker_and_fixtures_are_told(bench):
    assert "@pytest.mark.context_bench(dataset, systems, ...)" in str(bench("--markers").stdout)
    assert "context_bench_evaluators" in str(bench("--fixtures").stdout)


def test_strict_config_and_strict_markers_know_them(pytester, bench, examples):
    pytester.makeini("[pytest]\ncontext_bench_dataset = data.jsonl\n")
    examples(1)
    pytester.makepyfile(
        """
        import pytest
        @pytest.mark.context_bench(systems="identity")
        def test_own(context_bench): context_bench.run()
        """
    )

    bench("--strict-config", "--strict-markers", "-W", "error").assert_outcomes(passed=1)


def test_a_registered_name_goes_before_a_file_wherever_it_is_named(pytester, bench):
    pytester.makeini("[pytest]\ncontext_bench_dataset = tickets.jsonl\n")
    loader = "lambda: [dict(id=1, context='gold', answer='gold')]"
    pytester.makeconftest(registering(f'"dataset", "tickets.jsonl", {loader}'))

    bench(IDENTITY).assert_outcomes(passed=1)
