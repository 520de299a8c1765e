import io
import json
import random

import pytest

from pytest_context_bench.datasets import json_array
from pytest_context_bench.datasets.json_array import JsonArray, NoArrayError, entries

RECORDS = [
    {"a": 'quotes " and \\ and \\" and ]}', "b": [1, 2.0, [{"c": {}}]]},
    {},
    {"]": "[", "{": "}", "n": None, "é": "日本 \u2028 😀"},
    {"ends in a backslash": "\\", "x": "\\\\"},
    {"nested": {"deep": [[[{"er": "{"}]]]}},
]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf", b"\n  "])
def test_every_object_is_found_as_it_is(indent, ascii_only, prefix, tmp_path):
    text = json.dumps(RECORDS, indent=indent, ensure_ascii=ascii_only) + "\n"
    path = tmp_path / "array.json"
    path.write_bytes(prefix + text.encode())

    array = JsonArray.of_file(path)

    assert [json.loads(array[index]["text"]) for index in range(len(array))] == RECORDS
    assert [json.loads(row["text"]) for row in array] == RECORDS
    assert [json.loads(row["text"]) for row in array.select(range(1, 3))] == RECORDS[1:3]


def test_of_an_array_that_is_cut_anywhere_the_whole_objects_are_found():
    content = json.dumps(RECORDS).encode()
    ends = [end for _, end in entries(content)]

    for cut in range(len(content)):
        assert list(entries(content[:cut])) == list(entries(content))[: sum(end <= cut for end in ends)]


@pytest.mark.parametrize("n", [1, 3, 5, 9])
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_no_more_is_read_than_the_first_objects_take(n, size, monkeypatch):
    monkeypatch.setattr(json_array, "_READ_FIRST", size)
    content = json.dumps(RECORDS).encode()
    file = io.BytesIO(content)

    array = JsonArray.first(n, file)

    assert [json.loads(row["text"]) for row in array] == RECORDS[:n]
    assert file.tell() <= max(2 * array.spans[-1][1], size) or n > len(RECORDS)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "an empty file"),
        (b'{"a": [{}]}', "not a JSON array"),
        (b'x [{"a": 1}]', "not a JSON array"),
        (b'[{"a": 1}, {"a"', "not a whole JSON array"),
        (b"[{}, 5]", "not a whole JSON array"),
        (b'[{"a": 1},', "not a whole JSON array"),
        (b'[{"a": "]', "not a whole JSON array"),
        (b"version https://git-lfs.github.com/spec/v1", "not a whole JSON array"),
    ],
)
def test_what_is_no_whole_array_is_refused(content, said, tmp_path):
    path = tmp_path / "array.json"
    path.write_bytes(content)

    with pytest.raises(NoArrayError, match=said):
        JsonArray.of_file(path)


def test_long_texts_take_no_longer_than_reading_them():
    draw = random.Random(1)
    text = "".join(draw.choice(['\\"', "[", "word ", "\\\\", "\\n"]) for _ in range(400_000))
    content = f'[{{"a": "{text}"}}, {{"b": "{"x" * 4_000_000}"}}]'.encode()

    spans = list(entries(content))

    assert [json.loads(content[start:end]).keys() for start, end in spans] == [
        {"a": 0}.keys(),
        {"b": 0}.keys(),
    ]
