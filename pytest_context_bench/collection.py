"""Collection: tests that take the fixture become one test a pair, and the zero-code test joins in."""

from pathlib import Path

import pytest

from pytest_context_bench import suite
from pytest_context_bench.cases import cases_of, labels_of
from pytest_context_bench.errors import ContextBenchError, UnknownNameError
from pytest_context_bench.fixtures import PAIR, parameter_of, takes_pair
from pytest_context_bench.marker import MARKER, check_judged, marker_of
from pytest_context_bench.options import setting
from pytest_context_bench.session import mark_mistake
from pytest_context_bench.zero_code import OWN_IDS, SUITE, names_suite

SUITE_FILE = Path(suite.__file__)
_made_key = pytest.StashKey[dict[str, int]]()


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Give a test that takes a pair one case a pair. Raises ContextBenchError for a user's mistake."""
    config = metafunc.config
    check_judged(metafunc.definition)
    if not takes_pair(metafunc):
        return
    if setting(config, "skip"):
        skipped = pytest.param(None, marks=pytest.mark.skip("--context-bench-skip"), id="skipped")
        metafunc.parametrize(parameter_of(metafunc), [skipped], indirect=True)
        return
    cases = cases_of(config, marker_of(metafunc.definition))
    metafunc.parametrize(parameter_of(metafunc), cases, indirect=True, ids=labels_of(cases))
    if PAIR in metafunc.fixturenames:
        config.stash.setdefault(_made_key, {})[metafunc.definition.nodeid] = len(cases)


def made(config: pytest.Config) -> int:
    """Return how many pairs there are to measure, whatever the user selects of them."""
    return sum(config.stash.get(_made_key, {}).values())


def complete(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add the zero-code test if asked for; mark the tests that take a pair, keep only them if asked."""
    config = session.config
    if names_suite(config) and (config.getoption(OWN_IDS) or not any(map(takes_pair, items))):
        items.extend(_chosen(session, _suite_items(session)))
    for item in items:
        if takes_pair(item) and item.get_closest_marker(MARKER) is None:
            item.add_marker(MARKER)
    if setting(config, "only"):
        _deselect(config, items)


def _suite_items(session: pytest.Session) -> list[pytest.Item]:
    """Collect the zero-code test.

    Session.genitems() is not for this: `--lf` passes over files without failures there, and over this one.
    """
    module = pytest.Module.from_parent(session, path=SUITE_FILE, nodeid=SUITE)
    module.obj = suite  # importing it by path would put the folder of packages first on sys.path
    try:
        items = [item for item in module.collect() if isinstance(item, pytest.Item)]
    except ContextBenchError as error:
        _refuse(session, str(error))
    except pytest.skip.Exception as skip:
        place = (str(SUITE_FILE), 0, f"Skipped: {skip.msg}")
        _report(session, pytest.CollectReport(SUITE, "skipped", place, []))
    except Exception:  # noqa: BLE001 - a user's loader can fail in any way, which is told as any failed collection
        failure = module.repr_failure(pytest.ExceptionInfo.from_current())
        _report(session, pytest.CollectReport(SUITE, "failed", failure, []))
    else:
        for item in items:
            item.ihook.pytest_itemcollected(item=item)
        _report(session, pytest.CollectReport(SUITE, "passed", None, [*items]))
        return items
    return []


def _chosen(session: pytest.Session, items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the items that the command line names, all if it names none."""
    ids = session.config.getoption(OWN_IDS)
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
    _report(session, report)


def _report(session: pytest.Session, report: pytest.CollectReport) -> None:
    session.config.hook.pytest_collectreport(report=report)


def _deselect(config: pytest.Config, items: list[pytest.Item]) -> None:
    others = [item for item in items if not takes_pair(item)]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if takes_pair(item)]
