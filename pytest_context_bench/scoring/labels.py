"""Reads the verdict of a reply on a claim, and tells whether it meets a gold label.

The label sets are those of FEVER (SUPPORTS, REFUTES, NOT ENOUGH INFO), SciFact (SUPPORT, CONTRADICT,
NoInfo), ContractNLI (Entailment, Contradiction, NotMentioned), MNLI (entailment, contradiction, neutral)
and yes/no, true/false. Words of another set meet a label where they mean the same: a mere "no" does
not meet REFUTES, for it may deny that the claim is supported.
"""

import re
from collections import deque

from pytest_context_bench.scoring import label_words as words
from pytest_context_bench.scoring.label_clauses import STATED, Clause, Reading, clauses, readings
from pytest_context_bench.scoring.markup import plain, without_traces

Said = list[tuple[Clause, list[Reading]]]
VERDICTS = frozenset({Reading.SUPPORTED, Reading.REFUTED, Reading.NEUTRAL})
YES_NO = frozenset({Reading.YES, Reading.NO})
BOTH_DENIED = frozenset({Reading.NOT_SUPPORTED, Reading.NOT_REFUTED})
MAX_CUES = 1000  # bounds the cost of any reply; the last cues are the ones that count
MAX_FILLERS = 12
LONGEST_LABEL = 4  # words

_SUPPORTED, _REFUTED = frozenset({Reading.SUPPORTED, Reading.YES}), frozenset({Reading.REFUTED})
_GOLDS = {
    "supports support supported entailment entails entail entailed yes true": _SUPPORTED,
    "refutes refute refuted contradiction contradicts contradict contradicted contradictory": _REFUTED,
    "no false": _REFUTED | {Reading.NO},
    "notenoughinfo notenoughinformation notenoughevidence nei noinfo notmentioned neutral"
    " insufficientevidence insufficientinfo insufficientinformation unverifiable notverifiable": frozenset(
        {Reading.NEUTRAL}
    ),
}
_ACCEPTED = {name: readings for names, readings in _GOLDS.items() for name in names.split()}
_ANSWERS = ("yes", "no", "true", "false")


def is_label(gold: str) -> bool:
    """Whether *gold* is a label of a known set, however it is written."""
    return _name(gold) in _ACCEPTED


def meets(response: str, gold: str) -> bool:
    """Whether *response* states what the label *gold* means."""
    name, text = _name(gold), _normal(response)
    if name in _ANSWERS:
        found = _read(text, VERDICTS | YES_NO)
    else:
        found = _read(text, VERDICTS) or _read(text, YES_NO)
    return found in _ACCEPTED[name]


def _name(gold: str) -> str:
    return re.sub(r"[\W_]", "", gold).lower()


def _normal(response: str) -> str:
    """Lower the case; part "NotMentioned" and "NOT_ENOUGH_INFO" into words; leave out what is quoted."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain(without_traces(response)))
    text = re.sub(r"(?<=\w)[_-](?=\w)", " ", text).lower()
    return re.sub(r'"([^"\n]{1,2000})"', lambda quoted: _label_or_claim(quoted[1]), text)


def _label_or_claim(quoted: str) -> str:
    word = quoted.strip(" .,")
    return quoted if len(word.split()) == 1 or words.LABEL.fullmatch(word) else " this claim "


def _read(text: str, allowed: frozenset[Reading]) -> Reading | None:
    """Try the ways of stating a label, from the most to the least explicit."""
    return (
        _announced(text, allowed, by=("sign",))
        or _first(text, allowed)
        or _announced(text, allowed, by=("is", "verb"))
        or _own_line(text, allowed)
        or (_argued(text) if allowed >= VERDICTS else None)
    )


def _announced(text: str, allowed: frozenset[Reading], by: tuple[str, ...]) -> Reading | None:
    """Return the label after the last cue that one follows, as in "Label: REFUTES"."""
    for cue in reversed(deque(words.CUE.finditer(text), maxlen=MAX_CUES)):
        found = _label_at(text, cue.end(), allowed) if cue.lastgroup in by else None
        if found:
            return found
    return None


def _first(text: str, allowed: frozenset[Reading]) -> Reading | None:
    answer = None if allowed & YES_NO else words.YES_OR_NO.match(text)
    return _label_at(text, answer.end() if answer else 0, allowed)


def _own_line(text: str, allowed: frozenset[Reading]) -> Reading | None:
    """Return the one label that has a line to itself; of several the last, unless they are but listed."""
    lines = [line for line in text.split("\n") if line.strip()]
    found = [_label_at(line, 0, allowed) if len(line.split()) <= LONGEST_LABEL else None for line in lines]
    if len(set(found) - {None}) == 1:
        return next(label for label in found if label)
    return found[-1] if len(found) > 1 and not found[-2] else None


def _label_at(text: str, position: int, allowed: frozenset[Reading]) -> Reading | None:
    """Return the label that stands at *position*, past words that only fill; nothing for one of several."""
    for _ in range(MAX_FILLERS):
        label = words.LABEL.match(text, position)
        if label:
            return _single(text, label, allowed)
        filler = words.FILLER.match(text, position)
        if not filler:
            break
        position = filler.end()
    return None


def _single(text: str, label: "re.Match[str]", allowed: frozenset[Reading]) -> Reading | None:
    reading = STATED[label.lastgroup or ""]
    link = words.ANOTHER_LABEL.match(text, label.end())
    other = words.LABEL.match(text, link.end()) if link else None
    ends = words.LABEL_ENDS.match(text, label.end()) and not words.SUPPOSED_AFTER.match(text, label.end())
    is_single = not other or STATED[other.lastgroup or ""] == reading
    return reading if reading in allowed and ends and is_single else None


def _argued(text: str) -> Reading | None:
    """Weigh what the sentences say, outside concessions, and of reasons only where nothing else says it."""
    said = [(clause, readings(clause.text)) for clause in clauses(text) if clause.opener != "concession"]
    return _weigh([part for part in said if part[0].opener != "reason"]) or _weigh(said)


def _weigh(said: Said) -> Reading | None:
    """Return the conclusion; else what all sentences say, or the first; else what their denials leave."""
    conclusions = [_combine(found) for clause, found in said if clause.opener == "conclusion"]
    concluded = [verdict for verdict in conclusions if verdict]
    if concluded:
        return concluded[-1]
    sentences = _sentences(said)
    verdicts = {number: verdict for number, found in sentences.items() if (verdict := _combine(found))}
    if len(set(verdicts.values())) == 1 or min(verdicts, default=-1) == 0:
        return verdicts[min(verdicts)]
    everything = [reading for found in sentences.values() for reading in found]
    return None if verdicts else _combine(everything, silent=True)


def _sentences(said: Said) -> dict[int, list[Reading]]:
    """Gather the readings of each sentence; a "but" or "however" drops what it speaks against."""
    sentences: dict[int, list[Reading]] = {}
    for clause, found in said:
        if clause.opener == "contrast" and VERDICTS & set(found):
            if sentences.get(clause.sentence):
                sentences[clause.sentence] = []
            else:
                sentences.clear()
        sentences.setdefault(clause.sentence, []).extend(found)
    return sentences


def _combine(found: list[Reading], *, silent: bool = False) -> Reading | None:
    """Return the one verdict of *found*; denials of both support and refutation leave neither."""
    verdicts = VERDICTS & set(found)
    if len(verdicts) == 1:
        return next(iter(verdicts))
    left_open = set(found) >= BOTH_DENIED or (silent and Reading.SILENT in found)
    return Reading.NEUTRAL if left_open and not verdicts else None
