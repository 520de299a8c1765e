"""Quality against cost: what is up and to the left is better."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

from markupsafe import Markup

from pytest_context_bench.reports.charts.marks import shape
from pytest_context_bench.reports.charts.scale import LARGEST, Scale, scale_of, worded
from pytest_context_bench.reports.charts.svg import (
    LETTER,
    cells,
    element,
    joined,
    line,
    number,
    picture,
    shortened,
    text,
)

WIDTH, HEIGHT = 440, 320
LEFT, RIGHT, TOP, BOTTOM = 52, 418, 28, 264
NEVER = 60  # room at the right for systems of which no pair passes
LONGEST = 22  # letters of a name beside its mark


@dataclass(frozen=True)
class Point:
    """The system at *place*: what it costs and how good it is, as numbers and in the words of the table."""

    place: int
    name: str
    cost: float
    quality: float
    worded: str
    on_front: bool = False


@dataclass(frozen=True)
class Box:
    """A part of the picture that is taken."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: "Box") -> bool:
        """Whether the two share room."""
        beside = self.x + self.width <= other.x or other.x + other.width <= self.x
        return not (beside or self.y + self.height <= other.y or other.y + other.height <= self.y)


def pareto(points: Sequence[Point], across: str, up: str) -> Markup:
    """Return the chart of *points*, its axes named *across* and *up*, the front drawn through the best."""
    finite = [point.cost for point in points if isfinite(point.cost)]
    endless = len(finite) < len(points)
    right = RIGHT - NEVER if endless else RIGHT
    to_x = scale_of(finite, LEFT, right, least=1e-6)
    to_y = _zoomed([point.quality for point in points])
    places = [
        (point, to_x(point.cost) if isfinite(point.cost) else RIGHT - NEVER / 2, to_y(point.quality))
        for point in points
    ]
    return picture(
        f"{up} against {across}",
        "; ".join(f"{point.name}: {point.worded}" for point in points),
        (WIDTH, HEIGHT),
        _grid(to_y, across, up),
        *(
            text(worded(at), to_x(at), BOTTOM + 20, "tick", "middle")
            for at in (_apart(to_x) if finite else ())
        ),
        _never() if endless else "",
        _front(places),
        *(
            shape(point.place, x, y, element("title", f"{point.name}: {point.worded}"))
            for point, x, y in places
        ),
        *_labels(places),
    )


def _zoomed(values: Sequence[float]) -> Scale:
    """Return the scale of quality: its differences fill the picture; it leaves 0 to 1 for values alone."""
    bounded = [min(max(value, -LARGEST), LARGEST) for value in values]
    low, high = min(bounded), max(bounded)
    air = max((high - low) * 0.15, 0.1, abs(high) * 0.01)
    floor, ceiling = (0 if low >= 0 else -LARGEST), (1 if high <= 1 else LARGEST)
    return Scale(max(low - air, floor), min(high + air, ceiling), BOTTOM, TOP)


def _grid(to_y: Scale, across: str, up: str) -> Markup:
    middle = (LEFT + RIGHT) / 2
    return joined(
        [
            *(line(LEFT, to_y(at), RIGHT, to_y(at), "grid") for at in to_y.ticks()),
            *(text(worded(at), LEFT - 8, to_y(at) + 4, "tick", "end") for at in to_y.ticks()),
            line(LEFT, BOTTOM, RIGHT, BOTTOM, "axis"),
            text(f"{across} (less is better)", middle, BOTTOM + 44, "title", "middle"),
            text(up, 4, 12, "title"),
        ]
    )


def _apart(to_x: Scale) -> Iterator[float]:
    """Yield the ticks whose words do not run into those before them."""
    free = 0.0
    for at in to_x.ticks(4):
        half = cells(worded(at)) * LETTER / 2
        if to_x(at) - half >= free and to_x(at) + half <= WIDTH:
            free = to_x(at) + half + LETTER
            yield at


def _never() -> Markup:
    edge = RIGHT - NEVER + 2
    return line(edge, TOP, edge, BOTTOM, "bound") + text("no pass", RIGHT - NEVER / 2, 12, "tick", "middle")


def _front(places: Iterable[tuple[Point, float, float]]) -> Markup:
    """Return steps through the best: between two of them, the cheaper is what one can have."""
    best = sorted((x, y) for point, x, y in places if point.on_front and isfinite(point.cost))
    if len(best) < 2:  # noqa: PLR2004 - a line has two ends
        return Markup()
    steps = "".join(f"H{number(x)}V{number(y)}" for _, (x, y) in pairwise(best))
    return element("path", d=f"M{number(best[0][0])} {number(best[0][1])}{steps}", class_="front")


def _labels(places: Sequence[tuple[Point, float, float]]) -> Iterator[Markup]:
    """Yield names beside their marks where there is room; the legend has them all."""
    taken = [Box(x - 8, y - 8, 16, 16) for _, x, y in places]
    for point, x, y in places:
        name = shortened(point.name, LONGEST)
        width = cells(name) * LETTER
        for left in (x + 11, x - 11 - width, x - width / 2):
            fitting = (Box(left, top, width, 14) for top in (y - 8, y - 23, y + 9))
            box = next((box for box in fitting if _is_free(box, taken)), None)
            if box is not None:
                taken.append(box)
                yield text(name, box.x, box.y + 12)
                break


def _is_free(box: Box, taken: Sequence[Box]) -> bool:
    within = box.x >= LEFT and box.x + box.width <= WIDTH and TOP - 4 <= box.y <= BOTTOM - 14
    return within and not any(box.meets(other) for other in taken)
