import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.scoring.rating import read_rating

CASES = json.loads((Path(__file__).parent / "cases/rating.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        pytest.param(reply, rating, id=f"{case['why']}-{ascii(reply)[:40]}")
        for case in CASES
        for reply, rating in case["ratings"].items()
    ],
)
def test_the_rating_of_a_reply_is_the_one_it_states(reply, rating):
    assert read_rating(reply) == rating


@pytest.mark.parametrize("reply", ["[[3]]", "Rating: 3", "3/5", "I'd give it a 3."])
@pytest.mark.parametrize(
    "around",
    ["{}\n", "\r\n{}\r\n", "Fine, but late.\n{}", "{}\n\nIt is fine, but late.", "**{}**", "\u00a0{}"],
)
def test_what_stands_around_a_rating_does_not_change_it(reply, around):
    assert read_rating(around.format(reply)) == 3


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from([*"0123456789./-[]()\"'*<>{}:=%,! \n", "Rating", "score", "I give", " out of "]))
)
def test_any_reply_is_read_or_not_but_never_breaks_the_reader(pieces):
    rating = read_rating("".join(pieces))

    assert rating is None or isinstance(rating, float)


@pytest.mark.parametrize(
    "piece",
    [
        '"',
        "“",
        "4 ",
        "rating ",
        "rating for a ",
        "scale ",
        "I give a ",
        "1-",
        "1 to ",
        "[[4",
        "\n ",
        "<think>",
        "(",
        "> ",
    ],
)
def test_long_replies_are_read_in_little_time(piece):
    began = time.process_time()
    read_rating("rating" + piece * (20_000 // len(piece)))

    assert time.process_time() - began < 5


def test_dots_between_two_numbers_are_no_range():
    assert read_rating("0..0") is None
