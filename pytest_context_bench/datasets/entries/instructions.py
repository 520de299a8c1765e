"""Instructions to follow."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.hub_load import LINES
from pytest_context_bench.datasets.mapping import Map, template
from pytest_context_bench.datasets.mappings import instructions
from pytest_context_bench.evaluators import IFEvalChecker

ENTRIES = (
    Dataset(
        "ifeval",
        Hub(
            "google/IFEval",
            "ifeval_input_data.jsonl",
            split="train",
            revision="966cd89545d6b6acfd7638bc708b98261ca58e84",
            form=LINES,
        ),
        Map(instructions.ifeval, id="{key}"),
        (IFEvalChecker(),),
        primary="ifeval_strict",
        category="instructions",
        size=541,
        licence="Apache-2.0",
        paper="arXiv:2311.07911",
        context=False,
    ),
    Dataset(
        "alpaca-eval",
        Hub(
            "tatsu-lab/alpaca_eval",
            "{config}.json",
            split="eval",
            config="alpaca_eval_gpt4_baseline",
            configs=("alpaca_eval", "alpaca_eval_gpt4_baseline"),
            revision="2955709b93b0e08df511a752a3874b0a89b8910b",
        ),
        template(question="{instruction}", reference="{output}", source="{dataset}"),
        (),
        primary="judge_score",
        category="instructions",
        size=805,
        licence="CC BY-NC 4.0",
        paper="arXiv:2305.14387, arXiv:2404.04475",
        note="needs a judge, to whom the baseline's output is a reference; the paper counts wins against it",
        context=False,
    ),
)
