import json
import math
import re
from dataclasses import asdict, dataclass

import pytest
from engine_rows import row, rows
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.bounds import exact
from pytest_context_bench.errors import ContextBenchError, InvalidValueError, UnknownNameError
from pytest_context_bench.gates import OPERATORS, Gate, Verdict, judge, shown
from pytest_context_bench.metrics import MeanScore, default_metrics
from pytest_context_bench.population import Population
from pytest_context_bench.reports.table import table_of
from pytest_context_bench.reports.terminal import verdict_line

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=200)
NAN, INF = math.nan, math.inf
BOUNDS = st.floats(-1e6, 1e6) | st.floats(0, 1) | st.sampled_from([0.7, 1 / 3, 2 / 3, 0.1 + 0.2, 0.0, 1.0])
OPS = st.sampled_from(sorted(OPERATORS))


def population(*of_rows, metrics=None):
    return Population([each for group in of_rows for each in group], metrics or default_metrics())


def judged(text, *of_rows, **options):
    return judge(Gate.parse(text), population(*of_rows), **options)


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("pass_rate>=0.85", Gate("pass_rate", ">=", 0.85)),
        (" latency_p95  <=  2 ", Gate("latency_p95", "<=", 2)),
        ("errors==0", Gate("errors", "==", 0)),
        ("cost_of_pass<1e3", Gate("cost_of_pass", "<", 1000)),
        ("compression_ratio>-.5", Gate("compression_ratio", ">", -0.5)),
        ("pass_rate>=85%", Gate("pass_rate", ">=", 0.85)),
        ("mean_score>=33.3%", Gate("mean_score", ">=", 0.333)),
        ("mean_score>=0.7%", Gate("mean_score", ">=", 0.007)),
        ("dataset:mmlu:anatomy>=0.5", Gate("dataset:mmlu:anatomy", ">=", 0.5)),
        ("n>=1@system=a", Gate("n", ">=", 1, "a")),
        (
            "n>=1 @ dataset = mmlu:anatomy , system = gpt 4o: mini",
            Gate("n", ">=", 1, "gpt 4o: mini", "mmlu:anatomy"),
        ),
        ("n>=1 @ system=a,b, c,dataset=d,e", Gate("n", ">=", 1, "a,b, c", "d,e")),
        ("n>=1 @ system=http://***@host:80/v1?x=1", Gate("n", ">=", 1, "http://***@host:80/v1?x=1")),
        ("n>=1 @ system=日本>=1 @ <x>", Gate("n", ">=", 1, "日本>=1 @ <x>")),
        ("n>=1 @ system=two\nlines", Gate("n", ">=", 1, "two\nlines")),
    ],
)
def test_expressions_that_are_gates(text, gate):
    assert Gate.parse(text) == gate
    assert Gate.parse(str(gate)) == gate


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a gate such as"),
        ("pass_rate", "'pass_rate' is not a gate such as"),
        ("pass_rate=0.5", "is not a gate such as"),
        ("pass_rate=>0.5", "is not a gate such as"),
        ("pass_rate!=0.5", "is not a gate such as|not a finite number"),
        (">=0.5", "is not a gate such as"),
        ("pass_rate>=", "is not a gate such as"),
        ("0.1<=pass_rate<=0.5", "is not a gate such as"),
        ("pass_rate>=0.5 system=a", "is not a gate such as"),
        (0.5, "0.5 is not a gate such as"),
        (None, "None is not a gate such as"),
        ("mean_score>=nan", "bound: 'nan' is not a finite number"),
        ("mean_score>=inf", "bound: 'inf' is not a finite number"),
        ("mean_score>=1e400", "bound: '1e400' is not a finite number"),
        ("mean_score>=1e999999999999", "bound: '1e999999999999' is not a finite number"),
        ("mean_score>=sNaN", "bound: 'sNaN' is not a finite number"),
        ("mean_score>=%", "bound: '%' is not a finite number"),
        ("mean_score>=half", "bound: 'half' is not a finite number"),
        ("pass_rate>=90", "bound: 90.0 is not between 0 and 1"),
        ("pass_rate>=-1", "bound: -1.0 is not between 0 and 1"),
        ("error_rate<=101%", "bound: 1.01 is not between 0 and 1"),
        ("n>=1 @ sytem=a", "'sytem': did you mean 'system'"),
        ("n>=1 @ system=a,datset=b", "'datset': did you mean 'dataset'"),
        ("n>=1 @ a", "'a': expected one of dataset, system"),
        ("n>=1 @", "expected one of dataset, system"),
        ("n>=1 @ system=", "system: '' is not the name of a system"),
        ("n>=1 @ dataset= ,system=a", "dataset: '' is not the name of a dataset"),
        ("n>=1 @ system=a,system=b", "at most once"),
    ],
    ids=repr,
)
def test_expressions_that_are_none(text, message):
    with pytest.raises((InvalidValueError, UnknownNameError), match=message):
        Gate.parse(text)


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("baseline", [0.8, -0.2, INF]),
        ("baseline-0.02", [0.78, -0.22, INF]),
        ("baseline + 1e-2", [0.81, -0.19, INF]),
        ("baseline-1e+22", [-1e22, -1e22, INF]),
        ("baseline+10%", [0.88, -0.18, INF]),
        ("baseline-10%", [0.72, -0.22, INF]),
        ("baseline*1.2", [0.96, -0.24, INF]),
        ("baseline*50%", [0.4, -0.1, INF]),
    ],
)
def test_a_baseline_sets_a_bound(text, bounds):
    gate = Gate.parse(f"mean_score>={text}")

    assert [gate.relative.bound(figure) for figure in (0.8, -0.2, INF)] == pytest.approx(bounds)
    assert str(Gate.parse(str(gate))) == str(gate)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mean_score>=baseline-", "'baseline-' is not 'baseline'"),
        ("mean_score>=baseline+-1", "is not 'baseline'"),
        ("mean_score>=baseline-1e400", "is not 'baseline'"),
        ("mean_score>=baseline*1.2.3", "is not 'baseline'"),
        ("mean_score>=baseline/2", "is not 'baseline'"),
        ("mean_score>=2*baseline", "one that a baseline sets, as 'baseline-0.02'"),
        ("mean_score>=baselin-0.1", "one that a baseline sets, as 'baseline-0.02'"),
        ("pass_rate>=baseline-90", "distance from the baseline: 90.0 is not at most 1, as pass_rate is"),
        ("error_rate<=baseline+5", "distance from the baseline: 5.0 is not at most 1, as error_rate is"),
    ],
)
def test_what_is_no_bound_that_a_baseline_sets(text, message):
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        Gate.parse(text)


@SEEDED
@given(st.text(max_size=20))
def test_no_text_makes_reading_a_gate_crash(text):
    for expression in (text, f"n>={text}", f"n>=baseline{text}", f"n>=1 @ {text}", f"n>=1 @ system={text}"):
        try:
            gate = Gate.parse(expression)
        except ContextBenchError:
            continue
        assert Gate.parse(str(gate)) == gate


@SEEDED
@given(BOUNDS, OPS)
def test_a_gate_reads_back_with_the_very_same_bound(bound, op):
    assert Gate.parse(str(Gate("mean_score", op, bound))).bound == bound
    assert float(exact(bound)) == bound


@pytest.mark.parametrize(
    ("bound", "words"), [(0.7, "0.7"), (2.0, "2"), (1 / 3, repr(1 / 3)), (-0.5, "-0.5"), (1e22, "1e+22")]
)
def test_bounds_are_worded_shortly(bound, words):
    assert exact(bound) == words


@pytest.mark.parametrize(
    ("op", "below", "at", "above"),
    [
        (">=", False, True, True),
        ("<=", True, True, False),
        ("==", False, True, False),
        (">", False, False, True),
        ("<", True, False, False),
    ],
)
@pytest.mark.parametrize("bound", [0.7, 1 / 3, 0.0, 1.0, 19.05])
def test_a_gate_at_its_boundary(op, below, at, above, bound):
    gate = Gate("mean_score", op, bound)

    values = math.nextafter(bound, -INF), bound, math.nextafter(bound, INF)
    assert tuple(map(gate.holds, values)) == (below, at, above)


@pytest.mark.parametrize("op", OPERATORS)
def test_nan_holds_no_gate(op):
    assert not Gate("mean_score", op, 0.0).holds(NAN)


@pytest.mark.parametrize("value", [0.1, 0.3, 0.7, 1 / 3, 2 / 3, 0.85])
@pytest.mark.parametrize("count", [1, 3, 7, 10, 100])
def test_rows_at_the_bound_meet_it(value, count):
    assert judged(str(Gate("mean_score", ">=", value)), rows(*[value] * count)).status == "PASS"
    assert judged(str(Gate("mean_score", "<=", value)), rows(*[value] * count)).status == "PASS"


@pytest.mark.parametrize(("below", "status"), [(0, "PASS"), (1, "PASS"), (2, "FAIL")])
def test_ten_examples_and_a_pass_rate_of_90_per_cent(below, status):
    assert judged("pass_rate>=0.9", rows(*[1.0] * (10 - below), *[0.0] * below)).status == status


def test_latencies_1_to_20_have_their_95th_percentile_at_19_05():
    given = [row(1, latency=n) for n in range(1, 21)]

    assert judged("latency_p95<=19.05", given).status == "PASS"
    assert judged("latency_p95<19.05", given).status == "FAIL"


@pytest.mark.parametrize(
    ("text", "of_rows", "problem"),
    [
        ("pass_rate>=0", [], "no rows"),
        ("errors==0", [], "no rows"),
        (
            "pas_rate>=0",
            rows(1),
            "no row gives the metric 'pas_rate': did you mean 'pass_rate' or 'error_rate'?",
        ),
        ("mean_score>=0", rows(None), "no row gives the metric 'mean_score'"),
        ("latency_p95<=9", rows("down"), "no row gives the metric 'latency_p95'"),
        ("dataset:x>=0", rows(1), "no row gives the metric 'dataset:x'"),
        ("n>=0 @ system=b", rows(1), "unknown system 'b': expected one of a"),
        ("n>=0 @ dataset=b", rows(1, dataset="ab"), "unknown data set 'b': did you mean 'ab'?"),
        (
            "n>=0 @ system=b,dataset=x",
            [*rows(1, dataset="x"), *rows(1, system="b", dataset="y")],
            "no rows of system 'b' on data set 'x'",
        ),
    ],
)
def test_nothing_is_not_a_pass(text, of_rows, problem):
    verdict = judged(text, of_rows)

    assert (verdict.status, verdict.passed) == ("FAIL", False)
    assert verdict.problem == problem


@pytest.mark.parametrize("op", OPERATORS)
def test_nan_fails_and_is_shown(op):
    verdict = judged(f"mean_score{op}0", rows(1, NAN))

    assert verdict.status == "FAIL"
    assert verdict_line(verdict) == f"FAIL  mean_score {op} 0: a nan (n=2)"


def test_an_infinite_cost_fails_an_upper_bound():
    assert verdict_line(judged("cost_of_pass<=1e300", rows(0))).endswith("a inf (n=1)")
    assert judged("cost_of_pass<=1e300", rows(0)).status == "FAIL"


def test_without_a_system_a_gate_must_hold_for_every_one():
    verdict = judged("mean_score>=0.5", rows(1), rows(0, system="b"), rows(None, system="c"))

    assert verdict.status == "FAIL"
    assert [(found.system, found.value, found.n, found.holds) for found in verdict.findings] == [
        ("a", 1.0, 1, True),
        ("b", 0.0, 1, False),
        ("c", None, 1, False),
    ]
    line = verdict_line(verdict)
    assert "a 1.000" not in line
    assert "b 0.000 (n=1); c no row gives the metric 'mean_score'" in line


def test_a_selected_system_is_judged_alone():
    assert judged("mean_score>=0.5 @ system=a", rows(1), rows(0, system="b")).status == "PASS"
    assert judged("mean_score>=0.5 @ system=b", rows(1), rows(0, system="b")).status == "FAIL"


def test_a_selected_data_set_is_judged_alone():
    both = [*rows(1, 1, dataset="mmlu:a,b"), *rows(0, dataset="z")]

    assert judged("mean_score>=1 @ dataset=mmlu:a,b", both).findings[0].n == 2
    assert judged("mean_score>=1 @ dataset=mmlu:a,b", both).status == "PASS"
    assert judged("mean_score>=1 @ dataset=z", both).status == "FAIL"
    assert judged("dataset:mmlu:a,b>=1", both).status == "PASS"


def test_rows_without_a_data_set_are_found_under_the_name_that_tables_show():
    both = [*rows(1), *rows(0, dataset="z")]

    assert judged("mean_score>=1 @ dataset=unknown", both).status == "PASS"
    assert judged("dataset:unknown>=1", both).status == "PASS"


def test_a_run_that_did_not_finish_passes_no_gate():
    assert judged("mean_score>=0", rows(1), partial=True).status == "PARTIAL"
    assert not judged("mean_score>=0", rows(1), partial=True).passed
    assert judged("mean_score>=1", rows(0), partial=True).status == "FAIL"


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("n>=0", 4),
        ("errors>=0", 4),
        ("mean_score>=0", 3),
        ("pass_rate>=0", 3),
        ("cost_of_pass>=0", 3),
        ("latency_mean>=0", 3),
        ("compression_ratio<=1", 3),
        ("mean_output_tokens>=0", 3),
    ],
)
def test_a_verdict_says_over_how_many_rows_it_is(text, n):
    assert judged(text, rows(1, "down", None, 0)).findings[0].n == n


def test_the_rows_of_another_metric_are_not_taken_for_its_own():
    @dataclass(frozen=True)
    class Mean:
        name: str = "mean"

        def compute(self, rows):
            return {"mean": 0.5, "mean_n": 1.0 + 0 * len(rows)}

    verdict = judge(Gate.parse("mean_score>=0"), population(rows(1, 0), metrics=[Mean(), MeanScore()]))

    assert verdict.findings[0].n == 2


def test_verdicts_survive_json():
    verdict = judged("mean_score>=0.5", rows(1), rows(None, system="b"), test="t.py::test")

    assert Verdict.from_dict(json.loads(json.dumps(asdict(verdict)))) == verdict


@pytest.mark.parametrize(
    ("value", "op", "bound", "words"),
    [
        (0.7, ">=", 0.7, "0.700"),
        (0.69999, ">=", 0.7, "0.69999"),
        (math.nextafter(0.7, 0), ">=", 0.7, repr(math.nextafter(0.7, 0))),
        (0.70004, "<=", 0.7, "0.70004"),
        (0.70004, ">=", 0.7, "0.700"),
        (0.0001, "==", 0.0, "0.0001"),
        (-1e-9, ">=", 0.0, "-0.000000001"),
        (1234.5, "<=", 2000.0, "1,234.500"),
        (INF, "<=", 1.0, "inf"),
        (NAN, "<=", 1.0, "nan"),
        (5e-324, ">", 0.0, "5e-324"),
    ],
)
def test_values_are_shown_with_the_decimals_they_need(value, op, bound, words):
    assert shown(value, op, bound) == words


@SEEDED
@given(BOUNDS, OPS, st.integers(-3, 3) | st.floats(-1e-3, 1e-3), st.sampled_from([0, 2, 3]))
def test_what_is_shown_never_contradicts_the_verdict(bound, op, off, digits):
    value = bound + off
    if isinstance(off, int):
        value = bound
        for _ in range(abs(off)):
            value = math.nextafter(value, math.copysign(INF, off))

    said = float(shown(value, op, bound, digits).replace(",", ""))
    assert OPERATORS[op](said, float(exact(bound))) == OPERATORS[op](value, bound)


@SEEDED
@given(st.sampled_from([0.7, 0.9995, 1.0, 1 / 3]), OPS, st.floats(-1e-3, 1e-3) | st.just(0.0))
def test_neither_table_nor_verdict_line_contradicts_the_verdict(bound, op, off):
    near = population(rows(bound + off))
    verdict = judge(Gate("mean_score", op, bound), near)

    table = table_of(near, [verdict])
    at = [column.key for column in table.columns].index("mean_score")
    in_table = float(table.lines[0].cells[at].text)
    in_line = float(verdict_line(verdict).split(": a ")[1].split(" (n=")[0])
    assert OPERATORS[op](in_table, bound) == OPERATORS[op](in_line, bound) == verdict.passed


@pytest.mark.parametrize("ways", ["min_mean_score=2 / 3", "gates=[f'mean_score>={2 / 3!r}']"])
def test_a_bound_of_a_test_keeps_all_its_digits(pytester, bench, ways):
    pytester.makepyfile(
        f"""
        import pytest

        @pytest.mark.context_bench(dataset="needle", systems=["identity"], max_examples=3, {ways})
        def test_quality(context_bench):
            context_bench.record(score=float(context_bench.example["id"] > 0))
        """
    )

    outcome = bench()

    outcome.stdout.fnmatch_lines(["PASS  mean_score >= 0.6666666666666666 *: identity 0.667 (n=3)"])
