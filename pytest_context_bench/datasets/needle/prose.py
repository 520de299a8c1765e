"""The task `prose`: one fact, told somewhere in a long text beside facts that resemble it."""

from pytest_context_bench.datasets.needle import facts
from pytest_context_bench.datasets.needle.draft import Draft
from pytest_context_bench.datasets.needle.draw import Draw
from pytest_context_bench.datasets.needle.english import sentences

_TOKENS_PER_FACT = 110
_TOKENS_PER_MENTION = 330


def draft(draw: Draw, size: int) -> Draft:
    """Return the pieces of one example."""
    asked, answer = draw.new(lambda: facts.key(draw)), draw.code()
    others = [draw.near(asked, lambda: facts.key(draw)) for _ in range(size // _TOKENS_PER_FACT)]
    similar = [facts.tell(draw, facts.STATEMENTS, other, draw.code()) for other in others]
    mentions = [
        facts.tell(draw, facts.MENTIONS, asked, draw.code()) for _ in range(size // _TOKENS_PER_MENTION)
    ]
    attribute, thing, place = asked
    return Draft(
        question=draw.text(draw.pick(facts.QUESTIONS), attribute=attribute, thing=thing, place=place),
        answer=answer,
        needle=facts.tell(draw, facts.STATEMENTS, asked, answer),
        decoys=similar + mentions,
        background=sentences(draw, place),
        tokens_per_part=1.038,
    )
