"""Questions about passages."""

from typing import Any

from pytest_context_bench.datasets.mapping import golds
from pytest_context_bench.datasets.record import Record

_musique_golds = golds("answer", "answer_aliases")


def hotpotqa(record: Record) -> dict[str, Any]:
    """Read a question on paragraphs, each shown under its title; sentences carry their own blanks."""
    paragraphs = [
        passage(paragraph.text("title"), "".join(paragraph.texts("sentences")))
        for paragraph in record.parts("context")
    ]
    return {
        "context": passages(paragraphs),
        "question": record.text("question"),
        "answer": record.text("answer"),
    }


def musique(record: Record) -> dict[str, Any]:
    """Read a question on paragraphs in the order of their numbers; aliases are answers too."""
    paragraphs = sorted(record.parts("paragraphs"), key=lambda paragraph: paragraph.whole("idx"))
    return {
        "context": passages(
            [passage(part.text("title"), part.text("paragraph_text")) for part in paragraphs]
        ),
        "question": record.text("question"),
        "answer": _musique_golds(record),
    }


def passage(title: str, text: str) -> str:
    """Return *text* under its *title*."""
    return f"{title}\n{text}"


def passages(texts: list[str]) -> str:
    """Return *texts* as one context."""
    return "\n\n".join(texts)
