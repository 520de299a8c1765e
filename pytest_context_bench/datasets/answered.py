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

    The configs *unanswered* have no file of answers. Meant for files of a few thousand records.
    """

    questions: Hub
    answers: Hub
    unanswered: Sequence[str] = ()

    @property
    def repo(self) -> str:
        """The repository of both on the hub."""
        return self.questions.repo

    def open(self, spec: Spec, n: int | None, *, sampled: bool = False, offline: bool = False) -> Records:
        """Open all questions with their answers, whatever *n* is: ids tell them apart. Raises as Hub.open."""
        del n
        questions = self.questions.open(spec, None, sampled=sampled, offline=offline)
        if (spec.config or self.questions.config) in self.unanswered:
            return questions
        return Joined(questions, self.answers.open(spec, None, sampled=sampled, offline=offline))


@dataclass(frozen=True)
class Joined:
    """Questions with the columns of their answers."""

    questions: Records
    answers: Records

    def __len__(self) -> int:
        return len(self.questions)

    def __getitem__(self, row: int) -> Record:
        question = self.questions[row]
        return replace(question, columns={**self._answer(question).columns, **question.columns})

    def only(self, columns: Sequence[str]) -> Iterator[Record]:
        """Yield every question with no more than *columns* of it read."""
        return self.questions.only(columns)

    def _answer(self, question: Record) -> Record:
        """Return the answer of the same id, else the one in the same place if no question has its id.

        The publisher joins them by place, and has ids that differ in a letter. Raises BadRecordError.
        """
        place = self._answers.get(str(question.value("id")))
        if place is not None:
            return self.answers[place]
        if question.row < len(self.answers):
            answer = self.answers[question.row]
            if str(answer.get("id")) not in self._asked:
                return answer
        raise question.problem(f"no answer has its id, {question.value('id')!r}")

    @cached_property
    def _answers(self) -> Mapping[str, int]:
        return {str(answer.get("id")): answer.row for answer in self.answers.only(["id"])}

    @cached_property
    def _asked(self) -> frozenset[Any]:
        return frozenset(str(question.get("id")) for question in self.questions.only(["id"]))
