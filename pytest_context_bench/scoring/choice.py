"""Reads the letter that a reply to a multiple-choice question answers with, or tells that there is none.

The ways of answering are tried from the most to the least explicit. Of cues the last wins; where the
reply only names options or gives their texts, the only one does. What is denied or supposed is no answer.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator

from pytest_context_bench.scoring import choice_cues as cues
from pytest_context_bench.scoring.choice_denials import WINDOW, supposed
from pytest_context_bench.scoring.choice_letter import UNCLEAR, Reply, letter_at, target
from pytest_context_bench.scoring.choice_lines import (
    after_options,
    first_line,
    labelled,
    labels,
    last_line,
    marked_right,
)
from pytest_context_bench.scoring.choice_text import LETTERS, Choices, Lettered
from pytest_context_bench.scoring.choice_words import OPTION_ABROAD, any_of
from pytest_context_bench.scoring.markup import plain, without_traces

__all__ = ["LETTERS", "Choices", "chosen"]

Mention = tuple[str, "re.Match[str]"]  # a letter, and where it or its text stands
Found = tuple[int, str]  # a position, and a letter or UNCLEAR
MAX_CUES = 2000  # bounds the cost of any reply; the last cues are the ones that count
LONGEST_SUBJECT = 400
_ONLY_A_LETTER = Lettered(
    r"(?:=>|->)?(?i:(?:option|choice|letter|answer|alternative)\s)?[^\w+#°=/\\%^&–-]*([A-Ja-j])[^\w+#°=/\\%^&-]*"
)
_NAMED = Lettered(
    r"(?<!\w)\((?P<wrapped>[A-J])\)|\"(?P<quoted>[A-J])[.,]?\""
    rf"|\b(?i:option|choice|letter|alternative|answer|{OPTION_ABROAD})\s\(?(?P<called>[A-J])(?![\w'+#-])"
)
_SURELY = any_of(
    "so then thus therefore hence definitely probably clearly certainly maybe perhaps yes sure well ok okay"
    " likely obviously"
)
_WHY = r"\s(?:because|since|as|instead\sof|rather\sthan)\b"
_SAID = Lettered(
    r"(?:^|\n|(?<![A-Z])[.;!?—]\s?)(?P<begins>[A-J])"
    rf"(?=\s?(?:$|[\n;!—]|\.\s?(?:$|\n)|,\s(?:[a-z]|I\b)|\s\((?:[A-J]|not|because|since)\b)|{_WHY})"
    rf"|\b(?i:{_SURELY}),?\s(?P<follows>[A-J])(?=\s?(?:$|[\n.,;:!—])|\s[–-]\s|{_WHY})"
)
_TOO_COMMON = re.compile(
    r"[\W\d_]*|.{1,2}|"
    + any_of(
        "yes no true false all both none neither the and not"
        " zero one two three four five six seven eight nine ten"
    ),
    re.IGNORECASE,
)
_AND = re.compile(r"\b(?:and|or|nor)\b")
_COMMA = re.compile(r"[, ]{0,3}(?:(?:and|or|nor) )?(?:the )?")
_ONE_OF_TWO = Lettered(r"\b[A-J][)\]]? (?:and|or|nor) (?:option )?[(\[]?$")
_CALLED = re.compile(r"(?:option|choice|answer|letter)\s$")
_BEGINS = re.compile(r"[ )\"']?(?:$|[,.;:!\n–—-])")
_RESULT = re.compile(
    r"(?:[=:≈→]|\b(?:is|are|be|equals|get|gives|to|of|about|approximately)) ?$", re.IGNORECASE
)


def chosen(response: str, choices: Choices) -> str | None:
    """Return the letter *response* answers with, or nothing where it gives no single valid one."""
    reply = Reply(plain(without_traces(response)), choices)
    only = _ONLY_A_LETTER.of(choices).fullmatch(reply.text)
    if only and only[1].upper() in choices.letters:
        return only[1].upper()
    ways = (_announced, first_line, labelled, _stated, marked_right, _favoured, _named, _told, _said)
    found = next((letter for way in ways if (letter := way(reply))), UNCLEAR)
    return found if found in choices.letters else None


def _announced(reply: Reply) -> str | None:
    """Read "the answer is B", "I choose B", "B is correct" and a last line of a letter."""
    found = [*_cued(reply, cues.NAMED, named=True), *_cued(reply, cues.PICKED)]
    found += [*_cued(reply, cues.CORRECTED, strict=True), *_subjects(reply, cues.VERDICT)]
    if last := last_line(reply):
        found.append((len(reply.text), last))
    return max(found)[1] if found else None


def _stated(reply: Reply) -> str | None:
    """Read "so it must be B", and failing that "it could be B"."""
    for pattern in (cues.STATED, cues.HEDGED):
        found = list(_cued(reply, pattern, strict=True))
        if found:
            return found[-1][1]
    return None


def _favoured(reply: Reply) -> str | None:
    """Read the one letter or text of which it is said that it fits, or is true."""
    letters = {letter for _, letter in _subjects(reply, cues.FAVOURED)} & set(reply.choices.letters)
    return letters.pop() if len(letters) == 1 else None


def _named(reply: Reply) -> str | None:
    """Read the one letter named as "(B)" or "option B"."""
    found = _NAMED.of(reply.choices).finditer(reply.text, after_options(reply))
    names = ((match[match.lastgroup or 0], match) for match in found)
    return _only(reply, (name for name in names if name[0] != "I" or not reply.counts_in_roman))


def _told(reply: Reply) -> str | None:
    """Read the one choice whose text the reply gives."""
    options = {label.end for label in labels(reply)}
    found = reply.choices.pattern.finditer(reply.text, after_options(reply))
    texts = (text for text in found if text.start() not in options and _is_telling(reply, text))
    return _only(reply, ((text.lastgroup or UNCLEAR, text) for text in texts))


def _said(reply: Reply) -> str | None:
    """Read the one bare letter that makes a clause of its own."""
    said = deque(_SAID.of(reply.choices).finditer(reply.text, after_options(reply)), maxlen=MAX_CUES)
    letters = {letter_at(reply, match.start(match.lastgroup or 0), strict=True) for match in said}
    valid = letters & set(reply.choices.letters)
    return valid.pop() if len(valid) == 1 else None


def _cued(
    reply: Reply, cue: "re.Pattern[str]", *, strict: bool = False, named: bool = False
) -> Iterator[Found]:
    for match in deque(cue.finditer(reply.lower), maxlen=MAX_CUES):
        if supposed(reply.lower, match.start()):
            continue
        letter = target(reply, match.end(), strict=strict, across_lines=named)
        if letter and (named or letter != UNCLEAR):
            yield match.end(), letter


def _subjects(reply: Reply, verdicts: "re.Pattern[str]") -> Iterator[Found]:
    """Find the letters and the texts that *verdicts* are given on."""
    for verdict in deque(verdicts.finditer(reply.lower), maxlen=MAX_CUES):
        subject = _text_before(reply, verdict.start()) or _letter_before(reply, verdict.start())
        if subject and not supposed(reply.lower, subject[0]):
            yield verdict.end(), subject[1]


def _text_before(reply: Reply, end: int) -> Found | None:
    before = reply.lower[max(0, end - LONGEST_SUBJECT) : end].rstrip(" ,)\"'")
    for letter, text in reply.choices.longest_first:
        start = len(before) - len(text)
        if before.endswith(text.lower()) and not re.match(r"\w", before[max(0, start - 1) : start]):
            return end - len(text), letter
    return None


def _letter_before(reply: Reply, end: int) -> Found | None:
    offset = max(0, end - WINDOW)
    subject = cues.SUBJECT.of(reply.choices).search(reply.lower[offset:end])
    if not subject:
        return None
    position = offset + subject.start("letter")
    letter = reply.text[position]
    called = subject["before"] is not None and (letter.isupper() or _CALLED.search(subject["before"]))
    bare = called and not (letter == "I" and reply.counts_in_roman)
    stands = (subject["open"] or bare) and not _ONE_OF_TWO.of(reply.choices).search(
        reply.text, offset, position
    )
    return (position, letter.upper()) if stands and not reply.rejects(position, position + 1) else None


def _is_telling(reply: Reply, text: "re.Match[str]") -> bool:
    """Whether a choice's text answers; a number or a common word must begin or end the reply."""
    common = _TOO_COMMON.fullmatch(reply.choices.bare[text.lastgroup or ""])
    return not common or _begins_reply(reply, text) or _ends_reply(reply, text)


def _begins_reply(reply: Reply, text: "re.Match[str]") -> bool:
    return text.start() == 0 and bool(_BEGINS.match(reply.text, text.end()))


def _ends_reply(reply: Reply, text: "re.Match[str]") -> bool:
    if reply.text[text.end() : text.end() + 9].strip(" .!)\"'") or len(reply.text) > text.end() + 9:
        return False
    before = reply.text[max(0, text.start() - WINDOW) : text.start()]
    return text.start() == reply.lines[-1].start() or bool(_RESULT.search(before))


def _only(reply: Reply, mentions: Iterable[Mention]) -> str | None:
    """Return the one letter that is mentioned and never rejected."""
    standing: set[str] = set()
    rejected: set[str] = set()
    for series in _series(reply, deque(mentions, maxlen=MAX_CUES)):
        denied = [reply.rejects(*mention.span()) for _, mention in series]
        together = _AND.search(reply.lower, series[0][1].end(), series[-1][1].start())
        for (letter, _), is_denied in zip(series, denied, strict=True):
            (rejected if is_denied or (together and any(denied)) else standing).add(letter)
    left = standing - rejected
    return left.pop() if len(left) == 1 else None


def _series(reply: Reply, mentions: Iterable[Mention]) -> Iterator[list[Mention]]:
    """Part *mentions* into those in one series, as "Rome, Oslo or Paris"."""
    series: list[Mention] = []
    for mention in mentions:
        if series and not _COMMA.fullmatch(reply.lower, series[-1][1].end(), mention[1].start()):
            yield series
            series = []
        series.append(mention)
    if series:
        yield series
