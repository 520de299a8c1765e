"""Every example that users are shown runs as it stands."""

import re
import subprocess
import sys
from pathlib import Path

from endpoint_server import Endpoint, answer, respond

ROOT = Path(__file__).parents[1]


def test_the_custom_example_meets_its_gates(pytester, bench):
    for source in (ROOT / "examples/custom").iterdir():
        if source.is_file():
            (pytester.path / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")

    outcome = bench()

    assert outcome.ret == 0
    outcome.assert_outcomes(passed=50)
    outcome.stdout.fnmatch_lines(
        ["squeeze *", "PASS  compression_ratio*", "PASS  smallest_output*", "PASS  pass_rate*"]
    )


def first_message(body):
    """Answer with the context that arrived."""
    return answer(body["messages"][0]["content"])


def test_the_local_llm_example_asks_whoever_it_is_pointed_at(pytester, bench, monkeypatch):
    for source in (ROOT / "examples/local_llm").iterdir():
        if source.is_file():
            (pytester.path / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    model, proxy = Endpoint(), Endpoint()
    model.behave(respond(first_message))
    monkeypatch.setenv("LOCAL_LLM_URL", model.url)
    monkeypatch.setenv("KOMPACT_URL", proxy.url)
    monkeypatch.setenv("CONTEXT_BENCH_SHARED", str(pytester.path))

    outcome = bench("--context-bench-max-examples=2", "-rs")
    model.close()
    proxy.close()

    assert outcome.ret == 0
    outcome.assert_outcomes(passed=11, skipped=1)  # the others are below the threshold
    outcome.stdout.fnmatch_lines(
        ["direct * 4 * 1.000 *", "kompact * 4 * 0.000 *", "SKIPPED*no rows of HotpotQA in *"]
    )
    assert [len(model.requests), len(proxy.requests)] == [12, 4]
    assert model.bodies[0]["messages"][-1]["content"] == "Which engineer built the Norrey lighthouse?"


def test_the_comparison_prints_its_table(tmp_path):
    ran = subprocess.run(
        [sys.executable, str(ROOT / "examples/compare.py")],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )

    assert [line.split()[0] for line in ran.stdout.splitlines()[2:]] == [
        "truncate:0.5",
        "extract:0.5",
        "ends",
    ]


def test_the_zero_code_example_runs_as_written(bench):
    command = re.search(r"pytest (--context-bench.*)", (ROOT / "examples/zero_code/README.md").read_text())

    outcome = bench(*command[1].split(), "--context-bench-max-examples=2")

    assert outcome.ret == 0
    outcome.stdout.fnmatch_lines(["identity *", "extract:0.5 *"])


def test_the_readme_example_runs_as_written(pytester, bench):
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    (pytester.path / "conftest.py").write_text(blocks[0], encoding="utf-8")
    (pytester.path / "test_quality.py").write_text(blocks[1], encoding="utf-8")

    outcome = bench()

    outcome.stdout.fnmatch_lines(
        ["no-timestamps *", "PASS  compression_ratio >= 0.2 [[]test_quality.py::test_quality]*"]
    )
    assert outcome.ret == 0
    outcome.assert_outcomes(passed=50)


def test_the_readme_example_in_python_runs_as_written(capsys):
    block = re.findall(
        r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL
    )[2]
    exec(block, {})

    assert float(capsys.readouterr().out) > 0.5
