"""Function calls against those that are right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.fields import response
from pytest_context_bench.protocols import Example, Scores

if TYPE_CHECKING:
    from pytest_context_bench.scoring.tool_calls.call import Call
    from pytest_context_bench.scoring.tool_calls.schemas import Function

_REPORTED = "tool_calls"


@dataclass(frozen=True)
class ToolCallMatch:
    """Whether the calls made are the `expected_calls`, in any order, by the rules of BFCL's official checker.

    Calls are those of the output's `tool_calls`, else of its `metadata`, else those in the response. What
    types parameters have is told by `functions`, else by `tools`, of the `language` where that is Java or
    JavaScript. Where no call is expected, none is right.
    """

    name: str = "tool_call_match"
    fields: ClassVar[Sequence[str]] = ("expected_calls",)

    def score(self, original: Example, processed: Example) -> Scores:
        """Give `tool_call_match`, 0 or 1; nothing without `expected_calls`."""
        from pytest_context_bench.scoring.tool_calls.expected import read_expected
        from pytest_context_bench.scoring.tool_calls.verdict import is_right

        gold = expected_calls(original)
        if gold is None:
            return {}
        functions = _functions(original)
        calls = _calls(original, processed, functions)
        answered = bool(calls) or not _is_context(processed)
        right = is_right(calls, read_expected(gold, functions), functions)
        return {"tool_call_match": float(answered and right)}

    def notes(self, original: Example, processed: Example) -> dict[str, int]:
        """Give `tool_calls_read`: how many calls were found in what the system said."""
        if expected_calls(original) is None:
            return {}
        return {"tool_calls_read": len(_calls(original, processed, _functions(original)))}


def expected_calls(example: Example) -> Any:
    """Return the calls that are right, as *example* has them; None where it does not say."""
    gold: Any = example.get("expected_calls")
    gold = gold.tolist() if hasattr(gold, "tolist") else gold  # pandas holds a list as an array
    return None if isinstance(gold, float) else gold  # and NaN in place of null


def _functions(example: Example) -> "dict[str, Function]":
    from pytest_context_bench.scoring.tool_calls.schemas import LANGUAGES, read_functions

    documents = example.get("functions")
    language = example.get("language")
    return read_functions(
        example.get("tools") if documents is None else documents, language if language in LANGUAGES else ""
    )


def _calls(original: Example, processed: Example, functions: "Mapping[str, Function]") -> "list[Call]":
    from pytest_context_bench.scoring.tool_calls.replies import Reading
    from pytest_context_bench.scoring.tool_calls.schemas import LANGUAGES
    from pytest_context_bench.scoring.tool_calls.structures import reported_calls

    for given, made in ((original, processed), (_metadata(original), _metadata(processed))):
        reported = made.get(_REPORTED)
        if reported and reported != given.get(_REPORTED):  # else it is not the system that made them
            return reported_calls(_checked(reported))
    in_sources = original.get("language") in LANGUAGES
    return Reading.of(functions, sources=in_sources).calls(response(processed))


def _metadata(example: Example) -> Mapping[str, Any]:
    found = example.get("metadata")
    return found if isinstance(found, Mapping) else {}


def _checked(reported: Any) -> Any:
    if not isinstance(reported, list | tuple | Mapping):
        raise InvalidValueError(_REPORTED, reported, "a list of calls")
    return reported


def _is_context(processed: Example) -> bool:
    """Whether a context stands for a response: a system that gives none does not decide to call nothing."""
    return bool(processed.get("context")) and response(processed) == processed["context"]
