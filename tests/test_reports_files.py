import errno
import json
import math
import os
import stat
import tempfile
import threading

import pytest
from engine_rows import row, rows

from pytest_context_bench.metrics import default_metrics, summarize
from pytest_context_bench.reports import files
from pytest_context_bench.reports.files import write_reports
from pytest_context_bench.reports.rows_jsonl import to_jsonl
from pytest_context_bench.results import EvalResult


def result_of(*of_rows):
    given = [each for group in of_rows for each in group]
    return EvalResult(given, summarize(given, default_metrics())[0])


@pytest.fixture
def result():
    return result_of(rows(1, 0, "down"))


@pytest.fixture
def kept_in(tmp_path, monkeypatch):
    """A folder for temporary files, empty."""
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_each_report_is_written_in_a_folder_that_is_made(result, tmp_path):
    paths = tmp_path / "a" / "b" / "out.json", tmp_path / "日本" / "out.jsonl"

    assert write_reports([("json", str(paths[0])), ("jsonl", str(paths[1]))], result) == []
    assert EvalResult.from_json(paths[0].read_text(encoding="utf-8")) == result
    lines = paths[1].read_text(encoding="utf-8").split("\n")
    assert [json.loads(line) for line in lines[:-1]] == [each.to_dict() for each in result.rows]
    assert lines[-1] == ""
    assert os.listdir(paths[0].parent) == ["out.json"]  # noqa: PTH208 - nothing else is left behind


def test_a_line_of_jsonl_is_one_line_and_says_what_it_lost():
    hostile = row(math.nan, example_id="two\nlines\u2028\x85", system="\ud83d", metadata={"a": [math.inf]})

    text = to_jsonl(result_of([hostile, row(1)]))
    lines = [json.loads(line, parse_constant=pytest.fail) for line in text.split("\n")[:-1]]
    assert len(text.splitlines()) == len(lines) == 2
    assert lines[0]["scores"] == {"score": None}
    assert lines[0]["non_finite"] == {"/scores/score": "NaN", "/metadata/a/0": "Infinity"}
    assert "non_finite" not in lines[1]


def test_a_report_has_the_permissions_of_any_new_file(result, tmp_path):
    write_reports([("json", str(tmp_path / "out.json"))], result)
    (tmp_path / "other").write_text("")

    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("out.json", "other")}
    assert len(modes) == 1


def test_a_report_takes_the_place_of_an_older_one(result, tmp_path):
    (tmp_path / "out.json").write_text("x" * 100_000)

    assert write_reports([("json", str(tmp_path / "out.json"))], result) == []
    assert EvalResult.from_json((tmp_path / "out.json").read_text()) == result


def test_a_link_stays_and_what_it_leads_to_is_written(result, tmp_path):
    (tmp_path / "target.json").write_text("old")
    (tmp_path / "out.json").symlink_to("target.json")

    assert write_reports([("json", str(tmp_path / "out.json"))], result) == []
    assert (tmp_path / "out.json").is_symlink()
    assert EvalResult.from_json((tmp_path / "target.json").read_text()) == result


def test_a_pipe_is_written_to_and_stays(result, tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()

    assert write_reports([("json", str(pipe))], result) == []
    reader.join(timeout=5)
    assert EvalResult.from_json(read[0]) == result
    assert pipe.is_fifo()


def test_a_device_stays_a_device(result):
    before = os.stat(os.devnull).st_mode  # noqa: PTH116 - of the name that the system gives

    assert write_reports([("json", os.devnull)], result) == []
    assert os.stat(os.devnull).st_mode == before  # noqa: PTH116


@pytest.fixture(params=["file as folder", "folder", "null byte", "loop", "long name", "nowhere"])
def unwritable(request, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    return {
        "file as folder": tmp_path / "file" / "out.json",
        "folder": tmp_path / "folder",
        "null byte": f"{tmp_path}/out\0.json",
        "loop": tmp_path / "loop",
        "long name": tmp_path / ("x" * 5000 + ".json"),
        "nowhere": "/proc/none/out.json",
    }[request.param]


def test_what_cannot_be_written_is_kept_elsewhere_and_the_others_are_written(
    result, unwritable, tmp_path, kept_in
):
    paths = tmp_path / "before.json", tmp_path / "after.jsonl"
    reports = [("json", str(paths[0])), ("json", str(unwritable)), ("jsonl", str(paths[1]))]

    (problem,) = write_reports(reports, result)
    shown = str(unwritable).replace("\0", "\\x00")
    assert problem.startswith(f"report json:{shown} could not be written (")
    (kept,) = kept_in.iterdir()
    assert problem.endswith(f"; it is kept in {kept}")
    assert EvalResult.from_json(kept.read_text(encoding="utf-8")) == result
    assert all(path.stat().st_size for path in paths)
    assert (tmp_path / "file").read_text() == "mine"
    assert list(tmp_path.rglob("*.tmp")) == []


@pytest.mark.parametrize("calls", [1, 2], ids=["report", "report and rescue"])
def test_a_full_disk_leaves_the_older_report_and_nothing_half_written(
    result, tmp_path, kept_in, monkeypatch, calls
):
    (tmp_path / "out.json").write_text("old")
    writers = [full_disk] * calls + [os.fdopen] * 9

    def write(*args):
        return writers.pop(0)(*args)

    monkeypatch.setattr(files.os, "fdopen", write)

    (problem,) = write_reports([("json", str(tmp_path / "out.json"))], result)
    assert "No space left on device" in problem
    assert (tmp_path / "out.json").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "out.json"]
    kept = list(kept_in.iterdir())
    if calls == 1:
        assert EvalResult.from_json(kept[0].read_text()) == result
    else:
        assert kept == []
        assert problem.endswith(", nor kept elsewhere (No space left on device)")


def full_disk(handle, _):
    """Return a file that takes half of what it is given, as a disk does that fills up."""

    class Full:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            os.close(handle)

        def write(self, content):
            os.write(handle, content[: len(content) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return Full()


def test_an_interrupt_leaves_the_older_report(result, tmp_path, monkeypatch):
    (tmp_path / "out.json").write_text("old")

    def interrupted(handle, _):
        os.close(handle)
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "fdopen", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_reports([("json", str(tmp_path / "out.json"))], result)
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert (tmp_path / "out.json").read_text() == "old"


def test_a_report_that_cannot_be_made_costs_that_report_alone(result, tmp_path, monkeypatch):
    def fail(_):
        raise ConnectionError("http://me:pw@host")

    monkeypatch.setattr(files, "FORMATS", {**files.FORMATS, "bad": fail})
    reports = [("bad", str(tmp_path / "bad")), ("none", "x"), ("json", str(tmp_path / "out.json"))]

    assert write_reports(reports, result) == [
        f"report bad:{tmp_path / 'bad'} could not be made: ConnectionError: http://***@host",
        "report none:x could not be made: KeyError: 'none'",
    ]
    assert (tmp_path / "out.json").exists()


def test_text_of_any_kind_is_valid_utf_8(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "FORMATS", {"text": lambda _: "日本 \ud83d"})

    assert write_reports([("text", str(tmp_path / "out"))], result_of(rows(1))) == []
    assert (tmp_path / "out").read_text(encoding="utf-8") == "日本 \\ud83d"
