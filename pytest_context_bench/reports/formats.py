"""The formats that a result is written in, each by what writes it, which is imported on first use."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_context_bench.results import EvalResult


def _json(result: "EvalResult") -> str:
    return result.to_json() + "\n"


def _jsonl(result: "EvalResult") -> str:
    from pytest_context_bench.reports.rows_jsonl import to_jsonl

    return to_jsonl(result)


def _csv(result: "EvalResult") -> str:
    from pytest_context_bench.reports.rows_csv import to_csv

    return to_csv(result)


def _md(result: "EvalResult") -> str:
    from pytest_context_bench.reports.markdown import to_markdown

    return to_markdown(result)


def _html(result: "EvalResult") -> str:
    from pytest_context_bench.reports.html import to_html

    return to_html(result)


FORMATS: Mapping[str, Callable[["EvalResult"], str]] = {
    "json": _json,
    "jsonl": _jsonl,
    "csv": _csv,
    "md": _md,
    "html": _html,
}
