"""Conversations: what the user says, turn by turn."""

from typing import Any

from pytest_context_bench.datasets.record import Record


def mt_bench(record: Record) -> dict[str, Any]:
    """Read what the user asks in turn; the references are for the judge, where there are any.

    The turns count as the context, which is therefore empty. A system that does not converse finds all of
    them in the question.
    """
    asked = record.texts("prompt")
    known = [] if record.get("reference") is None else record.texts("reference")
    return {
        "context": "",
        "question": "\n\n".join(asked),
        "multi_turn": True,
        "turns": [{"role": "user", "content": text} for text in asked],
        "category": record.text("category"),
        **({"reference": known} if any(known) else {}),
    }
