"""Questions about whole stories, articles and papers."""

from typing import Any

from pytest_context_bench.datasets.mappings.choices import choice
from pytest_context_bench.datasets.mappings.qa import OR_UNANSWERABLE, passages
from pytest_context_bench.datasets.record import Record, distinct

STORY, SUMMARY = "story", "summary"


def narrativeqa(record: Record) -> dict[str, Any]:
    """Read a question on a story, or on the summary of it that the question was written from."""
    document = record.part("document")
    read = document.part("summary") if record.config == SUMMARY else document
    return {
        "context": read.text("text"),
        "question": record.part("question").text("text"),
        "answer": distinct(answer.text("text") for answer in record.parts("answers")),
    }


def quality(record: Record) -> dict[str, Any]:
    """Read a question with options on an article; the source numbers its right option from 0."""
    asked = choice(record, record.text("question"), record.texts("options"), record.whole("answer"))
    return {**asked, "context": record.text("article"), "hard": record.flag("hard")}


def qasper(record: Record) -> list[dict[str, Any]]:
    """Read a paper and all questions about it, each with the answers of its annotators."""
    paper = _paper(record)
    return [
        {
            "id": asked.text("question_id"),
            "context": paper,
            "question": f"{asked.text('question')}\n{OR_UNANSWERABLE}",
            "answer": distinct(_annotated(answer) for answer in asked.part("answers").parts("answer")),
        }
        for asked in record.parts("qas")
    ]


def _paper(record: Record) -> str:
    """Return title, abstract and sections, each under its heading where it has one."""
    sections = [
        "\n".join(filter(None, [section.get("section_name"), *section.texts("paragraphs")]))
        for section in record.parts("full_text")
    ]
    return passages(list(filter(None, [record.text("title"), record.text("abstract"), *sections])))


def _annotated(answer: Record) -> str:
    """Return the answer of one annotator, read in the order of the official `evaluator.py`."""
    if answer.flag("unanswerable"):
        return "Unanswerable"
    text = ", ".join(answer.texts("extractive_spans")) or answer.text("free_form_answer")
    if not text and answer.get("yes_no") is None:
        raise answer.problem(f"column {answer.path.rstrip('.')!r} holds no answer")
    return text or ("Yes" if answer.flag("yes_no") else "No")
