"""Whole runs beside a baseline: saved, compared, judged, and never overwritten by a run that failed."""

import json

import pytest
from runs import REPORT, assert_usage_error, id_of, said

from pytest_context_bench.results import EvalResult

DATA = "--context-bench-dataset=data.jsonl"
MODEL = """
import json
from pathlib import Path

class Model:
    name = "model"
    def process(self, example):
        wrong = json.loads(Path("wrong.json").read_text()) if Path("wrong.json").exists() else []
        if example.get("raises"):
            raise RuntimeError("down")
        return {"response": "no" if example["id"] in wrong else example["answer"]}

def pytest_context_bench_register(registry):
    registry.register("system", "model", Model())
"""
RELATIVE = "--context-bench-gate=pass_rate>=baseline"


@pytest.fixture
def model(pytester):
    """A system that is wrong where it is told to be."""
    pytester.makeconftest(MODEL)

    def wrong(ids):
        (pytester.path / "wrong.json").write_text(json.dumps(list(ids)))

    return wrong


@pytest.fixture
def folder(pytester):
    return pytester.path / ".context-bench"


def test_a_good_run_becomes_the_baseline_and_an_unchanged_one_stays_green(
    bench, model, examples, saved, folder, alone_or_not
):
    examples(40)
    first = bench(DATA, "--context-bench-save=main", *alone_or_not)
    assert first.ret == 0
    assert "saved as baseline 'main': .context-bench/main.json" in said(first)

    again = bench(DATA, "--context-bench-baseline=main", RELATIVE, REPORT, *alone_or_not)
    assert again.ret == 0
    assert saved()["verdicts"][0]["status"] == "PASS"
    assert saved()["comparison"]["flips"] == []


def test_a_planted_regression_turns_the_build_red(bench, model, examples, saved, alone_or_not):
    examples(200)
    bench(DATA, "--context-bench-save=main", *alone_or_not)
    model(range(1, 21))

    run = bench(DATA, "--context-bench-baseline=main", RELATIVE, REPORT, *alone_or_not)
    assert run.ret == 1
    assert saved()["verdicts"][0]["status"] == "FAIL"
    assert len(saved()["comparison"]["flips"]) == 20
    assert [line for line in run.outlines if line.startswith("FAIL  pass_rate >= baseline: model")]


def test_a_drop_that_may_be_chance_warns_and_says_what_could_have_been_seen(bench, model, examples, saved):
    examples(30)
    bench(DATA, "--context-bench-save=main")
    model([3])

    run = bench(DATA, "--context-bench-baseline=main", RELATIVE, REPORT)
    assert run.ret == 0
    assert saved()["verdicts"][0]["status"] == "WARN"


def test_noninferiority_passes_with_proof_alone(bench, model, examples, saved):
    examples(30)
    bench(DATA, "--context-bench-save=main")
    model([3])
    strict = [DATA, "--context-bench-baseline=main", "--context-bench-gate-mode=noninferiority", REPORT]

    assert bench(*strict, "--context-bench-gate=pass_rate>=baseline-0.02").ret == 1
    assert "inconclusive" in json.dumps(saved()["verdicts"])
    assert bench(*strict, "--context-bench-gate=pass_rate>=baseline-0.5").ret == 0


NARROWED = {
    "-k": ["-k", "data-1]"],
    "deselected": ["--deselect", id_of("model", example=1)],
    "a pair": [id_of("model", example=1)],
}


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["--context-bench-min-pass-rate=1"], "the run did not go well"),
        (["-x"], "the run did not go well"),
        *((flags, "the run was of selected pairs") for flags in NARROWED.values()),
    ],
    ids=["gate", "error", *NARROWED],
)
def test_no_run_but_a_whole_one_that_went_well_overwrites_the_baseline(
    flags, why, bench, model, examples, folder
):
    examples(10)
    bench(DATA, "--context-bench-save=main")
    before = (folder / "main.json").read_bytes()
    model([1, 2])
    if flags == ["-x"]:
        examples(10, odd={2: {"raises": True}})
    run = bench(DATA, "--context-bench-save=main", *flags)

    assert run.ret == (0 if "selected" in why else 1)
    assert f"not saved as baseline 'main', since {why}: .context-bench/main.candidate.json" in said(run)
    assert (folder / "main.json").read_bytes() == before
    assert (folder / "main.candidate.json").exists()


@pytest.mark.parametrize("flags", [[], *NARROWED.values()], ids=["all", *NARROWED])
def test_workers_know_whether_their_pairs_are_all(flags, bench, model, examples, folder):
    bench(DATA, examples(3) and "--context-bench-save=main", *flags, "-n2")

    assert [path.name for path in folder.iterdir()] == ["main.candidate.json" if flags else "main.json"]


def test_the_pairs_of_one_test_are_a_part_of_the_file(bench, model, examples, pytester, folder):
    examples(3)
    pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl")
@pytest.mark.parametrize("way", [1, 2])
def test_one(context_bench, way):
    context_bench.run()

def test_none():
    pass

@pytest.mark.context_bench(dataset="data.jsonl")
def test_other(context_bench):
    context_bench.run()
""")
    bench("--context-bench-save=one", "-k", "test_one")
    assert [path.name for path in folder.iterdir()] == ["one.candidate.json"]

    bench("--context-bench-save=two", "--context-bench-only")
    assert (folder / "two.json").exists()


def test_a_run_without_rows_saves_nothing(bench, model, examples, pytester, folder):
    examples(3)
    pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl")
def test_one(context_bench):
    pytest.skip("not today")
""")
    run = bench("--context-bench-save=main")

    assert run.ret == 0
    assert "nothing to save as baseline 'main': no pair has a row" in said(run)
    assert not folder.exists()


def test_collecting_alone_saves_nothing(bench, model, examples, folder):
    assert bench(DATA, examples() and "--context-bench-save=main", "--collect-only").ret == 0

    assert not folder.exists()


class TestAPlaceThatCannotBeWrittenTo:
    @pytest.mark.parametrize(
        ("name", "told"), [("file/main.json", "is no folder"), ("folder/", "it is a folder")]
    )
    def test_it_is_told_before_anything_runs(self, name, told, bench, model, examples, pytester):
        (pytester.path / "file").write_text("")
        (pytester.path / "folder").mkdir()

        run = bench(DATA, examples() and f"--context-bench-save={name}")
        assert_usage_error(run, "cannot be saved", told)

    def test_what_was_measured_is_kept_elsewhere(self, bench, model, examples, pytester, monkeypatch):
        pytester.makeconftest(
            MODEL + "\ndef pytest_sessionstart():\n    Path('.context-bench').write_text('')\n"
        )
        (pytester.path / "tmp").mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(pytester.path / "tmp"))
        run = bench(DATA, examples() and "--context-bench-save=main")

        assert run.ret == 1
        assert "cannot be saved: File exists; it is kept in" in said(run)
        (kept,) = (pytester.path / "tmp").glob("*.json")
        assert len(EvalResult.from_json(kept.read_text()).rows) == 4


def test_a_candidate_is_accepted_by_hand(bench, model, examples, folder, pytester):
    from pytest_context_bench.cli import main

    examples(10)
    bench(DATA, "--context-bench-save=main", "--context-bench-gate=mean_score<0.5")
    assert not (folder / "main.json").exists()

    assert main(["baseline", "accept", "main"]) == 0
    assert (folder / "main.json").exists()


class TestABaselineThatIsNotAsExpected:
    def test_absent_it_warns_and_says_how_to_make_one(self, bench, model, examples, saved):
        run = bench(DATA, examples() and "--context-bench-baseline=main", RELATIVE, REPORT)

        assert run.ret == 0
        assert saved()["verdicts"][0]["status"] == "WARN"
        assert "there is no baseline 'main'" in said(run)
        assert "--context-bench-save main" in said(run)

    def test_absent_it_is_an_error_where_it_is_required(self, bench, model, examples):
        run = bench(DATA, examples() and "--context-bench-baseline=main", "--context-bench-require-baseline")

        assert_usage_error(run, "there is no baseline 'main'", "--context-bench-save main")

    def test_unnamed_it_is_an_error_where_it_is_required(self, bench, model, examples):
        run = bench(DATA, examples() and "--context-bench-require-baseline")

        assert_usage_error(run, "--context-bench-require-baseline without a baseline")

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            ("", "the file is empty"),
            ("{]", "not a saved result"),
            ("[1]", "not a saved result"),
            ('{"schema": 99, "rows": [], "summary": {}}', "schema 99"),
        ],
        ids=["empty", "not JSON", "no result", "newer"],
    )
    def test_unreadable_it_is_an_error_before_anything_runs(
        self, content, told, bench, model, examples, folder
    ):
        folder.mkdir()
        (folder / "main.json").write_text(content)

        assert_usage_error(bench(DATA, examples() and "--context-bench-baseline=main"), told, "main.json")

    def test_changed_examples_are_told_apart_from_changed_quality(self, bench, model, examples, saved):
        examples(20)
        bench(DATA, "--context-bench-save=main")
        examples(20, odd={5: {"answer": "another", "context": "x"}})
        model([5])

        run = bench(DATA, "--context-bench-baseline=main", RELATIVE, REPORT)
        assert run.ret == 0
        assert saved()["comparison"]["flips"] == []
        assert saved()["comparison"]["differences"][0]["n"] == 19
        assert "left out, since their content is another now: 1 example of model, as '5' of data" in said(run)

    @pytest.mark.parametrize("step", ["run()", "record(f1=1.0)"])
    def test_changed_examples_are_told_apart_between_reports_too(
        self, step, bench, model, examples, pytester, capsys
    ):
        from pytest_context_bench.cli import main

        pytester.makepyfile(f"""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl")
def test_one(context_bench):
    context_bench.{step}
""")
        for answer, name in (("gold5", "before"), ("another", "after")):
            examples(20, odd={5: {"answer": answer}})
            bench(f"--context-bench-report=json:{name}.json")
        capsys.readouterr()

        assert main(["compare", "before.json", "after.json", "--output=json"]) == 0
        assert json.loads(capsys.readouterr().out)["comparison"]["differences"][0]["n"] == 19

    def test_other_examples_altogether_are_nothing_to_compare_with(self, bench, model, examples, saved):
        examples(5)
        bench(DATA, "--context-bench-save=main")
        examples(ids=[11, 12])

        run = bench(DATA, "--context-bench-baseline=main", RELATIVE, REPORT)
        assert run.ret == 1
        assert saved()["verdicts"][0]["status"] == "FAIL"
        assert "no example has a value in both runs" in said(run)
        assert "no pair is in baseline main too" in said(run)

    def test_more_or_fewer_examples_are_compared_where_both_have_them(self, bench, model, examples, saved):
        examples(20)
        bench(DATA, "--context-bench-save=main")

        run = bench(DATA, "--context-bench-baseline=main", "--context-bench-max-examples=8", RELATIVE)
        assert run.ret == 0
        assert "not in this run: 12 examples of model, as '9' of data" in said(run)

    def test_a_new_system_is_no_regression(self, bench, model, examples, saved):
        examples(5)
        bench(DATA, "--context-bench-save=main", "--context-bench-system=identity")

        run = bench(DATA, "--context-bench-baseline=main", RELATIVE)
        assert run.ret == 0
        assert "WARN  pass_rate >= baseline: model is not in the baseline" in said(run)
        assert "not in this run: identity" in said(run)

    def test_another_threshold_judges_both_anew(self, bench, model, examples, saved):
        examples(5)
        bench(DATA, "--context-bench-save=main", "--context-bench-threshold=0.5")

        run = bench(DATA, "--context-bench-baseline=main", RELATIVE)
        assert run.ret == 0
        assert "the threshold was 0.5 in the baseline: its rows are judged anew with 0.7" in said(run)

    def test_another_tokenizer_compares_no_tokens(self, bench, model, examples, saved):
        examples(5)
        bench(DATA, "--context-bench-save=main", "--context-bench-tokenizer=o200k_base")

        gate = "--context-bench-gate=compression_ratio>=baseline-0.1"
        run = bench(DATA, "--context-bench-baseline=main", gate)
        assert run.ret == 1
        assert "the tokenizer was 'o200k_base' in the baseline and is 'cl100k_base' now" in said(run)


@pytest.mark.parametrize(
    "gate", ["latency_p95<=baseline*100", "cost_of_pass<=baseline+10%", "errors<=baseline", "n>=baseline"]
)
def test_any_figure_can_be_held_to_its_baseline(gate, bench, model, examples, saved):
    examples(20)
    bench(DATA, "--context-bench-save=main")

    run = bench(DATA, "--context-bench-baseline=main", f"--context-bench-gate={gate}", REPORT)
    assert run.ret == 0
    assert saved()["verdicts"][0]["status"] == "PASS"


def test_the_gates_of_a_marker_are_relative_to_their_own_rows(bench, model, examples, pytester, saved):
    examples(100)
    pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl", gates=["mean_score>=baseline-0.02"])
def test_one(context_bench):
    context_bench.run()
""")
    bench("--context-bench-save=main")
    model(range(1, 21))

    assert bench("--context-bench-baseline=main", REPORT).ret == 1
    assert (
        saved()["verdicts"][0]["test"]
        == "test_the_gates_of_a_marker_are_relative_to_their_own_rows.py::test_one"
    )


def test_tests_that_measure_the_same_pairs_are_each_compared_with_themselves(
    bench, model, examples, pytester, saved
):
    examples(40)
    pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl", gates=["mean_score==baseline"])
def test_one(context_bench):
    context_bench.run()

@pytest.mark.context_bench(dataset="data.jsonl", gates=["mean_score==baseline"])
def test_two(context_bench):
    context_bench.record(score=0.3)
""")
    bench("--context-bench-save=main")
    both = ["--context-bench-baseline=main", "--context-bench-gate=mean_score==baseline", REPORT]

    assert bench(*both).ret == 0
    assert [verdict["findings"][0]["value"] for verdict in saved()["verdicts"]] == [0.65, 1.0, 0.3]
    assert bench(*both, "-k", "test_two").ret == 0
    assert saved()["comparison"]["notes"] == []


def test_a_path_is_as_good_as_a_name(bench, model, examples, pytester):
    examples(5)
    bench(DATA, "--context-bench-save=kept/base.json")
    assert (pytester.path / "kept" / "base.json").exists()

    assert bench(DATA, "--context-bench-baseline=kept/base.json", RELATIVE).ret == 0


def test_texts_stay_out_of_a_baseline(bench, model, examples, folder):
    bench(DATA, examples(3) and "--context-bench-save=main", "--context-bench-keep-texts=100")

    assert "gold1" not in (folder / "main.json").read_text()


@pytest.mark.parametrize("name", ["", "a/../b", "..", ".hidden", "a b"])
def test_a_name_that_is_none_is_told(name, bench, model, examples):
    run = bench(DATA, examples() and f"--context-bench-save={name}")

    if "/" in name:
        assert run.ret == 0  # a path
    else:
        assert_usage_error(run, "baseline" if name else "--context-bench-save")
