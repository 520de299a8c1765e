"""The charts of a result, drawn from the figures of its table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, isnan

from markupsafe import Markup

from pytest_context_bench.excerpt import one_line
from pytest_context_bench.metrics import ParetoRank
from pytest_context_bench.metrics.selection import by_system
from pytest_context_bench.population import Population
from pytest_context_bench.protocols import Scores
from pytest_context_bench.reports.charts import (
    Bar,
    Curve,
    Distribution,
    Point,
    bars,
    distribution,
    latency,
    mark,
    pareto,
)
from pytest_context_bench.reports.charts.scale import LARGEST
from pytest_context_bench.reports.pairs import Judged
from pytest_context_bench.reports.table import Cell, Table
from pytest_context_bench.rows import EvalRow


@dataclass(frozen=True)
class Line:
    """A line of the table: of a system (at *place* among them), or of one data set of it."""

    place: int
    system: str
    dataset: str | None
    figures: Scores
    cells: Mapping[str, Cell]  # by the key of the summary

    @property
    def sign(self) -> Markup:
        """The mark of the system."""
        return mark(self.place)

    @property
    def name(self) -> str:
        """What the line is about, in one line."""
        return named(self.system if self.dataset is None else self.dataset)

    def value(self, key: str) -> float | None:
        """Return a figure that can be drawn."""
        value = self.figures.get(key)
        return None if value is None or isnan(value) else value

    def worded(self, key: str) -> str:
        """Return a figure in the words of the table."""
        return self.cells.get(key, Cell()).text


@dataclass(frozen=True)
class Figure:
    """A chart and what stands above it."""

    chart: Markup
    name: str = ""
    said: str = ""
    sign: Markup = Markup()  # noqa: RUF009 - as immutable as a str


@dataclass(frozen=True)
class Figures:
    """The charts of the rows of *population*, in the words of *table*."""

    population: Population
    table: Table
    judged: Judged

    @cached_property
    def lines(self) -> list[Line]:
        """The lines of the table, with what they are about."""
        columns = [column.key for column in self.table.columns]
        return [
            Line(place, system, dataset, figures, dict(zip(columns, of_table.cells, strict=True)))
            for (place, system, dataset, figures), of_table in zip(
                self._subjects(), self.table.lines, strict=True
            )
        ]

    @property
    def systems(self) -> list[Line]:
        """The lines of the systems, over all data sets."""
        return [line for line in self.lines if line.dataset is None]

    def pareto(self) -> Figure | None:
        """Return quality against cost, where any system has both."""
        ranks = ParetoRank.rank_systems({line.system: line.figures for line in self.systems})
        points = [
            Point(
                line.place,
                line.name,
                cost,
                quality,
                f"{line.worded('mean_score')} at {line.worded('cost_of_pass')} tokens per pass",
                ranks[line.system] == 1,
            )
            for line in self.systems
            if (cost := line.value("cost_of_pass")) is not None
            and (quality := line.value("mean_score")) is not None
        ]
        return Figure(pareto(points, "tokens per pass", "mean score")) if points else None

    def datasets(self) -> list[Figure]:
        """Return the mean scores on each data set."""
        drawn = [line for line in self.lines if line.value("mean_score") is not None]
        values = [line.figures["mean_score"] for line in drawn]
        most = max([1, *(value for value in values if isfinite(value))])
        return [
            Figure(bars(f"Mean score on {named(dataset)}", given, most), named(dataset))
            for dataset in self.population.datasets()
            if (given := [_bar(line) for line in drawn if line.dataset == self._within(dataset)])
        ]

    def distributions(self) -> list[Figure]:
        """Return how the scores of each system are distributed, all on the same axes."""
        scores = {system: self._scores(system) for system in self._rows}
        every = [score for of_system in scores.values() for score in of_system]
        if not every:
            return []
        low, high = min(0.0, *every), max(1.0, *every)
        given = [Distribution(line.place, line.name, scores[line.system], low, high) for line in self.systems]
        most = max(max(one.counts()) for one in given)
        return [
            Figure(distribution(one, most, self.judged.threshold), one.name, self._counted(line), line.sign)
            for one, line in zip(given, self.systems, strict=True)
        ]

    def latency(self) -> Figure | None:
        """Return the curves of latency of the systems that answered at all."""
        taken = {
            line.place: sorted(row.latency for row in self._rows[line.system] if _took_time(row))
            for line in self.systems
        }
        curves = [
            Curve(line.place, line.name, seconds, f"p95 {line.worded('latency_p95')} s")
            for line in self.systems
            if (seconds := taken[line.place])
        ]
        return Figure(latency(curves)) if curves else None

    def _subjects(self) -> Iterator[tuple[int, str, str | None, Scores]]:
        """Yield what the lines of the table are about, in their order."""
        datasets: Sequence[str | None] = self.population.datasets()
        for place, system in enumerate(self.population.systems()):
            for dataset in (None, *(datasets if len(datasets) > 1 else ())):
                figures = self.population.summary(dataset).get(system)
                if figures is not None:
                    yield place, system, dataset, figures

    @cached_property
    def _rows(self) -> dict[str, list[EvalRow]]:
        return by_system(self.population.rows)

    def _within(self, dataset: str) -> str | None:
        """Return the data set as lines name it: a single one has no lines of its own."""
        return dataset if len(self.population.datasets()) > 1 else None

    def _scores(self, system: str) -> list[float]:
        given = (row.scores.get(self.judged.score_field) for row in self._rows[system] if row.error is None)
        return [
            min(max(score, -LARGEST), LARGEST) for score in given if score is not None and isfinite(score)
        ]

    def _counted(self, line: Line) -> str:
        """Say how many pairs a distribution shows, and how many it cannot."""
        rows = self._rows[line.system]
        errors = sum(row.error is not None for row in rows)
        without = len(rows) - errors - len(self._scores(line.system))
        parts = [f"{len(rows):,} pairs" if len(rows) > 1 else "1 pair"]
        parts += [f"{errors:,} with an error"] if errors else []
        parts += [f"{without:,} without a score"] if without else []
        return ", ".join(parts)


def named(name: str) -> str:
    """Return the name of a system or data set in one line that is not empty."""
    return one_line(name) or "(no name)"


def _bar(line: Line) -> Bar:
    return Bar(line.place, named(line.system), line.figures["mean_score"], line.worded("mean_score"))


def _took_time(row: EvalRow) -> bool:
    return row.error is None and isfinite(row.latency) and row.latency >= 0
