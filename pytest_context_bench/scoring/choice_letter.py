"""Reads what stands at one place of a reply: an answer letter, a choice's text, or neither."""

import re
from dataclasses import dataclass
from functools import cached_property

from pytest_context_bench.scoring import choice_cues as cues
from pytest_context_bench.scoring.choice_denials import WINDOW, taken_back
from pytest_context_bench.scoring.choice_text import ALPHABET, Choices, Lettered

UNCLEAR = "?"  # an answer, but not one of the letters: two of them, or one too high
# Letters of other scripts that stand for A, B, C, D, and look-alikes, where a cue has announced a letter.
_OTHER_SCRIPTS = dict(zip("АВСЕΑΒΓΔΕأابجدঅবডঢকখগঘअबसद", "ABCEABCDEAABCDABCDABCDABCD", strict=True))
_LETTER = Lettered(
    rf"(?P<open>[(\[<\"'«「『【]{{0,4}}) ?(?P<letter>[A-Ja-j{''.join(_OTHER_SCRIPTS)}])"
    r"(?P<close> ?[)\]]{1,4}|[>\"»」』】]{1,4}|'(?!\w)|[.:](?!\w\.|[a-z]))?"
)
# What after a letter makes it part of a word, a name, a formula: "A-Team", "C++", "I'd", "F = ma".
_GLUED = re.compile(
    r"\w|[\u0300-\u036f]|'(?!d[iıuü]r)\w|[-–]\w|[′″+#^°*\\~]|\s\+\s|\.\w(?!\w)|\.[a-z]|\s?=(?!>)"
)
_NO_WORDS = frozenset(ALPHABET) - {"A", "I"}
_WORD_FOLLOWS = re.compile(r" [0-9A-Za-zÀ-ɏ]")
_GOES_ON = re.compile(
    r" (?:because|since|as|due|which|considering|based|here|(?:and |but )?not|rather|instead)\b"
)
_ABBREVIATED = re.compile(r"\.\s[a-z]")
_ROMAN = re.compile(r"\bI{2,3}\b|\bIV\b")
_ROMAN_ENDS = re.compile(r"[.!]?\s?(?:$|\n)")

OTHERS = Lettered(
    r"(?:[)\]\"' ]{0,4}(?:[,/&;+、和或]|\b(?:and|or|und|oder|et|ou|y|o)\b)\s?(?:(?:and|or)\s)?"
    r"(?:(?i:option|choice)\s)?"
    r"[(\[\"']{0,4}[A-J](?!\w|'\w|-\w)[)\]\"']{0,4})+"
)
_CLAUSE = re.compile(
    r"\s(?:is|are|was|were|has|have|had|do|does|did|would|will|can|could|cannot|may|might|must|should|seems?|looks?|am"
    r"|describes?|refers?|represents?|states?|says?|fails?|being|think|believe|guess|\w+n't)\b"
)
_CLAUSE_AFTER_COMMA = re.compile(r"\s(?!and\b|or\b)[a-z]")
_CLOSED = re.compile(r"\.?[)\]\"']{1,4}")
_OR = re.compile(r"(?:,? or |/)(?:the )?")
_ASIDE = re.compile(r"[)\]\"']{0,4}\s?\([^()\n]{1,80}\)")
_LABEL_END = re.compile(r"[)\]\"'.:, (–—-]{1,6}")


@dataclass(frozen=True)
class Reply:
    """A reply without traces and markup, and the choices it is about."""

    text: str
    choices: Choices

    @cached_property
    def lower(self) -> str:
        """The text in lower case; positions are those of the text."""
        return self.text.lower()

    @cached_property
    def lines(self) -> "list[re.Match[str]]":
        """The lines that hold something."""
        return [line for line in re.finditer(r"[^\n]+", self.text) if not line[0].isspace()]

    @cached_property
    def counts_in_roman(self) -> bool:
        """Whether statements I, II, III are spoken of, so that a bare I is one of those."""
        return any(_ROMAN.search(text) for text in (self.text, *(self.choices.texts or {}).values()))

    def rejects(self, start: int, end: int) -> bool:
        """Whether the letter or text from *start* to *end*, or what follows it, denies it."""
        aside = _ASIDE.match(self.text, end)
        label_end = _LABEL_END.match(self.text, end)
        own = self.choices.at(self.text, label_end.end() if label_end else end)
        ends = {end} | {match.end() for match in (aside, own) if match}
        ends |= {closed.end() for last in ends if (closed := _CLOSED.match(self.text, last))}
        return any(taken_back(self.lower, start, last, self.choices) for last in ends)

    def is_one_of_two(self, text: "re.Match[str]") -> bool:
        """Whether a choice's text is followed by "or" and that of another."""
        link = _OR.match(self.text, text.end())
        return bool(link and self.choices.at(self.text, link.end()))


def target(reply: Reply, position: int, *, strict: bool = False, across_lines: bool = False) -> str | None:
    """Return the letter or UNCLEAR that a cue ending at *position* announces, past words that only fill."""
    for _ in range(cues.MAX_FILLERS):
        text = reply.choices.at(reply.text, position)
        if text and reply.is_one_of_two(text):
            return UNCLEAR
        if text:
            return None if reply.rejects(*text.span()) else text.lastgroup
        letter = letter_at(reply, position, strict=strict)
        if letter:
            return letter
        position = cues.skip_filler(reply.lower, position, across_lines=across_lines)
        if position < 0:
            break
    return None


def letter_at(reply: Reply, position: int, *, strict: bool = False) -> str | None:
    """Return the letter that stands at *position*, or UNCLEAR; *strict* wants the clause to end there."""
    found = _LETTER.of(reply.choices).match(reply.text, position)
    if not found or not _is_letter(reply, found, strict=strict):
        return None
    end = found.end("letter")
    if reply.rejects(found.start(), end):
        return None
    letter = _OTHER_SCRIPTS.get(found["letter"], found["letter"].upper())
    return UNCLEAR if letter not in reply.choices.letters or _one_of_several(reply, end, letter) else letter


def _is_letter(reply: Reply, found: "re.Match[str]", *, strict: bool) -> bool:
    """Tell a letter from the start of a word, a variable, an abbreviation, an article and a pronoun."""
    letter, start, end = found["letter"], found.start(), found.end("letter")
    if not found["open"] and (_is_in_word(reply, start) or (strict and _ABBREVIATED.match(reply.text, end))):
        return False
    if letter == "I" and reply.counts_in_roman and not _ROMAN_ENDS.match(reply.text, end):
        return bool(found["open"] and found["close"])
    if found["close"]:
        return True
    if _GLUED.match(reply.text, end):
        return _one_of_several(reply, end, letter.upper())
    if strict and (letter in "ai" or reply.text[end : end + 1] == "?"):
        return False
    return not _WORD_FOLLOWS.match(reply.text, end) or _goes_on(reply, letter, end, strict=strict)


def _is_in_word(reply: Reply, start: int) -> bool:
    return start > 0 and re.match(r"\w", reply.text[start - 1]) is not None


def _goes_on(reply: Reply, letter: str, end: int, *, strict: bool) -> bool:
    """Whether a word after a bare letter leaves it a letter: "B because", "A or B", "A Paris"."""
    if _GOES_ON.match(reply.text, end) or _one_of_several(reply, end, letter.upper()):
        return True
    if reply.choices.owns(letter, reply.lower, end + 1):
        return True
    return letter in _NO_WORDS and not strict


def _one_of_several(reply: Reply, end: int, letter: str) -> bool:
    """Whether the letter that ends at *end* is followed by others on the same footing, as in "A or B"."""
    others = OTHERS.of(reply.choices).match(reply.text, end)
    if not others or set(re.findall(r"\b[A-Z]\b", others[0])) <= {letter}:
        return False
    after = reply.lower[others.end() : others.end() + WINDOW]
    clause = _CLAUSE_AFTER_COMMA if others[0].lstrip(" )]\"'").startswith((",", ";")) else _CLAUSE
    return not clause.match(after)
