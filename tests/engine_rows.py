"""Makes rows for the tests of what folds, judges and reports them."""

from pytest_context_bench.rows import EvalRow


def row(score=None, **values):
    """Return a row with that primary score, whatever else it takes left to defaults."""
    scores = {} if score is None else {"score": score}
    given = {
        "system": "a",
        "example_id": 0,
        "scores": scores,
        "input_tokens": 10,
        "output_tokens": 5,
        **values,
    }
    return EvalRow(**given)


def rows(*scores, **values):
    """Return a row for each score, their ids counted from 0; a text stands for an error of that wording."""
    return [
        row(None if isinstance(score, str) else score, example_id=index, error=_error(score), **values)
        for index, score in enumerate(scores)
    ]


def _error(score):
    return score if isinstance(score, str) else None
