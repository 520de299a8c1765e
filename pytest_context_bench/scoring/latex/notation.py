"""Brings the many ways to write one answer into one: Unicode, spacing, sizes, fonts, delimiters."""

import re
import unicodedata

FRACTIONS = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5",
    "⅘": "4/5", "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
    "⅑": "1/9", "⅒": "1/10",
}  # fmt: skip
MINUSES = "−–"  # a minus sign, and the dash that is typed for one
SIGNS = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "﹣": "-", "－": "-", "×": "*", "·": "*", "⋅": "*",
    "∙": "*", "÷": "/", "⁄": "/", "∕": "/", "π": r"\pi ", "∞": r"\infty ", "√": r"\sqrt ", "≤": r"\leq ",
    "≥": r"\geq ", "≠": r"\neq ", "±": r"\pm ", "∓": r"\mp ", "∪": r"\cup ", "∩": r"\cap ", "∈": r"\in ",
    "∅": r"\emptyset ", "°": r"^\circ ", "º": r"^\circ ", "θ": r"\theta ", "α": r"\alpha ", "β": r"\beta ",
    "≈": r"\approx ", "⟨": r"\langle ", "⟩": r"\rangle ", "’": "'", "′": "'", "“": '"', "”": '"',
}  # fmt: skip
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_SIGNS = {ord(sign): plain for sign, plain in SIGNS.items()}
_FRACTION = re.compile(rf"(\d?)([{''.join(FRACTIONS)}])")

# One pass each, in this order. A look-behind keeps `\\`, which ends a row of a matrix, whole.
_REWRITES = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(?<!\\)\\\$", " ¤"),  # no longer to be confused with what delimits maths
        (r"(?<!\\)\\[()\[\]]|\$\$", " "),
        (r"\\(?:left|right|[bB]ig{1,2}[lrm]?)(?![A-Za-z])\s*\.?", ""),
        (r"\s*,\s*\\!\s*|\{\s*,\s*\}", ","),  # a thousands mark as publishers set it
        (r"\\!", ""),
        (r"(?<!\\)\\[,;:> ]|~|\\q?quad(?![A-Za-z])|\\(?:thin|med|thick)space(?![A-Za-z])", " "),
        (r"\\(?:display|text|script)style(?![A-Za-z])|\\[hv]?(?:phantom|space)\*?\{[^{}]*\}", " "),
        (r"\\(begin|end)\s*\{\s*([A-Za-z]+)\s*\}", r"\\\1{\2}"),
        (r"\\limits(?![A-Za-z])|\\(?:bf|rm|it|sf|tt)(?![A-Za-z])", " "),
        (r"\\[dtc]frac(?![A-Za-z])", r"\\frac"),
        (r"\\[dt]binom(?![A-Za-z])", r"\\binom"),
        (r"\{([^{}]*)\\over(?![A-Za-z])([^{}]*)\}", r"\\frac{\1}{\2}"),
        (r"\\(?:cdot|times|ast)(?![A-Za-z])", "*"),
        (r"\\div(?![A-Za-z])", "/"),
        (r"\\(?:lt)(?![A-Za-z])", "<"),
        (r"\\(?:gt)(?![A-Za-z])", ">"),
        (r"\\(?:le|leqslant)(?![A-Za-z])|<=", r"\\leq "),
        (r"\\(?:ge|geqslant)(?![A-Za-z])|>=", r"\\geq "),
        (r"\\lbrace(?![A-Za-z])", r"\\{"),
        (r"\\rbrace(?![A-Za-z])", r"\\}"),
        (r"\\langle(?![A-Za-z])", "("),
        (r"\\rangle(?![A-Za-z])", ")"),
        (r"\\varnothing(?![A-Za-z])|\\\{\s*\\\}", r"\\emptyset "),
        (r"\^\s*(?:\{\s*\\(?:circ|degree)\s*\}|\\circ(?![A-Za-z])|\{\s*o\s*\})", " degrees "),
        (r"\\degrees?(?![A-Za-z])", " degrees "),
        (r"(?<!\\)\\%", "%"),
        (r"(?<!\\)\\([#&_])", r" \1"),
        (r"\\(?:pounds|textsterling)(?![A-Za-z])", "£"),
        (r"\\(?:euro|texteuro)(?![A-Za-z])", "€"),
        (r"\*\*", "^"),
    )
]
_TEXT = re.compile(r"\\(?:text[a-z]*|mbox|hbox|mathrm|operatorname\*?)\s*\{([^{}]*)\}")
_FONT = re.compile(r"\\(?:math(?:bf|it|sf|tt|normal)|bold(?:symbol)?|bm|emph|underline)\s*\{([^{}]*)\}")
_NESTING = 6
_QUOTES = "*_`\"' \t\n"


def clean(text: str) -> str:
    """Return *text* in one plain notation of LaTeX, without what only changes how it looks."""
    text = _rewritten(_ascii(text).strip(_QUOTES))
    text = " ".join(_unwrapped(text).split())
    return _without_dollars(text).rstrip(".,;: \\").strip(_QUOTES)


def _ascii(text: str) -> str:
    """Replace the characters of which normalization would change the meaning, then the rest by it."""
    text = _FRACTION.sub(lambda found: f"{found[1]}\\frac{{{FRACTIONS[found[2]].replace('/', '}{')}}}", text)
    text = re.sub(r"[⁰¹²³⁴-⁹⁺⁻]+", lambda found: f"^{{{found[0].translate(SUPERSCRIPTS)}}}", text)
    text = re.sub(r"[₀-₉]+", lambda found: f"_{{{found[0].translate(SUBSCRIPTS)}}}", text)
    text = unicodedata.normalize("NFKC", text.translate(_SIGNS))
    return re.sub(r"\d", lambda found: str(unicodedata.decimal(found[0])), text)


def _rewritten(text: str) -> str:
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return text


def _unwrapped(text: str) -> str:
    for _ in range(_NESTING):
        inner = _FONT.sub(r"\1", _TEXT.sub(r" \1 ", text))
        if inner == text:
            break
        text = inner
    return text


def _without_dollars(text: str) -> str:
    """Drop the dollar signs that delimit maths; an odd one is the currency."""
    return text.replace("$", " " if text.count("$") % 2 == 0 else "¤").strip()
