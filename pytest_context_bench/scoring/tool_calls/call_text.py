"""Reads calls as code writes them: `[f(a=1), g(b="x")]`."""

from functools import partial

from pytest_context_bench.scoring.tool_calls.call import Call
from pytest_context_bench.scoring.tool_calls.python_values import read_value
from pytest_context_bench.scoring.tool_calls.scanner import NotReadableError, Scanner
from pytest_context_bench.scoring.tool_calls.sources import end_of, unquoted


def calls_as_code(text: str, *, sources: bool = False) -> list[Call]:
    """Return the calls that all of *text* is, in brackets or one after the other; none if it is not.

    Arguments are Python's values, or the *sources* of such in any language.
    """
    scanner = Scanner(text.strip())
    try:
        calls = (
            read_list(scanner, sources=sources) if scanner.sees("[") else _series(scanner, sources=sources)
        )
    except NotReadableError:
        return []
    return [] if scanner.text[scanner.place :].strip(" \t\r\n;,") else calls


def read_list(scanner: Scanner, *, sources: bool = False) -> list[Call]:
    """Read a list of calls in brackets. Raises NotReadableError."""
    calls: list[Call] = []
    if not scanner.passes("["):
        raise scanner.failure()
    scanner.entries("]", lambda: calls.append(_call(scanner, sources=sources)))
    return calls


def _series(scanner: Scanner, *, sources: bool) -> list[Call]:
    calls: list[Call] = []
    while scanner.place < len(scanner.text):
        calls.append(_call(scanner, sources=sources))
        while scanner.passes(",") or scanner.passes(";"):
            pass
    return calls


def _call(scanner: Scanner, *, sources: bool) -> Call:
    name = scanner.name()
    if not scanner.text.startswith("(", scanner.place):  # after a blank it is a remark
        raise scanner.failure()
    scanner.passes("(")
    return Call(name, scanner.arguments(partial(_source if sources else read_value, scanner)))


def _source(scanner: Scanner) -> str:
    """Read the code of an argument; of a text alone, what it says."""
    end = end_of(scanner.text, scanner.place)
    if end is None:
        scanner.place = len(scanner.text)
        raise scanner.failure()
    code = scanner.text[scanner.place : end].strip()
    scanner.place = end
    return unquoted(code)
