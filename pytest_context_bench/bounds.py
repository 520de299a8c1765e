"""Bounds that gates hold figures to: numbers, percentages, and those that a baseline sets."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal

from pytest_context_bench.errors import InvalidValueError

SHARES = frozenset({"pass_rate", "error_rate"})
_RELATIVE = re.compile(
    r"baseline\s*(?:(?P<sign>[+*-])\s*(?P<number>[0-9.]+(?:e[+-]?[0-9]+)?)(?P<percent>%?))?"
)


@dataclass(frozen=True)
class Relative:
    """A bound that a baseline sets: `baseline`, `baseline-0.02`, `baseline+10%` or `baseline*1.2`.

    A *share* is one of the baseline's size: `baseline-10%` lies below a baseline of -1 too.
    """

    text: str
    factor: float = 1.0
    share: float = 0.0
    offset: float = 0.0

    @classmethod
    def parse(cls, text: str) -> "Relative | None":
        """Read a bound; nothing if it does not speak of the baseline. Raises ValueError for half a one."""
        if not text.startswith("baseline"):
            return None
        match = _RELATIVE.fullmatch(text)
        number = math.nan if match is None else float(match["number"] or 0)
        if match is None or not math.isfinite(number):
            raise ValueError(text)
        sign = match["sign"]
        if sign is None:
            return cls("baseline")
        named = f"baseline {sign} {exact(number)}{match['percent']}"
        if sign == "*":
            return cls(named, number / 100 if match["percent"] else number)
        signed = number if sign == "+" else -number
        return cls(named, share=signed / 100) if match["percent"] else cls(named, offset=signed)

    def bound(self, baseline: float) -> float:
        """Return the bound that the figure *baseline* sets."""
        factor = self.factor + (self.share if baseline >= 0 else -self.share)
        return baseline * factor + self.offset


def relative_from(text: str, gate: str) -> Relative | None:
    """Read a bound that a baseline sets; nothing if it is another. Raises InvalidValueError."""
    try:
        return Relative.parse(text)
    except ValueError as error:
        expected = "'baseline', 'baseline-0.02', 'baseline+10%' or 'baseline*1.2'"
        raise InvalidValueError(f"gate {gate!r}, bound", text, expected) from error


def number_from(text: str, gate: str) -> float:
    """Read a number or a percentage. Raises InvalidValueError."""
    number, power = (text[:-1], -2) if text.endswith("%") else (text, 0)
    try:
        bound = float(Decimal(number).scaleb(power))  # 33.3% is 0.333, which 33.3 / 100 is not
    except (ArithmeticError, ValueError):
        bound = math.nan
    if not math.isfinite(bound):
        expected = "a finite number, a percentage, or one that a baseline sets, as 'baseline-0.02'"
        raise InvalidValueError(f"gate {gate!r}, bound", text, expected)
    return bound


def check_share(metric: str, bound: float, relative: Relative | None, gate: str) -> None:
    """Check the bound of a *metric* that is between 0 and 1. Raises InvalidValueError."""
    if metric not in SHARES:
        return
    if relative is None and not 0 <= bound <= 1:
        raise InvalidValueError(f"gate {gate!r}, bound", bound, f"between 0 and 1, as {metric} is")
    if relative is not None and not -1 <= relative.offset <= 1:
        expected = f"at most 1, as {metric} is; a percentage has a percent sign"
        raise InvalidValueError(f"gate {gate!r}, distance from the baseline", abs(relative.offset), expected)


def exact(number: float) -> str:
    """Word *number* so that it reads back as itself: a bound that is rounded is another bound."""
    text = f"{number:.12g}"
    return text if float(text) == number else repr(float(number))
