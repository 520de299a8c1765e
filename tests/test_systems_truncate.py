import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_context_bench import tokens
from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.protocols import System
from pytest_context_bench.systems import Identity, Truncate

WORDS = " ".join(f"w{number}" for number in range(100))


def count(text):
    return len(tokens.encode(text, tokens.encoding()))


def kept(context, *arguments):
    return Truncate(*arguments).process({"context": context})["context"]


def test_the_systems_are_systems():
    assert isinstance(Identity(), System)
    assert isinstance(Truncate(), System)


def test_identity_changes_nothing():
    assert Identity().process({"context": "a", "answer": "b"}) == {}


@pytest.mark.parametrize(
    ("side", "starts", "ends"),
    [("head", True, False), ("tail", False, True), ("middle", True, True)],
)
def test_a_side_is_what_is_kept(side, starts, ends):
    result = kept(WORDS, 0.5, side)

    assert (result.startswith("w0 w1 "), result.endswith(" w98 w99")) == (starts, ends)
    assert count(WORDS) / 2 - 2 <= count(result) <= count(WORDS) / 2


def test_the_head_is_the_first_half_of_the_tokens():
    assert kept(" word" * 1000, 0.5) == " word" * 500


@pytest.mark.parametrize(
    ("keep", "words"), [(7, 7), (7.0, 7), (2000, 1000), (0.29, 290), (1, 1000), (1.0, 1000)]
)
def test_keep_is_a_share_or_a_number(keep, words):
    assert kept(" word" * 1000, keep) == " word" * words


@pytest.mark.parametrize("side", ["head", "tail", "middle"])
@given(
    text=st.text(alphabet="ab  \n!'s19é日本👩‍👩‍👧🏳️\u0301<|endoftext|>", max_size=60),
    keep=st.one_of(st.floats(0.01, 1), st.integers(2, 30)),
)
def test_the_cut_holds_the_budget_and_whole_characters(side, text, keep):
    result = kept(text, keep, side) if text else ""

    budget = count(text) * keep if keep <= 1 else min(keep, count(text))
    assert count(result) <= budget + 1e-9
    assert result.count("\ufffd") == 0
    if side == "head":
        assert text.startswith(result)
    if side == "tail":
        assert text.endswith(result)


def test_a_lone_surrogate_is_cut_like_any_character():
    assert kept("a\ud83d" * 10, 0.5).startswith("a\ufffda")


def test_ends_that_make_more_tokens_where_they_meet_are_cut_further():
    assert [count(text) for text in ("!x>t", "!>t")] == [3, 3]
    assert kept("!x>t", 2, "middle") == "!"


def test_a_character_of_several_tokens_is_kept_or_dropped_whole():
    assert [kept("👩" * 3, keep) for keep in (1.0, 0.5, 0.2)] == ["👩👩👩", "👩", ""]


@pytest.mark.parametrize("example", [{}, {"context": None}, {"context": ""}, {"turns": ["a"]}], ids=str)
def test_an_example_without_context_is_left_alone(example):
    assert Truncate(0.5).process(example) == {}


def test_a_context_that_is_no_text_is_said():
    with pytest.raises(InvalidValueError, match=r"context: \['a'\] is not text"):
        Truncate(0.5).process({"context": ["a"]})


@pytest.mark.parametrize("keep", [0, -1, 1.5, float("nan"), float("inf"), True, "0.5", None])
def test_a_wrong_keep_is_refused(keep):
    with pytest.raises(InvalidValueError, match=r"a share in \(0, 1\] or a whole number of tokens"):
        Truncate(keep)


def test_a_wrong_side_is_refused():
    with pytest.raises(InvalidValueError, match="one of head, tail, middle"):
        Truncate(0.5, "left")


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((), "truncate:0.5"),
        ((500,), "truncate:500"),
        ((0.3, "tail"), "truncate:tail:0.3"),
        ((0.3, "head", "x"), "x"),
    ],
)
def test_the_name_tells_the_arguments(arguments, name):
    assert Truncate(*arguments).name == name
