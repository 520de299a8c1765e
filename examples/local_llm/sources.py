"""Texts that are short enough for a small model: three articles, and rows of HotpotQA."""

import json
import os
import re
from pathlib import Path

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("CONTEXT_BENCH_SHARED") or HERE.parents[2] / "shared")
HOTPOTQA = SHARED / "data/hotpotqa_100.json"  # as its authors publish it
LONGEST = 5500  # characters: about 1,500 tokens of the model


def articles():
    for article in json.loads((HERE / "articles.json").read_text(encoding="utf-8")):
        for number, (question, answer) in enumerate(article["questions"], start=1):
            yield {
                "id": f"{article['title']}, {number}",
                "context": article["context"],
                "question": question,
                "answer": answer,
            }


def hotpotqa():
    """Yield the shortest first of the easy rows whose answer stands in their context."""
    rows = json.loads(HOTPOTQA.read_text(encoding="utf-8"))
    examples = [to_example(row) for row in rows if row["level"] == "easy"]
    yield from sorted(filter(readable, examples), key=lambda example: len(example["context"]))


def to_example(row):
    paragraphs = (f"{title}\n{''.join(sentences)}" for title, sentences in row["context"])
    return {
        "id": row["_id"],
        "context": "\n\n".join(paragraphs),
        "question": row["question"].rstrip(" ?") + "?",  # some have none
        "answer": row["answer"],
    }


def readable(example):
    answer = re.escape(example["answer"])
    return len(example["context"]) <= LONGEST and re.search(rf"\b{answer}\b", example["context"])
