"""The best one-to-one pairing of two sides, such as predicted and gold spans."""

from collections.abc import Sequence

_ROUNDING = 1e-12  # a gain this small is an error of rounding


def best_pairs(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return the (row, column) pairs with the largest sum of *weights*, none of them below 0.

    Exact: row after row is paired along the chain of moves that gains most. Meant for few rows or columns.
    """
    if len(weights) > len(weights[0]):
        return sorted((row, column) for column, row in best_pairs(list(zip(*weights, strict=True))))
    owners: dict[int, int] = {}
    for row in range(len(weights)):
        _admit(row, weights, owners)
    return sorted((row, column) for column, row in owners.items())


def _admit(row: int, weights: Sequence[Sequence[float]], owners: dict[int, int]) -> None:
    """Give *row* a column; *owners* maps each column to its row."""
    gains, previous = _chains(row, weights, owners)
    column = max((column for column in range(len(gains)) if column not in owners), key=gains.__getitem__)
    while column in previous:
        owners[column] = owners[previous[column]]
        column = previous[column]
    owners[column] = row


def _chains(
    row: int, weights: Sequence[Sequence[float]], owners: dict[int, int]
) -> tuple[list[float], dict[int, int]]:
    """Return the most that *row* gains by a chain to each column, and the column before that in the chain."""
    gains, previous = list(weights[row]), dict[int, int]()
    for _ in owners:  # a chain moves each owner at most once
        for column, owner in owners.items():
            kept = gains[column] - weights[owner][column]
            for other, weight in enumerate(weights[owner]):
                if kept + weight > gains[other] + _ROUNDING:
                    gains[other], previous[other] = kept + weight, column
    return gains, previous
