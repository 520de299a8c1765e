"""The mappings on the publishers' own rows: every gold is the official one, and nothing is lost."""

import json
import re

import pytest
from shared import shared_json, shared_lines, shared_path

from pytest_context_bench.datasets.mapping import identified
from pytest_context_bench.datasets.records import Place, Rows
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.evaluators import ToolCallMatch
from pytest_context_bench.evaluators.judge_prompt import TEMPLATE, judge_prompt


def mapped(name, records, config=None):
    """Return the examples of *records*, laid out as the hub has them."""
    ids, read = identified(name, Rows(records, Place(name, config, "test")), BUILT_IN[name].mapping, None)
    assert len(set(map(str, ids))) == len(records)
    return [read(index) for index in range(len(ids))]


def prompt(example):
    return f"{example.get('context', '')}\n{example['question']}"


def test_gsm8k():
    records = shared_lines("data/gsm8k_test.jsonl")

    examples = mapped("gsm8k", records)

    # the publisher's own pattern, and its removal of commas
    official = [
        re.search(r"#### (\-?[0-9\.\,]+)", record["answer"])[1].replace(",", "") for record in records
    ]
    assert [example["answer"] for example in examples] == official
    assert [example["question"] for example in examples] == [record["question"] for record in records]
    assert len(examples) == BUILT_IN["gsm8k"].size


def test_math():
    records = shared_lines("data/math500.jsonl")

    examples = mapped("math", records)

    assert [example["answer"] for example in examples] == [record["answer"] for record in records]
    assert all(record["solution"] not in prompt(one) for one, record in zip(examples, records, strict=True))
    assert len(examples) == BUILT_IN["math"].size


def test_natural_questions():
    records = shared_lines("data/nq_open_dev.jsonl")

    examples = mapped("natural-questions", records)

    assert [set(example["answer"]) for example in examples] == [set(record["answer"]) for record in records]
    assert len(examples) == BUILT_IN["natural-questions"].size


def test_hotpotqa():
    published = shared_json("data/hotpotqa_100.json")
    records = [
        {
            **record,
            "id": record["_id"],
            "context": {
                "title": [title for title, _ in record["context"]],
                "sentences": [sentences for _, sentences in record["context"]],
            },
        }
        for record in published
    ]

    examples = mapped("hotpotqa", records)

    assert [example["answer"] for example in examples] == [record["answer"] for record in published]
    for example, record in zip(examples, published, strict=True):
        texts = [text for title, sentences in record["context"] for text in (title, *sentences)]
        assert all(text in example["context"] for text in texts)
        assert len(example["context"]) == sum(map(len, texts)) + 3 * len(record["context"]) - 2


def squad():
    """Return the published questions, laid out as the hub has them, and whether each has no answer.

    An id that the sample repeats is told from the first.
    """
    asked = [
        (paragraph["context"], qa)
        for article in shared_json("data/squad2_sample.json")["data"]
        for paragraph in article["paragraphs"]
        for qa in paragraph["qas"]
    ]
    records = [
        {
            "id": f"{place}-{qa['id']}",
            "context": context,
            "question": qa["question"],
            "answers": {"text": [answer["text"] for answer in qa["answers"]]},
        }
        for place, (context, qa) in enumerate(asked)
    ]
    return records, [qa["is_impossible"] for _, qa in asked]


def test_squad():
    records, impossible = squad()
    records = [record for record, none in zip(records, impossible, strict=True) if not none]

    examples = mapped("squad", records)

    assert all(
        set(one["answer"]) == set(r["answers"]["text"]) for one, r in zip(examples, records, strict=True)
    )
    assert all(gold in one["context"] for one in examples for gold in one["answer"])


def test_squad_v2():
    records, impossible = squad()
    evaluator = BUILT_IN["squad-v2"].evaluators[0]

    examples = mapped("squad-v2", records)

    assert set(impossible) == {True, False}
    for example, record, none in zip(examples, records, impossible, strict=True):
        official = record["answers"]["text"] or [""]  # as evaluate-v2.0.py reads them
        assert set(official) == set(example["answer"]) - {"unanswerable"}
        for response in ("", "unanswerable", *official):
            right = response in official or (none and response == "unanswerable")
            scores = evaluator.score(example, {"response": response})
            assert scores["exact_match"] == scores["f1"] == float(right)


def test_musique():
    records = shared_json("data/musique_100.json")

    examples = mapped("musique", records)

    assert [example["answer"] for example in examples] == [
        list(dict.fromkeys([record["answer"], *record["answer_aliases"]])) for record in records
    ]
    for example, record in zip(examples, records, strict=True):
        assert all(part["paragraph_text"] in example["context"] for part in record["paragraphs"])
        assert all(part["title"] in example["context"] for part in record["paragraphs"])


def test_mmlu():
    published = shared_lines("data/mmlu_stem.jsonl")
    records = [{**record, "subject": record["type"]} for record in published]

    examples = mapped("mmlu", records)

    right = ["ABCD".index(example["correct_letter"]) for example in examples]
    assert right == [record["answer"] for record in published]
    for example, record in zip(examples, published, strict=True):
        assert example["choices"] == record["choices"]
        lines = [f"{letter}. {text}" for letter, text in zip("ABCD", record["choices"], strict=True)]
        assert example["question"] == "\n".join([record["question"], "", *lines])


def test_drop():
    published = shared_json("data/drop_sample.json")
    pairs = [(one["passage"], pair) for one in published.values() for pair in one["qa_pairs"]]
    records = [
        {
            "passage": passage,
            "question": pair["question"],
            "query_id": pair["query_id"],
            "answer": pair["answer"],
            "validated_answers": pair.get("validated_answers", []),
        }
        for passage, pair in pairs
    ]

    examples = mapped("drop", records)

    assert [[one["context"], one["question"]] for one in examples] == [
        [passage, pair["question"]] for passage, pair in pairs
    ]
    for example, (_, pair) in zip(examples, pairs, strict=True):
        annotated = [pair["answer"], *pair.get("validated_answers", [])]
        spans = {tuple([one["number"]] if one["number"] else one["spans"]) for one in annotated}
        dates = {(" ".join(map(str, one["date"].values())).strip(),) for one in annotated if one["date"]}
        given = {(gold,) if isinstance(gold, str) else tuple(gold) for gold in example["answer"]}
        assert given == (spans | dates) - {(), ("",)}
        scores = BUILT_IN["drop"].evaluators[0].score(example, {"response": ", ".join(max(given))})
        assert scores["f1"] == 1.0


@pytest.mark.parametrize("language", ["de", "en", "ja", "th"])
def test_mgsm(language):
    lines = shared_path(f"data/mgsm_{language}.tsv").read_text(encoding="utf-8").split("\n")
    published = [line.split("\t") for line in lines if line]
    records = [
        {"question": question, "answer": None, "answer_number": int(answer.replace(",", ""))}
        for question, answer in published
    ]

    examples = mapped("mgsm", records, language)

    assert [one["question"] for one in examples] == [question for question, _ in published]
    assert len(examples) == BUILT_IN["mgsm"].size
    for example, (_, answer) in zip(examples, published, strict=True):
        (math,) = BUILT_IN["mgsm"].evaluators
        assert math.score(example, {"response": f"Answer: {answer}"}) == {"math_equiv": 1.0}


@pytest.mark.parametrize(
    ("task", "size"),
    [
        ("boolean_expressions", 250),
        ("causal_judgement", 187),
        ("date_understanding", 250),
        ("dyck_languages", 250),
        ("multistep_arithmetic_two", 250),
        ("navigate", 250),
        ("sports_understanding", 250),
        ("word_sorting", 250),
    ],
)
def test_bbh(task, size):
    records = shared_json(f"data/bbh_{task}.json")["examples"]

    examples = mapped("bbh", records, task)

    assert [one["question"] for one in examples] == [record["input"] for record in records]
    assert len(examples) == size
    letters = [f"({one['correct_letter']})" if "choices" in one else one["answer"] for one in examples]
    assert letters == [record["target"] for record in records]
    for example in examples:
        assert ("choices" in example) == (task == "date_understanding")
        options = zip("ABCDEF", example.get("choices", []), strict=False)
        shown = "\n".join(f"({letter}) {text}" for letter, text in options)
        assert example["question"].endswith(shown)


@pytest.mark.parametrize(
    "task",
    ["boolean_expressions", "causal_judgement", "date_understanding", "dyck_languages", "word_sorting"],
)
def test_the_target_of_bbh_scores_one_and_another_nothing(task):
    records = shared_json(f"data/bbh_{task}.json")["examples"]
    targets = [record["target"] for record in records]
    others = [next(each for each in targets if each != target) for target in targets]

    for example, target, other in zip(mapped("bbh", records, task), targets, others, strict=True):
        scores = [
            scored
            for text in (target, f"So the answer is {target}.", f"So the answer is {other}.")
            for one in BUILT_IN["bbh"].evaluators
            if (scored := list(one.score(example, {"response": text}).values()))
        ]
        assert scores == [[1.0], [1.0], [0.0]]


def test_humaneval():
    records = shared_lines("data/humaneval.jsonl")

    examples = mapped("humaneval", records)

    fields = ("prompt", "test", "entry_point")
    assert [[one[field] for field in fields] for one in examples] == [
        [record[field] for field in fields] for record in records
    ]
    for example, record in zip(examples, records, strict=True):
        assert record["canonical_solution"].strip() not in prompt(example)
        assert record["test"].strip() not in prompt(example)
    assert len(examples) == BUILT_IN["humaneval"].size


def test_ifeval():
    records = shared_lines("data/ifeval_input_data.jsonl")

    examples = mapped("ifeval", records)

    fields = ("prompt", "instruction_id_list", "kwargs")
    assert [[one[field] for field in fields] for one in examples] == [
        [record[field] for field in fields] for record in records
    ]
    assert len(examples) == BUILT_IN["ifeval"].size


@pytest.mark.parametrize(("config", "task"), [("full", "text"), ("sanitized", "prompt")])
def test_mbpp(config, task):
    published = shared_lines("data/mbpp_sanitized.jsonl")  # of CodeT: a docstring and check(candidate)
    records = [
        {
            "task_id": int(record["task_id"].rpartition("/")[2]),
            task: record["prompt"],
            "code": record["canonical_solution"],
            "test_list": re.findall(r"assert .*", record["test"].replace("candidate", record["entry_point"])),
            "test_setup_code": "",
            "test_imports": [],
        }
        for record in published
    ]

    examples = mapped("mbpp", records, config)

    assert [example["test_list"] for example in examples] == [record["test_list"] for record in records]
    assert all(example["test_list"] for example in examples)
    shown = [record["code"].strip() in prompt(one) for one, record in zip(examples, records, strict=True)]
    assert not any(shown)


def test_qmsum():
    meetings = shared_lines("data/qmsum_val.jsonl")
    asked = [
        (f"va-{kind[0]}q-{number}-{place}", one, meeting)
        for number, meeting in enumerate(meetings)
        for kind in ("general", "specific")
        for place, one in enumerate(meeting[f"{kind}_query_list"])
    ]
    said = {
        id(meeting): "\n".join(
            f"{turn['speaker']}: {turn['content']}" for turn in meeting["meeting_transcripts"]
        )
        for meeting in meetings
    }
    records = [  # as SCROLLS has them
        {
            "id": name,
            "pid": f"{name}_0",
            "input": f"{one['query']}\n\n{said[id(meeting)]}",
            "output": one["answer"],
        }
        for name, one, meeting in asked
    ]

    examples = mapped("qmsum", records)

    assert [example["answer"] for example in examples] == [[one["answer"]] for _, one, _ in asked]
    assert [example["question"] for example in examples] == [one["query"] for _, one, _ in asked]
    assert [example["context"] for example in examples] == [said[id(meeting)] for _, _, meeting in asked]
    assert not any(example["answer"][0] in prompt(example) for example in examples)
    assert len(examples) == BUILT_IN["qmsum"].size


@pytest.mark.parametrize("by", ["the authors", "GPT-4"])
def test_mt_bench(by):
    published = shared_lines("data/mt_bench_questions.jsonl")
    if by == "GPT-4":
        answered = shared_lines("data/mt_bench_reference_gpt4.jsonl")
        known = {record["question_id"]: record["choices"][0]["turns"] for record in answered}
    else:
        known = {record["question_id"]: record.get("reference", []) for record in published}
    records = [
        {
            "prompt": record["turns"],
            "prompt_id": record["question_id"],
            "category": record["category"],
            "reference": known.get(record["question_id"], []),
        }
        for record in published
    ]

    examples = mapped("mt-bench", records)

    assert len(examples) == BUILT_IN["mt-bench"].size
    assert [{**example, "reference": None} for example in examples] == [
        {**example, "reference": None}
        for example in mapped("mt-bench", [{**record, "reference": []} for record in records])
    ]
    for example, record in zip(examples, records, strict=True):
        assert [(turn["role"], turn["content"]) for turn in example["turns"]] == [
            ("user", text) for text in record["prompt"]
        ]
        given = [(number, text) for number, text in enumerate(record["reference"], 1) if text]
        output = {"turn_responses": ["first reply", "second reply"]}
        shown = judge_prompt(TEMPLATE, example, output, use_reference=True)
        assert [f"[to turn {number}]\n{text}" in shown for number, text in given] == [True] * len(given)
        assert ("<reference>" in shown) == bool(given)


BFCL = {"multiple": 200, "live_simple": 258}


def bfcl(config):
    """Return the published rows of *config*, and the examples of them."""
    golds = {row["id"]: row for row in shared_lines(f"data/bfcl_v4_{config}_answers.json")}
    records = [{**golds[row["id"]], **row} for row in shared_lines(f"data/bfcl_v4_{config}.json")]
    return records, mapped("bfcl", records, config)


@pytest.mark.parametrize("config", BFCL)
def test_bfcl(config):
    records, examples = bfcl(config)

    assert len(examples) == BFCL[config]
    assert [one["expected_calls"] for one in examples] == [record["ground_truth"] for record in records]
    for example, record in zip(examples, records, strict=True):
        assert json.loads(example["context"]) == example["functions"] == record["function"]
        assert all(message["content"] in example["question"] for message in record["question"][0])
        sent = prompt(example) + json.dumps(example["tools"])
        assert all(json.dumps(call) not in sent for call in record["ground_truth"])
        names = [one["function"]["name"] for one in example["tools"]]
        assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in names)
        assert kinds(example["tools"]) <= {"string", "integer", "number", "boolean", "array", "object"}


def kinds(schema):
    """Return the types that *schema*, or a list of them, names for values."""
    if isinstance(schema, list):
        return {kind for one in schema for kind in kinds(one)}
    if not isinstance(schema, dict):
        return set()
    inner = [schema.get("function"), schema.get("parameters"), schema.get("items")]
    inner += list((schema.get("properties") or {}).values())
    own = {schema["type"]} - {"function"} if "type" in schema else set()
    return own | {kind for one in inner for kind in kinds(one)}


def calls_of(example):
    """Return calls that are right: of each parameter that must be given the first value allowed."""
    required = {one["name"]: one["parameters"]["required"] for one in example["functions"]}
    return [
        (name, {key: first(one) for key, one in allowed.items() if "" not in one or key in required[name]})
        for call in example["expected_calls"]
        for name, allowed in call.items()
    ]


def first(allowed):
    values = [one for one in allowed if one != ""]
    return concrete(values[0]) if values else []


def concrete(value):
    if isinstance(value, dict):
        return {key: first(one) for key, one in value.items() if "" not in one}
    return [concrete(one) for one in value] if isinstance(value, list) else value


def replies(calls):
    """Return ways in which systems give *calls*."""
    objects = [{"name": name, "arguments": arguments} for name, arguments in calls]
    code = [f"{name}({', '.join(f'{k}={v!r}' for k, v in given.items())})" for name, given in calls]
    native = [
        {"type": "function", "function": {"name": name.replace(".", "_"), "arguments": json.dumps(given)}}
        for name, given in calls
    ]
    return {
        "tool calls": {"response": "", "tool_calls": native},
        "metadata": {"response": "I call it.", "metadata": {"tool_calls": native}},
        "JSON": {"response": json.dumps(objects)},
        "fenced": {"response": f"Sure:\n```json\n{json.dumps(objects, indent=2)}\n```\nDone."},
        "prose": {"response": f"I call [1] {json.dumps(objects)} then."},
        "code": {"response": f"[{', '.join(code)}]"},
        "code in prose": {"response": f"It takes [{', '.join(code)}], I think."},
    }


def changed(calls, functions):
    """Yield *calls* with one thing wrong each."""
    [(name, given), *_] = calls
    yield "none", []
    yield "twice", [*calls, calls[0]]
    yield "another function", [(f"{name}x", given)]
    yield "another parameter", [(name, {**given, "no_such_parameter": 1})]
    required = next(one["parameters"]["required"] for one in functions if one["name"] == name)
    for key in required:
        yield f"without {key}", [(name, {other: value for other, value in given.items() if other != key})]
    for key, value in given.items():
        yield f"{key} in a list", [(name, {**given, key: [[value]]})]
        if isinstance(value, str):
            yield f"{key} with more words", [(name, {**given, key: f"{value} and others"})]
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{key} larger", [(name, {**given, key: value + 12345})]
            yield f"{key} as text", [(name, {**given, key: str(value)})]
        if isinstance(value, bool):
            yield f"{key} as a number", [(name, {**given, key: int(value)})]


@pytest.mark.parametrize("config", BFCL)
def test_the_right_calls_of_bfcl_score_1_in_every_form_and_0_with_anything_wrong(config):
    match = ToolCallMatch()
    _, examples = bfcl(config)

    for example in examples:
        calls = calls_of(example)
        for form, output in replies(calls).items():
            score = match.score(example, {**example, **output})
            assert score == {"tool_call_match": 1.0}, (example["id"], form)
        for change, wrong in changed(calls, example["functions"]):
            score = match.score(example, {**example, **replies(wrong)["JSON"]})
            assert score == {"tool_call_match": 0.0}, (example["id"], change)
