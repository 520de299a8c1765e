"""Modules that register things for the command line."""

import importlib
import sys
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pytest_context_bench.blame import blame
from pytest_context_bench.catalog import find_all
from pytest_context_bench.errors import ContextBenchError
from pytest_context_bench.metrics.saved import NotSaved
from pytest_context_bench.registry import registry
from pytest_context_bench.results import EvalResult

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


def restored(result: EvalResult) -> EvalResult:
    """Return *result*, which was read back, with the metrics that are registered in place of their names."""
    registered = {metric.name: metric for metric in find_all("metric", registry.added("metric"))}
    if result.metrics is None:
        return result
    metrics = [
        registered.get(metric.name, metric) if isinstance(metric, NotSaved) else metric
        for metric in result.metrics
    ]
    return replace(result, metrics=metrics)


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
