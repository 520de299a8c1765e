from functools import partial, wraps

import pytest

from pytest_context_bench.errors import InvalidOutputError, InvalidValueError
from pytest_context_bench.protocols import System
from pytest_context_bench.systems import Compressor

EXAMPLE = {"context": "C", "question": "Q", "answer": "gold"}


def named(value):
    """Name a parameter alike in every process: a repr may hold an address."""
    return value if isinstance(value, str) else getattr(value, "__name__", type(value).__name__)


def passing_positions_only(fn):
    @wraps(fn)
    def wrapper(*args):
        return fn(*args)

    return wrapper


class Callable:
    def __call__(self, text, question):
        return f"{text}+{question}"

    def method(self, text):
        return f"{text}!"


def of_context(context):
    return f"{context}!"


def of_both(text, about):
    return f"{text}+{about}"


def with_ratio(text, ratio=0.5):
    return f"{text}*{ratio}"


def with_optional_question(text, question="none"):
    return f"{text}+{question}"


def with_question_by_keyword(text, *, ratio=0.5, question):
    return f"{text}+{question}*{ratio}"


def question_first(question, context):
    return f"{context}+{question}"


def query_first(query, passage):
    return f"{passage}+{query}"


def by_position(text, question, /):
    return f"{text}+{question}"


def question_after_ratio(text, ratio=0.5, question=None):
    return f"{text}*{ratio}+{question}"


def anything(*args, **options):
    return f"{args}{options}"


@pytest.mark.parametrize(
    ("fn", "expected"),
    [
        (of_context, "C!"),
        (of_both, "C+Q"),
        (with_ratio, "C*0.5"),
        (partial(with_ratio, ratio=0.1), "C*0.1"),
        (with_optional_question, "C+Q"),
        (partial(with_optional_question, question="mine"), "C+mine"),
        (with_question_by_keyword, "C+Q*0.5"),
        (question_first, "C+Q"),
        (query_first, "C+Q"),
        (by_position, "C+Q"),
        (question_after_ratio, "C*0.5+Q"),
        (passing_positions_only(of_both), "C+Q"),
        (anything, "('C',){}"),
        (Callable(), "C+Q"),
        (Callable().method, "C!"),
        (str.lower, "c"),
        (str, "C"),
        (lambda text: text * 2, "CC"),
    ],
    ids=named,
)
def test_a_function_is_given_what_its_signature_asks_for(fn, expected):
    assert Compressor(fn).process(EXAMPLE) == {"context": expected}


@pytest.mark.parametrize(
    ("fn", "expected"),
    [(of_both, "C+"), (with_optional_question, "C+none"), (question_after_ratio, "C*0.5+None")],
)
def test_without_a_question_a_required_one_is_empty_and_an_optional_one_left_out(fn, expected):
    assert Compressor(fn).process({"context": "C"}) == {"context": expected}


async def asynchronous(context):
    return context


class Asynchronous:
    async def __call__(self, context):
        return context


@pytest.mark.parametrize(
    "fn",
    [
        lambda: "",
        lambda a, b, c: a + b + c,
        lambda context, *, model: context + model,
        lambda **options: str(options),
        lambda question: question,
        asynchronous,
        Asynchronous(),
        "text",
        None,
    ],
    ids=[
        "nothing",
        "three",
        "keyword",
        "any keywords",
        "question alone",
        "async",
        "async object",
        "text",
        "null",
    ],
)
def test_what_cannot_be_called_with_a_context_is_refused_at_once(fn):
    with pytest.raises(InvalidValueError, match=r"a function of \(context\) or \(context, question\)"):
        Compressor(fn)


@pytest.mark.parametrize(
    "value", [None, 3, b"C", ["C"], {"context": "C"}, object()], ids=lambda v: type(v).__name__
)
def test_what_is_no_text_is_refused(value):
    compressor = Compressor(lambda _: value, name="mine")

    with pytest.raises(InvalidOutputError, match=f"system 'mine': .* returned {type(value).__name__}, not"):
        compressor.process(EXAMPLE)


def test_an_error_of_the_function_is_its_own():
    with pytest.raises(ZeroDivisionError):
        Compressor(lambda text: text * (1 // 0)).process(EXAMPLE)


@pytest.mark.parametrize(
    ("fn", "name"),
    [
        (of_both, "of_both"),
        (partial(partial(of_both), about="x"), "of_both"),
        (Callable(), "Callable"),
        (Callable().method, "method"),
        (str.lower, "lower"),
    ],
    ids=named,
)
def test_the_name_is_the_functions(fn, name):
    assert Compressor(fn).name == name
    assert Compressor(fn, name="other").name == "other"


@pytest.mark.parametrize("example", [{}, {"context": None}, {"turns": ["a"]}], ids=str)
def test_an_example_without_context_is_left_alone(example):
    assert Compressor(of_both).process(example) == {}


def test_a_compressor_is_a_system():
    assert isinstance(Compressor(of_both), System)
