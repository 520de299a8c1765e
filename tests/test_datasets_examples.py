import sqlite3
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, StrEnum
from pathlib import PurePosixPath
from types import MappingProxyType
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.datasets.examples import Examples, in_memory, limit
from pytest_context_bench.datasets.ids import content_id, example_id
from pytest_context_bench.errors import ContextBenchError
from pytest_context_bench.evaluators import AnswerQuality

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=50)
IDS = st.lists(
    st.integers(-5, 50) | st.text(st.characters(), max_size=4), min_size=1, unique_by=str, max_size=25
)


class Text(StrEnum):
    A = "a"


class Opaque:
    """Has the repr that most objects have: it holds an address."""


OldText = Enum("OldText", {"A": "a"}, type=str)  # str() of its member is "OldText.A"


def problem(name, examples, n=None):
    """Return the one line that says why *examples* are none."""
    with pytest.raises(ContextBenchError) as caught:
        in_memory(name, examples, n)

    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def numbered(count):
    return in_memory("numbers", ({"id": index, "text": str(index)} for index in range(count)))


def test_examples_are_a_sequence_of_dicts_with_id_and_tag():
    examples = in_memory("tickets", [{"id": 7, "a": [1]}, {"id": "x", "dataset": "other"}])

    assert list(examples) == [
        {"id": 7, "a": [1], "dataset": "tickets"},
        {"id": "x", "dataset": "other"},
    ]
    assert (len(examples), examples[-1]["id"]) == (2, "x")


def test_a_change_of_an_example_is_not_seen_by_the_next_reader():
    source = [{"id": 1}]
    examples = in_memory("", source)
    examples[0]["id"] = 2
    source[0]["id"] = 3
    source.append({"id": 4})

    assert list(examples) == [{"id": 1, "dataset": ""}]


@pytest.mark.parametrize(
    "example",
    [{"id": 1}, MappingProxyType({"id": 1})],
    ids=["dict", "read-only mapping"],
)
def test_any_mapping_is_an_example(example):
    assert list(in_memory("", [example])) == [{"id": 1, "dataset": ""}]


def test_a_database_row_is_an_example():
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    rows = database.execute("SELECT 1 AS id, 'q' AS question").fetchall()
    database.close()

    assert list(in_memory("", rows)) == [{"id": 1, "question": "q", "dataset": ""}]


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ("text", "str"),
        (5, "int"),
        (None, "NoneType"),
        ([("id", 1)], "list"),
        (dict, "type"),
        (b"{}", "bytes"),
    ],
    ids=["text", "number", "null", "list", "class", "bytes"],
)
def test_what_is_no_dict_is_named_with_its_position(entry, kind):
    said = f"example 1: a {kind}, expected a dict"

    assert problem("tickets", [{"id": 1}, entry]) == f"data set 'tickets', {said}"
    assert problem("", [{"id": 1}, entry]) == said


@pytest.mark.parametrize(
    ("name", "examples", "said"),
    [
        ("t", [], "data set 't' holds no examples: a benchmark over nothing proves nothing"),
        ("", [], "the data set holds no examples: a benchmark over nothing proves nothing"),
        ("t", [{"id": 1}, {}, {"id": 1}], "data set 't': id 1 at example 0 and at example 2"),
        ("", [{"id": "1"}, {"id": 1}], "the data set: ids '1' and 1, which are one, at example 0 and"),
        ("t", [{"a": 1}, {"a": 1}], "data set 't': the same content, without an id, at example 0 and"),
        ("t", [{"id": True}], "data set 't', example 0, id: True is not text or a whole number"),
        ("t", [{"id": 1.0}], "data set 't', example 0, id: 1.0 is not text or a whole number"),
        ("t", [{"id": ["a"]}], "data set 't', example 0, id: ['a'] is not text or a whole number"),
        ("t", [{"id": np.True_}], "data set 't', example 0, id: np.True_ is not text or a whole number"),
        ("t", [{"id": 10**5000}], "data set 't', example 0, id: a int is not text or a whole number"),
        ("t", [{"id": ["a"] * 9_999}], "data set 't', example 0, id: ['a', 'a',"),
        ("t", [{"id": 1, "dataset": ["a"]}], "data set 't', example 0, dataset: ['a'] is not text"),
    ],
)
def test_examples_that_cannot_be_told_apart_are_refused(name, examples, said):
    assert problem(name, examples)[: len(said)] == said
    assert len(problem(name, examples)) < 300


@pytest.mark.parametrize(
    ("given_id", "read"),
    [
        ("", ""),
        (0, 0),
        (np.int64(3), 3),
        (np.str_("a"), "a"),
        (Text.A, "a"),
        (OldText.A, "a"),
        ("\ud83d", "\ud83d"),
    ],
    ids=repr,
)
def test_an_id_is_plain_text_or_a_plain_whole_number(given_id, read):
    found = example_id({"id": given_id}, "here")

    assert (found, type(found)) == (read, type(read))


SAME = {
    "order of keys": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "order of nested keys": ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2, "b": 1}}),
    "tuple and list": ({"a": (1, 2)}, {"a": [1, 2]}),
    "order of a set": ({"a": set("abcdef")}, {"a": set("fedcba")}),
    "set and frozenset": ({"a": {(1, 2)}}, {"a": frozenset({(1, 2)})}),
    "numpy and list": ({"a": np.arange(3)}, {"a": [0, 1, 2]}),
    "null id and no id": ({"a": 1, "id": None}, {"id": None, "a": 1}),
    "kinds of mapping": (MappingProxyType({"a": MappingProxyType({"b": 1})}), {"a": {"b": 1}}),
}
UNLIKE = {
    "number and text": ({"a": 1}, {"a": "1"}),
    "values": ({"a": 1}, {"a": 2}),
    "order of a list": ({"a": [1, 2]}, {"a": [2, 1]}),
    "long arrays": ({"a": np.arange(5_000)}, {"a": np.where(np.arange(5_000) == 2_500, 0, np.arange(5_000))}),
    "true and 1": ({"a": True}, {"a": 1}),
    "dates": ({"a": date(2024, 1, 1)}, {"a": date(2024, 1, 2)}),
    "surrogates": ({"a": "\ud83d"}, {"a": "\ud83e"}),
    "secrets": ({"a": "sk-aaaaaaaaaaaaaaaaaaaaaaaa"}, {"a": "sk-bbbbbbbbbbbbbbbbbbbbbbbb"}),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_the_same_content_has_one_id(one, other):
    assert content_id(one, "here") == content_id(other, "here")


@pytest.mark.parametrize(("one", "other"), UNLIKE.values(), ids=UNLIKE)
def test_unlike_content_has_unlike_ids(one, other):
    assert content_id(one, "here") != content_id(other, "here")


def test_a_content_id_is_the_same_for_ever():
    example = {
        "context": "日本\u2028",
        "answer": ["18", 18, None, 1.5],
        "bytes": b"\xff",
        "when": datetime(2024, 1, 1, tzinfo=UTC),
        "price": Decimal("1.10"),
        "path": PurePosixPath("a/b"),
        "key": UUID(int=5),
        "kind": OldText.A,
        "tags": {"b", "a"},
    }

    assert content_id({"question": "q", "answer": "a"}, "here") == "3ceed54f4216"
    assert content_id(example, "here") == "635683c79129"


def circle():
    held = []
    held.append(held)
    return held


def nest(depth):
    held = []
    for _ in range(depth):
        held = [held]
    return held


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (Opaque(), "it holds a Opaque"),
        ([{"a": {Opaque()}}], "it holds a Opaque"),
        (lambda: None, "it holds a function"),
        ({1: "a", "b": 2}, "'<' not supported between instances of 'str' and 'int'"),
        ({(1, 2): 3}, "keys must be str, int, float, bool or None, not tuple"),
        (circle(), "Circular reference detected"),
        (nest(100_000), "maximum recursion depth exceeded"),
        (10**5000, "Exceeds the limit (4300 digits) for integer string conversion"),
    ],
    ids=[
        "object",
        "nested object",
        "function",
        "mixed keys",
        "tuple as a key",
        "circle",
        "deep",
        "huge number",
    ],
)
def test_content_that_differs_from_process_to_process_needs_an_id(value, reason):
    said = f"data set 't', example 0 has no id, and its content gives none ({reason}"

    assert problem("t", [{"context": value}])[: len(said)] == said
    assert problem("t", [{"context": value}]).endswith("): give it an 'id'")
    assert len(in_memory("t", [{"id": 1, "context": value}])) == 1


def test_no_more_examples_are_made_than_wanted():
    made = []

    def endless():
        while True:
            made.append({"id": len(made)})
            yield made[-1]

    assert in_memory("", endless(), 3).ids == [0, 1, 2]
    assert len(made) == 3


@pytest.mark.parametrize(("n", "read"), [(None, None), (1, 1), (np.int64(2), 2), (10**9, 10**9)], ids=repr)
def test_a_limit_is_none_or_a_plain_whole_number(n, read):
    assert (limit(n), type(limit(n))) == (read, type(read))


@pytest.mark.parametrize("n", [0, -1, 1.0, "1", True, float("nan"), [1]], ids=repr)
def test_a_limit_below_1_is_refused(n):
    with pytest.raises(ContextBenchError, match=r"number of examples: .* is not a whole number of 1 or more"):
        limit(n)


@pytest.mark.parametrize("n", [None, 10, 11], ids=repr)
@pytest.mark.parametrize("seed", [None, 1], ids=["first", "sample"])
def test_a_part_as_large_as_the_whole_is_the_whole(n, seed):
    assert numbered(10).take(n, seed).ids == list(range(10))


def test_without_a_seed_the_first_are_taken():
    part = numbered(10).take(4)

    assert [each["text"] for each in part] == ["0", "1", "2", "3"]


def test_a_sample_is_the_same_for_ever():
    assert numbered(20).take(6, seed=0).ids == [0, 6, 10, 14, 15, 17]
    assert numbered(20).take(6, seed=1).ids == [0, 1, 7, 8, 9, 16]


@SEEDED
@given(ids=IDS, seed=st.integers(-3, 10**20), data=st.data())
def test_samples_are_nested_in_order_and_whole(ids, seed, data):
    examples = in_memory("t", [{"id": each, "at": index} for index, each in enumerate(ids)])
    small = data.draw(st.integers(1, len(ids)))
    large = data.draw(st.integers(small, len(ids)))

    sample, larger = examples.take(small, seed), examples.take(large, seed)
    assert (len(sample), len(larger)) == (small, large)
    assert set(sample.ids) <= set(larger.ids)
    assert list(sample) == [example for example in examples if example["id"] in sample.ids]


@SEEDED
@given(ids=IDS, seed=st.integers(), data=st.data())
def test_a_sample_depends_on_ids_and_not_on_their_order(ids, seed, data):
    n = data.draw(st.integers(1, len(ids)))
    shuffled = data.draw(st.permutations(ids))

    one, other = (in_memory("t", [{"id": each} for each in order]).take(n, seed) for order in (ids, shuffled))
    assert set(one.ids) == set(other.ids)


def test_a_seed_draws_each_example_as_often_as_any_other():
    examples, draws = numbered(20), 400
    drawn = [sum(index in examples.take(5, seed).ids for seed in range(draws)) for index in range(20)]

    assert min(drawn) > draws * 5 / 20 * 0.7
    assert max(drawn) < draws * 5 / 20 * 1.3


def test_a_part_of_a_part_is_read_at_its_own_place():
    part = numbered(50).take(20, seed=3).take(5, seed=4)

    assert [each["text"] for each in part] == [str(each) for each in part.ids]
    assert part.take(2)[1] == part[1]


def test_a_part_keeps_name_evaluators_and_primary_score():
    whole = Examples("t", range(9), lambda index: {"a": index}, (AnswerQuality(),), "contains")
    part = whole.take(2)

    assert (part.name, part.evaluators, part.primary) == ("t", whole.evaluators, "contains")
    assert part.evaluators_for({}) == (AnswerQuality(),)


def test_without_evaluators_of_its_own_each_example_calls_for_its_own():
    examples = in_memory("", [{"answer": "a"}, {"context": "b"}])

    assert [len(examples.evaluators_for(each)) for each in examples] == [1, 0]
