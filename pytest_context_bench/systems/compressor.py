"""The system made of a plain function."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from inspect import Parameter
from typing import Any

from pytest_context_bench.errors import InvalidOutputError, InvalidValueError
from pytest_context_bench.protocols import Example, Output
from pytest_context_bench.systems.inputs import context, question

CONTEXT, QUESTION = "context", "question"
# What a parameter of that name is given.
FIELDS = {"context": CONTEXT, "question": QUESTION, "query": QUESTION}
EXPECTED = "a function of (context) or (context, question) that is not async"
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


@dataclass(frozen=True)
class Argument:
    """One argument of a call: the example's *field*, by *keyword* or by position."""

    field: str
    keyword: str | None = None
    optional: bool = False


@dataclass(frozen=True)
class Compressor:
    """Puts the context, alone or with the question, through *fn*, which returns the new context.

    Parameters named `context` and `question` (or `query`) get those; failing such names the first parameter
    gets the context, and a second one without a default the question. Raises InvalidValueError for a *fn*
    that needs more.
    """

    fn: Callable[..., str]
    name: str = ""
    _arguments: tuple[Argument, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or _name(self.fn))
        object.__setattr__(self, "_arguments", _arguments(self.fn))
        if not any(argument.field == CONTEXT for argument in self._arguments):
            raise InvalidValueError(f"compressor {self.name!r}", self.fn, EXPECTED)

    def process(self, example: Example) -> Output:
        """Return the new context; nothing for an example without one.

        Raises InvalidOutputError where *fn* returns no text.
        """
        if not (text := context(example)):
            return {}
        given = self._called({CONTEXT: text, QUESTION: question(example)})
        if not isinstance(given, str):
            problem = f"its function returned {type(given).__name__}, not the new context as text"
            raise InvalidOutputError(self.name, problem)
        return {CONTEXT: given}

    def _called(self, values: dict[str, str | None]) -> object:
        used = [each for each in self._arguments if not each.optional or values[each.field] is not None]
        text = {name: "" if value is None else value for name, value in values.items()}
        positional = [text[each.field] for each in used if each.keyword is None]
        return self.fn(*positional, **{each.keyword: text[each.field] for each in used if each.keyword})


def _name(fn: Any) -> str:
    while isinstance(fn, partial):
        fn = fn.func
    return str(getattr(fn, "__name__", type(fn).__name__))


def _arguments(fn: Any) -> tuple[Argument, ...]:
    """Plan the call of *fn*; empty where it cannot be called with a context and a question alone."""
    if not callable(fn) or any(map(inspect.iscoroutinefunction, (fn, type(fn).__call__))):
        return ()
    try:
        parameters = inspect.signature(fn).parameters.values()
    except ValueError:  # a builtin that does not tell
        return (Argument(CONTEXT),)
    preset = fn.keywords if isinstance(fn, partial) else {}
    free = [each for each in parameters if each.name not in preset]
    fields = _fields(free)
    if any(_is_required(each) and each.name not in fields for each in free):
        return ()
    takes_any = any(each.kind == Parameter.VAR_POSITIONAL for each in free)
    return _planned(free, fields) or ((Argument(CONTEXT),) if takes_any else ())


def _planned(parameters: Iterable[Parameter], fields: Mapping[str, str]) -> tuple[Argument, ...]:
    """Plan by position as far as that is certain: a decorator may pass on nothing else."""
    planned: list[Argument] = []
    by_position = True
    for each in parameters:
        if each.name in fields:
            by_position = by_position and each.kind in _POSITIONAL and _is_required(each)
            keyword = None if by_position or each.kind == Parameter.POSITIONAL_ONLY else each.name
            planned.append(Argument(fields[each.name], keyword, optional=not _is_required(each)))
        else:
            by_position = False
    return tuple(planned)


def _fields(parameters: Iterable[Parameter]) -> dict[str, str]:
    """Return what each of *parameters* is given; the others are left to their defaults."""
    own = [each for each in parameters if each.kind not in _VARIADIC]
    fields = {each.name: FIELDS[each.name] for each in own if each.name in FIELDS}
    unnamed = [each for each in own if each.kind in _POSITIONAL and each.name not in fields]
    if CONTEXT not in fields.values() and unnamed:
        fields[unnamed.pop(0).name] = CONTEXT
    if QUESTION not in fields.values() and unnamed and _is_required(unnamed[0]):
        fields[unnamed[0].name] = QUESTION
    return fields


def _is_required(parameter: Parameter) -> bool:
    return parameter.default is Parameter.empty and parameter.kind not in _VARIADIC
