"""The section that a run ends with, as lines of text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isnan

from pytest_context_bench.excerpt import one_line
from pytest_context_bench.gates import Finding, Gate, Verdict, exact, shown
from pytest_context_bench.metrics.quality import passes
from pytest_context_bench.population import Population
from pytest_context_bench.records import Record
from pytest_context_bench.reports.table import Table, table_of
from pytest_context_bench.results import EvalResult

WORST = 5
SHORTEST_NAME = 8
COLOURS = {"PASS": "green", "FAIL": "red", "PARTIAL": "yellow"}


@dataclass(frozen=True)
class Line:
    """One line, and the colour it has where there are colours."""

    text: str
    colour: str = ""


def section(
    result: EvalResult, population: Population, records: Mapping[str, Record], *, width: int, brief: bool
) -> Iterator[Line]:
    """Yield the table, the notes, a line for each gate and, unless *brief*, a legend and the worst pairs."""
    if result.rows:
        yield from map(Line, fitted(table_of(population, result.verdicts), width).splitlines())
        if not brief and (meaning := legend(result)):
            yield Line(meaning)
    notes = [note for note in result.notes if note not in population.problems]  # those are told as errors
    yield from (Line(f"note: {one_line(note)}") for note in notes)
    yield from (Line(verdict_line(verdict), COLOURS[verdict.status]) for verdict in result.verdicts)
    if not brief:
        yield from map(Line, islice(worst_lines(records), WORST))


def legend(result: EvalResult) -> str:
    """Say what the columns of the table mean."""
    config, parts = result.config, []
    if "threshold" in config:
        parts.append(f"pass: {config['score_field']} >= {exact(config['threshold'])}")
    if "tokenizer" in config:
        parts.append(f"compression: share of {config['tokenizer']} tokens taken out of the context")
    return "; ".join(parts)


def verdict_line(verdict: Verdict) -> str:
    """Word a verdict: status, gate, and the value found for each system that decides it."""
    gate = Gate.parse(verdict.gate)
    failing = [finding for finding in verdict.findings if not finding.holds]
    found = "; ".join(_found(finding, gate) for finding in failing or verdict.findings)
    where = f" [{verdict.test}]" if verdict.test else ""
    because = " (the run did not finish)" if verdict.status == "PARTIAL" else ""
    return one_line(f"{verdict.status}  {verdict.gate}{where}: {verdict.problem or found}{because}")


def worst_lines(records: Mapping[str, Record]) -> Iterator[str]:
    """Word the pairs that went wrong: errors first, then the lowest scores below the threshold."""
    for nodeid, record in records.items():
        if record.row.error is not None:
            yield one_line(f"ERROR  {nodeid}: {_first_line(record.row.error)}")
    below = [(value, nodeid) for nodeid, record in records.items() if (value := _below(record)) is not None]
    for value, nodeid in sorted(below, key=_worst_first):
        terms = records[nodeid].terms
        figure = shown(value, ">=", terms.threshold, digits=2)
        yield one_line(f"BELOW  {nodeid}: {terms.score_field}={figure}")


def _worst_first(pair: tuple[float, str]) -> tuple[bool, float, str]:
    value, nodeid = pair
    return (False, 0.0, nodeid) if isnan(value) else (True, value, nodeid)


def _below(record: Record) -> float | None:
    """Return the score of a pair that is below its threshold."""
    row, terms = record.row, record.terms
    if row.error is not None or passes(row, terms.score_field, terms.threshold):
        return None
    return row.scores.get(terms.score_field)


def _first_line(text: str) -> str:
    return next(iter(text.strip().splitlines()), "")


def status(record: Record) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Return category, letter and word of a pair that is an error or below the threshold."""
    if record.row.error is not None:
        said = one_line(_first_line(record.row.error))
        return "errored", "e", (f"ERRORED ({said[:60]})", {"red": True})
    value = _below(record)
    if value is None:
        return None
    terms = record.terms
    word = one_line(f"BELOW ({terms.score_field}={shown(value, '>=', terms.threshold, digits=2)})")
    return "below threshold", "b", (word, {"yellow": True})


def fitted(table: Table, width: int) -> str:
    """Lay *table* out in *width* columns, shortening the names of systems if they must be."""
    longest = max(len(line[0]) for line in table.lines)
    text = _laid_out(table, table.lines)
    beyond = max(map(len, text.splitlines())) - width
    if beyond <= 0 or longest <= SHORTEST_NAME:
        return text
    limit = max(longest - beyond, SHORTEST_NAME)
    return _laid_out(table, [[_shortened(line[0], limit), *line[1:]] for line in table.lines])


def _laid_out(table: Table, lines: Sequence[Sequence[str]]) -> str:
    from tabulate import tabulate

    # Headings go in as lines of the table: tabulate pads real headers by two columns, which 80 cannot spare.
    headings = [heading.split("\n") for heading in table.headings]
    tallest = max(map(len, headings))
    padded = [[""] * (tallest - len(heading)) + heading for heading in headings]
    above = list(zip(*padded, strict=True))
    rule = ["-" * max(map(len, cells)) for cells in zip(*above, *lines, strict=True)]
    alignment = ["left", *["right"] * (len(table.headings) - 1)]
    return tabulate([*above, rule, *lines], tablefmt="plain", disable_numparse=True, colalign=alignment)


def _shortened(name: str, limit: int) -> str:
    """Leave out the middle of a long *name*: what tells two variants apart often stands at the end."""
    kept = limit - 2
    return name if len(name) <= limit else f"{name[: kept - kept // 2]}..{name[-(kept // 2) :]}"


def _found(finding: Finding, gate: Gate) -> str:
    if finding.value is None:
        return f"{finding.system} {finding.problem}"
    return f"{finding.system} {shown(finding.value, gate.op, gate.bound)} (n={finding.n})"
