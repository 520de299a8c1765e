import gc
import gzip
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from shared import shared_path

from pytest_context_bench.datasets.examples import Examples
from pytest_context_bench.datasets.local import is_path, load_jsonl, open_local, stem
from pytest_context_bench.errors import ContextBenchError

SEPARATORS = {
    "U+2028": "\u2028",
    "U+2029": "\u2029",
    "U+0085": "\u0085",
    "vertical tab": "\v",
    "form feed": "\f",
    "carriage return": "\r",
    "file, group, record, unit": "\x1c\x1d\x1e\x1f",
    "NUL": "\0",
}
TWO = [{"id": 1, "answer": "日本"}, {"id": 2, "answer": "b\u2028c"}]
BOM = b"\xef\xbb\xbf"


def line(record):
    return json.dumps(record, ensure_ascii=False).encode()


def write(folder, content, name="data.jsonl"):
    path = folder / name
    path.write_bytes(content)
    return path


def problem(path, n=None):
    """Return the one line that says why *path* does not load, without its folder."""
    with pytest.raises(ContextBenchError) as caught:
        load_jsonl(path, n)
    text = str(caught.value)

    assert len(text.splitlines()) == 1
    return text.replace(f"{Path(path).parent}{os.sep}", "")


ONE_A_LINE = b"\n".join(map(line, TWO))
ARRAY = json.dumps(TWO, indent=2, ensure_ascii=False).encode()
LAYOUTS = {
    "one a line": ONE_A_LINE + b"\n",
    "no last newline": ONE_A_LINE,
    "BOM": BOM + ONE_A_LINE,
    "CRLF": ONE_A_LINE.replace(b"\n", b"\r\n") + b"\r\n",
    "BOM and CRLF": BOM + ONE_A_LINE.replace(b"\n", b"\r\n"),
    "blank lines": b"\n \n\t\r\n" + ONE_A_LINE.replace(b"\n", b"\n\n\v\f\n") + b"\n\n  ",
    "blank lines that fill a buffer": b"\n" * 70_000 + ONE_A_LINE,
    "a BOM of each of two joined files": BOM + line(TWO[0]) + b"\n" + BOM + line(TWO[1]),
    "a BOM on a line of its own": BOM + b"\n" + ONE_A_LINE,
    "spaces around records": b"  " + ONE_A_LINE.replace(b"\n", b" \n\t"),
    "array": ARRAY,
    "array on one line": line(TWO),
    "array, BOM and CRLF": BOM + ARRAY.replace(b"\n", b"\r\n"),
    "array after a page of blank lines": b"\r\n \t" * 20_000 + ARRAY + b"\n\n",
}
NAMES = ("data.jsonl", "data.json", "data.ndjson", "DATA.JSONL", "data.json.gz", "data.txt", "data")


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
@pytest.mark.parametrize("content", LAYOUTS.values(), ids=LAYOUTS)
def test_every_layout_gives_the_same_examples(tmp_path, content, packed):
    path = write(tmp_path, gzip.compress(content) if packed else content)

    assert load_jsonl(path) == TWO
    assert list(open_local(path)) == [{**each, "dataset": "data"} for each in TWO]


@pytest.mark.parametrize("name", NAMES)
def test_the_content_tells_the_form_whatever_the_name(tmp_path, name):
    for content in (ONE_A_LINE, ARRAY, gzip.compress(ONE_A_LINE), gzip.compress(ARRAY)):
        assert load_jsonl(write(tmp_path, content, name)) == TWO


def test_members_of_a_gzip_file_are_one_file(tmp_path):
    halves = (gzip.compress(line(each) + b"\n") for each in TWO)

    assert load_jsonl(write(tmp_path, b"".join(halves))) == TWO


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
@pytest.mark.parametrize("mark", SEPARATORS.values(), ids=SEPARATORS)
def test_only_a_line_feed_ends_a_line(tmp_path, mark, packed):
    record = {"id": f"x{mark}y", "context": f"{mark}a{mark}", f"key{mark}": [mark]}
    # as JSON may hold them: control characters are escaped, the others stand for themselves
    content = b"".join(line(each) + b"\n" for each in (record, {"id": 2}))
    path = write(tmp_path, gzip.compress(content) if packed else content)

    assert load_jsonl(path) == [record, {"id": 2}]


TYPES = {
    "whole": 18,
    "text": "18",
    "list": ["18", "eighteen"],
    "null": None,
    "true": True,
    "false": False,
    "float": 18.0,
    "negative zero": -0.0,
    "beyond 64 bits": 10**30,
    "empty": "",
    "nested": {"a": [1, {"b": None}], "": []},
    "emoji": "👩‍💻",
    "lone surrogate": "\ud83d",
    "infinity": float("inf"),
}


@pytest.mark.parametrize("layout", ["lines", "array", "gzip"])
@pytest.mark.parametrize("value", TYPES.values(), ids=TYPES)
def test_types_survive(tmp_path, value, layout):
    record = {"id": "x", "answer": value}
    text = json.dumps([record] if layout == "array" else record).encode()
    path = write(tmp_path, gzip.compress(text) if layout == "gzip" else text)

    assert repr(load_jsonl(path)) == repr([record])


UNENDED = "JSON that does not end on its line: expected one object a line, or one array of objects"
BROKEN = {
    "no colon": (
        line({"id": 1}) + b'\n\n{"id" 2}',
        """data.jsonl:3: not JSON (Expecting ':' delimiter at column 7): '{"id" 2}'""",
    ),
    "no JSON at all": (
        b"<!DOCTYPE html>\n<html>",
        "data.jsonl:1: not JSON (Expecting value at column 1): '<!DOCTYPE html>'",
    ),
    "two objects on a line": (
        b'{"id": 1}{"id": 2}',
        """data.jsonl:1: not JSON (Extra data at column 10): '{"id": 1}{"id": 2}'""",
    ),
    "single quotes": (
        b"{'id': 1}",
        "data.jsonl:1: not JSON (Expecting property name enclosed in double quotes at column 2): ",
    ),
    "one object over lines": (
        json.dumps(TWO[0], indent=2).encode(),
        f"data.jsonl:1: {UNENDED}",
    ),
    "a line feed within a string": (
        line({"id": 1}) + b'\n{"id": "a\nb"}',
        f"data.jsonl:2: {UNENDED}",
    ),
    "a file cut off": (
        line({"id": 1}) + b'\r\n{"id": 2, "answer": ',
        f"data.jsonl:2: {UNENDED}",
    ),
    "a control character in a string": (
        b'{"id": "a\tb"}',
        r"""data.jsonl:1: not JSON (Invalid control character at at column 10): '{"id": "a\tb"}'""",
    ),
    "array on the second line": (
        line({"id": 1}) + b"\n[1]",
        "data.jsonl:2: a JSON array, expected an object",
    ),
    "a text": (b'"text"', "data.jsonl:1: a JSON string, expected an object"),
    "a null": (b"null", "data.jsonl:1: a JSON null, expected an object"),
    "a number": (b"1.5", "data.jsonl:1: a JSON number, expected an object"),
    "a boolean": (line({"id": 1}) + b"\ntrue", "data.jsonl:2: a JSON boolean, expected an object"),
    "array with a number": (b'[{"id": 1}, 5]', "data.jsonl: item 2: a JSON number, expected an object"),
    "array with an array": (b"[[]]", "data.jsonl: item 1: a JSON array, expected an object"),
    "array without a comma": (
        b'[\n{"id": 1}\n{"id": 2}]',
        "data.jsonl:3: not JSON (Expecting ',' delimiter at column 1)",
    ),
    "array cut off": (b'[\n{"id": 1}', "data.jsonl:2: not JSON (Expecting ',' delimiter at column 10)"),
    "arrays a line": (b"[1]\n[2]\n", "data.jsonl:2: not JSON (Extra data at column 1)"),
    "Latin-1": (
        line({"id": 1}) + b'\n{"id": "caf\xe9"}',
        "data.jsonl:2: not UTF-8 text (invalid continuation byte at byte 12 of the line)",
    ),
    "Latin-1 in an array": (
        b'[\n{"id": "caf\xe9"}]',
        "data.jsonl:2: not UTF-8 text (invalid continuation byte at byte 12 of the line)",
    ),
    "UTF-16": (
        '{"id": 1}'.encode("utf-16"),
        "data.jsonl:1: not UTF-8 text (invalid start byte at byte 1 of the line)",
    ),
    "UTF-16 array": ("[]".encode("utf-16-le"), "data.jsonl:1: not JSON (Expecting value at column 2)"),
    "an encoded surrogate": (
        b'{"id": "\xed\xa0\xbd"}',
        "data.jsonl:1: not UTF-8 text (invalid continuation byte at byte 9 of the line)",
    ),
    "bytes of a BOM, but none": (
        b"\xbf\xbb\n",
        "data.jsonl:1: not UTF-8 text (invalid start byte at byte 1 of the line)",
    ),
    "deep nesting": (
        b'{"id": 1, "a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "data.jsonl:1: JSON that cannot be read (maximum recursion depth exceeded",
    ),
    "array of deep nesting": (
        b"[" * 100_000 + b"]" * 100_000,
        "data.jsonl:1: JSON that cannot be read (maximum recursion depth exceeded",
    ),
    "a number of 5,000 digits": (
        line({"id": 1}) + b'\n{"id": ' + b"1" * 5000 + b"}",
        "data.jsonl:2: JSON that cannot be read (Exceeds the limit (4300 digits) for integer string",
    ),
    "an LFS pointer": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
        "data.jsonl: a Git LFS pointer, not the data: run `git lfs pull`",
    ),
    "a git-annex pointer": (
        b"/annex/objects/SHA256E-s31390--f50d.jsonl\n",
        "data.jsonl: a git-annex pointer, not the data: run `git annex get`",
    ),
    "gzip cut off": (
        gzip.compress(ONE_A_LINE)[:-12],
        "data.jsonl: cannot be read (Compressed file ended before the end-of-stream marker was reached)",
    ),
    "gzip array cut off": (
        gzip.compress(ARRAY)[:-12],
        "data.jsonl: cannot be read (Compressed file ended before the end-of-stream marker was reached)",
    ),
    "gzip of its head alone": (
        gzip.compress(ONE_A_LINE)[:5],
        "data.jsonl: cannot be read (Compressed file ended before the end-of-stream marker was reached)",
    ),
    "gzip with a wrong checksum": (
        gzip.compress(ONE_A_LINE)[:-8] + b"\0" * 8,
        "data.jsonl: cannot be read (CRC check failed",
    ),
    "gzip with rubbish within": (
        gzip.compress(ONE_A_LINE)[:10] + b"\xff" * 50,
        "data.jsonl: cannot be read (Error -3 while decompressing data",
    ),
    "gzip twice": (
        gzip.compress(gzip.compress(ONE_A_LINE)),
        "data.jsonl:1: not UTF-8 text (invalid start byte at byte 2 of the line)",
    ),
    "nothing": (b"", "data set 'data' holds no examples"),
    "nothing in gzip": (gzip.compress(b""), "data set 'data' holds no examples"),
    "an empty array": (b"[]", "data set 'data' holds no examples"),
    "a BOM alone": (BOM, "data set 'data' holds no examples"),
    "blank lines alone": (b"\n \r\n\t\n\n", "data set 'data' holds no examples"),
}


@pytest.mark.parametrize(("content", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_told_in_one_line(tmp_path, content, said):
    path = write(tmp_path, content)

    assert problem(path)[: len(said)] == said


def test_a_broken_line_in_gzip_is_named_as_in_the_file(tmp_path):
    path = write(tmp_path, gzip.compress(b'\n{"id": 1}\nx'), "data.jsonl.gz")

    assert problem(path) == "data.jsonl.gz:3: not JSON (Expecting value at column 1): 'x'"


def test_a_long_line_is_quoted_in_part(tmp_path):
    said = problem(write(tmp_path, b"x" * 1_000_000))

    assert len(said) < 200


NOT_THERE = {
    "one letter wrong": ("tickts.jsonl", "tickts.jsonl: no such file: did you mean 'tickets.jsonl'?"),
    "another ending": ("tickets.json", "tickets.json: no such file: did you mean 'tickets.jsonl'?"),
    "upper case": ("TICKETS.jsonl", "TICKETS.jsonl: no such file: did you mean 'tickets.jsonl'?"),
    "nothing like it": ("zzzz.ndjson", "zzzz.ndjson: no such file"),
    "a folder": ("folder.jsonl", "folder.jsonl: a folder, expected a file"),
    "a file as a folder": ("tickets.jsonl/a.jsonl", "a.jsonl: cannot be read (Not a directory)"),
    "a NUL": ("a\0b.jsonl", "a\0b.jsonl: cannot be read (embedded null byte)"),
    "a long name": ("x" * 300 + ".jsonl", "x" * 300 + ".jsonl: cannot be read (File name too long)"),
    "a line feed": ("a\nb.jsonl", "a b.jsonl: no such file"),
}


@pytest.mark.parametrize(("name", "said"), NOT_THERE.values(), ids=NOT_THERE)
def test_a_path_that_is_no_file_names_the_nearest_one(tmp_path, name, said):
    write(tmp_path, ONE_A_LINE, "tickets.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    write(tmp_path / "folder.jsonl", ONE_A_LINE, "zzzy.ndjson")

    assert problem(tmp_path / name) == said


def test_a_missing_folder_is_named(tmp_path):
    said = problem(tmp_path / "dat" / "tickets.jsonl")

    assert said == f"tickets.jsonl: no such file: there is no folder '{tmp_path / 'dat'}'"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")

    assert problem(tmp_path / "pipe.jsonl") == "pipe.jsonl: not a plain file"


IDS = {
    "two alike": ('{"id": 1}\n\n{"id": 1}', "id 1 at data.jsonl:1 and at data.jsonl:3"),
    "texts alike": ('{"id": "a"}\n{"id": "b"}\n{"id": "a"}', "id 'a' at data.jsonl:1 and at data.jsonl:3"),
    "1 and '1'": (
        '{"id": 1}\n{"id": "1"}',
        "ids 1 and '1', which are one, at data.jsonl:1 and at data.jsonl:2",
    ),
    "'1' and 1": (
        '{"id": "1"}\n{"id": 1}',
        "ids '1' and 1, which are one, at data.jsonl:1 and at data.jsonl:2",
    ),
    "no ids": (
        '{"a": 1, "b": 2}\n{"b": 2, "a": 1}',
        "the same content, without an id, at data.jsonl:1 and at data.jsonl:2",
    ),
    "null ids": (
        '{"id": null}\n{"id": null}',
        "the same content, without an id, at data.jsonl:1 and at data.jsonl:2",
    ),
    "in an array": ('[{"id": 1}, {"id": 1}]', "id 1 at data.jsonl: item 1 and at data.jsonl: item 2"),
    "a surrogate and its escape": (
        '{"id": "\\ud83d"}\n{"id": "\\\\ud83d"}',
        r"id '\\ud83d' at data.jsonl:1 and at data.jsonl:2",
    ),
}


@pytest.mark.parametrize(("content", "said"), IDS.values(), ids=IDS)
def test_two_examples_with_one_id_are_refused_with_both_positions(tmp_path, content, said):
    expected = f"data set 'data': {said}: examples must be distinct"

    assert problem(write(tmp_path, content.encode())) == expected


@pytest.mark.parametrize(
    ("value", "shown"),
    [("true", "True"), ("1.0", "1.0"), ("[1]", "[1]"), ("{}", "{}"), ("NaN", "nan")],
    ids=["boolean", "float", "list", "object", "NaN"],
)
def test_an_id_is_text_or_a_whole_number(tmp_path, value, shown):
    said = problem(write(tmp_path, f'{{"id": 7}}\n{{"id": {value}}}'.encode()))

    assert said == f"data.jsonl:2, id: {shown} is not text or a whole number"


@pytest.mark.parametrize("given", ["", " ", "a\nb", "日本", "../../x", "\ud83d", 0, -1, 10**30], ids=repr)
def test_any_text_or_whole_number_is_an_id(tmp_path, given):
    path = write(tmp_path, json.dumps({"id": given}).encode())

    assert load_jsonl(path) == [{"id": given}]
    assert open_local(path).take(1, seed=1).ids == [given]


@pytest.mark.parametrize(("tag", "shown"), [("[1]", "[1]"), ("1.5", "1.5"), ("true", "True")])
def test_a_tag_that_is_not_text_is_refused(tmp_path, tag, shown):
    said = problem(write(tmp_path, f'{{"dataset": {tag}}}'.encode()))

    assert said == f"data.jsonl:1, dataset: {shown} is not text"


@pytest.mark.parametrize(
    ("tag", "read"),
    [('"a"', "a"), ("2024", "2024"), ("0", "0"), ('""', "data"), ("null", "data")],
    ids=["text", "number", "zero", "empty", "null"],
)
def test_an_example_keeps_its_own_tag(tmp_path, tag, read):
    path = write(tmp_path, f'{{"dataset": {tag}}}'.encode())

    assert [each["dataset"] for each in open_local(path)] == [read]


def test_n_counts_examples_and_not_lines(tmp_path):
    path = write(tmp_path, b"".join(b"\n \n" + line({"id": index}) for index in range(9)) + b"\nbroken")

    assert [each["id"] for each in load_jsonl(path, n=5)] == [0, 1, 2, 3, 4]
    assert [each["id"] for each in load_jsonl(str(path), 9)] == list(range(9))
    assert "broken" in problem(path, n=10)


def test_fewer_examples_than_n_are_all(tmp_path):
    assert load_jsonl(write(tmp_path, ARRAY), n=50) == TWO


@pytest.mark.parametrize("n", [0, -1, 2.0, "2", True], ids=repr)
def test_n_is_a_whole_number_from_1(tmp_path, n):
    said = problem(write(tmp_path, ONE_A_LINE), n)

    assert said == f"number of examples: {n!r} is not a whole number of 1 or more"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/tickets.jsonl", "tickets"),
        ("tickets.v2.JSON.GZ", "tickets.v2"),
        ("tickets.ndjson", "tickets"),
        ("tickets.txt", "tickets.txt"),
        (".jsonl", ".jsonl"),
    ],
)
def test_a_data_set_is_named_after_its_file(path, name):
    assert stem(path) == name
    assert stem(Path(path)) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.jsonl", True), ("A.JSON.GZ", True), ("needle:json", False), ("a.jsonl.bz2", False), ("", False)],
)
def test_a_path_is_told_by_its_ending(name, expected):
    assert is_path(name) is expected


def test_examples_are_read_when_asked_for(tmp_path):
    path = write(tmp_path, ONE_A_LINE)
    examples = open_local(path)
    with path.open("ab") as file:
        file.write(b"\n" + line({"id": 3}))

    assert isinstance(examples, Examples)
    assert examples[1] == {**TWO[1], "dataset": "data"}
    assert len(examples) == 2


def test_a_file_that_changed_since_is_no_other_example(tmp_path):
    path = write(tmp_path, b'{"id": 1, "answer": "a"}\n{"id": 2, "answer": "b"}\n')
    examples = open_local(path)
    path.write_bytes(b'{"id": 1, "answer": "a"}\n{"id": 2, "answer": "c"}\n')

    assert examples[0]["answer"] == "a"
    with pytest.raises(ContextBenchError, match=r"data\.jsonl:2: changed since the run began"):
        examples[1]
    path.unlink()
    with pytest.raises(ContextBenchError, match=r"data\.jsonl:1: cannot be read again \(No such file"):
        examples[0]


@pytest.mark.parametrize("content", [gzip.compress(ONE_A_LINE), ARRAY], ids=["gzip", "array"])
def test_a_spooled_file_goes_with_its_examples(tmp_path, monkeypatch, content):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    examples = open_local(write(tmp_path, content)).take(1)
    path = tmp_path / "data.jsonl"
    path.unlink()

    assert next(iter(examples))["answer"] == "日本"
    assert len(list(tmp_path.glob("context-bench-*"))) == 1
    del examples
    gc.collect()
    assert list(tmp_path.glob("context-bench-*")) == []


@pytest.mark.parametrize(
    "content", [gzip.compress(ONE_A_LINE)[:-12], b"[1]", b"[]"], ids=["cut off", "no object", "empty"]
)
def test_a_file_that_does_not_load_leaves_no_spool(tmp_path, monkeypatch, content):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = write(tmp_path, content)

    problem(path)
    gc.collect()
    assert list(tmp_path.glob("context-bench-*")) == []


def test_an_index_takes_little_memory(tmp_path):
    """A hundred bytes an example: 100,000 lines of any length take some megabytes."""
    lines, text = 2_000, "x" * 2_000
    path = write(tmp_path, b"".join(line({"context": f"{index} {text}"}) + b"\n" for index in range(lines)))
    open_local(path, 1)  # imports and caches are not the index's
    tracemalloc.start()
    examples = open_local(path)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(examples) == lines
    assert kept < lines * 110
    assert peak < lines * 260


ELSEWHERE = r"""
import json, sys
from pytest_context_bench.datasets.examples import in_memory
from pytest_context_bench.datasets.local import open_local

examples = open_local(sys.argv[1])
texts = [{"tags": {"a", "b", "cd", "e" * 9, str(index)}, "text": "\u65e5"} for index in range(20)]
ids = examples.take(5, seed=7).ids, in_memory("", texts).ids
print(json.dumps([sys.flags.utf8_mode, list(examples), *ids]))
"""


def test_every_process_reads_the_same_whatever_its_locale_and_hash_seed(tmp_path):
    records = [{"context": f"日本\u2028 {index}", "tags": ["ü"]} for index in range(20)]
    path = write(tmp_path, b"".join(line(each) + b"\n" for each in records), "größe.jsonl")
    surroundings = [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONHASHSEED": "1"},
        {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", "PYTHONHASHSEED": "2"},
    ]

    (utf8, *found), (other_utf8, *other_found) = (
        json.loads(
            subprocess.run(
                [sys.executable, "-c", ELSEWHERE, path],
                env={**os.environ, **each},
                capture_output=True,
                check=True,
            ).stdout
        )
        for each in surroundings
    )
    assert (utf8, other_utf8) == (0, 1)
    assert found == other_found
    assert found[0] == list(open_local(path))


PUBLISHED = (
    "gsm8k_test.jsonl",
    "humaneval.jsonl",
    "hotpotqa_100.json",
    "nq_open_dev.jsonl",
    "fever_paper_dev.jsonl",
)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_files_load(name):
    path = shared_path(f"data/{name}")
    text = path.read_text(encoding="utf-8")
    records = json.loads(text) if name.endswith(".json") else map(json.loads, text.strip().split("\n"))

    assert [{**each, "id": 0} for each in load_jsonl(path)] == [{**each, "id": 0} for each in records]
