"""The figures that every report shows, worked out and worded once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_context_bench.excerpt import one_line
from pytest_context_bench.gates import Gate, Verdict, shown
from pytest_context_bench.population import Population
from pytest_context_bench.protocols import Scores

NOTHING = "-"
BRANCH = "|- "  # leads the name of a data set, below its system


@dataclass(frozen=True)
class Column:
    """A column: its *heading*, the summary key it shows, and with how many decimals."""

    heading: str
    key: str
    digits: int = 0


COLUMNS = (
    Column("n", "n"),
    Column("errors", "errors"),
    Column("pass\nrate", "pass_rate", 3),
    Column("mean\nscore", "mean_score", 3),
    Column("compres-\nsion", "compression_ratio", 3),
    Column("tokens\nper pass", "cost_of_pass"),
    Column("prompt\ntokens", "mean_prompt_tokens"),
    Column("prompt\ncut", "prompt_reduction", 3),
    Column("latency\np95 (s)", "latency_p95", 3),
    Column("Pareto\nrank", "pareto_rank"),
)


@dataclass(frozen=True)
class Table:
    """Headings and lines of worded cells."""

    headings: Sequence[str]
    lines: Sequence[Sequence[str]]


def table_of(population: Population, verdicts: Iterable[Verdict] = ()) -> Table:
    """Return a line a system; where there are several data sets, one for each of them below it.

    Figures have as many decimals as it takes not to contradict the *verdicts*.
    """
    gates = [Gate.parse(verdict.gate) for verdict in verdicts]
    datasets = population.datasets()
    lines = []
    for system in population.systems():
        lines.append(_line(one_line(system), population.summary()[system], gates))
        for dataset in datasets if len(datasets) > 1 else ():
            figures = population.summary(dataset).get(system)
            if figures is not None:
                lines.append(_line(f"{BRANCH}{one_line(dataset)}", figures, gates))
    return _without_empty(["system", *(column.heading for column in COLUMNS)], lines)


def _line(name: str, figures: Scores, gates: Sequence[Gate]) -> list[str]:
    return [name, *(_cell(column, figures.get(column.key), gates) for column in COLUMNS)]


def _cell(column: Column, value: float | None, gates: Sequence[Gate]) -> str:
    if value is None:
        return NOTHING
    judging = [gate for gate in gates if gate.metric == column.key]
    texts = [shown(value, gate.op, gate.bound, column.digits) for gate in judging]
    return max((f"{value:,.{column.digits}f}", *texts), key=len)


def _without_empty(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> Table:
    """Leave out the columns that say nothing of any line."""
    kept = [at for at in range(len(headings)) if any(line[at] != NOTHING for line in lines)]
    return Table([headings[at] for at in kept], [[line[at] for at in kept] for line in lines])
