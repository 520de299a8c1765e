import json
import math
import pathlib
import sys
import time
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
import pytest
from engine_rows import row, rows
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.errors import BadRecordError, MissingExtraError, NotJsonError, UnknownNameError
from pytest_context_bench.gates import Gate, judge
from pytest_context_bench.judgement import Asked, judge_all
from pytest_context_bench.metrics import Counts, MeanScore, PassRate, default_metrics, summarize
from pytest_context_bench.pairing import Baseline
from pytest_context_bench.population import Population
from pytest_context_bench.reports.table import table_of
from pytest_context_bench.reports.terminal import legend
from pytest_context_bench.results import EvalResult, EvalRow
from pytest_context_bench.rows import ROW_FIELDS

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=40)
NAN, INF = math.nan, math.inf


@dataclass(frozen=True)
class Longest:
    """A user's metric."""

    name: str = "longest"

    def compute(self, rows):
        return {"longest": max(each.output_tokens for each in rows)}


def result_of(given, metrics=None, **values):
    folding = default_metrics() if metrics is None else metrics
    summary, notes = summarize(given, folding)
    return EvalResult(list(given), summary, notes=notes, metrics=folding, **values)


def strict(text):
    return json.loads(text, parse_constant=pytest.fail)


@pytest.fixture
def result():
    """A result with everything in it that a result can hold."""
    given = [
        *rows(1, 0, "down", dataset="x", latency=0.25),
        row(NAN, system="b/~1", example_id="日本", metadata={"a/b": [INF, {"~": -INF}], "n": None}),
        row(None, system="b/~1", example_id="", metadata={"": {}}, error="ValueError: bad\nin two lines"),
    ]
    verdict = judge(Gate.parse("mean_score>=0.5"), Population(given, default_metrics()))
    return result_of(given, timing={"a": 1.5}, config={"seed": None, "gates": ["x"]}, verdicts=[verdict])


def test_a_result_survives_json(result):
    read = EvalResult.from_json(result.to_json())

    assert repr(replace(read, metrics=None)) == repr(replace(result, metrics=None))
    assert read.metrics == default_metrics()
    assert EvalResult.from_json(read.to_json(indent=None)).to_json() == result.to_json()


def test_json_is_strict_and_lists_what_it_lost(result):
    written = strict(result.to_json())

    assert written["rows"][3]["scores"] == {"score": None}
    assert written["summary"]["b/~1"]["cost_of_pass"] is None
    assert written["non_finite"] == {
        "/rows/3/scores/score": "NaN",
        "/rows/3/metadata/a~1b/0": "Infinity",
        "/rows/3/metadata/a~1b/1/~0": "-Infinity",
        "/summary/b~1~01/mean_score": "NaN",
        "/summary/b~1~01/cost_of_pass": "Infinity",
        "/datasets/unknown/summary/b~1~01/mean_score": "NaN",
        "/datasets/unknown/summary/b~1~01/cost_of_pass": "Infinity",
        "/verdicts/0/findings/1/value": "NaN",
    }


def test_json_has_the_figures_of_each_data_set():
    given = [*rows(1, 0, system="b", dataset="x"), *rows(1, "down", dataset="y"), *rows(0.5)]

    written = strict(result_of(given).to_json())
    assert list(written["datasets"]) == ["x", "y", "unknown"]
    assert {name: list(part["summary"]) for name, part in written["datasets"].items()} == {
        "x": ["b"],
        "y": ["a"],
        "unknown": ["a"],
    }
    of_errors = written["datasets"]["y"]["summary"]["a"]
    assert (of_errors["n"], of_errors["errors"], of_errors["mean_score"]) == (2, 1, 0.5)
    assert written["datasets"]["x"]["intervals"]["b"]["pass_rate"] == list(bounds("x", "b", given))
    assert "mean_score" not in written["datasets"]["unknown"]["intervals"]["a"]


def bounds(dataset, system, given):
    found = Population(given, default_metrics()).interval("pass_rate", system, dataset)
    return found.low, found.high


VALUES = st.floats() | st.integers(-(2**60), 2**60)
NAMES = st.text(st.characters(), max_size=4)
METADATA = st.recursive(
    st.none() | st.booleans() | VALUES | NAMES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=5,
)
ROWS = st.builds(
    EvalRow,
    system=NAMES,
    example_id=NAMES | st.integers(),
    scores=st.dictionaries(NAMES, st.floats(), max_size=2),
    input_tokens=st.integers(0, 99),
    output_tokens=st.integers(0, 99),
    metadata=st.dictionaries(NAMES, METADATA, max_size=2),
    latency=st.floats(),
    dataset=NAMES,
    error=st.none() | NAMES,
)


@SEEDED
@given(st.lists(ROWS, max_size=3))
def test_every_plain_result_survives_json(given):
    result = result_of(given)

    text = result.to_json(indent=None)
    strict(text)
    read = EvalResult.from_json(text)
    plain = result.to_dict()
    assert repr([each.to_dict() for each in read.rows]) == repr(plain["rows"])
    assert repr(read.summary) == repr(plain["summary"])
    assert read.to_json(indent=None) == text


def test_what_users_left_in_rows_is_converted():
    given = row(
        np.float32(0.5),
        example_id=np.int64(7),
        input_tokens=np.int64(3),
        latency=Decimal("0.5"),
        metadata={"path": pathlib.PurePosixPath("x"), 1: {"set"}},
        error=np.str_("bad \ud83d"),
    )

    assert given.to_dict() == {
        "system": "a",
        "example_id": 7,
        "scores": {"score": 0.5},
        "input_tokens": 3,
        "output_tokens": 5,
        "metadata": {"path": "x", "1": ["set"]},
        "latency": 0.5,
        "dataset": "",
        "error": "bad \\ud83d",
        "repeat": 0,
        "fingerprint": "",
    }
    assert EvalRow.from_dict(json.loads(json.dumps(given.to_dict()))).to_dict() == given.to_dict()


def test_what_json_cannot_carry_is_named_with_its_row():
    with pytest.raises(NotJsonError, match=r"^result\['rows'\]\[1\]\.metadata\['client'\] is a object"):
        result_of([row(1), row(1, metadata={"client": object()})]).to_json()


def test_no_secret_leaves_with_a_result(monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "open sesame")
    secret = "http://me:hunter2@host: open sesame, Bearer abcdefgh"
    given = [
        row(1, system=secret, example_id=secret, dataset=secret, error=secret, metadata={secret: secret}),
        row(1, system="b", metadata={"headers": {"Authorization": "hunter2"}}),
    ]

    result = result_of(given, config={"proxy": secret}, timing={secret: 1.0})
    verdict = judge(Gate("mean_score", ">=", 1, system=secret), Population(given, default_metrics()))
    text = replace(result, notes=[secret], verdicts=[verdict]).to_json()
    assert not [word for word in ("hunter2", "sesame", "abcdefgh") if word in text]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "null",
        "[]",
        "5",
        "{}",
        '{"rows": 5, "summary": {}}',
        '{"rows": [5], "summary": {}}',
        '{"rows": [{}], "summary": {}}',
        '{"rows": ["system"], "summary": {}}',
        '{"rows": []}',
        '{"rows": [], "summary": {}, "non_finite": {"/rows/3": "NaN"}}',
        '{"rows": [], "summary": {}, "non_finite": {"/summary/a/b": "NaN"}}',
        '{"rows": [], "summary": {}, "non_finite": {"/summary": "seven"}}',
        '{"rows": [], "summary": {}, "non_finite": {"": "NaN"}}',
        '{"rows": [], "summary": {}, "non_finite": null}',
        '{"rows": [], "summary": {}, "metrics": null}',
        '{"rows": [], "summary": {}, "metrics": [{"kind": []}]}',
        '{"rows": [], "summary": {}, "verdicts": [{}]}',
        "[" * 100_000,
    ],
    ids=lambda text: text[:60],
)
def test_what_is_no_saved_result_is_refused_in_one_line(text):
    with pytest.raises(BadRecordError, match=r"^result: not a saved result \(") as raised:
        EvalResult.from_json(text)
    assert "\n" not in str(raised.value)


def test_rows_of_a_newer_version_are_read(result):
    written = json.loads(result.to_json())
    written["rows"][0]["of_a_newer_version"] = 1
    written["of_a_newer_version"] = 1

    assert EvalResult.from_json(json.dumps(written)).rows[0] == result.rows[0]


def both(scores_a=(1, 0), scores_b=(0, 0.6)):
    return [*rows(*scores_a, dataset="x"), *rows(*scores_b, system="b", dataset="y")]


def test_a_filtered_result_is_folded_anew():
    whole = result_of(both(), timing={"a": 1.0, "b": 2.0}, verdicts=["about all rows"])

    kept = whole.filter(system="a")
    assert kept.rows == whole.rows[:2]
    assert kept.summary == summarize(whole.rows[:2], default_metrics())[0]
    assert "pareto_rank" in whole.summary["a"]
    assert "pareto_rank" not in kept.summary["a"]
    assert (kept.timing, kept.verdicts) == ({"a": 1.0}, [])
    assert whole.filter(dataset="y", example_id=1).summary["b"]["mean_score"] == 0.6
    assert whole.filter(error=None).rows == whole.rows
    assert whole.filter().summary == whole.summary


def test_filtering_everything_out_leaves_no_figures():
    kept = result_of(both()).filter(system="nobody")

    assert (kept.rows, kept.summary, kept.timing) == ([], {}, {})


def test_filtering_by_what_rows_lack_is_refused():
    with pytest.raises(UnknownNameError, match="unknown row field 'sytem': did you mean 'system'"):
        result_of(both()).filter(sytem="a")


def test_a_filtered_result_keeps_the_settings_of_its_metrics():
    metrics = [PassRate(0.5, "f1"), MeanScore("f1"), Counts(), Longest()]
    given = [row(1, scores={"f1": score, "score": 1.0}, example_id=score) for score in (0.4, 0.6)]

    kept = result_of(given, metrics).filter(example_id=0.6)
    assert kept.summary["a"] == {
        "pass_rate": 1.0,
        "mean_score": 0.6,
        "n": 1.0,
        "errors": 0.0,
        "error_rate": 0.0,
        "longest": 5.0,
    }
    assert kept.filter(system="a").summary == kept.summary


def test_a_result_that_was_read_back_is_folded_with_the_same_settings():
    metrics = [PassRate(0.5, "f1"), Longest()]
    given = [row(scores={"f1": score}, example_id=score) for score in (0.4, 0.6)]

    read = EvalResult.from_json(result_of(given, metrics).to_json())
    assert read.summary["a"] == {"pass_rate": 0.5, "longest": 5.0}
    kept = read.filter(system="a")
    assert kept.summary["a"] == {"pass_rate": 0.5}
    assert len(kept.notes) == 1
    assert "metric 'longest' failed on system 'a'" in kept.notes[0]

    read.metrics = metrics
    assert read.filter(system="a").summary == read.summary


def test_a_result_without_metrics_is_folded_by_the_score_and_threshold_of_its_settings():
    given = [row(scores={"f1": 0.5})]

    kept = EvalResult(given, {}, config={"score_field": "f1", "threshold": 0.5}).filter(system="a")
    assert (kept.summary["a"]["pass_rate"], kept.summary["a"]["mean_score"]) == (1.0, 0.5)


def test_a_dataframe_has_a_line_a_row():
    frame = result_of([row(1, metadata={"model": "m"}), row(None, error="down", dataset="x")]).to_dataframe()

    assert list(frame.columns) == [
        "system",
        "example_id",
        "input_tokens",
        "output_tokens",
        "latency",
        "dataset",
        "error",
        "repeat",
        "fingerprint",
        "score",
        "model",
    ]
    assert frame["score"].isna().tolist() == [False, True]
    assert frame["error"].tolist()[1] == "down"


def test_no_column_of_a_dataframe_hides_another():
    given = [
        row(scores={"latency": 0.5, "scores.latency": 0.6, "f1": 0.7}, metadata={"error": "m"}),
        row(
            scores={},
            metadata={"f1": "not a score", "latency": "m", "scores.latency": "m2", "metadata.f1": 3},
        ),
    ]

    frame = result_of(given).to_dataframe()
    assert frame["f1"].tolist()[0] == 0.7
    assert frame["f1"].isna().tolist() == [False, True]
    assert frame["latency"].tolist() == [0.0, 0.0]
    assert frame["scores.latency"].tolist()[0] == 0.5
    assert frame["metadata.f1"].tolist()[1] == "not a score"
    assert frame["metadata.latency"].tolist()[1] == "m"
    assert frame["metadata.error"].tolist()[0] == "m"
    values = [value for line in frame.values.tolist() for value in line if value == value]  # noqa: PLR0124 - not NaN
    assert {0.5, 0.6, 0.7, "not a score", "m2", 3} <= set(values)
    assert frame.columns.is_unique


def test_a_dataframe_of_no_rows_has_its_columns():
    frame = result_of([]).to_dataframe()

    assert len(frame) == 0
    assert frame["system"].tolist() == []


def test_a_dataframe_without_pandas_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(MissingExtraError, match=r"pip install 'pytest-context-bench\[pandas\]'"):
        result_of([]).to_dataframe()


def test_ten_thousand_rows_are_written_and_read_in_seconds():
    given = [row(n % 7 / 7, example_id=n, metadata={"model": "gpt-4o-mini", "n": n}) for n in range(10_000)]

    start = time.process_time()
    text = result_of(given).to_json()
    assert EvalResult.from_json(text).rows == given
    assert time.process_time() - start < 5


@pytest.mark.parametrize("value", [None, [], ["x"], {}, {"a": {}}, "x", 5, -1.5, True])
@pytest.mark.parametrize(
    "path",
    [
        ("rows",), ("summary",), ("config",), ("notes",), ("config", "threshold"),
        *(("rows", 0, name) for name in (*ROW_FIELDS, "unheard of")),
        ("rows", 0, "scores", "score"), ("rows", 0),
    ],
    ids=str,
)  # fmt: skip
def test_a_damaged_result_is_one_that_can_be_judged_or_none(path, value):
    content = json.loads(EvalResult([row(0.5)], {"a": {"n": 1.0}}, {}, {"threshold": 0.7}).to_json())
    *above, last = path
    part = content
    for key in above:
        part = part[key]
    part[last] = value
    try:
        result = EvalResult.from_json(json.dumps(content))
    except BadRecordError:
        return

    population = result.population()
    asked = [Asked(Gate.parse("mean_score>=baseline"), population)]
    judge_all(asked, Baseline(result.rows, result.config, {}))
    assert table_of(population).columns is not None
    assert legend(result) is not None
