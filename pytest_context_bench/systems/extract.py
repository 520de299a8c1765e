"""The system that keeps the parts of the context which have to do with the question."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from pytest_context_bench import tokens
from pytest_context_bench.protocols import Example, Output
from pytest_context_bench.systems.budget import Budget
from pytest_context_bench.systems.inputs import context, question
from pytest_context_bench.systems.outline import Unit, closure, join, outline
from pytest_context_bench.systems.relevance import by_relevance
from pytest_context_bench.systems.truncate import HEAD, cut

LARGEST = 0.9  # share of the budget above which a block of code or JSON is taken apart


@dataclass(frozen=True)
class Extract:
    """Keeps the sentences, lines or records nearest the question, in order, within *keep* of the tokens.

    *keep* is a share of the context's cl100k_base tokens up to 1, else a number of them. Titles, table
    headers, the opening lines of code and the brackets of JSON go with what they stand over. Without a
    question the beginning is kept.
    """

    keep: float = 0.5
    name: str = ""

    def __post_init__(self) -> None:
        Budget(self.keep, "extract: keep")
        if not self.name:
            object.__setattr__(self, "name", f"extract:{self.keep:g}")

    def process(self, example: Example) -> Output:
        """Return the kept context; nothing for an example that has none."""
        text = context(example)
        return {"context": extract(text, question(example) or "", Budget(self.keep))} if text else {}


def extract(text: str, question: str, budget: Budget) -> str:
    """Keep what of *text* is nearest to *question*, within its *budget* of cl100k_base tokens."""
    encoding = tokens.encoding()
    encoded = tokens.encode(text, encoding)
    limit = budget.of(len(encoded))
    if limit == len(encoded):
        return text
    ranked = Ranked.of(tokens.encodable(text), question, encoding.decode_tokens_bytes(encoded), limit)
    allowed = limit
    while kept := ranked.within(allowed):
        result = join(ranked.text, ranked.units, kept)
        excess = len(tokens.encode(result, encoding)) - limit
        if excess <= 0:
            return result
        allowed -= excess  # where units meet that did not before, tokens may be others
    rest = cut(tokens.encode(ranked.remnant, encoding), limit, HEAD, encoding)
    return rest.rpartition("\n")[0] or rest  # whole lines if there are any


@dataclass(frozen=True)
class Ranked:
    """The units of a text, the tokens that each costs, and the order in which they are wanted."""

    text: str
    units: Sequence[Unit]
    costs: Sequence[int]
    order: Sequence[int]

    @classmethod
    def of(cls, text: str, question: str, encoded: Sequence[bytes], limit: int) -> "Ranked":
        """Rank the units of *text*, whose tokens are *encoded*, by their relevance to *question*."""
        units = outline(text, int(LARGEST * len(text) * limit / len(encoded)))
        return cls(text, units, _costs(text, units, encoded), by_relevance(text, units, question))

    def within(self, limit: int) -> set[int]:
        """Return the most wanted units that fit in *limit* tokens, with what they need."""
        kept: set[int] = set()
        for position in self.order:
            added = closure(self.units, position) - kept
            cost = sum(self.costs[each] for each in added)
            if cost <= limit:
                kept |= added
                limit -= cost
        return kept

    @property
    def remnant(self) -> str:
        """What to cut where no unit fits: the most wanted one, but of JSON the empty brackets."""
        if not self.order:
            return self.text
        best = self.order[0]
        kept = closure(self.units, best) - {best} if self.units[best].joint else {best}
        return join(self.text, self.units, kept)


def _costs(text: str, units: Sequence[Unit], encoded: Sequence[bytes]) -> list[int]:
    """Count the tokens that start in each unit or in the gap before it."""
    starts = list(accumulate(map(len, encoded), initial=0))
    ends = [0, *(unit.end for unit in units)]
    sizes = (len(text[start:end].encode()) for start, end in pairwise(ends))
    before = [bisect_left(starts, end) for end in accumulate(sizes, initial=0)]
    return [following - count for count, following in pairwise(before)]
