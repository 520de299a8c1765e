"""Makes the calls of coming tests ahead of them, as soon as all that these tests rely on is set up."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

import pytest

from pytest_context_bench.calls import Prefetch
from pytest_context_bench.fixtures import PAIR, pair_key
from pytest_context_bench.readiness import Readiness

T = TypeVar("T")
UNSURE = ("skip", "skipif", "xfail")  # tests that may not run: a call for them may be one too many


class Ahead(Generic[T]):
    """Does *work* for coming tests by *workers* threads, for no more than twice as many tests.

    It goes on to the first test whose fixtures are not there yet: what these change is not to be found by
    calls that are under way. Where *all_known*, the session's next tests are known; a worker of xdist knows
    its next one alone.
    """

    def __init__(self, work: Callable[[pytest.Item], T], workers: int, *, all_known: bool) -> None:
        self._prefetch: Prefetch[pytest.Item, T] = Prefetch(work, workers)
        self._reach = 2 * workers
        self._all_known = all_known
        self._readiness = Readiness()
        self._at = 0  # the place of the test that runs
        self._clear = 0  # that of the first test which is not known to be ready
        self._state = 0  # of the fixtures when that was found
        self._next: pytest.Item | None = None
        self._taken: pytest.Item | None = None
        self._idle: set[tuple[str, str]] = set()
        self._late: Counter[str] = Counter()  # calls that could not be made ahead, by the fixture in the way

    def register(self, plugins: pytest.PytestPluginManager) -> None:
        """Take part in the run."""
        plugins.register(self._readiness, "context-bench-readiness")
        plugins.register(self, "context-bench-ahead")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, nextitem: pytest.Item | None) -> None:
        """Note what comes."""
        self._next = nextitem

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        """Begin calls, now that all fixtures of *item* are set up; note one that could not be made ahead."""
        if self._will_call(item):
            self._late.update(self._readiness.set_up_anew(item))
        self.begin(item)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """Forget the call of *item*; make none for others of its function if it has its row without one."""
        pair = item.stash.get(pair_key, None)
        if self._prefetch.drop(item) and pair is not None and pair.row is not None:
            self._idle.add(_function(item))

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Say which calls were not made ahead, and how to change that."""
        for name, count in self._late.most_common():
            terminalreporter.write_line(
                f"note: {count} calls were not made ahead: fixture {name!r} of their tests is set up anew "
                "for each and may change what they call; a wider scope tells that it does not"
            )

    def begin(self, item: pytest.Item) -> None:
        """Begin the calls of *item* and of the tests after it, as far as these are ready for that."""
        ready = filter(self._will_call, self._ready(item))
        self._prefetch.offer([one for one in ready if one is not self._taken and one not in self._prefetch])

    def take(self, item: pytest.Item) -> T | None:
        """Return what the work for *item* gave, raise what it raised; None if it was not begun ahead."""
        self._taken = item
        return self._prefetch.take(item) if item in self._prefetch else None

    def close(self) -> None:
        """Begin nothing more."""
        self._prefetch.close()

    def join(self, patience: float) -> None:
        """Wait so many seconds for what is under way."""
        self._prefetch.join(patience)

    def _ready(self, item: pytest.Item) -> Iterator[pytest.Item]:
        """Yield the tests that have become ready, from *item* on to the first that is not."""
        tests, at = self._place(item)
        if not self._all_known or self._state != self._readiness.state:
            self._state, self._clear = self._readiness.state, at
        self._clear = max(self._clear, at)
        while self._clear < min(at + self._reach, len(tests)) and self._readiness.is_ready(
            tests[self._clear]
        ):
            yield tests[self._clear]
            self._clear += 1

    def _place(self, item: pytest.Item) -> tuple[Sequence[pytest.Item], int]:
        """Return the tests that are known, and the place of *item* among them."""
        if not self._all_known:
            return [item] if self._next is None else [item, self._next], 0
        tests = item.session.items
        try:
            self._at = tests.index(item, self._at)
        except ValueError:  # run again, or out of turn
            self._at = tests.index(item)
        return tests, self._at

    def _will_call(self, item: pytest.Item) -> bool:
        """Whether *item* takes its pair, and nothing speaks against its running."""
        return (
            PAIR in getattr(item, "fixturenames", ())
            and _function(item) not in self._idle
            and not any(map(item.get_closest_marker, UNSURE))
        )


def _function(item: pytest.Item) -> tuple[str, str]:
    return item.parent.nodeid if item.parent else "", getattr(item, "originalname", item.name)
