"""What a run found: its rows, folded into a summary."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_context_bench.comparison import Comparison
from pytest_context_bench.errors import (
    BadRecordError,
    MissingExtraError,
    NewerSchemaError,
    UnknownNameError,
    brief,
)
from pytest_context_bench.flat import flatten
from pytest_context_bench.gates import Verdict
from pytest_context_bench.metrics import default_metrics, summarize
from pytest_context_bench.metrics.saved import NotSaved, from_saved, to_saved
from pytest_context_bench.plain import dumps, non_finite, restore, to_plain
from pytest_context_bench.population import Population
from pytest_context_bench.protocols import Metric, Summary
from pytest_context_bench.rows import ROW_FIELDS, EvalRow

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["EvalResult", "EvalRow"]


@dataclass
class EvalResult:
    """The rows of a run, system -> metric key -> value, seconds spent, and the settings that matter.

    *metrics* fold the rows anew when they are filtered; *verdicts* are those of the run's gates; *notes*
    is what a reader must know beside the numbers; *comparison* is with the run's baseline, if it has one.
    """

    rows: list[EvalRow]
    summary: Summary
    timing: dict[str, float] = field(default_factory=dict)
    config: dict[str, Any] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    metrics: Sequence[Metric] | None = field(default=None, repr=False, compare=False)
    comparison: Comparison | None = None

    def population(self) -> Population:
        """Return the rows with the metrics that fold them, those of the settings if none are known.

        Users' metrics of a result that was read back are not among them: it holds no code.
        """
        metrics = self.metrics if self.metrics is not None else _metrics_of(self.config)
        return Population(self.rows, [metric for metric in metrics if not isinstance(metric, NotSaved)])

    def filter(self, **wanted: Any) -> "EvalResult":
        """Return the result over the rows whose fields equal *wanted*, its summary computed anew.

        Verdicts stay behind: they were about all rows. Raises UnknownNameError for a field rows lack.
        """
        for name in wanted:
            if name not in ROW_FIELDS:
                raise UnknownNameError("row field", name, ROW_FIELDS)
        kept = [
            row for row in self.rows if all(getattr(row, name) == value for name, value in wanted.items())
        ]
        metrics = self.metrics if self.metrics is not None else _metrics_of(self.config)
        summary, problems = summarize(kept, metrics)
        timing = {name: seconds for name, seconds in self.timing.items() if name in summary}
        return EvalResult(kept, summary, timing, self.config, notes=problems, metrics=metrics)

    def to_json(self, indent: int | None = 2) -> str:
        """Return strict JSON; numbers that are not finite are null, and listed under `non_finite`."""
        content = self.to_dict()
        return dumps({**content, "non_finite": dict(non_finite(content))}, indent=indent)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain dicts and lists. Raises NotJsonError for what JSON cannot carry."""
        content = {"schema": SCHEMA} | {
            name: getattr(self, name) for name in ("rows", *_SAVED, "verdicts", "comparison")
        }
        population = self.population()
        content["intervals"] = population.intervals()
        content["datasets"] = {
            name: {"summary": population.summary(name), "intervals": population.intervals(name)}
            for name in population.datasets()
        }
        if self.metrics is not None:
            content["metrics"] = [to_saved(metric) for metric in self.metrics]
        plain: dict[str, Any] = to_plain(content, "result")
        return plain

    @classmethod
    def from_json(cls, text: str) -> "EvalResult":
        """Return the result that `to_json` wrote. Raises BadRecordError for any other text."""
        try:
            content = json.loads(text)
            if (version := content.get("schema", SCHEMA)) > SCHEMA:
                raise NewerSchemaError(version, SCHEMA)
            for pointer, name in content.get("non_finite", {}).items():
                restore(content, pointer, name)
            return cls(
                rows=[EvalRow.from_dict(row) for row in content["rows"]],
                verdicts=[Verdict.from_dict(verdict) for verdict in content.get("verdicts", ())],
                metrics=[from_saved(metric) for metric in content["metrics"]]
                if "metrics" in content
                else None,
                comparison=Comparison.from_dict(content["comparison"]) if content.get("comparison") else None,
                **{name: _checked(name, content[name]) for name in _SAVED if name in content},
            )
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise BadRecordError("result", f"not a saved result ({type(error).__name__}: {error})") from error

    def to_dataframe(self) -> "DataFrame":
        """Return a pandas DataFrame, one line a row: the row's fields, then its scores and metadata.

        The columns are those of `flatten`. Raises MissingExtraError without pandas.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("pandas", "pandas", "to_dataframe()") from error

        flat = flatten(self.rows)
        return pd.DataFrame(flat.lines, columns=flat.columns)


SCHEMA = 1
_SAVED = {"summary": dict, "timing": dict, "config": dict, "notes": list}


def _checked(name: str, value: Any) -> Any:
    if not isinstance(value, _SAVED[name]):
        raise TypeError(f"its {name} is {brief(value)}")
    if name == "config" and not isinstance(value.get("threshold", 0.0), int | float):
        raise TypeError(f"its threshold is {brief(value['threshold'])}")
    return value


def _metrics_of(config: dict[str, Any]) -> list[Metric]:
    names = {name: config[name] for name in ("score_field", "threshold") if name in config}
    return default_metrics(**names)
