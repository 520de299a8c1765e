"""What a run with a cache does again, and what it does not."""

import math
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from pytest_context_bench import evaluate
from pytest_context_bench.cache import Cache, store
from pytest_context_bench.errors import (
    CacheError,
    ContextBenchError,
    InvalidValueError,
    NotCacheableError,
)
from pytest_context_bench.systems import Compressor
from pytest_context_bench.systems.adapt import Renamed
from pytest_context_bench.tokens import TiktokenCounter

EXAMPLES = [{"id": i, "context": f"the word is w{i}", "question": "?", "answer": f"w{i}"} for i in range(10)]


class Calls:
    """Counts what a test asks about, and says where it fails."""

    def __init__(self):
        self.count = 0
        self.fail_on = ()


@dataclass
class Model:
    """A system whose configuration is plain."""

    model: str = "small"
    url: str = "http://localhost:1"
    prompt: str = "Answer."
    ratio: float = 1.0
    api_key: str | None = None
    give: Any = field(default=None, compare=False)
    calls: Calls = field(default_factory=Calls, compare=False)
    name: str = "model"

    def process(self, example):
        self.calls.count += 1
        return {"response": example["context"][-2:]} if self.give is None else self.give(example)


@dataclass
class Length:
    """An evaluator whose configuration is plain."""

    unit: float = 1.0
    calls: Calls = field(default_factory=Calls, compare=False)
    name: str = "length"

    def score(self, original, processed):
        self.calls.count += 1
        if original["id"] in self.calls.fail_on:
            raise RuntimeError("no rating")
        return {"length": len(processed["response"]) / self.unit}


@pytest.fixture
def run(tmp_path):
    """Run systems on the examples with a cache in the test's folder."""

    def run(systems, examples=EXAMPLES, evaluators=None, **settings):
        settings = {"progress": False, "cache_dir": tmp_path / "cache", **settings}
        return evaluate(systems, examples, evaluators, **settings)

    return run


def cached(result):
    return [row.example_id for row in result.rows if row.metadata.get("cached") is True]


def plain(result):
    """What of a result must not depend on the cache."""
    for row in result.rows:
        row.metadata.pop("cached", None)
    return replace(result, timing={}, notes=[]).to_dict()


def test_six_of_ten_cached_are_ten_rows_of_which_six_are_marked(run):
    system = Model()
    first = run(system, EXAMPLES[:6])

    second = run(system)

    assert len(second.rows) == 10
    assert cached(second) == [0, 1, 2, 3, 4, 5]
    assert system.calls.count == 10
    assert [row.latency for row in second.rows[:6]] == [row.latency for row in first.rows]
    assert "6 of 10 outputs are from the cache, with the latency of then" in second.notes


@pytest.mark.parametrize("workers", [1, 8])
def test_a_replay_gives_the_same_result_and_does_nothing(run, workers):
    system, evaluator = Model(), Length()
    systems = [system, "truncate:0.5", "extract:0.5"]
    first = run(systems, evaluators=["answer_quality", evaluator], max_workers=workers)
    assert cached(first) == []

    second = run(systems, evaluators=["answer_quality", evaluator], max_workers=workers)

    assert len(cached(second)) == 30
    assert (system.calls.count, evaluator.calls.count) == (10, 20)  # two compressors gave the same
    assert plain(second) == plain(first)


def test_a_run_with_a_cache_gives_what_one_without_gives(run):
    def slow_free(result):
        return [replace(row, latency=0.0) for row in result.rows]

    with_cache, without = run([Model(), "extract:0.5"]), run([Model(), "extract:0.5"], cache_dir=None)

    assert slow_free(with_cache) == slow_free(without)


@pytest.mark.parametrize(
    "change",
    [
        {"model": "large"},
        {"url": "http://localhost:2"},
        {"prompt": "Answer in one word."},
        {"ratio": 0.5},
        {"name": "other"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_configuration_is_another_system(run, change):
    run(Model())

    other = Model(**change)

    assert cached(run(other)) == []
    assert other.calls.count == 10


@pytest.mark.parametrize(
    "change",
    [{"context": "the word is w3!"}, {"question": "?!"}, {"answer": ["w3", "three"]}, {"extra": None}],
    ids=lambda change: next(iter(change)),
)
def test_an_edited_example_is_done_again_alone(run, change):
    system = Model()
    run(system)

    edited = [{**example, **(change if example["id"] == 3 else {})} for example in EXAMPLES]

    assert cached(run(system, edited)) == [0, 1, 2, 4, 5, 6, 7, 8, 9]
    assert system.calls.count == 11


def test_an_exchanged_key_keeps_the_cache(run):
    run(Model(api_key="sk-one"))

    assert len(cached(run(Model(api_key="sk-two")))) == 10


def test_an_edited_evaluator_scores_anew_without_the_system(run):
    system, evaluator = Model(), Length()
    run(system, evaluators=[evaluator])

    edited = Length(unit=2.0)
    result = run(system, evaluators=[edited])

    assert (system.calls.count, edited.calls.count) == (10, 10)
    assert [row.scores["length"] for row in result.rows] == [1.0] * 10
    assert len(cached(result)) == 10


def test_scores_of_one_evaluator_stay_when_another_joins(run):
    evaluator = Length()
    run(Model(), evaluators=[evaluator])

    result = run(Model(), evaluators=["answer_quality", evaluator])

    assert evaluator.calls.count == 10
    assert all({"length", "f1"} <= row.scores.keys() for row in result.rows)


def test_tokens_are_counted_anew(run):
    class Words:
        name = "words"

        def count(self, text):
            return len(text.split())

    system = Model()
    run(system)

    result = run(system, counter=Words(), text_fields=["context", "response"])

    assert [(row.input_tokens, row.output_tokens) for row in result.rows] == [(4, 5)] * 10
    assert system.calls.count == 10


def failing(example):
    if example["id"] in {2, 5}:
        raise RuntimeError("no answer")
    return {"response": "w1"}


@pytest.mark.parametrize(
    "wrong",
    [failing, lambda _: "text", lambda _: {"response": 1}, lambda _: {"metadata": {"made": iter([])}}],
    ids=["raises", "no dict", "no text", "metadata that is not JSON"],
)
def test_errors_of_a_system_are_not_kept(run, wrong):
    system = Model(give=lambda example: wrong(example) if example["id"] in {2, 5} else {"response": "w1"})
    first = run(system)
    assert [row.example_id for row in first.rows if row.error] == [2, 5]

    again = run(system)
    assert [row.example_id for row in again.rows if row.error] == [2, 5]
    assert (cached(again), system.calls.count) == ([0, 1, 3, 4, 6, 7, 8, 9], 12)

    system.give = None
    assert [row.error for row in run(system).rows] == [None] * 10
    assert (len(cached(run(system))), system.calls.count) == (10, 14)


def test_errors_of_an_evaluator_are_not_kept_but_the_output_is(run):
    system, evaluator = Model(), Length()
    evaluator.calls.fail_on = (2, 5)
    first = run(system, evaluators=[evaluator])
    assert [row.example_id for row in first.rows if row.error] == [2, 5]

    evaluator.calls.fail_on = ()
    result = run(system, evaluators=[evaluator])

    assert [row.error for row in result.rows] == [None] * 10
    assert (system.calls.count, evaluator.calls.count) == (10, 12)


def test_scores_that_are_no_numbers_are_not_kept(run):
    evaluator = Length()
    evaluator.unit = Text(1.0)
    run(Model(), evaluators=[evaluator])

    assert run(Model(), evaluators=[evaluator]).rows[0].error.startswith("InvalidScoreError")
    assert evaluator.calls.count == 20


class Text(float):
    """Makes a score that is no number."""

    def __rtruediv__(self, other):
        return "high"


def test_what_json_can_carry_comes_back_as_it_was(run):
    output = {
        "context": "\ud83d \x00 \u2028 é",
        "response": None,
        "chunks": [{"text": "a", "score": 0.1}, [], {}, None, True, 10**30],
        "metadata": {"logprob": -math.inf, "odd": math.nan, "/a~b": math.inf, "": 1},
    }
    seen = []

    class Seeing(Length):
        def score(self, _original, processed):
            seen.append({name: processed[name] for name in output})
            return {"finite": 1.0, "odd": math.nan, "large": math.inf}

    first = run(Model(give=lambda _: output), EXAMPLES[:1], [Seeing()])
    second = run(Model(give=lambda _: output), EXAMPLES[:1], [Seeing(unit=2)])
    third = run(Model(give=lambda _: output), EXAMPLES[:1], [Seeing(unit=2)])

    assert len(seen) == 2
    assert repr(seen[0]) == repr(seen[1]) == repr({**output, "response": ""})
    assert repr(first.rows[0].scores) == repr(second.rows[0].scores) == repr(third.rows[0].scores)
    assert first.to_json().count("NaN") == third.to_json().count("NaN") > 0
    assert repr(plain(third)["rows"]) == repr(plain(second)["rows"])


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ((1, 2), "output.chunks is a tuple"),
        ({1: "a"}, "output.chunks has the key 1, which is not text"),
        ([{"a": {1, 2}}], "output.chunks.a is a set"),
        (b"a", "output.chunks is a bytes"),
        (10**5000, "it is not JSON (Exceeds the limit"),
        (ENDLESS, "it is not JSON (maximum recursion depth"),
        ("postgres://user:word@host/db", "output.chunks holds what looks like a secret"),
        ([{"sk-" + "a" * 20: 1}], "output.chunks holds what looks like a secret"),
        ({"api_key": "word@host"}, "output.chunks holds what looks like a secret"),
    ],
    ids=["tuple", "key", "set", "bytes", "large number", "endless", "secret", "secret key", "secret field"],
)
def test_an_output_that_is_not_plain_json_is_used_but_not_kept(run, tmp_path, value, problem):
    system = Model(give=lambda _: {"response": "w1", "chunks": value})
    run(system)

    result = run(system)

    assert [row.error for row in result.rows] == [None] * 10
    assert (cached(result), system.calls.count) == ([], 20)
    told = [note for note in result.notes if note.startswith("cache: what 'model' gives")]
    assert len(told) == 1
    assert told[0].startswith(f"cache: what 'model' gives is not kept: {problem}")
    assert told[0].endswith(" (10 times)")
    assert b"word@host" not in files(tmp_path)


def test_an_example_that_cannot_be_told_is_used_but_not_kept(run):
    system = Model()
    odd = [{**EXAMPLES[0], "made": iter([])}, {**EXAMPLES[1], "when": {1, 2}}]
    run(system, odd)

    result = run(system, odd)

    assert [row.error for row in result.rows] == [None, None]
    assert (cached(result), system.calls.count) == ([1], 3)
    assert any("made of the example is a list_iterator" in note for note in result.notes)


def files(folder):
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_no_secret_enters_the_files(run, tmp_path, monkeypatch):
    monkeypatch.setenv("USERS_TOKEN", "environment-value")

    written = []

    def give(_example):
        written.append(files(tmp_path))  # also what is only in the log yet
        return {"response": "w1", "metadata": {"sent": "Bearer attribute-value", "env": "environment-value"}}

    system = Model(api_key="attribute-value", url="http://user:url-value@localhost:1", give=give)
    run(system)
    result = run(system)

    assert len(cached(result)) == 10
    assert result.rows[0].metadata["env"] == "***"
    for content in (written[-1], files(tmp_path)):
        assert b"w1" in content
        for secret in (b"attribute-value", b"url-value", b"environment-value"):
            assert secret not in content


def test_a_conversation_is_kept(run):
    class Talker(Model):
        def process_conversation(self, turns):
            self.calls.count += 1
            return [{"content": turn["content"].upper()} for turn in turns]

    system = Talker()
    turns = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]
    example = {"id": 1, "multi_turn": True, "turns": turns, "answer": "B"}
    first = run(system, [example])

    second = run(system, [example])

    assert system.calls.count == 1
    assert second.rows[0].scores == first.rows[0].scores
    assert second.rows[0].scores["exact_match"] == 1.0


def test_an_evaluator_that_changes_what_it_is_given_changes_nothing_that_is_kept(run):
    class Rude(Length):
        def score(self, _original, processed):
            processed["response"] = processed.pop("context")
            return {"length": 1.0}

    run(Model(), evaluators=[Rude()])

    result = run(Model(), evaluators=[Length()])

    assert len(cached(result)) == 10
    assert [row.scores["length"] for row in result.rows] == [2.0] * 10


def test_what_runs_do_to_a_system_does_not_make_it_another(run):
    seen = []

    class Counting:
        name = "counting"
        total = 0

        def __init__(self):
            self.calls, self.client = 0, None

        def process(self, example):
            seen.append(example["id"])
            self.calls += 1
            Counting.total += 1
            self.client = self.client or iter([])
            return {"response": "w1"}

    system = Counting()
    for expected in (6, 10, 10):
        run(system, EXAMPLES[:expected])
        assert (len(seen), system.calls) == (expected, expected)


def test_what_a_user_does_to_a_system_makes_it_another(run):
    system = Model()
    run(system)

    system.model = "large"

    assert cached(run(system)) == []


class Opaque:
    name = "opaque"

    def __init__(self, **attributes):
        self.connection = iter([])
        vars(self).update(attributes)

    def process(self, _example):
        return {"response": "w1"}

    def score(self, _original, _processed):
        return {"score": 1.0}


@pytest.mark.parametrize("kind", ["system", "evaluator"])
def test_what_cannot_be_told_is_refused_before_anything_runs(run, tmp_path, kind):
    system = Model()

    with pytest.raises(NotCacheableError) as caught:
        run([system, Opaque()] if kind == "system" else system, evaluators=[Opaque()])

    text = str(caught.value)
    assert text.startswith(
        f"{kind} 'opaque' cannot be cached: connection cannot be seen into (list_iterator)"
    )
    assert "cache_key" in text
    assert "\n" not in text
    assert system.calls.count == 0
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("key", ["v1", 3, ("a", 1), {"model": "a"}])
def test_a_cache_key_stands_for_what_cannot_be_seen(run, key):
    assert cached(run(Opaque(cache_key=key), evaluators=[Opaque(cache_key=key)])) == []

    assert len(cached(run(Opaque(cache_key=key, other=1)))) == 10
    assert cached(run(Opaque(cache_key="v2"))) == []
    assert cached(run(Opaque(cache_key=key, name="renamed"))) == []


def test_a_cache_key_stands_for_what_is_wrapped_too(run):
    def made(key):
        pool = iter([])

        def shorten(context):
            return f"{context}{len(list(pool))}"

        shorten.cache_key = key
        return [Compressor(shorten), Renamed(Opaque(cache_key=key), "renamed")]

    run(made("v1"))

    assert len(cached(run(made("v1")))) == 20
    assert cached(run(made("v2"))) == []


def test_two_classes_may_have_the_same_cache_key(run):
    class Other(Opaque):
        pass

    run(Opaque(cache_key="v1"))

    assert cached(run(Other(cache_key="v1"))) == []


def test_a_cache_key_that_cannot_be_told_is_refused(run):
    with pytest.raises(InvalidValueError, match="cache_key of 'opaque'"):
        run(Opaque(cache_key=iter([])))


@pytest.mark.parametrize("folder", ["", 3, b"", True], ids=repr)
def test_a_folder_that_is_none_is_refused(run, folder):
    with pytest.raises(InvalidValueError, match="cache_dir"):
        run(Model(), cache_dir=folder)


def foreign(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()


def of_another_format(path):
    Cache(path.parent).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def cut(path):
    Cache(path.parent).close()
    path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda path: path.write_text("not a database" * 100), "file is not a database"),
        (foreign, "it is the database of something else"),
        (of_another_format, "its format is 99, and that of this release is 2"),
        (cut, "malformed"),
        (lambda path: path.mkdir(), "unable to open database file"),
    ],
    ids=["text", "foreign", "format", "cut", "folder"],
)
def test_a_file_that_is_no_cache_is_one_readable_error(run, tmp_path, spoil, problem):
    path = tmp_path / "cache" / store.FILE
    path.parent.mkdir()
    spoil(path)
    content = files(tmp_path)

    with pytest.raises(CacheError) as caught:
        run(Model())

    assert problem in str(caught.value)
    assert str(path) in str(caught.value)
    assert "move it away, or name another folder" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert files(tmp_path) == content


def test_a_file_in_place_of_the_folder_is_one_readable_error(run, tmp_path):
    (tmp_path / "cache").write_text("")

    with pytest.raises(ContextBenchError, match="exists"):
        run(Model())


def test_an_empty_file_becomes_a_cache(run, tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / store.FILE).touch()
    run(Model())

    assert len(cached(run(Model()))) == 10


def test_damage_costs_what_was_damaged_and_is_told(run, tmp_path):
    many = [{**example, "context": f"{'word ' * 800} w{example['id']}"} for example in EXAMPLES]
    system = Model(give=lambda example: {"context": example["context"]})
    first = run(system, many)
    path = tmp_path / "cache" / store.FILE
    damaged = bytearray(path.read_bytes())
    damaged[8 * 4096 : 10 * 4096] = b"\xff" * (2 * 4096)
    path.write_bytes(damaged)

    result = run(system, many)

    assert [row.scores for row in result.rows] == [row.scores for row in first.rows]
    assert 0 < len(cached(result)) < 10
    assert any(note.startswith("cache: it could not be ") for note in result.notes)


def test_long_texts_are_counted_once(run, monkeypatch):
    counted = []
    count = TiktokenCounter.count
    monkeypatch.setattr(
        TiktokenCounter, "count", lambda self, text: counted.append(text) or count(self, text)
    )
    many = [{**example, "context": f"{'word ' * 200}{example['id']}"} for example in EXAMPLES]
    first = run(Model(), many)
    counted.clear()

    again = run(Model(), many)
    assert [row.input_tokens for row in again.rows] == [row.input_tokens for row in first.rows]
    assert counted == []
    run(Model(), many, counter="o200k_base")
    assert len(counted) == 10


def test_counts_of_a_counter_of_ones_own_are_not_kept(run):
    class Characters:
        name = "cl100k_base"

        def count(self, text):
            return len(text)

    many = [{**example, "context": "word " * 200} for example in EXAMPLES]
    run(Model(), many)

    assert run(Model(), many, counter=Characters()).rows[0].input_tokens == 1000


def test_a_count_that_was_tampered_with_is_done_again(run, tmp_path):
    many = [{**example, "context": "word " * 200} for example in EXAMPLES]
    run(Model(), many)
    with sqlite3.connect(tmp_path / "cache" / store.FILE) as connection:
        connection.execute("UPDATE counts SET content = 'many'")
    connection.close()

    assert run(Model(), many).rows[0].input_tokens == 201


def test_an_entry_that_was_tampered_with_is_done_again(run, tmp_path):
    system = Model()
    run(system)
    with sqlite3.connect(tmp_path / "cache" / store.FILE) as connection:
        keys = [key for (key,) in connection.execute("SELECT key FROM outputs ORDER BY rowid")]
        for key, content in zip(keys, ["", "{}", "[]", '{"value": 1, "non_finite": {}}'], strict=False):
            connection.execute("UPDATE outputs SET content = ? WHERE key = ?", (content, key))
    connection.close()

    result = run(system)

    assert cached(result) == [4, 5, 6, 7, 8, 9]
    assert len(cached(run(system))) == 10


def test_a_full_disk_costs_the_cache_not_the_run(run, monkeypatch):
    run(Model(), EXAMPLES[:1])
    connect = store._connect

    def connect_to_full_disk(path):
        connection = connect(path)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(store, "_connect", connect_to_full_disk)
    system = Model(give=lambda example: {"response": f"w{example['id']}", "context": "word " * 20_000})

    result = run(system)

    assert [row.scores["f1"] for row in result.rows] == [1.0] * 10
    assert "cache: it could not be written (database or disk is full) (9 times)" in result.notes


def test_a_file_that_stays_locked_does_not_hold_up_the_run(run, tmp_path, monkeypatch):
    run(Model(), EXAMPLES[:1])
    monkeypatch.setattr(store, "_WAIT", 0.01)
    with closing(sqlite3.connect(tmp_path / "cache" / store.FILE)) as other:
        other.execute("BEGIN IMMEDIATE")

        result = run(Model())

    assert (cached(result), len(result.rows)) == ([0], 10)
    assert "cache: it could not be written (database is locked) (3 times)" in result.notes
    assert "cache: no more is kept, after failures to write (15 times)" in result.notes
