"""ROUGE-L, after Lin (2004): on ASCII text the figures of `rouge-score` without stemmer.

`rouge-score` drops every letter outside a-z. Here the letters, digits and marks of any script make words,
and where a script has no spaces each character is one.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pytest_context_bench.scoring.scripts import is_unspaced

_BLOCK = 4096  # tokens whose masks are held at once: at most _BLOCK**2 / 16 bytes, 1 MB
_VARIATION_SELECTORS = frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))


@dataclass(frozen=True)
class RougeL:
    """The ROUGE-L figures of a text against one reference, each in [0, 1]."""

    f1: float = 0.0
    precision: float = 0.0
    recall: float = 0.0


def tokenize(text: str) -> list[str]:
    """Split *text* into its lowercase words; signs and invisible characters are dropped."""
    return "".join(map(_spaced, text.lower())).split()


def rouge_l(tokens: Sequence[str], reference: Sequence[str]) -> RougeL:
    """Compare the two by their longest common subsequence; zeros where either is empty."""
    common = lcs_length(tokens, reference)
    if not common:
        return RougeL()
    precision, recall = common / len(tokens), common / len(reference)
    return RougeL(2 * precision * recall / (precision + recall), precision, recall)


def lcs_length(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, in linear memory.

    A column of the textbook table rises by 0 or 1 from row to row. Those steps are the bits of one big
    integer here, and one addition makes the next column (Hyyrö 2004, "Bit-parallel LCS-length
    computation revisited").
    """
    rows, columns = (one, other) if len(one) >= len(other) else (other, one)
    carries = bytearray(len(columns))
    return sum(_rises(rows[at : at + _BLOCK], columns, carries) for at in range(0, len(rows), _BLOCK))


def _rises(block: Sequence[str], columns: Sequence[str], carries: bytearray) -> int:
    """Return how far the last column rises over *block*; *carries* go from each block to the next."""
    size, masks = len(block), _masks(block)
    full = level = (1 << size) - 1  # a bit is set where the column stays level
    for column, token in enumerate(columns):
        mask, carry = masks.get(token, 0), carries[column]
        if mask or carry:
            total = level + (level & mask) + carry
            level = (total | (level & ~mask)) & full
            carries[column] = total >> size
    return size - level.bit_count()


def _masks(block: Sequence[str]) -> dict[str, int]:
    masks: defaultdict[str, int] = defaultdict(int)
    for row, token in enumerate(block):
        masks[token] |= 1 << row
    return masks


@lru_cache(maxsize=65_536)
def _spaced(character: str) -> str:
    category = unicodedata.category(character)
    if category in {"Cf", "Me"} or character in _VARIATION_SELECTORS:
        return ""
    if category[0] not in "LMN":
        return " "
    return f" {character} " if is_unspaced(character) else character
