import math
import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_context_bench.reports
from pytest_context_bench.reports.charts import (
    Bar,
    Curve,
    Distribution,
    Point,
    bars,
    distribution,
    latency,
    mark,
    pareto,
)
from pytest_context_bench.reports.charts.scale import Scale, scale_of, worded
from pytest_context_bench.reports.charts.svg import cells, element, shortened

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=60)
CSS = Path(pytest_context_bench.reports.__file__).parent / "page"
FINITE = st.floats(allow_nan=False, allow_infinity=False)
NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")


def drawn(chart):
    """Return every coordinate of *chart*: of its paths, lines, bars and words."""
    values = re.findall(r' (?:x|y|x1|y1|x2|y2|width|height|transform|points|d)="([^"]*)"', chart)
    shapes = [value for value in values if not value.startswith("M") or "V" in value]
    return [float(number) for value in shapes for number in NUMBERS.findall(value)]


def labels(chart):
    return re.findall(r'<text x="([-\d.]+)" y="([-\d.]+)" class="label"[^>]*>([^<]*)<', chart)


def point(place=0, cost=100.0, quality=0.5, *, on_front=False, name=None):
    return Point(place, name or f"system-{place}", cost, quality, f"{quality} at {cost}", on_front)


def test_text_is_escaped_and_markup_is_not():
    assert element("text", "<b>&", element("title", "'"), class_="x", text_anchor='"') == (
        '<text class="x" text-anchor="&#34;">&lt;b&gt;&amp;<title>&#39;</title></text>'
    )


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 3000, [0, 1000, 2000, 3000]),
        (0.69, 0.81, [0.7, 0.75, 0.8]),
        (-1, 1, [-1, -0.5, 0, 0.5, 1]),
    ],
)
def test_an_axis_names_round_values(low, high, ticks):
    assert [float(worded(tick).replace(",", "")) for tick in Scale(low, high, 0, 1).ticks()] == ticks


@SEEDED
@given(st.lists(FINITE, max_size=5))
def test_a_scale_of_amounts_is_finite_and_ends_where_values_do(values):
    scale = scale_of(values, 50, 400, least=1e-6)

    assert all(50 <= scale(value) <= 400 for value in values)
    ticks = scale.ticks(4)
    assert 1 <= len(ticks) <= 12
    assert all(math.isfinite(tick) for tick in ticks)


def test_amounts_far_apart_are_drawn_in_powers_of_ten():
    scale = scale_of([0.00001, 10], 0, 6, least=1e-6)

    assert [scale(value) for value in (0.00001, 0.01, 10)] == pytest.approx([0, 3, 6])


@pytest.mark.parametrize(
    ("name", "limit", "short"),
    [
        ("short", 5, "short"),
        ("compressor-one", 9, "comp…one"),
        ("日本語圧縮器", 12, "日本語圧縮器"),
        ("日本語圧縮器", 9, "日本…器"),
        ("x" * 5000, 3, "x…"),
    ],
)
def test_names_are_shortened_in_the_middle(name, limit, short):
    assert shortened(name, limit) == short
    assert cells(short) <= max(limit, 3)


def test_fifty_six_systems_have_marks_of_their_own():
    assert len({mark(place) for place in range(56)}) == 56


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_stand_out_from_what_is_behind_them(scheme):
    text = "".join((CSS / name).read_text() for name in ("page.css", "charts.css"))
    blocks = re.findall(r":root \{(.*?)\}", text, re.DOTALL)
    found = {}
    for block in [blocks[0], blocks[3]] if scheme == "light" else [blocks[1], blocks[4]]:
        found |= dict(re.findall(r"(--[\w-]+): (#\w+);", block))
    for name in [f"--colour-{number}" for number in range(7)]:
        assert contrast(found[name], found["--card"]) >= 3, name
    for name in ("--ink", "--soft", "--link", "--good", "--bad", "--warn"):
        assert contrast(found[name], found["--page"]) >= 4.5, name
    for name in ("--good", "--bad", "--warn"):
        assert contrast(found[name], found[f"{name}-back"]) >= 4.5, name


def contrast(one, other):
    """Return the ratio of WCAG 2.1."""
    high, low = sorted(map(luminance, (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_less_cost_is_left_and_more_quality_is_up():
    chart = pareto([point(0, 100, 0.2), point(1, 200, 0.9)], "cost", "quality")

    (x0, y0), (x1, y1) = [
        map(float, NUMBERS.findall(at)) for at in re.findall(r"translate\(([^)]*)\)", chart)
    ]
    assert x0 < x1
    assert y0 > y1


def test_the_front_joins_the_best_in_steps():
    points = [
        point(0, 300, 0.9, on_front=True),
        point(1, 100, 0.2, on_front=True),
        point(2, math.inf, 0, on_front=True),
        point(3, 300, 0.1),
    ]

    (front,) = re.findall(r'd="(M[^"]*)" class="front"', pareto(points, "cost", "quality"))
    assert re.fullmatch(r"M[\d.]+ [\d.]+H[\d.]+V[\d.]+", front)
    assert 'class="front"' not in pareto(points[1:], "cost", "quality")


def test_what_never_passes_stands_apart():
    chart = pareto([point(0, math.inf, 0.1), point(1, 500, 0.9)], "cost", "quality")

    assert ">no pass<" in chart
    assert ">no pass<" not in pareto([point(1, 500, 0.9)], "cost", "quality")


@pytest.mark.parametrize("spread", [0, 0.0001, 0.3])
def test_names_beside_marks_never_cover_each_other(spread):
    points = [
        point(n, 100 + n * spread, 0.5 + n % 3 * spread, name="system" * (n % 4 + 1)) for n in range(12)
    ]

    chart = pareto(points, "cost", "quality")
    boxes = [(float(x), float(y), cells(said) * 7.2) for x, y, said in labels(chart)]
    assert boxes
    for (x, y, width), (other_x, other_y, other_width) in combinations(boxes, 2):
        assert abs(y - other_y) >= 12 or x + width <= other_x or other_x + other_width <= x
    assert chart.count("<title>system") == 12


VALUES = st.floats(allow_nan=False)


@SEEDED
@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=4))
def test_any_figures_can_be_drawn_against_each_other(given):
    points = [point(place, abs(cost), quality, on_front=True) for place, (cost, quality) in enumerate(given)]

    assert all(0 <= value <= 440 for value in drawn(pareto(points, "cost", "quality")))


@SEEDED
@given(st.lists(st.floats(), min_size=1, max_size=4))
def test_any_figures_can_be_bars(values):
    chart = bars("name", [Bar(0, "a", value, str(value)) for value in values], 1)

    assert all(0 <= value <= 400 for value in drawn(chart))


@SEEDED
@given(st.lists(st.floats(-1e300, 1e300), max_size=20))
def test_every_score_is_counted_once(scores):
    given = Distribution(0, "a", scores, min([0, *scores]), max([1, *scores]))

    assert sum(given.counts()) == len(scores)
    assert all(0 <= value <= 340 for value in drawn(distribution(given, len(scores), 0.7)))


@pytest.mark.parametrize("tenth", range(11))
def test_a_score_at_an_edge_is_counted_above_it(tenth):
    counts = Distribution(0, "a", [tenth / 10], 0.0, 1.0).counts()

    assert counts.index(1) == min(tenth, 9)


@SEEDED
@given(st.lists(st.lists(st.floats(0, 1e300), min_size=1), min_size=1, max_size=3))
def test_any_times_can_be_curves(given):
    curves = [Curve(place, "a", sorted(seconds), "p95") for place, seconds in enumerate(given)]

    assert all(0 <= value <= 440 for value in drawn(latency(curves)))


def test_a_curve_of_many_pairs_is_drawn_with_few_points():
    seconds = [n / 1000 for n in range(20_000)]

    (points,) = re.findall(r'points="([^"]*)"', latency([Curve(0, "a", seconds, "p95 19 s")]))
    assert len(points.split()) <= 210
    assert points.split()[0].endswith(",264")
    assert points.split()[-1].endswith(",18")


def test_every_chart_says_in_words_what_it_shows():
    for chart in (
        pareto([point(name="</svg>")], "cost", "quality"),
        bars("Mean </svg>", [Bar(0, "</svg>", 0.5, "0.500")], 1),
        distribution(Distribution(0, "</svg>", [0.5], 0.0, 1.0), 1, 0.7),
        latency([Curve(0, "</svg>", [1.0], "p95 1.000 s")]),
    ):
        assert chart.startswith('<svg class="chart" viewBox="0 0 ')
        assert re.search(r'role="img" aria-label="[^"]+"><title>[^<]+</title><desc>[^<]+</desc>', chart)
        assert chart.count("</svg>") == 1
