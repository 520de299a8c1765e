"""Shows what a cache holds, and shortens it."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_context_bench.cache.upkeep import Kept, prune, stats
from pytest_context_bench.cli import arguments
from pytest_context_bench.errors import ContextBenchError, InvalidValueError

_AGE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(h|d|w)?")
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0}


def main(given: Sequence[str]) -> int:
    """Do `stats` or `prune`. Raises ContextBenchError."""
    return arguments.subcommand("cache", {"stats": _stats, "prune": _prune}, given)


def _stats(given: Sequence[str]) -> int:
    parser = arguments.Parser("context-bench cache stats", "Show what a cache holds.")
    parser.add_argument("folder", type=Path, metavar="DIR")
    found = stats(parser.read(given).folder)
    sys.stdout.write(_table(found))
    return 0


def _prune(given: Sequence[str]) -> int:
    parser = arguments.Parser("context-bench cache prune", "Take entries out of a cache.")
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--older-than", metavar="AGE", help="Take out what is older, as 30d, 12h or 4w.")
    parser.add_argument("--name", metavar="NAME", help="Take out what this system or evaluator gave.")
    parser.add_argument("--all", action="store_true", help="Take out everything.")
    found = parser.read(given)
    if not found.all and found.older_than is None and found.name is None:
        raise ContextBenchError("say what to take out: --older-than AGE, --name NAME, or --all")
    days = None if found.older_than is None else _days(found.older_than)
    taken = prune(found.folder, days, found.name)
    sys.stdout.write(f"{taken:,} entries taken out\n")
    return 0


def _days(text: str) -> float:
    match = _AGE.fullmatch(text.strip())
    if match is None:
        raise InvalidValueError("--older-than", text, "an age as 30d, 12h or 4w")
    return float(match[1]) * _DAYS[match[2] or "d"]


def _table(found: Sequence[Kept]) -> str:
    from tabulate import tabulate

    lines = [
        [
            one.kind,
            one.name,
            f"{one.entries:,}",
            f"{one.bytes / 1e6:,.1f}",
            f"{one.oldest:.1f}",
            f"{one.newest:.1f}",
        ]
        for one in found
    ]
    headings = ["kind", "name", "entries", "MB", "oldest (days)", "newest (days)"]
    alignment = ["left", "left", *["right"] * 4]
    table = tabulate([headings, *lines], tablefmt="plain", disable_numparse=True, colalign=alignment)
    return f"{table}\n"
