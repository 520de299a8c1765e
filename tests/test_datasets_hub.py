"""Sources on the hub: what is read of them, and what is said of those that cannot be."""

import socket
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from pytest_context_bench.datasets import hub_load
from pytest_context_bench.datasets.entry import Dataset, Measure
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.hub_errors import SourceError
from pytest_context_bench.datasets.hub_load import ARRAY, LINES
from pytest_context_bench.datasets.mapping import Map, golds, template
from pytest_context_bench.errors import BadRecordError, DuplicateExampleError, UnknownNameError
from pytest_context_bench.evaluators import AnswerQuality, SummarizationQuality

QUESTIONS = template(id="{id}", question="{q}", answer="{a}")


def rows(count, start=0):
    return [{"id": f"r{n}", "q": f"question {n}", "a": f"answer {n}"} for n in range(start, start + count)]


def entry(source, mapping=QUESTIONS):
    return Dataset("quiz", source, mapping, (AnswerQuality(),), "f1", category="qa", size=3, licence="MIT")


def quiz(hub, repo, files, pattern="{split}.jsonl", **source):
    hub.add(repo, files)
    return entry(Hub(repo, pattern, split="test", **source))


class TestWhatIsRead:
    def test_only_the_files_of_the_split_and_config_are_fetched(self, hub):
        files = {f"{config}/{split}.jsonl": rows(2) for config in "ab" for split in ("train", "test")}
        data = quiz(hub, "some/parts", files, "{config}/{split}.jsonl", config="a", configs=("a", "b"))

        assert len(data.open("quiz:b")) == 2
        fetched = {request for request in hub.requests if "/resolve/" in request}
        assert {request.split()[1].partition("/main/")[2] for request in fetched} == {"b/test.jsonl"}

    @pytest.mark.parametrize(
        ("spec", "measured"), [("quiz", ["f1"]), ("quiz:a", ["f1"]), ("quiz:b", ["rouge_l_f1"])]
    )
    def test_a_config_can_have_evaluators_of_its_own(self, spec, measured, hub):
        hub.add("some/measures", {f"{config}.jsonl": rows(1) for config in "ab"})
        data = Dataset(
            "quiz",
            Hub("some/measures", "{config}.jsonl", split="test", config="a", configs="ab"),
            QUESTIONS,
            (AnswerQuality(),),
            "f1",
            category="qa",
            size=1,
            licence="MIT",
            measures={"b": Measure((SummarizationQuality(),), "rouge_l_f1")},
        )
        examples = data.open(spec)

        (evaluator,) = examples.evaluators_for(examples[0])
        assert examples.primary in evaluator.score(examples[0], {"response": "answer 0"})
        assert [examples.primary] == measured

    def test_shards_come_in_order_and_rows_number_on(self, hub):
        files = {f"test-{n:05}-of-00003.parquet": rows(2, 2 * n) for n in (2, 0, 1)}
        data = quiz(hub, "some/shards", files, "{split}-*.parquet")

        assert data.open("quiz").ids == [f"r{n}" for n in range(6)]

    def test_the_first_n_are_those_of_all(self, hub):
        data = quiz(hub, "some/first", {"test.jsonl": rows(9)})

        assert list(data.open("quiz", 4)) == list(data.open("quiz"))[:4]

    @pytest.mark.parametrize("suffix", ["parquet", "jsonl", "json", "csv", "tsv"])
    def test_a_few_records_of_a_large_source_are_streamed_and_are_the_same(self, suffix, hub, monkeypatch):
        data = quiz(hub, f"some/large-{suffix}", {f"test.{suffix}": rows(50)}, f"{{split}}.{suffix}")
        monkeypatch.setattr(hub_load, "LARGE", 10)

        streamed = list(data.open("quiz", 5))
        monkeypatch.undo()

        with pytest.raises(SourceError, match="not in the cache"):
            data.open("quiz", offline=True)
        assert streamed == list(data.open("quiz"))[:5]

    @pytest.mark.parametrize("large", [10, 1 << 30])
    def test_a_file_within_a_zip_is_read(self, large, hub, monkeypatch):
        monkeypatch.setattr(hub_load, "LARGE", large)
        files = {"data.zip": {"in/a.jsonl": rows(2), "in/b.jsonl": rows(3, 5)}}
        data = quiz(hub, "some/zip", files, "zip://in/{config}.jsonl::data.zip", config="b", configs="ab")

        assert data.open("quiz", 2).ids == ["r5", "r6"]
        assert data.open("quiz:a").ids == ["r0", "r1"]

    @pytest.mark.parametrize("large", [10, 1 << 30])
    def test_lines_keep_the_objects_as_they_are(self, large, hub, monkeypatch):
        monkeypatch.setattr(hub_load, "LARGE", large)
        records = [{"kwargs": [{}, {"n": 3}]}, {"kwargs": [{"text": "a\u2028b", "n": 2.0}]}, {"other": None}]
        keep = Map(lambda record: {"question": "", "kept": dict(record.columns)})
        hub.add("some/lines", {"test.jsonl": records})
        data = entry(Hub("some/lines", "{split}.jsonl", split="test", form=LINES), keep)

        assert [example["kept"] for example in data.open("quiz", 2)] == records[:2]
        assert [example["kept"] for example in data.open("quiz")] == records

    @pytest.mark.parametrize("form", [None, LINES])
    @pytest.mark.parametrize("limits", [{}, {"n": 2}, {"n": 2, "sampled": True}], ids=repr)
    def test_rows_of_one_key_are_one_record_that_lists_their_golds(self, form, limits, hub, monkeypatch):
        monkeypatch.setattr(hub_load, "LARGE", 10)
        given = [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4"), ("a", "1"), ("b", "5")]
        records = [{"id": key, "q": f"of {key}", "a": answer} for key, answer in given]
        hub.add("some/keys", {"test.jsonl": records})
        source = Hub("some/keys", "{split}.jsonl", "test", form=form, key="id", listed=("a",))
        opened = entry(source, template(id="{id}", question="{q}", answer=golds("a"))).open("quiz", **limits)

        assert {one["id"]: (one["question"], one["answer"]) for one in opened.take(limits.get("n"))} == {
            key: (f"of {key}", answers)
            for key, answers in [("a", ["1", "3"]), ("b", ["2", "5"]), ("c", ["4"])][: limits.get("n")]
        }
        assert len(opened) == (2 if limits == {"n": 2} else 3)

    @pytest.mark.parametrize("large", [10, 1 << 30])
    def test_an_array_keeps_the_objects_as_they_are(self, large, hub, monkeypatch):
        monkeypatch.setattr(hub_load, "LARGE", large)
        records = [{"kwargs": [{}, {"n": 3}]}, {"kwargs": "a\u2028b", "n": 2.0}, {"other": [7, 7.5, "7"]}]
        keep = Map(lambda record: {"question": "", "kept": dict(record.columns)})
        hub.add("some/array", {"test.json": records})
        data = entry(Hub("some/array", "{split}.json", split="test", form=ARRAY), keep)

        assert [example["kept"] for example in data.open("quiz", 2)] == records[:2]
        assert [example["kept"] for example in data.open("quiz")] == records

    @pytest.mark.parametrize("large", [1, 1 << 30])
    def test_an_array_that_is_none_is_told(self, large, hub, monkeypatch):
        monkeypatch.setattr(hub_load, "LARGE", large)
        data = quiz(hub, f"some/no-array-{large}", {"test.json": '{"id": []}'}, "{split}.json", form=ARRAY)

        with pytest.raises(SourceError, match=r"its files cannot be read \(NoArrayError: 'not a JSON array'"):
            data.open("quiz", 2)

    def test_a_converted_branch_is_read(self, hub):
        files = {f"{config}/test/0000.parquet": rows(2) for config in "ab"}
        data = quiz(
            hub,
            "some/converted",
            {**files, "converted.py": "raise SystemExit"},
            "{config}/{split}/0000.parquet",
            config="a",
            configs=("a", "b"),
            revision="refs/convert/parquet",
        )

        assert data.open("quiz:b").ids == ["r0", "r1"]

    def test_a_pinned_source_is_asked_for_once(self, hub):
        files = {"test-00000-of-00001.parquet": rows(2)}
        data = quiz(hub, "some/pinned", files, "{split}-*.parquet", revision="5" * 40)
        first = list(data.open("quiz"))
        hub.requests.clear()

        assert list(data.open("quiz")) == first
        assert not hub.requests

    def test_a_pinned_source_that_is_cached_in_part_is_completed(self, hub):
        repo, one = "some/partly", {"test-00000-of-00002.parquet": rows(2)}
        data = quiz(hub, repo, {**one, "test-00001-of-00002.parquet": rows(2, 2)}, "{split}-*.parquet")
        source = Hub(repo, "{split}-00000-*.parquet", split="test", revision="6" * 40)
        entry(source).open("quiz")
        data = entry(Hub(repo, "{split}-*.parquet", split="test", revision="6" * 40))

        assert len(data.open("quiz")) == 4


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("spec", "said"),
        [
            ("quiz:anatmy", "unknown config of quiz 'anatmy': did you mean 'anatomy'?"),
            ("quiz@tset", "unknown split of quiz 'tset': did you mean 'test'?"),
            ("quiz:anatomy@zzz", "unknown split of quiz 'zzz': expected one of test, train"),
        ],
    )
    def test_a_wrong_config_or_split_names_the_right_ones_without_the_network(self, spec, said, hub):
        source = Hub("no/where", "x", "test", ("train", "test"), "anatomy", ("anatomy", "virology"))

        with pytest.raises(UnknownNameError) as refused:
            entry(source).open(spec)

        assert str(refused.value) == said
        assert not hub.requests

    def test_rows_of_one_key_that_are_not_one_record_are_an_error_of_their_example(self, hub):
        records = [{**row, "id": key} for row, key in zip(rows(4), "aabb", strict=True)]
        records[3]["q"] = records[2]["q"]
        hub.add("some/unlike", {"test.jsonl": records})
        source = Hub("some/unlike", "{split}.jsonl", "test", key="id", listed=("a",))
        opened = entry(source, template(id="{id}", question="{q}", answer=golds("a"))).open("quiz")

        assert opened.ids == ["a", "b"]
        assert opened[1]["answer"] == ["answer 2", "answer 3"]
        with pytest.raises(BadRecordError, match="row 1: the same record as row 0, but another 'q'"):
            opened[0]

    def test_a_row_without_its_key_stands_for_itself(self, hub):
        records = [*rows(1), {"id": None, "q": "?", "a": "x"}, {"id": None, "q": "?", "a": "y"}]
        hub.add("some/keyless", {"test.jsonl": records})
        opened = entry(Hub("some/keyless", "{split}.jsonl", "test", key="id", listed=("a",))).open("quiz")

        assert opened.ids == ["r0", "row 1", "row 2"]
        with pytest.raises(BadRecordError, match="row 1: column 'id' is null"):
            opened[1]

    def test_a_missing_source_is_one_line(self, hub):
        with pytest.raises(SourceError) as refused:
            entry(Hub("no/where", "x.csv", "test", config="big")).open("quiz")

        assert str(refused.value) == (
            "data set 'quiz' (no/where, config big, split test): the hub knows no such data set, or it is "
            f"private: see whether {hub.url}/datasets/no/where was renamed or withdrawn; a private one needs "
            "HF_TOKEN"
        )

    def test_a_gated_source_says_how_to_get_access(self, hub, monkeypatch):
        data = quiz(hub, "some/gated", {"test.jsonl": rows(1)})
        hub.gated.add("some/gated")

        with pytest.raises(
            SourceError, match=f"gated: ask for it at {hub.url}/datasets/some/gated, .*HF_TOKEN"
        ):
            data.open("quiz")

        monkeypatch.setenv("HF_TOKEN", "let-me-in")
        assert data.open("quiz").ids == ["r0"]

    def test_a_gated_source_is_told_when_it_is_streamed(self, hub, monkeypatch):
        monkeypatch.setattr(hub_load, "LARGE", 10)
        data = quiz(hub, "some/gated-large", {"test.jsonl": rows(50)})
        hub.gated.add("some/gated-large")

        with pytest.raises(SourceError, match="access is gated"):
            data.open("quiz", 2)

    def test_a_renamed_source_is_followed(self, hub):
        hub.add("new/name", {"test.jsonl": rows(1)})
        hub.renamed["old/name"] = "new/name"
        data = entry(Hub("old/name", "{split}.jsonl", "test"))

        assert data.open("quiz").ids == ["r0"]
        assert data.open("quiz", offline=True).ids == ["r0"]

    def test_a_script_is_told(self, hub):
        data = quiz(hub, "some/scripted", {"scripted.py": "raise SystemExit", "README.md": ""})

        with pytest.raises(
            SourceError, match=r"it is a script \(scripted.py\), which `datasets` no longer runs"
        ):
            data.open("quiz")

    def test_other_files_are_told(self, hub):
        data = quiz(hub, "some/moved", {"data/test.jsonl": rows(1)})

        with pytest.raises(
            SourceError, match=r"no file matches 'test.jsonl': see how its files are laid out at"
        ):
            data.open("quiz")

    def test_damaged_files_are_told(self, hub):
        data = quiz(hub, "some/damaged", {"test.parquet": b"PAR1 no more"}, "{split}.parquet")

        with pytest.raises(
            SourceError, match=r"\(some/damaged, split test\): its files cannot be read \(Arrow"
        ):
            data.open("quiz")

    def test_an_empty_file_is_told(self, hub):
        with pytest.raises(SourceError, match="its files cannot be read"):
            quiz(hub, "some/empty", {"test.jsonl": ""}).open("quiz")

    def test_two_records_of_one_id_are_refused(self, hub):
        data = quiz(hub, "some/twice", {"test.jsonl": [*rows(2), *rows(1)]})

        with pytest.raises(DuplicateExampleError, match="'r0' at row 0 and at row 2"):
            data.open("quiz")


class TestOffline:
    def test_what_is_cached_is_read_without_a_request(self, hub):
        data = quiz(hub, "some/kept", {"test.jsonl": rows(3)})
        first = list(data.open("quiz"))
        hub.requests.clear()

        assert list(data.open("quiz", offline=True)) == first
        assert not hub.requests

    @pytest.mark.parametrize("offline", [False, True])
    def test_no_host_but_the_hub_is_asked(self, offline, hub, monkeypatch):
        data = quiz(hub, "some/counted", {"test.jsonl": rows(3)})
        data.open("quiz")
        asked = []
        monkeypatch.setattr("datasets.load.get_session", lambda: asked.append("elsewhere"))

        assert len(data.open("quiz", offline=offline)) == 3
        assert not asked

    def test_what_is_not_cached_is_told_without_a_request(self, hub):
        data = quiz(hub, "some/never", {"test.jsonl": rows(3)})

        with pytest.raises(
            SourceError, match=r"not in the cache \(.*\), and the run is offline: run once without"
        ):
            data.open("quiz", offline=True)
        assert not hub.requests

    @pytest.mark.parametrize("offline", [False, True])
    def test_no_load_is_counted_elsewhere(self, offline, hub, monkeypatch):
        import datasets.load

        data = quiz(hub, "some/counted", {"test.jsonl": rows(3)})
        data.open("quiz")
        asked = []
        monkeypatch.setattr(datasets.load, "get_session", lambda: asked.append("elsewhere"))
        monkeypatch.setattr(datasets.config, "HF_UPDATE_DOWNLOAD_COUNTS", True)

        data.open("quiz", offline=offline)

        assert asked == []

    @pytest.mark.parametrize("name", ["HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"])
    def test_the_environment_is_honoured(self, name, hub, monkeypatch):
        data = quiz(hub, "some/never", {"test.jsonl": rows(3)})
        monkeypatch.setenv(name, "1")

        with pytest.raises(SourceError, match="the run is offline"):
            data.open("quiz")
        assert not hub.requests

    def test_nothing_is_imported_to_find_that_out(self, tmp_path):
        code = f"""
import os, sys
os.environ["HF_HOME"] = {str(tmp_path)!r}
from pytest_context_bench.catalog import open_dataset
try:
    open_dataset("gsm8k", options={{"offline": True}})
except Exception as error:
    print(type(error).__name__, "datasets" in sys.modules, os.environ["HF_HUB_OFFLINE"])
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

        assert done.stdout.split() == ["SourceError", "False", "1"]

    def test_a_hub_that_does_not_answer_is_told_in_seconds(self, hub, monkeypatch):
        from huggingface_hub import HfApi

        with socket.create_server(("127.0.0.1", 0)) as unused:
            port = unused.getsockname()[1]
        monkeypatch.setattr(HfApi, "__init__", lambda self: _point_to(self, f"http://127.0.0.1:{port}"))
        started = time.monotonic()

        with pytest.raises(SourceError, match="cannot be reached"):
            quiz(hub, "some/network", {"test.jsonl": rows(1)}).open("quiz")
        assert time.monotonic() - started < 2


class TestBadRecords:
    def test_one_bad_row_is_an_error_of_its_example(self, hub):
        bad = [*rows(3), {"id": "r3", "q": None, "a": "x"}, {"id": "r4", "q": 5, "a": ["x"]}, {"id": None}]
        data = quiz(hub, "some/bad", {"test.jsonl": bad}, form=LINES)
        examples = data.open("quiz")

        assert examples.ids == ["r0", "r1", "r2", "r3", "r4", "row 5"]
        said = [_refused(examples, index) for index in (3, 4, 5)]
        assert said == [
            "data set 'quiz', split test, row 3: column 'q' is null, expected a value",
            "data set 'quiz', split test, row 4: column 'a' is ['x'], expected text or a number",
            "data set 'quiz', split test, row 5: column 'id' is null, expected a value",
        ]

    def test_a_missing_column_names_those_there_are(self, hub):
        data = quiz(hub, "some/columns", {"test.jsonl": [{"id": 1, "question": "?", "a": "x"}]})

        assert _refused(data.open("quiz"), 0) == (
            "data set 'quiz', split test, row 0: no column 'q': expected one of a, id, question"
        )

    def test_a_line_that_is_not_json_is_an_error_of_its_example(self, hub):
        lines = '{"id": "r0", "q": "?", "a": "x"}\n{"id": "r1", "q"\n[1]\n'
        examples = quiz(hub, "some/torn", {"test.jsonl": lines}, form=LINES).open("quiz")

        assert examples.ids == ["r0", "row 1", "row 2"]
        assert "row 1: not JSON" in _refused(examples, 1)
        assert "row 2: [1], expected a JSON object" in _refused(examples, 2)

    def test_many_examples_of_a_record_count_on_and_a_bad_record_is_one(self, hub):
        read = Map(
            lambda record: [{"question": q, "answer": "x"} for q in record.texts("qs")], id="{id}", many=True
        )
        records = [
            {"id": 1, "qs": ["a", "b"]},
            {"id": 2, "qs": []},
            {"id": 3, "qs": None},
            {"id": 4, "qs": ["c"]},
        ]
        hub.add("some/many", {"test.jsonl": records})
        data = entry(Hub("some/many", "{split}.jsonl", "test"), read)

        assert data.open("quiz").ids == ["1-0", "1-1", "row 2", "4-0"]
        assert [data.open("quiz")[index]["question"] for index in (0, 1, 3)] == ["a", "b", "c"]
        assert "row 2: column 'qs' is null" in _refused(data.open("quiz"), 2)
        assert data.open("quiz", 1).ids == ["1-0"]

    def test_as_many_records_are_read_as_the_examples_take(self, hub, monkeypatch):
        monkeypatch.setattr(hub_load, "LARGE", 10)
        odd = Map(lambda record: [{"question": record.text("q")}] * (record.whole("n") % 2), many=True)
        hub.add("some/odd", {"test.jsonl": [{"n": n, "q": f"{n}?"} for n in range(60)]})
        data = entry(Hub("some/odd", "{split}.jsonl", "test"), odd)

        assert [example["question"] for example in data.open("quiz", 3)] == ["1?", "3?", "5?"]
        assert len(data.open("quiz", 50)) == 30

    def test_ids_that_come_again_are_numbered_where_the_mapping_says_so(self, hub):
        ids = ["q1", "q2", "q1", "q1", "q2"]
        hub.add("some/again", {"test.jsonl": [{"id": found, "q": f"{n}?"} for n, found in enumerate(ids)]})
        source = Hub("some/again", "{split}.jsonl", "test")
        told_apart = Map(lambda record: {"question": record.text("q")}, id="{id}", repeated=True)

        examples = entry(source, told_apart).open("quiz")

        assert [example["id"] for example in examples] == ["q1", "q2", "q1-2", "q1-3", "q2-2"]
        assert examples[3]["question"] == "3?"
        assert entry(source, told_apart).open("quiz", 3).ids == examples.ids[:3]
        with pytest.raises(DuplicateExampleError):
            entry(source, replace(told_apart, repeated=False)).open("quiz")


def test_golds_are_all_kept_once():
    from pytest_context_bench.datasets.records import Place

    record = Place("quiz").record({"a": "x", "more": ["y", "x"], "none": None}, 0)

    assert golds("a", "more", "none", "absent")(record) == ["x", "y"]


def _refused(examples, index):
    with pytest.raises(BadRecordError) as refused:
        examples[index]
    return str(refused.value)


def _point_to(api, endpoint):
    api.endpoint, api.token, api.library_name, api.library_version = endpoint, None, None, None
    api.user_agent, api.headers = None, None
