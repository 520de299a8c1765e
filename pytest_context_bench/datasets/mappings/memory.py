"""Questions on what was said over many sessions: LongMemEval and LoCoMo."""

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_context_bench.datasets.mappings.qa import passage, passages
from pytest_context_bench.datasets.record import Record

# What the publisher's script of LoCoMo takes for an answer where the conversation has none.
_NOT_SAID = ("not mentioned", "no information available")
_OPEN = 3  # the category whose answers go on with reasons
_UNANSWERABLE = 5
ADVERSARIAL = "adversarial"


def longmemeval(record: Record) -> dict[str, Any]:
    """Read a question on chats with an assistant; which turns hold the answer is not shown."""
    sessions = zip(record.texts("haystack_dates"), record.values("haystack_sessions"), strict=True)
    return {
        "context": passages([passage(date, _turns(session)) for date, session in sessions]),
        "question": f"{record.text('question')}\n\n(Asked on {record.text('question_date')}.)",
        "answer": record.shown("answer"),
        "question_type": record.text("question_type"),
    }


def locomo(record: Record) -> Sequence[dict[str, Any]]:
    """Read those questions on a conversation that its config asks for, numbered as in the source."""
    talk = record.part("conversation")
    context = passages([passage(date, turns) for date, turns in _sessions(talk)])
    adversarial = record.config == ADVERSARIAL
    return [
        {"id": f"{record.text('sample_id')}-{place}", "context": context, **_asked(question)}
        for place, question in enumerate(record.parts("qa"))
        if (question.whole("category") == _UNANSWERABLE) == adversarial
    ]


def _turns(session: Sequence[dict[str, Any]]) -> str:
    return "\n".join(f"{turn['role']}: {turn['content']}" for turn in session)


def _sessions(talk: Record) -> Iterator[tuple[str, str]]:
    """Yield the date and the turns of each session, in the order of their numbers."""
    numbers = sorted(
        int(name.removeprefix("session_"))
        for name in talk.columns
        if name.removeprefix("session_").isdecimal()
    )
    for number in numbers:
        turns = "\n".join(map(_said, talk.parts(f"session_{number}")))
        yield talk.text(f"session_{number}_date_time"), turns


def _said(turn: Record) -> str:
    caption = turn.get("blip_caption")
    shown = f" [shares a picture: {caption}]" if caption else ""
    return f"{turn.text('speaker')}: {turn.text('text')}{shown}"


def _asked(question: Record) -> dict[str, Any]:
    text, category = question.text("question"), question.whole("category")
    if category == _UNANSWERABLE:
        hint = "If the conversation does not say, answer 'not mentioned'."
        return {"question": f"{text}\n\n{hint}", "answer": list(_NOT_SAID), "category": category}
    answer = question.shown("answer")
    gold = answer.partition(";")[0].strip() if category == _OPEN else answer
    return {"question": text, "answer": gold, "category": category}
