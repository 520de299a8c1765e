"""Opens what users register as a data set: a loader, a path, or examples at hand."""

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from inspect import Parameter
from itertools import islice
from typing import Any

from pytest_context_bench.blame import blame
from pytest_context_bench.datasets.examples import Examples, in_memory
from pytest_context_bench.datasets.local import open_local
from pytest_context_bench.errors import ContextBenchError, InvalidValueError, UnknownNameError

LOADED = "example dicts, or the path of a file of them"
REGISTERED = "a loader, a path or a list of example dicts"
_BY_KEYWORD = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


class BrokenLoaderError(ContextBenchError):
    """A loader that raised."""

    def __init__(self, dataset: str, error: BaseException) -> None:
        super().__init__(f"data set {dataset!r}: its loader failed: {blame(error)}")


def open_registered(
    spec: str, name: str, registered: Any, n: int | None = None, options: Mapping[str, Any] | None = None
) -> Examples:
    """Open the first *n* examples of what is *registered* as *name*, asked for as *spec*, `NAME[:config]`.

    *options* go to a loader, and so does a config. Raises UnknownNameError for one that it does not take,
    BrokenLoaderError, InvalidValueError for anything but examples, and as `in_memory` and `open_local` do.
    """
    given = dict(options or {})
    if spec != name:
        given["config"] = spec.removeprefix(f"{name}:")
    if callable(registered):
        loaded = _loaded(spec, registered, n, _arguments(name, registered, n, given))
        return _opened(spec, loaded, n, f"data set {spec!r}, what its loader returned", LOADED)
    refuse(name, given)
    if isinstance(registered, Iterator):  # the next to open it would find nothing left
        raise InvalidValueError(f"data set {name!r}", registered, REGISTERED)
    return _opened(spec, registered, n, f"data set {name!r}", REGISTERED)


def refuse(name: str, options: Mapping[str, Any]) -> None:
    """Refuse any *options*: the data set *name* takes none. Raises UnknownNameError."""
    for option in options:
        raise _unknown(name, option, options[option], ())


def _arguments(
    name: str, loader: Callable[..., Any], n: int | None, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what to call *loader* with: *options*, and *n* if it takes that."""
    try:
        parameters = inspect.signature(loader).parameters
    except (TypeError, ValueError):  # a builtin that does not tell
        return dict(options)
    open_ended = any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values())
    taken = {key: each for key, each in parameters.items() if each.kind in _BY_KEYWORD}
    for option in options:
        if not open_ended and option not in taken:
            raise _unknown(name, option, options[option], taken.keys() - {"n"})
    required = "n" in taken and taken["n"].default is Parameter.empty
    if required or (n is not None and ("n" in taken or open_ended)):
        return {"n": n, **options}
    return dict(options)


def _loaded(name: str, loader: Callable[..., Any], n: int | None, arguments: Mapping[str, Any]) -> Any:
    if inspect.iscoroutinefunction(loader):
        raise InvalidValueError(f"the loader of data set {name!r}", loader, "a function that is not async")
    try:
        loaded = loader(**arguments)
        return list(islice(loaded, n)) if _is_several(loaded) else loaded
    except ContextBenchError:
        raise
    except (Exception, SystemExit) as error:  # a user's loader can fail in any way
        raise BrokenLoaderError(name, error) from error


def _opened(name: str, source: Any, n: int | None, where: str, expected: str) -> Examples:
    if isinstance(source, Examples):
        return replace(source, name=name)
    if isinstance(source, str | os.PathLike):
        return open_local(os.fspath(source), n, name)
    if not _is_several(source):
        raise InvalidValueError(where, source, expected)
    return in_memory(name, source, n)


def _is_several(source: Any) -> bool:
    """Whether *source* gives examples one after the other."""
    apart = str, bytes, Mapping, Examples, os.PathLike, type
    return isinstance(source, Iterable) and not isinstance(source, apart)


def _unknown(name: str, option: str, value: Any, valid: Iterable[str]) -> UnknownNameError:
    if option == "config":
        return UnknownNameError(f"config of data set {name!r}:", value, ())
    return UnknownNameError(f"option of data set {name!r}:", option, valid)
