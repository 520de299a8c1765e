"""Texts to summarize: where a query ends, and that there is one."""

import pytest

from pytest_context_bench.datasets.records import Place
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.errors import BadRecordError


def example(name, text):
    record = Place(name, None, "validation").record({"id": "a", "input": text, "output": "o"}, 4)
    (found,) = BUILT_IN[name].mapping.examples(record)
    return found


@pytest.mark.parametrize(
    ("text", "query", "meeting"),
    [
        ("q\n\nm", "q", "m"),
        ("q\n\nm\n\nn", "q", "m\n\nn"),
        ("q1\nq2\n\nm", "q1\nq2", "m"),
        ("q\n\n\nm", "q", "\nm"),
        ("q\n\n", "q", ""),
    ],
)
def test_a_query_ends_at_the_first_blank_line(text, query, meeting):
    found = example("qmsum", text)

    assert (found["question"], found["context"]) == (query, meeting)


@pytest.mark.parametrize("text", ["a meeting alone", "one\nline break", "\n\nno query", " \n\nno query", ""])
def test_a_meeting_without_a_query_is_an_error(text):
    with pytest.raises(
        BadRecordError, match="row 4: column 'input' holds no query with a blank line after it"
    ):
        example("qmsum", text)


def test_the_blank_lines_of_an_episode_are_its_own():
    assert example("summscreenfd", "a\n\nb\n\nc")["context"] == "a\n\nb\n\nc"
