"""The rows of a result as JSON lines."""

from typing import Any

from pytest_context_bench.plain import dumps, non_finite
from pytest_context_bench.results import EvalResult


def to_jsonl(result: EvalResult) -> str:
    """Return one JSON line a row; where numbers are not finite, they are listed under its `non_finite`."""
    rows = (row.to_dict() for row in result.rows)
    return "".join(f"{dumps({**row, **_lost(row)})}\n" for row in rows)


def _lost(row: dict[str, Any]) -> dict[str, Any]:
    lost = dict(non_finite(row))
    return {"non_finite": lost} if lost else {}
