"""What a test asks for: its marker, over which the command line goes and under which the ini file."""

from collections.abc import Mapping
from typing import Any

import pytest

from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.gates import Gate, exact
from pytest_context_bench.options import BY_NAME, setting
from pytest_context_bench.readers import listed
from pytest_context_bench.terms import Terms

MARKER = "context_bench"
MINIMA = {"min-pass-rate": "pass_rate", "min-mean-score": "mean_score"}
# What a marker may say; systems and gates are plural there, since it takes them as lists.
KEYWORDS = (
    "dataset",
    "systems",
    "max_examples",
    "seed",
    "score_field",
    "threshold",
    "min_pass_rate",
    "min_mean_score",
    "gates",
    "text_fields",
    "strict",
)


def terms_of(config: pytest.Config, own: Mapping[str, Any] | None = None) -> Terms:
    """Return the terms of a test whose marker says *own*. Raises ContextBenchError."""
    own = own or {}
    minima = tuple(
        name
        for name in MINIMA
        if own.get(name.replace("-", "_")) is not None and not BY_NAME[name].on_command_line(config)
    )
    gates = [
        *minimum_gates(config, minima, own),
        *(str(Gate.parse(text)) for text in listed(own.get("gates") or ())),
    ]
    return Terms(
        score_field=setting(config, "score-field", own),
        threshold=setting(config, "threshold", own),
        strict=setting(config, "strict", own),
        tolerant=setting(config, "max-errors") is not None,
        text_fields=setting(config, "text-fields", own),
        gates=tuple(gates),
        own_minima=minima,
    )


def minimum_gates(config: pytest.Config, names: Any, own: Mapping[str, Any] | None = None) -> list[str]:
    """Return the gates that the options *names*, among the minima, stand for."""
    values = {name: setting(config, name, own) for name in names}
    return [f"{MINIMA[name]} >= {exact(value)}" for name, value in values.items() if value is not None]


def marker_of(node: pytest.Item) -> dict[str, Any]:
    """Return what the context_bench markers of a test say, the closest first. Raises UnknownNameError."""
    said: dict[str, Any] = {}
    for mark in node.iter_markers(MARKER):
        for key, value in mark.kwargs.items():
            if key not in KEYWORDS:
                raise UnknownNameError("keyword of marker context_bench", key, KEYWORDS)
            said.setdefault(key, value)
        if mark.args:
            raise UnknownNameError("positional argument of marker context_bench", mark.args[0], KEYWORDS)
    return said
