"""The system that keeps the parts of the context which have to do with the question."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from pytest_context_bench import tokens
from pytest_context_bench.protocols import Example, Output
from pytest_context_bench.systems.budget import Budget
from pytest_context_bench.systems.inputs import context, question
from pytest_context_bench.systems.outline import Unit, closure, join, outline
from pytest_context_bench.systems.relevance import by_relevance
from pytest_context_bench.systems.truncate import HEAD, cut

if TYPE_CHECKING:
    import tiktoken

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
    return _rest(ranked, limit, encoding)


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


def _rest(ranked: Ranked, limit: int, encoding: "tiktoken.Encoding") -> str:
    """Return what is left where no unit fits: of JSON the brackets, else as much of the best unit as fits."""
    text, units = ranked.text, ranked.units
    if units and units[0].opens:
        brackets = join(text, units, closure(units, 0))
        return brackets if len(tokens.encode(brackets, encoding)) <= limit else ""
    if ranked.order:
        text = join(text, units, ranked.order[:1])
    rest = cut(tokens.encode(text, encoding), limit, HEAD, encoding)
    whole_lines = rest.rpartition("\n")[0].rstrip()
    return cut(tokens.encode(whole_lines or rest, encoding), limit, HEAD, encoding)


def _costs(text: str, units: Sequence[Unit], encoded: Sequence[bytes]) -> list[int]:
    """Count the tokens that start in each unit or in the gap before it."""
    starts = list(accumulate(map(len, encoded), initial=0))
    ends = [0, *(unit.end for unit in units)]
    sizes = (len(text[start:end].encode()) for start, end in pairwise(ends))
    before = [bisect_left(starts, end) for end in accumulate(sizes, initial=0)]
    return [following - count for count, following in pairwise(before)]
