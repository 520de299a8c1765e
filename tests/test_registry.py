import pytest

from pytest_context_bench.errors import ContextBenchError, DuplicateNameError, UnknownNameError
from pytest_context_bench.registry import (
    KINDS,
    RegisteredLateError,
    Registry,
    built_in,
    load_dataset,
    register_dataset,
    registry,
)


class Thing:
    """What can be registered as any kind."""

    name = "thing"

    def process(self, example):
        return {}

    def score(self, original, processed):
        return {}

    def compute(self, rows):
        return {}


SECOND = Thing()


@pytest.fixture
def fresh():
    return Registry()


@pytest.fixture
def run():
    """What a test registers with the registry that users import ends with the test."""
    with registry.run():
        yield registry


def load_three():
    return [{"id": index} for index in range(3)]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_registered_is_found_beside_what_is_built_in(fresh, kind):
    thing = Thing()
    fresh.register(kind, "mine", thing)

    assert fresh.get(kind, "mine") is thing
    assert fresh.list(kind) == sorted([*built_in(kind), "mine"])
    assert fresh.added(kind) == ("mine",)
    assert all(fresh.get(kind, name) == thing for name, thing in built_in(kind).items())


def test_kinds_have_names_of_their_own(fresh):
    things = {kind: Thing() for kind in KINDS}
    for kind, thing in things.items():
        fresh.register(kind, "mine", thing)

    assert {kind: fresh.get(kind, "mine") for kind in KINDS} == things


def test_names_are_kept_in_the_order_of_registration(fresh):
    for name in ("b", "a", "c"):
        fresh.register("system", name, Thing())

    assert fresh.added("system") == ("b", "a", "c")


@pytest.mark.parametrize("kind", ["sytem", "", "systems", None])
@pytest.mark.parametrize(
    "use",
    [
        lambda registry, kind: registry.register(kind, "x", Thing()),
        lambda registry, kind: registry.get(kind, "x"),
        lambda registry, kind: registry.list(kind),
        lambda registry, kind: registry.added(kind),
    ],
    ids=["register", "get", "list", "added"],
)
def test_an_unknown_kind_names_the_kinds(fresh, use, kind):
    with pytest.raises(UnknownNameError) as caught:
        use(fresh, kind)

    nearest = "did you mean 'system'?" if kind else "expected one of dataset, evaluator, metric, system"
    assert str(caught.value) == f"unknown kind {str(kind)!r}: {nearest}"


@pytest.mark.parametrize("name", ["", "  ", "\n", None, 5, ["a"]], ids=repr)
def test_a_name_is_text(fresh, name):
    with pytest.raises(ContextBenchError) as caught:
        fresh.register("dataset", name, Thing())

    assert str(caught.value) == f"the name of a data set: {name!r} is not text"
    assert fresh.added("dataset") == ()


@pytest.mark.parametrize("name", ["mmlu:anatomy", "a=b", "a,b", "a b", "日本", "a\nb", "x/y", "data.jsonl"])
def test_any_text_is_a_name(fresh, name):
    fresh.register("system", name, "thing")

    assert fresh.get("system", name) == "thing"


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        ("system", "idntity", "unknown system 'idntity': did you mean 'identity'?"),
        ("dataset", "needel", "unknown data set 'needel': did you mean 'needle'?"),
        (
            "dataset",
            "---",
            f"unknown data set '---': expected one of {', '.join(sorted(built_in('dataset')))}",
        ),
        (
            "evaluator",
            "answer-quality",
            (
                "unknown evaluator 'answer-quality': "
                "did you mean 'answer_quality' or 'answer_match' or 'summarization_quality'?"
            ),
        ),
        ("metric", "mean", "unknown metric 'mean': did you mean 'mean_score'?"),
    ],
)
def test_an_unknown_name_names_the_nearest(fresh, kind, name, said):
    with pytest.raises(UnknownNameError) as caught:
        fresh.get(kind, name)

    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("kind", "name"),
    [("system", "identity"), ("dataset", "needle"), ("metric", "mean_score"), ("system", "mine")],
)
def test_a_name_that_is_taken_is_refused_unless_replaced(fresh, kind, name):
    fresh.register("system", "mine", "first")
    with pytest.raises(
        DuplicateNameError, match=f"^two (system|data set|metric)s are named '{name}': give each"
    ):
        fresh.register(kind, name, SECOND)
    assert fresh.get(kind, name) != SECOND

    fresh.register(kind, name, SECOND, replace=True)
    assert fresh.get(kind, name) == SECOND
    assert fresh.list(kind).count(name) == 1


def test_the_same_thing_may_be_registered_again(fresh):
    fresh.register("dataset", "tickets", load_three)
    fresh.register("dataset", "tickets", load_three)

    assert fresh.added("dataset") == ("tickets",)


def test_runs_do_not_see_what_others_registered(fresh):
    with fresh.run():
        fresh.register("system", "mine", "first")
    assert fresh.list("system") == sorted(built_in("system"))

    with fresh.run():
        fresh.register("system", "mine", SECOND)
        with fresh.run():
            assert fresh.added("system") == ()
            fresh.register("system", "mine", "third")
        assert fresh.get("system", "mine") == SECOND
    assert fresh.added("system") == ()


def test_a_run_sees_what_the_process_registered_and_may_replace_it_for_itself(fresh):
    fresh.register("system", "mine", "of the process")
    with fresh.run():
        assert fresh.get("system", "mine") == "of the process"
        with pytest.raises(DuplicateNameError):
            fresh.register("system", "mine", "of the run")
        fresh.register("system", "mine", "of the run", replace=True)
        assert fresh.get("system", "mine") == "of the run"

    assert fresh.get("system", "mine") == "of the process"


def test_a_run_that_fails_ends_as_well(fresh):
    def fail():
        with fresh.run():
            fresh.register("system", "mine", "thing")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert fresh.added("system") == ()
    fresh.register("system", "mine", "thing")


@pytest.mark.parametrize("replace", [False, True], ids=["new", "replaced"])
def test_sealed_kinds_take_no_more_in_that_run(fresh, replace):
    with fresh.run():
        fresh.seal({"metric"})
        fresh.seal(["evaluator"])
        for kind in ("metric", "evaluator"):
            with pytest.raises(
                RegisteredLateError, match=f"^{kind} 'late' is registered too late: the process"
            ):
                fresh.register(kind, "late", Thing(), replace=replace)
        fresh.register("system", "early enough", Thing())

        with fresh.run():
            fresh.register("metric", "another run", Thing())

    fresh.register("metric", "late", Thing())


def test_only_kinds_can_be_sealed(fresh):
    with fresh.run(), pytest.raises(UnknownNameError, match="unknown kind 'metrics': did you mean 'metric'"):
        fresh.seal({"metrics"})


@pytest.mark.usefixtures("run")
def test_a_registered_data_set_is_loaded_by_its_name():
    register_dataset("tickets", load_three)

    assert load_dataset("tickets") == [{"id": index, "dataset": "tickets"} for index in range(3)]
    assert load_dataset("tickets", n=2) == load_dataset("tickets")[:2]


@pytest.mark.usefixtures("run")
def test_a_data_set_is_registered_again_only_to_replace_it():
    register_dataset("tickets", load_three)
    with pytest.raises(DuplicateNameError, match=r"^two data sets are named 'tickets'"):
        register_dataset("tickets", lambda: [{"id": "new"}])
    register_dataset("tickets", lambda: [{"id": "new"}], replace=True)

    assert load_dataset("tickets") == [{"id": "new", "dataset": "tickets"}]


def test_fifty_examples_are_loaded_unless_told_otherwise():
    assert [each["id"] for each in load_dataset("needle:json-1k")] == list(range(50))
    assert [each["id"] for each in load_dataset("needle:json-1k", n=3)] == [0, 1, 2]


def test_a_path_is_loaded_like_a_name(tmp_path):
    path = tmp_path / "tickets.jsonl"
    path.write_text('{"id": 1}\n\n{"id": 2}\n{"id": 3}\n')

    assert load_dataset(str(path), n=2) == [{"id": 1, "dataset": "tickets"}, {"id": 2, "dataset": "tickets"}]
    assert load_dataset(path, n=None)[-1] == {"id": 3, "dataset": "tickets"}


@pytest.mark.usefixtures("run")
def test_keywords_go_to_the_loader_whatever_their_names():
    seen = []

    def load(n=None, seed=None, *, dataset="x", **others):
        seen.append((n, seed, dataset, others))
        return [{"id": 1}]

    register_dataset("tickets", load)
    load_dataset("tickets", seed=7, dataset="d", config="c", options={"a": 1})

    assert seen == [(50, 7, "d", {"config": "c", "options": {"a": 1}})]


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("name", ["tickets", "needle", "file"])
def test_a_keyword_that_nothing_takes_is_refused(tmp_path, name):
    path = tmp_path / "tickets.jsonl"
    path.write_text('{"id": 1}\n')
    register_dataset("tickets", lambda n, language="en": [{"id": language}] * n)
    name = str(path) if name == "file" else name
    with pytest.raises(UnknownNameError) as caught:
        load_dataset(name, n=1, langauge="de")

    choices = "did you mean 'language'?" if name == "tickets" else "there are none"
    assert str(caught.value) == f"unknown option of data set {name!r}: 'langauge': {choices}"
