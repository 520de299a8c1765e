"""The section that pytest prints when the run ends."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from pytest_context_bench.gates import Finding, Gate, Verdict, shown
from pytest_context_bench.metrics.quality import passes
from pytest_context_bench.records import Record
from pytest_context_bench.reports.table import Table, table_of

if TYPE_CHECKING:
    import pytest

    from pytest_context_bench.conclusion import Conclusion

WORST = 5
SHORTEST_NAME = 8
COLOURS = {"PASS": "green", "FAIL": "red", "PARTIAL": "yellow"}


def print_section(reporter: "pytest.TerminalReporter", conclusion: "Conclusion", problems: list[str]) -> None:
    """Print the table, a line for each gate, and the worst pairs."""
    result = conclusion.result
    reporter.ensure_newline()
    reporter.section("context-bench")
    if result.rows:
        _print_table(reporter, conclusion)
    for note in result.notes:
        reporter.write_line(f"note: {note}")
    for problem in problems:
        reporter.write_line(f"error: {problem}", red=True)
    for verdict in result.verdicts:
        reporter.write_line(verdict_line(verdict), **{COLOURS[verdict.status]: True})
    if reporter.verbosity >= 0:
        for line in islice(worst_lines(conclusion), WORST):
            reporter.write_line(line)
    failed = [verdict for verdict in result.verdicts if not verdict.passed]
    if failed:
        reporter.stats.setdefault("gates not met" if len(failed) > 1 else "gate not met", []).extend(failed)


def verdict_line(verdict: Verdict) -> str:
    """Word a verdict: status, gate, and the value found for each system that decides it."""
    gate = Gate.parse(verdict.gate)
    failing = [finding for finding in verdict.findings if not finding.holds]
    found = "; ".join(_found(finding, gate) for finding in failing or verdict.findings)
    where = f" [{verdict.test}]" if verdict.test else ""
    because = " (the run did not finish)" if verdict.status == "PARTIAL" else ""
    return f"{verdict.status}  {verdict.gate}{where}: {verdict.problem or found}{because}"


def worst_lines(conclusion: "Conclusion") -> Iterator[str]:
    """Word the pairs that went wrong: errors first, then the lowest scores below the threshold."""
    records = conclusion.records.items()
    for nodeid, record in records:
        if record.row.error is not None:
            yield f"ERROR  {nodeid}: {record.row.error.splitlines()[0]}"
    below = [
        (record.row.scores[record.terms.score_field], nodeid, record)
        for nodeid, record in records
        if _is_below(record)
    ]
    for value, nodeid, record in sorted(below, key=lambda entry: entry[:2]):
        figure = shown(value, ">=", record.terms.threshold, digits=2)
        yield f"BELOW  {nodeid}: {record.terms.score_field}={figure}"


def _is_below(record: Record) -> bool:
    field = record.terms.score_field
    return field in record.row.scores and not passes(record.row, field, record.terms.threshold)


def _found(finding: Finding, gate: Gate) -> str:
    if finding.value is None:
        return f"{finding.system} {finding.problem}"
    return f"{finding.system} {shown(finding.value, gate.op, gate.bound)} (n={finding.n})"


def _print_table(reporter: "pytest.TerminalReporter", conclusion: "Conclusion") -> None:
    table = table_of(conclusion.population)
    for line in fitted(table, reporter.config.get_terminal_writer().fullwidth).splitlines():
        reporter.write_line(line)
    if reporter.verbosity >= 0:
        terms, config = conclusion.terms, conclusion.result.config
        reporter.write_line(
            f"a pair passes from {terms.score_field}={terms.threshold:g} on; tokens are {config['tokenizer']}"
        )


def fitted(table: Table, width: int) -> str:
    """Lay *table* out in *width* columns, shortening the names of systems if they must be."""
    longest = max(len(line[0]) for line in table.lines)
    for limit in range(longest, min(SHORTEST_NAME, longest) - 1, -1):
        text = _laid_out(table, [[_shortened(line[0], limit), *line[1:]] for line in table.lines])
        if max(map(len, text.splitlines())) <= width:
            break
    return text


def _laid_out(table: Table, lines: Sequence[Sequence[str]]) -> str:
    from tabulate import tabulate

    # Headings go in as lines of the table: tabulate pads real headers by two columns, which 80 cannot spare.
    headings = [heading.split("\n") for heading in table.headings]
    tallest = max(map(len, headings))
    above = [
        list(part)
        for part in zip(*(["" for _ in range(tallest - len(h))] + h for h in headings), strict=True)
    ]
    rule = ["-" * max(map(len, cells)) for cells in zip(*above, *lines, strict=True)]
    return tabulate(
        [*above, rule, *lines], tablefmt="plain", disable_numparse=True, colalign=_alignment(table)
    )


def _shortened(name: str, limit: int) -> str:
    return name if len(name) <= limit else f"{name[: limit - 2]}.."


def _alignment(table: Table) -> list[str]:
    names = sum(heading in {"system", "data set"} for heading in table.headings)
    return ["left"] * names + ["right"] * (len(table.headings) - names)
