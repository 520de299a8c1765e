"""Where tests run: makes every benchmark test leave a record on its reports."""

from collections.abc import Generator, Iterable
from dataclasses import replace

import pytest

from pytest_context_bench.cases import Case, unmeasured
from pytest_context_bench.fixtures import PAIR, case_of, pair_key
from pytest_context_bench.plain import to_plain, worded
from pytest_context_bench.records import UNMEASURED, Record, attach
from pytest_context_bench.rows import EvalRow


class Recorder:
    """Attaches the row of a pair to its call report, and a provisional one to its setup report.

    So many pairs were *made*; those that are not among the *items* were left out. Where the run is
    *judged_here* no process can die that leaves a pair to be accounted for: then a test that goes on needs no
    provisional row.
    """

    def __init__(self, items: Iterable[pytest.Item], made: int, *, judged_here: bool) -> None:
        places = [(_test_of(item), case.order) for item in items if (case := _measured_by(item)) is not None]
        self._total = len(places)
        self._narrowed = len(set(places)) < made
        self._judged_here = judged_here

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
        if case is not None:
            _make_printable(report)
            if PAIR in item.fixturenames:  # type: ignore[attr-defined]  # it takes a pair
                self._record(item, case, call, report)
        return report

    def _record(
        self, item: pytest.Item, case: Case, call: pytest.CallInfo[None], report: pytest.TestReport
    ) -> None:
        pair = item.stash.get(pair_key, None)
        if report.when == "teardown":
            if pair is not None:
                del item.stash[pair_key]  # items live as long as the session, texts must not
        elif pair is not None and pair.row is not None and (report.when == "call" or not report.passed):
            self._attach(item, case, pair.row, report, final=True)
        elif not report.passed or (report.when == "setup" and not self._judged_here):
            row = _unmeasured(case, call.excinfo.value if call.excinfo and report.failed else None)
            if pair is not None and pair.unmeasured:
                row.metadata[UNMEASURED] = pair.unmeasured
            self._attach(item, case, row, report, final=report.failed)

    def _attach(
        self, item: pytest.Item, case: Case, row: EvalRow, report: pytest.TestReport, *, final: bool
    ) -> None:
        record = Record(_test_of(item), case.order, self._total, case.terms, row, self._narrowed)
        try:
            content = record.to_json()
        except Exception as error:  # noqa: BLE001 - whatever cannot cross is this test's failure, not the run's
            report.outcome, report.longrepr = "failed", worded(error)
            record = replace(record, row=_unmeasured(case, error))
            content, final = record.to_json(), True
        attach(report, content, final=final)
        if final and item.config.getoption("--junitxml", None):
            from pytest_context_bench.junit import describe

            describe(item, report, record.row)


def _measured_by(item: pytest.Item) -> Case | None:
    """Return the pair of *item* if it takes the fixture, and so measures it."""
    return case_of(item) if PAIR in getattr(item, "fixturenames", ()) else None


def _test_of(item: pytest.Item) -> str:
    """Return the node id of *item*, which has a pair, without its parameters."""
    return item.nodeid.partition(f"[{item.callspec.id}]")[0]  # type: ignore[attr-defined]  # see case_of


def _unmeasured(case: Case, failure: BaseException | None) -> EvalRow:
    """Return the row of a pair that has not been measured, because of *failure* if there was one."""
    row = unmeasured(case)
    if failure is not None:
        row.error = worded(failure)
    return row


def _make_printable(report: pytest.TestReport) -> None:
    """Put clean text where *report* holds secrets, or what cannot cross to another process or into a file."""
    if isinstance(report.longrepr, tuple):
        path, line, reason = report.longrepr
        report.longrepr = path, line, to_plain(reason)
    elif report.longrepr is not None:
        said = str(report.longrepr)
        clean = to_plain(said)
        if clean != said:
            report.longrepr = clean
    if report.sections:
        report.sections = [(title, to_plain(text)) for title, text in report.sections]
    if report.user_properties:
        report.user_properties = [
            (name, to_plain(value) if isinstance(value, str) else value)
            for name, value in report.user_properties
        ]
