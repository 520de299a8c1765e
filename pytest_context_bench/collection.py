"""Collection: tests that take the fixture become one test a pair, and the zero-code test joins in."""

from pathlib import Path

import pytest

from pytest_context_bench.cases import cases_of, labels_of
from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.marker import MARKER, marker_of
from pytest_context_bench.options import setting
from pytest_context_bench.recorder import CASE_FIXTURE, is_benchmark
from pytest_context_bench.session import mark_mistake
from pytest_context_bench.zero_code import OWN_IDS, SUITE, names_suite

SUITE_FILE = Path(__file__).with_name("suite.py")


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Give the test one case a pair. Raises ContextBenchError for what the user named wrongly."""
    config = metafunc.config
    if setting(config, "skip"):
        skipped = pytest.param(None, marks=pytest.mark.skip("--context-bench-skip"), id="skipped")
        metafunc.parametrize(CASE_FIXTURE, [skipped], indirect=True)
        return
    cases = cases_of(config, marker_of(metafunc.definition))
    metafunc.parametrize(CASE_FIXTURE, cases, indirect=True, ids=labels_of(cases))


def complete(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add the zero-code test where no test takes the fixture; mark benchmarks, keep only them if asked."""
    config = session.config
    if names_suite(config) and not any(map(is_benchmark, items)) and not setting(config, "skip"):
        items.extend(_chosen(session, _suite_items(session)))
    for item in items:
        if is_benchmark(item) and item.get_closest_marker(MARKER) is None:
            item.add_marker(MARKER)
    if setting(config, "only"):
        _deselect(config, items)


def _suite_items(session: pytest.Session) -> list[pytest.Item]:
    module = pytest.Module.from_parent(session, path=SUITE_FILE, nodeid=SUITE)
    return list(session.genitems(module))


def _chosen(session: pytest.Session, items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the items that the command line names, all if it names none."""
    ids = session.config.getoption(OWN_IDS, None)
    if not ids or {SUITE, f"{SUITE}::test_context_bench"}.intersection(ids):
        return items
    known = {item.nodeid: item for item in items}
    unknown = [nodeid for nodeid in ids if nodeid not in known]
    if items and unknown:
        _refuse(session, str(UnknownNameError("test", unknown[0], known)))
    return [known[nodeid] for nodeid in dict.fromkeys(ids) if nodeid in known]


def _refuse(session: pytest.Session, message: str) -> None:
    """Report a mistake as collection does, so that the process that judges the run hears of it."""
    report = pytest.CollectReport(SUITE, "failed", None, [])
    mark_mistake(report, message)
    session.config.hook.pytest_collectreport(report=report)


def _deselect(config: pytest.Config, items: list[pytest.Item]) -> None:
    others = [item for item in items if not is_benchmark(item)]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if is_benchmark(item)]
