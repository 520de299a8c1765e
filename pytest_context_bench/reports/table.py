"""The figures that every report shows, worked out and worded once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isnan

from pytest_context_bench.comparison import Comparison
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.gates import Gate, Verdict, shown
from pytest_context_bench.population import Population

NOTHING = "-"
BRANCH = "|- "  # leads the name of a data set, below its system


@dataclass(frozen=True)
class Column:
    """A column: its *heading*, the summary key it shows, and with how many decimals."""

    heading: str
    key: str
    digits: int = 0

    @property
    def heading_in_line(self) -> str:
        """The heading where there is room for it in one line."""
        return self.heading.replace("-\n", "").replace("\n", " ")


COLUMNS = (
    Column("n", "n"),
    Column("errors", "errors"),
    Column("pass\nrate", "pass_rate", 3),
    Column("mean\nscore", "mean_score", 3),
    Column("compres-\nsion", "compression_ratio", 3),
    Column("tokens\n/ pass", "cost_of_pass"),
    Column("prompt\ntokens", "mean_prompt_tokens"),
    Column("prompt\ncut", "prompt_reduction", 3),
    Column("latency\np95 (s)", "latency_p95", 3),
    Column("Pareto\nrank", "pareto_rank"),
)


@dataclass(frozen=True)
class Cell:
    """A figure in words: its *text*, the reach of its interval as `±0.031`, its *delta* to the baseline."""

    text: str = NOTHING
    margin: str = ""
    delta: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.text, self.margin, self.delta and f"({self.delta})")))


@dataclass(frozen=True)
class Line:
    """The figures of one system, over all its rows or on one *dataset*."""

    system: str
    dataset: str | None
    cells: Sequence[Cell]

    @property
    def name(self) -> str:
        """The system, or the data set below it."""
        return one_line(self.system) if self.dataset is None else f"{BRANCH}{one_line(self.dataset)}"


@dataclass(frozen=True)
class Table:
    """The columns that any line has something in, and the lines."""

    columns: Sequence[Column]
    lines: Sequence[Line]

    def without(self, *keys: str) -> "Table":
        """Return the table without the columns of *keys*."""
        kept = [at for at, column in enumerate(self.columns) if column.key not in keys]
        lines = [replace(line, cells=[line.cells[at] for at in kept]) for line in self.lines]
        return Table([self.columns[at] for at in kept], lines)

    def changed(self, **texts: str) -> "Table":
        """Return the table with other *texts* in every cell, as `margin=""`."""
        lines = [replace(line, cells=[replace(cell, **texts) for cell in line.cells]) for line in self.lines]
        return Table(self.columns, lines)


def table_of(
    population: Population, verdicts: Iterable[Verdict] = (), comparison: Comparison | None = None
) -> Table:
    """Return a line a system; where there are several data sets, one for each of them below it.

    Figures have as many decimals as it takes not to contradict the *verdicts*.
    """
    gates = [gate for verdict in verdicts if (gate := verdict.asked) is not None]
    datasets = population.datasets()
    parts: list[str | None] = [None, *(datasets if len(datasets) > 1 else ())]
    lines = [
        Line(
            system,
            dataset,
            [_cell(column, system, dataset, population, gates, comparison) for column in COLUMNS],
        )
        for system in population.systems()
        for dataset in parts
        if system in population.summary(dataset)
    ]
    empty = [
        column.key
        for at, column in enumerate(COLUMNS)
        if all(line.cells[at].text == NOTHING for line in lines)
    ]
    return Table(COLUMNS, lines).without(*empty)


def _cell(
    column: Column,
    system: str,
    dataset: str | None,
    population: Population,
    gates: Sequence[Gate],
    comparison: Comparison | None,
) -> Cell:
    value = population.summary(dataset)[system].get(column.key)
    if value is None:
        return Cell()
    judging = [gate for gate in gates if gate.metric == column.key]
    texts = [shown(value, gate.op, gate.bound, column.digits) for gate in judging]
    text = max((f"{value:,.{column.digits}f}", *texts), key=len)
    interval = population.interval(column.key, system, dataset)
    margin = "" if interval is None else f"±{interval.reach:.{column.digits}f}"
    difference = comparison.difference(system, dataset, column.key) if comparison else None
    return Cell(text, margin, "" if difference is None else _worded(difference.change, column.digits))


def _worded(change: float, digits: int) -> str:
    """Word a difference from the baseline; nothing where none shows."""
    text = "" if isnan(change) else f"{change:+,.{digits}f}"  # of infinite to infinite there is none
    return text if text.strip("+-0.,") else ""
