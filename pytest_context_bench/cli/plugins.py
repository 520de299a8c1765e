"""Modules that register things for the command line."""

import importlib
import sys
from collections.abc import Iterable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pytest_context_bench.blame import blame
from pytest_context_bench.errors import ContextBenchError
from pytest_context_bench.registry import registry

GROUP = "context_bench"  # of entry points
HOOK = "pytest_context_bench_register"  # the name is the plugin's, so that one module serves both


class BrokenPluginError(ContextBenchError):
    """A module that could not be imported, or whose registration failed."""

    def __init__(self, name: str, error: BaseException) -> None:
        super().__init__(f"plugin {name!r} failed: {blame(error)}")


def load(modules: Iterable[str]) -> None:
    """Import what is installed as a plugin, then *modules*; let each register. Raises BrokenPluginError."""
    for entry in entry_points(group=GROUP):
        _register(entry.name, entry.load)
    folder = str(Path.cwd())
    if folder not in sys.path:  # where `python -m` would look
        sys.path.append(folder)
    for name in modules:
        _register(name, lambda name=name: importlib.import_module(name))


def _register(name: str, imported: Any) -> None:
    try:
        found = imported()
        hook = found if callable(found) else getattr(found, HOOK, None)
        if hook is not None:
            hook(registry)
    except ContextBenchError:
        raise
    except (Exception, SystemExit) as error:  # a user's module can fail in any way
        raise BrokenPluginError(name, error) from error
