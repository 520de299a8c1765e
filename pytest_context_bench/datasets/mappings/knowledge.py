"""Questions with options."""

from typing import Any

from pytest_context_bench.datasets.mappings.choices import choice
from pytest_context_bench.datasets.record import Record


def mmlu(record: Record) -> dict[str, Any]:
    """Read a question; the source numbers its right option from 0."""
    asked = choice(record, record.text("question"), record.texts("choices"), record.whole("answer"))
    return {**asked, "subject": record.text("subject")}
