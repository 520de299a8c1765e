"""The figures that every report shows, worked out and worded once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_context_bench.metrics.quality import UNTAGGED
from pytest_context_bench.population import Population
from pytest_context_bench.protocols import Scores

NOTHING = "-"
BRANCH = "|- "  # leads the name of a data set, below its system


@dataclass(frozen=True)
class Column:
    """A column: its *heading*, the summary key it shows, and how the figure is worded."""

    heading: str
    key: str
    form: str


COLUMNS = (
    Column("n", "n", "{:.0f}"),
    Column("errors", "errors", "{:.0f}"),
    Column("pass\nrate", "pass_rate", "{:.3f}"),
    Column("mean\nscore", "mean_score", "{:.3f}"),
    Column("compres-\nsion", "compression_ratio", "{:.3f}"),
    Column("tokens\nper pass", "cost_of_pass", "{:,.0f}"),
    Column("latency\np95 (s)", "latency_p95", "{:.3f}"),
    Column("Pareto\nrank", "pareto_rank", "{:.0f}"),
)


@dataclass(frozen=True)
class Table:
    """Headings and lines of worded cells."""

    headings: Sequence[str]
    lines: Sequence[Sequence[str]]


def table_of(population: Population) -> Table:
    """Return a line a system; where there are several data sets, one for each of them below it."""
    datasets = population.datasets()
    lines = []
    for system in population.systems():
        lines.append(_line(system, population.summary()[system]))
        for dataset in datasets if len(datasets) > 1 else ():
            figures = population.summary(dataset).get(system)
            if figures is not None:
                lines.append(_line(f"{BRANCH}{dataset or UNTAGGED}", figures))
    return _without_empty(["system", *(column.heading for column in COLUMNS)], lines)


def _line(name: str, figures: Scores) -> list[str]:
    return [name, *(_cell(column, figures) for column in COLUMNS)]


def _cell(column: Column, figures: Mapping[str, float]) -> str:
    value = figures.get(column.key)
    return NOTHING if value is None else column.form.format(value)


def _without_empty(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> Table:
    """Leave out the columns that say nothing of any line."""
    kept = [at for at in range(len(headings)) if any(line[at] != NOTHING for line in lines)]
    return Table([headings[at] for at in kept], [[line[at] for at in kept] for line in lines])
