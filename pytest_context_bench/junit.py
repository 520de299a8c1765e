"""What `--junitxml` shows of a benchmark: each pair's figures in its test case, the run's and its gates."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

import pytest

from pytest_context_bench.excerpt import one_line
from pytest_context_bench.gates import Verdict
from pytest_context_bench.metrics.usage import COMPLETION, PROMPT
from pytest_context_bench.plain import name_of
from pytest_context_bench.reports.terminal import noted, verdict_line
from pytest_context_bench.results import EvalResult
from pytest_context_bench.rows import EvalRow

PREFIX = "context_bench."
SUITE = "context-bench/gates"  # the file that the gates' test cases would be in
LONGEST = 1000  # characters of a value


def describe(item: pytest.Item, report: pytest.TestReport, row: EvalRow) -> None:
    """Make *row* the properties of the test *item*: on its *report*, and on the one of its end, which counts.

    A rerun replaces what an earlier one left.
    """
    own: list[tuple[str, object]] = list(_properties(row))
    for properties in (item.user_properties, report.user_properties):
        properties[:] = [each for each in properties if not each[0].startswith(PREFIX)] + own


def add_run(config: pytest.Config, result: EvalResult, problems: Sequence[str]) -> None:
    """Add the figures of *result*, and a test case for each gate and problem, to the report to be written."""
    plugin = config.pluginmanager.get_plugin("junitxml")
    report = None if plugin is None else config.stash.get(plugin.xml_key, None)
    if report is None:
        return
    for name, value in _figures(result):
        report.add_global_property(f"{PREFIX}{one_line(name)}", _worded(value))
    for verdict in result.verdicts:
        for phase in _phases(
            _name(verdict), verdict_line(verdict), verdict.status, failed=not verdict.passed
        ):
            report.pytest_runtest_logreport(phase)
    for problem in problems:
        for phase in _phases(f"problem[{one_line(problem)}]", one_line(problem), "ERROR", failed=True):
            report.pytest_runtest_logreport(phase)


def _properties(row: EvalRow) -> Iterator[tuple[str, str]]:
    """Yield what tells a row; texts have no secrets."""
    plain = row.to_dict()
    values = {name: plain[name] for name in ("system", "dataset", "example_id")}
    values |= {f"score.{key}": value for key, value in plain["scores"].items()}
    values |= {name: plain[name] for name in ("input_tokens", "output_tokens")}
    values |= {name: plain["metadata"][name] for name in (PROMPT, COMPLETION) if name in plain["metadata"]}
    values |= {"latency": plain["latency"], "repeat": plain["repeat"] or None, "error": plain["error"]}
    for name, value in values.items():
        if value is not None:
            yield f"{PREFIX}{one_line(name)}", _worded(value)


def _figures(result: EvalResult) -> Iterator[tuple[str, Any]]:
    """Yield all figures, by system and, where there are several, by data set: selected as gates select."""
    population = result.population()
    datasets = population.datasets()
    for dataset in (None, *(datasets if len(datasets) > 1 else ())):
        for system, figures in population.summary(dataset).items():
            where = f"system={system}" if dataset is None else f"system={system},dataset={dataset}"
            for key, value in figures.items():
                yield f"{key} @ {where}", value
                if (found := population.interval(key, system, dataset)) is not None:
                    yield from ((f"{key}_low @ {where}", found.low), (f"{key}_high @ {where}", found.high))
    yield "partial", bool(result.config.get("partial"))
    yield from (("note", note) for note in noted(result))


def _name(verdict: Verdict) -> str:
    return f"gate[{one_line(verdict.gate + (f' in {verdict.test}' if verdict.test else ''))}]"


def _phases(name: str, said: str, status: str, *, failed: bool) -> Iterator[pytest.TestReport]:
    """Yield the reports of a test that there is not: pytest's JUnit report is made of such."""
    place = SUITE, None, name
    properties = [(f"{PREFIX}status", status), (f"{PREFIX}found", _worded(said))]
    if failed:
        yield pytest.TestReport(f"{SUITE}::{name}", place, {}, "failed", said, "call")
    else:
        yield pytest.TestReport(f"{SUITE}::{name}", place, {}, "passed", None, "call")
    yield pytest.TestReport(
        f"{SUITE}::{name}", place, {}, "passed", None, "teardown", user_properties=properties
    )


def _worded(value: Any) -> str:
    if isinstance(value, float):
        return repr(value) if isfinite(value) else name_of(value)
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
