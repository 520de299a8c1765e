"""Cuts an answer out of prose: the maths a clause starts with, or the maths around its last number."""

import re

from pytest_context_bench.scoring.latex.functions import NAMES
from pytest_context_bench.scoring.latex.notation import FRACTIONS, MINUSES, SIGNS
from pytest_context_bench.scoring.latex.units import SCALES

MAX_LINE = 2_000  # characters around a number that are looked at
_UNICODE = re.escape("".join([*SIGNS, *FRACTIONS, *"⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉$€£¥₹¢°"]))
_WORDS = "|".join(sorted({*NAMES, *SCALES, "percent", "degrees", "degree"} - {"and", "or"}))
# `a`, `A` and `I` before a word or a figure are words, not symbols; before a reason, `A` is an option.
_NO_ARTICLE = r"(?!\b[aAI]\s+(?:(?!because|since|as\b)[a-z]{2}|\d|\\(?:[dt]?frac|sqrt)))"
_PIECE = rf"""
    \\begin\{{[a-z]*\}}[\s\S]{{0,1000}}?\\end\{{[a-z]*\}}
  | \\(?:text[a-z]*|mbox|mathrm)\s?\{{[^{{}}\n]*\}} | \\[A-Za-z]+ | \\[^A-Za-z\s]
  | \d(?:(?:[\d,.]|,\\!\s?)*\d)? | \.\d+
  | (?<![A-Za-z])(?:{_WORDS})(?![A-Za-z])
  | {_NO_ARTICLE}(?<![A-Za-z])[A-Za-z](?![A-Za-z])
  | [-+*/^_=<>(){{}}\[\]|!'%{_UNICODE}] | [ \t]
"""
_RUN = re.compile(rf"(?:{_PIECE})++", re.VERBOSE)
_CLAUSE = re.compile(rf"(?:{_PIECE}|[,;]|(?<![A-Za-z])(?:and|or)(?![A-Za-z]))++", re.VERBOSE)
_DELIMITED = re.compile(
    r"\$\$(?P<display>.+?)\$\$|(?<!\\)\$(?=[^\s$])(?P<inline>(?:[^$\n\\]|\\.)*?(?<!\s))\$(?!\d)"
    r"|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]",
    re.DOTALL,
)
_NEXT = re.compile(r"\s*(?:,\s*(?:and|or)?|and|or)\s*(?=\$|\\\()")
_LEAD = re.compile(
    r"[\s*_:\"'`“”]*+"
    r"(?:(?:therefore|thus|hence|indeed|simply|exactly|clearly|approximately|about|equal to|given by)\b,?"
    r"[\s*_:\"'`“”]*+)?",
    re.IGNORECASE,
)
_DANGLING = " \t,.;:*_=+-<>([{\"'!/"
_JOINER = re.compile(r"(?<![A-Za-z\\])(?:and|or)$")
_SENTENCE_END = re.compile(r"[.,;:!?(\n*]|\s(?:because|since|as)\s")
_ATTACHED_UNIT = re.compile(r"(?<=\d)(?=[mgshL](?![A-Za-z]))")
_FIGURE = re.compile(
    rf"""
    (?:(?<![\w)\]}}.%])(?<![\d)\]}}]\s)[-+{MINUSES}](?=[\d.\\$€£¥₹]))?(?:\\?[$€£¥₹]\s?[-{MINUSES}]?)?
    (?=\.?\d)(?:\d{{1,3}}(?:(?:,(?:\\!\s?)?|\\,|\{{,\}}|[\u00a0\u2009\u202f])\d{{3}})+(?!\d)|\d+)?(?:\.\d+|(?<=\d))
    (?:\s\d+\s?/\s?\d+(?![\d/])|\s?/\s?\d+(?![\d/])|\s?[{"".join(FRACTIONS)}])?
    (?:\s?(?:\\?%|percent\b|(?:{"|".join(SCALES)})\b))?
    """,
    re.VERBOSE,
)
_PAIR = re.compile(r"[(\[][^()\[\]\n]{1,200}[)\]]")
_MARKED_THOUSANDS = re.compile(r"[(\[]\d{1,3}(?:,\d{3})+[)\]]")
_PROSE = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2}")
_LATEX = re.compile(r"[\\^_√π]")


def maths_at_start(clause: str) -> tuple[str, str]:
    """Return the maths that *clause* starts with, and what follows it."""
    start = _LEAD.match(clause)
    clause = clause[start.end() :] if start else clause
    delimited, rest = _delimited_at_start(clause)
    if delimited:
        return delimited, rest
    found = _CLAUSE.match(clause)
    maths = _trimmed(found[0]) if found else ""
    return _ATTACHED_UNIT.sub(" ", maths), clause[len(maths) :]


def words_at_start(clause: str) -> str:
    """Return the words up to the first stop."""
    return _SENTENCE_END.split(clause.strip(" \t\n*_:\"'`"), maxsplit=1)[0].strip()


def _delimited_at_start(clause: str) -> tuple[str, str]:
    """Return formulas between delimiters, several of them as a list."""
    formulas, end = [], 0
    while found := _DELIMITED.match(clause, end):
        formulas.append(_inside(found))
        end = found.end()
        further = _NEXT.match(clause, end)
        if not further:
            break
        end = further.end()
    return ", ".join(formulas), clause[end:]


def _trimmed(maths: str) -> str:
    """Drop what a sentence leaves at the end: stops, operators, brackets without a partner."""
    before = ""
    while maths != before:
        before = maths
        maths = _JOINER.sub("", maths.rstrip(_DANGLING))
        if maths.endswith((")", "]")) and sum(map(maths.count, ")]")) > sum(map(maths.count, "([")):
            maths = maths[:-1]
    return maths if re.search(r"\w", maths) else ""


def maths_around_last_number(text: str) -> str:
    """Return the last number of *text* with what belongs to it; nothing where there is none."""
    line = next((line for line in reversed(text.splitlines()) if re.search(r"\d", line)), "")
    last_digit = next((place for place in reversed(range(len(line))) if line[place].isdecimal()), 0)
    line = line[max(0, last_digit - MAX_LINE) : last_digit + MAX_LINE]
    figures = list(_FIGURE.finditer(line))
    if not figures:
        return ""
    start, end = figures[-1].span()
    return _formula(line, start, end) or _pair(line, start, end) or _run(line, end) or figures[-1][0].strip()


def last_formula(text: str) -> str:
    """Return the last formula between delimiters where only words follow, on the last line of *text*."""
    line = text.rstrip().rpartition("\n")[2][-MAX_LINE:]
    found = list(_DELIMITED.finditer(line))
    if not found or re.search(r"\d", line[found[-1].end() :]):
        return ""
    formula = _inside(found[-1]).strip()
    return formula if len(formula) > 1 else ""  # one letter is a name that the text explains


def _inside(found: "re.Match[str]") -> str:
    return next(group for group in found.groups() if group is not None)


def _formula(line: str, start: int, end: int) -> str:
    """Return the formula between delimiters that holds the span."""
    for found in _DELIMITED.finditer(line):
        if found.start() <= start and end <= found.end():
            return _inside(found)
    return ""


def _pair(line: str, start: int, end: int) -> str:
    """Return the tuple or interval that holds the span."""
    for found in _PAIR.finditer(line):
        pair = found[0]
        is_prose = "," not in pair or _MARKED_THOUSANDS.fullmatch(pair) or _PROSE.search(pair)
        if found.start() <= start and end <= found.end() and not is_prose:
            return pair
    return ""


def _run(line: str, end: int) -> str:
    """Return the LaTeX without delimiters that holds the span, what stands before its last `=` left out."""
    for found in _RUN.finditer(line):
        if found.start() < end <= found.end():
            run = line[max(found.start(), line.rfind("=", 0, end) + 1) : found.end()]
            return _trimmed(run).strip() if _LATEX.search(run) else ""
    return ""
