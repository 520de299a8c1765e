"""The gates that a run's options ask for, and the metrics that any gate of the run can speak of."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

import pytest

from pytest_context_bench.catalog import find_all
from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.gates import Gate
from pytest_context_bench.marker import MINIMA, minimum_gates
from pytest_context_bench.metrics import default_metrics
from pytest_context_bench.must_pass import ids_of
from pytest_context_bench.options import BY_NAME, setting
from pytest_context_bench.protocols import Metric
from pytest_context_bench.registry import registry

_must_pass_key = pytest.StashKey[tuple[str, ...]]()


def run_gates(config: pytest.Config) -> list[tuple[Gate, str]]:
    """Return the gates that the options ask for, each with the name of the minimum that it is, if it is one.

    A test may have a minimum of its own in place of that one. Raises ContextBenchError.
    """
    asked = [(text, "") for text in setting(config, "gate") or ()]
    minima = [(text, name) for name in MINIMA for text in minimum_gates(config, [name])]
    budget = [(text, "") for text in (setting(config, "max-errors"),) if text]
    return [(Gate.parse(text), name) for text, name in (*asked, *minima, *budget)]


def run_must_pass(config: pytest.Config) -> tuple[str, ...]:
    """Return the ids of the examples that have to pass in any test; files of them are read once.

    Raises InvalidValueError.
    """
    if _must_pass_key not in config.stash:
        named = setting(config, "must-pass") or ()
        config.stash[_must_pass_key] = ids_of(named, BY_NAME["must-pass"].flag_name)
    return config.stash[_must_pass_key]


def run_metrics(score_field: str, threshold: float, baseline_system: str = "") -> list[Metric]:
    """Return the default metrics and those registered for the run."""
    return [
        *default_metrics(score_field, threshold, baseline_system),
        *find_all("metric", registry.added("metric")),
    ]


def check_metrics(gates: Iterable[Gate]) -> None:
    """Check before anything runs that the metrics of *gates* exist. Raises UnknownNameError.

    A metric without `keys` may give any figure: then only the end of the run tells which there are.
    """
    declared = [getattr(metric, "keys", ("*",)) for metric in run_metrics("score", 0.0)]
    keys = [key for of_metric in declared for key in of_metric]
    for gate in gates:
        if not any(fnmatchcase(gate.metric, key) for key in keys):
            raise UnknownNameError(f"metric of gate {str(gate)!r}:", gate.metric, keys)
