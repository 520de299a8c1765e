"""Every example that users are shown runs as it stands."""

import re
import subprocess
import sys
from pathlib import Path

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
