"""The hooks and fixtures: each reads, delegates and returns."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from pytest_context_bench import hookspecs, named_judge, options, zero_code
from pytest_context_bench.errors import ContextBenchError, FailedHookError
from pytest_context_bench.registry import registry
from pytest_context_bench.session import BenchSession, mark_mistake

if TYPE_CHECKING:
    from pytest_context_bench.cases import Case
    from pytest_context_bench.pair import ContextBench
    from pytest_context_bench.protocols import Evaluator, System

MARKER_LINE = "context_bench(dataset, systems, ...): run on pairs of systems and examples, and judge them."
JUDGE = "context-bench-session"

NO_PAIR = (
    "take context_bench as an argument of a test function, or of a fixture of one: only then there is a test "
    "for each pair (request.getfixturevalue() and unittest.TestCase come too late)"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and ini keys."""
    options.add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the hooks that users implement."""
    pluginmanager.add_hookspecs(hookspecs)


def pytest_configure(config: pytest.Config) -> None:
    """Open the run: let users register, check what they ask for, and judge here if this is the place."""
    config.addinivalue_line("markers", MARKER_LINE)
    run = ExitStack()
    run.enter_context(registry.run())
    config.add_cleanup(run.close)
    with _usage_errors():
        _register(config)
        registry.seal({"metric"})
        options.check(config)
        named_judge.register(config)
    zero_code.take_own_ids(config)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(BenchSession(config), JUDGE)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Name what a benchmark runs, where one was asked for."""
    return zero_code.header(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of each pair."""
    marked = any(mark.name == "context_bench" for mark in metafunc.definition.own_markers)
    if marked or "context_bench_case" in metafunc.fixturenames:
        from pytest_context_bench.collection import parametrize

        parametrize(metafunc)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Contribute the zero-code test where it is wanted, and mark benchmark tests as such."""
    asked = zero_code.names_suite(config) or options.setting(config, "only")
    if asked or any("context_bench_case" in getattr(item, "fixturenames", ()) for item in items):
        from pytest_context_bench.collection import complete

        complete(session, items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Record what benchmark tests measure, if there are any left."""
    if any("context_bench_case" in getattr(item, "fixturenames", ()) for item in session.items):
        from pytest_context_bench.recorder import Recorder, is_benchmark

        plugins = session.config.pluginmanager
        recorder = Recorder(sum(map(is_benchmark, session.items)), judged_here=plugins.has_plugin(JUDGE))
        plugins.register(recorder, "context-bench-recorder")


def pytest_exception_interact(
    call: pytest.CallInfo[Any], report: pytest.CollectReport | pytest.TestReport
) -> None:
    """Tell a user's mistake in collection from a failure."""
    mistake = call.excinfo.value if call.excinfo is not None else None
    if isinstance(report, pytest.CollectReport) and isinstance(mistake, ContextBenchError):
        mark_mistake(report, str(mistake))


@pytest.fixture
def context_bench_case(request: pytest.FixtureRequest) -> "Case":
    """Give the pair of this test, as a light reference."""
    if not hasattr(request, "param"):
        pytest.fail(NO_PAIR, pytrace=False)
    return request.param  # type: ignore[no-any-return]  # parametrized by pytest_generate_tests


@pytest.fixture
def context_bench_system(context_bench_case: "Case") -> "System":
    """Give the system of this test's pair."""
    return context_bench_case.system


@pytest.fixture
def context_bench_example(context_bench_case: "Case") -> dict[str, Any]:
    """Give the example of this test's pair."""
    return context_bench_case.example()


@pytest.fixture
def context_bench_evaluators(
    context_bench_case: "Case",
) -> "Sequence[Evaluator]":
    """Give the evaluators of this test's pair; override it to choose others."""
    return context_bench_case.evaluators()


@pytest.fixture
def context_bench(
    request: pytest.FixtureRequest,
    context_bench_case: "Case",
    context_bench_evaluators: "Sequence[Evaluator]",
) -> "ContextBench":
    """Give one (system, example) pair: `run()` it, or take its steps."""
    from pytest_context_bench.pair import pair_of

    return pair_of(request, context_bench_case, context_bench_evaluators)


def _register(config: pytest.Config) -> None:
    """Call the users' hooks, and those of every conftest.py that is loaded from now on."""
    try:
        config.hook.pytest_context_bench_register.call_historic(kwargs={"registry": registry})
    except ContextBenchError:
        raise
    except Exception as error:
        from pytest_context_bench.blame import blame

        raise FailedHookError("pytest_context_bench_register", blame(error)) from error


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Turn a user's mistake into pytest's usage error."""
    try:
        yield
    except ContextBenchError as error:
        raise pytest.UsageError(str(error)) from error
