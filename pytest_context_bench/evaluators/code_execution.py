"""Code against its tests, by running it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pytest_context_bench.errors import ExecutionNotAllowedError, InvalidValueError
from pytest_context_bench.fields import response
from pytest_context_bench.protocols import Example, Scores
from pytest_context_bench.sandbox import Limits, Task, run
from pytest_context_bench.scoring import code_tests
from pytest_context_bench.scoring.code import answer_parts, header_in


@dataclass(frozen=True)
class CodeExecution:
    """`pass_at_1`: whether the response is Python that passes the tests of its example.

    Tests are HumanEval's (`test`, `entry_point`, the header to complete in `prompt` or `context`) or MBPP's
    (`test_list`, `test_imports`, `test_setup_code`); without tests there is no score. The code runs in
    `sandbox`, which is containment and not a security boundary, and only if *allow* says that it may.
    """

    allow: bool = False
    limits: Limits = field(default_factory=Limits)
    name: str = "code_execution"
    fields: ClassVar[Sequence[str]] = ("test", "test_list")

    def score(self, original: Example, processed: Example) -> Scores:
        """Run the response of *processed* on the tests of *original*."""
        tests = _tests(original)
        if not tests:
            return {}
        if not self.allow:
            raise ExecutionNotAllowedError
        answer = response(processed)
        return {"pass_at_1": float(bool(answer.strip()) and self._passes(answer, original, tests))}

    def _passes(self, answer: str, example: Example, tests: list[str]) -> bool:
        setup = _setup(example)
        parts = answer_parts(answer, *_asked_for(example))
        outcome = run(Task([[code] for code in setup] + parts, [[code] for code in tests]), self.limits)
        if outcome.parts_done < len(setup):  # only the data set's code has run so far
            failed = setup[outcome.parts_done]
            raise InvalidValueError(
                "test_imports or test_setup_code", failed, f"code that runs here ({outcome.reason})"
            )
        return outcome.passed


def _tests(example: Example) -> list[str]:
    test, listed = _text(example, "test"), _texts(example, "test_list")
    code = code_tests.as_code(test, _text(example, "entry_point")) if test.strip() else []
    return code + (code_tests.as_code("\n".join(listed), None, "test_list") if listed else [])


def _setup(example: Example) -> list[str]:
    return [code for name in ("test_imports", "test_setup_code") for code in _texts(example, name)]


def _asked_for(example: Example) -> tuple[str, list[str]]:
    """Return the header that the response may complete, and the names that it is to define."""
    tests = "\n".join([_text(example, "test"), *_texts(example, "test_list")])
    names = code_tests.tested_names(tests, _text(example, "entry_point"))
    headers = (header_in(_text(example, place), names) for place in ("prompt", "context"))
    return next(filter(None, headers), ""), names


def _texts(example: Example, name: str) -> list[str]:
    value = example.get(name)
    entries = value if isinstance(value, list | tuple) else [value]
    return [code for code in (_code(entry, name) for entry in entries) if code.strip()]


def _text(example: Example, name: str) -> str:
    return _code(example.get(name), name)


def _code(value: Any, name: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidValueError(name, value, "text")
    return value
