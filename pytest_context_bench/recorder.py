"""Where tests run: makes every benchmark test leave a record on its reports."""

from collections.abc import Generator
from dataclasses import replace

import pytest

from pytest_context_bench.cases import Case
from pytest_context_bench.pair import pair_key
from pytest_context_bench.pipeline import empty_row
from pytest_context_bench.plain import to_plain, worded
from pytest_context_bench.records import Record, attach
from pytest_context_bench.rows import EvalRow

FIXTURE = "context_bench"
CASE_FIXTURE = "context_bench_case"


class Recorder:
    """Attaches the provisional row of a pair to its setup report, and the final one to its call report."""

    def __init__(self, total: int) -> None:
        self._total = total

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        """Fail a test that took the fixture and recorded nothing."""
        yield
        pair = item.stash.get(pair_key, None)
        if pair is not None and pair.row is None:
            pytest.fail("took context_bench but recorded nothing: call run() or record()", pytrace=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Put the record of a benchmark test on its report."""
        report = yield
        case = case_of(item)
        if case is not None and FIXTURE in item.fixturenames:  # type: ignore[attr-defined]  # a Function, as it has a case
            _make_printable(report)
            row = _row_of(item, case, call, report)
            if row is not None:
                test = item.nodeid.partition("[")[0]
                _attach(report, Record(test, case.order, self._total, case.terms, row))
        return report


def case_of(item: pytest.Item) -> Case | None:
    """Return the case of a benchmark test."""
    callspec = getattr(item, "callspec", None)
    return callspec.params.get(CASE_FIXTURE) if callspec is not None else None


def takes_pair(item: pytest.Item) -> bool:
    """Whether *item* takes a pair, by the fixture or by those of its parts."""
    return CASE_FIXTURE in getattr(item, "fixturenames", ())


def is_benchmark(item: pytest.Item) -> bool:
    """Whether *item* takes the fixture, and so measures its pair."""
    return case_of(item) is not None and FIXTURE in getattr(item, "fixturenames", ())


def _row_of(
    item: pytest.Item, case: Case, call: pytest.CallInfo[None], report: pytest.TestReport
) -> EvalRow | None:
    """Return the row to report: the recorded one, an error, the provisional one; none for a skipped test."""
    pair = item.stash.get(pair_key, None)
    if pair is not None and pair.row is not None and report.when == "call":
        return pair.row
    if report.when == "teardown" or (report.skipped and report.when == "call"):
        return None
    row = empty_row(case.system.name, {"id": case.examples.ids[case.index], "dataset": case.examples.name})
    if report.failed and call.excinfo is not None:
        row.error = worded(call.excinfo.value)
    return row


def _attach(report: pytest.TestReport, record: Record) -> None:
    try:
        content = record.to_json()
    except Exception as error:  # noqa: BLE001 - whatever cannot cross is this test's failure, not the run's
        report.outcome, report.longrepr = "failed", worded(error)
        row = replace(record.row, metadata={}, scores={}, error=worded(error))
        content = replace(record, row=row).to_json()
    attach(report, content, final=report.when == "call" or report.failed)


def _make_printable(report: pytest.TestReport) -> None:
    """Replace the account of a failure by clean text where it holds secrets or cannot be encoded."""
    if report.failed:
        said = str(report.longrepr)
        clean = to_plain(said)
        if clean != said:
            report.longrepr = clean
