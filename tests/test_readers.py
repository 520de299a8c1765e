import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from pytest_context_bench import readers
from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.gates import Gate
from pytest_context_bench.registry import registry
from pytest_context_bench.reports.formats import FORMATS

HUGE = 10**5000


def said(read, value):
    """Return the one line that says why *value* is refused."""
    with pytest.raises(InvalidValueError) as caught:
        read("--flag", value)

    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 400
    return str(caught.value)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("0", 0),
        ("1", 1),
        ("0.7", 0.7),
        (" .5 ", 0.5),
        ("7e-1", 0.7),
        (1, 1),
        (0.3, 0.3),
        (np.float64(0.3), 0.3),
    ],
)
def test_a_share_is_between_0_and_1(value, number):
    found = readers.share("--flag", value)

    assert (found, type(found)) == (number, float)


@pytest.mark.parametrize(
    "value",
    [
        "nan",
        "-1",
        "90",
        "inf",
        "-inf",
        "1.0001",
        "-0.1",
        "80%",
        "",
        "x",
        "0,7",
        None,
        [],
        True,
        math.nan,
        HUGE,
    ],
    ids=lambda value: str(value)[:9] if value is not HUGE else "huge",
)
def test_what_is_no_share_is_a_usage_error(value):
    text = said(readers.share, value)

    assert text.startswith("--flag: ")
    assert text.endswith(" is not a number between 0 and 1")


@pytest.mark.parametrize(
    ("value", "number"),
    [("0", 0), ("-3", -3), (" 12 ", 12), (7, 7), ("123456789012345678901", 123456789012345678901)],
)
def test_a_whole_number_is_read(value, number):
    assert readers.whole("--flag", value) == number


@pytest.mark.parametrize(
    "value", ["", "1.0", "1e3", "x", "½", None, 1.0, True, [1], "1" * 5000], ids="{!r:.9}".format
)
def test_what_is_no_whole_number_is_a_usage_error(value):
    assert said(readers.whole, value).endswith(" is not a whole number")


def test_a_number_too_long_to_write_is_a_usage_error():
    assert said(readers.whole, HUGE) == "--flag: a int is not a whole number"


@pytest.mark.parametrize("value", ["0", "-1", 0, -5])
def test_a_count_is_1_or_more(value):
    assert readers.positive("--flag", "1") == 1
    assert said(readers.positive, value) == f"--flag: {value!r} is not a whole number of 1 or more"


@pytest.mark.parametrize("value", ["", " ", "\n\t", None, 5, ["a"], b"a"], ids=repr)
def test_text_is_not_empty(value):
    assert readers.text("--flag", " a b ") == "a b"
    assert said(readers.text, value) == f"--flag: {value!r} is not text"


@pytest.mark.parametrize(
    "value", ["data/x.jsonl", Path("data/x.jsonl"), PurePosixPath("data/x.jsonl")], ids=repr
)
def test_a_path_is_text_or_a_path(value):
    assert readers.name_or_path("--flag", value) == "data/x.jsonl"


@pytest.mark.parametrize("value", ["", None, 5, ["a"]], ids=repr)
def test_what_is_no_name_or_path_is_a_usage_error(value):
    assert said(readers.name_or_path, value) == f"--flag: {value!r} is not text"


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("context", ("context",)),
        ("a, b ,c", ("a", "b", "c")),
        (["a", "b"], ("a", "b")),
        (("b", "a"), ("b", "a")),
        (frozenset({"b", "a", "c"}), ("a", "b", "c")),
        ("*", ("*",)),
    ],
    ids=["one", "several", "list", "tuple", "set", "all"],
)
def test_words_are_separated_by_commas_or_listed(value, names):
    assert readers.words("--flag", value) == names


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("", "'' is not text"),
        ("a,,b", "'' is not text"),
        (",", "'' is not text"),
        ([""], "'' is not text"),
        ([5], "5 is not text"),
        ({"a", 5}, "5 is not text"),
        (5, "5 is not names, separated by commas or in a list"),
        (None, "None is not names, separated by commas or in a list"),
        ({"a": 1}, "{'a': 1} is not names, separated by commas or in a list"),
    ],
    ids=[
        "empty",
        "empty within",
        "comma",
        "empty in a list",
        "number in a list",
        "set",
        "number",
        "null",
        "dict",
    ],
)
def test_what_holds_no_words_is_a_usage_error(value, shown):
    assert said(readers.words, value) == f"--flag: {shown}"


@pytest.mark.parametrize(
    ("value", "metric", "bound"),
    [
        ("0", "errors", 0),
        ("3", "errors", 3),
        (" 3 ", "errors", 3),
        (3, "errors", 3),
        (3.0, "errors", 3),
        ("1e3", "errors", 1000),
        ("0%", "error_rate", 0),
        ("5%", "error_rate", 0.05),
        ("5 %", "error_rate", 0.05),
        (" 12.5% ", "error_rate", 0.125),
        ("100%", "error_rate", 1),
        ("1e-1%", "error_rate", 0.001),
        ("0.0000001%", "error_rate", 1e-9),
        ("33.333333333333336%", "error_rate", 1 / 3),
        (Decimal(2), "errors", 2),
        (Fraction(4, 2), "errors", 2),
    ],
    ids=repr,
)
def test_an_error_budget_is_a_gate(value, metric, bound):
    gate = Gate.parse(readers.error_budget("--flag", value))

    assert (gate.metric, gate.op, gate.bound) == (metric, "<=", pytest.approx(bound, rel=1e-12))


@pytest.mark.parametrize(
    "value",
    [
        "",
        "%",
        "-1",
        "-1%",
        "101%",
        "2.5",
        "nan",
        "nan%",
        "inf",
        "-inf",
        "inf%",
        "x",
        "5%%",
        None,
        True,
        [],
        HUGE,
    ],
    ids=lambda value: str(value)[:9] if value is not HUGE else "huge",
)
def test_what_is_no_error_budget_is_a_usage_error(value):
    expected = "is not a number of errors such as 3, or a share of the rows such as 5%"

    assert said(readers.error_budget, value).endswith(expected)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("path", ["out", "a/b.json", "/tmp/x:y.json", "C:\\x.json", "ü.json"])
def test_a_report_is_a_format_and_a_path(kind, path):
    assert readers.report("--flag", f"{kind}:{path}") == (kind, path)


@pytest.mark.parametrize("value", ["", "json", "json:", ":out", "xyz:out", "JSON:out", "out.json", None, 5])
def test_what_is_no_report_names_the_formats(value):
    text = said(readers.report, value)

    assert f"{value!r} is not FORMAT:PATH, FORMAT being " in text
    assert all(kind in text for kind in FORMATS)


def test_relative_paths_start_at_the_folder_that_is_given():
    folder = Path("/root")

    assert readers.dataset_from(folder, "data/x.jsonl") == "/root/data/x.jsonl"
    assert readers.dataset_from(folder, "/data/x.json.gz") == "/data/x.json.gz"
    assert readers.dataset_from(folder, "needle:json") == "needle:json"
    assert readers.report_from(folder, ("json", "out.json")) == ("json", "/root/out.json")
    assert readers.report_from(folder, ("json", "/tmp/out.json")) == ("json", "/tmp/out.json")


def test_a_registered_name_is_no_path_whatever_its_ending():
    with registry.run():
        registry.register("dataset", "tickets.json", list)

        assert readers.dataset_from(Path("/root"), "tickets.json") == "tickets.json"
