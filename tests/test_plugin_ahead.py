"""What calls that are made ahead find set up: whatever their tests would."""

import pytest
from runs import REPORT, counted, said

# A system that answers with what it finds: the value that the fixtures of tests set.
FOUND = """
import pytest, time

class Found:
    name = "found"
    value = "nothing"
    def process(self, example):
        with open("calls.txt", "a") as file:
            file.write(f"{example['id']}\\n")
        time.sleep(0.005)
        return {"response": f"{example['answer']} {self.value}"}

SYSTEM = Found()
PAIRS = pytest.mark.context_bench(dataset="data.jsonl", systems=[SYSTEM])
"""
FIXTURES = {
    "of the session": """
@pytest.fixture(scope="session", autouse=True)
def server():
    SYSTEM.value = "up"
    yield
    SYSTEM.value = "down"
@PAIRS
def test_one(context_bench):
    assert context_bench.process()["response"].endswith("up")
    context_bench.record(x=1)
""",
    "of the class, with parameters": """
@pytest.fixture(scope="class", params=["a", "b"])
def value(request):
    SYSTEM.value = request.param
    yield request.param
    SYSTEM.value = "down"
class TestOne:
    @PAIRS
    def test_one(self, value, context_bench):
        assert context_bench.process()["response"].endswith(value)
        context_bench.record(x=1)
class TestOther:
    @PAIRS
    def test_one(self, value, context_bench):
        assert context_bench.process()["response"].endswith(value)
        context_bench.record(x=1)
""",
    "setup_class and setup_method": """
class TestOne:
    def setup_class(cls):
        SYSTEM.value = "one"
    @PAIRS
    def test_one(self, context_bench):
        assert context_bench.process()["response"].endswith("one")
        context_bench.record(x=1)
class TestOther:
    def setup_method(self, method):
        SYSTEM.value = "other"
    def teardown_method(self, method):
        SYSTEM.value = "down"
    @PAIRS
    def test_one(self, context_bench):
        assert context_bench.process()["response"].endswith("other")
        context_bench.record(x=1)
""",
    "of a test": """
@pytest.fixture
def tuned():
    SYSTEM.value = "tuned"
    yield
    SYSTEM.value = "down"
@PAIRS
def test_before(context_bench):
    assert "tuned" not in context_bench.process()["response"]
    context_bench.record(x=1)
@PAIRS
def test_one(tuned, context_bench):
    assert context_bench.process()["response"].endswith("tuned")
    context_bench.record(x=1)
""",
    "monkeypatch": """
@PAIRS
def test_one(context_bench, monkeypatch):
    monkeypatch.setattr(SYSTEM, "value", "patched")
    assert context_bench.process()["response"].endswith("patched")
    context_bench.record(x=1)
""",
    "of two modules under one name": """
@pytest.fixture(scope="module")
def value():
    SYSTEM.value = __name__
    yield
@PAIRS
def test_one(value, context_bench):
    assert context_bench.process()["response"].endswith(__name__)
    context_bench.record(x=1)
""",
}


@pytest.mark.parametrize(
    ("ways", "flags"),
    [*((ways, ()) for ways in FIXTURES), ("setup_class and setup_method", ("-n2",))],
    ids=[*FIXTURES, "in two workers"],
)
def test_fixtures_are_set_up_when_the_calls_of_their_tests_are_made(ways, flags, bench, examples, pytester):
    tests = FIXTURES[ways]
    examples(6)
    pytester.makepyfile(found=FOUND)
    pytester.makepyfile(test_a=f"from found import *\n{tests}", test_b=f"from found import *\n{tests}")

    run = bench("--context-bench-max-workers=4", *flags)

    assert set(counted(run)) <= {"passed", "warnings"}, said(run)


@pytest.mark.parametrize("fixture", ["tmp_path", "capsys", "caplog", "row", "whole", "scope_of_module"])
def test_fixtures_that_change_nothing_keep_no_call_back(fixture, bench, model, examples, pytester):
    pytester.makepyfile(f"""
import pytest

@pytest.fixture
def row(context_bench):
    return context_bench.run()

@pytest.fixture
def whole(row):
    return row

@pytest.fixture(scope="module")
def scope_of_module():
    pass

@pytest.mark.context_bench(dataset="data.jsonl")
def test_one(context_bench, {fixture}):
    context_bench.row or context_bench.run()
""")
    run = bench(f"--context-bench-max-workers={4}", examples(12, takes=0.02) and REPORT)

    assert run.ret == 0
    assert sorted(map(int, model())) == list(range(1, 13))
    assert model.most() >= 3
    assert "ahead" not in said(run)


def test_calls_that_a_fixture_keeps_back_are_told(bench, model, examples, pytester):
    pytester.makepyfile("""
import pytest

@pytest.fixture(autouse=True)
def tuned():
    pass

@pytest.mark.context_bench(dataset="data.jsonl")
def test_one(context_bench):
    context_bench.run()
""")
    run = bench("--context-bench-max-workers=4", examples(5) and REPORT)

    assert run.ret == 0
    assert "note: 5 calls were not made ahead: fixture 'tuned' of their tests is set up anew" in said(run)
    assert model.most() == 1


def test_a_function_that_needs_no_calls_gets_no_more_of_them(bench, model, examples, pytester):
    pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="data.jsonl")
def test_one(context_bench):
    context_bench.record(f1=1.0)
""")
    bench("--context-bench-max-workers=2", examples(100) and REPORT)

    assert len(model()) <= 8


def test_a_broken_collection_calls_nothing(bench, model, examples, pytester):
    pytester.makepyfile(test_broken="1 / 0")
    run = bench("--context-bench-dataset=data.jsonl", examples(4) and "--context-bench-max-workers=4")

    assert run.ret == 2
    assert model() == []


def test_a_nan_in_an_example_makes_no_call_twice(bench, model, pytester):
    (pytester.path / "data.jsonl").write_text(
        '{"id": 1, "context": "x", "answer": "x", "weight": NaN}\n', encoding="utf-8"
    )
    bench("--context-bench-dataset=data.jsonl", "--context-bench-max-workers=4")

    assert model() == ["1"]


def test_what_a_test_changes_within_its_example_shows(bench, examples, pytester):
    pytester.makeconftest("""
class Turns:
    name = "turns"
    def process(self, example):
        return {"response": example["turns"][-1]}

def pytest_context_bench_register(registry):
    registry.register("system", "turns", Turns())
    registry.register("dataset", "talks", [{"id": 1, "turns": ["hi"], "answer": "bye"}])
""")
    pytester.makepyfile("""
import pytest

@pytest.mark.context_bench(dataset="talks")
def test_one(context_bench):
    context_bench.example["turns"].append("bye")
    assert context_bench.process()["response"] == "bye"
    context_bench.record(x=1)
""")
    assert bench("--context-bench-max-workers=4").ret == 0
