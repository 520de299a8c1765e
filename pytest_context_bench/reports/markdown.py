"""A result as Markdown: for pull requests, step summaries and wikis."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from pytest_context_bench.excerpt import one_line
from pytest_context_bench.gates import Verdict
from pytest_context_bench.metrics.selection import UNTAGGED
from pytest_context_bench.reports.flipped import counted, flipped
from pytest_context_bench.reports.table import table_of
from pytest_context_bench.reports.terminal import deciding, legend, noted
from pytest_context_bench.reports.worst import records_of, worst
from pytest_context_bench.results import EvalResult
from pytest_context_bench.rows import EvalRow

PAIRS = 20  # that are told of a kind
LONGEST = 300  # characters of a cell
_PLAIN = re.compile(r"[^\s|`\\](?:[^|`\\]*[^\s|`\\])?")  # is shown as it is between backticks
# What is more than text in Markdown becomes an entity, since not everywhere a backslash keeps a row from
# splitting at a bar; an underscore within a word is text, and common. What GitHub makes a notification, a
# reference, an emoji or a link of has a comment put behind it, which is not seen.
_MEANING = re.compile(
    r"(?P<sign>[&<>|\\`*~$\[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))|[@#](?=\w)|:(?=[\w+-]+:|//)|www(?=\.)"
)


def to_markdown(result: EvalResult) -> str:
    """Return the figures, gates, notes and the pairs to look at; no text of the run's breaks its line."""
    parts = [
        [f"## context-bench: {standing(result.verdicts)}"],
        list(_figures(result)),
        list(_gates(result.verdicts)),
        list(_flipped(result)),
        list(_worst(result)),
        list(_notes(result)),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def standing(verdicts: Sequence[Verdict]) -> str:
    """Say how the gates stand, all in all."""
    total, failing = len(verdicts), sum(verdict.status == "FAIL" for verdict in verdicts)
    if not total:
        return "no gates"
    if failing:
        return f"{failing} of {total} gates not met"
    if any(verdict.status == "PARTIAL" for verdict in verdicts):
        return "gates hold so far, the run did not finish"
    warned = sum(verdict.status == "WARN" for verdict in verdicts)
    met = f"all {total} gates met" if total > 1 else "the gate is met"
    return f"{met}, {warned} with a warning" if warned else met


def literal(text: str) -> str:
    """Return *text* as code in one line: nothing in it is more than text."""
    shown = one_line(text)
    cut = shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
    return f"`{cut}`" if _PLAIN.fullmatch(cut) else f"<code>{prose(cut)}</code>"


def prose(text: str) -> str:
    """Return *text* in one line of plain Markdown; nothing in it is more than text."""
    return _MEANING.sub(_as_text, one_line(text))


def _figures(result: EvalResult) -> Iterator[str]:
    if not result.rows:
        yield "No rows."
        return
    table = table_of(result.population(), result.verdicts, result.comparison)
    yield from _head("system", *(column.heading_in_line for column in table.columns), numbers=1)
    for line in table.lines:
        name = literal(line.system) if line.dataset is None else f"↳ {literal(line.dataset)}"
        yield _line([name, *map(str, line.cells)])
    if meaning := legend(result):
        yield from ("", prose(meaning))


def _gates(verdicts: Iterable[Verdict]) -> Iterator[str]:
    for number, verdict in enumerate(verdicts):
        if not number:
            yield from _head("", "gate", "found")
        where = f" [{verdict.test}]" if verdict.test else ""
        found = "; ".join(f"{system} {said}" for system, said in deciding(verdict))
        yield _line(
            [f"**{verdict.status}**", literal(f"{verdict.gate}{where}"), literal(verdict.problem or found)]
        )


def _flipped(result: EvalResult) -> Iterator[str]:
    if result.comparison is None:
        return
    yield prose(counted(result.comparison))
    for number, each in enumerate(islice(flipped(result, records_of(result)), PAIRS)):
        if not number:
            yield from ("", *_head("", "system", "data set", "example", "score"))
        now = "passes" if each.flip.passes else "**fails**"
        pair = each.flip.system, each.flip.dataset, str(each.flip.example_id)
        yield _line([now, *map(literal, pair), literal(each.said)])
    yield from _more(len(result.comparison.flips))


def _worst(result: EvalResult) -> Iterator[str]:
    found = list(worst(records_of(result)))
    for number, miss in enumerate(found[:PAIRS]):
        if not number:
            yield from _head("", "system", "data set", "example", "reason")
        yield _line([miss.status, *map(literal, _named(miss.row)), literal(miss.said)])
    yield from _more(len(found))


def _notes(result: EvalResult) -> Iterator[str]:
    for number, note in enumerate(noted(result)):
        if not number:
            yield from _head("note")
        yield _line([prose(note)])


def _named(row: EvalRow) -> tuple[str, str, str]:
    repeat = f" (repeat {row.repeat + 1})" if row.repeat else ""
    return row.system, row.dataset or UNTAGGED, f"{row.example_id}{repeat}"


def _more(count: int) -> list[str]:
    return ["", f"and {count - PAIRS:,} more"] if count > PAIRS else []


def _head(*headings: str, numbers: int | None = None) -> list[str]:
    """Return the head of a table; from the column *numbers* on cells stand to the right."""
    left = len(headings) if numbers is None else numbers
    rules = [":---"] * left + ["---:"] * (len(headings) - left)
    return [_line(headings), _line(rules)]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _as_text(found: re.Match[str]) -> str:
    return f"&#{ord(found['sign'])};" if found["sign"] else f"{found[0]}<!-- -->"
