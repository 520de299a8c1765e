import math
import time
from pathlib import Path

import pytest
from engine_rows import row, rows

from pytest_context_bench.comparison import Comparison, Difference
from pytest_context_bench.gates import Gate, judge
from pytest_context_bench.metrics import default_metrics
from pytest_context_bench.notes import notes_on
from pytest_context_bench.population import Population
from pytest_context_bench.records import Record
from pytest_context_bench.reports.table import table_of
from pytest_context_bench.reports.terminal import fitted, section, status, verdict_line, worst_lines
from pytest_context_bench.results import EvalResult
from pytest_context_bench.terms import Terms

GOLDEN = Path(__file__).parent / "golden"
CONFIG = {"score_field": "score", "threshold": 0.7, "tokenizer": "cl100k_base"}
HOSTILE = "\x1b[31mred\x1b[0m\x00\r\n\u202e|\ud83d"


def population_of(given):
    return Population(given, default_metrics())


def records_of(given, threshold=0.7):
    terms = Terms("score", threshold)
    return {
        f"test_quality.py::test[{each.system}-{each.dataset}-{each.example_id}]": Record(
            "test_quality.py::test", n, len(given), terms, each
        )
        for n, each in enumerate(given)
    }


def lines_of(given, gates=(), *, width=80, brief=False, partial=False, config=CONFIG):
    population = population_of(given)
    verdicts = [judge(Gate.parse(text), population, partial=partial) for text in gates]
    notes = notes_on(given, population.summary())
    result = EvalResult(given, population.summary(), config=config, verdicts=verdicts, notes=notes)
    return list(section(result, population, records_of(given), width=width, brief=brief))


def a_run():
    """Return the rows of three systems on two data sets: errors, misses, and one that never passes."""
    return [
        *rows(
            1,
            1,
            0.85,
            0.6996,
            "TimeoutError: no answer within 30 s\nTraceback",
            system="kompact",
            dataset="needle:log",
            latency=0.25,
        ),
        *rows(
            1, 1, system="kompact", dataset="mmlu:anatomy", latency=1.5, input_tokens=2000, output_tokens=1234
        ),
        *rows(
            0.25,
            0,
            system="http://***@gateway.example:7878/a-very-long-name/v1",
            dataset="needle:log",
            latency=0.5,
        ),
        *rows(
            0,
            None,
            system="http://***@gateway.example:7878/a-very-long-name/v1",
            dataset="mmlu:anatomy",
            latency=12,
        ),
        *rows(1, 1, system="identity", dataset="needle:log", metadata={"scored": "context"}),
    ]


GATES = (
    "pass_rate>=0.6 @ system=kompact",
    "mean_score>=0.7",
    "cost_of_pass<=500 @ system=kompact",
    "latency_p95<=1.5 @ dataset=mmlu:anatomy",
    "pas_rate>=0.1",
)


@pytest.mark.parametrize("width", [80, 200])
def test_the_section_reads_as_agreed(width):
    text = "".join(f"{line.text}\n" for line in lines_of(a_run(), GATES, width=width))

    assert text == (GOLDEN / f"terminal_{width}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [80, 100, 200])
def test_no_line_of_the_table_is_wider_than_the_terminal(width):
    table = fitted(table_of(population_of(a_run())), width)

    assert max(map(len, table.splitlines())) <= width


@pytest.mark.parametrize("width", [1, 20])
def test_a_narrow_terminal_gets_the_verdict_all_the_same(width):
    lines = [line.text for line in lines_of(a_run(), GATES, width=width)]

    assert [line.split()[0] for line in lines if line.startswith(("PASS", "FAIL"))] == [
        "PASS",
        "FAIL",
        "PASS",
        "FAIL",
        "FAIL",
    ]


def test_a_brief_section_has_no_legend_and_no_pairs():
    texts = [line.text for line in lines_of(a_run(), GATES, brief=True)]

    assert not [text for text in texts if text.startswith(("pass:", "ERROR", "BELOW"))]
    assert [text for text in texts if text.startswith("FAIL")]


def test_lines_have_the_colour_of_their_verdict():
    given = rows(1)

    assert [line.colour for line in lines_of(given, ["n>=1", "n>=2"]) if line.colour] == ["green", "red"]
    (partial,) = [line for line in lines_of(given, ["n>=1"], partial=True) if line.colour]
    assert partial.colour == "yellow"
    assert partial.text == "PARTIAL  n >= 1: a 1.000 (n=1) (the run did not finish)"


def test_no_rows_are_no_table():
    assert [line.text for line in lines_of([], ["n>=1"])] == ["FAIL  n >= 1: no rows"]


def test_a_result_that_does_not_say_how_it_was_judged_has_no_legend():
    assert not [line for line in lines_of(rows(1), config={}) if not line.text]


def test_columns_that_say_nothing_are_left_out():
    given = [row(error="down"), row(error="down")]

    table = table_of(population_of(given))
    assert [column.key for column in table.columns] == [
        "n", "errors", "pass_rate", "mean_score", "cost_of_pass"
    ]  # fmt: skip
    assert list(map(str, table.lines[0].cells)) == ["2", "2", "0.000 ±0.793", "0.000", "inf"]


def test_figures_that_are_not_finite_are_shown():
    assert "nan" in map(str, table_of(population_of(rows(math.nan))).lines[0].cells)


def test_one_data_set_has_no_lines_of_its_own():
    assert [line.name for line in table_of(population_of(rows(1, 0, dataset="x"))).lines] == ["a"]
    both = [*rows(1), *rows(1, dataset="x")]
    assert [line.name for line in table_of(population_of(both)).lines] == ["a", "|- unknown", "|- x"]


def test_nothing_that_is_shown_steers_the_terminal_or_breaks_a_line():
    given = [
        row(0, system=HOSTILE, dataset=HOSTILE),
        row(1, system="b", dataset="x"),
        row(system=HOSTILE, error=HOSTILE),
    ]

    lines = lines_of(
        given, [str(Gate("n", ">=", 1, HOSTILE)), "n>=5", f"n>=1 @ system={HOSTILE}x"], width=200
    )
    assert not [line.text for line in lines if not line.text.isprintable()]
    table = fitted(table_of(population_of(given)), 200).splitlines()
    assert len(table) == 2 + 1 + 2 + 2 + 1
    assert "\\x1b[31mred" in table[3]


def test_no_secret_is_shown():
    secret = "http://me:hunter22@host"
    given = [
        row(0, system=secret, dataset=secret, error=f"refused by {secret}"),
        row(0, system="b", dataset="x"),
    ]

    text = "\n".join(line.text for line in lines_of(given, [f"n>=9 @ system={secret}", "n>=9"], width=200))
    assert "hunter22" not in text


def test_names_are_shortened_in_the_middle():
    given = [row(1, system=f"compressor-of-many-words-{end}") for end in ("one", "two")]

    lines = fitted(table_of(population_of(given)), 100).splitlines()
    assert [line.split()[0] for line in lines[-2:]] == [
        "compressor-of-many-words-one",
        "compressor-of-many-words-two",
    ]
    lines = fitted(table_of(population_of(given)), 66).splitlines()
    assert [line.split()[0][-3:] for line in lines[-2:]] == ["one", "two"]
    assert ".." in lines[-1]


def test_names_of_any_length_are_laid_out_at_once():
    given = [row(1, system=f"{n}" + "x" * 5000, dataset=f"{n % 5}" + "y" * 5000) for n in range(40)]

    start = time.process_time()
    table = fitted(table_of(population_of(given)), 80)
    assert time.process_time() - start < 5
    assert max(map(len, table.splitlines())) <= 80


def test_the_worst_pairs_are_errors_and_then_the_lowest_scores():
    given = [
        row(0.5, system="b", example_id=1),
        row(0.5, system="a", example_id=1),
        row(0.1, example_id=2),
        row(math.nan, example_id=3),
        row(0.7, example_id=4),
        row(None, example_id=5),
        row(example_id=6, error="ValueError: bad\nat line 3"),
        row(example_id=7, error=""),
        row(0.69999, example_id=8),
    ]

    assert [line.replace("test_quality.py::test", "t") for line in worst_lines(records_of(given))] == [
        "ERROR  t[a--6]: ValueError: bad",
        "ERROR  t[a--7]: ",
        "BELOW  t[a--3]: score=nan",
        "BELOW  t[a--2]: score=0.10",
        "BELOW  t[a--1]: score=0.50",
        "BELOW  t[b--1]: score=0.50",
        "BELOW  t[a--8]: score=0.69999",
    ]


@pytest.mark.parametrize(
    ("of_row", "shown"),
    [
        (row(0.7), None),
        (row(0.69999), ("below threshold", "b", ("BELOW (score=0.69999)", {"yellow": True}))),
        (row(0.31), ("below threshold", "b", ("BELOW (score=0.31)", {"yellow": True}))),
        (row(math.nan), ("below threshold", "b", ("BELOW (score=nan)", {"yellow": True}))),
        (row(None), None),
        (row(1, error="bad\nat line 3"), ("errored", "e", ("ERRORED (bad)", {"red": True}))),
        (row(1, error=""), ("errored", "e", ("ERRORED ()", {"red": True}))),
        (
            row(1, error="\x1b[31m" * 99),
            ("errored", "e", ("ERRORED (" + "\\x1b[31m" * 7 + "\\x1b)", {"red": True})),
        ),
    ],
    ids=["at", "just below", "below", "nan", "no score", "error", "no words", "hostile"],
)
def test_the_status_of_a_pair(of_row, shown):
    (record,) = records_of([of_row]).values()

    found = status(record)
    assert found == shown
    assert found is None or len(found[2][0]) <= 70


def test_a_verdict_shows_what_decides_it():
    given = [*rows(1, 1), *rows(0.69999, system="b"), *rows(None, system="c")]

    assert verdict_line(judge(Gate.parse("mean_score>=0.7"), population_of(given), test="t.py::t")) == (
        "FAIL  mean_score >= 0.7 [t.py::t]: b 0.69999 (n=1); c no row gives the metric 'mean_score'"
    )
    assert verdict_line(judge(Gate.parse("n>=1"), population_of(given))) == (
        "PASS  n >= 1: a 2.000 (n=2); b 1.000 (n=1); c 1.000 (n=1)"
    )


def test_a_rate_and_a_mean_have_their_intervals():
    table = table_of(population_of([*rows(1, 1, 1, 0)]))
    found = {
        column.key: cell.margin for column, cell in zip(table.columns, table.lines[0].cells, strict=True)
    }

    assert found["pass_rate"] == "±0.449"  # Wilson: 0.301 to 0.954
    assert found["mean_score"] == "±0.796"  # Student: t(3) = 3.182 times a standard error of 0.25
    assert found["compression_ratio"] == ""


def test_a_difference_from_the_baseline_stands_beside_its_figure_where_there_is_room():
    comparison = Comparison("main", (Difference("a", None, "mean_score", 0.80, 0.75, 4),))
    table = table_of(population_of([*rows(1, 1, 1, 0)]), comparison=comparison)

    assert "0.750 ±0.796 (-0.050)" in fitted(table, 120)
    assert "0.750 ±0.796" in fitted(table, 72)
    assert "(-0.050)" not in fitted(table, 72)


@pytest.mark.parametrize(
    ("before", "now", "worded"),
    [(math.inf, math.inf, "inf"), (5.0, math.inf, "inf (+inf)"), (math.inf, 5.0, "inf (-inf)")],
)
def test_a_difference_of_infinite_figures_is_none(before, now, worded):
    comparison = Comparison("main", (Difference("a", None, "cost_of_pass", before, now, 4),))
    table = table_of(population_of([*rows(0, 0)]), comparison=comparison)

    (cell,) = [str(cell) for cell in table.lines[0].cells if cell.text == "inf"]
    assert cell == worded


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100])
def test_the_table_never_needs_more_room_than_it_must(width):
    table = table_of(population_of([*rows(1, 1, 1, 0)]))

    assert max(map(len, fitted(table, width).splitlines())) <= max(width, 47)
