"""Questions with options."""

import re
from typing import Any

from pytest_context_bench.datasets.mapping import golds
from pytest_context_bench.datasets.mappings.choices import LETTERS, choice, place_named, shuffled_choice
from pytest_context_bench.datasets.record import Record

_NO_OPTION = "N/A"
_GPQA_OPTIONS = ("Correct Answer", "Incorrect Answer 1", "Incorrect Answer 2", "Incorrect Answer 3")
_true_answers = golds("best_answer", "correct_answers")


def mmlu(record: Record) -> dict[str, Any]:
    """Read a question; the source numbers its right option from 0."""
    asked = choice(record, record.text("question"), record.texts("choices"), record.whole("answer"))
    return {**asked, "subject": record.text("subject")}


def mmlu_pro(record: Record) -> dict[str, Any]:
    """Read a question; as in the paper's own script, an option `N/A` only fills up and is not shown."""
    given = record.texts("options")
    right = place_named(record, "answer", LETTERS[: len(given)])
    if right != record.whole("answer_index"):
        raise record.problem("columns 'answer' and 'answer_index' do not name the same option")
    shown = [place for place, text in enumerate(given) if place == right or text.strip() != _NO_OPTION]
    asked = choice(record, record.text("question"), [given[place] for place in shown], shown.index(right))
    return {**asked, "subject": record.text("category")}


def arc(record: Record) -> dict[str, Any]:
    """Read a question; the source labels its options with letters or numbers."""
    given = record.part("choices")
    right = place_named(record, "answerKey", given.texts("label"))
    return choice(record, record.text("question"), given.texts("text"), right)


def truthfulqa(record: Record) -> dict[str, Any]:
    """Read a question: one true option among false ones (MC1), or all true answers, to be generated."""
    question = record.text("question")
    if record.config == "generation":
        return {"question": question, "answer": _true_answers(record), "subject": record.text("category")}
    targets = [(part.text("choices"), part.whole("labels")) for part in record.parts("mc1_targets")]
    true = [text for text, label in targets if label == 1]
    if len(true) != 1:
        raise record.problem(f"column 'mc1_targets' has {len(true)} true options, expected one")
    return shuffled_choice(record, question, true[0], [text for text, label in targets if label != 1])


def gpqa(record: Record) -> dict[str, Any]:
    """Read a question; its right option has a column of its own."""
    right, *wrong = [record.shown(column).strip() for column in _GPQA_OPTIONS]
    asked = shuffled_choice(record, record.text("Question").strip(), right, wrong)
    return {**asked, "subject": record.text("Subdomain"), "domain": record.text("High-level domain")}


def hellaswag(record: Record) -> dict[str, Any]:
    """Read the start of a text and its endings, without the marks that WikiHow's pages left in them."""
    start = f"{record.text('activity_label')}: {record.text('ctx_a')} {record.text('ctx_b').capitalize()}"
    endings = [_unmarked(ending) for ending in record.texts("endings")]
    right = place_named(record, "label", [str(place) for place in range(len(endings))])
    return choice(record, f"{_unmarked(start)}\n\nWhich ending goes on best?", endings, right)


def winogrande(record: Record) -> dict[str, Any]:
    """Read a sentence with a blank, `_`, and the two names that may fill it."""
    question = f"{record.text('sentence')}\n\nWhich option fills the blank (_)?"
    given = [record.text("option1"), record.text("option2")]
    return choice(record, question, given, place_named(record, "answer", ["1", "2"]))


def _unmarked(text: str) -> str:
    """Take `[header]`, `[step]` and their like off *text*; a `[title]` ends a sentence."""
    text = re.sub(r"\[.*?\]", "", text.strip().replace(" [title]", ". "))
    return " ".join(text.split())
