"""What the tests of whole runs share: users' files as text, node ids, and checks of what a run said."""

import re

REPORT = "--context-bench-report=json:out.json"
NAMED = """
class Named:
    def __init__(self, name, **scores):
        self.name, self.scores = name, scores
    def process(self, example):
        return {}
    def score(self, original, processed):
        return self.scores
    def compute(self, rows):
        return self.scores
"""
# A system that is what its examples' fields tell it to be.
PUPPET = """
class Puppet:
    name = "puppet"
    def process(self, example):
        if example.get("dies"):
            import os
            os.kill(os.getpid(), 9)
        if example.get("raises"):
            raise RuntimeError(example["raises"])
        return {key: example[key] for key in ("response", "metadata") if key in example}

def pytest_context_bench_register(registry):
    registry.register("system", "puppet", Puppet())
"""
# A system that notes its calls, and how many are under way at once.
MODEL = """
import threading, time
from pathlib import Path

class Model:
    name = "model"
    def __init__(self):
        self.lock, self.at_once, self.most = threading.Lock(), 0, 0
    def process(self, example):
        with self.lock:
            self.at_once += 1
            self.most = max(self.most, self.at_once)
            with open("calls.txt", "a") as file:
                file.write(f"{example['id']}\\n")
            Path("most.txt").write_text(str(self.most))
        try:
            time.sleep(example.get("takes", 0))
            if example.get("raises"):
                raise RuntimeError(example["raises"])
            return {"response": example["answer"], "metadata": {"prompt_tokens": 9, "completion_tokens": 1}}
        finally:
            with self.lock:
                self.at_once -= 1

def pytest_context_bench_register(registry):
    registry.register("system", "model", Model())
"""
SUITE = "context-bench::test_context_bench"


def registering(*calls):
    """Return a conftest.py that registers what each of *calls* says."""
    return f"{NAMED}\n\ndef pytest_context_bench_register(registry):\n" + "".join(
        f"    registry.register({call})\n" for call in calls
    )


def id_of(system="identity", dataset="data", example=1, test=SUITE):
    """Return the node id of a pair."""
    return f"{test}[{system}-{dataset}-{example}]"


def said(outcome):
    """Return all that a run printed."""
    return str(outcome.stdout) + "\n" + str(outcome.stderr)


def run_ids(outcome):
    """Return the node ids that a verbose run in one process lists, in their order."""
    found = [re.match(r"(\S*::test_\S+)", line) for line in outcome.outlines]
    return [match[1] for match in found if match]


def counted(outcome):
    """Return what the last line of a run counts, by its own words."""
    *_, last = [line for line in outcome.outlines if re.search(r" in \d+\.\d+s", line)]
    return {word: int(number) for number, word in re.findall(r"(\d+) ([a-z][a-z ]*[a-z])(?=,| in )", last)}


def assert_usage_error(outcome, *words):
    """Check that a run ended before any test with one line that holds *words*."""
    assert outcome.ret == 4, said(outcome)
    line, *more = [line for line in outcome.errlines if line.strip()]
    assert not more
    for word in words:
        assert word in line
    for word in ("Traceback", "INTERNALERROR", "= context-bench =", "passed"):
        assert word not in said(outcome)
