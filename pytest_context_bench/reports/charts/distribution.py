"""How often which scores occur."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pytest_context_bench.reports.charts.marks import COLOURS
from pytest_context_bench.reports.charts.scale import Scale, worded
from pytest_context_bench.reports.charts.svg import element, line, number, picture, text

WIDTH, HEIGHT = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 6, 334, 26, 124
BINS = 10
_FIVE_DIGITS = 10_000


@dataclass(frozen=True)
class Distribution:
    """The scores of the system at *place* that are finite, counted between *low* and *high*."""

    place: int
    name: str
    scores: Sequence[float]
    low: float
    high: float

    def counts(self) -> list[int]:
        """Return how many scores are in each part of the range; the last one has its upper end too."""
        share = Scale(self.low, self.high, 0, BINS)
        found = Counter(min(int(share(score) + 1e-9), BINS - 1) for score in self.scores)
        return [found[part] for part in range(BINS)]


def distribution(given: Distribution, most: int, threshold: float | None) -> Markup:
    """Return bars as high as their counts, of which *most* fills the height; mark the *threshold*."""
    to_x, to_y = Scale(given.low, given.high, LEFT, RIGHT), Scale(0, max(most, 1), BOTTOM, TOP)
    step = (given.high - given.low) / BINS
    edges = [given.low + part * step for part in range(BINS + 1)]
    counts = given.counts()
    parts = [
        (f"{edges[part]:.3g} to {edges[part + 1]:.3g}: {count:,}", part, count)
        for part, count in enumerate(counts)
        if count
    ]
    return picture(
        f"Scores of {given.name}",
        "; ".join(said for said, *_ in parts) or "none",
        (WIDTH, HEIGHT),
        *(_bar(given.place, said, to_x(edges[part]), count, to_y) for said, part, count in parts),
        line(LEFT, BOTTOM, RIGHT, BOTTOM, "axis"),
        *_ticks(given, to_x),
        _threshold(threshold, given, to_x),
    )


def _bar(place: int, said: str, left: float, count: int, to_y: Scale) -> Markup:
    width = (RIGHT - LEFT) / BINS
    top = min(to_y(count), BOTTOM - 1)
    return element(
        "g",
        element("title", said),
        element(
            "rect",
            x=number(left + 1.5),
            y=number(top),
            width=number(width - 3),
            height=number(BOTTOM - top),
            rx=1.5,
            class_=f"bar colour-{place % COLOURS}",
        ),
        text(
            f"{count}" if count < _FIVE_DIGITS else f"{count / 1000:.0f}k",
            left + width / 2,
            top - 5,
            "count",
            "middle",
        ),
    )


def _ticks(given: Distribution, to_x: Scale) -> list[Markup]:
    middle = given.low + (given.high - given.low) / 2
    places = ((given.low, "start"), (middle, "middle"), (given.high, "end"))
    return [text(worded(float(f"{at:.3g}")), to_x(at), BOTTOM + 18, "tick", anchor) for at, anchor in places]


def _threshold(threshold: float | None, given: Distribution, to_x: Scale) -> Markup:
    if threshold is None or not given.low <= threshold <= given.high:
        return Markup()
    return line(to_x(threshold), TOP - 22, to_x(threshold), BOTTOM, "bound")
