"""Evaluates three systems on 2,000 examples of 1,000 words, with one package or the other."""

import json
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

EXAMPLES = 2_000
WORDS = 1_000
PHRASE = 10
SCORES = ("f1", "exact_match", "recall")
Example = Mapping[str, Any]


@dataclass(frozen=True)
class Kept:
    """Keeps the part of the context from *start* to *stop*, in shares, and answers if the answer is there."""

    name: str
    start: float
    stop: float

    def process(self, example: Example) -> dict[str, Any]:
        """Return the whole example, as the other package wants it, with its new context and a response."""
        words = example["context"].split(" ")
        context = " ".join(words[int(len(words) * self.start) : int(len(words) * self.stop)])
        response = example["answer"] if example["answer"] in context else "not given"
        return {**example, "context": context, "response": response}


@dataclass(frozen=True)
class PeerQuality:
    """The other package's own figures, which it offers as functions."""

    name: str = "quality"

    def score(self, original: Example, processed: Example) -> dict[str, float]:
        """Score the response against the answer."""
        from context_bench.metrics import quality

        given = processed["response"], original["answer"]
        return {
            "f1": quality.f1_score(*given),
            "exact_match": quality.exact_match(*given),
            "recall": quality.recall_score(*given),
        }


SYSTEMS = (Kept("whole", 0, 1), Kept("first-half", 0, 0.5), Kept("last-half", 0.5, 1))


def examples() -> list[dict[str, Any]]:
    """Return examples of English phrases in random order, one of which holds the answer."""
    from pytest_context_bench.registry import load_dataset

    prose = " ".join(example["context"] for example in load_dataset("needle:16k", 8)).split()
    phrases = [" ".join(prose[at : at + PHRASE]) for at in range(0, len(prose) - PHRASE, PHRASE)]
    chance = random.Random(7)  # noqa: S311 - a benchmark's text, not a secret
    contexts = [chance.choices(phrases, k=WORDS // PHRASE) for _ in range(EXAMPLES)]
    return [
        {"id": number, "context": " ".join(context), "question": "which?", "answer": chance.choice(context)}
        for number, context in enumerate(contexts)
    ]


def by_peer(data: Sequence[Example]) -> Any:
    """Evaluate with context-bench, told what our defaults are."""
    from context_bench import evaluate
    from context_bench.metrics import CompressionRatio, CostOfPass, MeanScore, PassRate
    from context_bench.metrics.token_stats import ParetoRank

    metrics = [PassRate(0.7, "f1"), MeanScore("f1"), CompressionRatio(), CostOfPass(0.7, "f1"), ParetoRank()]
    fields = ["context"]
    return evaluate(SYSTEMS, data, [PeerQuality()], metrics, progress=False, text_fields=fields)


def by_us(data: Sequence[Example]) -> Any:
    """Evaluate with every default."""
    from pytest_context_bench import evaluate

    return evaluate(SYSTEMS, data, progress=False)


def main(side: str) -> None:
    """Print the seconds and what was found, as JSON."""
    data = examples()
    started = time.process_time(), time.perf_counter()
    result = {"peer": by_peer, "ours": by_us}[side](data)
    seconds = time.process_time() - started[0], time.perf_counter() - started[1]
    found = [
        [row.system, row.example_id, row.input_tokens, row.output_tokens, [row.scores[key] for key in SCORES]]
        for row in result.rows
    ]
    print(json.dumps({"cpu": seconds[0], "wall": seconds[1], "found": found}))


if __name__ == "__main__":
    main(sys.argv[1])
