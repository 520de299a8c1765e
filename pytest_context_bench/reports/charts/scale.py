"""From values to places on an axis, and the values that the axis names."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

LARGEST = 1e300  # what lies beyond is drawn there: no difference of two values may overflow
_WIDE = 20  # a range of which the ends differ by this factor is read better in powers of ten


@dataclass(frozen=True)
class Scale:
    """An axis from *low* to *high*, drawn from *start* to *end*; in powers of ten where *log*."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Return the place of *value*; what is beyond an end is put there."""
        bounded = min(max(value, self.low), self.high)
        low, high, at = (
            map(log10, (self.low, self.high, bounded)) if self.log else (self.low, self.high, bounded)
        )
        return self.start + (at - low) / (high - low) * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """Return round values on the axis, about *count* of them."""
        if self.log:
            return self._powers(count)
        step = _round_step((self.high - self.low) / count)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [at * step for at in range(first, last + 1)]

    def _powers(self, count: int) -> list[float]:
        first, last = ceil(log10(self.low) - 1e-9), floor(log10(self.high) + 1e-9)
        return [10.0**power for power in range(first, last + 1, max(1, round((last - first) / count)))]


def scale_of(values: Iterable[float], start: float, end: float, *, least: float) -> Scale:
    """Return a scale for amounts from 0 on: in powers of ten where *values* are far apart.

    No value is told from *least* if it is below that.
    """
    bounded = [min(max(value, least), LARGEST) for value in values]
    low, high = min(bounded, default=least), max(bounded, default=least)
    if high / low > _WIDE:
        return Scale(10.0 ** floor(log10(low)), 10.0 ** ceil(log10(high)), start, end, log=True)
    step = _round_step(high / 5)
    return Scale(0, step * ceil(high / step), start, end)


def worded(value: float) -> str:
    """Word a value that an axis names."""
    return f"{value:,.9g}"


def _round_step(step: float) -> float:
    power = 10.0 ** floor(log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * (1 - 1e-9))
