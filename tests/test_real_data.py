"""The baselines on real questions: what the spine must get right on data that nobody made for it."""

import json

import pytest
from shared import shared_json, shared_lines

from pytest_context_bench import evaluate


def hotpotqa():
    """Return HotpotQA examples: each paragraph under its title."""
    return [
        {
            "id": record["_id"],
            "context": "\n\n".join(
                f"{title}\n{''.join(sentences)}" for title, sentences in record["context"]
            ),
            "question": record["question"],
            "answer": record["answer"],
        }
        for record in shared_json("data/hotpotqa_100.json")
    ]


def musique():
    """Return MuSiQue examples, each answer with its aliases."""
    return [
        {
            "id": record["id"],
            "context": "\n\n".join(
                f"{part['title']}\n{part['paragraph_text']}" for part in record["paragraphs"]
            ),
            "question": record["question"],
            "answer": [record["answer"], *record["answer_aliases"]],
        }
        for record in shared_json("data/musique_100.json")
    ]


@pytest.mark.parametrize("examples", [hotpotqa, musique])
def test_extraction_keeps_clearly_more_answers_than_truncation(examples):
    data = [example for example in examples() if example["answer"] not in ("yes", "no")]

    result = evaluate(["identity", "truncate:0.5", "extract:0.5"], data, progress=False)

    kept = {
        system: sum(row.scores["contains"] for row in result.filter(system=system).rows) / len(data)
        for system in result.summary
    }
    assert kept["extract:0.5"] >= kept["truncate:0.5"] + 0.15
    assert kept["identity"] > 0.9
    assert result.summary["extract:0.5"]["compression_ratio"] == pytest.approx(0.5, abs=0.03)
    assert result.summary["truncate:0.5"]["compression_ratio"] == pytest.approx(0.5, abs=0.03)


def test_every_gold_of_natural_questions_meets_itself(tmp_path):
    records = shared_lines("data/nq_open_dev.jsonl")
    path = tmp_path / "nq.jsonl"
    lines = [json.dumps({"id": n, "context": "", **record}) for n, record in enumerate(records)]
    path.write_text("\n".join(lines), encoding="utf-8")

    class LastGold:
        name = "last-gold"

        def process(self, example):
            return {"response": example["answer"][-1]}

    result = evaluate([LastGold()], path, progress=False)

    assert result.summary["last-gold"]["mean_score"] == 1.0
    assert result.summary["last-gold"]["n"] == len(records)
    assert "compression_ratio" not in result.summary["last-gold"]


def test_a_real_data_set_runs_as_tests(pytester, bench, saved):
    path = pytester.path / "hotpotqa.jsonl"
    path.write_text("\n".join(map(json.dumps, hotpotqa()[:10])), encoding="utf-8")

    outcome = bench(
        f"--context-bench-dataset={path}",
        "--context-bench-score-field=contains",
        "--context-bench-report=json:out.json",
    )

    assert outcome.ret == 0
    assert {row["dataset"] for row in saved()["rows"]} == {"hotpotqa"}
    assert len(saved()["rows"]) == 30
