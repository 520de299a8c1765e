"""Okapi BM25 over the passages of one text (Robertson and Zaragoza 2009), with light word matching."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

K1, B = 1.2, 0.75

_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# A run of letters and digits; in scripts written without spaces each character is a word.
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_NAME = re.compile(r"(?<!\w)\w++(?:[-.:/@]\w++)+")
_SHORTEST_PLURAL = 4  # "gas" and "bus" are no plurals


@dataclass(frozen=True)
class Index:
    """The words of some passages: the passages where each stands, as often as it does, and their norms."""

    postings: Mapping[str, Sequence[int]]
    norms: Sequence[float]

    def scores(self, query: Mapping[str, float]) -> list[float]:
        """Return the score of each passage for the weighted words of *query*."""
        scores = [0.0] * len(self.norms)
        for word, weight in query.items():
            found = Counter(self.postings.get(word, ()))
            scale = weight * (K1 + 1) * self._idf(len(found))
            for passage, count in found.items():
                scores[passage] += scale * count / (count + self.norms[passage])
        return scores

    def _idf(self, passages: int) -> float:
        return math.log(1 + (len(self.norms) - passages + 0.5) / (passages + 0.5))


def index(passages: Sequence[Sequence[str]]) -> Index:
    """Index *passages*, each a list of words."""
    postings: defaultdict[str, list[int]] = defaultdict(list)
    for number, passage in enumerate(passages):
        for word in passage:
            postings[word].append(number)
    mean = sum(map(len, passages)) / len(passages) if passages else 0.0
    return Index(postings, [K1 * (1 - B + B * len(passage) / (mean or 1.0)) for passage in passages])


def words(text: str) -> list[str]:
    """Return the words of *text*, case folded, without the s of a plural, then its names such as `job-37`."""
    folded = text.casefold()
    return [*map(_singular, _WORD.findall(folded)), *_NAME.findall(folded)]


def _singular(word: str) -> str:
    if len(word) < _SHORTEST_PLURAL or word[-1] != "s" or word[-2] == "s":
        return word
    return word[:-1]
