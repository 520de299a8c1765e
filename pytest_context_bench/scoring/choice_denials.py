"""The words that take an answer back: "not B", "rule out A and B", "C is wrong", "if it were D".

Patterns are matched against lower case and within a window, so that a reply of any size costs little.
"""

import re

from pytest_context_bench.scoring.choice_text import Choices, Lettered
from pytest_context_bench.scoring.choice_words import any_of

WINDOW = 90
_OPEN, _CLOSE = r"[(\[\"']{0,4}", r"[)\]\"']{0,4}"
_AND = r"(?:\s?[,/&]\s?(?:(?:and|or|nor)\s)?|\s(?:and|or|nor)\s)(?:(?:options?|choices?)\s)?" + _OPEN
_AND_OTHERS = rf"(?:{_AND}\b[a-j]\b{_CLOSE})*"

_NOT = any_of(
    r"\bnot n't \bnever \bneither \bnor \bcannot \bunlike \bwithout \bagainst \bnicht \bpas \binstead_of"
    r" \b(?:rather|other|less_likely)_than \bexcept(?:_for)? \bdisagree_with"
    r" \b(?:rul(?:es?|ed|ing)|cross(?:es|ed|ing)?)_out"
    r" \b(?:eliminat|exclud|reject|discard|dismiss|avoid)(?:es?|s|ed|ing)?"
    r" \b(?:wrong|incorrect)_(?:answers?|options?|choices?)(?:_(?:is|are))?:? 不是 不选 不選 排除 아니"
)
_OF = any_of(
    "be the by either both just simply necessarily options? choices? answers? letters? statements? la le"
)
_DENIED = Lettered(rf"{_NOT}\s?(?:{_OF}\s)*{_OPEN}(?:[a-j]\b{_CLOSE}{_AND_OTHERS}{_AND})?$")

_SURELY = rf"(?:{any_of('also clearly therefore thus definitely both all simply obviously too the')}\s)*"
_BAD = r"(?:incorrect|invalid|wrong|false|impossible|eliminated|excluded|unlikely|ruled\sout)\b"
_NOT_RIGHT = r"not\s(?:the\s)?(?:correct|right|answer|true|valid|possible|relevant)\b"
_WRONG = Lettered(
    rf"{_CLOSE}{_AND_OTHERS}(?:"
    rf"\s?\b(?:is|are|was|were|would\sbe|seems?|looks?|can\sbe)\s{_SURELY}(?:{_BAD}|not\b(?!\s(?:only|just))|out\b)"
    rf"|\s?(?:[:(–—]|\s-)\s?{_SURELY}(?:{_BAD}|no\b|{_NOT_RIGHT})"
    r"|\s(?:\w+n't|cannot|(?:does|do|did|can|could|would|has|have)\snot|fails?)\b"
    r"|\s?[:–—-]?\s?[✗✘❌])"
)

_THINK = any_of("think say believe assume choose pick answer argue claim guess expect")
_OTHERS_THINK = (
    r"(?:\b(?:(?:people|students|candidates|many|others?|some)(?:\s\w+)?(?:\s(?:might|may|would))?|might|may|could)"
    rf"\s(?:\w+ly\s)?(?:$|{_THINK}\b)|\btempt(?:ed|ing)\sto\b)[^.!?;,]*"
)
_NOT_THOUGHT = (
    r"(?:n't|\bnot|\bnever|\bhardly|\bcannot)\s(?:\w+ly\s)?"
    + any_of(
        "think believe say mean agree conclude suggest claim know feel choose pick select go opt want_to"
        " the_case true correct certain sure clear"
    )
    + r"\b[^.!?;,]*"
)
_NOT_THE_ANSWER = (
    r"\b(?:wrong|incorrect|false|initial|previous|earlier|original|tempting|naive|naïve|intuitive|alternative|other"
    r"|another|unlikely|bad)\s"
)
_IF = r"\b(?:if|whether|unless|suppose|supposing|assuming|imagine|had)\s(?:that\s)?(?:the\s|my\s)?(?:\w+\s)?"
_DOUBT = (
    r"\b(?:(?<!no )(?<!not )(?<!without )(?<!without a )doubt|unlikely"
    r"|(?:wrong|incorrect|mistake|mistaken)\sto)\b[^.!?;,]*"
)
_SUPPOSED = re.compile(
    rf"(?:{_IF}|{_OTHERS_THINK}|{_NOT_THOUGHT}|(?:n't|\bnot|\bnever)\s|{_NOT_THE_ANSWER}|{_DOUBT})$"
)


def taken_back(lower: str, start: int, end: int, choices: Choices) -> bool:
    """Whether the words around the letter or text from *start* to *end* reject it."""
    after = lower[end : end + WINDOW].partition("\n")[0]
    return bool(_DENIED.of(choices).search(_before(lower, start)) or _WRONG.of(choices).match(after))


def supposed(lower: str, start: int) -> bool:
    """Whether the cue at *start* is doubted, only supposed, or what someone else would say."""
    return bool(_SUPPOSED.search(_before(lower, start)))


def _before(lower: str, start: int) -> str:
    return lower[max(0, start - WINDOW) : start].rpartition("\n")[2]
