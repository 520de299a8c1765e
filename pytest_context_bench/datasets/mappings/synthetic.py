"""Facts hidden in long texts: RULER and BABILong."""

from typing import Any

from pytest_context_bench.datasets.record import Record


def ruler(record: Record) -> dict[str, Any]:
    """Read a row of any task; but for questions, where any one will do, all answers must be given."""
    golds, task = record.texts("answer"), record.text("task")
    return {
        "context": record.text("context"),
        "question": record.text("question"),
        "answer": golds if task.startswith("qa_") else [golds],
        "task": task,
    }


def babilong(record: Record) -> dict[str, Any]:
    """Read a question; a target such as `apple,football` is two things, and both must be given."""
    return {
        "context": record.text("input"),
        "question": record.text("question"),
        "answer": [[part.strip() for part in record.text("target").split(",")]],
    }
