import json

import pytest

from pytest_context_bench.systems.outline import closure, join, outline
from pytest_context_bench.systems.outline.prose import sentences

LARGEST = 100


def parts(text, largest=LARGEST):
    """The units of *text*, each with what it needs in front."""
    units = outline(text, largest)
    return [
        [text[units[each].start : units[each].end] for each in sorted(closure(units, position))]
        for position, unit in enumerate(units)
        if not unit.is_frame
    ]


def without(text, *dropped, largest=LARGEST):
    """*text* with the units dropped that contain one of the *dropped* texts."""
    units = outline(text, largest)
    kept = set()
    for position, unit in enumerate(units):
        if not unit.is_frame and not any(word in text[unit.start : unit.end] for word in dropped):
            kept |= closure(units, position)
    return join(text, units, kept)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One is. Two was! Three?", ["One is.", "Two was!", "Three?"]),
        ("Dr. No met J. K. Rowling in St. Louis, U.S. Then he left.", 1),
        ("He paid 3.5 dollars, i.e. nothing. e.g. this goes on", 1),
        (
            'She said "Stop." Then (he left.) And so on.',
            ['She said "Stop."', "Then (he left.)", "And so on."],
        ),
        ("Wait... What?! No way", ["Wait...", "What?!", "No way"]),
        (
            "北京是首都。上海在東方\uff01「広州は南。」終",
            ["北京是首都。", "上海在東方\uff01", "「広州は南。」", "終"],
        ),
        ("1. Install it. 2. Run it.", ["1. Install it.", "2. Run it."]),
        ("हाँ। नहीं।", ["हाँ।", "नहीं।"]),
        ("No end at all", ["No end at all"]),
        ("a. " * 5, 1),
        ("word " * 500, 3),
        ("x" * 2500, 3),
    ],
    ids=lambda value: f"{value[:30]!a}" if isinstance(value, str) else "",
)
def test_sentences(text, expected):
    text = text.strip()
    found = [text[start:end] for start, end in sentences(text, 0, len(text))]

    assert (len(found) if isinstance(expected, int) else found) == expected
    assert "".join("".join(found).split()) == "".join(text.split())


PROSE = """\
Passage 1:
Alu

Alû is a demon. He has no mouth.
Lilu
Lilu is a spirit of the night that is male, as the old texts tell us. It is not Alu.

# Places

Oslo is in the north. It snows.
- It has a port.
- It has a castle. It is old.
## Rome
Rome is in the south.
"""


def test_sentences_stand_under_their_title_and_heading():
    assert parts(PROSE) == [
        ["Passage 1:"],
        ["Alu"],
        ["Alû is a demon."],
        ["He has no mouth."],
        ["Lilu"],
        ["Lilu is a spirit of the night that is male, as the old texts tell us."],
        ["It is not Alu."],
        ["# Places", "Oslo is in the north."],
        ["# Places", "It snows."],
        ["# Places", "- It has a port."],
        ["# Places", "- It has a castle."],
        ["# Places", "It is old."],
        ["## Rome", "Rome is in the south."],
    ]


@pytest.mark.parametrize(
    ("head", "titles"),
    [
        ("Lilu\n", "Lilu"),
        ("Passage 2:\nLilu\n", "Passage 2:\nLilu"),
        ("Star Wars: A New Hope\n", "Star Wars: A New Hope"),
        ("- Lilu\n", None),
        ("Yes.\n", None),
        ("Ann: yes\nBob: no\n", None),
    ],
)
def test_a_title_is_short_lines_before_a_long_one(head, titles):
    text = head + "Lilu is a spirit of the night that is male, as the old texts tell us. He is a demon."

    assert parts(text)[-1] == [*([titles] if titles else []), "He is a demon."]


def test_wrapped_lines_run_on():
    text = "This is a line that\ngoes on here. And this\none too, as far as\nhere. End."

    assert [part[-1] for part in parts(text)] == [
        "This is a line that\ngoes on here.",
        "And this\none too, as far as\nhere.",
        "End.",
    ]


TABLE = "| id | city |\n|---|:--:|\n| 1 | Rome |\n| 2 | Oslo |\n| 3 | Bern |"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLE, "| id | city |\n|---|:--:|\n| 2 | Oslo |\n| 3 | Bern |"),
        (
            f"# All\n\nA list. Of cities.\n{TABLE}\n\nThe end.",
            "# All\n\nOf cities.\n| id | city |\n|---|:--:|\n| 2 | Oslo |\n| 3 | Bern |",
        ),
        ("id,name,city\n1,A list,Rome\n2,b,Oslo\n", "id,name,city\n2,b,Oslo"),
        ("id\tcity\n1\tRome\n2\tOslo\n", "id\tcity\n2\tOslo"),
        (
            "id | n | city\n---|---|---\n1 | 2 | Rome\n2 | 3 | Oslo",
            "id | n | city\n---|---|---\n2 | 3 | Oslo",
        ),
    ],
    ids=["markdown", "within prose", "commas", "tabs", "bare markdown"],
)
def test_rows_stand_under_their_header(text, expected):
    assert without(text, "Rome", "A list", "The end") == expected


LOG = """\
2024-01-01 10:00:00 INFO start
2024-01-01 10:00:02 ERROR payment failed
Traceback (most recent call last):
  File "pay.py", line 3, in charge
Declined: card declined
2024-01-01 10:00:03 INFO retry"""


@pytest.mark.parametrize(
    "text",
    [
        LOG,
        "Jan  3 10:00:00 host start\nJan  3 10:00:01 host payment\nJan  3 10:00:02 host retry",
        "[10:00:00] start\n[10:00:01] payment\n[10:00:02] retry",
        "INFO: start\nERROR: payment\nWARNING: retry",
        "10.0.0.1 - - GET start\n10.0.0.2 - - GET payment\n10.0.0.3 - - GET retry",
        '{"m": "start"}\n{"m": "payment"}\n{"m": "retry"}',
    ],
    ids=["trace", "syslog", "clock", "levels", "access", "json lines"],
)
def test_log_records_and_their_traces_stay_whole(text):
    units = parts(text)

    assert [len(unit) for unit in units] == [1, 1, 1]
    assert "\n".join(unit[0] for unit in units) == text
    assert "payment" in units[1][0]


CODE = '''\
import os
import sys

class Cache:
    """A cache of things, to be used here."""

    def __init__(self, path):
        self.path = path

    @property
    def size(self):
        return len(self.data)

    def put(self, key,
            value):
        self.data[key] = value
        if self.size > 10:
            self.evict()
        else:
            self.count += 1

def main():
    return Cache(sys.argv[1])
'''


def test_blocks_of_code_stand_whole_under_what_opens_them():
    units = [unit for unit in parts(CODE) if "size" in unit[-1]]

    assert units[0] == ["class Cache:", "    @property\n    def size(self):\n        return len(self.data)"]
    assert units[1][:2] == ["class Cache:", "    def put(self, key,\n            value):"]


def test_small_blocks_of_code_stay_whole():
    assert [unit[0].split("(")[0] for unit in parts(CODE, largest=1000)] == [
        "import os\nimport sys",
        'class Cache:\n    """A cache of things, to be used here."""\n\n    def __init__',
        "def main",
    ]


BRACES = """\
class Store {
  constructor(path) {
    this.path = path;
  }

  flush(data) {
    for (const each of data) {
      save(this.path, each);
      count(this.path, each);
      report(this.path, each);
    }
    return this;
  }
}
"""


def test_brackets_that_close_go_with_those_that_open():
    result = without(BRACES, "constructor", "return", largest=60)

    assert result == BRACES.replace("  constructor(path) {\n    this.path = path;\n  }\n\n", "").replace(
        "    return this;\n", ""
    ).replace("class Store {\n", "class Store {\n\n").rstrip("\n")


def test_fenced_code_keeps_its_fences_and_blank_lines():
    text = "# A\n\nSee this:\n\n```python\nimport a\n\na.run()\n```\n\nThe end."

    assert without(text, "See", "import", "end") == "# A\n\n```python\n\na.run()\n```"


RECORDS = [{"id": number, "city": city, "deep": {"x": [1, 2]}} for number, city in enumerate("abcdefgh")]


@pytest.mark.parametrize("indent", [None, 2], ids=["compact", "indented"])
@pytest.mark.parametrize(
    ("value", "find"),
    [
        (RECORDS, lambda value: value),
        ({"total": 8, "results": RECORDS, "next": None}, lambda value: value["results"]),
        ([[{"results": RECORDS}]], lambda value: value[0][0]["results"]),
    ],
    ids=["array", "object", "nested"],
)
def test_json_is_cut_at_whole_records(value, find, indent):
    text = json.dumps(value, indent=indent)
    result = json.loads(without(text, '"b"', '"c"', '"h"', largest=300))

    assert find(result) == [record for record in RECORDS if record["city"] not in "bch"]
    assert find(json.loads(without(text, '"a"', largest=300))) == RECORDS[1:]


def test_all_json_kept_is_all_json():
    text = json.dumps({"a": RECORDS, "b": ["x. y " * 50, '\\ " \n. ' * 50]}, indent=1)

    assert without(text) == text


def test_long_texts_in_json_are_cut_at_sentences():
    text = json.dumps(
        {"title": "T", "body": 'He said "no". ' * 10 + "A path is C:\\x. " + "Then\nall. " * 10}
    )
    result = json.loads(without(text, "path"))

    assert result == {"title": "T", "body": 'He said "no". ' * 10 + ("Then\nall. " * 10).rstrip() + " "}


@pytest.mark.parametrize(
    "text", ["[1, 2", "{'a': 1}", "[1] 2", "[" * 100_000, "{}", "[]"], ids=lambda t: t[:9]
)
def test_what_only_looks_like_json_is_other_text(text):
    assert without(text) == text


@pytest.mark.parametrize(
    "text", [PROSE, TABLE, LOG, CODE, BRACES], ids=["prose", "table", "log", "code", "braces"]
)
def test_all_kept_is_all_there_was(text):
    units = outline(text, LARGEST)

    assert join(text, units, range(len(units))) == text.rstrip("\n")
