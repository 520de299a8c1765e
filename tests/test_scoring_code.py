import json
import time
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.sandbox.inside.harness import first_that_compiles
from pytest_context_bench.scoring import code_tests
from pytest_context_bench.scoring.code import answer_parts, header_in
from pytest_context_bench.scoring.fences import fenced

HEADER = "def f(x):\n    '''Add.'''\n"
CASES = json.loads((Path(__file__).parent / "cases/code_extraction.json").read_text(encoding="utf-8"))


def run(parts, survive=()):
    """Run in this process what is our own; hostile code is for the sandbox's tests."""
    namespace = {"__name__": "answer"}
    with suppress(*survive):
        for readings in parts:
            exec(first_that_compiles(readings), namespace)
    return namespace


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_the_code_of_a_response_is_found(case):
    namespace = run(answer_parts(case["response"], case["header"], case["names"]))

    assert eval(case["call"], namespace) == case["result"]


@pytest.mark.parametrize(
    "response",
    [
        "I cannot write this function.",
        "```python\ndef f(x):\n    return (x\n```",
        "<think>\n```python\ndef f(x):\n    return x + 1\n```\nand so on, cut off",
        "def f(x):\n    return '\0'",
        "def f(x):\n    return '\ud83d'",
    ],
)
def test_what_holds_no_code_does_not_define_the_function(response):
    parts = answer_parts(response, "", ["f"])

    assert [name for name in run(parts, survive=(SyntaxError, ValueError)) if name == "f"] == []


@pytest.mark.parametrize(
    "text",
    [
        "x" * 500_000,
        " " * 500_000,
        "```\n" * 50_000,
        "`" * 500_000,
        "# " * 250_000,
        "<think>" * 70_000,
        "f:" * 250_000,
    ],
    ids=["letters", "spaces", "fences", "backticks", "hashes", "thoughts", "colons"],
)
def test_long_responses_are_read_in_linear_time(text):
    start = time.process_time()

    answer_parts(text, "def f(x):\n    '''Add.'''\n", ["f"])

    assert time.process_time() - start < 5


def test_fenced_blocks_keep_their_lines_as_they_stand():
    blocks = fenced("a\n```py\n\tx\n  y \n\n```\nb\n  ~~~\n    z\n  ~~~\n")

    assert [(block.language, block.code) for block in blocks] == [("py", "\tx\n  y \n\n"), ("", "  z\n")]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("\n\nimport math\n\ndef f(x):\n", "import math\n\ndef f(x):\n"),
        ("Complete this:\n\n```python\ndef f(x):\n    '''Add.'''\n```\n", "def f(x):\n    '''Add.'''\n"),
        ("Complete this function:\n\ndef f(x):\n    '''Add.'''\n", "def f(x):\n    '''Add.'''\n"),
        ("Write a function f that returns 1.", ""),
        ("def g(x):\n    '''Another.'''\n", ""),
    ],
)
def test_a_header_is_code_that_begins_the_function(text, header):
    assert header_in(text, ["f"]) == header


@pytest.mark.parametrize(
    ("tests", "entry_point", "names"),
    [
        ("", "f", ["f"]),
        ("", "Solution().f", ["Solution"]),
        ("", "sum", ["sum"]),
        ("assert math.isclose(f(1), 1.0)\nassert set(f((1, 2))) == {1}", None, ["f"]),
        ("assert longest([Pair(1, 2)]) == 1", None, ["Pair", "longest"]),
    ],
)
def test_the_names_that_an_answer_defines_are_those_only_the_tests_know(tests, entry_point, names):
    assert code_tests.tested_names(tests, entry_point) == names


CHECK = "def check(candidate):\n    assert candidate(1) == 2\n"


@pytest.mark.parametrize(
    ("test", "entry_point"),
    [
        ("", "f"),
        ("# nothing\n", "f"),
        ("'''A text.'''\nimport math\nx = 1\n", "f"),
        ("import unittest\n\nclass Tests(unittest.TestCase):\n    def test_f(self): pass\n", "f"),
        (CHECK, None),
        (CHECK, "f)(g"),
        (CHECK, "f\nimport os"),
        ("def check(candidate)\n    assert 1", "f"),
        ("import no_such_module\n" + CHECK, "f"),
        ("from no_such_module.inner import x\n" + CHECK, "f"),
    ],
)
def test_tests_that_test_nothing_are_an_error(test, entry_point):
    with pytest.raises(InvalidValueError):
        code_tests.as_code(test, entry_point)


def runs(test, entry_point, **names):
    namespace = {"__name__": __name__, **names}
    for source in code_tests.as_code(test, entry_point):
        exec(source, namespace)


@pytest.mark.parametrize(
    ("test", "entry_point"),
    [
        (CHECK, "f"),
        (CHECK, "Solution().f"),
        (CHECK + "check(f)\n", None),
        ("from __future__ import annotations\n" + CHECK, "f"),
        ("from __future__ import annotations\nassert math.floor(f(1)) == 2", None),
        ("assert f(1) == 2", "f"),
        ("for _ in range(3):\n    assert f(1) == 2", None),
    ],
)
@pytest.mark.parametrize("result", [2, 3])
def test_tests_tell_right_from_wrong(test, entry_point, result):
    class Solution:
        def f(self, _):
            return result

    if result == 2:
        runs(test, entry_point, f=Solution().f, Solution=Solution)
    else:
        with pytest.raises(AssertionError):
            runs(test, entry_point, f=Solution().f, Solution=Solution)


def test_a_forgotten_import_does_not_replace_a_name_of_the_answer():
    with pytest.raises(AssertionError, match="mine"):
        runs("assert math.floor(1.5) == 2, 'mine'", None, math=type("mine", (), {"floor": staticmethod(int)}))


def test_an_enormous_response_is_not_multiplied():
    readings = answer_parts("Prose, then:\nx = 1\n" * 500_000, HEADER, ["f"])[0]

    assert sum(map(len, readings)) < 20_000_000
