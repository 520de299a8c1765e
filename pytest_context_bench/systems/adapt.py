"""Turns what users hand over into a system: an instance, a class, a factory or a plain function."""

import inspect
from dataclasses import dataclass
from typing import Any, cast

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.protocols import Example, Output, System
from pytest_context_bench.systems.compressor import Compressor

EXPECTED = (
    "a system: an object with .name and .process(example), its class, a factory, or a function of the context"
)


@dataclass(frozen=True)
class Renamed:
    """A system under the name that the user gave it."""

    system: Any
    name: str

    def process(self, example: Example) -> Output:
        """Process *example* as the system within does."""
        return self.system.process(example)  # type: ignore[no-any-return]  # checked where outputs are laid over

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self.system, attribute)


def as_system(candidate: Any, name: str | None = None) -> System:
    """Return *candidate* as a system named *name*, or by its own name. Raises InvalidValueError."""
    if isinstance(candidate, type) or _is_factory(candidate):
        return as_system(_made(candidate, name), name)
    if callable(getattr(candidate, "process", None)):
        return _named(candidate, name)
    if callable(candidate):
        return Compressor(candidate, name) if name else Compressor(candidate)
    raise InvalidValueError(f"system {name!r}" if name else "system", candidate, EXPECTED)


def _named(system: Any, name: str | None) -> System:
    own = getattr(system, "name", None)
    if name is None and not (isinstance(own, str) and own):
        raise InvalidValueError(f"the name of system {type(system).__name__}", own, "text")
    if name is None or name == own:
        return cast(System, system)
    return Renamed(system, name)


def _is_factory(candidate: Any) -> bool:
    if not inspect.isroutine(candidate):
        return False
    return not inspect.signature(candidate).parameters


def _made(factory: Any, name: str | None) -> Any:
    try:
        return factory()
    except Exception as error:  # a user's constructor can fail in any way
        label = f"system {name!r}" if name else "system"
        problem = f"one that can be made without arguments ({type(error).__name__}: {error})"
        raise InvalidValueError(label, factory, problem) from error
