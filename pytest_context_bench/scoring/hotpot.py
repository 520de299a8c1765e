"""HotpotQA answer scoring, after the official `hotpot_evaluate_v1.py`."""

from pytest_context_bench.scoring import squad

_VERDICTS = frozenset({"yes", "no", "noanswer"})


def scores(response: squad.Answer, gold: squad.Answer) -> dict[str, float]:
    """Return the SQuAD figures; F1 and recall are 0 where a yes or no meets anything else."""
    figures = squad.scores(response, gold)
    if response.normal == gold.normal or _VERDICTS.isdisjoint((response.normal, gold.normal)):
        return figures
    return {**figures, "f1": 0.0, "recall": 0.0}
