"""Makes the calls of a run: through the cache, in turn, within the budget."""

from typing import TYPE_CHECKING, Any

from pytest_context_bench.calls.budget import Budget
from pytest_context_bench.calls.loop import Loop
from pytest_context_bench.calls.rate import Rate
from pytest_context_bench.outputs import awaiting
from pytest_context_bench.pipeline import Processed, Scoring, call, overlay
from pytest_context_bench.protocols import Example, System

if TYPE_CHECKING:
    from pytest_context_bench.cache import Cache


class Calls:
    """The steps of a run's pairs; threads may share it. Close it when the run ends."""

    def __init__(
        self, cache: "Cache | None" = None, rate: Rate | None = None, budget: Budget | None = None
    ) -> None:
        self._cache = cache
        self._rate = rate
        self._budget = budget
        self._loop = Loop()

    def process(self, system: System, example: Example, repeat: int = 0) -> Processed:
        """Do as `pipeline.process`, or give what the cache has kept. Raises BudgetSpentError beside that."""
        if self._cache is not None:
            return self._cache.process(system, example, repeat, call=self._call)
        return overlay(system.name, example, *self._call(system, example))

    def scoring(self, scoring: Scoring) -> Scoring:
        """Return *scoring* with evaluators that score nothing twice, if there is a cache."""
        return scoring if self._cache is None else self._cache.scoring(scoring)

    def problems(self) -> list[str]:
        """Return what people should know of the calls, for them to read."""
        return [] if self._cache is None else self._cache.problems()

    def stop(self) -> None:
        """Begin none of the calls that wait for their turn."""
        if self._rate is not None:
            self._rate.close()

    def close(self) -> None:
        """Stop, let go whatever waits for a call, and close the cache."""
        self.stop()
        self._loop.close()
        if self._cache is not None:
            self._cache.close()

    def _call(self, system: System, example: Example) -> tuple[Any, float]:
        """Make one call when it is its turn; tell the budget what it took."""
        if self._budget is not None:
            self._budget.admit()
        if self._rate is not None:
            self._rate.wait()
        with awaiting(self._loop.run):
            output, latency = call(system, example)
        if self._budget is not None:
            self._budget.spend(system.name, example, output)
        return output, latency
