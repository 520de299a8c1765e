"""Takes the unit, the currency, the percent sign and words such as `million` off a figure."""

import re
from dataclasses import dataclass, replace

from pytest_context_bench.scoring.latex.functions import NAMES, SHORTEST_WORD

# Units that contradict each other where both are given; `in` and `pounds` are words too often.
_SPELLINGS = {
    "mm": "millimeter millimetre",
    "cm": "centimeter centimetre",
    "m": "meter metre",
    "km": "kilometer kilometre kph kmh",
    "ft": "foot feet",
    "yd": "yard",
    "mi": "mile mph",
    "mg": "milligram",
    "g": "gram gm",
    "kg": "kilogram kilo",
    "lb": "",
    "oz": "ounce",
    "ton": "tonne",
    "s": "second sec",
    "min": "minute",
    "h": "hour hr",
    "day": "",
    "week": "wk",
    "month": "",
    "year": "yr",
    "ml": "milliliter millilitre mL",
    "l": "liter litre L",
    "gal": "gallon",
    "$": "¤ dollar USD buck",
    "cent": "¢ penny pennies",
    "€": "euro EUR",
    "£": "GBP",
    "¥": "yen JPY yuan CNY RMB",
    "₹": "rupee INR Rs",
    "degree": "deg",
    "radian": "rad",
    "%": "percent pct",
}
_UNITS = {
    form: unit
    for unit, spellings in _SPELLINGS.items()
    for word in (unit, *spellings.split())
    for form in (word, f"{word}s")
}
SCALES = {
    form: factor
    for word, factor in {
        "dozen": 12,
        "hundred": 10**2,
        "thousand": 10**3,
        "million": 10**6,
        "billion": 10**9,
        "trillion": 10**12,
    }.items()
    for form in (word, f"{word}s")
}
MAX_WORDS = 8
_POWERS = {"square": 2, "squared": 2, "sq": 2, "cubic": 3, "cubed": 3, "cu": 3}
_SIGNS = "¤€£¥₹"
_LETTER = "[mgshLl]"  # alone it is a unit only where a space sets it off: `5 m`, but `5m` is a product
_PER_CENT = re.compile(r"\bper\s+cent\b")
_TEMPERATURE = re.compile(r"\bdegrees\s+[CFK]$")
_HEDGE = re.compile(r"^(?:\\approx|\\sim|(?:about|approximately|around|exactly)\b)\s*(?=\S)", re.IGNORECASE)
_CURRENCY = re.compile(
    rf"([-+]?)\s*(?:(?:US|CA|AU)?\s*([{_SIGNS}])|(USD|EUR|GBP|INR|Rs)\b\.?)\s*(?=[-+\d.\\(])"
)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
_LAST_POWER = re.compile(r"(?<=[A-Za-z])\s*\^\s*\{?\s*([23])\s*\}?$")
_LAST_WORD = re.compile(
    rf"(?<![A-Za-z\\])(?P<word>[A-Za-z]{{2,}}|(?<=\s){_LETTER})(?:/(?:[A-Za-z]{{2,}}|{_LETTER}))?\.?$"
    rf"|(?P<sign>[{_SIGNS}¢%])$"
)
_FIGURE = re.compile(r"[\d\\]")
_VOWEL = re.compile("[aeiou]", re.IGNORECASE)


@dataclass(frozen=True)
class Quantity:
    """A figure as text, and what stood around it; a unit of another kind than the known ones is dropped."""

    figure: str
    unit: str = ""
    power: int = 1
    percent: bool = False
    scale: int = 1

    def contradicts(self, other: "Quantity") -> bool:
        """Whether both have a unit, and not the same."""
        mine, theirs = (self.unit, self.power), (other.unit, other.power)
        return bool(self.unit and other.unit) and mine != theirs


def quantity(text: str) -> Quantity:
    """Split *text*, in plain notation, into its figure and the rest; without a figure it is all there is."""
    bare = _TEMPERATURE.sub("degrees", _PER_CENT.sub("%", _HEDGE.sub("", text, count=1)))
    rest, currency = _off_the_front(_ORDINAL.sub("", bare))
    figure, words, power = _off_the_end(rest)
    if not _FIGURE.search(figure):
        return Quantity(text)
    found = _described(figure, words, power)
    return replace(found, unit=found.unit or currency)


def _off_the_front(text: str) -> tuple[str, str]:
    found = _CURRENCY.match(text)
    if not found:
        return text, ""
    return found[1] + text[found.end() :], _UNITS[found[2] or found[3]]


def _off_the_end(text: str) -> tuple[str, list[str], int]:
    raised = _LAST_POWER.search(text)
    start, words = text[: raised.start()] if raised else text, list[str]()
    while len(words) < MAX_WORDS and (found := _LAST_WORD.search(start)) and _is_off(found, start):
        words.insert(0, found["word"] or found["sign"])
        start = start[: found.start()].rstrip()
    if not words:
        return text, [], 1
    return start, words, int(raised[1]) if raised else 1


def _is_off(found: "re.Match[str]", text: str) -> bool:
    """Whether the last word is none of the figure: a unit, or a word that a space sets off."""
    word = found["word"]
    if not word or word in _UNITS:
        return True
    set_off = found.start() == 0 or text[found.start() - 1].isspace()
    if word in SCALES or word in _POWERS or word in ("in", "per", "of"):
        return set_off
    is_word = len(word) >= SHORTEST_WORD and word.lower() not in NAMES and _VOWEL.search(word)
    return set_off and bool(is_word)


def _described(figure: str, words: list[str], power: int) -> Quantity:
    scale = 1
    for word in words:
        if word not in SCALES:
            break
        scale *= SCALES[word]
    units = [_UNITS[word] for word in words if word in _UNITS]
    powers = [_POWERS[word] for word in words if word in _POWERS]
    unit = next((unit for unit in units if unit != "%"), "")
    return Quantity(figure, unit, max([power, *powers]), "%" in units, scale)
