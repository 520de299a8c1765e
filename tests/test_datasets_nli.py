"""Claims: what is no label is an error, and each label is one that the evaluator reads."""

import pytest

from pytest_context_bench.datasets.records import Place
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.errors import BadRecordError
from pytest_context_bench.evaluators import NLILabelMatch

LABELS = {"contract-nli": [0, 1, 2], "scifact": ["SUPPORT", "CONTRADICT", "NEI"]}
# What the same verdict is called elsewhere.
OTHERS = {
    "contradiction": "REFUTES",
    "entailment": "SUPPORTS",
    "neutral": "Not mentioned",
    "SUPPORT": "entailment",
    "CONTRADICT": "contradiction",
    "NEI": "not enough information",
}


def example(name, label):
    columns = {
        "contract-nli": {"premise": "p", "hypothesis": "h", "label": label},
        "scifact": {
            "claim_id": 1,
            "claim": "c",
            "abstract_id": 2,
            "title": "t",
            "abstract": ["a"],
            "verdict": label,
            "evidence": [],
        },
    }
    (found,) = BUILT_IN[name].mapping.examples(Place(name, None, "test").record(columns[name], 4))
    return found


def accuracy(one, response):
    return NLILabelMatch().score(one, {"response": response})["nli_accuracy"]


@pytest.mark.parametrize("name", LABELS)
def test_each_label_is_the_answer_to_its_own_examples_alone(name):
    examples = [example(name, label) for label in LABELS[name]]
    golds = [one["answer"] for one in examples]

    for one in examples:
        assert [accuracy(one, gold) for gold in golds] == [gold == one["answer"] for gold in golds]
        assert [accuracy(one, OTHERS[gold]) for gold in golds] == [gold == one["answer"] for gold in golds]


@pytest.mark.parametrize("name", LABELS)
def test_the_question_names_every_label_and_does_not_tell_which(name):
    examples = [example(name, label) for label in LABELS[name]]

    assert len({one["question"] for one in examples}) == 1
    assert all(one["answer"] in examples[0]["question"] for one in examples)


@pytest.mark.parametrize(
    ("name", "label", "said"),
    [
        ("contract-nli", -1, "column 'label' is -1, expected 0, 1 or 2"),
        ("contract-nli", 3, "column 'label' is 3"),
        ("contract-nli", None, "column 'label' is null"),
        ("contract-nli", True, "column 'label' is True"),
        ("scifact", "", "column 'verdict' is '', expected one of SUPPORT, CONTRADICT, NEI"),
        ("scifact", "support", "column 'verdict' is 'support'"),
        ("scifact", None, "column 'verdict' is null"),
    ],
)
def test_what_is_no_label_is_never_taken_for_one(name, label, said):
    with pytest.raises(BadRecordError, match=f"row 4: {said}"):
        example(name, label)
