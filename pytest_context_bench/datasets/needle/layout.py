"""Lays the pieces of a draft out: as long as asked, the needle as deep as asked."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice

from pytest_context_bench.datasets.needle.draft import Draft
from pytest_context_bench.datasets.needle.draw import Draw

_GOLDEN = 0.6180339887498949
_FIRST = 0.3
_TRIED = 8  # pieces among which the last one is chosen
# Where a tokenizer would cut, roughly: counting costs a tenth of tokenizing and needs no vocabulary.
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]{1,5}|[0-9]{1,3}|[^ A-Za-z0-9_\n]+\n*|\n+| {2,}")


def depth(index: int) -> float:
    """Return the relative position of needle *index*: any run of indices covers [0, 1) evenly.

    Multiples of the golden ratio, modulo one, are the sequence that leaves the smallest gaps.
    """
    return (_FIRST + index * _GOLDEN) % 1.0


def lay_out(draft: Draft, size: int, index: int, draw: Draw) -> str:
    """Return the context of *draft*, *size* tokens long."""
    fixed = parts(draft.opening) + parts(draft.needle) + sum(map(parts, draft.decoys))
    background = fill(draft.background, size / draft.tokens_per_part - fixed)
    pieces = plant(scatter(draft.decoys, background, draw), draft.needle, depth(index))
    return (draft.opening + draft.render(pieces)).rstrip()


def parts(text: str) -> int:
    """Count the words, numbers and marks of *text*: very nearly a constant number of tokens each."""
    return len(_PART.findall(text))


def fill(background: Iterator[str], room: float) -> list[str]:
    """Return the first pieces of *background* that have *room* parts, the last one chosen to fit best."""
    pieces = []
    for piece in background:
        length = parts(piece)
        if length > room:
            break
        pieces.append(piece)
        room -= length
    last = min(["", *islice(background, _TRIED)], key=lambda piece: abs(room - parts(piece)))
    return [*pieces, last] if last else pieces


def scatter(decoys: Sequence[str], background: Sequence[str], draw: Draw) -> list[str]:
    """Return *background*, in its order, with *decoys* at places drawn for each."""
    places = [(draw.random() * len(background), decoy) for decoy in decoys]
    places += [(place + 0.5, piece) for place, piece in enumerate(background)]
    return [piece for _, piece in sorted(places, key=lambda pair: pair[0])]


def plant(pieces: Sequence[str], needle: str, at: float) -> list[str]:
    """Return *pieces* with *needle* between two of them, *at* of the characters before it."""
    ends = list(accumulate(map(len, pieces), initial=0))
    after = bisect_left(ends, at * ends[-1])
    if after and ends[after] - at * ends[-1] > at * ends[-1] - ends[after - 1]:
        after -= 1
    return [*pieces[:after], needle, *pieces[after:]]
