"""One figure of several systems, as bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from markupsafe import Markup

from pytest_context_bench.reports.charts.marks import COLOURS, shape
from pytest_context_bench.reports.charts.scale import LARGEST, Scale
from pytest_context_bench.reports.charts.svg import cells, element, line, number, picture, shortened, text

WIDTH, STEP = 340, 38
THICK = 9
LETTERS = 42  # that fit into the width


@dataclass(frozen=True)
class Bar:
    """The figure of the system at *place*: its *value*, and *worded* as in the table."""

    place: int
    name: str
    value: float
    worded: str


def bars(name: str, given: Sequence[Bar], most: float) -> Markup:
    """Return a chart called *name*, its axis from 0 (or the lowest value) to *most*."""
    finite = [min(max(bar.value, -LARGEST), LARGEST) for bar in given if isfinite(bar.value)]
    to_x = Scale(min([0, *finite]), max(1e-9, min(most, LARGEST)), 0, WIDTH)
    return picture(
        name,
        "; ".join(f"{bar.name}: {bar.worded}" for bar in given),
        (WIDTH, STEP * len(given)),
        *(_bar(bar, at * STEP, to_x) for at, bar in enumerate(given)),
    )


def _bar(bar: Bar, top: float, to_x: Scale) -> Markup:
    zero = to_x(0)
    end = to_x(bar.value) if isfinite(bar.value) else zero
    return element(
        "g",
        element("title", f"{bar.name}: {bar.worded}"),
        shape(bar.place, 7, top + 11),
        text(shortened(bar.name, LETTERS - cells(bar.worded)), 20, top + 15),
        text(bar.worded, WIDTH, top + 15, "figure", "end"),
        line(0, top + 20 + THICK / 2, WIDTH, top + 20 + THICK / 2, "grid"),
        element(
            "rect",
            x=number(min(zero, end)),
            y=number(top + 20),
            width=number(max(abs(end - zero), 1)),
            height=THICK,
            rx=2,
            class_=f"bar colour-{bar.place % COLOURS}",
        ),
    )
