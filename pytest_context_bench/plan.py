"""What a run is to do, and the doing of it: every system on every example."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pytest_context_bench.calls import Calls, Prefetch
from pytest_context_bench.datasets.examples import Examples
from pytest_context_bench.errors import BudgetSpentError, check_distinct
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.metrics import CostOfPass, PassRate, summarize
from pytest_context_bench.metrics.latency import seconds_spent
from pytest_context_bench.notes import notes_on, partial_note
from pytest_context_bench.pipeline import Scoring, attempt_pair, empty_row
from pytest_context_bench.plain import to_plain, worded
from pytest_context_bench.protocols import Evaluator, Example, Metric, System, TokenCounter
from pytest_context_bench.results import EvalResult
from pytest_context_bench.rows import EvalRow

INTERRUPTED = "the run was interrupted"
PATIENCE = 1.0  # seconds that an interrupted run waits for calls that are about to end
Key: TypeAlias = tuple[int, int, int, int]  # the places of a system, a data set and an example; the repeat
Chooser: TypeAlias = Callable[[Examples, Example], Sequence[Evaluator]]


@dataclass(frozen=True)
class Plan:
    """What a run is to do: every system on every example of every data set, *repeats* times.

    *evaluators* score every example, unless *choose* or the data sets say what scores which. *settings* are
    told beside the plan's own. An interrupt leaves a partial result if that is to be kept.
    """

    systems: Sequence[System]
    datasets: Sequence[Examples]
    metrics: Sequence[Metric]
    counter: TokenCounter
    evaluators: Sequence[Evaluator] | None = None
    choose: Chooser = Examples.evaluators_for
    text_fields: Sequence[str] = ()
    max_workers: int = 1
    repeats: int = 1
    keep_texts: int = 0
    settings: dict[str, Any] = field(default_factory=dict)
    keep_interrupted: bool = False

    def __post_init__(self) -> None:
        check_distinct("data set", [examples.name for examples in self.datasets])

    def run(self, calls: Calls, *, progress: bool) -> EvalResult:
        """Measure all pairs and fold their rows."""
        measured = self._measure(calls, progress=progress)
        rows = measured.rows
        summary, problems = summarize(rows, self.metrics)
        interrupted = {"interrupted": True} if measured.interrupted else {}
        return EvalResult(
            rows,
            summary,
            seconds_spent(rows),
            {**self._config(), **self.settings, "partial": bool(measured.lacking), **interrupted},
            notes=[
                *measured.notes(len(self)),
                *problems,
                *notes_on(rows, summary, *_score_fields(self.metrics)),
                *calls.problems(),
            ],
            metrics=self.metrics,
        )

    def __len__(self) -> int:
        return len(self.systems) * self.repeats * sum(map(len, self.datasets))

    def keys(self) -> Iterator[Key]:
        """Yield the pairs, system by system, in their order."""
        for system in range(len(self.systems)):
            for dataset, examples in enumerate(self.datasets):
                for index in range(len(examples)):
                    for repeat in range(self.repeats):
                        yield system, dataset, index, repeat

    def _measure(self, calls: Calls, *, progress: bool) -> "_Measured":
        """Measure every pair that the run may; an interrupt ends that."""
        ahead: Prefetch[Key, EvalRow] = Prefetch(
            lambda key: self._row(key, calls), self.max_workers, window=len(self)
        )
        if self.max_workers > 1:
            ahead.offer(self.keys())
        measured = _Measured()
        try:
            self._take(ahead, measured, progress=progress)
        except KeyboardInterrupt:
            if not self.keep_interrupted:
                raise
            measured.interrupted, measured.lacking = True, INTERRUPTED
        finally:
            ahead.close()
            calls.stop()
            ahead.join(PATIENCE)
        if measured.interrupted:
            measured.rows += [ahead.take(key) for key in self.keys() if ahead.is_done(key)]
        return measured

    def _take(self, ahead: Prefetch[Key, EvalRow], measured: "_Measured", *, progress: bool) -> None:
        """Take the rows as they come, and show how far that is."""
        from tqdm import tqdm

        with tqdm(total=len(self), unit="pair", disable=not progress) as bar:
            for key in self.keys():
                bar.set_description(one_line(str(to_plain(self.systems[key[0]].name))), refresh=False)
                try:
                    measured.rows.append(ahead.take(key))
                except BudgetSpentError as error:  # others may be kept, or under way
                    measured.lacking = measured.lacking or str(error)
                bar.update()

    def _row(self, key: Key, calls: Calls) -> EvalRow:
        system, examples = self.systems[key[0]], self.datasets[key[1]]
        index, repeat = key[2:]
        try:
            example = examples[index]
            evaluators = self.choose(examples, example) if self.evaluators is None else self.evaluators
        except Exception as error:  # noqa: BLE001 - a file may change while the run lasts
            known = {"id": examples.ids[index], "dataset": examples.name}
            row = empty_row(system.name, known, repeat)
            row.error = worded(error)
            return row
        scoring = Scoring(
            evaluators,
            self.counter,
            self.text_fields,
            examples.primary,
            self.keep_texts,
            fingerprint=True,
        )
        row, _ = attempt_pair(system, example, scoring, calls, repeat)
        return row

    def _config(self) -> dict[str, Any]:
        """Return the settings that a reader of the result needs."""
        names = [examples.name for examples in self.datasets]
        return {
            "systems": [system.name for system in self.systems],
            **({"dataset": names[0]} if len(names) == 1 else {}),
            "datasets": names,
            "num_examples": sum(map(len, self.datasets)),
            "evaluators": None if self.evaluators is None else [one.name for one in self.evaluators],
            "metrics": [metric.name for metric in self.metrics],
            **_terms(self.metrics),
            "text_fields": list(self.text_fields),
            "tokenizer": self.counter.name,
            "max_workers": self.max_workers,
            "repeats": self.repeats,
        }


@dataclass
class _Measured:
    """The rows so far, and why some are *lacking*, if so."""

    rows: list[EvalRow] = field(default_factory=list)
    lacking: str = ""
    interrupted: bool = False

    def notes(self, pairs: int) -> list[str]:
        """Tell why not all *pairs* have a row."""
        if not self.lacking:
            return []
        return [partial_note(len(self.rows), pairs, self.lacking)]


def _score_fields(metrics: Sequence[Metric]) -> list[str]:
    """Return the scores that metrics fold."""
    folded = (getattr(metric, "score_field", None) for metric in metrics)
    return list(dict.fromkeys(field for field in folded if isinstance(field, str)))


def _terms(metrics: Sequence[Metric]) -> dict[str, Any]:
    """Return the score and threshold that decide whether a row passes, if a metric asks."""
    judging = next((metric for metric in metrics if isinstance(metric, PassRate | CostOfPass)), None)
    return {"score_field": judging.score_field, "threshold": judging.threshold} if judging else {}
