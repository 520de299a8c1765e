"""What users add by name: systems, data sets, evaluators and metrics."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pytest_context_bench.errors import (
    ContextBenchError,
    DuplicateNameError,
    InvalidValueError,
    UnknownNameError,
)

KINDS = ("system", "dataset", "evaluator", "metric")
WORDS = {"dataset": "data set"}
METHODS: Mapping[str, str] = {"evaluator": "score(original, processed)", "metric": "compute(rows)"}
DEFAULT_EXAMPLES = 50


class RegisteredLateError(ContextBenchError):
    """A registration after the point where every process must know of it."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(
            f"{kind} {name!r} is registered too late: the process that judges the run must know it, "
            "so register it in the root conftest.py or in a plugin"
        )


@dataclass
class Layer:
    """What was registered for one run, or for the process; *sealed* kinds take no more."""

    entries: dict[tuple[str, str], Any] = field(default_factory=dict)
    sealed: frozenset[str] = frozenset()


class Registry:
    """Names of things, by kind. What is registered during a run ends with it."""

    def __init__(self) -> None:
        self._process = Layer()
        self._run: Layer | None = None

    def register(self, kind: str, name: str, obj: Any, *, replace: bool = False) -> None:
        """Add *obj* under *name*. Raises DuplicateNameError for a name that is taken, unless *replace*."""
        _check_kind(kind)
        if not isinstance(name, str) or not name.strip():
            raise InvalidValueError(f"the name of a {_word(kind)}", name, "text")
        layer = self._current()
        if kind in layer.sealed:
            raise RegisteredLateError(_word(kind), name)
        check_shape(kind, obj)
        taken = self._added(kind).get(name, built_in(kind).get(name, obj))
        if taken is not obj and not replace:
            raise DuplicateNameError(_word(kind), name)
        layer.entries[kind, name] = obj

    def get(self, kind: str, name: str) -> Any:
        """Return what is registered or built in under *name*. Raises UnknownNameError."""
        _check_kind(kind)
        added = self._added(kind)
        if name in added:
            return added[name]
        try:
            return built_in(kind)[name]
        except KeyError as error:
            raise UnknownNameError(_word(kind), name, self.list(kind)) from error

    def added(self, kind: str) -> tuple[str, ...]:
        """Return the names of *kind* that users registered, in their order."""
        _check_kind(kind)
        return tuple(self._added(kind))

    @contextmanager
    def run(self) -> Iterator["Registry"]:
        """Keep what is registered within to this run; runs do not see each other's."""
        outer, self._run = self._run, Layer()
        try:
            yield self
        finally:
            self._run = outer

    def seal(self, kinds: Iterable[str]) -> None:
        """Refuse further registrations of *kinds* in the current run."""
        for kind in kinds:
            _check_kind(kind)
            if self._run is not None:
                self._run.sealed |= {kind}

    def _added(self, kind: str) -> dict[str, Any]:
        layers = [layer for layer in (self._process, self._current()) if layer.entries]
        return {name: obj for layer in layers for (of, name), obj in layer.entries.items() if of == kind}

    def _current(self) -> Layer:
        return self._process if self._run is None else self._run

    def list(self, kind: str) -> list[str]:
        """Return the names of *kind*, sorted."""
        _check_kind(kind)
        return sorted({*self._added(kind), *built_in(kind)})


registry = Registry()


def register_dataset(
    name: str, loader: Callable[..., Iterable[Mapping[str, Any]]], *, replace: bool = False
) -> None:
    """Register *loader*, which returns example dicts, as the data set *name*; see `Registry.register`."""
    registry.register("dataset", name, loader, replace=replace)


def load_dataset(name: str, n: int | None = DEFAULT_EXAMPLES, **options: Any) -> list[dict[str, Any]]:
    """Load the first *n* examples of a data set by name or path; *options* go to a registered loader."""
    from pytest_context_bench.catalog import open_dataset

    return list(open_dataset(name, n, options=options))


def built_in(kind: str) -> Mapping[str, Any]:
    """Return the things of *kind* that come with the package, by name."""
    if kind == "system":
        from pytest_context_bench.systems import table as systems

        return systems.BUILT_IN
    if kind == "dataset":
        from pytest_context_bench.datasets import table as datasets

        return datasets.BUILT_IN
    if kind == "evaluator":
        from pytest_context_bench import evaluators

        return {evaluator.name: evaluator for evaluator in evaluators.BUILT_IN}
    from pytest_context_bench.metrics import default_metrics

    return {metric.name: metric for metric in default_metrics()}


def _word(kind: str) -> str:
    return WORDS.get(kind, kind)


def check_shape(kind: str, obj: Any) -> None:
    """Check that *obj* can serve as an evaluator or a metric. Raises InvalidValueError."""
    method = METHODS.get(kind)
    if method is None:
        return
    # not by the Protocol: isinstance() with one takes longer than all else about a pair
    works = callable(getattr(obj, method.partition("(")[0], None))
    if isinstance(obj, type) or not works or not isinstance(getattr(obj, "name", None), str):
        raise InvalidValueError(kind, obj, f"an object with .name and .{method}")


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise UnknownNameError("kind", kind, KINDS)
