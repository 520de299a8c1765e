"""All that a run writes and prints holds the same numbers, and goes where it belongs."""

import csv
import json
import re
import xml.etree.ElementTree as ET

import pytest
from runs import PUPPET, REPORT, counted, said
from test_plugin_robustness import ODD_IDS, ODD_TEXT
from test_reports_html import Page
from test_reports_markdown import tables

from pytest_context_bench.metrics import default_metrics
from pytest_context_bench.population import Population
from pytest_context_bench.reports.formats import FORMATS
from pytest_context_bench.reports.table import BRANCH, COLUMNS
from pytest_context_bench.results import EvalResult
from pytest_context_bench.rows import EvalRow

DATA = "--context-bench-dataset=data.jsonl"
IDENTITY = "--context-bench-system=identity"
FIGURES = ("n", "errors", "pass_rate", "mean_score", "latency_p95")
BOUNDED = ("pass_rate", "mean_score")


@pytest.fixture
def written(pytester, bench, examples):
    """Run two systems on two data sets, and write every report that there is."""

    def run(*flags):
        pytester.makeconftest(PUPPET)
        odd = {
            3: {"raises": ODD_TEXT},
            4: {"response": "no"},
            5: {"response": "gold5 and", "metadata": {"m": 1}},
        }
        examples(ids=ODD_IDS, odd=odd)
        examples(5, name="more.jsonl", odd={1: {"raises": "down"}, 2: {"response": "no"}})
        return bench(
            DATA,
            "--context-bench-dataset=more.jsonl",
            IDENTITY,
            "--context-bench-system=puppet",
            "--context-bench-max-errors=9",
            "--context-bench-gate=pass_rate>=0.9",
            "--junitxml=junit.xml",
            *(f"--context-bench-report={kind}:out.{kind}" for kind in FORMATS),
            *flags,
        )

    return run


def json_figures(content):
    """Return the figures of each (system, data set), as numbers."""
    parts = {None: content, **content["datasets"]}
    return {
        (system, dataset): {key: figures[key] for key in FIGURES}
        | {f"{key}_bounds": part["intervals"][system].get(key) for key in BOUNDED}
        for dataset, part in parts.items()
        for system, figures in part["summary"].items()
    }


def junit_figures(path):
    found = {
        each.get("name"): float(each.get("value"))
        for each in ET.parse(path).findall("testsuite/properties/property")
        if " @ system=" in each.get("name")
    }
    places = {name.partition(" @ system=")[2] for name in found}
    figures = {}
    for place in places:
        system, _, dataset = place.partition(",dataset=")
        given = {key: found[f"context_bench.{key} @ system={place}"] for key in FIGURES}
        for key in BOUNDED:
            ends = [found.get(f"context_bench.{key}_{end} @ system={place}") for end in ("low", "high")]
            given[f"{key}_bounds"] = None if None in ends else ends
        figures[system, dataset or None] = given
    return figures


def csv_figures(path):
    """Return the figures that the rows of a file come to."""
    with path.open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file, strict=True))
    rows = [
        EvalRow(
            system=record["system"],
            example_id=record["example_id"],
            scores={"score": float(record["score"])} if record["score"] else {},
            input_tokens=int(record["input_tokens"]),
            output_tokens=int(record["output_tokens"]),
            latency=float(record["latency"]),
            dataset=record["dataset"],
            error=record["error"] or None,
        )
        for record in records
    ]
    result = EvalResult(rows, Population(rows, default_metrics()).summary(), metrics=default_metrics())
    return json_figures(json.loads(result.to_json()))


def in_words(figures):
    """Return figures as a table words them, by the keys of its columns."""
    digits = {column.key: column.digits for column in COLUMNS}
    words = {}
    for key in FIGURES:
        bounds = figures.get(f"{key}_bounds")
        value = figures[key]
        margin = "" if bounds is None else f" ±{max(bounds[1] - value, value - bounds[0]):.{digits[key]}f}"
        words[key] = f"{value:,.{digits[key]}f}{margin}"
    return words


def table_figures(head, lines):
    """Return the figures of a table's lines, those of data sets below their system's."""
    keys = {column.heading_in_line: column.key for column in COLUMNS}
    found, system = {}, None
    for name, *cells in lines:
        dataset = name.removeprefix(BRANCH) if name.startswith(BRANCH) else None
        system = system if dataset else name
        by_key = dict(zip((keys[heading] for heading in head[1:]), cells, strict=True))
        found[system, dataset] = {key: by_key[key] for key in FIGURES}
    return found


def of_terminal(outcome):
    """Return the lines of the table below its headings, which stand in several lines there."""
    section = str(outcome.stdout).partition("= context-bench =")[2].splitlines()[1:]
    rule = next(at for at, line in enumerate(section) if re.fullmatch(r"[- ]+", line))
    return [re.split(r" {2,}", line) for line in section[rule + 1 : rule + 1 + 6]]


def test_the_numbers_of_all_reports_are_the_same(written, pytester, alone_or_not, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    outcome = written(*alone_or_not)

    assert outcome.ret == 1, said(outcome)
    content = json.loads((pytester.path / "out.json").read_text(encoding="utf-8"))
    figures = json_figures(content)
    systems, datasets = ["identity", "puppet"], ["data", "more"]
    assert list(figures) == [(system, None) for system in systems] + [
        (system, dataset) for dataset in datasets for system in systems
    ]
    assert figures["puppet", "data"]["errors"] == figures["puppet", "more"]["errors"] == 1
    assert 0 < figures["puppet", None]["mean_score"] < figures["puppet", None]["pass_rate"] + 0.5

    assert junit_figures(pytester.path / "junit.xml") == figures
    assert csv_figures(pytester.path / "out.csv") == figures
    lines = (pytester.path / "out.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    assert [json.loads(line) for line in lines] == content["rows"]

    expected = {place: in_words(given) for place, given in figures.items()}
    markdown, *_ = tables((pytester.path / "out.md").read_text(encoding="utf-8"))
    head, *of_markdown = markdown
    assert table_figures(head, of_markdown) == expected
    assert of_terminal(outcome) == of_markdown
    page = Page((pytester.path / "out.html").read_text(encoding="utf-8"))
    cells = page.all("td")[: len(of_markdown) * (len(head) - 1)]
    assert cells == [cell for line in of_markdown for cell in line[1:]]


def test_github_is_told_by_the_process_that_judges_and_once(
    bench, examples, pytester, monkeypatch, saved, alone_or_not
):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    examples(3)

    outcome = bench(
        DATA, IDENTITY, "--context-bench-gate=mean_score>1", "--context-bench-gate=n==3", *alone_or_not
    )

    assert outcome.ret == 1
    assert [line for line in outcome.outlines if "::error" in line] == [
        "::error title=context-bench%3A gate not met::FAIL  mean_score > 1: identity 1.000 (n=3)"
    ]
    text = (pytester.path / "summary.md").read_text(encoding="utf-8")
    assert text.count("## context-bench: 1 of 2 gates not met") == text.count("## ") == 1
    figures, gates, *_ = tables(text)
    assert figures[1][:2] == ["identity", "3"]
    assert [line[0] for line in gates[1:]] == ["FAIL", "PASS"]


def test_a_summary_that_cannot_be_written_is_told_and_fails_nothing(bench, examples, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/nowhere/at/all/summary.md")
    examples(1)

    outcome = bench(DATA, IDENTITY)

    assert outcome.ret == 0
    assert counted(outcome) == {"passed": 1}
    (line,) = [line for line in outcome.outlines if "the summary" in line]
    assert line.startswith("note: the summary of the step could not be written: FileNotFoundError: ")


@pytest.mark.parametrize("flags", [("--collect-only",), ("-k", "none"), ("--context-bench-skip",)])
def test_where_nothing_is_measured_github_is_told_nothing(bench, examples, pytester, monkeypatch, flags):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    pytester.makepyfile(test_unit="def test_unit(): pass")
    examples(1)

    bench(DATA, IDENTITY, *flags)

    assert not (pytester.path / "summary.md").exists()


def test_the_command_line_tells_github_too(tmp_path, monkeypatch, capsys):
    from pytest_context_bench.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    flags = ["--dataset=needle", "-n", "2", "--system=identity", "-q", "--gate=n>5"]

    assert main(flags) == 1
    assert "\n::error title=" in capsys.readouterr().out
    assert main([*flags, "--output=md"]) == 1
    printed = capsys.readouterr().out
    assert printed.startswith("## context-bench: 1 of 1 gates not met")
    assert "::error" not in printed
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").count("## context-bench") == 2


def test_pairs_that_flipped_are_told_by_the_tests_that_they_are(pytester, bench, examples):
    pytester.makeconftest(
        """
        from pathlib import Path
        class Model:
            name = "model"
            def process(self, example):
                does = Path("does.txt").read_text().split()[example["id"] - 1]
                return {"response": {"right": example["answer"], "wrong": "no"}[does]}
        def pytest_context_bench_register(registry):
            registry.register("system", "model", Model())
        """
    )
    examples(4)
    (pytester.path / "does.txt").write_text("right right right wrong")
    bench(DATA, "--context-bench-save=main")
    (pytester.path / "does.txt").write_text("right wrong fails right")

    outcome = bench(DATA, "--context-bench-baseline=main", "--context-bench-max-errors=1", REPORT)

    lines = [
        line for line in outcome.outlines if "FLIPPED" in line or "changed" in line or "baseline" in line
    ]
    assert lines == [
        "2 pairs fail that passed in baseline main, 1 the other way",
        "FLIPPED  context-bench::test_context_bench[model-data-2]: score=1.00 -> 0.00",
        "FLIPPED  context-bench::test_context_bench[model-data-3]: score=1.00 -> error",
        "FLIPPED  context-bench::test_context_bench[model-data-4]: score=0.00 -> 1.00",
    ]


@pytest.mark.parametrize("kind", FORMATS)
def test_help_and_usage_errors_name_every_format(bench, kind):
    outcome = bench("--context-bench-report=none:x")

    assert outcome.ret == 4
    assert kind in said(outcome)


def test_a_metric_that_fails_on_one_data_set_alone_is_told(pytester, bench, examples, saved):
    pytester.makeconftest(
        """
        class Picky:
            name = "picky"
            def compute(self, rows):
                if {row.dataset for row in rows} == {"more"}:
                    raise ValueError("not more")
                return {"picky": 1.0}
        def pytest_context_bench_register(registry):
            registry.register("metric", "picky", Picky())
        """
    )
    examples(2)
    examples(2, name="more.jsonl")

    outcome = bench(DATA, "--context-bench-dataset=more.jsonl", IDENTITY, REPORT)

    problem = "metric 'picky' failed on system 'identity': ValueError: not more"
    assert outcome.ret == 1
    assert f"ERROR  {problem}" in outcome.outlines
    assert saved()["notes"][0] == problem
