"""Compares the means, or the rates, of two runs."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import inf, isfinite

from pytest_context_bench.regression.comparison import ALPHA, Comparison, known, unknown
from pytest_context_bench.regression.plan import Plan
from pytest_context_bench.stats.evidence import of_means, of_rates
from pytest_context_bench.stats.paired import Pair, paired_means
from pytest_context_bench.stats.power import fewest


def compare(
    pairs: Mapping[Hashable, Pair],
    *,
    margin: float,
    rates: bool,
    alpha: float = ALPHA,
    seed: int = 0,
    higher_is_better: bool = True,
) -> Comparison:
    """Compare the means of *pairs*: for each example its values in the baseline, and in the current run.

    *rates* says that each value is 0 or 1; where each example has one run, tests for proportions judge them.
    Examples without values on either side are left out. The order of examples and of runs never shows.
    """
    whole = [pair for pair in pairs.values() if pair[0] and pair[1]]
    means = paired_means(whole)
    if not isfinite(means.difference):
        return unknown(len(whole), means.baseline, means.current, alpha, higher_is_better=higher_is_better)
    gains = means if higher_is_better else means.mirrored()
    reach = _reach(whole)
    if rates and _are_single_outcomes(whole):
        evidence = of_rates(gains.lost, gains.gained, len(whole), margin, alpha)
    else:
        evidence = of_means(gains, margin, alpha, reach, seed)
    hidden = reach if means.changed < fewest(alpha) else 0.0
    most = reach if reach == 1 else inf  # of other scores nobody knows the range
    plan = Plan(len(whole), means.deviation, margin, alpha, hidden, most)
    evidence = replace(evidence, low=max(evidence.low, -most), high=min(evidence.high, most))
    return known(means.baseline, means.current, evidence, plan, higher_is_better=higher_is_better)


def _reach(pairs: Sequence[Pair]) -> float:
    """Return how far apart two values can lie: 1 where all lie in [0, 1]."""
    values = list(chain.from_iterable(chain.from_iterable(pairs)))
    return max(1.0, *values) - min(0.0, *values)


def _are_single_outcomes(pairs: Sequence[Pair]) -> bool:
    return all(len(values) == 1 and values[0] in (0, 1) for values in chain.from_iterable(pairs))
