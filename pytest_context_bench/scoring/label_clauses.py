"""Reads what the clauses of a text say of a claim: supported, refuted, neither, or one of them denied."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

from pytest_context_bench.scoring import label_words as words

WINDOW = 120  # how far a denial reaches; it bounds what a clause of any length costs


class Reading(Enum):
    """What one mention says; a denial of support or of refutation leaves two verdicts open."""

    SUPPORTED = auto()
    REFUTED = auto()
    NEUTRAL = auto()
    YES = auto()
    NO = auto()
    SILENT = auto()
    NOT_SUPPORTED = auto()
    NOT_REFUTED = auto()


STATED = {
    "supported": Reading.SUPPORTED,
    "unsupported": Reading.NOT_SUPPORTED,
    "refuted": Reading.REFUTED,
    "true": Reading.SUPPORTED,
    "false": Reading.REFUTED,
    "neutral": Reading.NEUTRAL,
    "silent": Reading.SILENT,
    "yes": Reading.YES,
    "no": Reading.NO,
}
_DENIED = {
    "supported": Reading.NOT_SUPPORTED,
    "unsupported": Reading.SUPPORTED,
    "refuted": Reading.NOT_REFUTED,
    "true": Reading.REFUTED,
    "false": Reading.SUPPORTED,
}
# "Nothing suggests that it is true" does not say that it is false.
_DENIED_BY_NOTHING = {**_DENIED, "true": Reading.NOT_SUPPORTED, "false": Reading.NOT_REFUTED}


@dataclass(frozen=True)
class Clause:
    """A part of a sentence, in lower case, and the kind of the word or sign that opens it."""

    text: str
    sentence: int
    opener: str


@dataclass(frozen=True)
class Mention:
    """A word for a verdict in its clause."""

    clause: str
    match: "re.Match[str]"

    @property
    def kind(self) -> str:
        """Which words these are: a key of STATED."""
        return self.match.lastgroup or ""

    @cached_property
    def before(self) -> str:
        """What goes before, without what "the claim that …" says."""
        before = self.clause[max(0, self.match.start() - WINDOW) : self.match.start()]
        return words.CLAIM_THAT.sub(r"\1\2", before)

    @cached_property
    def is_denied(self) -> bool:
        """Whether an odd number of denials reaches the word."""
        denied = _is_denied(self.before, self.match[0])
        named = self.match[0] in words.LABEL_NAMES
        found_not = words.NAME_DENIED.match(self.clause, self.match.end()) if named else None
        return denied != bool(found_not)

    @property
    def is_about_the_claim(self) -> bool:
        """Whether the words around tell this from the claim's own words."""
        if self.kind == "neutral":
            return True
        if self.kind in ("true", "false"):
            subject = words.CLAIM.search(self.before) or words.BARE.fullmatch(self.before)
            return bool(subject and words.IS.search(self.before))
        if self.kind == "silent":
            return bool(words.TOPIC.search(self.before) or words.BARE.fullmatch(self.before))
        after = words.ABOUT_AFTER.match(self.clause, self.match.end())
        return bool(after or words.ABOUT_BEFORE.search(self.before))

    def reading(self) -> Reading | None:
        """Return what the mention says, if anything: "not neutral" says nothing."""
        if not self.is_denied:
            return STATED[self.kind]
        return (_DENIED_BY_NOTHING if words.NOTHING.search(self.before) else _DENIED).get(self.kind)

    def lacks_evidence_for(self, other: "Mention") -> bool:
        """Whether *other* is what evidence is lacking for, as in "not enough to support"."""
        start, end = self.match.end(), other.match.start()
        between = self.clause[start : min(end, start + WINDOW)]
        return end > self.match.start() and (not between.strip() or bool(words.LACKING_FOR.search(between)))

    def introduces(self, other: "Mention") -> bool:
        """Whether this is but the verb before *other*, as in "confirms that the claim is false"."""
        is_verb = self.kind == "supported" and words.SAYS_THAT.match(self.clause, self.match.end())
        return bool(is_verb) and other.match.start() > self.match.start()


def clauses(text: str) -> Iterator[Clause]:
    """Part lower-case *text* into the clauses of its sentences, but for questions and what is imagined."""
    start = 0
    for number, end in enumerate(words.SENTENCE.finditer(text)):
        sentence, start = text[start : end.start()], end.end()
        if "?" not in end[0] and not words.IMAGINED.search(sentence):
            yield from _parts(sentence, number)


def readings(clause: str) -> list[Reading]:
    """Return what *clause* says of the claim; the claim's own words and what is doubted say nothing."""
    clause = words.NOT_A_DENIAL.sub("", clause)
    found = [Mention(clause, match) for match in words.MENTION.finditer(clause)]
    found = [mention for mention in found if not words.DOUBTED.search(mention.before)]
    if {"true", "false"} <= {mention.kind for mention in found if mention.is_denied}:
        return [Reading.NEUTRAL]
    lack = next((mention for mention in found if mention.kind in ("neutral", "silent")), None)
    wanted = {mention.kind for mention in found if lack and lack.lacks_evidence_for(mention)}
    if lack and lack.kind == "silent" and wanted == {"refuted"}:
        return [Reading.NOT_REFUTED]  # "no evidence contradicts it"
    own = [mention for mention in found if not (lack and lack.lacks_evidence_for(mention))]
    telling = [mention for mention in own if mention.is_about_the_claim and not mention.introduces(own[-1])]
    return [reading for mention in telling if (reading := mention.reading())]


def _parts(sentence: str, number: int) -> Iterator[Clause]:
    opener, start = "sentence", 0
    for part in words.CLAUSE.finditer(sentence):
        clause = sentence[start : part.start()].strip()
        if clause:
            yield Clause(clause, number, opener)
        if clause or part.lastgroup != "plain":  # the comma of "however," opens nothing new
            opener = part.lastgroup or ""
        start = part.end()
    if clause := sentence[start:].strip():
        yield Clause(clause, number, opener)


def _is_denied(before: str, word: str) -> bool:
    """Count the denials before *word*; they reach it through "or", and an infinitive through "and"."""
    *joined, last = words.COORDINATOR.split(before)
    by = words.COORDINATOR.findall(before)
    denials = len(words.DENIAL.findall(last)) + (by[-1:] == ["nor"])
    if denials or not joined:
        return denials % 2 == 1
    if by[-1] == "and" and not words.INFINITIVE.fullmatch(word):
        return False
    return _is_denied(before[: len(before) - len(last) - len(by[-1])], word)
