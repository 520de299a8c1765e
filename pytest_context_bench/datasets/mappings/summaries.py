"""Texts to summarize, whole or as a query asks."""

from typing import Any

from pytest_context_bench.datasets.mapping import golds
from pytest_context_bench.datasets.record import Record

_outputs = golds("output")


def qmsum(record: Record) -> dict[str, Any]:
    """Read a query and, after the first blank line, the meeting that it is about."""
    query, blank, meeting = record.text("input").partition("\n\n")
    if not (blank and query.strip()):
        raise record.problem("column 'input' holds no query with a blank line after it")
    return {"context": meeting, "question": query, "answer": _outputs(record)}


def summscreenfd(record: Record) -> dict[str, Any]:
    """Read an episode; its blank lines part scenes, for there is no query."""
    return {
        "context": record.text("input"),
        "question": "Write a summary of this TV show episode.",
        "answer": _outputs(record),
    }
