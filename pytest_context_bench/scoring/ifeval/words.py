"""Counts words, and words in capitals, where NLTK's tokenizers would part them.

Only letters have case: marks that stand alone become spaces, which leaves the count as it is.
"""

import re

from pytest_context_bench.scoring.ifeval.sentences import sentences

_WORD = re.compile(r"\w+")
_OPENING_QUOTE = re.compile(r"(?<=[ (\[{<])(?:\"|'')")
_OPENING_APOSTROPHE = re.compile(r"(?<!\w)'(?!(?:re|ve|ll|[mtsdn])\b)(?=\w)", re.IGNORECASE)
_CLOSING = "])}>\"'\xbb\u201d\u2019 "
# Marks before which a bare apostrophe is parted from its word, and those for which it is too late.
_MARK = re.compile(r"[`\xab\u2018\u201c\u201e;@#$%&?!\u2012-\u2015]|\.{2,}|[:,](?!\d)")
_BARE_APOSTROPHE = re.compile(r"(?<=[^'])'(?= )")
_LATE_MARK = re.compile(r"[\xbb\u2019\u201d\"*\]\[(){}<>]|''|--|\s+")
_CLITIC = re.compile(r"(?<=[^' ])('[sSmMdD]?)(?= )")
_LONG_CLITIC = re.compile(r"(?<=[^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T)(?= )")
_CONTRACTION = re.compile(
    r"\b(?:(can)(not)|(d)('ye)|(gim)(me)|(gon)(na)|(got)(ta)|(lem)(me)|(more)('n)|(wan)(na)(?= ))\b",
    re.IGNORECASE,
)
_ARCHAIC = re.compile(r" ('t)(is|was)\b", re.IGNORECASE)


def count(text: str) -> int:
    """Return the number of runs of letters, digits and underscores."""
    return sum(1 for _ in _WORD.finditer(text))


def count_capitals(text: str) -> int:
    """Return the number of words whose letters are all capitals: `IN-HOUSE` is one, `I'M` two."""
    return sum(part.isupper() for sentence in sentences(text) for part in _parts(sentence))


def _parts(sentence: str) -> list[str]:
    opened = _OPENING_APOSTROPHE.sub("' ", _OPENING_QUOTE.sub("`", sentence))
    marked = _MARK.sub(" ", _without_final_period(opened))
    spaced = _LATE_MARK.sub(" ", _BARE_APOSTROPHE.sub(" '", marked)) + " "
    parted = _LONG_CLITIC.sub(r" \1", _CLITIC.sub(r" \1", spaced))
    return _ARCHAIC.sub(r" \1 \2", _CONTRACTION.sub(_halves, parted)).split()


def _without_final_period(sentence: str) -> str:
    body = sentence.rstrip().rstrip(_CLOSING)
    if body.endswith(".") and not body.endswith(".."):
        return f"{body[:-1]} {sentence[len(body) :]}"
    return sentence


def _halves(contraction: re.Match[str]) -> str:
    return f" {' '.join(filter(None, contraction.groups()))} "
