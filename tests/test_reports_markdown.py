import html
import re

import pytest
from engine_rows import row, rows
from test_plugin_robustness import ODD_IDS, ODD_TEXT

from pytest_context_bench.comparison import Comparison, Difference, Flip
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.gates import Gate, Verdict, judge
from pytest_context_bench.metrics import default_metrics
from pytest_context_bench.notes import notes_on
from pytest_context_bench.population import Population
from pytest_context_bench.reports.markdown import literal, prose, standing, to_markdown
from pytest_context_bench.reports.table import BRANCH, table_of
from pytest_context_bench.results import EvalResult

CONFIG = {"score_field": "score", "threshold": 0.7, "tokenizer": "cl100k_base"}
HOSTILE = [
    *map(str, ODD_IDS),
    ODD_TEXT,
    "a`b",
    "``",
    "\\|",
    "a\\|b\\\\|c",
    "`|`",
    "a | b",
    "<!-- | -->",
    "&#124;",
    "&lt;",
    "_a_ *b* ~~c~~ **d**",
    "[a](http://b)",
    "![a](b)",
    "[a]: http://b",
    "@everyone #1 GH-1 :smile: me@host.example",
    "http://a.b www.a.b ftp://a",
    "$x$",
    "# a",
    "- a",
    "1. a",
    "> a",
    "    a",
    "---",
    "```",
    "|||",
]


def result_of(given, gates=(), **values):
    population = Population(given, default_metrics())
    verdicts = [judge(Gate.parse(gate), population) for gate in gates]
    notes = notes_on(given, population.summary())
    fields = {"config": CONFIG, "notes": notes, "verdicts": verdicts, "metrics": default_metrics()}
    return EvalResult(list(given), population.summary(), **fields | values)


def tables(text):
    """Return the cells of each table as a reader sees them."""
    found = [[]]
    for line in text.split("\n"):
        if line.startswith("|"):
            assert line.endswith(" |")
            found[-1].append([seen(cell) for cell in line.split("|")[1:-1]])
        elif found[-1]:
            found.append([])
    whole = [table for table in found if table]
    for head, rule, *lines in whole:
        assert {len(head)} == {len(rule), *map(len, lines)}
        assert all(re.fullmatch(":?-+:?", cell) for cell in rule)
    return [[head, *lines] for head, _, *lines in whole]


def seen(cell):
    """Return the text of a cell: code is as it is, else comments and tags go and entities are read."""
    below, text = re.fullmatch(r" (↳ )?(.*) ", cell).groups()
    code = re.fullmatch(r"`([^`]+)`", text)
    said = code[1] if code else html.unescape(re.sub(r"<!-- -->|</?code>|\*\*", "", text))
    return f"{BRANCH if below else ''}{said}"


def test_a_result_reads_as_agreed():
    given = [*rows(1, 0.5, "boom|`x`\n2", system="kompact"), *rows(1, 0, system="b")]
    comparison = Comparison(
        "main",
        (Difference("kompact", None, "mean_score", 0.8, 0.5, 3),),
        (Flip("kompact", "unknown", 1, 1.0, 0.5, passes=False), Flip("b", "x", 0, None, 1.0, passes=True)),
        ("1 examples of b are not in the baseline",),
    )
    result = result_of(given, ["mean_score>=0.7 @ system=b", "n>=1"], comparison=comparison)

    assert to_markdown(result) == (
        """\
## context-bench: 1 of 2 gates not met

| system | n | errors | pass rate | mean score | compression | tokens / pass | latency p95 (s) | Pareto rank |
| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| `kompact` | 3 | 1 | 0.333 ±0.459 | 0.500 ±1.242 (-0.300) | 0.500 | 15 | 0.000 | 2 |
| `b` | 2 | 0 | 0.500 ±0.405 | 0.500 ±6.353 | 0.500 | 10 | 0.000 | 1 |

pass: score &#62;= 0.7; compression: share of cl100k_base tokens taken out of the context

|  | gate | found |
| :--- | :--- | :--- |
| **FAIL** | `mean_score >= 0.7 @ system=b` | `b 0.500 (n=2)` |
| **PASS** | `n >= 1` | `kompact 3.000 (n=3); b 2.000 (n=2)` |

1 pair fails that passed in baseline main, 1 the other way

|  | system | data set | example | score |
| :--- | :--- | :--- | :--- | :--- |
| **fails** | `kompact` | `unknown` | `1` | `score=1.00 -> 0.50` |
| passes | `b` | `x` | `0` | `score=none -> 1.00` |

|  | system | data set | example | reason |
| :--- | :--- | :--- | :--- | :--- |
| ERROR | `kompact` | `unknown` | `2` | <code>boom&#124;&#96;x&#96;</code> |
| BELOW | `b` | `unknown` | `1` | `score=0.00` |
| BELOW | `kompact` | `unknown` | `1` | `score=0.50` |

| note |
| :--- |
| baseline main: 1 examples of b are not in the baseline |
"""
    )


def test_the_figures_are_the_cells_of_the_table():
    given = [*rows(1, 0.6996, "late", system="b", dataset="x"), *rows(1, dataset="y", output_tokens=9)]
    result = result_of(given, ["mean_score>=0.5663"])

    (head, *lines), *_ = tables(to_markdown(result))
    table = table_of(result.population(), result.verdicts)
    assert head == ["system", *(column.heading_in_line for column in table.columns)]
    assert [line[1:] for line in lines] == [[str(cell) for cell in line.cells] for line in table.lines]
    assert [line[0] for line in lines] == [line.name for line in table.lines] == ["b", "|- x", "a", "|- y"]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text)[:20])
def test_hostile_text_is_one_cell_and_shown_as_it_is(text):
    given = [
        row(0, system=text, dataset=text, example_id=text),
        row(system="b", dataset="x", error=f"e{text}"),
    ]
    flip = Flip(text, text, text, 1.0, 0.0, passes=False)
    result = result_of(
        given,
        verdicts=[Verdict(text, "FAIL", problem=text, test=text)],
        notes=[text],
        comparison=Comparison("main", flips=(flip,)),
    )

    figures, gates, flips, worst, notes = tables(to_markdown(result))
    shown = one_line(text)[:300] + ("…" if len(one_line(text)) > 300 else "")
    assert [line[0] for line in figures[1:3]] == [shown, BRANCH + (shown or "unknown")]
    assert len(figures) == 1 + 4
    assert gates[1][0] == "FAIL"
    assert gates[1][2] == flips[1][1] == flips[1][2] == flips[1][3] == shown
    assert worst[2][1:4] == [shown, shown or "unknown", shown]
    assert worst[1][4].startswith(one_line(f"e{text}".strip().splitlines()[0])[:299])
    assert notes[1:] == [[one_line(text)]]


@pytest.mark.parametrize(
    "text", ["@everyone", "#1", "me@host.example", ":smile:", "http://a.b", "www.a.b", "_www.a.b"]
)
def test_no_text_notifies_or_links(text):
    for given in (text, f"{text} | {text}"):
        assert re.search(r"^`[^`]+`$|<!-- -->", literal(given))
    assert "<!-- -->" in prose(text)


def test_no_more_than_twenty_pairs_of_a_kind_are_told():
    given = rows(*[0.0] * 23)
    flips = tuple(Flip("a", "unknown", n, 1.0, 0.0, passes=False) for n in range(21))
    result = result_of(given, comparison=Comparison("main", flips=flips), notes=[])

    text = to_markdown(result)
    assert [len(table) for table in tables(text)] == [2, 21, 21]
    assert re.findall(r"^and .*$", text, re.MULTILINE) == ["and 1 more", "and 3 more"]


def test_repeats_are_told_apart():
    *_, worst = tables(to_markdown(result_of([row(0), row(0, repeat=1)], notes=[])))

    assert [line[3] for line in worst[1:]] == ["0", "0 (repeat 2)"]


def test_no_rows_are_said_to_be_none():
    text = to_markdown(EvalResult([], {}, verdicts=[Verdict("n >= 1", "FAIL", problem="no rows")]))

    assert text.startswith("## context-bench: 1 of 1 gates not met\n\nNo rows.\n\n|  | gate | found |\n")


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        ([], "no gates"),
        (["PASS"], "the gate is met"),
        (["PASS", "PASS"], "all 2 gates met"),
        (["PASS", "WARN"], "all 2 gates met, 1 with a warning"),
        (["PASS", "PARTIAL"], "gates hold so far, the run did not finish"),
        (["PARTIAL", "FAIL", "WARN"], "1 of 3 gates not met"),
    ],
)
def test_the_head_says_how_the_gates_stand(statuses, said):
    assert standing([Verdict("n >= 1", status) for status in statuses]) == said


def test_no_secret_is_shown():
    secret = "http://me:hunter22@host"
    given = [row(0, system=secret, dataset=secret, error=secret), row(0, example_id=secret)]

    text = to_markdown(result_of(given, [f"n>=9 @ system={secret}"], notes=[secret]))
    assert "hunter22" not in text


def test_a_result_that_was_read_back_reads_the_same():
    result = result_of([*rows(1, 0, dataset="x"), *rows(0.5, dataset="y")], ["mean_score>=0.5"])

    assert to_markdown(EvalResult.from_json(result.to_json())) == to_markdown(result)
