import dataclasses
import json
import math
import os
import pathlib
from collections import OrderedDict
from decimal import Decimal
from enum import Enum, IntEnum, IntFlag, StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.errors import NotJsonError
from pytest_context_bench.plain import dumps, non_finite, printable, restore, to_float, to_plain, worded

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=60)


class Point(NamedTuple):
    x: int
    y: float


class Colour(Enum):
    RED = "red"
    DEEP = Decimal("0.5")


class Size(IntEnum):
    BIG = 3


class Word(StrEnum):
    YES = "yes"


class Bits(IntFlag):
    A = 1
    B = 2


@dataclasses.dataclass
class Usage:
    tokens: int
    where: pathlib.PurePath


class UntellableError(Exception):
    def __str__(self):
        raise RuntimeError("not even this")


class NoTextError(Exception):
    def __str__(self):
        return 1  # noqa: PLE0307 - what must not do harm


CONVERTED = [
    (None, None),
    (True, True),
    (np.bool_(0), False),
    (np.int64(7), 7),
    (np.float32(0.5), 0.5),
    (np.longdouble(0.5), 0.5),
    (np.str_("text"), "text"),
    (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    (np.array(3), 3),
    (Decimal("0.1"), 0.1),
    (Decimal("1e999"), math.inf),
    (Fraction(1, 4), 0.25),
    (Colour.RED, "red"),
    (Colour.DEEP, 0.5),
    (Size.BIG, 3),
    (Word.YES, "yes"),
    (Bits.A | Bits.B, 3),
    (pathlib.PurePosixPath("a/b"), "a/b"),
    (Usage(3, pathlib.PurePosixPath("x")), {"tokens": 3, "where": "x"}),
    (Point(1, 2.5), [1, 2.5]),
    ((1, (2,)), [1, [2]]),
    ({3, 1, 2}, [1, 2, 3]),
    pytest.param(frozenset({"b", "a"}), ["a", "b"], id="frozenset"),  # its own order differs by process
    (MappingProxyType({"a": 1}), {"a": 1}),
    (OrderedDict(a=np.float64(1.5)), {"a": 1.5}),
    ({1: "a", None: "b"}, {"1": "a", "None": "b"}),
    ({Colour.RED: 1, Word.YES: 2, np.int64(3): 3, ("t", 1): 4}, {"red": 1, "yes": 2, "3": 3, "('t', 1)": 4}),
    ("\ud83d\ude00 \ud83d", "\U0001f600 \\ud83d"),
    ({"\udcff": "\udcff"}, {"\\udcff": "\\udcff"}),
    (-(10**400), -(10**400)),
]


@pytest.mark.parametrize(("value", "plain"), CONVERTED, ids=lambda value: repr(value)[:40])
def test_what_users_put_in_metadata_becomes_plain_json(value, plain):
    converted = to_plain(value)

    assert converted == plain
    assert json.loads(dumps([converted])) == [None if plain == math.inf else plain]


@pytest.mark.parametrize(
    "value",
    [
        object(),
        b"bytes",
        1j,
        Decimal,
        Decimal("sNaN"),
        Fraction(10**400),
        10**5000,
        len,
        (each for each in "ab"),
        range(3),
        np.datetime64("2026-01-01"),
    ],
    ids=lambda value: str(type(value).__name__),
)
def test_what_json_cannot_carry_is_named_with_its_place(value):
    with pytest.raises(NotJsonError, match=r"metadata\['a'\]\[1\] is a "):
        to_plain({"a": [0, value]}, "metadata")


def test_the_place_within_a_dataclass_is_named():
    with pytest.raises(NotJsonError, match=r"^usage\.where is a object: expected text"):
        to_plain(Usage(1, object()), "usage")


def within_itself():
    value = {}
    value["self"] = [value]
    return value


def deep(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


class Endless:
    """As a mock does, it converts to ever new objects."""

    def tolist(self):
        return type("Other", (Endless,), {})()

    def __float__(self):
        return 1.0


@pytest.mark.parametrize("value", [within_itself(), deep(1000), Endless()], ids=["cycle", "deep", "endless"])
def test_what_has_no_end_is_refused_in_one_line(value):
    with pytest.raises(NotJsonError) as raised:
        to_plain({"key": value}, "metadata")

    assert str(raised.value).startswith("metadata['key']")
    assert len(str(raised.value)) < 250


def test_nesting_that_people_use_is_kept():
    assert to_plain(deep(90)) == deep(90)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("日本 \x00 é", "日本 \x00 é"),
        ("\ud83d", "\\ud83d"),
        ("a\ude00\ud83db", "a\\ude00\\ud83db"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\ud83d\ud83d\ude00", "\\ud83d\U0001f600"),
    ],
    ids=ascii,
)
def test_printable_text_is_valid_unicode(text, shown):
    assert printable(text) == shown
    assert printable(text).encode().decode() == shown
    assert type(printable(np.str_(text))) is str


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (True, 1.0),
        (np.float32(0.5), 0.5),
        (np.int8(2), 2.0),
        (Decimal("0.25"), 0.25),
        (Fraction(1, 8), 0.125),
        (Size.BIG, 3.0),
        (Colour.DEEP, 0.5),
        (math.inf, math.inf),
        (Colour.RED, None),
        ("0.5", None),
        (b"1", None),
        (np.str_("1"), None),
        (None, None),
        ([0.5], None),
        ({}, None),
        (1j, None),
        (10**400, None),
        (Decimal("sNaN"), None),
        pytest.param(object(), None, id="object"),  # its own name differs by process
    ],
    ids=lambda value: repr(value)[:30],
)
def test_only_numbers_are_floats(value, number):
    assert to_float(value) == number


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("bad"), "ValueError: bad"),
        (ValueError(), "ValueError"),
        (KeyError("id"), "KeyError: 'id'"),
        (ValueError("\ud83d"), "ValueError: \\ud83d"),
        (UntellableError(), "UntellableError"),
        (NoTextError(), "NoTextError"),
        (ConnectionError("http://me:pw@host/v1 refused"), "ConnectionError: http://***@host/v1 refused"),
        (SystemExit(3), "SystemExit: 3"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_exception_can_be_worded(error, words):
    assert worded(error) == words


def test_of_a_very_long_error_the_start_is_kept_and_no_part_of_a_secret():
    words = worded(ValueError("x" * 4_960 + " Bearer abcdefgh" * 1_000_000))

    assert words.startswith("ValueError: xxx")
    assert "Bearer ***" in words
    assert "abc" not in words
    assert len(words) == 5_001


NUMBERS = st.floats() | st.integers(-(10**20), 10**20)
KEYS = st.sampled_from(["", "a", "/", "~", "~1", "a/b", "0", "\x00", "é"])
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@SEEDED
@given(st.dictionaries(KEYS, JSON, max_size=4) | st.lists(JSON, max_size=4))
def test_strict_json_gives_back_what_it_took_numbers_that_are_not_finite_included(value):
    read = json.loads(dumps(value), parse_constant=pytest.fail)
    for pointer, name in non_finite(value):
        restore(read, pointer, name)

    assert repr(read) == repr(value)


def test_pointers_tell_keys_with_slashes_and_tildes_apart():
    value = {"a/b": [1.0, math.nan], "a": {"b": [0.0, math.inf]}, "~1": -math.inf}

    assert dict(non_finite(value)) == {"/a~1b/1": "NaN", "/a/b/1": "Infinity", "/~01": "-Infinity"}


def test_a_secret_variable_is_read_when_the_text_is_converted(monkeypatch):
    monkeypatch.setenv("SERVICE_API_KEY", "first-secret-value")
    assert to_plain(["first-secret-value"]) == ["***"]

    monkeypatch.setenv("SERVICE_API_KEY", "second-secret-value")
    assert to_plain(["first-secret-value", "second-secret-value"]) == ["first-secret-value", "***"]


def test_secrets_are_masked_in_keys_and_under_names_of_secrets():
    given = {
        "headers": {"Authorization": "Basic abc", "x-api-key": "short", "Content-Type": "text/plain"},
        "api_key": None,
        "prompt_tokens": "12",
        "https://me:pw@host": 1,
    }

    assert to_plain(given) == {
        "headers": {"Authorization": "***", "x-api-key": "***", "Content-Type": "text/plain"},
        "api_key": None,
        "prompt_tokens": "12",
        "https://***@host": 1,
    }


def test_a_path_is_written_as_the_system_writes_it():
    assert to_plain(pathlib.Path("a", "b")) == os.path.join("a", "b")  # noqa: PTH118 - the oracle
