"""A result as one page that needs nothing else: no network, no other file, and no script for its figures."""

from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from pytest_context_bench.excerpt import one_line
from pytest_context_bench.gates import Verdict
from pytest_context_bench.plain import dumps, to_plain
from pytest_context_bench.population import Population
from pytest_context_bench.reports.figures import Figures
from pytest_context_bench.reports.pairs import Judged, to_pairs
from pytest_context_bench.reports.table import table_of
from pytest_context_bench.reports.terminal import deciding, legend
from pytest_context_bench.results import EvalResult

if TYPE_CHECKING:
    from jinja2 import Environment

STYLES = ("page.css", "charts.css", "pairs.css", "example.css")
SCRIPTS = ("words.js", "data.js", "state.js", "grid.js", "diff.js", "example.js", "page.js")
ORDER = {"FAIL": 0, "PARTIAL": 1, "WARN": 2, "PASS": 3}
# What would end a script element, or a line in one.
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def to_html(result: EvalResult) -> str:
    """Return *result* as one HTML page."""
    return _environment().get_template("page.html").render(_content(result))


def _content(result: EvalResult) -> dict[str, Any]:
    population = result.population()
    table = table_of(population, result.verdicts, result.comparison)
    judged = Judged.by(result.config)
    style, script = _joined(STYLES), _script()
    return {
        "style": style,
        "script": script,
        "policy": _policy(style, script),
        "figures": Figures(population, table, judged),
        "headings": ["system", *(column.heading_in_line for column in table.columns)],
        "legend": one_line(legend(result)),
        "counts": _counts(result, judged),
        "title": _title(population),
        "verdicts": _verdicts(result),
        "status": _status(result),
        "partial": result.config.get("partial") is True,
        "notes": [(one_line(note), note in population.problems) for note in result.notes],
        "baseline": _baseline(result),
        "every_figure": _every_figure(result, population.systems()),
        "settings": _settings(result.config),
        "judged": judged,
        "pairs": Markup(dumps(to_pairs(result)).translate(_ESCAPES)),  # noqa: S704 - escaped as its place asks
    }


def _title(population: Population) -> str:
    systems, datasets = len(population.systems()), len(population.datasets())
    if not systems:
        return "Nothing was measured"
    on = "1 data set" if datasets == 1 else f"{datasets} data sets"
    return f"1 system on {on}" if systems == 1 else f"{systems} systems on {on}"


def _counts(result: EvalResult, judged: Judged) -> str:
    """Count the pairs by what became of them."""
    found = Counter(judged.status(row) for row in result.rows)
    words = {
        "pass": "pass",
        "below": "below the threshold",
        "error": "with an error",
        "": "without a score" if judged.threshold is not None else "",
    }
    parts = [f"{found[status]:,} {said}" for status, said in words.items() if found[status] and said]
    pairs = "1 pair" if len(result.rows) == 1 else f"{len(result.rows):,} pairs"
    return f"{pairs}: {', '.join(parts)}" if parts else pairs


def _verdicts(result: EvalResult) -> list[tuple[Verdict, list[tuple[str, str]]]]:
    """Return the verdicts and what decides each, those first that need a reader's eye."""
    ordered = sorted(result.verdicts, key=lambda verdict: ORDER[verdict.status])
    return [(verdict, [] if verdict.problem else deciding(verdict)) for verdict in ordered]


def _status(result: EvalResult) -> tuple[str, str]:
    """Return what all verdicts come to, and how to say it."""
    total, unmet = len(result.verdicts), sum(each.status == "FAIL" for each in result.verdicts)
    if not total:
        return "", "No gates"
    if unmet:
        return "FAIL", f"{unmet} of {total} gates not met" if total > 1 else "The gate is not met"
    if any(each.status == "PARTIAL" for each in result.verdicts):
        return "PARTIAL", "Gates hold so far"
    return "PASS", f"All {total} gates met" if total > 1 else "The gate is met"


def _baseline(result: EvalResult) -> dict[str, Any] | None:
    """Return what to say of the comparison with the baseline, if there is one."""
    comparison = result.comparison
    if comparison is None:
        return None
    passing = sum(flip.passes for flip in comparison.flips)
    return {
        "name": one_line(comparison.name),
        "passing": passing,
        "failing": len(comparison.flips) - passing,
        "notes": [one_line(note) for note in comparison.notes],
    }


def _every_figure(result: EvalResult, systems: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return a line for each figure of the summary, those of users' own metrics too, and for the time."""
    columns = [result.summary.get(system, {}) for system in systems]
    keys = dict.fromkeys(key for figures in columns for key in figures)
    lines = [(one_line(key), [_figure(figures.get(key)) for figures in columns]) for key in keys]
    taken = [_figure(result.timing.get(system)) for system in systems]
    return [*lines, ("total time (s)", taken)] if any(taken) else lines


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:,.6g}"


def _settings(config: Mapping[str, Any]) -> list[tuple[str, str]]:
    plain = to_plain(dict(config), "config")
    return [
        (one_line(key), one_line(value if isinstance(value, str) else dumps(value)))
        for key, value in plain.items()
    ]


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_read),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["one_line"] = one_line
    return environment


@cache
def _read(name: str) -> str:
    return (files("pytest_context_bench.reports") / "page" / name).read_text(encoding="utf-8")


def _joined(names: tuple[str, ...]) -> Markup:
    return Markup("\n").join(Markup(_read(name)) for name in names)  # noqa: S704 - the project's own files


def _script() -> Markup:
    """Return the whole script in a block, whose names are no globals of the page."""
    return Markup('"use strict";\n{{\n{}\n}}').format(_joined(SCRIPTS))


def _policy(style: str, script: str) -> str:
    """Return a policy by which the page loads nothing, and runs nothing but its own *style* and *script*."""
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src '{_digest(style)}'",
            f"script-src '{_digest(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _digest(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"
