"""What a test asks for: its marker, over which the command line goes and under which the ini file."""

from collections.abc import Mapping
from typing import Any

import pytest

from pytest_context_bench.bounds import exact
from pytest_context_bench.errors import InvalidValueError, UnjudgedGatesError, UnknownNameError
from pytest_context_bench.gates import Gate
from pytest_context_bench.options import BY_NAME, setting
from pytest_context_bench.readers import ids_from, listed, text
from pytest_context_bench.terms import Terms

MARKER = "context_bench"
MINIMA = {"min-pass-rate": "pass_rate", "min-mean-score": "mean_score"}
GATES = (*(name.replace("-", "_") for name in MINIMA), "gates", "must_pass")
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
    "must_pass",
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
    return Terms(
        score_field=setting(config, "score-field", own),
        threshold=setting(config, "threshold", own),
        strict=setting(config, "strict", own),
        tolerant=setting(config, "max-errors") is not None,
        allow_code=setting(config, "allow-code-execution"),
        text_fields=setting(config, "text-fields", own),
        keep_texts=setting(config, "keep-texts"),
        fingerprint=any(setting(config, name) is not None for name in ("save", "baseline", "report")),
        gates=(*minimum_gates(config, minima, own), *_gates(own.get("gates"))),
        own_minima=minima,
        must_pass=_must_pass(config, own.get("must_pass")),
    )


def minimum_gates(config: pytest.Config, names: Any, own: Mapping[str, Any] | None = None) -> list[str]:
    """Return the gates that the options *names*, among the minima, stand for."""
    return minima_of({name: setting(config, name, own) for name in names})


def minima_of(values: Mapping[str, float | None]) -> list[str]:
    """Return the gates that the *values* of minima, by name, stand for."""
    return [f"{MINIMA[name]} >= {exact(value)}" for name, value in values.items() if value is not None]


def marker_of(node: pytest.Item) -> dict[str, Any]:
    """Return what the context_bench markers of a test say, the closest first. Raises ContextBenchError."""
    said: dict[str, Any] = {}
    for mark in node.iter_markers(MARKER):
        for key, value in mark.kwargs.items():
            if key not in KEYWORDS:
                raise UnknownNameError("keyword of marker context_bench", key, KEYWORDS)
            said.setdefault(key, value)
        if mark.args:
            raise InvalidValueError("marker context_bench", mark.args[0], f"given as {', '.join(KEYWORDS)}")
    return said


def check_judged(function: pytest.Item) -> None:
    """Check that a test whose own marker has gates takes the fixture: they are about what it records.

    The marker of a class or module may stand above tests that are no benchmarks. Raises UnjudgedGatesError.
    """
    if "context_bench" not in getattr(function, "fixturenames", ()):
        own = [mark for mark in function.own_markers if mark.name == MARKER]
        gates = [key for mark in own for key in mark.kwargs if key in GATES]
        if gates:
            raise UnjudgedGatesError(function.name, gates[0])


def _must_pass(config: pytest.Config, said: Any) -> tuple[str, ...]:
    """Read the examples of a marker that have to pass; a file of them is found from the root folder."""
    if said is None:
        return ()
    from pytest_context_bench.must_pass import ids_of

    where = "marker context_bench, must_pass"
    named = [ids_from(config.rootpath, text(where, str(one))) for one in listed(said)]
    return ids_of(named, where)


def _gates(said: Any) -> list[str]:
    """Read the gates of a marker."""
    from pytest_context_bench.run_gates import check_metrics

    texts = () if said is None else listed(said)
    gates = [Gate.parse(text("marker context_bench, gates", one)) for one in texts]
    check_metrics(gates)
    return list(map(str, gates))
