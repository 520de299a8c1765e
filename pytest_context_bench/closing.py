"""Prints the section that a run ends with."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_context_bench.conclusion import Conclusion
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.reports.github import annotations
from pytest_context_bench.reports.terminal import section

if TYPE_CHECKING:
    import pytest


# The type stands in quotes since pytest 8.0 does not have it.
def print_section(
    reporter: "pytest.TerminalReporter",
    conclusion: Conclusion,
    problems: Sequence[str],
    remarks: Sequence[str],
) -> None:
    """Print the figures, verdicts and pairs of a run, *remarks* on it and *problems* in it."""
    width, brief = reporter.config.get_terminal_writer().fullwidth, reporter.verbosity < 0
    result, population, records = conclusion.result, conclusion.population, conclusion.records
    reporter.ensure_newline()
    reporter.section("context-bench")
    for line in section(result, population, records, width=width, brief=brief):
        reporter.write_line(one_line(line.text), **({line.colour: True} if line.colour else {}))
    for remark in remarks:
        reporter.write_line(one_line(remark))
    for problem in problems:
        reporter.write_line(one_line(f"ERROR  {problem}"), red=True)
    for command in annotations(result):
        reporter.write_line(command)
