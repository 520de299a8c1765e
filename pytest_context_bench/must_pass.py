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
COMMENT = "#"
SHOWN = 5


def ids_of(named: Iterable[str], where: str) -> tuple[str, ...]:
    """Return the ids *named*, those in files among them. Raises InvalidValueError for a file without any."""
    found: list[str] = []
    for one in named:
        found += _read(Path(one[len(FILE) :]), where) if one.startswith(FILE) else [one]
    return tuple(dict.fromkeys(found))


def judge_must_pass(
    ids: Sequence[str], population: Population, *, partial: bool = False, shard: bool = False, test: str = ""
) -> Verdict:
    """Judge whether each example of *ids*, `ID` or `DATASET::ID`, passes with every system that ran it.

    An example that no system ran is not one that passed; in a *shard* it is one of another shard.
    """
    gate = f"must_pass of {len(ids)} example{'' if len(ids) == 1 else 's'}"
    known = {name for row in population.rows for name in _names(row)}
    missing = [found for found in ids if found not in known]
    if missing and not shard:
        problem = f"{len(missing)} did not run, as {missing[0]!r}"
        if not partial:
            problem = f"{UnknownNameError('example', missing[0], known)} ({len(missing)} did not run)"
        return Verdict(gate, "PARTIAL" if partial else "FAIL", problem=problem, test=test)
    if len(missing) == len(ids):
        return Verdict(gate, "PASS", problem="none of them is in this shard", test=test)
    findings = tuple(_findings(set(ids), population))
    holds = all(finding.holds for finding in findings)
    status = ("PARTIAL" if partial else "PASS") if holds else "FAIL"
    return Verdict(gate, status, findings, test=test)


def _findings(ids: set[str], population: Population) -> Iterable[Finding]:
    """Yield what is found for each system that ran any of *ids*."""
    judging = next((one for one in population.metrics if isinstance(one, PassRate)), PassRate())
    for system, rows in population.by_system.items():
        asked = [row for row in rows if not ids.isdisjoint(_names(row))]
        failing = [row for row in asked if not passes(row, judging.score_field, judging.threshold)]
        if failing:
            yield Finding(system, None, len(asked), holds=False, problem=_named(failing))
        elif asked:
            yield Finding(system, None, len(asked), holds=True, reason="passes all")


def _named(failing: Sequence[EvalRow]) -> str:
    """Say which examples do not pass; one that was measured several times stands once."""
    names = list(dict.fromkeys(repr(row.example_id) for row in failing))
    rest = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"does not pass {', '.join(names[:SHOWN])}{rest}"


def _names(row: EvalRow) -> tuple[str, str]:
    return str(row.example_id).strip(), f"{row.dataset}::{row.example_id}".strip()


def _read(path: Path, where: str) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or error
        raise InvalidValueError(where, str(path), f"a file of ids that can be read ({problem})") from error
    lines = [line.strip() for line in text.split("\n")]  # as in data: other separators are part of an id
    ids = [line for line in lines if line and not line.startswith(COMMENT)]
    if not ids:
        raise InvalidValueError(where, str(path), "a file of ids, one a line")
    return ids
