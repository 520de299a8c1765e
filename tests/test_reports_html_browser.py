"""What the page does in a browser. One browser serves all tests; where there is none they are skipped."""

import json
import time
from urllib.parse import urlencode

import pytest
from browser import browser
from engine_rows import row, rows
from test_plugin_robustness import ODD_TEXT
from test_reports_html import HOSTILE, hostile_rows, result_of

from pytest_context_bench.comparison import Comparison, Flip
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.plain import printable
from pytest_context_bench.reports.html import to_html

CONTEXT = "The valve of pump 7 was replaced in March.\nThe code of the vault is 4711.\n"
LINES = "[...document.querySelectorAll('#grid .lines .line')]"
OPEN = "document.getElementById('example').open"


@pytest.fixture(scope="module")
def page():
    with browser() as opened:
        yield opened


@pytest.fixture
def show(page, tmp_path):
    """Open a result, or the text of a page, and check that nothing went wrong in it."""

    def opened(result, *, hash="", **view):  # noqa: A002 - the word that browsers use
        path = tmp_path / "report.html"
        text = result if isinstance(result, str) else to_html(result)
        path.write_text(text, encoding="utf-8")
        seconds = page.open(f"{path.as_uri()}{hash}", **view)
        assert page.errors == []
        return seconds

    yield opened
    assert page.errors == []
    assert [url for url in page.requests if not url.startswith(("file:", "data:", "about:"))] == []


@pytest.fixture(scope="module")
def result():
    """Three systems, two data sets, an error, pairs that flipped, and texts of one example."""
    texts = {"context": CONTEXT, "question": "Which code?", "answer": "4711", "response": "It is 4711."}
    given = [
        *rows(1, 0.2, "TimeoutError: late\nat 3", system="kompact", dataset="needle", latency=0.3),
        *rows(0.9, 0.8, 0.1, system="identity", dataset="needle", latency=0.1),
        *rows(1, None, 0.5, system="extract", dataset="mmlu", latency=0.2, output_tokens=1234),
    ]
    for place, processed in ((1, CONTEXT.replace("was replaced in March", "broke")), (4, CONTEXT)):
        given[place].metadata["texts"] = texts | {"processed": processed}
    flips = (
        Flip("kompact", "needle", 1, 0.9, 0.2, passes=False),
        Flip("identity", "needle", 1, None, 0.8, passes=True),
    )
    return result_of(given, ["mean_score>=0.7"], comparison=Comparison("main", (), flips))


def hash_of(**state):
    return f"#{urlencode(state)}"


def shown(page):
    """Return system and id of each line of the table, in order."""
    return page.run(
        f"{LINES}.map((line) =>"
        " ['system', 'id'].map((name) => line.querySelector(`.${name} bdi`).textContent).join(' '))"
    )


def count(page):
    return page.run("document.getElementById('count').textContent")


def texts_of(page, selector):
    return page.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.textContent)")


@pytest.mark.parametrize("systems", [1, 3, 12])
@pytest.mark.parametrize(("width", "dark"), [(320, False), (400, True), (1400, False), (1400, True)])
def test_a_page_fits_its_window(page, show, width, dark, systems):
    given = [
        row(
            n % 5 / 4,
            system=f"{'a-long-name-of-a-system-' * (at % 3)}{at}",
            dataset=f"d{n % 3}",
            example_id=n,
        )
        for at in range(systems)
        for n in range(9)
    ]

    show(result_of(given, ["mean_score>=0.7"]), width=width, dark=dark)
    assert page.run("document.documentElement.scrollWidth") == width
    assert len(shown(page)) >= 9
    colour = page.run("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, colour[4:-1].split(", "))) < 300) == dark


def test_all_pairs_are_listed_as_in_the_run(page, show, result):
    show(result)

    assert count(page) == "9 of 9 pairs"
    assert shown(page)[:4] == ["kompact 0", "kompact 1", "kompact 2", "identity 0"]
    assert texts_of(page, "#grid .lines .line:nth-child(3) > div") == [
        "2", "kompact", "needle", "\N{EN DASH}", "10", "5", "0.300", "error: TimeoutError: late",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "found"),
    [
        ({"show": "error"}, ["kompact 2"]),
        ({"show": "below"}, ["kompact 1", "identity 2", "extract 2"]),
        ({"show": "flipped"}, ["kompact 1", "identity 1"]),
        ({"system": "extract"}, ["extract 0", "extract 1", "extract 2"]),
        ({"dataset": "needle", "show": "below"}, ["kompact 1", "identity 2"]),
        ({"search": "TIMEOUT"}, ["kompact 2"]),
        ({"search": "kom", "sort": "score"}, ["kompact 1", "kompact 0", "kompact 2"]),
        ({"search": "nothing like it"}, []),
        ({"sort": "-tokens"}, [f"extract {n}" for n in range(3)]),
        ({"sort": "latency"}, [f"identity {n}" for n in range(3)]),
        ({"sort": "-latency", "show": "nonsense"}, [f"kompact {n}" for n in range(3)]),
        ({"sort": "constructor"}, ["kompact 0"]),
    ],
    ids=str,
)
def test_a_link_shows_the_pairs_that_it_names(page, show, result, state, found):
    show(result, hash=hash_of(**state))

    lines = shown(page)
    if "sort" in state:
        lines = lines[: len(found)]
    assert lines == found
    for name in state.keys() & {"search", "system", "dataset"}:
        assert page.run(f"document.getElementById('filters').elements.{name}.value") == state[name]


def test_what_is_typed_and_chosen_is_kept_in_the_address(page, show, result):
    show(result)

    page.run("document.querySelector('[name=search]').focus()")
    for letter in "late":
        page.press(letter, f"Key{letter.upper()}", letter)
    page.wait("location.hash === '#search=late'")
    assert shown(page) == ["kompact 2"]
    page.run(
        "{ const show = document.querySelector('[name=show]'); show.value = 'below';"
        "show.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    assert page.run("location.hash") == "#search=late&show=below"
    assert count(page) == "0 of 9 pairs"


def test_a_heading_sorts_by_its_column_both_ways_and_not(page, show, result):
    show(result)
    press = "document.querySelector('#grid .heads .score button').click()"

    states = []
    for _ in range(3):
        page.run(press)
        direction = page.run("document.querySelector('#grid .heads .score').ariaSort")
        states.append((page.run("location.hash"), direction, shown(page)[0]))
    assert states == [
        ("#sort=score", "ascending", "identity 2"),
        ("#sort=-score", "descending", "kompact 0"),
        ("", "none", "kompact 0"),
    ]


def test_keys_move_through_the_table_and_open_an_example(page, show, result):
    show(result)
    page.run("document.getElementById('grid').focus()")

    for key in ("End", "ArrowUp", "Home", "ArrowDown", "ArrowDown"):
        page.press(key)
    assert page.run(f"{LINES}.findIndex((line) => line.ariaSelected === 'true')") == 2
    assert page.run("document.getElementById('grid').getAttribute('aria-activedescendant')") == "row-2"
    page.press("Enter", text="\r")
    assert page.run(OPEN)
    assert texts_of(page, "#example-name") == ["2"]
    page.press("Escape")
    assert not page.run(OPEN)
    assert page.run("location.hash") == ""
    assert page.run("document.activeElement.id") == "grid"


def test_a_link_opens_an_example_across_systems(page, show, result):
    show(result, hash=hash_of(of="needle", example=1))

    assert page.run(OPEN)
    assert texts_of(page, "#example h3") == ["kompact", "identity"]
    assert texts_of(page, "#example .given pre") == ["Which code?", "4711", CONTEXT]
    assert texts_of(page, "#example .flip") == ["fails now, before: 0.900", "passes now, before: no score"]
    assert texts_of(page, "#example .card:first-child dd") == ["0.200", "10 → 5", "0.300 s"]
    assert texts_of(page, "#example .diff del") == ["was replaced in March"]
    assert texts_of(page, "#example .diff ins") == ["broke"]
    assert "The context is unchanged." in texts_of(page, "#example .card .said")


def test_the_examples_of_the_rows_shown_follow_each_other(page, show, result):
    show(result, hash=hash_of(show="below", of="needle", example=1))

    names = []
    for way in ("next", "next", "next", "previous"):
        page.run(f"document.querySelector('#example .{way}').focus()")
        page.press("Enter", text="\r")
        names.append("/".join(texts_of(page, "#example header .name")[::-1]))
    assert names == ["needle/2", "mmlu/2", "mmlu/2", "needle/2"]
    assert page.run("document.activeElement.className") == "previous"
    page.run("document.querySelector('#example .close').click()")
    assert page.run("location.hash") == "#show=below"


def test_the_way_back_closes_an_example(page, show, result):
    show(result, hash="#show=below")
    page.run(f"{LINES}[0].click()")
    assert page.run(OPEN)
    page.run("history.back()")

    page.wait(f"!{OPEN}")
    assert page.run("location.hash") == "#show=below"


def test_an_example_that_is_not_there_is_said_to_be_missing(page, show, result):
    show(result, hash=hash_of(of="needle", example="no such"))

    assert texts_of(page, "#example .empty") == ["This report has no such example."]


def test_texts_that_were_not_kept_are_said_to_be_missing(page, show, result):
    show(result, hash=hash_of(of="mmlu", example=0))

    assert texts_of(page, "#example .given .said") == [
        "Texts were not kept: --context-bench-keep-texts keeps them."
    ]


SENTENCE = "Of all the boats, only the blue one came back before noon; nobody had seen it leave.\n"
CHANGES = {
    "cut in the middle": (SENTENCE * 30, SENTENCE * 5 + SENTENCE * 4),
    "every third word": (
        SENTENCE * 9,
        " ".join(word for n, word in enumerate((SENTENCE * 9).split()) if n % 3),
    ),
    "turned round": (SENTENCE * 3, " ".join(reversed((SENTENCE * 3).split()))),
    "nothing in common": ("a b c", "x y z"),
    "from nothing": ("", SENTENCE),
    "to nothing": (SENTENCE, ""),
    "Chinese": ("昨天港口的船都回来了。", "港口的船回来了。"),
    "spaces": ("a  b\n\nc", "a b\nc"),
    "odd": (ODD_TEXT, ODD_TEXT[::-1]),
    "long and unlike": ("".join(f"a{n} " for n in range(9000)), "".join(f"b{n} " for n in range(9000))),
    "long and of few words": ("a b " * 9000, "b a a " * 6000),
}


@pytest.mark.parametrize(("before", "after"), CHANGES.values(), ids=CHANGES)
def test_a_diff_holds_both_texts_whole(page, show, before, after):
    kept = {"context": before, "processed": after}

    show(result_of([row(1, metadata={"texts": kept})]), hash=hash_of(of="unknown", example=0))
    parts = page.run(
        "[...document.querySelector('#example .diff').children]"
        ".map((part) => [part.tagName, part.textContent])"
    )
    told = ["".join(text for tag, text in parts if tag != other) for other in ("INS", "DEL")]
    assert told == [visible(before), visible(after)]
    assert all(text for _, text in parts)


def visible(text):
    """Return a text of several lines as the page shows it: what cannot be seen is escaped."""
    return "\n".join(map(one_line, printable(text).replace("\r\n", "\n").split("\n")))


def test_a_diff_keeps_what_stayed(page, show):
    words = (SENTENCE * 3).split(" ")
    kept = {"context": " ".join(words), "processed": " ".join(words[:20] + words[25:])}

    show(result_of([row(1, metadata={"texts": kept})]), hash=hash_of(of="unknown", example=0))
    cut = "".join(texts_of(page, "#example .diff del"))
    assert len(cut) == len(" ".join(words[20:25])) + 1
    assert texts_of(page, "#example .diff ins") == []


def test_a_diff_of_a_long_text_keeps_what_stayed(page, show):
    words = [f"word{n} " for n in range(9000)]
    kept = {"context": "".join(words), "processed": "".join(word for n, word in enumerate(words) if n % 3)}

    show(result_of([row(1, metadata={"texts": kept})]), hash=hash_of(of="unknown", example=0))
    assert [cut.strip() for cut in texts_of(page, "#example .diff del")] == [
        f"word{n}" for n in range(0, 9000, 3)
    ]
    assert texts_of(page, "#example .diff ins") == []


def test_hostile_text_is_text(page, show):
    given = [each for text in HOSTILE for each in hostile_rows(text)[:2]]

    show(result_of(given))
    told = {}
    for text in HOSTILE:
        page.run(
            f"location.hash = {json.dumps(hash_of(of=printable(text) or 'unknown', example=printable(text)))}"
        )
        page.wait(OPEN)
        told[text] = [texts_of(page, selector)[0] for selector in ("#example-name", "#example .card pre")]
        page.press("Escape")
    assert told == {text: [one_line(printable(text)) or "(no name)", visible(text)] for text in HOSTILE}
    assert page.run("document.images.length + document.querySelectorAll('iframe, object').length") == 0
    assert page.run("document.querySelectorAll('script').length") == 2


def test_hostile_errors_are_text(page, show):
    show(result_of([row(error=text) for text in HOSTILE]), height=3000)

    assert texts_of(page, "#grid .lines .status") == [
        f"error: {one_line(printable(text).strip().split(chr(10))[0])}"
        for text in HOSTILE[: len(shown(page))]
    ]


def test_twenty_thousand_rows_open_in_seconds(page, show):
    given = [
        row(n % 7 / 7, system=f"s{n % 4}", example_id=n // 4, dataset=f"d{n % 8}", latency=n % 100 / 50)
        for n in range(20_000)
    ]
    text = to_html(result_of(given))

    assert show(text) < 3
    assert count(page) == "20,000 of 20,000 pairs"
    assert 10 < len(shown(page)) < 60
    started = time.monotonic()
    page.run("{ const grid = document.getElementById('grid'); grid.scrollTop = grid.scrollHeight; }")
    page.wait(f"{LINES}.at(-1).ariaRowIndex === '20001'")
    assert shown(page)[-1] == "s3 4999"
    page.run(f"location.hash = '{hash_of(search='s2', sort='-score')}'")
    page.wait("document.getElementById('count').textContent === '5,000 of 20,000 pairs'")
    assert time.monotonic() - started < 3


def test_without_script_the_figures_are_shown(page, show, result):
    show(result, script=False)

    told = page.call("DOM.getOuterHTML", nodeId=page.call("DOM.getDocument")["root"]["nodeId"])["outerHTML"]
    assert "The table of pairs needs JavaScript" in told
    assert told.count('class="chart"') == 7
    assert "FAIL" in told
    box = page.call("Page.getLayoutMetrics")["cssContentSize"]
    assert box["height"] > 1500


def test_a_printed_page_has_its_figures_in_dark_on_light(page, show, result):
    show(result, dark=True, width=800)
    page.call("Emulation.setEmulatedMedia", media="print")

    try:
        assert page.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.run("getComputedStyle(document.querySelector('.summary')).color") == "rgb(29, 31, 35)"
        assert page.run("document.getElementById('pairs').offsetHeight") == 0
        assert page.run("document.querySelectorAll('.chart')[0].clientHeight") > 100
    finally:
        page.call("Emulation.setEmulatedMedia", media="")
