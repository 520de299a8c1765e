import json
import os
import platform
import struct
import sys
import tempfile
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pytest_context_bench.errors import InvalidValueError, SandboxError
from pytest_context_bench.sandbox import LAYERS, Limits, Task, process, run
from pytest_context_bench.sandbox.folder import empty_folder
from pytest_context_bench.sandbox.inside import seccomp

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a Unix system")

MEMORY = Path("/dev/shm")
QUICK = Limits(seconds=0.7, cpu_seconds=1, memory_mb=256, written_mb=8)
RIGHT = "def f(x):\n    return x + 1\n"
TEST = "assert f(1) == 2\n"
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's part is Linux")


def outcome(answer, test=TEST, limits=QUICK, layers=LAYERS):
    return run(Task(answer=[[textwrap.dedent(answer)]], tests=[[textwrap.dedent(test)]]), limits, layers)


def answers(name):
    """Return the answers of a file of cases: each a list of lines, so that they can be read."""
    cases = json.loads((Path(__file__).parent / f"cases/{name}.json").read_text(encoding="utf-8"))
    return [pytest.param("\n".join(case["answer"]), id=case["why"]) for case in cases]


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """Have the sandbox make its folders here, in memory if possible; see that nothing stays of them."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else tmp_path) as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield

        assert list(Path(folder).iterdir()) == []
        assert [pid for pid in processes() if folder.encode() in environment(pid)] == []


def processes():
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]


def environment(pid):
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


def test_a_right_answer_passes_and_a_wrong_one_does_not():
    right, wrong = outcome(RIGHT), outcome("def f(x):\n    return x\n")

    assert (right.passed, right.parts_done, right.reason) == (True, 2, "")
    assert (wrong.passed, wrong.parts_done, wrong.reason) == (False, 1, "AssertionError: ")


@ON_LINUX
def test_every_layer_is_in_force_on_a_current_kernel():
    assert outcome(RIGHT).layers == set(LAYERS)


@pytest.mark.parametrize("answer", answers("sandbox_attacks"))
def test_an_attack_gets_nothing_in_bounded_time_and_leaves_nothing(answer):
    start = time.monotonic()

    result = outcome(answer, "assert abs(f(1)) == 2\nassert abs(f(2)) == 3\nend = 1\n")

    assert (result.passed, bool(result.reason)) == (False, True)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("answer", answers("sandbox_harmless"))
def test_what_answers_may_do_works(answer):
    assert outcome(f"{answer}\n\n{RIGHT}", limits=Limits()).reason == ""


def test_only_the_first_source_that_compiles_runs():
    task = Task(answer=[["def f(x)", RIGHT, "1 / 0"], ["not Python?", ""]], tests=[[TEST]])

    assert run(task).passed


def test_the_parts_share_a_namespace_but_tests_keep_their_names_to_themselves():
    task = Task(
        answer=[["import math"], ["def g(x): return len(h) if 'h' in globals() else math.floor(x)"]],
        tests=[["h = 'hidden'"], ["assert (g(1.5), h) == (1, 'hidden')"]],
    )

    assert run(task).reason == ""


def test_the_environment_holds_no_secret_and_the_folder_is_empty(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    answer = """
        import os, sys
        assert not any("KEY" in name or "sk-01" in value for name, value in os.environ.items()), os.environ
        assert os.listdir() == [] and os.getcwd() == os.environ["HOME"] == os.environ["TMPDIR"]
        assert sys.flags.isolated and not any("context" in path for path in sys.path), sys.path
        assert len(sys.argv) == 1 and "answer" == __name__
    """

    assert outcome(answer, "assert True").reason == ""


@ON_LINUX
def test_other_processes_and_files_outside_are_out_of_reach(tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "file"
    outside.write_text("kept")
    answer = f"""
        import os, resource
        def refused(action, *arguments):
            try: action(*arguments)
            except OSError: return True
        parent = os.getppid()
        assert refused(open, f"/proc/{{parent}}/environ"), "environment"
        assert refused(open, f"/proc/{{parent}}/mem"), "memory"
        assert refused(os.readlink, f"/proc/{{parent}}/fd/0"), "open files"
        assert refused(resource.prlimit, parent, resource.RLIMIT_CPU, (1, 1)), "limits"
        assert refused(os.setpriority, os.PRIO_PROCESS, parent, 19), "priority"
        assert refused(os.sched_setaffinity, parent, [0]), "affinity"
        for action, *arguments in [
            (open, {str(outside)!r}, "w"), (os.remove, {str(outside)!r}), (os.truncate, {str(outside)!r}, 0),
            (os.rename, {str(outside)!r}, "mine"), (os.mkdir, {str(outside.parent / "new")!r}),
            (os.link, {str(outside)!r}, "mine"), (os.symlink, "x", {str(outside.parent / "link")!r}),
        ]:
            assert refused(action, *arguments), (action, arguments)
    """

    assert outcome(answer, "assert True").reason == ""
    assert outside.read_text() == "kept"


@ON_LINUX
def test_the_network_is_cut():
    answer = """
        import ctypes, socket
        libc = ctypes.CDLL(None)
        assert [libc.socket(family, 1, 0) for family in (1, 2, 10)] == [-1, -1, -1]
        connect, look_up = socket.create_connection, socket.getaddrinfo
        for action, *arguments in [(connect, ("127.0.0.1", 9)), (look_up, "a.test", 1)]:
            try: action(*arguments)
            except PermissionError: continue
            raise AssertionError(action)
    """

    assert outcome(answer, "assert True").reason == ""


@ON_LINUX
def test_limits_cannot_be_raised_again():
    answer = """
        import resource
        for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
            soft, hard = resource.getrlimit(limit)
            assert 0 < soft <= hard < 2**40, (limit, soft, hard)
            try: resource.setrlimit(limit, (hard + 1, hard + 1))
            except (ValueError, OSError): continue
            raise AssertionError(limit)
    """

    assert outcome(answer, "assert True").reason == ""


def test_a_limit_that_is_lower_already_stays(monkeypatch, tmp_path_factory):
    interpreter = tmp_path_factory.mktemp("low") / "python"
    interpreter.write_text(f'#!/bin/sh\nulimit -n 40\nexec {sys.executable} "$@"\n')
    interpreter.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(interpreter))
    answer = "import resource\nassert resource.getrlimit(resource.RLIMIT_NOFILE) == (40, 40)\n"

    assert outcome(answer, "assert True").reason == ""


def test_assertions_count_whatever_the_user_set(monkeypatch):
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")

    assert not outcome("", "assert False").passed


def test_an_answer_does_not_see_its_tests_before_they_run():
    answer = """
        import gc, sys
        def sees():
            things = [*gc.get_objects(), *sys._current_frames().values()]
            texts = [open(f"/proc/self/{name}").read() for name in ("cmdline", "environ")]
            texts += [repr(gc.get_referents(thing))[:10_000] for thing in things]
            return any("LENITNES" in text[::-1] for text in texts)  # backwards, not to find itself
        assert not sees()
    """

    assert outcome(answer, "test = 'SENTINEL'\nassert sees()", limits=Limits()).reason == ""


def test_the_reason_is_short_whatever_the_answer_says():
    result = outcome("raise ValueError('x' * 10**7)")

    assert result.reason.startswith("ValueError: xxx")
    assert len(result.reason) <= 1000


GETTING_AWAY = """
    import ctypes, os, time
    libc = ctypes.CDLL(None)
    if libc.fork() == 0:
        libc.setsid()
        if libc.fork() == 0:
            libc.prctl(1, 0)
            time.sleep(100)
        os._exit(0)
"""


@ON_LINUX
@pytest.mark.parametrize("layers", [(), ("landlock", "capabilities")], ids=["none", "files"])
@pytest.mark.parametrize(
    ("attack", "reason"),
    [
        (GETTING_AWAY, "left processes running"),
        (GETTING_AWAY + "\n    libc.kill(os.getppid(), 9)\n    time.sleep(1)", ""),
        ("import ctypes, os\nctypes.CDLL(None).kill(os.getppid(), 9)", ""),
        ("import time\ntime.sleep(100)", "took longer than 0.5 s"),
    ],
    ids=["leave a child", "leave a child and kill the guardian", "kill the guardian", "sleep"],
)
def test_without_the_kernels_help_children_are_found_and_ended(attack, reason, layers):
    result = outcome(textwrap.dedent(attack) + "\n" + RIGHT, limits=Limits(seconds=0.5), layers=layers)

    assert not result.passed
    assert reason in result.reason
    assert result.layers == set(layers)


def test_a_right_answer_passes_without_the_kernels_help():
    assert outcome(RIGHT, layers=()).passed


def test_runs_in_threads_do_not_disturb_each_other():
    answers = [f"def f(x):\n    return x + {number % 2}\n" for number in range(12)]

    with ThreadPoolExecutor(4) as pool:
        passed = [result.passed for result in pool.map(outcome, answers)]

    assert passed == [False, True] * 6


def test_an_interrupted_run_leaves_nothing(monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr(process, "until", lambda *_: interrupt)

    with pytest.raises(KeyboardInterrupt):
        outcome("while True: pass")


def test_no_files_or_threads_stay_open():
    def count():
        return len(list(Path("/dev/fd").iterdir())), threading.active_count()

    outcome(RIGHT)
    before = count()
    for answer in (RIGHT, "1 / 0", "import os; os._exit(0)"):
        outcome(answer)

    assert count() == before


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("#!/bin/sh\necho Fatal Python error: no encodings >&2\n", "Fatal Python error: no encodings"),
        ("#!/bin/sh\nexit 3\n", "left early"),
        ("not a program", "Exec format error"),
        (None, "No such file"),
    ],
)
def test_a_sandbox_that_cannot_start_is_an_error_not_a_failed_answer(
    script, told, monkeypatch, tmp_path_factory
):
    interpreter = tmp_path_factory.mktemp("broken") / "python"
    if script:
        interpreter.write_text(script)
        interpreter.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(interpreter))

    with pytest.raises(SandboxError, match=told):
        outcome(RIGHT)


def test_a_system_without_fork_is_told_so(monkeypatch):
    monkeypatch.delattr(os, "fork")

    with pytest.raises(SandboxError, match="Unix"):
        outcome(RIGHT)


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"memory_mb": -1}, {"seconds": float("nan")}])
def test_limits_must_limit(limits):
    with pytest.raises(InvalidValueError, match="more than 0"):
        Limits(**limits)


@pytest.mark.parametrize("depth", [0, 1, 1100])
def test_a_folder_is_removed_however_deep_it_is(depth):
    with empty_folder() as folder:
        place = os.open(folder, os.O_RDONLY)
        for _ in range(depth):
            os.mkdir("inner", dir_fd=place)
            deeper = os.open("inner", os.O_RDONLY, dir_fd=place)
            os.close(place)
            place = deeper
        os.close(place)

    assert not folder.exists()


@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "riscv64"])
def test_the_filter_ends_in_leave_and_jumps_inside_itself(machine):
    code = list(struct.iter_unpack("=HBBI", seccomp.program(machine, 1234)))

    assert code[-1] == (0x06, 0, 0, 0x7FFF_0000)
    assert all(index + max(yes, no) + 1 < len(code) for index, (_, yes, no, _) in enumerate(code[:-1]))


def test_an_unlisted_machine_has_no_filter():
    assert seccomp.program("pdp11", 1234) == b""
    assert platform.machine() not in {"x86_64", "aarch64"} or seccomp.program(platform.machine(), 1) != b""
