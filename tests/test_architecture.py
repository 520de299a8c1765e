"""Modules import from their own layer or lower, and only the edges know pytest."""

import ast
from pathlib import Path

import pytest_context_bench

PACKAGE = f"{pytest_context_bench.__name__}."
ROOT = Path(pytest_context_bench.__file__).parent
LAYERS = """\
errors protocols plain redact rows flat excerpt blame
scoring tokens vocabulary stats fields outputs chat sandbox
datasets systems evaluators metrics bounds gates population results terms comparison \
regression pairing paired_figures must_pass judgement differences
registry catalog pipeline notes merging history plan runner records baselines cache calls reports
plugin options readers __main__ hookspecs session suite marker cases pair fixtures \
recorder caller ahead readiness collection conclusion closing junit zero_code \
run_gates run_verdicts run_baseline run_systems named_judge cli
""".splitlines()
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in ROOT.rglob("*.py")
    if path != ROOT / "__init__.py"  # what users import; it loads each name from its home on first use
}


def layer(module):
    """Return the layer of a module, or of the package that it is in; a new one belongs in the table."""
    top = module.split(".")[0]
    (found,) = [n for n, names in enumerate(LAYERS) if top in names.split()] or [f"{top} is in no layer"]
    return found


def imports(module):
    """Yield what a module imports, within functions and for types too."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.level == 1, f"{module}: a relative import stays in its own package"
            assert "." in module, f"{module}: the layers have no package of their own"
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from [name for name in names if name.removeprefix(PACKAGE) in MODULES] or [node.module]


def test_every_module_has_its_layer():
    assert {module: layer(module) for module in MODULES if not isinstance(layer(module), int)} == {}


def test_no_module_imports_from_a_higher_layer():
    own = [
        (module, name.removeprefix(PACKAGE))
        for module in MODULES
        for name in imports(module)
        if PACKAGE in name
    ]

    assert len(own) > 200
    assert [(module, name) for module, name in own if layer(name) > layer(module)] == []


def test_only_the_edges_import_pytest():
    foreign = [(module, name.split(".")[0]) for module in MODULES for name in imports(module)]

    layers = {layer(module) for module, name in foreign if name in ("pytest", "_pytest")}
    assert layers == {len(LAYERS) - 1}
