"""Finds the shared data and verdicts; tests that need them skip where they are not."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(os.environ.get("CONTEXT_BENCH_SHARED") or Path(__file__).parents[2] / "shared")


def shared_path(name: str) -> Path:
    """Return the path of a shared file, or skip."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs {name} of the shared data (set CONTEXT_BENCH_SHARED)")
    return path


def shared_json(name: str) -> Any:
    """Return the content of a shared JSON file, or skip."""
    return json.loads(shared_path(name).read_text(encoding="utf-8"))


def shared_lines(name: str) -> list[Any]:
    """Return the records of a shared JSONL file, or skip."""
    with shared_path(name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
