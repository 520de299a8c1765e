"""Lists the data sets that are known by name, and shows what is in one."""

import json
import shutil
import sys
from collections.abc import Sequence
from typing import Any

from pytest_context_bench.catalog import open_dataset
from pytest_context_bench.cli import arguments, plugins
from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.spec import Spec
from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.plain import dumps, to_plain
from pytest_context_bench.registry import registry

LONGEST = 300  # characters of a field that are shown
SHOWN = ("max-examples", "seed", "offline")


def main(given: Sequence[str]) -> int:
    """List the data sets, or show the one that *given* names. Raises ContextBenchError."""
    if given and given[0] == "show":
        return _show(given[1:])
    if given and not given[0].startswith("-"):
        raise UnknownNameError("command", f"datasets {given[0]}", ("datasets show",))
    parser = arguments.Parser("context-bench datasets", "List the data sets that are known by name.")
    parser.add_argument("--category", metavar="NAME", help="List those of one category alone.")
    arguments.add_plugins(parser)
    parser.add_argument("--json", action="store_true", help="List them as JSON.")
    found = parser.read(given)
    with registry.run():
        plugins.load(found.plugin or ())
        lines = [_facts(name, registry.get("dataset", name)) for name in _in_order()]
    if found.category is not None:
        categories = {line["category"] for line in lines}
        if found.category not in categories:
            raise UnknownNameError("category", found.category, categories)
        lines = [line for line in lines if line["category"] == found.category]
    sys.stdout.write(f"{dumps(lines, indent=2)}\n" if found.json else _table(lines))
    return 0


def _show(given: Sequence[str]) -> int:
    parser = arguments.Parser("context-bench datasets show", "Show a data set: what is known, and examples.")
    parser.add_argument("dataset", metavar="NAME[:config][@split]|PATH")
    arguments.add(parser, SHOWN)
    arguments.add_plugins(parser)
    parser.add_argument("--json", action="store_true", help="Show everything, uncut, as JSON.")
    found = parser.read(given)
    options = arguments.values(found, SHOWN)
    n = options["max-examples"] or 1
    with registry.run():
        plugins.load(found.plugin or ())
        examples = list(open_dataset(found.dataset, n, options["seed"], offline=options["offline"]))
        name = Spec.parse(found.dataset).name
        known = registry.get("dataset", name) if name in registry.list("dataset") else None
    facts = {} if known is None else {**_facts(name, known), **_parts(known)}
    if found.json:
        sys.stdout.write(f"{dumps(to_plain({**facts, 'examples': examples}), indent=2)}\n")
        return 0
    lines = [f"{key}: {one_line(str(value))}" for key, value in facts.items() if value not in ("", None)]
    for example in examples:
        lines += ["", *(f"{key}: {_cut(value)}" for key, value in example.items())]
    sys.stdout.write("\n".join(lines).lstrip("\n") + "\n")
    return 0


def _in_order() -> list[str]:
    """Return the names of all data sets: those of the table in its order, then what users registered."""
    from pytest_context_bench.datasets.table import BUILT_IN

    return list(dict.fromkeys((*BUILT_IN, *registry.list("dataset"))))


def _facts(name: str, known: Any) -> dict[str, Any]:
    """Return what is known of a data set."""
    if not isinstance(known, Dataset):
        return {"name": name, "category": "registered", "size": None, "evaluators": "", "source": ""}
    return {
        "name": name,
        "category": known.category,
        "size": known.size,
        "evaluators": ", ".join(evaluator.name for evaluator in known.evaluators) or "a judge",
        "source": known.source.repo,
        "primary": known.primary,
        "licence": known.licence,
        "paper": known.paper,
        "note": known.note,
    }


def _parts(known: Any) -> dict[str, Any]:
    """Return the configs and splits of a data set, where its source has several."""
    if not isinstance(known, Dataset):
        return {}
    configs = tuple(getattr(known.source, "configs", ()))
    all_splits = getattr(known.source, "all_splits", tuple)
    splits = tuple(all_splits())
    parts = {"configs": configs, "splits": splits}
    return {name: ", ".join(found) for name, found in parts.items() if len(found) > 1}


def _table(lines: Sequence[dict[str, Any]]) -> str:
    from tabulate import tabulate

    columns = ("name", "category", "size", "evaluators", "source")
    cells = [["" if line[key] is None else str(line[key]) for key in columns] for line in lines]
    table = tabulate(
        [columns, *cells],
        tablefmt="plain",
        disable_numparse=True,
        colalign=["right" if key == "size" else "left" for key in columns],
    )
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None  # piped, it is whole
    return "".join(f"{_fitting(line.rstrip(), width)}\n" for line in table.splitlines())


def _fitting(line: str, width: int | None) -> str:
    return line if width is None or len(line) <= width else f"{line[: width - 1]}…"


def _cut(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(to_plain(value), ensure_ascii=False)
    shown = one_line(text)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}… ({len(text):,} characters)"
