"""Compares three systems from Python, without pytest: python examples/compare.py"""

from tabulate import tabulate

from pytest_context_bench import evaluate
from pytest_context_bench.evaluators import AnswerQuality
from pytest_context_bench.systems import Compressor, Extract, Truncate


def first_and_last(context: str) -> str:
    """Keep the first and the last tenth of the context."""
    tenth = len(context) // 10
    return f"{context[:tenth]}\n...\n{context[-tenth:]}"


def main() -> None:
    systems = [Truncate(keep=0.5), Extract(keep=0.5), Compressor(first_and_last, name="ends")]
    result = evaluate(systems, "needle:table", [AnswerQuality()], max_examples=20, progress=False)
    columns = ["mean_score", "compression_ratio", "cost_of_pass", "pareto_rank"]
    lines = [[system, *(figures[column] for column in columns)] for system, figures in result.summary.items()]
    print(tabulate(lines, ["system", *columns], floatfmt=".3f"))


if __name__ == "__main__":
    main()
