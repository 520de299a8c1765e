"""The tasks of InfiniteBench."""

import re
from collections.abc import Mapping
from typing import Any

from pytest_context_bench.datasets.mappings.choices import LETTERS, choice
from pytest_context_bench.datasets.record import Record, distinct

_CALL = re.compile(r"func_[0-9]+\(-?[0-9]+\)")
# Of these tasks the column `input` asks nothing.
_ASKED: Mapping[str, str] = {
    "longbook_sum_eng": "Summarize this book.",
    "longdialogue_qa_eng": (
        'One name in the script was replaced by "$$MASK$$". Which character is it? '
        "Answer with the name alone, as it stands before the colons."
    ),
    "math_calc": "Give the value after each operation of this expression, in order, as a list of numbers.",
}
_FUNCTION = "Which of these functions has a deliberate error?"


def infinitebench(record: Record) -> dict[str, Any]:
    """Read a row of the task that its config names."""
    asked = _TASKS.get(record.config or "", _plain)
    return {"context": record.text("context"), **asked(record)}


def _plain(record: Record) -> dict[str, Any]:
    question = _ASKED.get(record.config or "") or record.text("input")
    return {"question": question, "answer": _answers(record)}


def _list(record: Record) -> dict[str, Any]:
    """Read a row whose answer is a list of numbers, not any one of them."""
    return {**_plain(record), "answer": [[str(number) for number in record.values("answer")]]}


def _call(record: Record) -> dict[str, Any]:
    call = _CALL.search(record.text("input"))
    if call is None:
        raise record.problem("column 'input' names no call, as in func_1(2)")
    question = f"Which number does {call[0]} return? End the answer with that number."
    return {"question": question, "answer": _answers(record)}


def _choice(record: Record) -> dict[str, Any]:
    return choice(record, record.text("input"), record.texts("options"), _right(record))


def _function(record: Record) -> dict[str, Any]:
    return choice(record, _FUNCTION, record.texts("options"), _right(record))


def _right(record: Record) -> int:
    """Return the place of the right option: the source gives its text, in some rows its letter too."""
    options, given = record.texts("options"), _answers(record)
    texts = [option.strip() for option in options]
    for answer in given:
        if answer.strip() in texts:
            return texts.index(answer.strip())
    letters = tuple(LETTERS[: len(options)])
    if given and given[-1] in letters:
        return letters.index(given[-1])
    raise record.problem("column 'answer' is none of the options")


def _answers(record: Record) -> list[str]:
    """Return the golds: a list of texts or numbers, or one."""
    found = record.value("answer")
    return distinct(map(str, found if isinstance(found, list) else [found]))


_TASKS = {
    "longbook_choice_eng": _choice,
    "code_debug": _function,
    "code_run": _call,
    "math_calc": _list,
}
