"""Words what was measured beside what is allowed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from measure.processes import Cost


@dataclass(frozen=True)
class Verdict:
    """A figure and its bound, above which it must not be, or, if *at_least*, below which."""

    what: str
    figure: float
    bound: float
    unit: str = "x"
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the figure keeps to its bound."""
        return self.figure >= self.bound if self.at_least else self.figure <= self.bound

    def __str__(self) -> str:
        allowed = f"{'at least' if self.at_least else 'at most'} {self.bound:g}"
        outcome = "PASS" if self.holds else "FAIL"
        return f"{outcome}  {self.what}: {self.figure:.2f} {self.unit} ({allowed})"


def report(verdicts: Iterable[Verdict]) -> int:
    """Print *verdicts* as they come; return the exit status, 1 if one does not hold."""
    holding = []
    for verdict in verdicts:
        print(verdict, flush=True)
        holding.append(verdict.holds)
    return int(not all(holding))


def cpu(cost: Cost) -> float:
    """Return the seconds of processor time."""
    return cost.cpu


def wall(cost: Cost) -> float:
    """Return the seconds by the clock."""
    return cost.wall


def memory(cost: Cost) -> float:
    """Return the peak memory in mebibytes."""
    return cost.memory / 2**20


def least(costs: Sequence[Cost], figure: Callable[[Cost], float]) -> float:
    """Return the smallest *figure* of several runs: neighbours only ever add to it."""
    return min(map(figure, costs))


def ratio(costs: Sequence[Cost], base: Sequence[Cost], figure: Callable[[Cost], float]) -> float:
    """Return how many times *figure* is that of *base*."""
    return least(costs, figure) / least(base, figure)
