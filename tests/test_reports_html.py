import json
import math
import re
import subprocess
import sys
from base64 import b64encode
from dataclasses import dataclass, replace
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from engine_rows import row, rows
from test_plugin_robustness import ODD_IDS, ODD_TEXT

from pytest_context_bench.comparison import Comparison, Difference, Flip
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.gates import Gate, Verdict, judge
from pytest_context_bench.metrics import Counts, default_metrics
from pytest_context_bench.notes import notes_on
from pytest_context_bench.plain import printable
from pytest_context_bench.population import Population
from pytest_context_bench.reports import html
from pytest_context_bench.reports.files import write_reports
from pytest_context_bench.reports.html import to_html
from pytest_context_bench.reports.table import table_of
from pytest_context_bench.reports.terminal import verdict_line
from pytest_context_bench.results import EvalResult

CONFIG = {"score_field": "score", "threshold": 0.7, "tokenizer": "cl100k_base", "partial": False}
HOSTILE = [
    *map(str, ODD_IDS),
    ODD_TEXT,
    "{{ 7 * 7 }}{% raw %}",
    "<!--<script>",
    "'\" onload=x y='",
    "&lt;&#0;",
]
VOID = {"meta", "link", "input"}
FIELDS = [
    "system",
    "dataset",
    "id",
    "repeat",
    "score",
    "score_text",
    "latency",
    "latency_text",
    "before",
    "after",
    "status",
    "flip",
    "was",
    "error",
    "scores",
    "texts",
    "metadata",
]


def result_of(given, gates=(), *, partial=False, metrics=None, **values):
    folding = default_metrics() if metrics is None else metrics
    population = Population(given, folding)
    verdicts = [judge(Gate.parse(gate), population, partial=partial) for gate in gates]
    summary = population.summary()
    fields = {"config": CONFIG | {"partial": partial}, "notes": notes_on(given, summary)}
    return EvalResult(list(given), summary, verdicts=verdicts, metrics=folding, **(fields | values))


class Page(HTMLParser):
    """A page as a reader sees it: elements in their order, and the text of each."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.open = [], {}, []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append((tag, len(self.elements) - 1))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for _, place in self.open:
            self.texts[place] = self.texts.get(place, "") + data

    def all(self, tag, **attributes):
        """Return the text of each such element."""
        return [
            " ".join(self.texts.get(place, "").split())
            for place, (name, given) in enumerate(self.elements)
            if name == tag and attributes.items() <= given.items()
        ]

    def pairs(self):
        (data,) = [
            self.texts[place]
            for place, (_, given) in enumerate(self.elements)
            if given.get("type") == "application/json"
        ]
        content = json.loads(data, parse_constant=pytest.fail)
        content["rows"] = [dict(zip(FIELDS, values, strict=True)) for values in content["rows"]]
        return content


def page_of(given, *args, **values):
    return Page(to_html(result_of(given, *args, **values)))


@pytest.fixture
def given():
    return [
        *rows(
            1, 0.6996, "TimeoutError: late\nat 3", None, system="kompact", dataset="needle:log", latency=0.25
        ),
        *rows(1, 0.1, system="kompact", dataset="mmlu:anatomy", latency=1.5, output_tokens=1234),
        *rows(1, 1, system="http://***@gateway.example:7878/v1", dataset="needle:log", metadata={"n": [1]}),
    ]


def test_a_page_is_whole_and_loads_nothing(given):
    text = to_html(result_of(given, ["mean_score>=0.7"]))
    page = Page(text)

    assert text.startswith("<!doctype html>\n<html lang=")
    loading = {
        value
        for _, attributes in page.elements
        for name, value in attributes.items()
        if name in {"src", "href", "action", "data", "srcset", "style", "xlink:href"}
    }
    assert loading == {"data:,"}
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|import\(|innerHTML|eval\(", text)
    assert [tag for tag, _ in page.elements if tag in {"iframe", "object", "embed", "img", "base"}] == []
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]


def test_the_policy_allows_the_page_its_own_script_and_style_alone(given):
    page = page_of(given)

    (policy,) = [found["content"] for tag, found in page.elements if "http-equiv" in found]
    scripts = [
        page.texts[at]
        for at, (tag, found) in enumerate(page.elements)
        if tag == "script" and "type" not in found
    ]
    styles = [page.texts[at] for at, (tag, _) in enumerate(page.elements) if tag == "style"]
    assert [len(scripts), len(styles)] == [1, 1]
    for kind, (content,) in (("script", scripts), ("style", styles)):
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy


def test_the_summary_has_the_cells_of_the_table(given):
    result = result_of(given, ["mean_score>=0.69999", "latency_p95<=1.5"])
    page = Page(to_html(result))

    table = table_of(Population(result.rows, result.metrics), result.verdicts)
    assert page.all("td")[: len(table.lines) * len(table.columns)] == [
        str(cell) for line in table.lines for cell in line.cells
    ]
    names = [line.name.removeprefix("|- ") for line in table.lines]
    assert page.all("th", scope="row")[: len(names)] == names
    headings = page.all("th", scope="col")[: 1 + len(table.columns)]
    assert headings == ["system", *(column.heading_in_line for column in table.columns)]


def test_charts_use_the_words_of_the_table(given):
    result = result_of(given, ["mean_score>=0.69999"])
    page = Page(to_html(result))

    table = table_of(Population(given, default_metrics()), result.verdicts)
    keys = [column.key for column in table.columns]
    mean, cost, p95 = (
        table.lines[0].cells[keys.index(key)].text for key in ("mean_score", "cost_of_pass", "latency_p95")
    )
    assert f"kompact: {mean} at {cost} tokens per pass" in page.all("title")
    assert page.all("span", **{"class": "said"}).count(f"score {mean}, {cost} tokens per pass") == 1
    assert page.all("span", **{"class": "said"}).count(f"p95 {p95} s") == 1
    assert page.all("text", **{"class": "figure"}) == ["0.567", "1.000", "0.550"]


def test_margins_and_deltas_stand_beside_their_figures(given):
    comparison = Comparison("main", (Difference("kompact", None, "mean_score", 0.7, 0.68, 3),))
    page = page_of(given, comparison=comparison)

    table = table_of(Population(given, default_metrics()), (), comparison)
    keys = [column.key for column in table.columns]
    cell = table.lines[0].cells[keys.index("mean_score")]
    assert cell.margin
    assert page.all("small", **{"class": "delta"}) == ["-0.020"]
    assert f"{cell.text} {cell.margin} -0.020" in page.all("td")
    assert cell.margin not in page.all("text")


def test_every_pair_is_in_the_page(given):
    content = page_of(given, comparison=flips("kompact")).pairs()

    assert content["systems"] == ["kompact", "http://***@gateway.example:7878/v1"]
    assert content["datasets"] == ["needle:log", "mmlu:anatomy"]
    assert content["rows"][1] == {
        "system": 0,
        "dataset": 0,
        "id": "1",
        "repeat": 0,
        "score": 0.6996,
        "score_text": "0.6996",
        "latency": 0.25,
        "latency_text": "0.250",
        "before": 10,
        "after": 5,
        "status": "below",
        "flip": "fails now",
        "was": "1.000",
        "error": None,
        "scores": {"score": "0.6996"},
        "texts": None,
        "metadata": {},
    }
    assert [line["status"] for line in content["rows"]] == ["pass", "below", "error", "", "pass", "below"] + [
        "pass"
    ] * 2
    assert [line["flip"] for line in content["rows"]] == ["passes now", "fails now", *[""] * 6]


def flips(system, dataset="needle:log"):
    turned = (
        Flip(system, dataset, 0, None, 1.0, passes=True),
        Flip(system, dataset, "1", 1.0, 0.6996, passes=False),
    )
    return Comparison("main", (), turned, ("2 examples are new",))


def test_texts_are_kept_once():
    texts = {"context": "long", "processed": "long", "response": "r", "question": 5}

    content = page_of([row(1, metadata={"texts": texts, "other": 1}), row(1, metadata={"texts": []})]).pairs()
    assert content["texts"] == ["long", "r"]
    assert [line["texts"] for line in content["rows"]] == [[None, None, 0, 0, 1], None]
    assert content["rows"][0]["metadata"] == {"other": 1}


def test_systems_whose_names_differ_in_secrets_alone_are_told_apart():
    given = [row(1, system=f"http://me:{word}@host") for word in ("hunter2", "hunter3")]

    content = page_of(given).pairs()
    assert content["systems"] == ["http://***@host"] * 2
    assert [line["system"] for line in content["rows"]] == [0, 1]


def hostile_rows(text):
    kept = dict.fromkeys(("question", "answer", "context", "processed", "response"), text)
    return [
        row(0.2, system=text, dataset=text, example_id=text, metadata={text: text, "texts": kept}),
        row(system=text, dataset=text, example_id=f"{text}2", error=text),
        row(1, system="b", dataset="x", scores={"score": 1.0, text: 0.5}),
    ]


def hostile_page(text):
    given = hostile_rows(text)
    config = CONFIG | {"proxy": text, text: [text]}
    comparison = Comparison(text, (), (Flip(text, text, text, 1.0, 0.2, passes=False),), (text,))
    metrics = [*default_metrics(), Counting(text)]
    result = result_of(
        given, ["n>=1", "n>=5"], config=config, comparison=comparison, metrics=metrics, notes=[text]
    )
    return to_html(replace(result, timing={text: 1.0}))


@dataclass(frozen=True)
class Counting:
    """A user's metric, whose figure has any name."""

    figure: str
    name: str = "counting"

    def compute(self, rows):
        return {self.figure or "figure": len(rows)}


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_text_is_shown_and_changes_nothing_else(text):
    shown, harmless = Page(hostile_page(text)), Page(hostile_page("harmless"))

    assert [(tag, list(found)) for tag, found in shown.elements] == [
        (tag, list(found)) for tag, found in harmless.elements
    ]
    words = " ".join(one_line(text).split())
    assert shown.all("th", scope="row")[0] == words or "(no name)"
    assert words in shown.all("dd")
    assert words in shown.all("li")
    first, second, _ = shown.pairs()["rows"]
    assert first["id"] == printable(text)
    assert second["error"] == printable(text)
    assert shown.pairs()["texts"] == [printable(text)]
    assert first["metadata"] == {printable(text): printable(text)}
    assert first["flip"] == "fails now"


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_nothing_in_a_page_is_unprintable(text):
    page = hostile_page(text)

    assert not [sign for sign in page if not (sign.isprintable() or sign == "\n")]
    page.encode()
    data = page.partition('id="data">')[2].partition("</script>")[0]
    assert not set("<>&\u2028\u2029") & set(data)


def test_no_secret_is_in_a_page(monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "open sesame")
    secret = "http://me:hunter2@host: open sesame, Bearer abcdefgh"

    page = hostile_page(secret)
    assert not [word for word in ("hunter2", "sesame", "abcdefgh") if word in page]


def test_gates_notes_and_problems_stand_above_the_figures(given):
    problem = "metric 'mine' failed on system 'a': ValueError"
    result = result_of(given, ["n>=1 @ system=kompact", "mean_score>=0.9"], notes=["a note", problem])
    text = to_html(result)
    page = Page(text)

    worded = [" ".join(verdict_line(verdict).split()) for verdict in reversed(result.verdicts)]
    assert page.all("ul", **{"class": "verdicts"}) == [" ".join(worded)]
    assert worded[0] == "FAIL mean_score >= 0.9: kompact 0.560 (n=5)"
    assert "a note" in page.all("li")
    assert page.all("span", **{"class": "badge FAIL"}) == ["1 of 2 gates not met", "FAIL"]
    assert max(text.index(said) for said in ("a note", "FAIL</span>")) < text.index("<table")


@pytest.mark.parametrize(
    "gate", ["pas_rate>=1", "mean_score<=9", "n==8 @ dataset=needle:log", "n>=1 @ system=x"]
)
@pytest.mark.parametrize("partial", [False, True])
def test_verdicts_are_worded_as_in_the_terminal(given, gate, partial):
    result = result_of(given, [gate], partial=partial)
    (verdict,) = result.verdicts = [replace(result.verdicts[0], test="test_x.py::test_y")]

    page = Page(to_html(result))
    assert page.all("ul", **{"class": "verdicts"}) == [" ".join(verdict_line(verdict).split())]


@dataclass(frozen=True)
class Broken:
    """A user's metric that fails."""

    name: str = "broken"

    def compute(self, rows):
        raise ValueError("bad")


def test_a_verdict_that_warns_is_shown_and_turns_no_page_red(given):
    verdicts = [Verdict("n >= 1", "PASS"), Verdict("n >= baseline", "WARN", problem="there is no baseline")]
    page = Page(to_html(replace(result_of(given), verdicts=verdicts)))

    assert page.all("span", **{"class": "badge WARN"}) == ["WARN"]
    assert page.all("span", **{"class": "badge PASS"}) == ["All 2 gates met", "PASS"]


def test_a_problem_is_told_as_one(given):
    result = result_of(given, metrics=[Counts(), Broken()])
    problems = Population(given, [Broken()])
    problems.summary()

    page = Page(to_html(replace(result, notes=[*problems.problems, "a note"])))
    assert page.all("li", **{"class": "problem"}) == [f"Problem: {said}" for said in problems.problems]


@pytest.mark.parametrize(
    ("gates", "partial", "badges"),
    [
        ([], False, ["No gates"]),
        (["n>=1"], False, ["The gate is met", "PASS"]),
        (["n>=9"], False, ["The gate is not met", "FAIL"]),
        (["n>=1", "n>=2"], False, ["All 2 gates met", "PASS", "PASS"]),
        (["n>=1"], True, ["Gates hold so far", "Partial: the run did not finish", "PARTIAL"]),
        ([], True, ["No gates", "Partial: the run did not finish"]),
    ],
)
def test_the_head_says_how_it_went(given, gates, partial, badges):
    page = page_of(given, gates, partial=partial)

    found = [
        page.texts[at]
        for at, (_, attributes) in enumerate(page.elements)
        if "badge" in attributes.get("class", "").split()
    ]
    assert found == badges
    assert "8 pairs: 4 pass, 2 below the threshold, 1 with an error, 1 without a score" in page.all("span")


def test_the_comparison_with_a_baseline_is_told(given):
    page = page_of(given, comparison=flips("kompact"))

    assert "Since the baseline main: 1 pair fails now, 1 passes now." in page.all("p")
    assert "2 examples are new" in page.all("li")
    assert "flipped since the baseline" in page.all("option")
    assert "flipped since the baseline" not in page_of(given).all("option")


def test_every_figure_and_setting_is_told(given):
    page = page_of(given, metrics=[Counts(), Counting("mine")], timing={"kompact": 2.5})

    assert {"mine", "n", "error_rate", "total time (s)"} <= set(page.all("th", scope="row"))
    assert "2.5" in page.all("td")
    assert page.all("dt") == list(CONFIG)
    assert page.all("dd") == ["score", "0.7", "cl100k_base", "false"]


def test_no_rows_are_said_to_be_none():
    page = page_of([], ["n>=1"])

    assert page.all("h1") == ["Nothing was measured"]
    assert page.all("p", **{"class": "empty"}) == ["No pair has a row."]
    assert page.all("table") == page.all("svg") == []
    assert page.all("ul", **{"class": "verdicts"}) == ["FAIL n >= 1: no rows"]


@pytest.mark.parametrize(
    "given",
    [
        rows(1),
        rows("down"),
        rows(None),
        rows(math.nan),
        rows(math.inf, -math.inf, 1e308, -1e308),
        [row(1, latency=math.nan), row(1, latency=math.inf), row(1, latency=-1.0)],
        [row(1, output_tokens=0, input_tokens=0)],
        [row(1, repeat=n) for n in range(3)],
        [row(1, metadata={"deep": [{"nan": math.nan}]})],
        [row(n / 12, system=f"s{n}", dataset=f"d{n % 5}") for n in range(12)],
    ],
    ids=["one", "error", "no score", "nan", "huge", "times", "no tokens", "repeats", "metadata", "many"],
)
def test_any_rows_make_a_page(given):
    page = page_of(given)

    assert len(page.pairs()["rows"]) == len(given)
    assert page.all("h2")[0] == "Summary"
    assert not [text for text in page.all("svg") if "nan" in text.lower()]


def test_metadata_that_is_not_finite_is_told_by_its_name():
    (line,) = page_of(
        [row(math.nan, metadata={"a": [math.nan, {"b": -math.inf}]}, latency=math.inf)]
    ).pairs()["rows"]

    assert line["metadata"] == {"a": ["nan", {"b": "-inf"}]}
    assert (line["score"], line["score_text"]) == (None, "nan")
    assert (line["latency"], line["latency_text"]) == (None, "inf")


@pytest.mark.parametrize("config", [{}, {"score_field": "score"}])
def test_a_result_that_does_not_say_how_it_was_judged_judges_no_pair(config):
    page = page_of(rows(1, "down"), config=config)

    assert [line["status"] for line in page.pairs()["rows"]] == ["", "error"]
    assert "2 pairs: 1 with an error" in page.all("span")


def test_a_result_that_was_read_back_makes_the_same_page(given):
    result = result_of(given, ["mean_score>=0.7"], comparison=flips("kompact"), timing={"kompact": 1.0})

    assert to_html(EvalResult.from_json(result.to_json())) == to_html(result)
    assert to_html(replace(result, metrics=None)) == to_html(result)


def test_a_page_is_the_same_each_time(given):
    assert to_html(result_of(given)) == to_html(result_of(given))


def test_a_page_is_written_as_a_report(given, tmp_path):
    result = result_of(given)

    assert write_reports([("html", str(tmp_path / "out.html"))], result) == []
    assert (tmp_path / "out.html").read_text(encoding="utf-8") == to_html(result)


def test_a_run_writes_its_page(bench, examples, pytester):
    examples(2)

    outcome = bench(
        "--context-bench-dataset=data.jsonl",
        "--context-bench-system=identity",
        "--context-bench-gate=n==2",
        "--context-bench-report=html:out.html",
    )
    page = Page((pytester.path / "out.html").read_text(encoding="utf-8"))
    assert outcome.ret == 0
    assert page.all("h1") == ["1 system on 1 data set"]
    assert page.all("ul", **{"class": "verdicts"}) == ["PASS n == 2: identity 2.000 (n=2)"]
    assert [line["id"] for line in page.pairs()["rows"]] == ["1", "2"]


@pytest.mark.parametrize("name", ["page.html", *html.STYLES, *html.SCRIPTS])
def test_the_package_has_its_files(name):
    content = (files("pytest_context_bench.reports") / "page" / name).read_text(encoding="utf-8")

    assert content.isprintable() or "\n" in content
    if not name.endswith(".html"):
        assert "</" not in content
        assert "{{" not in content


def test_templates_are_imported_by_whom_writes_a_page():
    script = (
        "import sys, pytest_context_bench.reports.files\n"
        "print([name for name in ('jinja2', 'markupsafe') if name in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
