"""The recipes of docs/ci.md, run as they stand: green, red on a planted regression, green again."""

import json

import pytest
from recipes import FAILED, OK, SKIPPED, Service, github, gitlab, recipes, settings

from pytest_context_bench.cli import main

RECIPES = recipes()
SYSTEM = """
BROKEN = {broken}

class Mine:
    name = "mine"
    def process(self, example):
        return {{"context": "" if example["id"] in BROKEN else example["context"]}}

def pytest_context_bench_register(registry):
    registry.register("system", "mine", Mine())
"""
WHOLE, BROKEN = SYSTEM.format(broken=()), SYSTEM.format(broken=range(0, 50, 3))
MERGE_REQUEST = {"CI_PIPELINE_SOURCE": "merge_request_event", "CI_DEFAULT_BRANCH": "main"}
MAIN = {"CI_PIPELINE_SOURCE": "push", "CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}


@pytest.fixture
def service(bench, tmp_path_factory, monkeypatch):
    """A CI service for a repository whose system works."""

    def run(place, words):
        monkeypatch.chdir(place)
        program, *arguments = words
        assert program in {"pytest", "context-bench"}
        return int(bench(*arguments).ret) if program == "pytest" else main(arguments)

    files = {"pyproject.toml": settings(), "conftest.py": WHOLE}
    return Service(tmp_path_factory.mktemp("ci"), run, files)


@pytest.fixture
def few(monkeypatch):
    """Fifteen examples a data set are enough to show a collapse."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "--context-bench-max-examples=15")


def kept(service, name="main"):
    return (service.cache / ".context-bench" / f"{name}.json").read_bytes()


def test_there_is_a_test_of_each_recipe():
    assert list(RECIPES) == [
        "GitHub Actions",
        "GitLab",
        "Every night all of it, for a pull request a sample",
        "Shards",
    ]


def test_github_keeps_a_baseline_of_main_that_pull_requests_are_held_to(service, few):
    workflow = RECIPES["GitHub Actions"]
    assert github(workflow, "push", service) == {"bench": OK}
    before = kept(service)
    assert github(workflow, "pull_request", service) == {"bench": OK}

    service.files["conftest.py"] = BROKEN
    (service.artifacts / "bench" / "bench.html").unlink()
    assert github(workflow, "pull_request", service) == {"bench": FAILED}
    assert (service.artifacts / "bench" / "bench.html").exists()
    assert github(workflow, "push", service) == {"bench": FAILED}
    assert kept(service) == before

    assert github(workflow, "workflow_dispatch", service) == {"bench": OK}
    assert kept(service) != before
    assert github(workflow, "pull_request", service) == {"bench": OK}
    assert service.codes == [0, 0, 1, 1, 0, 0]


def test_gitlab_keeps_a_baseline_of_main_that_merge_requests_are_held_to(service, few):
    jobs = RECIPES["GitLab"]
    assert gitlab(jobs, MAIN, service) == {"bench-main": OK}
    before = kept(service)
    assert gitlab(jobs, MERGE_REQUEST, service) == {"bench": OK}

    service.files["conftest.py"] = BROKEN
    assert gitlab(jobs, MERGE_REQUEST, service) == {"bench": FAILED}
    assert gitlab(jobs, MAIN, service) == {"bench-main": FAILED}
    assert kept(service) == before


def test_a_sample_of_a_pull_request_is_compared_with_the_night(service):
    workflow = RECIPES["Every night all of it, for a pull request a sample"]
    assert github(workflow, "schedule", service) == {"sample": SKIPPED, "full": OK}
    assert len(json.loads(kept(service, "nightly"))["rows"]) == 100
    assert github(workflow, "pull_request", service) == {"sample": OK, "full": SKIPPED}

    service.files["conftest.py"] = BROKEN
    assert github(workflow, "pull_request", service) == {"sample": FAILED, "full": SKIPPED}


def test_shards_are_judged_together(service, few):
    workflow = RECIPES["Shards"]
    assert github(workflow, "push", service) == {"shard": OK, "whole": OK}
    before = kept(service)
    assert len(json.loads(before)["rows"]) == 30

    service.files["conftest.py"] = BROKEN
    assert github(workflow, "push", service) == {"shard": OK, "whole": FAILED}
    assert kept(service) == before
    assert (service.artifacts / "bench" / "bench.html").exists()


def test_a_shard_that_fails_leaves_nothing_to_merge(service, few):
    service.files["conftest.py"] = WHOLE.replace("return", "raise RuntimeError; return")

    assert github(RECIPES["Shards"], "push", service) == {"shard": FAILED, "whole": SKIPPED}
    assert not service.cache.exists()
