import time

import pytest

from pytest_context_bench.scoring.markup import plain, without_traces


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("<think>A</think>B", "B"),
        ("A</think>B", "B"),
        ("A<think>B", "A"),
        ("<think>A <think> B</think>C", "C"),
        ("A<think>B</think>C", "A\nC"),
        ("[THINK]A[/THINK]B", "B"),
        ("<THINKING>A</THINKING>B", "B"),
        ("<|channel|>analysis<|message|>A<|end|><|channel|>final<|message|>B", "B"),
        ("I think <b>", "I think <b>"),
        ("", ""),
    ],
)
def test_only_what_is_outside_a_trace_is_kept(text, kept):
    assert without_traces(text).strip() == kept


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Answer:** (C)", "Answer: (C)"),
        ("## Answer\n- *B*", "Answer\nB"),
        ("~~A~~ B", "B"),
        (r"$\boxed{\text{C}}$", "answer: C"),
        ("<answer>B</answer>", "answer: B"),
        ("<b>B</b><br/>x", "B\nx"),
        (r"\frac{1}{2}", "1/2"),
        (r"\(x_1 \neq y\)", r"x_1 \neq y"),
        ("a*b and a * b", "a*b and a * b"),
        ("snake_case", "snake_case"),
        ("\uff22\uff1a\uff08\uff23\uff09", "B:(C)"),
        ("答案是B", "答案是 B"),
        ("It\u2019s \u201cB\u201d\u200b", 'It\'s "B"'),
        ("a\r\nb\u2028c", "a\nb\nc"),
        ("a \t  b", "a b"),
        ("\ud83d", "\ud83d"),
    ],
)
def test_markup_comes_off_and_text_stays(text, expected):
    assert plain(text).replace("\n\n", "\n") == expected


@pytest.mark.parametrize("unit", ["<", "~~a", "*", "_", "\\boxed{ ", " \n", "<think>", "\\frac{", "=="])
def test_markup_of_any_size_is_bounded(unit):
    start = time.process_time()

    plain(without_traces(unit * 20_000))

    assert time.process_time() - start < 5


def test_lower_case_keeps_positions():
    longer = "".join(chr(code) for code in range(0x110000) if len(chr(code).lower()) > 1)

    assert longer
    assert len(plain(longer).lower()) == len(plain(longer))
