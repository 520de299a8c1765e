"""Questions about passages."""

from typing import Any

from pytest_context_bench.datasets.mapping import golds
from pytest_context_bench.datasets.record import Record, distinct

UNANSWERABLE = "unanswerable"
# Without it no system can know how a question that has no answer is to be answered.
OR_UNANSWERABLE = f'If the answer is not given, reply "{UNANSWERABLE}".'
_musique_golds = golds("answer", "answer_aliases")


def hotpotqa(record: Record) -> dict[str, Any]:
    """Read a question on paragraphs, each shown under its title; sentences carry their own blanks."""
    return _on_paragraphs(record, "")


def two_wiki(record: Record) -> dict[str, Any]:
    """Read a question as one of HotpotQA, but for sentences that carry no blanks."""
    return _on_paragraphs(record, " ")


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


def triviaqa(record: Record) -> dict[str, Any]:
    """Read a question on its Wikipedia articles, then its search results, as far as the config has any."""
    sources = (("entity_pages", "wiki_context"), ("search_results", "search_context"))
    found = [
        passage(page.text("title"), page.text(text))
        for source, text in sources
        for page in record.parts(source)
    ]
    answer = record.part("answer")
    known = filter(None, [answer.text("value"), *answer.texts("aliases")])
    asked = {"question": record.text("question"), "answer": distinct(known)}
    return {**asked, "context": passages(found)} if found else asked


def spans(record: Record) -> list[str]:
    """Return the answers that SQuAD's annotators marked."""
    return distinct(record.part("answers").texts("text"))


def spans_or_none(record: Record) -> list[str]:
    """Return the answers that SQuAD's annotators marked; where they are none, silence is the answer.

    So the official script has it. A system that must reply says so in a word.
    """
    return spans(record) or ["", UNANSWERABLE]


def frames(record: Record) -> dict[str, Any]:
    """Read a question and its answer, which may be a number."""
    answer = record.shown("Answer")
    if not answer.strip():
        raise record.problem("column 'Answer' is empty, expected an answer")
    return {"question": record.text("Prompt"), "answer": answer}


def passage(title: str, text: str) -> str:
    """Return *text* under its *title*."""
    return f"{title}\n{text}"


def passages(texts: list[str]) -> str:
    """Return *texts* as one context."""
    return "\n\n".join(texts)


def _on_paragraphs(record: Record, between: str) -> dict[str, Any]:
    paragraphs = [
        passage(paragraph.text("title"), between.join(paragraph.texts("sentences")))
        for paragraph in record.parts("context")
    ]
    return {
        "context": passages(paragraphs),
        "question": record.text("question"),
        "answer": record.text("answer"),
    }
