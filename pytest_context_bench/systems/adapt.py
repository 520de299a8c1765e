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
        if attribute == "system" or attribute.startswith("__"):  # asked for while this is copied: our own
            raise AttributeError(attribute)
        return getattr(self.system, attribute)


def as_system(candidate: Any, name: str | None = None) -> System:
    """Return *candidate* as a system named *name*, or by its own name. Raises InvalidValueError."""
    label = f"system {name!r}" if name else "system"
    if isinstance(candidate, type) or _is_factory(candidate):
        candidate, label = _made(candidate, label), f"{label}, as made by {_word(candidate)}"
    if isinstance(candidate, type):
        raise InvalidValueError(label, candidate, EXPECTED)
    if callable(getattr(candidate, "process", None)):
        _check_process(candidate, label)
        return _named(candidate, name)
    if callable(candidate):
        return Compressor(candidate, name or "")
    raise InvalidValueError(label, candidate, EXPECTED)


def _named(system: Any, name: str | None) -> System:
    own = getattr(system, "name", None)
    if name is None and not (isinstance(own, str) and own):
        raise InvalidValueError(f"the name of system {type(system).__name__}", own, "text")
    if name is None or name == own:
        return cast(System, system)
    return Renamed(system, name)


def _is_factory(candidate: Any) -> bool:
    """Whether *candidate* is to be called without arguments, and not for each context."""
    if not callable(candidate) or callable(getattr(candidate, "process", None)):
        return False
    try:
        return not inspect.signature(candidate).parameters and not inspect.iscoroutinefunction(candidate)
    except (TypeError, ValueError):  # a builtin that does not tell
        return False


def _made(factory: Any, label: str) -> Any:
    try:
        return factory()
    except (Exception, SystemExit) as error:  # a user's constructor can fail in any way
        problem = f"one that can be made without arguments ({type(error).__name__}: {error})"
        raise InvalidValueError(label, factory, problem) from error


def _check_process(system: Any, label: str) -> None:
    """Refuse a system that would fail on every example. Raises InvalidValueError."""
    try:
        inspect.signature(system.process).bind({})
    except TypeError as error:
        problem = f"a method of one example ({error})"
        raise InvalidValueError(f"{label}, .process", system.process, problem) from error
    except ValueError:  # a builtin that does not tell
        pass


def _word(candidate: Any) -> str:
    return str(getattr(candidate, "__qualname__", type(candidate).__name__))
