"""Questions on the hub whose gold answers stand in a file of their own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.record import Record
from pytest_context_bench.datasets.records import Records
from pytest_context_bench.datasets.spec import Spec


@dataclass(frozen=True)
class Answered:
    """The records of *questions*, each with the columns of its answer in *answers*, joined by `id`.

    The configs *unanswered* have no file of answers.
    """

    questions: Hub
    answers: Hub
    unanswered: Sequence[str] = ()

    @property
    def repo(self) -> str:
        """The repository of both on the hub."""
        return self.questions.repo

    def open(self, spec: Spec, n: int | None, *, sampled: bool = False, offline: bool = False) -> Records:
        """Open the first *n* questions, or all to sample *n* from, with their answers; raises as Hub.open."""
        questions = self.questions.open(spec, n, sampled=sampled, offline=offline)
        if (spec.config or self.questions.config) in self.unanswered:
            return questions
        return Joined(questions, self.answers.open(spec, None, offline=offline))


@dataclass(frozen=True)
class Joined:
    """Questions with the columns of their answers."""

    questions: Records
    answers: Records

    def __len__(self) -> int:
        return len(self.questions)

    def __getitem__(self, row: int) -> Record:
        question = self.questions[row]
        return replace(question, columns={**self._answer(question), **question.columns})

    def only(self, columns: Sequence[str]) -> Iterator[Record]:
        """Yield every question with no more than *columns* of it read."""
        return self.questions.only(columns)

    def _answer(self, question: Record) -> Mapping[str, Any]:
        """Return the answer of the id, else the one at the same place, by which the publisher joins them."""
        place = self._places.get(str(question.value("id")), question.row)
        if place >= len(self.answers):
            raise question.problem(f"no answer has the id {question.value('id')!r}")
        return self.answers[place].columns

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {str(answer.get("id")): answer.row for answer in self.answers.only(["id"])}
