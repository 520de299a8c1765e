"""Takes off what wraps an answer: reasoning traces, Markdown, LaTeX, HTML and look-alike characters."""

import re

_TRACE = re.compile(r"[<\[◁](/?)(?:think|thinking|thoughts?|reasoning|seed:think)[>\]▷]", re.IGNORECASE)
_FINAL_CHANNEL = "<|channel|>final<|message|>"


def without_traces(text: str) -> str:
    """Drop reasoning traces: closed ones, what precedes a lone closing tag, what follows an unclosed one."""
    kept: list[str] = []
    start, inside = 0, False
    for tag in _TRACE.finditer(text):
        if tag[1]:
            if not inside:  # the opening tag was part of the prompt: all so far is trace
                kept.clear()
            start, inside = tag.end(), False
        elif not inside:
            kept.append(text[start : tag.start()])
            inside = True
    if not inside:
        kept.append(text[start:])
    return "\n".join(kept).rpartition(_FINAL_CHANNEL)[2]


def _look_alikes() -> dict[int, str]:
    table = {0xFF01 + offset: chr(0x21 + offset) for offset in range(94)}  # full-width ASCII
    for first in (0x24B6, 0x1F110, 0x1F130, 0x1F150, 0x1F170, 0x1D400, 0x1D5D4):  # circled, boxed, bold
        table |= {first + offset: chr(ord("A") + offset) for offset in range(26)}
    table |= dict.fromkeys([*range(0x200B, 0x2010), 0x2060, 0xFEFF, 0xFE0F, 0x20E3, 0xAD], "")  # invisible
    table |= dict.fromkeys(map(ord, "\u2010\u2011\u2212"), "-")
    table |= dict.fromkeys(range(0x201C, 0x2020), '"') | dict.fromkeys(range(0x2018, 0x201C), "'")
    # The one letter whose lower case is longer: positions in a text and in its lower case must agree.
    return table | {ord("İ"): "I", 0x2028: "\n", 0x2029: "\n", 0x0D: "\n"}


# Scripts written without spaces, and Hangul, whose particles follow a word or a letter without one.
UNSPACED = r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
_SEAM = re.compile(rf"(?<={UNSPACED})(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?={UNSPACED})")
_LOOK_ALIKES = _look_alikes()
_REWRITES = [
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), replacement)
    for pattern, replacement in (
        (r"\\([*_#`~.])", r"\1"),  # escaped Markdown
        (r"(?-i:\\n(?=[A-J(\s\\]|$))", "\n"),  # a newline that was escaped twice
        (r"<(?:final_?)?(?:answer|choice|option|label|verdict)>", "\nanswer: "),
        (r"</?(?:final_?)?(?:answer|choice|option|label|verdict)>|<br ?/?>|</?(?:p|div|li|h[1-6])>", "\n"),
        (r"</?(?:(?-i:[biu])|em|strong|mark|code|span|sup|sub|pre|font|ul|ol)\b[^<>\n]{0,60}>", ""),
        (r"\\[dt]?frac\{([^{}\n]{1,40})\}\{([^{}\n]{1,40})\}", r"\1/\2"),
        (r"\\(?:boxed|fbox|framebox)\b[ {]*", " answer: "),
        (r"\\(?:text|math)(?:bf|it|rm|sf|tt|normal|cal|bb|frak)?\b\s?", ""),
        (r"\\(?:mbox|hbox|operatorname|emph|underline|bf|rm|bm|boldsymbol|left|right|displaystyle)\b\s?", ""),
        (r"\\(?:q?quad\b|[,;:! ])", " "),
        (r"\\[()\[\]]|[{}$`]", ""),
        (r"==([^=\n]{1,100})==", r"\1"),
        (r"~~[^~\n]{1,200}~~", " "),  # struck out is taken back
        (r"\*\*+|(?<![^\W_])_+|_+(?![^\W_])|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)", ""),
        (r"^[ \t]*(?:#{1,6}|>|[-+*•·])[ \t]+", ""),
        (r"[^\S\n]+", " "),
        (r" ?\n ?", "\n"),
    )
]


def plain(text: str) -> str:
    """Return *text* without markup: a box or an answer tag becomes `answer:`, look-alikes become ASCII.

    Words of scripts without spaces are parted from Latin ones: word boundaries mean the same everywhere.
    """
    text = text.translate(_LOOK_ALIKES)
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return (text if text.isascii() else _SEAM.sub(" ", text)).strip()
