"""How much each part of a text has to do with a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_context_bench.scoring import bm25
from pytest_context_bench.systems.outline import Unit, closure

# A question of several steps is followed step by step: what the best part so far answers counts for less, and
# what it speaks of joins the query. More than two steps wander off.
STEPS = 2
ANSWERED, JOINING = 0.3, 0.7
# What stands beside a relevant part, or in the same paragraph, belongs to it.
BESIDE, AROUND = 0.25, 0.5

_COMMON = """
a about after all also an and any are as at be because been before being between both but by can could did do
does during each for from had has have he her him his how i if in into is it its may me might more most must
my no nor not of on or other our over same shall she should so some such than that the their them then there
these they this those to under us was we were what when where which while who whom whose why will with would
you your
"""
COMMON = frozenset(bm25.words(_COMMON))


def by_relevance(text: str, units: Sequence[Unit], question: str) -> list[int]:
    """Return the *units* of *text* that are no frames, by BM25 against *question*: the nearest first.

    Equals keep their order, and so do all where no word is shared.
    """
    passages = Passages.of(text, units)
    asked = query = _query(question)
    scores, read = passages.scores(query), list[int]()
    while len(read) < min(STEPS, len(scores)):
        best = max((each for each in range(len(scores)) if each not in read), key=scores.__getitem__)
        if not scores[best]:
            break
        read.append(best)
        query = _followed(query, asked, passages.words[best])
        scores = passages.scores(query)
    others = sorted(set(range(len(scores))) - set(read), key=lambda each: (-scores[each], each))
    return [passages.positions[each] for each in (*read, *others)]


def _query(question: str) -> dict[str, float]:
    words = bm25.words(question)
    return dict.fromkeys([word for word in words if word not in COMMON] or words, 1.0)


def _followed(
    query: Mapping[str, float], asked: Mapping[str, float], words: Sequence[str]
) -> dict[str, float]:
    """Return *query* after a passage of these *words* was read."""
    followed = dict(query)
    for word in dict.fromkeys(words):
        if word in asked:
            followed[word] *= ANSWERED
        elif word not in COMMON:
            followed.setdefault(word, JOINING)
    return followed


@dataclass(frozen=True)
class Passages:
    """The units that are no frames, at *positions*, with their blocks and words (also of what they need)."""

    positions: Sequence[int]
    blocks: Sequence[int]
    words: Sequence[Sequence[str]]
    index: bm25.Index
    block_index: bm25.Index

    @classmethod
    def of(cls, text: str, units: Sequence[Unit]) -> "Passages":
        """Index the *units* of *text*."""
        own = [bm25.words(text[unit.start : unit.end]) for unit in units]
        positions = [position for position, unit in enumerate(units) if not unit.is_frame]
        words = [[word for each in sorted(closure(units, p)) for word in own[each]] for p in positions]
        blocks: list[list[str]] = [[] for _ in range(max((unit.block for unit in units), default=0) + 1)]
        for unit, its_words in zip(units, own, strict=True):
            blocks[unit.block] += its_words
        return cls(
            positions, [units[p].block for p in positions], words, bm25.index(words), bm25.index(blocks)
        )

    def scores(self, query: Mapping[str, float]) -> list[float]:
        """Score each passage for *query*, with a share of what stands beside and around it."""
        alone, around = self.index.scores(query), self.block_index.scores(query)
        beside = [0.0] * len(alone)
        for one, following in pairwise(range(len(alone))):
            if self.blocks[one] == self.blocks[following]:
                beside[one] = max(beside[one], alone[following])
                beside[following] = alone[one]
        parts = zip(alone, beside, self.blocks, strict=True)
        return [own + BESIDE * near + AROUND * around[block] for own, near, block in parts]
