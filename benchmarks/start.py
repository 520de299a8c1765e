"""Measures what the plugin, installed but unused, adds to a start of pytest; exits 1 above 10 ms."""

import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from measure.processes import Cost, Python, in_turn, pytest_run
from measure.suites import WITHOUT_PLUGIN
from measure.verdicts import Verdict, cpu, least, report, wall

TURNS = 20
LIMIT_MS = 10
HEAVY = frozenset({"tiktoken", "datasets", "httpx", "jinja2", "pandas"})
PLUGIN = "pytest_context_bench.plugin"
PROBE = """
import json, sys, pytest
pytest.main(["-q", *sys.argv[1:]])
print("\\n" + json.dumps(sorted(sys.modules)))
"""


def main() -> int:
    """Print what a start takes more, and what it imports; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="start-") as folder:
        (Path(folder) / "test_one.py").write_text("def test_one():\n    pass\n", encoding="utf-8")
        return report(verdicts(Path(folder)))


def verdicts(folder: Path) -> Iterator[Verdict]:
    """Compare the modules, then the time, of starts without and with the plugin."""
    before, after = modules(folder, *WITHOUT_PLUGIN), modules(folder)
    assert PLUGIN in after - before, "the comparison must differ by the plugin"
    heavy = HEAVY & (after - before)
    yield Verdict(f"heavy modules imported {sorted(heavy) or ''}".strip(), len(heavy), 0, "")
    base, costs = in_turn(
        pytest_run(folder, *WITHOUT_PLUGIN, expected="1 passed"),
        pytest_run(folder, expected="1 passed"),
        TURNS,
    )
    more = {figure: (middle(costs, figure) - middle(base, figure)) * 1e3 for figure in (cpu, wall)}
    fastest = least(base, cpu) * 1e3, (least(costs, cpu) - least(base, cpu)) * 1e3
    print(f"fastest starts: {fastest[0]:.1f} ms, and {fastest[1]:.1f} ms more with the plugin")
    print(f"median by the clock: {more[wall]:.1f} ms more")
    yield Verdict(f"{TURNS} starts, median", more[cpu], LIMIT_MS, "ms more")


def modules(folder: Path, *arguments: str) -> set[str]:
    """Return the modules that a run of pytest imports."""
    _, output = Python(folder, ("-c", PROBE, *arguments), expected="1 passed").run()
    return set(json.loads(output.splitlines()[-1]))


def middle(costs: Sequence[Cost], figure: Callable[[Cost], float]) -> float:
    """Return the median *figure*."""
    return statistics.median(map(figure, costs))


if __name__ == "__main__":
    sys.exit(main())
