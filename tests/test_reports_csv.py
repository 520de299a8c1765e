import csv
import io
import json
import math
import re

import pandas as pd
import pytest
from engine_rows import row, rows
from test_plugin_robustness import ODD_IDS, ODD_TEXT

from pytest_context_bench.plain import printable
from pytest_context_bench.reports.files import write_reports
from pytest_context_bench.reports.rows_csv import to_csv
from pytest_context_bench.results import EvalResult

FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@sum(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "=cmd|' /C calc'!A0",
    "'=1",
    "''=1",
    "\uff1d1",
]
PLAIN = ["1-2", "a=b", "", " ", "'", "'quoted'", "a@b", '"', '""', "a;b", ",", "true", "18", "NaN"]


def csv_of(*given):
    return to_csv(EvalResult(list(given), {}))


def read(text):
    """Return the records as a strict reader reads them."""
    header, *records = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert {len(record) for record in records} <= {len(header)}
    return [dict(zip(header, record, strict=True)) for record in records]


def meant(text):
    """Return the text that a cell stands for."""
    return text[1:] if re.match(r"'+[=+\-@\t\r\n\uff1d]", text) else text


def test_a_row_is_a_record_of_its_fields_scores_and_metadata():
    given = [
        row(0.5, example_id="x", metadata={"model": "m", "tries": 2, "kept": True}),
        row(error="down"),
    ]

    assert csv_of(*given) == (
        '"system","example_id","input_tokens","output_tokens","latency","dataset","error","repeat",'
        '"fingerprint","score","model","tries","kept"\r\n'
        '"a","x",10,5,0.0,"",,0,"",0.5,"m",2,true\r\n'
        '"a",0,10,5,0.0,"","down",0,"",,,,\r\n'
    )


def test_the_columns_are_those_of_a_dataframe():
    given = [
        row(scores={"latency": 0.5, "f1": 0.7}, metadata={"error": "m"}),
        row(scores={}, metadata={"f1": "no", "scores.latency": 1}),
    ]

    frame = EvalResult(given, {}).to_dataframe()
    assert list(read(csv_of(*given))[0]) == list(frame.columns)
    again = pd.read_csv(io.StringIO(csv_of(*given)))
    assert again["f1"].tolist()[0] == frame["f1"].tolist()[0]
    assert list(again.columns) == list(frame.columns)


def test_no_rows_are_a_header():
    assert csv_of() == (
        '"system","example_id","input_tokens","output_tokens","latency","dataset","error","repeat",'
        '"fingerprint"\r\n'
    )


def test_what_is_missing_what_is_empty_and_what_is_a_number_are_told_apart():
    text = csv_of(
        row(example_id="18", error=""), row(example_id=18), row(example_id="", metadata={"a": None})
    )

    lines = text.split("\r\n")
    assert [line.split(",")[1] for line in lines[1:4]] == ['"18"', "18", '""']
    assert [line.split(",")[6] for line in lines[1:3]] == ['""', ""]
    assert lines[3].endswith(",")


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_is_a_formula_to_a_spreadsheet(text):
    given = row(
        0,
        system=text,
        example_id=text,
        dataset=text,
        error=text,
        scores={text: 1.0},
        metadata={text + "m": text},
    )

    (record,) = read(csv_of(given))
    texts = [cell for pair in record.items() for cell in pair if text in cell]
    assert len(texts) == 7
    assert all(cell.startswith("'") for cell in texts)
    assert {meant(cell) for cell in texts} == {text, text + "m"}


@pytest.mark.parametrize("text", PLAIN)
def test_other_text_stays_as_it_is(text):
    (record,) = read(csv_of(row(example_id=text, error=text)))

    assert (record["example_id"], record["error"]) == (text, text)


def test_numbers_are_no_text_and_stay_numbers():
    (record,) = read(csv_of(row(-0.5, example_id=-7, latency=1e-9)))

    assert (record["score"], record["example_id"], float(record["latency"])) == ("-0.5", "-7", 1e-9)


@pytest.mark.parametrize("text", [*map(str, ODD_IDS), ODD_TEXT], ids=lambda text: repr(text)[:20])
def test_hostile_text_stays_in_its_cell(text):
    given = row(0, example_id=text, system=f"s{text}", error=text, metadata={f"m{text}": [text]})

    (record,) = read(csv_of(given))
    clean = printable(text).replace("\0", "\\x00")
    assert meant(record["example_id"]) == meant(record["error"]) == clean
    assert record["system"] == f"s{clean}"
    assert json.loads(record[f"m{clean}"]) == [printable(text)]
    assert "\0" not in csv_of(given)


def test_numbers_that_are_not_finite_have_the_names_that_json_notes():
    given = row(math.nan, latency=math.inf, metadata={"low": -math.inf, "nested": [{"a": math.nan}]})

    (record,) = read(csv_of(given))
    assert [record[name] for name in ("score", "latency", "low")] == ["NaN", "Infinity", "-Infinity"]
    assert json.loads(record["nested"]) == [{"a": "NaN"}]
    frame = pd.read_csv(io.StringIO(csv_of(given)))
    assert (frame["latency"][0], frame["low"][0]) == (math.inf, -math.inf)
    assert math.isnan(frame["score"][0])


def test_no_secret_is_in_a_cell():
    secret = "http://me:hunter22@host"

    text = csv_of(
        row(0, system=secret, error=secret, scores={secret: 1}, metadata={"url": secret, "k": [secret]})
    )
    assert "hunter22" not in text
    assert text.count("http://***@host") == 5


def test_a_file_is_utf_8_without_a_mark_and_its_lines_end_as_they_should(tmp_path):
    result = EvalResult(rows(1, "日本\nzwei \ud83d"), {})

    assert write_reports([("csv", str(tmp_path / "out.csv"))], result) == []
    content = (tmp_path / "out.csv").read_bytes()
    assert content.startswith(b'"system",')
    assert content.count(b"\r\n") == 3
    assert "日本\nzwei \\ud83d" in content.decode()
