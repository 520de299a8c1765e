"""Several tests at once."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values, in their order, adjusted for their number.

    With those below alpha afterwards, the chance of a single false one is at most alpha: Holm (1979),
    Scandinavian Journal of Statistics 6:65-70. NaN, which proves nothing, counts as 1.
    """
    values = [p if p <= 1 else 1.0 for p in p_values]
    adjusted, highest = values[:], 0.0
    for rank, at in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[at]))
        adjusted[at] = highest
    return adjusted
