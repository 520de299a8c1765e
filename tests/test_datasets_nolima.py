import re
import subprocess
import sys

import pytest

from pytest_context_bench.datasets.mappings.nolima import line_ends, nolima, window
from pytest_context_bench.datasets.nolima import BOOKS, CONFIGS, DEPTHS, rows_of
from pytest_context_bench.datasets.records import Place, Rows
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.errors import BadRecordError, UnknownNameError
from pytest_context_bench.tokens import counter

BOOK = [f"{n}: " + "a tide came in, " * (n % 7) for n in range(400)]
NEEDLE = "Actually, Yuki lives next to the mill."


def hidden(size, depth, book=BOOK):
    row = {"id": "x", "needle": NEEDLE, "question": "Who?", "answer": ["Yuki"], "book": book}
    return nolima(Place("nolima").record({**row, "tokens": size, "depth": depth}, 0))["context"]


def entry(name, names=("T1",), **changed):
    return {
        "id": name,
        "needle": "{CHAR} lives in {1}.",
        "questions": {"onehop": "Who was in {2}?", "twohop": "Who was in {1} or {2}?"},
        "character_set": ["Yuki", "Stuart", "Katie"],
        "tests": {test: {"input_args": ["a mill", "Veld"]} for test in names},
        **changed,
    }


def rows(*entries):
    return list(rows_of(Rows(list(entries), Place("nolima", "4k", "test")), [[str(n)] for n in BOOKS]))


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("size", [250, 500, 1000, 2000])
def test_a_needle_stands_as_deep_as_asked_in_a_context_as_long_as_asked(size, depth):
    lines = hidden(size, depth).split("\n")
    line = max(counter().count(f"{line}\n") for line in BOOK)
    before, after = lines[: lines.index(NEEDLE)], lines[lines.index(NEEDLE) + 1 :]

    book = [*before, *after]
    assert BOOK[BOOK.index(book[0]) :][: len(book)] == book
    assert size - line < counter().count("\n".join(book)) <= size
    assert abs(counter().count("\n".join(before)) - size * depth) <= line


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("size", [1, 3, 10, 17])
def test_a_window_holds_the_needle_and_its_size_however_lines_end(size, depth):
    ends = [0, 1, 2, 9, 9, 12, 20, 34, 40]

    at, start, end = window(ends, size, depth)

    assert start <= at <= end
    assert ends[end] - ends[start] <= size
    assert ends[at] - ends[start] <= round(size * depth)


def test_no_more_of_a_book_is_read_than_a_context_takes():
    assert len(line_ends(BOOK, 500)) < 60


def test_a_book_that_is_too_short_is_told():
    with pytest.raises(BadRecordError, match=r"its book has \d+ tokens, too few for a part of 4000"):
        hidden(4000, 0.5, BOOK[:20])


def test_every_book_meets_every_depth_and_every_id_is_its_own():
    made = rows(entry("0401", [f"T{n}" for n in range(25)]))

    assert len({row["id"] for row in made}) == len(made) == 50
    met = {(row["book"][0], row["depth"]) for row in made}
    assert met == {(str(number), depth) for number in BOOKS for depth in DEPTHS}


def test_what_is_hidden_does_not_depend_on_the_other_needles():
    alone = rows(entry("0402", ["T1", "T2"]))
    among = rows(entry("0401"), entry("0402", ["T1", "T2"]))

    same = ("needle", "question", "answer")
    assert [[row[key] for key in same] for row in among[2:]] == [[row[key] for key in same] for row in alone]
    assert len({tuple(row["answer"]) for row in rows(entry("0403", [f"T{n}" for n in range(30)]))}) == 3


def test_a_test_says_its_answers_where_no_character_is_named():
    tests = {"T1": {"input_args": ["the mill"], "gold_answers": ["green", "olive"]}}
    made = rows(entry("0404", needle="{1} is green.", tests=tests, questions={"direct": "What is {1}?"}))

    assert [(row["needle"], row["question"], row["answer"]) for row in made] == [
        ("the mill is green.", "What is the mill?", ["green", "olive"])
    ]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"tests": {"T1": {"input_args": None}}}, r"column 'tests.T1.input_args' is null"),
        ({"questions": {"onehop": None}}, "column 'questions.onehop' is null"),
        ({"needle": "{1}."}, "no column 'tests.T1.gold_answers'"),
    ],
)
def test_a_needle_that_is_not_as_expected_names_its_row(changed, said):
    with pytest.raises(BadRecordError, match=f"row 1: {said}"):
        rows(entry("0401"), entry("0402", **changed))


def test_every_process_hides_the_same(tmp_path):
    code = """
import hashlib
from pytest_context_bench.datasets.mappings.nolima import nolima
from pytest_context_bench.datasets.nolima import rows_of
from pytest_context_bench.datasets.records import Place, Rows
entry = {"id": "0401", "needle": "{CHAR} {1}", "questions": {"a": "{1}?"}, "character_set": list("abcdefgh"),
         "tests": {f"T{n}": {"input_args": ["x"]} for n in range(30)}}
books = [[f"{n} {k}" for n in range(200)] for k in range(5)]
made = [nolima(Place("n").record({**row, "tokens": 100}, 0))
        for row in rows_of(Rows([entry], Place("n")), books)]
print(hashlib.sha256(repr(made).encode()).hexdigest())
"""
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }

    assert len(told) == 1
    assert re.fullmatch(r"[0-9a-f]{64}\n", told.pop())


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("nolima:hrd", "unknown config of nolima 'hrd': did you mean 'hard'"),
        ("nolima:hard-3k", "unknown config of nolima 'hard-3k': did you mean 'hard-32k'"),
        ("nolima@train", "unknown split of nolima 'train': expected one of test"),
    ],
)
def test_an_unknown_config_or_split_names_the_nearest_without_the_network(spec, said, hub):
    with pytest.raises(UnknownNameError, match=re.escape(said)):
        BUILT_IN["nolima"].open(spec)

    assert not hub.requests
    assert "4k" in CONFIGS
