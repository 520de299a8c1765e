"""The tasks of LongBench and LongBench v2."""

from collections.abc import Mapping
from typing import Any

from pytest_context_bench.datasets.mapping import golds
from pytest_context_bench.datasets.mappings.choices import LETTERS, choice
from pytest_context_bench.datasets.record import Record

_golds = golds("answers")
# What the column `input` leaves unsaid; of the tasks that are not here, it is a whole question.
_ASKED: Mapping[str, str] = {
    "qasper": (
        "{input}\n\nAnswer yes or no where that is asked, and 'unanswerable' where the article does not say."
    ),
    "gov_report": "Summarize this report on one page.",
    "multi_news": "Summarize all of this news on one page.",
    "vcsum": "请总结这次会议的内容。",
    "trec": "Name the type of the last question, as the examples do.\n\n{input}",
    "triviaqa": "Answer the question on the passage, as the examples do.\n\n{input}",
    "samsum": "Summarize the dialogue in a few short sentences, as the examples do.\n\n{input}",
    "lsht": "请像示例那样判断新闻的类别。\n\n{input}",
    "passage_count": (
        "Some of these paragraphs are repetitions of others. How many different ones are there? "
        "Answer with the number alone."
    ),
    "passage_retrieval_en": (
        'Which paragraph is summarized here? Answer in the form "Paragraph 1".\n\n{input}'
    ),
    "passage_retrieval_zh": "请指出这个摘要出自哪一段。答案的格式是“段落1”。\n\n{input}",
    "lcc": "Write the next line of this code.",
    "repobench-p": "Write the next line of this code.\n\n{input}",
}
_LABELLED = frozenset({"trec", "lsht"})


def longbench(record: Record) -> dict[str, Any]:
    """Read a row of the task that its config names; where there are labels, they are kept."""
    task = (record.config or "").removesuffix("_e")
    labels = {"labels": record.texts("all_classes")} if task in _LABELLED else {}
    return {
        "context": record.text("context"),
        "question": _ASKED.get(task, "{input}").replace("{input}", record.text("input")),
        "answer": _golds(record),
        **labels,
    }


def longbench_v2(record: Record) -> dict[str, Any]:
    """Read a question with four options; the source tells the right one by its letter."""
    letters = LETTERS[:4]
    right = record.text("answer")
    if right not in tuple(letters):
        raise record.problem(f"column 'answer' is {right!r}, expected a letter from A to D")
    options = [record.text(f"choice_{letter}") for letter in letters]
    tags = {name: record.text(name) for name in ("domain", "sub_domain", "difficulty", "length")}
    asked = choice(record, record.text("question"), options, letters.index(right))
    return {"context": record.text("context"), **asked, **tags}
