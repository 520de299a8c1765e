"""How many pairs were done within which time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pytest_context_bench.reports.charts.marks import line_classes, shape
from pytest_context_bench.reports.charts.scale import Scale, scale_of, worded
from pytest_context_bench.reports.charts.svg import element, joined, line, number, picture, text

WIDTH, HEIGHT = 440, 320
LEFT, RIGHT, TOP, BOTTOM = 52, 418, 18, 264
FASTEST = 1e-6  # seconds: less is not told from it
_MOST = 100  # points of a curve, which is about what an eye resolves
_P95 = 0.95
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


@dataclass(frozen=True)
class Curve:
    """The seconds that each pair of the system at *place* took, in ascending order, and its words."""

    place: int
    name: str
    seconds: Sequence[float]
    worded: str


def latency(curves: Sequence[Curve]) -> Markup:
    """Return a curve for each system: the share of its pairs that were done within a time."""
    ends = [end for curve in curves for end in (curve.seconds[0], curve.seconds[-1])]
    to_x = scale_of(ends, LEFT, RIGHT, least=FASTEST)
    to_y = Scale(0, 1, BOTTOM, TOP)
    return picture(
        "Share of pairs done within a time",
        "; ".join(f"{curve.name}: {curve.worded}" for curve in curves),
        (WIDTH, HEIGHT),
        _grid(to_x, to_y),
        *(_curve(curve, to_x, to_y) for curve in curves),
        *(
            shape(
                curve.place, to_x(_quantile(curve.seconds, _P95)), to_y(_P95), element("title", curve.worded)
            )
            for curve in curves
        ),
    )


def _grid(to_x: Scale, to_y: Scale) -> Markup:
    shares = (0, 0.25, 0.5, 0.75, _P95)
    return joined(
        [
            *(line(LEFT, to_y(at), RIGHT, to_y(at), "bound" if at == _P95 else "grid") for at in shares),
            *(text(f"{at:.0%}", LEFT - 8, to_y(at) + 4, "tick", "end") for at in shares),
            line(LEFT, BOTTOM, RIGHT, BOTTOM, "axis"),
            *(text(_seconds(at), to_x(at), BOTTOM + 20, "tick", "middle") for at in to_x.ticks(4)),
            text("time for a pair", (LEFT + RIGHT) / 2, BOTTOM + 44, "title", "middle"),
        ]
    )


def _curve(curve: Curve, to_x: Scale, to_y: Scale) -> Markup:
    points = " ".join(
        f"{number(to_x(seconds))},{number(to_y(share))}" for seconds, share in _drawn(curve.seconds)
    )
    return element("polyline", points=points, class_=line_classes(curve.place))


def _drawn(seconds: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Yield points of the curve, both ends among them; a single pair rises at once."""
    last = len(seconds) - 1
    if not last:
        yield from ((seconds[0], 0), (seconds[0], 1))
        return
    step = max(1, last // _MOST)
    for at in (*range(0, last, step), last):
        yield seconds[at], at / last


def _quantile(seconds: Sequence[float], share: float) -> float:
    """Return where the curve reaches *share*: between two values it is straight."""
    at = (len(seconds) - 1) * share
    low, rest = int(at), at - int(at)
    high = seconds[min(low + 1, len(seconds) - 1)]
    return seconds[low] * (1 - rest) + high * rest


def _seconds(value: float) -> str:
    size, unit = next((known for known in _UNITS if value >= known[0]), _UNITS[-1])
    return f"{worded(value / size)} {unit}"
