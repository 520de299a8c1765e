"""What of a judge's reply is its own judgement: no thoughts, no quotations, no words about the scale."""

import re

SCALE = "\ufffc"  # stands where the reply names the scale
_LONGEST = 100_000

_THOUGHTS = re.compile(
    r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)|\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE
)
_QUOTED_LINE = re.compile(r"^[^\S\n]*>.*$", re.MULTILINE)
_QUOTATION = re.compile(
    r"\"[^\"\n]{0,2000}\"(?P<key>\s*:)?|\u201c[^\u201d]{0,2000}\u201d|\u00ab[^\u00bb]{0,2000}\u00bb"
)
_NUMBER = re.compile(r"[\d\s./-]+")
_ALL_QUOTED = re.compile(r"\"([^\"]*)\"")
_EMPHASIS = re.compile(r"[*`~]+|__+")
_BOXED = re.compile(r"\$?\\boxed\{([^{}]*)\}\$?")

_BOUND = r"\[{0,2}\b\d+(?:\.\d+)?(?:/\d+)?\]{0,2}"
_RANGE = (
    rf"(?:\bbetween\s+{_BOUND}\s+and\s+{_BOUND}"
    rf"|{_BOUND}(?:\s*\([^()\n]{{0,30}}\))?\s*(?:[\u2010-\u2015-]|\bto\b|\bor\b|\bthrough\b|\.{{2,3}})\s*{_BOUND})"
)
_SCALE = re.compile(
    r"(?:\b(?:on|from|in|using|with|within)\s+)?(?:\b(?:an?|the|this|your)\s+)?"
    r"(?:\b(?:(?:rating|grading)\s+)?scale\b[\s:(]*(?:(?:of|from|is|runs)\s+)*)?"
    rf"(?P<range>{_RANGE})(?:[\s-]+(?:rating\s+)?scale\b|\s*\([^()\d\n]{{0,30}}\))?",
    re.IGNORECASE,
)
_MEANING = re.compile(
    rf"{_BOUND}\s+(?:would|means?|meaning|being|indicat(?:es?|ing)|represents?|denotes?|requires?|if|when)\b",
    re.IGNORECASE,
)
_NAMED_SCALE = re.compile(
    rf"\bscale\b[^.\n\d]{{0,20}}(?P<after>{_RANGE})|(?P<before>{_RANGE})[\s-]{{1,3}}scale\b"
    rf"|\b(?:rating|score|grade)\s*\([^()\d\n]{{0,20}}(?P<label>{_RANGE}|\d+)",
    re.IGNORECASE,
)


def own_words(reply: str) -> str:
    """Return *reply* without thoughts, quotations and emphasis, its scales replaced by `SCALE`."""
    text = _without_marks(without_thoughts(reply))
    text = _spaced(_QUOTATION.sub(_unquoted, _QUOTED_LINE.sub("", text)))
    return _MEANING.sub(f" {SCALE} ", _SCALE.sub(_scale, text))


def without_thoughts(reply: str) -> str:
    """Return *reply* without the reasoning that some models put before it."""
    return _THOUGHTS.sub(" ", _spaced(reply[-_LONGEST:])).strip()


def names_other_scale(reply: str, lowest: float, highest: float) -> bool:
    """Whether *reply* speaks of a scale that does not run from *lowest* to *highest*."""
    for match in _NAMED_SCALE.finditer(without_thoughts(reply)):
        bounds = _bounds(match[match.lastgroup or 0])
        if not all(lowest <= bound <= highest for bound in bounds) or bounds[1:] not in ([], [highest]):
            return True
    return False


def _scale(named: re.Match[str]) -> str:
    """Return `SCALE`, but leave a rating that a dash and another number follow: 3/5 - 2 errors."""
    bounds = _bounds(named["range"])
    rising = len(bounds) > 1 and bounds[0] < bounds[-1]
    return f" {SCALE} " if rising and named["range"].count("/") != 1 else named[0]


def _bounds(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"(?<![/\d.])\d+(?:\.\d+)?", text)]


def _spaced(text: str) -> str:
    """Return *text* with single spaces and line ends: runs of them would cost the patterns much time."""
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text))


def _unquoted(quotation: re.Match[str]) -> str:
    """Return nothing for what is quoted, but keep keys of JSON and numbers in quotation marks."""
    kept = quotation["key"] or _NUMBER.fullmatch(quotation[0][1:-1])
    return quotation[0] if kept else " "


def _without_marks(text: str) -> str:
    """Return *text* without emphasis and without the quotation marks around all of it."""
    text = _BOXED.sub(r"\1", _EMPHASIS.sub("", text)).strip()
    quoted = _ALL_QUOTED.fullmatch(text)
    return quoted[1] if quoted else text
