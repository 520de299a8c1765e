"""Runs benchmarks in every way that pytest can distribute them."""

import json
import os
import sys

import pytest
from hypothesis import settings
from runs import MODEL

# The same cases in every run: what a test has not met before is for a run that looks for it.
settings.register_profile("settled", derandomize=True, deadline=None, database=None)
settings.load_profile("settled")


WAYS = {
    "plain": (),
    "n0": ("-n0",),
    "n2": ("-n2",),
    "no-xdist": ("-p", "no:xdist"),
}
# Plugins of the development environment, which are slow to import and have no part in this.
WITHOUT = ("-p", "no:hypothesispytest", "-p", "no:anyio")


@pytest.fixture(params=WAYS.values(), ids=WAYS)
def dist(request):
    """The flags of one way to run tests."""
    return request.param


@pytest.fixture(params=[(), ("-n2",)], ids=["plain", "n2"])
def alone_or_not(request):
    """The flags of a run in one process, and of one in two."""
    return request.param


@pytest.fixture(scope="session")
def preloaded():
    """Import once what every run would import anew: pytester forgets what a run in this process imports."""
    import tabulate  # noqa: F401 - see above

    from pytest_context_bench import collection, evaluate, recorder  # noqa: F401 - see above
    from pytest_context_bench.reports import files, terminal  # noqa: F401 - see above

    evaluate(["identity", "truncate", "extract"], "needle:1k", max_examples=1, progress=False)


@pytest.fixture(autouse=True)
def outside_github(monkeypatch):
    """Keep what tests run from writing into the summary of a step of GitHub's."""
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clean(monkeypatch):
    """Keep the outer run's environment from the inner one."""
    monkeypatch.setenv("COLUMNS", "100")
    for name in (
        "PYTEST_ADDOPTS",
        "NO_COLOR",
        "FORCE_COLOR",
        "PY_COLORS",
        "PYTEST_THEME",
        "CI",
        "BUILD_NUMBER",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def bench(preloaded, pytester, clean):
    """Run pytest in the test's folder, in this process; no option of the outer run shows."""

    def run(*args):
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *WITHOUT, *map(str, args))

    return run


@pytest.fixture
def command(pytester, clean):
    """Run pytest in the test's folder, as a command of its own."""

    def run(*args):
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *WITHOUT, *map(str, args))

    return run


@pytest.fixture
def command_line(tmp_path, monkeypatch, capsys):
    """Give a way to run the command line in a folder with nothing but a plugin, `mine`, of some source."""

    def beside(source):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "path", [*sys.path])
        monkeypatch.setenv("COLUMNS", "120")
        (tmp_path / "mine.py").write_text(source)

        def run(*arguments):
            from pytest_context_bench.cli import main

            monkeypatch.delitem(sys.modules, "mine", raising=False)
            code = main([str(argument) for argument in arguments])
            return code, *capsys.readouterr()

        return run

    return beside


@pytest.fixture
def saved(pytester):
    """Read a JSON report of the test's folder."""
    return lambda name="out.json": json.loads((pytester.path / name).read_text(encoding="utf-8"))


@pytest.fixture
def examples(pytester):
    """Write a data set of examples whose contexts are their answers; return its name.

    Their ids are 1 to *count*, or *ids*; *fields* are common to all, those of *odd* are its example's alone.
    """

    def write(count=4, ids=None, name="data.jsonl", odd=None, **fields):
        records = [
            {"id": at, "context": f"gold{number}", "question": "Which?", "answer": f"gold{number}"}
            | fields
            | (odd or {}).get(number, {})
            for number, at in enumerate(ids if ids is not None else range(1, count + 1), start=1)
        ]
        text = "".join(f"{json.dumps(record)}\n" for record in records)
        (pytester.path / name).write_text(text, encoding="utf-8")
        return name

    return write


@pytest.fixture
def model(pytester):
    """A conftest.py with a system that notes its calls; return what was called, and how much at once."""
    pytester.makeconftest(MODEL)

    def called():
        path = pytester.path / "calls.txt"
        return path.read_text().split() if path.exists() else []

    def most():
        return int((pytester.path / "most.txt").read_text())

    called.most = most
    return called


@pytest.fixture(scope="session")
def hub_process(tmp_path_factory):
    """Point the hub's libraries of this process to a hub on 127.0.0.1 and to empty caches, once."""
    from hub_server import serving

    with pytest.MonkeyPatch.context() as patch, serving() as hub:
        for name in [name for name in os.environ if name.startswith("HF_")]:
            patch.delenv(name)
        patch.setenv("HF_ENDPOINT", hub.url)
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hub")))
        patch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
        patch.setenv("HF_HUB_DISABLE_XET", "1")
        patch.setenv("HF_UPDATE_DOWNLOAD_COUNTS", "0")  # `datasets` tells another host of every load
        import datasets
        import scipy.io  # noqa: F401 - `datasets` imports it late, and parts of numpy refuse a second time
        from huggingface_hub import constants

        assert hub.url == constants.ENDPOINT, "a test imported huggingface_hub before its endpoint was set"
        datasets.disable_progress_bars()
        yield hub


@pytest.fixture
def hub(hub_process):
    """The hub, without requests."""
    hub_process.requests.clear()
    return hub_process
