import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import shared_json

from pytest_context_bench import tokens
from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.protocols import System
from pytest_context_bench.scoring import squad
from pytest_context_bench.systems import Extract, Truncate

FACTS = (
    "Alu is a demon without a mouth. Many towns fear him. The port of Oslo was built in 1624. "
    "It is used by many ships. Bern is known for bears. Dogs bark at night. Tea is grown in China. "
    "Rome has seven hills."
)


def count(text):
    return len(tokens.encode(text, tokens.encoding()))


def kept(context, question=None, keep=0.5):
    return Extract(keep).process({"context": context, "question": question})["context"]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When was the port of Oslo built?", "The port of Oslo was built in 1624."),
        ("WHICH DEMONS ARE THERE?", "Alu is a demon without a mouth."),
        ("What are the hill towns called?", "Rome has seven hills."),
    ],
)
def test_the_sentence_that_answers_is_kept(question, first):
    assert first in kept(FACTS, question, 0.3)


@pytest.mark.parametrize("question", [None, "", "?", "Xyzzy?"])
def test_without_a_shared_word_the_beginning_is_kept(question):
    assert kept(FACTS, question, 0.3) == "Alu is a demon without a mouth. Many towns fear him."


def test_what_is_kept_stays_in_order():
    result = kept(FACTS, "Does Rome have a port of Oslo?", 0.5)
    sentences = [sentence for sentence in FACTS.split(". ") if sentence.rstrip(".") in result]

    assert result.split(". ") == sentences
    assert len(sentences) > 2


def test_the_neighbours_of_a_match_are_preferred_to_what_is_far():
    result = kept(FACTS, "When was the port of Oslo built?", 0.5)

    assert result == "Many towns fear him. The port of Oslo was built in 1624. It is used by many ships."


def test_a_question_of_two_steps_is_followed():
    steps = [
        "Peter Farrelly directed Green Book.",
        "Rain falls on the hills there.",
        "Farrelly grew up in Ohio.",
    ]

    assert "Ohio" in kept("\n\n".join(steps), "Where is the man from who directed Green Book?", 0.75)


JSON = json.dumps([{"id": number, "note": f"note of city{number % 7}"} for number in range(40)], indent=1)


@pytest.mark.parametrize("keep", [0.05, 0.2, 0.5, 0.9, 5])
def test_json_stays_json(keep):
    records = json.loads(kept(JSON, "Which is the note of city3?", keep))

    assert all(record in json.loads(JSON) for record in records)
    assert keep != 0.2 or [record["id"] % 7 for record in records].count(3) >= 4


@pytest.mark.parametrize(
    "context", ['["' + "word " * 50 + '"]', '{"a": {"b": "' + "x" * 500 + '"}}', "[ [\n1\n] ]"]
)
@pytest.mark.parametrize("keep", [1, 2, 3, 5, 0.1, 0.5, 0.9])
def test_json_of_which_nothing_fits_is_empty_json_or_nothing(context, keep):
    result = kept(context, "word?", keep)

    assert result == "" or type(json.loads(result)) is type(json.loads(context))
    assert keep == 1 or count(result) <= (keep if keep > 1 else keep * count(context))


LINES = "\n".join(f"2024-01-01 10:00:{n:02} INFO worker {n} did job-{n * 37 % 60} well" for n in range(60))


def test_log_lines_stay_whole():
    result = kept(LINES, "Who did job-37?", 0.1)

    assert set(result.split("\n")) < set(LINES.split("\n"))
    assert "worker 1 did job-37 well" in result


def test_a_line_of_code_brings_what_it_is_in():
    body = "\n".join(f"        self.value_{number} = other.value_{number}" for number in range(60))
    result = kept(
        f"import a\n\nclass Big:\n    def copy(self, other):\n{body}\n", "What is value_41 set to?", 0.5
    )

    assert "class Big:\n    def copy(self, other):\n" in result
    assert "self.value_41 = other.value_41" in result


PIECES = st.sampled_from(
    [
        "Alu is. ",
        "a ",
        "\n",
        "\n\n",
        "# H\n",
        "| a | b |\n",
        "|---|---|\n",
        "```\n",
        "def f():\n",
        "    x = 1\n",
        "}",
        '{"a": "b c. D e"}\n',
        "[1, ",
        "]",
        "2024-01-01 10:00 INFO x\n",
        "。",
        "中",
        "1,2,3\n",
        "👩",
        "\ud83d",
        "\t",
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    context=st.lists(PIECES, max_size=40).map("".join),
    question=st.sampled_from(["", "What is Alu?", "x 1 中 INFO"]),
    keep=st.one_of(st.floats(0.01, 1), st.integers(2, 60)),
)
def test_any_text_is_kept_within_the_budget(context, question, keep):
    result = kept(context, question, keep) if context else ""

    assert count(result) <= (count(context) * keep if keep <= 1 else keep) + 1e-9
    assert set(tokens.encodable(result)) <= set(tokens.encodable(context))
    assert result == context or keep != 1.0


@pytest.mark.parametrize("keep", [0.25, 0.5, 500])
def test_the_budget_is_used(keep):
    context = " ".join(f"Sentence number {number} speaks of thing{number % 50}." for number in range(400))
    limit = keep * count(context) if keep <= 1 else keep

    assert 0.95 * limit <= count(kept(context, "Which speaks of thing7?", keep)) <= limit


def test_a_context_within_the_budget_is_unchanged():
    context = "  Odd \t spacing.\n\n\n Kept \ud83d as it is. "

    assert kept(context, "Odd?", 1000) == context
    assert kept(context, "Odd?", 1.0) == context


def test_the_best_sentence_is_cut_where_none_fits():
    assert (
        kept("One long sentence that is far too long to fit.", "What is long?", 4) == "One long sentence that"
    )


@pytest.mark.parametrize("example", [{}, {"context": None}, {"turns": ["a"], "question": "b"}], ids=str)
def test_an_example_without_context_is_left_alone(example):
    assert Extract().process(example) == {}


@pytest.mark.parametrize("keep", [0, 1.5, float("nan"), True])
def test_a_wrong_keep_is_refused(keep):
    with pytest.raises(InvalidValueError, match=r"a share in \(0, 1\] or a whole number of tokens"):
        Extract(keep)


def test_it_is_a_system_named_after_its_arguments():
    assert isinstance(Extract(), System)
    assert (Extract(0.25).name, Extract(300).name, Extract(300, "x").name) == (
        "extract:0.25",
        "extract:300",
        "x",
    )


def hotpotqa(row):
    return "\n\n".join(title + "\n" + "".join(sentences) for title, sentences in row["context"])


def musique(row):
    return "\n\n".join(f"{part['title']}\n{part['paragraph_text']}" for part in row["paragraphs"])


def survivals(system, examples):
    """Count the examples whose context holds an answer still."""
    contexts = [squad.Answer(system.process(example)["context"]) for example in examples]
    return sum(
        any(squad.contains(context, squad.Answer(gold)) for gold in example["answers"])
        for context, example in zip(contexts, examples, strict=True)
    )


@pytest.mark.parametrize(
    ("file", "context_of", "least", "more"),
    [("hotpotqa_100", hotpotqa, 0.9, 1.3), ("musique_100", musique, 0.75, 1.15)],
    ids=["hotpotqa", "musique"],
)
def test_more_answers_survive_than_under_truncation(file, context_of, least, more):
    examples = [
        {
            "context": context_of(row),
            "question": row["question"],
            "answers": [row["answer"], *row.get("answer_aliases", [])],
        }
        for row in shared_json(f"data/{file}.json")
        if row["answer"] not in ("yes", "no")
    ][:60]
    extracted, truncated = (survivals(system, examples) for system in (Extract(0.5), Truncate(0.5)))

    assert extracted >= least * len(examples)
    assert extracted >= more * truncated
