"""The evaluators agree with the official verdicts as often as they must."""

import subprocess
import sys
from pathlib import Path

from shared import SHARED, shared_path

ROOT = Path(__file__).parents[1]


def test_every_evaluator_agrees_with_its_oracle():
    shared_path("oracles/qa_official.jsonl")

    ran = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks/fidelity.py")],
        env={"CONTEXT_BENCH_SHARED": str(SHARED)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("PASS") == 4
