"""Word problems, formulas, puzzles, and sums over passages."""

import re
from typing import Any

from pytest_context_bench.datasets.mappings.choices import LETTERS
from pytest_context_bench.datasets.record import Record
from pytest_context_bench.scoring.drop import to_spans

_MARK = "####"
_LETTER = re.compile(r"\(([A-Z])\)")
_OPTION = re.compile(r"^\(([A-Z])\) *(.*)$", re.MULTILINE)


def gsm8k(record: Record) -> dict[str, Any]:
    """Read a word problem; the answer is what follows the worked solution, its thousands not set apart."""
    _, mark, answer = record.text("answer").rpartition(_MARK)
    if not (mark and answer.strip()):
        raise record.problem(f"column 'answer' holds no {_MARK!r} with a result after it")
    return {"question": record.text("question"), "answer": answer.strip().replace(",", "")}


def drop(record: Record) -> dict[str, Any]:
    """Read a question on a passage; every annotator's answer is a gold, a list where it is several spans."""
    answers = [record.part("answer")]
    if record.get("validated_answers") is not None:
        answers += record.parts("validated_answers")
    golds = dict.fromkeys(tuple(to_spans(answer.columns)) for answer in answers)
    golds.pop((), None)
    if not golds:
        raise record.problem("columns 'answer' and 'validated_answers' hold no answer")
    return {
        "context": record.text("passage"),
        "question": record.text("question"),
        "answer": [list(spans) if len(spans) > 1 else spans[0] for spans in golds],
        "query_id": record.text("query_id"),
    }


def bbh(record: Record) -> dict[str, Any]:
    """Read a puzzle, whose options are part of it; without options, or none of them right, it has an answer.

    Of 6,511 puzzles three have a target that is the text of an option.
    """
    puzzle, target = record.text("input"), record.text("target")
    asked = {"question": puzzle, "task": record.config}
    options = _options(puzzle)
    right = _LETTER.fullmatch(target)
    letter = right[1] if right else next((each for each, text in options.items() if text == target), "")
    if letter not in options:
        return {**asked, "answer": target}
    return {**asked, "choices": list(options.values()), "correct_letter": letter}


def _options(puzzle: str) -> dict[str, str]:
    """Return the options of *puzzle* by letter; none unless the letters are A, B and so on."""
    listed = _OPTION.findall(puzzle.rpartition("Options:")[2])
    found = {letter: text.strip() for letter, text in listed}
    return found if len(found) > 1 and "".join(found) == LETTERS[: len(found)] else {}
