import json
import random
import re
import time
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import shared_lines

from pytest_context_bench.scoring.latex import find
from pytest_context_bench.scoring.latex.answer import Answer
from pytest_context_bench.scoring.latex.compare import equal

COMPARISONS = json.loads((Path(__file__).parent / "cases/math_comparisons.json").read_text(encoding="utf-8"))
# The pairs of different texts among the golds of MATH-500 that mean the same.
SAME_GOLDS = [
    {"-2,1", "1,-2"},
    {"10,\\!080", "10080"},
    {"120", "120^\\circ"},
    {"15", "15\\mbox{ cm}^2"},
    {"2 \\sqrt{5}", "2\\sqrt{5}"},
    {"30", "30^\\circ"},
    {"36", "36^\\circ"},
    {"36", "\\$36"},
    {"5", "x=5"},
    {"90", "90^\\circ"},
    {"\\frac14", "\\frac{1}{4}"},
]


def golds():
    return sorted({row["answer"] for row in shared_lines("data/math500.jsonl")})


def spaced(text):
    return re.sub(r"(?<!\\)([-+=(){}^_,])", r" \1 ", text)


def sized(text):
    bare = re.sub(r"\\(?:left|right)\s*", "", text)
    return re.sub(r"(?<!\\)([)\]])", r"\\right\1", re.sub(r"(?<!\\)([(\[])", r"\\left\1", bare))


REWRITTEN = {
    "as it stands": lambda gold: gold,
    "dfrac": lambda gold: gold.replace("\\dfrac", "\\frac").replace("\\frac", "\\dfrac"),
    "spaces": spaced,
    "left": sized,
}


@pytest.mark.parametrize("group", COMPARISONS, ids=lambda group: f"{group['same']}-{group['why']}")
def test_answers_compare_as_stated_both_ways(group):
    both_ways = [(*pair, *order) for pair in group["pairs"] for order in ((0, 1), (1, 0))]

    wrong = [row for row in both_ways if equal(Answer(row[row[2]]), Answer(row[row[3]])) != group["same"]]

    assert wrong == []


def test_a_percent_sign_may_be_left_out_but_not_added_to_a_gold_below_one():
    assert equal(Answer("0.5"), Answer(r"0.5\%"))
    assert not equal(Answer(r"0.5\%"), Answer("0.5"))


@pytest.mark.parametrize("form", REWRITTEN)
def test_every_math500_gold_in_a_box_equals_itself(form):
    rewrite = REWRITTEN[form]

    unequal = [
        gold
        for gold in golds()
        if not any(
            equal(Answer(text), Answer(gold))
            for text in find.readings(f"So it is $\\boxed{{{rewrite(gold)}}}$.")
        )
    ]

    assert unequal == []


def test_different_math500_golds_paired_at_random_are_equal_only_where_they_mean_the_same():
    texts = golds()
    read = {text: Answer(text) for text in texts}
    pairs = [random.Random(7).sample(texts, 2) for _ in range(1)]
    generator = random.Random(20)
    pairs = [generator.sample(texts, 2) for _ in range(8_000)] + [sorted(pair) for pair in SAME_GOLDS]

    equal_pairs = [{one, other} for one, other in pairs if equal(read[one], read[other])]

    assert [pair for pair in equal_pairs if pair not in SAME_GOLDS] == []
    assert [pair for pair in SAME_GOLDS if pair not in equal_pairs] == []


@settings(max_examples=60, deadline=None)
@given(st.integers(-(10**18), 10**18), st.integers(1, 10**9), st.sampled_from([-1, 1]))
def test_fractions_equal_their_own_forms_and_no_neighbour(numerator, denominator, step):
    value = Fraction(numerator, denominator)
    plain = Answer(f"{numerator}/{denominator}")
    neighbour = Fraction(numerator * 10**12 + step, denominator * 10**12)

    assert equal(plain, Answer(rf"\frac{{{value.numerator}}}{{{value.denominator}}}"))
    assert equal(plain, Answer(rf"-\dfrac{{{-value.numerator}}}{{{value.denominator}}}"))
    assert not equal(plain, Answer(f"{neighbour.numerator}/{neighbour.denominator}"))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**15))
def test_integers_equal_their_own_forms_and_no_neighbour(number):
    forms = [
        f"{number:,}",
        f"{number:,}".replace(",", "{,}"),
        rf"\${number}.00",
        f"{number}e0",
        f"\\text{{{number}}}",
    ]

    assert all(equal(Answer(form), Answer(str(number))) for form in forms)
    assert not any(equal(Answer(form), Answer(str(number + 1))) for form in forms)


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from(list("0123456789.,-+*/^_=(){}[]\\$%!<> abxsinfracqrtpmle\n#")), max_size=60))
def test_any_text_can_be_found_read_and_compared(text):
    for reading in find.readings(text):
        assert equal(Answer(reading), Answer("5")) in (True, False)


@pytest.mark.parametrize(
    "unit",
    [
        *("\\boxed{", "\\boxed{}", "#### ", "#### 1. a\n", "answer is ", "answer: ", "answer to ", "\nQ:"),
        *("$", "$5 ", "(", "(1,", "1,", "1,000,", "7", "1.", "-", "\\", "{", "a ", "x=", "9^", "\n", "½"),
        *("\\frac", "\\text{", "\\left(", "\\pm ", "\\begin{pmatrix}", "{\\over", "(1,2)\\cup"),
    ],
)
def test_long_texts_take_time_in_proportion(unit):
    text = unit * (200_000 // len(unit))
    begun = time.process_time()

    for response in (text, f"The answer is {text}", f"\\boxed{{{text[:1_990]}}}"):
        for reading in find.readings(response):
            equal(Answer(reading), Answer("5"))
            equal(Answer(reading), Answer(text))

    assert time.process_time() - begun < 5


def test_nothing_in_an_answer_is_run(tmp_path):
    trace = tmp_path / "trace"
    code = f"__import__('pathlib').Path({str(trace)!r}).touch()"

    for text in (code, f"\\boxed{{{code}}}", f"${code}$", f"1 if {code} else 1"):
        for reading in find.readings(text):
            equal(Answer(reading), Answer("1"))

    assert not trace.exists()
