"""Decides what a comparison means for the build."""

from dataclasses import dataclass
from math import isnan

from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.regression import words
from pytest_context_bench.regression.comparison import Comparison
from pytest_context_bench.stats.paired import ROUNDING

MODES = ("regression", "noninferiority")


@dataclass(frozen=True)
class Outcome:
    """`PASS`, `WARN` or `FAIL`, and why."""

    status: str
    reason: str


def outcome(comparison: Comparison, adjusted_p: float, mode: str) -> Outcome:
    """Decide *mode*, with the p-value of *comparison* adjusted for all that are made at once.

    `regression` fails where a drop beyond the margin is proven, and warns where it is only observed.
    `noninferiority` passes where it is proven that there is none. Each such proof must hold for the build to
    pass, so that they need no adjustment (Berger 1982, Technometrics 24:295-300). Raises UnknownNameError.
    """
    if mode not in MODES:
        raise UnknownNameError("mode of comparison", mode, MODES)
    if isnan(comparison.difference):
        return Outcome("FAIL", words.nothing(comparison))
    beyond = comparison.drop > comparison.margin + ROUNDING
    if beyond and adjusted_p < comparison.alpha:
        return Outcome("FAIL", words.proven_drop(comparison, adjusted_p))
    if mode == "regression":
        return _regression(comparison, adjusted_p, beyond=beyond)
    return _noninferiority(comparison, adjusted_p, beyond=beyond)


def _regression(comparison: Comparison, adjusted_p: float, *, beyond: bool) -> Outcome:
    if beyond:
        return Outcome("WARN", words.unproven_drop(comparison, adjusted_p))
    return Outcome("PASS", words.no_drop(comparison))


def _noninferiority(comparison: Comparison, adjusted_p: float, *, beyond: bool) -> Outcome:
    if beyond:
        return Outcome("FAIL", f"inconclusive: {words.unproven_drop(comparison, adjusted_p)}")
    if comparison.greatest_drop < comparison.margin:
        return Outcome("PASS", words.proven_equal(comparison))
    return Outcome("FAIL", words.inconclusive(comparison))
