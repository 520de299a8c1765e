"""Claims about texts, and whether these bear them out."""

from typing import Any

from pytest_context_bench.datasets.mappings.qa import passage
from pytest_context_bench.datasets.record import Record

_CONTRACT_LABELS = ("contradiction", "entailment", "neutral")  # in the order of the source's numbers
_VERDICTS = ("SUPPORT", "CONTRADICT", "NEI")


def contract_nli(record: Record) -> dict[str, Any]:
    """Read a hypothesis about a contract; the source numbers its labels."""
    label = record.whole("label")
    if not 0 <= label < len(_CONTRACT_LABELS):
        raise record.problem(f"column 'label' is {label}, expected 0, 1 or 2")
    return {
        "context": record.text("premise"),
        "question": (
            f"{record.text('hypothesis')}\n\n"
            "Does the contract entail this statement, contradict it, or neither (not mentioned)? "
            "Answer with one of these labels: entailment, contradiction, neutral."
        ),
        "answer": _CONTRACT_LABELS[label],
    }


def scifact(record: Record) -> dict[str, Any]:
    """Read a claim about an abstract."""
    verdict = record.text("verdict")
    if verdict not in _VERDICTS:
        raise record.problem(f"column 'verdict' is {verdict!r}, expected one of {', '.join(_VERDICTS)}")
    return {
        "context": passage(record.text("title"), " ".join(record.texts("abstract"))),
        "question": (
            f"{record.text('claim')}\n\n"
            "Does the abstract support this claim, contradict it, or not give enough information? "
            "Answer with one of these labels: SUPPORT, CONTRADICT, NEI."
        ),
        "answer": verdict,
    }
