"""Word problems and formulas."""

from typing import Any

from pytest_context_bench.datasets.record import Record

_MARK = "####"


def gsm8k(record: Record) -> dict[str, Any]:
    """Read a word problem; the answer is what follows the worked solution, its thousands not set apart."""
    _, mark, answer = record.text("answer").rpartition(_MARK)
    if not (mark and answer.strip()):
        raise record.problem(f"column 'answer' holds no {_MARK!r} with a result after it")
    return {"question": record.text("question"), "answer": answer.strip().replace(",", "")}
