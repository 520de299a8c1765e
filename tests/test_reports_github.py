import os

import pytest
from engine_rows import rows

from pytest_context_bench.gates import Verdict
from pytest_context_bench.reports import github
from pytest_context_bench.reports.github import LARGEST, add_summary, annotations
from pytest_context_bench.reports.markdown import to_markdown
from pytest_context_bench.results import EvalResult

MIB = 1024 * 1024


@pytest.fixture
def summary(monkeypatch, tmp_path):
    """The file of a step's summary."""
    path = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    path.write_text("before")
    return path


@pytest.fixture
def actions(monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")


def result_of(*statuses, gate="n >= 1", problem="no rows"):
    verdicts = [Verdict(f"{gate}{n}", status, problem=problem) for n, status in enumerate(statuses)]
    return EvalResult(rows(1, 0), {}, verdicts=verdicts)


def big(megabytes):
    """Return a result whose Markdown is larger than that."""
    note = "x" * 1000 + "日本"
    return EvalResult(rows(1), {}, notes=[note] * (1000 * megabytes))


def test_outside_github_nothing_is_written_or_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert add_summary(result_of("FAIL")) == []
    assert annotations(result_of("FAIL")) == []
    assert os.listdir() == []  # noqa: PTH208 - nothing at all


@pytest.mark.parametrize("value", ["", "false", "1", "True"])
def test_annotations_are_for_github_alone(monkeypatch, value):
    monkeypatch.setenv("GITHUB_ACTIONS", value)

    assert annotations(result_of("FAIL")) == []


def test_the_markdown_is_added_to_what_is_there(summary):
    result = result_of("FAIL")

    assert add_summary(result) == []
    assert add_summary(result) == []
    assert summary.read_text() == f"before\n{to_markdown(result)}\n{to_markdown(result)}"


def test_a_summary_is_made_where_there_is_none(summary):
    summary.unlink()

    assert add_summary(result_of()) == []
    assert summary.read_text() == f"\n{to_markdown(result_of())}"


@pytest.mark.parametrize("before", [0, 1000, MIB // 2, MIB - 200])
def test_a_summary_stays_below_a_mebibyte_and_is_cut_at_the_end_of_a_line(summary, before):
    summary.write_bytes(b"x" * before)

    assert add_summary(big(2)) == []
    content = summary.read_bytes()
    assert len(content) < MIB
    assert len(content) > MIB - 1200
    text = content[before:].decode()
    kept, mark = text.removesuffix("\n").rsplit("\n\n\n", 1)
    assert mark == "The rest is cut: GitHub shows less than 1 MiB of a step."
    assert to_markdown(big(2)).startswith(f"{kept}\n".removeprefix("\n"))


def test_what_fits_is_not_cut(summary):
    content = f"\n{to_markdown(result_of('PASS'))}".encode()
    summary.write_bytes(b"x" * (LARGEST - len(content)))

    assert add_summary(result_of("PASS")) == []
    assert summary.stat().st_size == LARGEST == MIB - 1
    assert summary.read_bytes().endswith(content)


@pytest.mark.parametrize("before", [MIB - 30, MIB - 1, MIB, 2 * MIB])
def test_a_summary_without_room_is_told_and_left(summary, before):
    summary.write_bytes(b"x" * before)

    (remark,) = add_summary(big(1))
    assert remark == (
        "the summary of the step could not be written: "
        "OSError: there is no room left in the 1,048,576 bytes that GitHub shows"
    )
    assert summary.stat().st_size == before


@pytest.mark.parametrize("path", ["none/summary.md", ".", "null\0byte"])
def test_a_summary_that_cannot_be_written_is_told(tmp_path, monkeypatch, path):
    if "\0" in path:
        monkeypatch.setattr(github.os, "environ", {"GITHUB_STEP_SUMMARY": path})
    else:
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / path))

    (remark,) = add_summary(result_of())
    assert remark.startswith("the summary of the step could not be written: ")
    assert remark.isprintable()


def test_a_summary_that_cannot_be_made_is_told(summary, monkeypatch):
    monkeypatch.setattr(github, "to_markdown", lambda _: 1 / 0)

    assert add_summary(result_of()) == [
        "the summary of the step could not be written: ZeroDivisionError: division by zero"
    ]
    assert summary.read_text() == "before"


def test_each_gate_that_is_not_met_is_annotated(actions):
    assert annotations(result_of("PASS", "FAIL", "WARN", "PARTIAL")) == [
        "::error title=context-bench%3A gate not met::FAIL  n >= 11: no rows",
        "::error title=context-bench%3A gate not met::PARTIAL  n >= 13: no rows (the run did not finish)",
    ]


@pytest.mark.parametrize(("count", "shown"), [(10, 10), (11, 10), (500, 10)])
def test_there_are_at_most_ten_annotations(actions, count, shown):
    lines = annotations(result_of(*["FAIL"] * count))

    assert len(lines) == shown
    if count > shown:
        assert lines[-1].endswith(f"::{count - 9} more gates are not met")
        assert lines[-2].startswith("::error title=context-bench%3A gate not met::FAIL  n >= 18")


def test_no_text_ends_an_annotation_or_begins_another(actions):
    (line,) = annotations(
        result_of("FAIL", gate="100%\r\n::error::x", problem="\x1b[31m::stop-commands::a%0A")
    )

    assert line == (
        "::error title=context-bench%3A gate not met::"
        "FAIL  100%25\\r\\n::error::x0: \\x1b[31m::stop-commands::a%250A"
    )
