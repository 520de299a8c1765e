"""Compares figures that are means, by the values of pairs of rows."""

from collections.abc import Hashable

from pytest_context_bench.gates import Relative
from pytest_context_bench.metrics.values import Values
from pytest_context_bench.pairing import Paired
from pytest_context_bench.regression import Comparison, compare
from pytest_context_bench.stats import mean

SEED = 0


def compare_values(paired: Paired, values: Values, relative: Relative, *, higher: bool) -> Comparison:
    """Compare a mean of one value a row with the bound that the baseline's sets."""
    pairs: dict[Hashable, tuple[list[float], list[float]]] = {}
    for key, (old, new) in paired.pairs.items():
        before, now = ([value for _, value in values.read(rows)] for rows in (old, new))
        if before and now:
            pairs[key] = before, now
    whole = mean([value for before, _ in pairs.values() for value in before]) if pairs else 0.0
    bound = relative.bound(whole)
    margin = whole - bound if higher else bound - whole
    return compare(pairs, margin=margin, rates=values.rates, seed=SEED, higher_is_better=higher)
