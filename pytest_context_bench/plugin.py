"""The hooks: each reads, delegates and returns."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from pytest_context_bench import hookspecs, named_judge, options, run_baseline, zero_code
from pytest_context_bench.errors import ContextBenchError, FailedHookError
from pytest_context_bench.fixtures import Fixtures, takes_pair
from pytest_context_bench.registry import registry
from pytest_context_bench.session import BenchSession, mark_mistake

MARKER_LINE = "context_bench(dataset, systems, ...): run on pairs of systems and examples, and judge them."
JUDGE = "context-bench-session"
_run_key = pytest.StashKey[ExitStack]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and ini keys."""
    options.add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the hooks that users implement."""
    pluginmanager.add_hookspecs(hookspecs)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Open the run before the first conftest.py, which may register things as it is imported."""
    _open_run(early_config)


def pytest_configure(config: pytest.Config) -> None:
    """Let users register, check what they ask for, and judge here if this is the place."""
    config.addinivalue_line("markers", MARKER_LINE)
    _open_run(config)
    with _usage_errors():
        _register(config)
        registry.seal({"metric"})
        options.check(config)
        named_judge.register(config)
    zero_code.take_own_ids(config)
    config.pluginmanager.register(Fixtures(), "context-bench-fixtures")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(BenchSession(config), JUDGE)
        with _usage_errors():
            run_baseline.find(config)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Name what a benchmark runs, where one was asked for."""
    return zero_code.header(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of each pair."""
    marked = any(mark.name == "context_bench" for mark in metafunc.definition.own_markers)
    if marked or takes_pair(metafunc):
        from pytest_context_bench.collection import parametrize

        parametrize(metafunc)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Contribute the zero-code test where it is wanted, and mark benchmark tests as such."""
    asked = zero_code.names_suite(config) or options.setting(config, "only")
    if asked or any(map(takes_pair, items)):
        from pytest_context_bench.collection import complete

        complete(session, items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Record what benchmark tests measure, if there are any left."""
    if any(map(takes_pair, session.items)):
        from pytest_context_bench.caller import Caller, caller_key
        from pytest_context_bench.collection import made
        from pytest_context_bench.recorder import Recorder

        plugins = session.config.pluginmanager
        here = plugins.has_plugin(JUDGE)
        recorder = Recorder(session.items, made(session.config), judged_here=here)
        plugins.register(recorder, "context-bench-recorder")
        caller = session.config.stash[caller_key] = Caller(session.config, judged_here=here)
        plugins.register(caller, "context-bench-caller")


def pytest_exception_interact(
    call: pytest.CallInfo[Any], report: pytest.CollectReport | pytest.TestReport
) -> None:
    """Tell a user's mistake in collection from a failure."""
    mistake = call.excinfo.value if call.excinfo is not None else None
    if isinstance(report, pytest.CollectReport) and isinstance(mistake, ContextBenchError):
        mark_mistake(report, str(mistake))


def _open_run(config: pytest.Config) -> None:
    """Keep what is registered from now on to this run, if that has not begun."""
    if _run_key not in config.stash:
        run = config.stash[_run_key] = ExitStack()
        run.enter_context(registry.run())
        config.add_cleanup(run.close)


def _register(config: pytest.Config) -> None:
    """Call the users' hooks, and those of every conftest.py that is loaded from now on."""
    try:
        config.hook.pytest_context_bench_register.call_historic(kwargs={"registry": registry})
    except ContextBenchError:
        raise
    except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:
        from pytest_context_bench.blame import blame

        raise FailedHookError("pytest_context_bench_register", blame(error)) from error


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Turn a user's mistake into pytest's usage error."""
    try:
        yield
    except ContextBenchError as error:
        raise pytest.UsageError(str(error)) from error
