import functools
import gzip
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pytest_context_bench.catalog import find_all, names_file, open_dataset, open_system, open_systems
from pytest_context_bench.datasets.examples import Examples
from pytest_context_bench.errors import ContextBenchError
from pytest_context_bench.evaluators import AnswerQuality
from pytest_context_bench.metrics import MeanScore
from pytest_context_bench.pipeline import process
from pytest_context_bench.registry import registry
from pytest_context_bench.systems import Identity, Truncate

THREE = [{"id": index} for index in range(3)]


@pytest.fixture(autouse=True)
def run():
    """What a test registers ends with it."""
    with registry.run():
        yield registry


@pytest.fixture
def tickets(tmp_path):
    """A file of three examples."""
    path = tmp_path / "tickets.jsonl"
    path.write_text('{"id": 0}\n{"id": 1}\n\n{"id": 2}\n')
    return path


@pytest.fixture
def importable(tmp_path, monkeypatch):
    """Write modules that can be imported while the test lasts."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "modules", dict(sys.modules))

    def write(**modules):
        for name, source in modules.items():
            (tmp_path / f"{name}.py").write_text(source)

    return write


def said(use, *args, **kwargs):
    """Return the one line that says why *use* is refused."""
    with pytest.raises(ContextBenchError) as caught:
        use(*args, **kwargs)

    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


# Data sets


def of_n(n):
    return THREE[:n]


def of_optional_n(n=None):
    return THREE[:n]


def of_nothing():
    return THREE


def of_anything(**options):
    return THREE[: options.get("n")]


def of_positions(*positions):
    assert not positions
    return THREE


def generator(n=2):
    yield from THREE[:n]


def decorated(loader):
    @functools.wraps(loader)
    def inner(*args, **kwargs):
        return loader(*args, **kwargs)

    return inner


class Loader:
    def __call__(self, n=None):
        return tuple(THREE[:n])

    def load(self, n=None):
        return iter(THREE[:n])


LOADERS = {
    "n": of_n,
    "optional n": of_optional_n,
    "nothing": of_nothing,
    "anything": of_anything,
    "positions": of_positions,
    "generator without arguments": lambda: (each for each in THREE),
    "decorated": decorated(of_optional_n),
    "partial": functools.partial(of_optional_n, n=1),
    "object": Loader(),
    "method": Loader().load,
    "map": lambda: map(dict, THREE),
    "lambda of more than wanted": lambda n: THREE,
    "list": THREE,
    "tuple": tuple(THREE),
}


@pytest.mark.parametrize("loader", LOADERS.values(), ids=LOADERS)
def test_a_loader_gives_the_first_n_whether_or_not_it_takes_n(loader):
    registry.register("dataset", "mine", loader)

    assert list(open_dataset("mine", 2)) == [{"id": 0, "dataset": "mine"}, {"id": 1, "dataset": "mine"}]
    assert open_dataset("mine", 2).ids == [0, 1]


@pytest.mark.parametrize("which", ["n", "optional n", "nothing", "anything", "object", "method", "list"])
def test_without_a_limit_a_loader_gives_all(which):
    registry.register("dataset", "mine", LOADERS[which])

    assert open_dataset("mine").ids == [0, 1, 2]
    assert open_dataset("mine", 9).ids == [0, 1, 2]


def test_a_loaders_own_limit_holds_where_none_is_given():
    registry.register("dataset", "mine", generator)

    assert open_dataset("mine").ids == [0, 1]
    assert open_dataset("mine", 3).ids == [0, 1, 2]


def test_a_sample_is_drawn_from_all_that_a_loader_gives():
    registry.register("dataset", "mine", lambda n=None: [{"id": index} for index in range(100)][:n])
    samples = [open_dataset("mine", n, seed=3).ids for n in (5, 20)]

    assert [len(ids) for ids in samples] == [5, 20]
    assert set(samples[0]) < set(samples[1])
    assert max(samples[0]) > 20


@pytest.mark.parametrize("of", [str, Path, lambda path: path], ids=["text", "path", "as it is"])
@pytest.mark.parametrize("how", ["loader", "registered"])
def test_a_registered_file_has_the_name_it_was_given(tickets, of, how):
    path = of(tickets)
    registry.register("dataset", "mine", (lambda n=None: path) if how == "loader" else path)

    assert list(open_dataset("mine", 2)) == [{"id": 0, "dataset": "mine"}, {"id": 1, "dataset": "mine"}]
    assert len(open_dataset("mine")) == 3


def test_a_loader_that_opens_another_data_set_keeps_its_scores():
    registry.register("dataset", "mine", lambda n=None: open_dataset("needle:json-1k", n))
    examples = open_dataset("mine", 2)

    assert (examples.name, len(examples), examples.primary) == ("mine", 2, "contains")
    assert {each["dataset"] for each in examples} == {"mine"}


def leave():
    raise SystemExit(0)


def broken_later():
    yield {"id": 1}
    raise OSError("disk on fire\nand more")


async def load_later():
    return THREE


LOADED = "is not example dicts, or the path of a file of them"
REGISTERED = "is not a loader, a path or a list of example dicts"
BAD_LOADERS = {
    "raises": (lambda: 1 / 0, "its loader failed: ZeroDivisionError: division by zero"),
    "raises in the middle": (broken_later, "its loader failed: OSError: disk on fire and more"),
    "leaves": (leave, "its loader failed: SystemExit: 0"),
    "needs more": (lambda language: language, "its loader failed: TypeError: "),
    "tells no arguments": (max, "its loader failed: TypeError: max expected at least 1 argument, got 0"),
    "async": (load_later, "is not a function that is not async"),
    "nothing": (lambda: None, f"what its loader returned: None {LOADED}"),
    "number": (lambda: 5, f"what its loader returned: 5 {LOADED}"),
    "one dict": (lambda: {"id": 1}, f"what its loader returned: {{'id': 1}} {LOADED}"),
    "bytes": (lambda: b"{}", f"what its loader returned: b'{{}}' {LOADED}"),
    "class": (lambda: dict, f"what its loader returned: <class 'dict'> {LOADED}"),
    "texts": (lambda: ["a"], "data set 'mine', example 0: a str, expected a dict"),
    "pairs": (lambda: [{"id": 1}, ("id", 2)], "data set 'mine', example 1: a tuple, expected a dict"),
    "null within": (lambda: [None], "data set 'mine', example 0: a NoneType, expected a dict"),
    "no examples": (list, "data set 'mine' holds no examples"),
    "one id twice": (lambda: [{"id": 1}, {"id": "1"}], "ids 1 and '1', which are one, at example 0 and at"),
    "a file that is not there": (
        lambda: "no/such.jsonl",
        "no/such.jsonl: no such file: there is no folder 'no'",
    ),
    "an iterator": (iter(THREE), REGISTERED),
    "a number as loader": (5, f"data set 'mine': 5 {REGISTERED}"),
    "null as loader": (None, f"data set 'mine': None {REGISTERED}"),
    "dict as loader": ({"a": 1}, f"data set 'mine': {{'a': 1}} {REGISTERED}"),
}


@pytest.mark.parametrize(("loader", "expected"), BAD_LOADERS.values(), ids=BAD_LOADERS)
def test_a_loader_that_gives_no_examples_is_told_in_one_line(loader, expected):
    registry.register("dataset", "mine", loader)

    assert expected in said(open_dataset, "mine")


def test_a_mistake_that_a_loader_tells_is_not_wrapped(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text("{")
    registry.register("dataset", "mine", lambda: list(open_dataset(path)))

    assert said(open_dataset, "mine").startswith(f"{path}:1: JSON that does not end on its line")


def test_a_config_goes_to_the_loader_that_takes_one():
    registry.register("dataset", "mine", lambda config="none", n=1: [{"id": config}] * n)

    assert list(open_dataset("mine:de:x", 1)) == [{"id": "de:x", "dataset": "mine:de:x"}]
    assert open_dataset("mine", 1).ids == ["none"]


def test_a_config_that_nothing_takes_is_refused(tickets):
    registry.register("dataset", "mine", of_n)
    registry.register("dataset", "file", tickets)

    assert said(open_dataset, "mine:de") == "unknown config of data set 'mine': 'de': there are none"
    assert said(open_dataset, "mine:") == "unknown config of data set 'mine': '': there are none"
    assert said(open_dataset, "file:de") == "unknown config of data set 'file': 'de': there are none"


def test_a_name_with_a_colon_is_found_whole_first():
    registry.register("dataset", "mine", [{"id": "all"}])
    registry.register("dataset", "mine:anatomy", [{"id": "part"}])

    assert list(open_dataset("mine:anatomy")) == [{"id": "part", "dataset": "mine:anatomy"}]


def test_a_registered_name_goes_before_a_file(tickets, monkeypatch):
    monkeypatch.chdir(tickets.parent)
    assert names_file("tickets.jsonl")
    registry.register("dataset", "tickets.jsonl", [{"id": "registered"}])

    assert not names_file("tickets.jsonl")
    assert open_dataset("tickets.jsonl").ids == ["registered"]
    assert open_dataset("./tickets.jsonl").ids == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("needel", "unknown data set 'needel': did you mean 'needle'?"),
        ("", "unknown data set '': expected one of "),
        ("needle:", "unknown needle config '': expected one of "),
        ("needle:jsn", "unknown needle config 'jsn': did you mean 'json'"),
        (
            "data/tickets.txt",
            "data set: 'data/tickets.txt' is not a known name, nor a path that ends in .jsonl, .json",
        ),
        ("tickets.txt", "data set: 'tickets.txt' is not a known name, nor a path that ends in .jsonl, .json"),
        ("x" * 5_000, "unknown data set 'xxx"),
        ("a\0b", "unknown data set 'a\\x00b': expected one of "),
        ("ticket.jsonl", "ticket.jsonl: no such file: did you mean 'tickets.jsonl'?"),
    ],
    ids="{!s:.20}".format,
)
def test_a_name_of_no_data_set_names_what_was_expected(tickets, monkeypatch, name, expected):
    monkeypatch.chdir(tickets.parent)
    tickets.with_suffix(".txt").touch()

    assert said(open_dataset, name)[: len(expected)] == expected


@pytest.mark.parametrize("dataset", [None, 5, object], ids=repr)
def test_what_is_no_data_set_is_refused(dataset):
    assert said(open_dataset, dataset) == (
        f"data set: {dataset!r} is not a name, a path or an iterable of example dicts"
    )


@pytest.mark.parametrize("dataset", [b"{}", {"id": 1}, ["tickets"]], ids=["bytes", "one example", "names"])
def test_what_holds_no_examples_is_refused(dataset):
    assert "expected a dict" in said(open_dataset, dataset)


@pytest.mark.parametrize("of", [list, tuple, iter, lambda examples: (each for each in examples)])
def test_examples_at_hand_are_a_data_set(of):
    assert open_dataset(of(THREE), 2).ids == [0, 1]
    assert open_dataset(of(THREE)).name == ""


def test_an_opened_data_set_is_one():
    examples = open_dataset(THREE)

    assert open_dataset(examples) is examples
    assert open_dataset(examples, 2).ids == [0, 1]


@pytest.mark.parametrize("of", [str, Path], ids=["text", "path"])
def test_a_path_is_a_data_set(tickets, of):
    assert open_dataset(of(tickets), 2).ids == [0, 1]
    packed = tickets.with_suffix(".JSONL.gz")
    packed.write_bytes(gzip.compress(tickets.read_bytes()))
    assert open_dataset(of(packed)).ids == [0, 1, 2]


def test_a_path_object_may_have_any_ending(tickets):
    assert open_dataset(tickets.rename(tickets.with_suffix(".log"))).ids == [0, 1, 2]


@pytest.mark.parametrize("n", [0, -1, 1.0, "1", True], ids=repr)
@pytest.mark.parametrize("seed", [None, 1])
def test_a_limit_is_a_whole_number_from_1_for_every_data_set(tickets, n, seed):
    registry.register("dataset", "mine", of_n)
    for dataset in ("mine", "needle", str(tickets), THREE, open_dataset(THREE)):
        assert said(open_dataset, dataset, n, seed) == (
            f"number of examples: {n!r} is not a whole number of 1 or more"
        )


# Systems

MODULE = """
import os

class Mine:
    name = "own"
    def process(self, example):
        return {"context": "mine"}

class Outer:
    Inner = Mine

instance = Mine()
factory = lambda: Mine()
number = 5

def squeeze(context):
    return "mine"

class Needy:
    def __init__(self, model):
        pass
"""


@pytest.mark.parametrize(
    "attribute", ["Mine", "instance", "factory", "squeeze", "Outer.Inner", "instance.process"]
)
def test_a_reference_is_imported_and_named(importable, attribute):
    importable(my_module=MODULE)
    system = open_system(f"mine=my_module:{attribute}")

    assert system.name == "mine"
    if attribute != "instance.process":  # a function of the context, which it does not know
        assert process(system, {"context": "abc"}).example["context"] == "mine"


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("mine=", "is not NAME=module:attribute, as in mine=my_package.systems:Compressor"),
        ("mine=my_module", "is not NAME=module:attribute"),
        ("mine=my_module:", "is not NAME=module:attribute"),
        ("mine=:Mine", "is not NAME=module:attribute"),
        ("=my_module:Mine", "is not NAME=module:attribute"),
        ("=", "is not NAME=module:attribute"),
        ("mine=no_such_module:Mine", "(ModuleNotFoundError: No module named 'no_such_module'): install it"),
        ("mine=.my_module:Mine", "is not importable (TypeError: the 'package' argument is required"),
        ("mine=raising:Mine", "is not importable (RuntimeError: first second)"),
        ("mine=leaving:Mine", "is not importable (SystemExit: 0)"),
        ("mine=unwritten:Mine", "is not importable (SyntaxError: "),
        ("mine=my_module:mine", "is not importable (AttributeError: no 'mine' there: did you mean 'Mine'"),
        (
            "mine=my_module:Outer.Iner",
            "is not importable (AttributeError: no 'Iner' there: did you mean 'Inner'?",
        ),
        (
            "mine=my_module:Mine:x",
            "is not importable (AttributeError: no 'Mine:x' there: did you mean 'Mine'",
        ),
        ("mine=my_module:number.x", "is not importable (AttributeError: no 'x' there: there are none"),
        ("mine=my_module:number", "system 'mine': 5 is not a system"),
        ("mine=my_module:os", "is not a system"),
        (
            "mine=my_module:Needy",
            "is not one that can be made without arguments (TypeError: Needy.__init__()",
        ),
    ],
)
def test_a_reference_that_leads_nowhere_is_told_in_one_line(importable, reference, expected):
    importable(
        my_module=MODULE,
        raising="raise RuntimeError('first\\nsecond')",
        leaving="import sys; sys.exit(0)",
        unwritten="class Mine",
    )
    text = said(open_system, reference)

    assert expected in text
    assert "mine" in text or reference.startswith("=")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("identiy", "unknown system 'identiy': did you mean 'identity'?"),
        ("mnie", "unknown system 'mnie': did you mean 'mine'?"),
        ("mine:0.5", "unknown system 'mine:0.5': did you mean 'mine'?"),
        ("", "unknown system '': expected one of "),
        ("identity:1", "system 'identity:1': '1' is not an argument of identity, which takes none"),
        ("truncate:2.5", "system 'truncate:2.5': '2.5' is not a share in (0, 1]"),
    ],
)
def test_an_unknown_system_names_the_nearest(name, expected):
    registry.register("system", "mine", Identity())

    assert said(open_system, name)[: len(expected)] == expected


@pytest.mark.parametrize("name", ["mine", "a=b:c", "truncate:0.5", "identity:", "日本"])
def test_a_registered_system_goes_by_its_registered_name(name):
    registry.register("system", name, lambda context: "mine")
    system = open_system(name)

    assert system.name == name
    assert process(system, {"context": "abc"}).example["context"] == "mine"


@pytest.mark.parametrize(
    "several",
    [["identity", "truncate:0.3"], ("identity", Truncate(0.3)), iter([Identity(), "truncate:0.3"])],
    ids=["list", "tuple", "iterator"],
)
def test_several_systems_keep_their_order(several):
    assert [system.name for system in open_systems(several)] == ["identity", "truncate:0.3"]


def test_a_set_of_systems_has_the_same_order_in_every_process():
    names = [f"truncate:{keep}" for keep in range(2, 30)]

    assert [system.name for system in open_systems(set(names))] == sorted(names)
    assert [system.name for system in open_systems(frozenset(map(open_system, names)))] == sorted(names)


class Iterable:
    """A system that can be iterated over as well."""

    name = "iterable"

    def process(self, example):
        return dict(example)

    def __iter__(self):
        return iter(["identity"])


@pytest.mark.parametrize(
    "one", ["identity", Identity(), Identity, Iterable()], ids=["name", "object", "class", "odd"]
)
def test_one_system_is_one(one):
    assert [system.name for system in open_systems(one)] == [getattr(one, "name", "identity")]


@pytest.mark.parametrize("nothing", [[], (), set(), iter([])], ids=["list", "tuple", "set", "iterator"])
def test_no_systems_are_refused(nothing):
    assert said(open_systems, nothing).startswith("systems: ")
    assert said(open_systems, nothing).endswith(" is not one system or more")


@pytest.mark.parametrize(
    "systems",
    [
        ["identity", "identity"],
        ["identity", Identity()],
        [Identity(), "identity=pytest_context_bench.systems:Truncate"],
    ],
)
def test_two_systems_of_one_name_are_refused(systems):
    assert said(open_systems, systems) == "two systems are named 'identity': give each its own name"


# Evaluators and metrics


def test_evaluators_and_metrics_are_found_by_name_or_given():
    registry.register("evaluator", "mine", evaluator := SimpleNamespace(name="mine", score=lambda *_: {}))

    assert find_all("evaluator", ["mine", AnswerQuality()]) == [evaluator, AnswerQuality()]
    assert find_all("evaluator", "answer_quality") == [AnswerQuality()]
    assert find_all("evaluator", AnswerQuality()) == [AnswerQuality()]
    assert find_all("metric", ("mean_score",)) == [MeanScore()]
    assert find_all("metric", []) == []


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        ("evaluator", ["f1"], "unknown evaluator 'f1': expected one of answer_match"),
        (
            "evaluator",
            [AnswerQuality],
            "AnswerQuality'> is not an object with .name and .score(original, processed)",
        ),
        ("evaluator", [MeanScore()], "is not an object with .name and .score(original, processed)"),
        ("evaluator", [lambda a, b: a or b], "is not an object with .name and .score(original, processed)"),
        ("evaluator", [SimpleNamespace(score=print)], "is not an object with .name and .score("),
        ("evaluator", [SimpleNamespace(score=print, name=None)], "is not an object with .name and .score("),
        ("evaluator", None, "evaluator: None is not an object with .name"),
        ("metric", ["mean_scor"], "unknown metric 'mean_scor': did you mean 'mean_score'"),
        ("metric", [AnswerQuality()], "is not an object with .name and .compute(rows)"),
    ],
)
def test_what_is_no_evaluator_or_metric_is_told_in_one_line(kind, given, expected):
    assert expected in said(find_all, kind, given)


def test_a_numpy_array_of_dicts_is_a_data_set():
    assert isinstance(open_dataset(np.array(THREE)), Examples)


# In a run of pytest


def test_a_data_set_that_does_not_open_ends_the_run_in_one_line(pytester, bench):
    (pytester.path / "broken.jsonl").write_text('{"id": 1}\noops\n')
    pytester.makeconftest(
        """
        def pytest_context_bench_register(registry):
            registry.register("dataset", "mine", lambda: "broken.jsonl")
        """
    )
    outcome = bench("--context-bench-dataset=mine")

    assert outcome.ret == pytest.ExitCode.USAGE_ERROR
    outcome.stderr.fnmatch_lines(["ERROR: broken.jsonl:2: not JSON (Expecting value at column 1): 'oops'"])
    assert "Traceback" not in outcome.stdout.str() + outcome.stderr.str()
    assert registry.added("dataset") == ()
