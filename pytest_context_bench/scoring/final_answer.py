"""Tells whether the answer that a reply ends up with is a gold answer, to the word.

BIG-Bench Hard scores so: what follows "the answer is" must be the target. A reply of other wording is read
by the kind of its gold: one of two words, a number, brackets, or words in their order.
"""

import re
from collections.abc import Sequence

from pytest_context_bench.scoring.choice import Choices, chosen
from pytest_context_bench.scoring.latex.verdict import is_right
from pytest_context_bench.scoring.markup import plain, without_traces

_PAIRS = (
    Choices("YN", {"Y": "yes", "N": "no"}),
    Choices("TF", {"T": "true", "F": "false"}),
    Choices("VX", {"V": "valid", "X": "invalid"}),
)
_LETTERS = {text: (pair, letter) for pair in _PAIRS for letter, text in (pair.texts or {}).items()}
_NOT_VALID = re.compile(r"(?:\s?\bnot|n't)\s(?:\w+ly\s)?valid\b", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
_CUE = re.compile(r"\banswer\b[^\n.:]{0,60}?(?:\b(?:is|are)\b|:)", re.IGNORECASE)

_ONLY_BRACKETS = re.compile(r"[()\[\]{}<>\s]*[()\[\]{}<>][()\[\]{}<>\s]*")
_BRACKETS = re.compile(r"(?<![^\s\"'`*$:])[()\[\]{}<>](?:[^\S\n]*[()\[\]{}<>])*(?=$|[\s\"'`*$.,;!])")
_BOXED = re.compile(r"\\boxed\{([^\n]*)\}")

_WORD = re.compile(r"[^\s,;|>→()\[\]\"]+")
_AROUND = ".:!?'’`*<"
_NUMBERED = re.compile(r"^\s*\d{1,3}[.)]\s+", re.MULTILINE)
_LEADS = frozenset({"is", "are", "be", "gives", "follows"})


def is_given(response: str, gold: str) -> bool:
    """Whether *response* gives *gold* for its answer; letter case and what parts a list do not count."""
    reply, known = without_traces(response), _LETTERS.get(gold.strip().lower())
    if known:
        pair, letter = known
        return chosen(_NOT_VALID.sub(" invalid", reply), pair) == letter
    if _NUMBER.fullmatch(gold.strip()):
        return is_right(reply, [gold])
    if _ONLY_BRACKETS.fullmatch(gold):
        return _last_brackets(reply) == _dense(gold)
    return _ends_up_with(_after_cue(_NUMBERED.sub("", plain(reply))), gold)


def _last_brackets(reply: str) -> str:
    """Return the brackets that are boxed, else announced, else the last ones that stand free of words."""
    boxed = _BOXED.findall(reply)
    announced = _after_cue(reply)
    if boxed or announced != reply:
        first = _BRACKETS.search(boxed[-1].replace("\\", "") if boxed else announced)
        return _dense(first[0]) if first else ""
    return _dense((_BRACKETS.findall(reply) or [""])[-1])


def _after_cue(text: str) -> str:
    """Return what follows the last "answer is" or "answer:", the whole where there is none."""
    cues = list(_CUE.finditer(text))
    return text[cues[-1].end() :] if cues else text


def _ends_up_with(reply: str, answer: str) -> bool:
    """Whether the last list in *reply* of the words of *answer* has them in that order, and no more."""
    text, gold = reply.lower(), [_text(word) for word in _words(answer.lower())]
    words = [word for word in _words(text) if _text(word) != "and" or "and" in gold]
    texts, wanted = [_text(word) for word in words], sorted(gold)
    for start in range(len(words) - len(gold), -1, -1):
        end = start + len(gold)
        if texts[start] in gold and sorted(texts[start:end]) == wanted:
            return texts[start:end] == gold and _stands_alone(text, words, start, end)
    return False


def _stands_alone(text: str, words: "Sequence[re.Match[str]]", start: int, end: int) -> bool:
    """Whether the list of the *words* from *start* to *end* does not go on at either side."""
    inside = text[words[start].start() : words[end - 1].end()]
    line_end = "\n\n" if "\n" in inside else "\n"
    before = text[words[start - 1].end() - 1 : words[start].start()] if start else line_end
    after = text[words[end - 1].end() - 1 : words[end].start()] if end < len(words) else line_end
    begins = _parts(before, line_end) or _text(words[start - 1]) in _LEADS
    return begins and _parts(after, line_end)


def _parts(gap: str, line_end: str) -> bool:
    return line_end in gap or any(mark in gap for mark in '.:;!?("')


def _words(text: str) -> "list[re.Match[str]]":
    return [word for word in _WORD.finditer(text) if any(map(str.isalnum, word[0]))]


def _text(word: "re.Match[str]") -> str:
    return word[0].strip(_AROUND)


def _dense(brackets: str) -> str:
    return "".join(brackets.split())
