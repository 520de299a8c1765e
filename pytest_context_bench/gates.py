"""Gates: assertions about a summary that decide the build."""

import math
import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pytest_context_bench.bounds import Relative, check_share, exact, number_from, relative_from
from pytest_context_bench.errors import InvalidValueError, UnknownNameError, nearest
from pytest_context_bench.population import Population

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}
FORM = (
    "a gate such as 'pass_rate>=0.85', 'mean_score>=baseline-0.02' or 'latency_p95<=2 @ "
    "system=mine,dataset=needle'"
)
PASSING = frozenset({"PASS", "WARN"})
_SYNTAX = re.compile(
    r"\s*(?P<metric>[^<>=@]+?)\s*(?P<op>>=|<=|==|>|<)\s*(?P<bound>[^<>=@]+?)\s*(?:@(?P<where>.*))?",
    re.DOTALL,
)
_NEXT_KEY = re.compile(r",(?=\s*\w+\s*=)")  # other commas are part of a name


@dataclass(frozen=True)
class Gate:
    """`METRIC OP BOUND [@ system=NAME,dataset=NAME]`; without a system it must hold for every one.

    The *bound* of one that is *relative* is NaN until there is a baseline.
    """

    metric: str
    op: str
    bound: float
    system: str | None = None
    dataset: str | None = None
    relative: Relative | None = None

    @classmethod
    def parse(cls, text: str) -> "Gate":
        """Read a gate expression. Raises InvalidValueError or UnknownNameError."""
        match = _SYNTAX.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise InvalidValueError("gate", text, FORM)
        metric, relative = match["metric"], relative_from(match["bound"], text)
        bound = math.nan if relative else number_from(match["bound"], text)
        check_share(metric, bound, relative, text)
        selector = _selector(match["where"], text)
        return cls(metric, match["op"], bound, selector.get("system"), selector.get("dataset"), relative)

    def holds(self, value: float) -> bool:
        """Whether *value* is within the bound; never for NaN."""
        return not math.isnan(value) and OPERATORS[self.op](value, self.bound)

    def __str__(self) -> str:
        selector = [
            f"{key}={value}"
            for key, value in (("system", self.system), ("dataset", self.dataset))
            if value is not None
        ]
        where = f" @ {','.join(selector)}" if selector else ""
        bound = self.relative.text if self.relative else exact(self.bound)
        return f"{self.metric} {self.op} {bound}{where}"


@dataclass(frozen=True)
class Finding:
    """What a gate found for one system: the value, over how many rows, and whether it holds.

    *reason* is how a comparison with the baseline came out; one that *warns* holds for want of proof.
    """

    system: str
    value: float | None
    n: int
    holds: bool
    problem: str = ""
    reason: str = ""
    warns: bool = False


@dataclass(frozen=True)
class Verdict:
    """`PASS`, `FAIL`, `WARN` where nothing is proven, or `PARTIAL` where the run did not finish.

    A partial run can fail a gate, and not pass it.
    """

    gate: str
    status: str
    findings: tuple[Finding, ...] = ()
    problem: str = ""
    test: str = ""

    @property
    def passed(self) -> bool:
        """Whether the build may go on."""
        return self.status in PASSING

    @property
    def asked(self) -> Gate | None:
        """The gate; none where the verdict is about something else, as examples that must pass."""
        return Gate.parse(self.gate) if _SYNTAX.fullmatch(self.gate) else None

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Verdict":
        """Return the verdict that was saved as *values*."""
        return cls(**{**values, "findings": tuple(Finding(**finding) for finding in values["findings"])})


def judge(gate: Gate, population: Population, *, partial: bool = False, test: str = "") -> Verdict:
    """Judge *gate* over *population*; nothing, an unknown name and NaN are failures that say so."""
    problem = missing(gate, population)
    if problem:
        return Verdict(str(gate), "FAIL", problem=problem, test=test)
    findings = tuple(
        _finding(gate, system, population)
        for system in population.summary(gate.dataset)
        if gate.system in {None, system}
    )
    if not findings:
        problem = f"no rows of system {gate.system!r} on data set {gate.dataset!r}"
    holds = bool(findings) and all(finding.holds for finding in findings)
    status = ("PARTIAL" if partial else "PASS") if holds else "FAIL"
    return Verdict(str(gate), status, findings, problem, test)


def shown(value: float, op: str, bound: float, digits: int = 3) -> str:
    """Word *value* with as many decimals as it takes, from *digits* on, not to contradict its verdict."""
    if not math.isfinite(value):
        return str(value)
    texts = (f"{value:,.{places}f}" for places in range(digits, 17))
    verdict = OPERATORS[op](value, bound)
    read = ((text, float(text.replace(",", ""))) for text in texts)
    return next((text for text, number in read if OPERATORS[op](number, bound) == verdict), repr(value))


def _selector(where: str | None, gate: str) -> dict[str, str]:
    if where is None:
        return {}
    pairs = [pair.partition("=") for pair in _NEXT_KEY.split(where)]
    selector = {key.strip(): value.strip() for key, _, value in pairs}
    for key, value in selector.items():
        if key not in {"system", "dataset"}:
            raise UnknownNameError(f"selector of gate {gate!r}:", key, ("system", "dataset"))
        if not value:
            raise InvalidValueError(f"gate {gate!r}, {key}", value, f"the name of a {key}")
    if len(selector) != len(pairs):
        raise InvalidValueError("gate", gate, "one that selects each of system and dataset at most once")
    return selector


def missing(gate: Gate, population: Population) -> str:
    """Say which part of *gate* the population has nothing of, or nothing."""
    if not population.rows:
        return "no rows"
    if gate.system is not None and gate.system not in population.systems():
        return str(UnknownNameError("system", gate.system, population.systems()))
    if gate.dataset is not None and gate.dataset not in population.datasets():
        return str(UnknownNameError("data set", gate.dataset, population.datasets()))
    known = {key for figures in population.summary(gate.dataset).values() for key in figures}
    return "" if gate.metric in known else _unknown_metric(gate.metric, known, population)


def _unknown_metric(metric: str, known: Iterable[str], population: Population) -> str:
    said = f"no row gives the metric {metric!r}"
    return said if population.declares(metric) else f"{said}: {nearest(metric, known)}"


def _finding(gate: Gate, system: str, population: Population) -> Finding:
    figures = population.summary(gate.dataset)[system]
    n = population.count(gate.metric, system, gate.dataset)
    value = figures.get(gate.metric)
    if value is None:
        return Finding(
            system, None, n, holds=False, problem=_unknown_metric(gate.metric, figures, population)
        )
    return Finding(system, value, n, gate.holds(value))
