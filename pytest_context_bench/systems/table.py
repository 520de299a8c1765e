"""The systems that come with the project, by the name a user writes."""

from collections.abc import Callable, Sequence

from pytest_context_bench.errors import InvalidValueError, UnknownNameError
from pytest_context_bench.protocols import System
from pytest_context_bench.systems.budget import EXPECTED, Budget
from pytest_context_bench.systems.extract import Extract
from pytest_context_bench.systems.identity import Identity
from pytest_context_bench.systems.truncate import HEAD, SIDES, Truncate

KEEP = 0.5


def built_in(spec: str) -> System:
    """Return the system that *spec* (`identity`, `truncate:0.3`, `truncate:middle:500`) asks for, so named.

    Raises UnknownNameError for the system, InvalidValueError for its arguments.
    """
    head, *arguments = spec.split(":")
    if head not in BUILT_IN:
        raise UnknownNameError("system", head, BUILT_IN)
    return BUILT_IN[head](spec, arguments)


def _identity(spec: str, arguments: Sequence[str]) -> System:
    if arguments:
        raise _wrong(spec, ":".join(arguments), "an argument of identity, which takes none")
    return Identity(name=spec)


def _truncate(spec: str, arguments: Sequence[str]) -> System:
    side, rest = (arguments[0], arguments[1:]) if arguments and arguments[0] in SIDES else (HEAD, arguments)
    return Truncate(
        _keep(spec, rest, f"{EXPECTED}, after a side ({', '.join(SIDES)}) if any"), side, name=spec
    )


def _extract(spec: str, arguments: Sequence[str]) -> System:
    return Extract(_keep(spec, arguments, EXPECTED), name=spec)


def _keep(spec: str, arguments: Sequence[str], expected: str) -> float:
    if not arguments:
        return KEEP
    written = ":".join(arguments)
    try:
        return Budget(float(written)).keep
    except (ValueError, InvalidValueError) as error:
        raise _wrong(spec, written, expected) from error


def _wrong(spec: str, written: str, expected: str) -> InvalidValueError:
    return InvalidValueError(f"system {spec!r}", written, expected)


BUILT_IN: dict[str, Callable[[str, Sequence[str]], System]] = {
    "identity": _identity,
    "truncate": _truncate,
    "extract": _extract,
}
