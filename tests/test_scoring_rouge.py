import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from pytest_context_bench.evaluators import SummarizationQuality
from pytest_context_bench.scoring import rouge

OFFICIAL = RougeScorer(["rougeL"])
WORDS = st.sampled_from(
    ["a", "b", "The", "cat-sat", "it's", "U.S.", "snake_case", "3.14", "--", "\n", "x\x1fy"]
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join) | st.text(st.characters(codec="ascii"), max_size=30)
SEEDED = settings(derandomize=True, deadline=None, database=None)


def scores(references, response):
    return SummarizationQuality().score({"answers": references}, {"response": response})


@settings(SEEDED, max_examples=300)
@given(st.lists(TEXTS, min_size=1, max_size=4), TEXTS)
def test_ascii_figures_are_those_of_rouge_score(references, response):
    official = OFFICIAL.score_multi(references, response)["rougeL"]

    assert scores(references, response) == {
        "rouge_l_f1": official.fmeasure,
        "rouge_l_precision": official.precision,
        "rouge_l_recall": official.recall,
    }


@settings(SEEDED, max_examples=100)
@given(st.text("abc", max_size=40), st.text("abcd", max_size=40), st.integers(1, 9))
def test_blocks_do_not_change_the_longest_common_subsequence(one, other, size):
    rows = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            rows[i + 1][j + 1] = rows[i][j] + 1 if left == right else max(rows[i][j + 1], rows[i + 1][j])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rouge, "_BLOCK", size)
        assert rouge.lcs_length(one, other) == rows[-1][-1]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Café, déjà-vu!", ["café", "déjà", "vu"]),
        ("“Don\u2019t” \u2013 snake_case…", ["don", "t", "snake", "case"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("שָׁלוֹם\u200f עולם", ["שָׁלוֹם", "עולם"]),
        ("Привет, МИР", ["привет", "мир"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("用Python编程。", ["用", "python", "编", "程"]),
        ("ดีมาก", ["ด", "ี", "ม", "า", "ก"]),
        ("ラーメン 東京", ["ラ", "ー", "メ", "ン", "東", "京"]),
        ("𠮷野家", ["𠮷", "野", "家"]),
        ("in\u00adform ❤\ufe0f 1\ufe0f\u20e3 ½ \ud83d", ["inform", "1", "½"]),
        ("... 👍 \x00", []),
    ],
    ids=ascii,
)
def test_words_of_every_script_are_kept(text, tokens):
    assert rouge.tokenize(text) == tokens


@pytest.mark.parametrize(
    "text",
    [
        "สวัสดีชาวโลก",
        "今天天气很好。",
        "これはペンです",
        "ភាសាខ្មែរ",
        "မြန်မာစာ",
        "السلام عليكم",
        "नमस्ते दुनिया",
        "naïve café",
        "Ελλάς",
    ],
)
def test_identical_text_of_any_script_is_1(text):
    assert set(scores([text], text).values()) == {1.0}


def test_part_of_a_text_without_spaces_is_worth_its_part():
    assert scores(["今天天气很好"], "今天很好") == {
        "rouge_l_f1": 0.8,
        "rouge_l_precision": 1.0,
        "rouge_l_recall": 4 / 6,
    }


def test_all_three_figures_are_of_the_best_reference():
    assert scores(["a b c d e f g h", "a b x"], "a b") == {
        "rouge_l_f1": 0.8,
        "rouge_l_precision": 1.0,
        "rouge_l_recall": 2 / 3,
    }


def test_of_equally_good_references_the_first_counts():
    references = ["a b x x x x x x", "a x"]

    assert scores(references, "a b c d")["rouge_l_precision"] == 0.5
    assert scores(references[::-1], "a b c d")["rouge_l_precision"] == 0.25


@pytest.mark.parametrize("example", [{}, {"answer": None}, {"answers": []}])
def test_no_reference_gives_no_score(example):
    assert SummarizationQuality().score(example, {"response": "a"}) == {}


@pytest.mark.parametrize("response", [None, "", "?!"])
def test_a_response_without_words_is_0(response):
    assert set(scores(["a b"], response).values()) == {0.0}


def test_memory_is_linear_in_the_words():
    words = [f"w{number}" for number in range(12_000)]
    tracemalloc.start()

    assert rouge.lcs_length(words, words[::-1]) == 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000  # masks over all the words at once take 9 MB, a table over a thousand
