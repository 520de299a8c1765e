"""Where the run is judged: rows arrive on reports and become a summary, verdicts, a table and files."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import pytest

from pytest_context_bench import run_baseline
from pytest_context_bench.errors import FailedHookError, UnwritableBaselineError
from pytest_context_bench.options import BY_NAME, given, setting
from pytest_context_bench.records import Record, take
from pytest_context_bench.registry import KINDS, registry
from pytest_context_bench.rows import EvalRow

if TYPE_CHECKING:
    from pytest_context_bench.conclusion import Conclusion

rows_key = pytest.StashKey[dict[str, EvalRow]]()
MISTAKE = "context_bench_mistake"
PLAIN = frozenset({"passed", "skipped"})  # what other plugins call otherwise is shown as they do
GATES = ("gate", "min-pass-rate", "min-mean-score", "max-errors", "must-pass")


class BenchSession:
    """The records of a run by node id, and what is made of them when it ends."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._total: int | None = None
        self._begun: dict[str, str] = {}
        self._finished: dict[str, Record] = {}
        self._skipped: dict[str, str] = {}
        self._rows: dict[str, EvalRow] = {}
        self._collected: Sequence[str] | None = None
        self._conclusion: Conclusion | None = None
        self._problems: list[str] = []
        self._remarks: list[str] = []

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Offer the rows where users find them."""
        session.stash[rows_key] = self._rows

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """End the run in one line if collection met a user's mistake."""
        mistake = getattr(report, MISTAKE, None)
        if mistake is not None:
            raise pytest.UsageError(mistake)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        """End the run in one line if workers collected different pairs; other tests are xdist's matter."""
        first = self._collected = ids if self._collected is None else self._collected
        if ids != first and (given(self._config) or any(map(registry.added, KINDS))):
            unlike = next(pair for pair in zip_longest(first, ids) if pair[0] != pair[1])
            raise pytest.UsageError(
                f"worker {node.gateway.id} collected other tests than the first one, or in another order, as "
                f"{(unlike[0] or unlike[1])!r} shows: systems and example ids must be the same in every "
                "process (no hash(), uuid4() or set order)"
            )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in the record on *report*; the last one of a test counts."""
        nodeid = report.nodeid
        record, final = take(report) or (None, False)
        if record is not None:
            self._begun[nodeid] = record
        if nodeid not in self._begun:
            return
        if self._total is None:
            self._total = Record.from_json(self._begun[nodeid]).total
        if final or report.failed:
            ended = Record.from_json(self._begun.pop(nodeid))
            self._finish(nodeid, ended if final else _broken_off(ended, report))
        elif report.skipped:
            self._skipped[nodeid] = self._begun.pop(nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(
        self, report: pytest.CollectReport | pytest.TestReport
    ) -> Generator[None, Any, Any]:
        """Show a pair below the threshold, or an error that the run tolerates, as what it is."""
        shown = yield
        record = self._finished.get(report.nodeid)
        if record is None or shown[0] not in PLAIN:
            return shown
        from pytest_context_bench.reports.terminal import status

        return status(record) or shown

    # First of all, so that what other plugins write when the run ends, as JUnit reports, has the verdicts.
    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Judge the run: a gate that is not met turns success into failure."""
        broken = exitstatus in {pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR}
        asked = not broken and any(BY_NAME[name].on_command_line(self._config) for name in GATES)
        if not self._config.getoption("collectonly") and (self._total is not None or asked):
            self._conclude(session)

    # The type stands in quotes since pytest 8.0 does not have it.
    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Print the table, the verdicts and the worst pairs."""
        if self._conclusion is not None:
            from pytest_context_bench.closing import print_section

            print_section(terminalreporter, self._conclusion, self._problems, self._remarks)

    def _finish(self, nodeid: str, record: Record) -> None:
        self._finished[nodeid] = record
        self._rows[nodeid] = record.row

    def _conclude(self, session: pytest.Session) -> None:
        from pytest_context_bench.conclusion import conclude
        from pytest_context_bench.junit import add_run
        from pytest_context_bench.reports.files import write_reports
        from pytest_context_bench.reports.github import add_summary

        skipped = [text for nodeid, text in self._skipped.items() if nodeid not in self._finished]
        self._conclusion = conclude(
            self._config, self._finished, list(map(Record.from_json, skipped)), self._total or 0
        )
        result = self._conclusion.result
        self._problems = [
            *self._conclusion.population.problems,
            *write_reports(setting(self._config, "report") or (), result),
            *self._offer(result),
        ]
        unmet = [verdict for verdict in result.verdicts if not verdict.passed]
        self._save(result, well=session.exitstatus == pytest.ExitCode.OK and not (unmet or self._problems))
        self._remarks += [f"note: {remark}" for remark in add_summary(result)]
        add_run(self._config, result, self._problems)
        self._fail(session, unmet)

    def _fail(self, session: pytest.Session, unmet: Sequence[Any]) -> None:
        """Fail the build for gates that are *unmet*, and for problems."""
        if (unmet or self._problems) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        for things, one, several in (
            (unmet, "gate not met", "gates not met"),
            (self._problems, "problem", "problems"),
        ):
            if things and reporter is not None:  # the last line of the run must not read as if all were well
                reporter.stats.setdefault(one if len(things) == 1 else several, []).extend(things)

    def _save(self, result: Any, *, well: bool) -> None:
        """Save the result if that is asked for."""
        try:
            saved = run_baseline.save(self._config, result, well=well)
            self._remarks += [saved] if saved else []
        except UnwritableBaselineError as error:
            self._problems.append(str(error))

    def _offer(self, result: Any) -> list[str]:
        """Hand *result* to the users' hooks; say what went wrong in them."""
        try:
            self._config.hook.pytest_context_bench_summary(result=result, config=self._config)
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:  # noqa: BLE001 - a user's hook must not lose the table
            from pytest_context_bench.blame import blame

            return [str(FailedHookError("pytest_context_bench_summary", blame(error)))]
        return []


def mark_mistake(report: pytest.CollectReport, message: str) -> None:
    """Make *report* say that a user's mistake ended collection; no traceback, wherever it is shown."""
    report.longrepr = message
    setattr(report, MISTAKE, message)


def _broken_off(record: Record, report: pytest.TestReport) -> Record:
    """Return the error that stands for a test whose process died."""
    from pytest_context_bench.plain import to_plain

    said = str(to_plain(report.longreprtext)).strip().splitlines() or ["the test did not finish"]
    return replace(record, row=replace(record.row, error=said[-1]))
