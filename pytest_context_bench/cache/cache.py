"""Runs the steps of a pair, unless what they gave is kept."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock, RLock
from types import TracebackType
from typing import Any, Self
from weakref import WeakValueDictionary

from pytest_context_bench.cache.counts import Counts
from pytest_context_bench.cache.identities import Identities
from pytest_context_bench.cache.store import OUTPUTS, SCORES, Store
from pytest_context_bench.cache.text import NotKeptError, digest, from_text, to_text
from pytest_context_bench.errors import CacheMissError, InvalidValueError, UnknownNameError
from pytest_context_bench.pipeline import CACHED, Processed, Scoring, call, overlay, to_number
from pytest_context_bench.plain import printable, to_plain
from pytest_context_bench.protocols import Evaluator, Example, Scores, System

MODES = AUTO, REFRESH, ONLY = ("auto", "refresh", "only")
Call = Callable[[System, Example], tuple[Any, float]]


class Cache:
    """Gives again what systems and evaluators gave before; threads and forked processes may share it.

    Errors are not kept. *mode* `refresh` does everything anew, `only` calls no system: then an output that is
    not kept is an error. Close it, or use it in `with`. Raises NotCacheableError for a system or evaluator of
    the run whose configuration cannot be seen, and CacheError for a *folder* that cannot be used.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        systems: Iterable[System] = (),
        evaluators: Iterable[Evaluator] = (),
        mode: str = AUTO,
    ) -> None:
        if mode not in MODES:
            raise UnknownNameError("cache mode", mode, MODES)
        self._mode = mode
        if not isinstance(folder, str | os.PathLike) or not os.fspath(folder):
            raise InvalidValueError("cache_dir", folder, "the path of a folder")
        self._identities = Identities()
        self._problems: Counter[str] = Counter()
        self._lock = Lock()
        self._turns: WeakValueDictionary[str, AbstractContextManager[Any]] = WeakValueDictionary()
        self.admit(systems, evaluators)
        self._store = Store(Path(folder), self._note)
        self._counts = Counts(self._store)

    def admit(self, systems: Iterable[System], evaluators: Iterable[Evaluator]) -> None:
        """Take the fingerprints of what is about to run, before it does. Raises NotCacheableError."""
        for system in systems:
            self._identities.of("system", system)
        for evaluator in evaluators:
            self._identities.of("evaluator", evaluator)

    def process(self, system: System, example: Example, repeat: int = 0, call: Call = call) -> Processed:
        """Do as `pipeline.process`, or give what that gave before, with the latency of then.

        *call* is how a system is called. Raises CacheMissError where the mode forbids that.
        """
        key = self._key(system.name, self._identities.of("system", system), example, repeat)
        with self._turn(key):
            kept = self._kept(OUTPUTS, key)
            if kept is None:
                return self._process(system, example, key, call)
        processed = overlay(system.name, example, kept["output"], kept["latency"])
        return replace(processed, metadata={**processed.metadata, CACHED: True})

    def scoring(self, scoring: Scoring) -> Scoring:
        """Return *scoring* that scores nothing twice, and counts no long text twice."""
        evaluators = [_Scorer(one, self) for one in scoring.evaluators]
        return replace(scoring, evaluators=evaluators, counter=self._counts.kept(scoring.counter))

    def score(self, evaluator: Evaluator, original: Example, processed: Example) -> Any:
        """Do as `evaluator.score`, or give what that gave before."""
        key = self._key(evaluator.name, self._identities.of("evaluator", evaluator), original, processed)
        with self._turn(key):
            kept = self._kept(SCORES, key)
            return self._score(evaluator, original, processed, key) if kept is None else kept

    def problems(self) -> list[str]:
        """Return what kept the cache from doing its work, for people to read."""
        with self._lock:
            return [
                f"cache: {problem}{f' ({count} times)' if count > 1 else ''}"
                for problem, count in self._problems.items()
            ]

    def close(self) -> None:
        """Close the file."""
        self._identities.settle()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _process(self, system: System, example: Example, key: str | None, call: Call) -> Processed:
        if self._mode == ONLY:
            raise CacheMissError(system.name)
        output, latency = call(system, example)
        overlay(system.name, example, output)  # what cannot be laid over is an error, and those are not kept
        if "metadata" in output:
            output = {**output, "metadata": to_plain(output["metadata"], "metadata")}
        given = self._keep(OUTPUTS, key, system.name, {"output": dict(output), "latency": latency})
        return overlay(system.name, example, given["output"], latency)

    def _score(self, evaluator: Evaluator, original: Example, processed: Example, key: str | None) -> Any:
        scores = evaluator.score(original, processed)
        if not isinstance(scores, Mapping):
            return scores  # an error, which the caller words
        numbers = {
            name: to_number(evaluator.name, name, value)
            for name, value in scores.items()
            if value is not None
        }
        return self._keep(SCORES, key, evaluator.name, numbers)

    def _turn(self, key: str | None) -> AbstractContextManager[Any]:
        """Return the turn of a thread among those that want the same: the first does it, others find it."""
        with self._lock:
            return nullcontext() if key is None else self._turns.setdefault(key, RLock())

    def _key(self, name: str, *values: Any) -> str | None:
        try:
            return digest(*values)
        except NotKeptError as error:
            self._note(f"what {name!r} gives is not kept: {error}")
            return None

    def _kept(self, table: str, key: str | None) -> dict[str, Any] | None:
        unread = key is None or self._mode == REFRESH
        content = None if unread else self._store.read(table, str(key))
        try:
            return None if content is None else from_text(content)
        except ValueError as error:
            self._note(f"an entry could not be read ({error})")
            return None

    def _keep(self, table: str, key: str | None, name: str, value: dict[str, Any]) -> dict[str, Any]:
        """Keep *value*; return it as it will be read, so that what is cached scores as what is fresh."""
        if key is None:
            return value
        try:
            content = to_text(value)
        except NotKeptError as error:
            self._note(f"what {name!r} gives is not kept: {error}")
            return value
        self._store.write(table, key, content, printable(name))
        return from_text(content)

    def _note(self, problem: str) -> None:
        with self._lock:
            self._problems[problem] += 1


@dataclass(frozen=True)
class _Scorer:
    """An evaluator whose scores are kept."""

    evaluator: Evaluator
    cache: Cache

    @property
    def name(self) -> str:
        return self.evaluator.name

    def score(self, original: Example, processed: Example) -> Scores:
        return self.cache.score(self.evaluator, original, processed)  # type: ignore[no-any-return]  # checked where scores are gathered
