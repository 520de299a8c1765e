import copy
import pickle
import warnings
from dataclasses import dataclass
from functools import partial, wraps
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock

import pytest

from pytest_context_bench.errors import ContextBenchError
from pytest_context_bench.pipeline import process
from pytest_context_bench.protocols import System
from pytest_context_bench.systems import Compressor
from pytest_context_bench.systems.adapt import as_system


@dataclass
class Upper:
    """Not frozen, so that it has no hash."""

    name: str = "upper"
    end: str = ""

    def process(self, example):
        return {"context": example["context"].upper() + self.end}


class Nameless:
    def process(self, example):
        return {"context": example["context"].upper()}


class Talker(Upper):
    def process_conversation(self, turns):
        return [f"{len(turns)} turns"]


class Callable:
    def __call__(self, context):
        return context.upper()


class Maker:
    def __call__(self):
        return Upper()


class StaticProcess:
    name = "static"

    @staticmethod
    def process(example):
        return {"context": example["context"].upper()}


class Needy:
    def __init__(self, model):
        self.model = model

    def process(self, example):
        return dict(example)


class Leaving:
    def __init__(self):
        raise SystemExit(0)


class Awaited:
    name = "awaited"

    async def process(self, example):
        return dict(example)


class ArgumentLess:
    name = "argument-less"

    def process(self):
        return {}


class TwoArguments:
    name = "two"

    def process(self, example, settings):
        return {**example, **settings}


def upper(context):
    return context.upper()


def make():
    return Upper()


def decorated(function):
    @wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner


def module():
    made = ModuleType("a_module")
    made.process = Nameless().process
    return made


GIVEN = {
    "instance": Upper(),
    "instance without a name": Nameless(),
    "class": Upper,
    "class without a name": Nameless,
    "class of a static method": StaticProcess,
    "factory": make,
    "lambda": lambda: Upper(),  # noqa: PLW0108 - a factory, as users write it
    "decorated factory": decorated(make),
    "factory with its arguments": partial(Upper, "upper", ""),
    "object that makes one": Maker(),
    "factory of a function": lambda: upper,
    "function": upper,
    "decorated function": decorated(upper),
    "builtin": str.upper,
    "object that is called": Callable(),
    "class of such": Callable,
    "function of context and question": lambda context, question: context.upper() + question,
    "function of one argument by any name": lambda text: text.upper(),
    "namespace": SimpleNamespace(process=Nameless().process),
    "module": module(),
    "compressor": Compressor(upper),
}


@pytest.mark.parametrize("candidate", GIVEN.values(), ids=GIVEN)
def test_what_users_hand_over_becomes_a_system_of_the_given_name(candidate):
    system = as_system(candidate, "mine")

    assert system.name == "mine"
    assert isinstance(system, System)
    assert process(system, {"context": "abc"}).example["context"] == "ABC"


@pytest.mark.parametrize(
    ("candidate", "name"),
    [(Upper(), "upper"), (Upper, "upper"), (make, "upper"), (upper, "upper"), (StaticProcess, "static")],
    ids=["instance", "class", "factory", "function", "class of a static method"],
)
def test_without_a_name_a_system_has_its_own(candidate, name):
    assert as_system(candidate).name == name


def test_a_system_under_its_own_name_is_itself():
    system = Upper()

    assert as_system(system) is system
    assert as_system(system, "upper") is system


def test_a_builtin_that_does_not_tell_its_arguments_is_tried():
    assert process(as_system(max, "mine"), {"context": "abc"}).example["context"] == "c"
    assert process(as_system(SimpleNamespace(process=dict), "mine"), {"a": 1}).example["a"] == 1


def test_a_mock_is_a_system():
    mock = MagicMock()
    mock.process.return_value = {"context": "x"}

    assert process(as_system(mock, "mock"), {"context": "abc"}).example["context"] == "x"


def test_a_renamed_system_keeps_what_else_it_can():
    system = as_system(Talker(end="!"), "mine")

    assert system.end == "!"
    conversation = process(system, {"multi_turn": True, "turns": ["a", "b"], "context": ""})
    assert conversation.example["response"] == "2 turns"
    assert not hasattr(as_system(Upper(), "mine"), "process_conversation")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_renamed_system_can_be_copied(copied):
    assert copied(as_system(Upper(), "mine")) == as_system(Upper(), "mine")


EXPECTED = "is not a system: an object with .name and .process(example), its class, a factory, or a function"
REFUSED = {
    "null": (None, f"system 'mine': None {EXPECTED}"),
    "number": (5, f"system 'mine': 5 {EXPECTED}"),
    "dict": ({"name": "x"}, f"system 'mine': {{'name': 'x'}} {EXPECTED}"),
    "class of no system": (dict, f"system 'mine', as made by dict: {{}} {EXPECTED}"),
    "factory of nothing": (lambda: None, f"<lambda>: None {EXPECTED}"),
    "factory of a class": (lambda: Upper, f"Upper'> {EXPECTED}"),
    "factory of a factory": (lambda: make, "is not a function of (context) or (context, question)"),
    "process that is no method": (SimpleNamespace(process="x"), EXPECTED),
    "class with arguments": (
        Needy,
        "Needy'> is not one that can be made without arguments (TypeError: Needy.__init__() missing",
    ),
    "factory that raises": (
        lambda: 1 / 0,
        "is not one that can be made without arguments (ZeroDivisionError: division by zero)",
    ),
    "class that leaves": (Leaving, "is not one that can be made without arguments (SystemExit: 0)"),
    "async function": (
        Awaited().process,
        "is not a function of (context) or (context, question) that is not async",
    ),
    "process without an example": (
        ArgumentLess,
        "is not a method of one example (too many positional arguments)",
    ),
    "process of two arguments": (
        TwoArguments(),
        "is not a method of one example (missing a required argument: 'settings')",
    ),
    "function of three": (lambda a, b, c: a + b + c, "is not a function of (context) or (context, question)"),
}


async def make_later():
    return Upper()


@pytest.mark.parametrize(("candidate", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_system_is_told_in_one_line(candidate, said):
    with pytest.raises(ContextBenchError) as caught:
        as_system(candidate, "mine")

    assert said in str(caught.value)
    assert "'mine'" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_an_async_factory_is_refused_and_not_left_unawaited():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ContextBenchError, match="that is not async"):
            as_system(make_later, "mine")


@pytest.mark.parametrize(
    ("own", "shown"), [(None, "None"), ("", "''"), (5, "5")], ids=["null", "empty", "number"]
)
def test_a_system_without_a_name_says_so(own, shown):
    with pytest.raises(ContextBenchError, match=f"^the name of system Upper: {shown} is not text$"):
        as_system(Upper(own))
    assert as_system(Upper(own), "mine").name == "mine"
