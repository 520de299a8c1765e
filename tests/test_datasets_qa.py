"""Questions on passages and documents: what their sources can hold beside the usual."""

import pytest

from pytest_context_bench.datasets.mapping import identified
from pytest_context_bench.datasets.records import Place, Rows
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.errors import BadRecordError, UnknownNameError


def opened(name, records, n=None):
    """Return the ids of *n* examples of *records*, and what reads the one at an index."""
    return identified(name, Rows(records, Place(name, "default", "test")), BUILT_IN[name].mapping, n)


def paper(*answers, id="p"):  # noqa: A002 - as the source names it
    """Return a paper with one question an entry of *answers*, the annotators' answers to it."""
    empty = {"unanswerable": False, "extractive_spans": [], "yes_no": None, "free_form_answer": ""}
    return {
        "title": "Ferries",
        "abstract": "",
        "full_text": {"section_name": [], "paragraphs": []},
        "qas": {
            "question": [f"{place}?" for place in range(len(answers))],
            "question_id": [f"{id}{place}" for place in range(len(answers))],
            "answers": [{"answer": [{**empty, **one} for one in given]} for given in answers],
        },
    }


@pytest.mark.parametrize(
    ("annotated", "answer"),
    [
        ({"extractive_spans": ["two", "of them"], "free_form_answer": "both"}, "two, of them"),
        ({"free_form_answer": "both", "yes_no": True}, "both"),
        ({"yes_no": True}, "Yes"),
        ({"yes_no": False}, "No"),
        ({"unanswerable": True}, "Unanswerable"),
        ({"unanswerable": True, "extractive_spans": ["two"], "yes_no": False}, "Unanswerable"),
    ],
)
def test_an_annotation_of_qasper_is_read_in_the_official_order(annotated, answer):
    _, read = opened("qasper", [paper([annotated])])

    assert read(0)["answer"] == [answer]


def test_a_paper_with_an_annotation_that_says_nothing_is_one_example_that_fails():
    ids, read = opened(
        "qasper", [paper([{"yes_no": True}], id="a"), paper([{"yes_no": True}, {}], [], id="b")]
    )

    assert ids == ["a0", "row 1"]
    with pytest.raises(BadRecordError, match=r"row 1: column 'qas\[0\].answers.answer\[1\]' holds no answer"):
        read(1)


def test_questions_are_counted_and_not_papers():
    yes = [{"yes_no": True}]

    ids, read = opened("qasper", [paper(yes, id="a"), paper(yes, yes, yes, id="b")], 3)

    assert ids == ["a0", "b0", "b1"]
    assert read(2)["question"].startswith("1?")


@pytest.mark.parametrize("answer", ["", " "])
def test_a_question_of_frames_without_an_answer_is_refused(answer):
    _, read = opened("frames", [{"Prompt": "Which?", "Answer": answer}])

    with pytest.raises(BadRecordError, match="row 0: column 'Answer' is empty, expected an answer"):
        read(0)


def test_a_number_is_an_answer_of_frames():
    _, read = opened("frames", [{"Prompt": "How many?", "Answer": 12}])

    assert read(0) == {"id": 0, "question": "How many?", "answer": "12"}


@pytest.mark.parametrize("name", ["triviaqa", "2wikimultihopqa"])
def test_a_split_without_public_answers_is_refused(name):
    with pytest.raises(UnknownNameError, match="'test': expected one of train, validation"):
        BUILT_IN[name].open(f"{name}@test")
