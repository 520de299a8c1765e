"""The section that a run ends with, as lines of text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from pytest_context_bench.bounds import exact
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.gates import Finding, Gate, Verdict, shown
from pytest_context_bench.population import Population
from pytest_context_bench.records import Record
from pytest_context_bench.reports.flipped import counted, flipped
from pytest_context_bench.reports.table import Table, table_of
from pytest_context_bench.reports.worst import below, first_line, worded, worst
from pytest_context_bench.results import EvalResult

PAIRS = 5  # that are told of a kind
SHORTEST_NAME = 8
# Columns that a narrow terminal does without, the first of these first.
DISPENSABLE = ("mean_prompt_tokens", "pareto_rank", "latency_p95", "cost_of_pass", "prompt_reduction")
COLOURS = {"PASS": "green", "FAIL": "red", "WARN": "yellow", "PARTIAL": "yellow"}


@dataclass(frozen=True)
class Line:
    """One line, and the colour it has where there are colours."""

    text: str
    colour: str = ""


def section(
    result: EvalResult, population: Population, records: Mapping[str, Record], *, width: int, brief: bool
) -> Iterator[Line]:
    """Yield the table, the notes, a line for each gate and how many pairs changed sides.

    Unless *brief*, a legend too, and which pairs changed sides and went wrong.
    """
    if result.rows:
        yield from map(
            Line, fitted(table_of(population, result.verdicts, result.comparison), width).splitlines()
        )
        if not brief and (meaning := legend(result)):
            yield Line(meaning)
    notes = [note for note in noted(result) if note not in population.problems]  # those are told as errors
    yield from (Line(f"note: {one_line(note)}") for note in notes)
    yield from (Line(verdict_line(verdict), COLOURS[verdict.status]) for verdict in result.verdicts)
    if result.comparison is not None:
        yield Line(counted(result.comparison))
    if not brief:
        yield from map(Line, islice(flipped_lines(result, records), PAIRS))
        yield from map(Line, islice(worst_lines(records), PAIRS))


def noted(result: EvalResult) -> list[str]:
    """Return the notes on *result* and on its comparison with the baseline."""
    comparison = result.comparison
    beside = (
        [] if comparison is None else [f"baseline {comparison.name}: {note}" for note in comparison.notes]
    )
    return [*result.notes, *beside]


def legend(result: EvalResult) -> str:
    """Say what the columns of the table mean."""
    config, parts = result.config, []
    if "threshold" in config:
        parts.append(f"pass: {config.get('score_field', 'score')} >= {exact(config['threshold'])}")
    if "tokenizer" in config:
        parts.append(f"compression: share of {config['tokenizer']} tokens taken out of the context")
    return "; ".join(parts)


def verdict_line(verdict: Verdict) -> str:
    """Word a verdict: status, gate, and the value found for each system that decides it."""
    found = "; ".join(f"{system} {said}" for system, said in deciding(verdict))
    where = f" [{verdict.test}]" if verdict.test else ""
    because = " (the run did not finish)" if verdict.status == "PARTIAL" else ""
    return one_line(f"{verdict.status}  {verdict.gate}{where}: {verdict.problem or found}{because}")


def deciding(verdict: Verdict) -> list[tuple[str, str]]:
    """Return each system that decides a verdict, and what was found for it."""
    gate = verdict.asked
    failing = [finding for finding in verdict.findings if not finding.holds]
    warning = [finding for finding in verdict.findings if finding.warns]
    return [(finding.system, _found(finding, gate)) for finding in failing or warning or verdict.findings]


def worst_lines(records: Mapping[str, Record]) -> Iterator[str]:
    """Word the pairs that went wrong: errors first, then the lowest scores below the threshold."""
    yield from (one_line(f"{miss.status}  {miss.name}: {miss.said}") for miss in worst(records))


def flipped_lines(result: EvalResult, records: Mapping[str, Record]) -> Iterator[str]:
    """Word the pairs that changed sides since the baseline: those that fail now first."""
    yield from (one_line(f"FLIPPED  {each.name}: {each.said}") for each in flipped(result, records))


def status(record: Record) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Return category, letter and word of a pair that is an error or below the threshold."""
    if record.row.error is not None:
        said = one_line(first_line(record.row.error))
        return "errored", "e", (f"ERRORED ({said[:60]})", {"red": True})
    value = below(record)
    if value is None:
        return None
    word = one_line(f"BELOW ({record.terms.score_field}={worded(value, record.terms)})")
    return "below threshold", "b", (word, {"yellow": True})


def fitted(table: Table, width: int) -> str:
    """Lay *table* out in *width* columns: what there is no room for is left out, the least needed first.

    First go the differences from the baseline, then columns, then halves of long names, then intervals.
    """
    bare = table.changed(delta="")
    fewer = (bare.without(*DISPENSABLE[:count]) for count in range(1, len(DISPENSABLE) + 1))
    narrower = (table, bare, *fewer)
    for candidate in narrower:
        text = _laid_out(candidate)
        if _width(text) <= width:
            return text
    smallest = narrower[-1]
    shortened = _laid_out(smallest, _room(smallest, text, width))
    return shortened if _width(shortened) <= width else _squeezed(smallest.changed(margin=""), width)


def _squeezed(table: Table, width: int) -> str:
    """Lay *table* out with shortened names, and without intervals."""
    text = _laid_out(table)
    return text if _width(text) <= width else _laid_out(table, _room(table, text, width))


def _room(table: Table, text: str, width: int) -> int:
    """Return how long names may be for *table*, laid out as *text*, to fit."""
    longest = max(len(line.name) for line in table.lines)
    return max(longest - (_width(text) - width), SHORTEST_NAME)


def _width(text: str) -> int:
    return max(map(len, text.splitlines()))


def _laid_out(table: Table, longest: int = 10**6) -> str:
    from tabulate import tabulate

    # Headings go in as lines of the table: tabulate pads real headers by two columns, which 80 cannot spare.
    headings = [heading.split("\n") for heading in ("system", *(column.heading for column in table.columns))]
    tallest = max(map(len, headings))
    padded = [[""] * (tallest - len(heading)) + heading for heading in headings]
    above = list(zip(*padded, strict=True))
    lines = [[_shortened(line.name, longest), *map(str, line.cells)] for line in table.lines]
    rule = ["-" * max(map(len, cells)) for cells in zip(*above, *lines, strict=True)]
    alignment = ["left", *["right"] * len(table.columns)]
    return tabulate([*above, rule, *lines], tablefmt="plain", disable_numparse=True, colalign=alignment)


def _shortened(name: str, limit: int) -> str:
    """Leave out the middle of a long *name*: what tells two variants apart often stands at the end."""
    kept = limit - 2
    return name if len(name) <= limit else f"{name[: kept - kept // 2]}..{name[-(kept // 2) :]}"


def _found(finding: Finding, gate: Gate | None) -> str:
    if finding.problem:
        return finding.problem
    if finding.reason:
        return f"{finding.reason} (n={finding.n})"
    if finding.value is None or gate is None:
        return "has no value"
    return f"{shown(finding.value, gate.op, gate.bound)} (n={finding.n})"
