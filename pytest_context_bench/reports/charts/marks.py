"""The marks of systems: of each a colour and a shape, so that either is enough to tell it."""

from markupsafe import Markup

from pytest_context_bench.reports.charts.svg import element, number

COLOURS = 7  # classes `colour-0` to `colour-6` of the style sheet; 7 and 8 go 56 ways before one comes again
SHAPES = (
    "M0-5a5 5 0 1 0 0 10a5 5 0 1 0 0-10z",  # circle
    "M-4.6-4.6h9.2v9.2h-9.2z",  # square
    "M0-5.6L5.6 4.2H-5.6z",  # triangle
    "M0-6.2L6.2 0L0 6.2L-6.2 0z",  # diamond
    "M0 5.6L5.6-4.2H-5.6z",  # triangle, upside down
    "M-2-5.6h4v3.6h3.6v4h-3.6v3.6h-4v-3.6h-3.6v-4h3.6z",  # cross
    "M0-5.8L5.5-1.8L3.4 4.7H-3.4L-5.5-1.8z",  # pentagon
    "M-5.4 0L-2.7-4.7H2.7L5.4 0L2.7 4.7H-2.7z",  # hexagon
)
DASHES = 4  # classes `dash-0` to `dash-3`


def shape(place: int, x: float, y: float, *within: str) -> Markup:
    """Return the mark of the system at *place* among the systems, for use in a chart."""
    return element(
        "path",
        *within,
        class_=f"mark colour-{place % COLOURS}",
        d=SHAPES[place % len(SHAPES)],
        transform=f"translate({number(x)} {number(y)})",
    )


def mark(place: int) -> Markup:
    """Return the mark of the system at *place* as a picture of its own, for use in a line of text."""
    return element("svg", shape(place, 7, 7), class_="sign", viewBox="0 0 14 14", aria_hidden="true")


def line_classes(place: int) -> str:
    """Return the classes of the line of the system at *place*."""
    return f"curve colour-{place % COLOURS} dash-{place % DASHES}"
