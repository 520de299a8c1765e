"""Runs benchmarks in every way that pytest can distribute them."""

import json

import pytest

WAYS = {
    "plain": (),
    "n0": ("-n0",),
    "n2": ("-n2",),
    "no-xdist": ("-p", "no:xdist"),
}


@pytest.fixture(params=WAYS.values(), ids=WAYS)
def dist(request):
    """The flags of one way to run tests."""
    return request.param


@pytest.fixture
def bench(pytester, monkeypatch):
    """Run pytest in the test's folder; no option of the outer run shows."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def run(*args):
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *args)

    return run


@pytest.fixture
def saved(pytester):
    """Read a JSON report of the test's folder."""
    return lambda name="out.json": json.loads((pytester.path / name).read_text(encoding="utf-8"))
