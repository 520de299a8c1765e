import pytest
from engine_rows import row, rows

from pytest_context_bench.comparison import Comparison, Difference, Flip
from pytest_context_bench.records import Record
from pytest_context_bench.reports.flipped import counted, flipped
from pytest_context_bench.reports.terminal import flipped_lines, section
from pytest_context_bench.reports.worst import records_of, worst
from pytest_context_bench.results import EvalResult
from pytest_context_bench.terms import Terms

CONFIG = {"score_field": "f1", "threshold": 0.7}


def flip(example=0, before=1.0, after=0.0, *, system="a", dataset="unknown", passes=False):
    return Flip(system, dataset, example, before, after, passes)


def result_of(*flips, given=(), config=CONFIG):
    return EvalResult(list(given), {}, config=config, comparison=Comparison("main", flips=flips))


def records_by_node(given):
    terms = Terms("f1", 0.7)
    return {
        f"t.py::t[{each.system}-{each.example_id}-{each.repeat}]": Record(
            "t.py::t", n, len(given), terms, each
        )
        for n, each in enumerate(given)
    }


def test_a_pair_that_flipped_is_named_by_its_test_with_its_scores():
    given = [row(dataset="x", example_id=7), row(dataset="x", example_id=7, repeat=1)]
    result = result_of(flip(7, 0.75, 0.69999, dataset="x"))

    assert list(flipped_lines(result, records_by_node(given))) == [
        "FLIPPED  t.py::t[a-7-0]: f1=0.75 -> 0.69999"
    ]


def test_without_a_test_a_pair_is_named_by_what_it_is_of():
    result = result_of(flip(7, dataset="x"), given=[row(dataset="x", example_id="7")])

    assert list(flipped_lines(result, {})) == ["FLIPPED  a-x-7: f1=1.00 -> 0.00"]
    assert list(flipped_lines(result, records_of(result))) == ["FLIPPED  a-x-7: f1=1.00 -> 0.00"]


def test_what_fails_now_comes_first_each_in_its_order():
    result = result_of(flip(1, passes=True), flip(2), flip(3, passes=True), flip(4))

    assert [each.flip.example_id for each in flipped(result, {})] == [2, 4, 1, 3]


@pytest.mark.parametrize(
    ("of_row", "before", "after", "said"),
    [
        (row(), 1.0, None, "f1=1.00 -> none"),
        (row(error="down"), 1.0, None, "f1=1.00 -> error"),
        (row(), None, 0.8, "f1=none -> 0.80"),
        (row(), float("nan"), 1.0, "f1=nan -> 1.00"),
    ],
    ids=["no score", "error", "none before", "nan"],
)
def test_what_is_no_score_is_told(of_row, before, after, said):
    result = result_of(flip(0, before, after))

    assert [each.said for each in flipped(result, records_by_node([of_row]))] == [said]


@pytest.mark.parametrize(
    ("failing", "passing", "said"),
    [
        (0, 0, "no pair changed sides since baseline main"),
        (1, 0, "1 pair fails that passed in baseline main"),
        (3, 1, "3 pairs fail that passed in baseline main, 1 the other way"),
        (0, 1, "1 pair passes that failed in baseline main"),
        (0, 1200, "1,200 pairs pass that failed in baseline main"),
    ],
)
def test_the_pairs_that_flipped_are_counted(failing, passing, said):
    flips = [flip(n) for n in range(failing)] + [flip(n, passes=True) for n in range(passing)]

    same = Difference("a", None, "mean_score", 0.5, 0.5, 9)
    assert counted(Comparison("main", (same,), tuple(flips))) == said


def lines_of(result, *, brief=False):
    return [
        line.text for line in section(result, result.population(), records_of(result), width=200, brief=brief)
    ]


def test_the_terminal_shows_five_between_the_gates_and_the_worst_pairs():
    given = rows(*[0.0] * 9, "down")
    result = result_of(
        *(flip(n) for n in range(7)), given=given, config={"score_field": "score", "threshold": 0.7}
    )

    kinds = [line.split()[0] for line in lines_of(result)]
    assert kinds[-11:] == ["7", *["FLIPPED"] * 5, "ERROR", *["BELOW"] * 4]
    assert lines_of(result, brief=True)[-1] == "7 pairs fail that passed in baseline main"
    assert "FLIPPED" not in "".join(lines_of(result, brief=True))


def test_without_a_baseline_nothing_is_said_of_one():
    given = EvalResult(rows(1), {}, config=CONFIG)

    assert list(flipped(given, {})) == []
    assert not [line for line in lines_of(given) if "baseline" in line]


def test_nothing_of_a_hostile_name_breaks_its_line():
    odd = "\x1b[31m\n\0http://me:hunter22@h"
    flips = flip(odd, system=odd, dataset=odd)
    result = EvalResult([], {}, config={"score_field": odd}, comparison=Comparison(odd, flips=(flips,)))

    for line in (*flipped_lines(result, {}), counted(result.comparison)):
        assert line.isprintable()
        assert "hunter22" not in line


def test_rows_of_one_name_are_all_told():
    given = [row(0, system="a-b", dataset="c"), row(0.5, system="a", dataset="b-c")]

    found = list(worst(records_of(EvalResult(given, {}, config={"threshold": 0.7}))))
    assert [miss.name for miss in found] == ["a-b-c-0", "a-b-c-0 (row 2)"]
    assert [miss.row.system for miss in found] == ["a-b", "a"]


@pytest.mark.parametrize("config", [{}, {"threshold": None}, {"score_field": None}])
def test_without_a_threshold_nothing_is_below_it(config):
    given = EvalResult(rows(0.1, "down"), {}, config=config)

    assert [miss.status for miss in worst(records_of(given))] == ["ERROR"]
