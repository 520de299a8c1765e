"""Runs the shared scoring cases against the evaluators that exist, one test a case."""

import json

import pytest
from shared import SHARED

from pytest_context_bench import evaluators
from pytest_context_bench.errors import ContextBenchError

PERMISSION = {"CodeExecution": {"allow": True}}
CASES = SHARED / "cases/scoring.json"


def cases():
    if not CASES.exists():
        return [pytest.param(None, marks=pytest.mark.skip("needs cases/scoring.json of the shared data"))]
    rows = json.loads(CASES.read_text(encoding="utf-8"))
    known = [row for row in rows if hasattr(evaluators, row["evaluator"])]
    return [pytest.param(row, id=f"{row['evaluator']}-{row['why']}"[:80]) for row in known]


@pytest.mark.parametrize("case", cases())
def test_shared_case(case):
    evaluator = getattr(evaluators, case["evaluator"])(**PERMISSION.get(case["evaluator"], {}))
    processed = {**case["example"], "response": case["response"]}

    if case["scores"] == "error":
        with pytest.raises(ContextBenchError):
            evaluator.score(case["example"], processed)
    else:
        scores = evaluator.score(case["example"], processed)
        assert {key: scores.get(key) for key in case["scores"]} == pytest.approx(case["scores"])
