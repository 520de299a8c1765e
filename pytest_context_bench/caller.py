"""Where tests run: makes the calls of pairs, ahead of their tests where the run asks for that."""

import os
import warnings
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, TypeAlias

import pytest

from pytest_context_bench.ahead import Ahead
from pytest_context_bench.calls import Budget, Calls, Rate, open_budget
from pytest_context_bench.cases import cache_of
from pytest_context_bench.fixtures import case_of
from pytest_context_bench.options import setting
from pytest_context_bench.pipeline import Processed, Scoring
from pytest_context_bench.protocols import Example, System
from pytest_context_bench.tokens import counter

caller_key = pytest.StashKey["Caller"]()
# Seconds that a run that ends early, as with -x, waits for calls that were paid for; and an interrupted one.
PATIENCE, HURRIED = 10.0, 1.0
Made: TypeAlias = tuple[Mapping[str, Any], Processed]


class CallsWarning(pytest.PytestWarning):
    """What kept the calls of a run from going as they should, without any harm to its numbers."""


class Caller:
    """Makes the calls of this process's pairs; with several workers those of coming tests too.

    Where the run is *judged_here* all coming tests are known; a worker of xdist knows the next one.
    """

    def __init__(self, config: pytest.Config, *, judged_here: bool) -> None:
        share = 1 if judged_here else int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        self._cached = setting(config, "cache-dir") is not None
        self._calls = Calls(cache_of(config), _rate(config, share), _budget(config, share))
        self._ahead: Ahead[Made] | None = None
        if (workers := setting(config, "max-workers")) > 1:
            self._ahead = Ahead(self._make, workers, all_known=judged_here)
            self._ahead.register(config.pluginmanager)
        self._told: set[str] = set()

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Begin no more calls; if what they give is kept, wait a little for those under way."""
        if self._ahead is not None:
            self._ahead.close()
            self._calls.stop()
            if self._cached:
                self._ahead.join(HURRIED if exitstatus == pytest.ExitCode.INTERRUPTED else PATIENCE)
        self._calls.close()

    def process(self, item: pytest.Item, system: System, example: Example, repeat: int) -> Processed:
        """Return what *system* makes of *example*, from the call made ahead if it was made of the same."""
        made = None if self._ahead is None else self._ahead.take(item)
        if made is not None and _alike(made[0], example):
            return made[1]
        return self._calls.process(system, example, repeat)

    def begin(self, item: pytest.Item) -> None:
        """Begin the calls of *item* and of the tests after it, where calls are made ahead."""
        if self._ahead is not None:
            self._ahead.begin(item)

    def scoring(self, scoring: Scoring) -> Scoring:
        """Return how to score."""
        return self._calls.scoring(scoring)

    def warn(self) -> None:
        """Warn of what went wrong with the cache since this was last asked."""
        for problem in self._calls.problems():
            if problem not in self._told:
                self._told.add(problem)
                warnings.warn(CallsWarning(problem), stacklevel=2)

    def _make(self, item: pytest.Item) -> Made:
        case = case_of(item)
        assert case is not None  # noqa: S101 - it takes its pair
        example = deepcopy(case.example())  # what the test changes must show beside it
        return example, self._calls.process(case.system, example, case.repeat)


class PairSteps:
    """The steps of one test's pair: its first call may have been made ahead."""

    def __init__(self, caller: Caller, item: pytest.Item) -> None:
        self._caller = caller
        self._item = item

    def process(self, system: System, example: Example, repeat: int) -> Processed:
        """Do as `pipeline.process`."""
        return self._caller.process(self._item, system, example, repeat)

    def scoring(self, scoring: Scoring) -> Scoring:
        """Return how to score."""
        return self._caller.scoring(scoring)

    def warn(self) -> None:
        """Warn of what went wrong with the cache."""
        self._caller.warn()


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two examples are the same to a system, NaN and arrays in them too."""
    try:
        return bool(one == other) or repr(one) == repr(other)
    except ValueError:  # arrays are equal in each of their places
        return repr(one) == repr(other)


def _rate(config: pytest.Config, share: int) -> Rate | None:
    written = setting(config, "rate")
    return None if written is None else Rate.parse(written).shared_by(share)


def _budget(config: pytest.Config, share: int) -> Budget | None:
    tokens, cost = (setting(config, name) for name in ("max-tokens", "max-cost"))
    if tokens is None and cost is None:
        return None
    return open_budget(
        counter(setting(config, "tokenizer")).count,
        None if tokens is None else tokens / share,
        None if cost is None else cost / share,
        setting(config, "price"),
    )
