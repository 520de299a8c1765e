"""Examples that have to pass, whatever the mean."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from pytest_context_bench.errors import InvalidValueError, UnknownNameError
from pytest_context_bench.gates import Finding, Verdict
from pytest_context_bench.metrics import PassRate
from pytest_context_bench.metrics.quality import passes
from pytest_context_bench.population import Population
from pytest_context_bench.rows import EvalRow

FILE = "@"  # leads the path of a file of ids, one a line
SHOWN = 5


def ids_of(named: Iterable[str], where: str) -> tuple[str, ...]:
    """Return the ids *named*, those in files among them. Raises InvalidValueError for a file without any."""
    found: list[str] = []
    for one in named:
        found += _read(Path(one[len(FILE) :]), where) if one.startswith(FILE) else [one]
    return tuple(dict.fromkeys(found))


def judge_must_pass(
    ids: Sequence[str], population: Population, *, partial: bool = False, test: str = ""
) -> Verdict:
    """Judge whether each example of *ids*, `ID` or `DATASET::ID`, passes with every system that ran it.

    An example that no system ran is not one that passed.
    """
    gate = f"must_pass of {len(ids)} example{'' if len(ids) == 1 else 's'}"
    known = {name for row in population.rows for name in _names(row)}
    missing = [found for found in ids if found not in known]
    if missing:
        problem = str(UnknownNameError("example", missing[0], known))
        return Verdict(gate, "FAIL", problem=f"{problem} ({len(missing)} did not run)", test=test)
    judging = next((one for one in population.metrics if isinstance(one, PassRate)), PassRate())
    findings = tuple(_finding(system, set(ids), population, judging) for system in population.systems())
    holds = all(finding.holds for finding in findings)
    status = ("PARTIAL" if partial else "PASS") if holds else "FAIL"
    return Verdict(gate, status, findings, test=test)


def _finding(system: str, ids: set[str], population: Population, judging: PassRate) -> Finding:
    asked = [row for row in population.rows if row.system == system and ids.intersection(_names(row))]
    failing = [row.example_id for row in asked if not passes(row, judging.score_field, judging.threshold)]
    if not failing:
        return Finding(system, None, len(asked), holds=True, reason="passes all")
    rest = f" and {len(failing) - SHOWN} more" if len(failing) > SHOWN else ""
    named = ", ".join(map(repr, failing[:SHOWN]))
    return Finding(system, None, len(asked), holds=False, problem=f"does not pass {named}{rest}")


def _names(row: EvalRow) -> tuple[str, str]:
    return str(row.example_id), f"{row.dataset}::{row.example_id}"


def _read(path: Path, where: str) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or error
        raise InvalidValueError(where, str(path), f"a file of ids that can be read ({problem})") from error
    ids = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not ids:
        raise InvalidValueError(where, str(path), "a file of ids, one a line")
    return ids
