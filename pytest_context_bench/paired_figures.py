"""Compares a figure of a run with that of its baseline, by the pairs that both have."""

from collections.abc import Hashable, Sequence

from pytest_context_bench.bounds import Relative
from pytest_context_bench.metrics.values import Parts, Values, parts_of, values_of
from pytest_context_bench.pairing import Paired
from pytest_context_bench.protocols import Metric
from pytest_context_bench.regression import Comparison, Figure, compare, compare_figures
from pytest_context_bench.stats import mean

SEED = 0


def compare_pairs(
    paired: Paired, metric: Metric, key: str, relative: Relative, *, higher: bool
) -> Comparison:
    """Compare the figure *key* of *metric* with the bound that the baseline's sets."""
    values = values_of(metric, key)
    if values is not None:
        return compare_values(paired, values, relative, higher=higher)
    return _compare_parts(paired, parts_of(metric, key), relative, higher=higher)


def compare_values(paired: Paired, values: Values, relative: Relative, *, higher: bool) -> Comparison:
    """Compare a mean of one value a row."""
    of = values.of
    pairs: dict[Hashable, tuple[list[float], list[float]]] = {}
    for key, (old, new) in paired.within(values.dataset).pairs.items():
        before = [value for row in old if (value := of(row)) is not None]
        now = [value for row in new if (value := of(row)) is not None]
        if before and now:
            pairs[key] = before, now
    whole = mean([value for before, _ in pairs.values() for value in before]) if pairs else 0.0
    bound = relative.bound(whole)
    margin = whole - bound if higher else bound - whole
    return compare(pairs, margin=margin, rates=values.rates, seed=SEED, higher_is_better=higher)


def _compare_parts(paired: Paired, parts: Parts, relative: Relative, *, higher: bool) -> Comparison:
    """Compare any other figure by resampling the examples."""
    given: list[object] = []
    places: dict[Hashable, tuple[range, range]] = {}
    for key, (old, new) in paired.pairs.items():
        first, middle = len(given), len(given) + len(old)
        given += map(parts.of, (*old, *new))
        places[key] = range(first, middle), range(middle, len(given))

    def figure(at: Sequence[int]) -> float:
        return parts.fold(list(map(given.__getitem__, at)))

    held = Figure(figure, relative.bound, higher_is_better=higher, steady=parts.steady)
    return compare_figures(places, held, seed=SEED)
