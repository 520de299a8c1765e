"""The documents are true: links, options, commands, tables and outputs are what they say."""

import json
import re
import tomllib

import pytest
import yaml
from documents import Document, documents

from pytest_context_bench import evaluators
from pytest_context_bench.cli import COMMANDS, main
from pytest_context_bench.cli.arguments import Parser
from pytest_context_bench.cli.run import NAMES
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.marker import KEYWORDS
from pytest_context_bench.metrics import default_metrics
from pytest_context_bench.options import BY_NAME, OPTIONS

DOCUMENTS = documents()
README, GATES, NUMBERS, DATASETS, TESTS, COMMAND_LINE = map(
    Document,
    (
        "README.md",
        "docs/gates.md",
        "docs/numbers.md",
        "docs/datasets.md",
        "docs/tests.md",
        "docs/command-line.md",
    ),
)
FLAG = re.compile(r"--context-bench-[a-z][a-z-]*[a-z]")
of_each = pytest.mark.parametrize("document", DOCUMENTS, ids=str)


@of_each
def test_every_link_leads_somewhere(document):
    broken = []
    for link in document.links():
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (document.path.parent / path).resolve() if path else document.path
        known = Document(str(target)).anchors() if anchor and target.suffix == ".md" else {anchor}
        if not target.exists() or anchor not in known:
            broken.append(link)

    assert not broken


def test_every_document_is_found_from_the_readme():
    assert {str(one) for one in DOCUMENTS if str(one).startswith("docs/")} <= set(README.links())


@of_each
def test_every_option_named_exists(document):
    assert set(FLAG.findall(document.text)) <= {option.flag_name for option in OPTIONS}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_is_explained(option):
    rows = re.findall(r"^\| ([^|]*) \|", GATES.text, flags=re.MULTILINE)

    assert any(option.flag_name in FLAG.findall(row) for row in rows)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_the_help_of_an_option_is_one_sentence(option):
    assert re.fullmatch(r"[A-Z][^\n]*\.", option.help)
    assert not re.search(r"[.!?] [A-Z]", option.help)


@pytest.mark.parametrize(
    "name",
    [option.name for option in OPTIONS if option.default not in {None, False, "", ()}],
)
def test_the_help_of_an_option_names_its_default(name):
    assert f"default: {BY_NAME[name].default})" in BY_NAME[name].help


def test_every_keyword_of_the_marker_is_explained():
    section = TESTS.text.partition("## The marker")[2].partition("\n## ")[0]

    assert [word for word in KEYWORDS if not re.search(rf"\b{word}\b", section)] == []


def test_every_option_of_the_command_line_is_named():
    named = set(re.findall(r"`(--[a-z-]+)`", COMMAND_LINE.text))

    assert {f"--{name}" for name in NAMES} <= named


def test_every_command_has_its_section():
    rows = re.findall(r"^\| \[`context-bench ([a-z]+)`\]", COMMAND_LINE.text, flags=re.MULTILINE)

    assert sorted(rows) == sorted(COMMANDS)


class Parsed(BaseException):
    """Ends a command once its arguments are read."""


COMMAND_LINES = [(str(one), words) for one in DOCUMENTS for words in one.commands("context-bench")]
PYTESTS = [(str(one), words) for one in DOCUMENTS for words in one.commands("pytest")]


@pytest.mark.parametrize(
    ("where", "words"), COMMAND_LINES, ids=[f"{at} {' '.join(given)}" for at, given in COMMAND_LINES]
)
def test_every_command_parses(where, words, monkeypatch):
    read = Parser.read

    def parse(parser, arguments):
        raise Parsed(read(parser, arguments))

    monkeypatch.setattr(Parser, "read", parse)
    with pytest.raises(Parsed) as ended:
        main(words)

    for name, given in vars(ended.value.args[0]).items():
        if name in BY_NAME and given is not None:
            for one in given if isinstance(given, list) else [given]:
                BY_NAME[name].flag or BY_NAME[name].read(name, one)


@pytest.mark.parametrize(
    ("where", "words"), PYTESTS, ids=[f"{at} {' '.join(given)}" for at, given in PYTESTS]
)
def test_every_run_has_values_that_its_options_take(where, words):
    words = [part for word in words for part in word.split("=", 1 if word.startswith("--") else 0)]
    for place, word in enumerate(words):
        if word.startswith("--context-bench-"):
            option = BY_NAME[word.removeprefix("--context-bench-")]
            if not option.flag:
                option.read(word, words[place + 1])


def test_there_are_commands_of_both_kinds_to_check():
    assert {where for where, _ in COMMAND_LINES} >= {"README.md", "docs/command-line.md", "docs/cache.md"}
    assert {where for where, _ in PYTESTS} >= {
        "README.md",
        "docs/gates.md",
        "docs/running.md",
        "docs/systems.md",
    }


def line_of(entry):
    """Return what the table of data sets says of one."""
    context = "yes" if entry.context else "no"
    cells = f"`{entry.name}`", entry.category, f"{entry.size:,}", f"`{entry.primary}`", context, entry.licence
    return f"| {' | '.join(cells)} |"


def test_the_table_of_data_sets_is_that_of_the_project():
    section = DATASETS.text.partition("## All by name")[2].partition("\n## ")[0]
    found = [line for line in section.splitlines() if line.startswith("| `")]

    assert found == list(map(line_of, BUILT_IN.values()))


def test_every_score_and_evaluator_is_explained():
    measures = [measure for entry in BUILT_IN.values() for measure in entry.measures.values()]
    scores = {entry.primary for entry in BUILT_IN.values()} | {measure.primary for measure in measures}
    classes = {type(one).__name__ for one in evaluators.BUILT_IN} | {"LLMJudge"}

    assert [name for name in sorted(scores | classes) if f"`{name}`" not in NUMBERS.text] == []


def test_every_figure_is_explained():
    keys = [key for metric in default_metrics() for key in metric.keys]

    assert [key for key in keys if f"`{key.replace('*', 'NAME')}`" not in NUMBERS.text] == []


@of_each
def test_every_block_is_what_it_says(document):
    for code in document.blocks("python"):
        compile(code, str(document), "exec")
    for code in document.blocks("toml"):
        tomllib.loads(code)
    for code in document.blocks("yaml"):
        yaml.safe_load(code)
    for code in document.blocks("json"):
        assert list(map(json.loads, code.splitlines()))


def without_latency(lines):
    return [line.rpartition(" ")[0].rstrip() for line in lines]


def test_the_table_of_the_readme_is_what_its_command_prints(bench, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    (shown,) = README.blocks("")
    printed = bench("--context-bench-dataset", "needle").outlines
    start = printed.index(shown.splitlines()[0])

    assert without_latency(printed[start : start + 6]) == without_latency(shown.splitlines())
