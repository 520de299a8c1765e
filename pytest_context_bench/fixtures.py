"""The fixtures: a test's pair, and its parts."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_context_bench.cases import Case
    from pytest_context_bench.pair import ContextBench
    from pytest_context_bench.protocols import Evaluator, System

PAIR = "context_bench"
CASE = "context_bench_case"
EVALUATORS = "context_bench_evaluators"
pair_key = pytest.StashKey["ContextBench"]()
NO_PAIR = (
    "take context_bench as an argument of a test function, or of a fixture of one: only then there is a test "
    "for each pair (request.getfixturevalue() and unittest.TestCase come too late)"
)


class Fixtures:
    """Hands the running test its pair.

    Methods of a plugin that notes which test runs: functions would have to take `request`, and pytest makes
    that anew for every fixture, at the price of a quarter of a test.
    """

    def __init__(self) -> None:
        self._item: pytest.Item | None = None
        self._its_case: Case | None = None
        self._read: dict[str, Any] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Note the test that runs."""
        self._item, self._its_case, self._read = item, case_of(item), None

    @pytest.fixture
    def context_bench_case(self) -> "Case":
        """Give the pair of this test, as a light reference."""
        return self._case()

    @pytest.fixture
    def context_bench_system(self, context_bench_case: "Case") -> "System":
        """Give the system of this test's pair."""
        return context_bench_case.system

    @pytest.fixture
    def context_bench_example(self, context_bench_case: "Case") -> dict[str, Any]:
        """Give the example of this test's pair."""
        return context_bench_case.example()

    @pytest.fixture
    def context_bench_evaluators(self) -> "Sequence[Evaluator]":
        """Give the evaluators of this test's pair; override it to choose others."""
        return self._case().evaluators(self._example)

    @pytest.fixture
    def context_bench(self, context_bench_evaluators: "Sequence[Evaluator]") -> "ContextBench":
        """Give one (system, example) pair: `run()` it, or take its steps."""
        from pytest_context_bench.pair import pair_of

        case, item = self._case(), self._item
        assert item is not None  # noqa: S101 - it has a case
        return pair_of(item, case, context_bench_evaluators, self._example)

    def _case(self) -> "Case":
        if self._its_case is None:
            pytest.fail(NO_PAIR, pytrace=False)
        return self._its_case

    def _example(self) -> dict[str, Any]:
        """Read the example of this test's pair, once."""
        if self._read is None:
            self._read = self._case().example()
        return self._read


def takes_pair(test: Any) -> bool:
    """Whether *test*, an item or what parametrizes one, takes a pair or a part of one.

    Names of parts tell: a user may have a fixture of another kind under the name of ours.
    """
    names: Collection[str] = getattr(test, "fixturenames", ())
    return EVALUATORS in names or CASE in names


def parameter_of(test: Any) -> str:
    """Return the fixture that carries the pair of a *test* that takes one."""
    return next(name for name in (PAIR, CASE, EVALUATORS) if name in test.fixturenames)


def case_of(item: pytest.Item) -> "Case | None":
    """Return the case of a test that takes a pair."""
    callspec = getattr(item, "callspec", None)
    return callspec.params.get(parameter_of(item)) if callspec is not None and takes_pair(item) else None
