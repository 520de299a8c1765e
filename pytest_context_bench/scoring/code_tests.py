"""The tests of an example as code to run: HumanEval's `check(candidate)`, or statements such as MBPP's.

Tests come from a data set, not from a model, and so are compiled here: what is wrong with them is an error,
never a failed answer.
"""

import ast
import builtins
import re
import sys
from importlib.util import find_spec

from pytest_context_bench.errors import InvalidValueError

_CHECK = "check"
_CALL = re.compile(r"(?<![.\w])([^\W\d]\w*)[ \t]*\(")
_NAME = re.compile(r"[^\W\d]\w*")
_DEFINITIONS = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Pass),
)
# An answer may have a `check` of its own, and mean that one.
_RUN_CHECK = """\
import sys as _sys
_context_bench_check, check = check, getattr(_sys.modules[__name__], "check", check)
_context_bench_check({candidate})
"""


def as_code(test: str, entry_point: str | None, where: str = "test") -> list[str]:
    """Return what to run, in turn, to test *entry_point*, which may be any expression.

    Raises InvalidValueError for what tests nothing.
    """
    module = _parsed(test, where)
    _refuse_missing_modules(module, where)
    code = [*_forgotten_imports(module), test]
    if not any(_is_check(statement) for statement in module.body):
        if all(_only_defines(statement) for statement in module.body):
            raise InvalidValueError(
                where, _start(test), f"a test: it has no {_CHECK}(candidate), nor runs anything"
            )
        return code
    if entry_point:
        return [*code, _RUN_CHECK.format(candidate=_expression(entry_point))]
    if all(_only_defines(statement) for statement in module.body):
        raise InvalidValueError(
            "entry_point", entry_point, f"the name of what {_CHECK}(candidate) is to test"
        )
    return code


def tested_names(tests: str, entry_point: str | None) -> list[str]:
    """Return the names that an answer is to define: the entry point's, else those that only *tests* know."""
    if entry_point:
        return _NAME.findall(entry_point)[:1]
    return sorted(set(_CALL.findall(tests)) - set(dir(builtins)))


def _parsed(code: str, where: str) -> ast.Module:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InvalidValueError(where, _start(code), f"Python ({error})") from error


def _expression(entry_point: str) -> str:
    try:
        ast.parse(entry_point, mode="eval")
    except (SyntaxError, ValueError) as error:
        raise InvalidValueError("entry_point", entry_point, "a name or an expression") from error
    return entry_point


def _start(code: str) -> str:
    return code.strip()[:60]


def _forgotten_imports(module: ast.Module) -> list[str]:
    """Return code that imports the standard modules that a test uses and nobody has imported."""
    nodes = list(ast.walk(module))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    used = {
        node.value.id
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    return [
        f"try: {name}\nexcept NameError: import {name}"
        for name in sorted((used - bound) & sys.stdlib_module_names)
    ]


def _refuse_missing_modules(module: ast.Module, where: str) -> None:
    """Raise InvalidValueError for a module that is not installed: without it every answer would fail."""
    for statement in module.body:
        for name in _imported(statement):
            if name not in sys.modules and find_spec(name) is None:
                raise InvalidValueError(where, f"import {name}", "a module that is installed here")


def _imported(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.ImportFrom):
        return [(statement.module or "").partition(".")[0]] if not statement.level else []
    names = statement.names if isinstance(statement, ast.Import) else []
    return [alias.name.partition(".")[0] for alias in names]


def _is_check(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef) and statement.name == _CHECK


def _only_defines(statement: ast.stmt) -> bool:
    text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return text or isinstance(statement, _DEFINITIONS)
