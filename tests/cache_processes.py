"""Scenes of processes that share one cache: `python cache_processes.py SCENE FOLDER` plays one.

Each process is forked from this one, which has one thread and has loaded what they need.
"""

import os
import random
import signal
import sqlite3
import sys
import time
import traceback
from collections.abc import Callable
from hashlib import blake2b
from itertools import count
from pathlib import Path

from pytest_context_bench import evaluate
from pytest_context_bench.cache.store import FILE, OUTPUTS, SCORES, Store
from pytest_context_bench.tokens import counter

KEYS = 40
MOMENTS = random.Random(0)


def forked(work: Callable[..., object], *arguments: object) -> tuple[int, int]:
    """Do *work* in another process, telling it where to write; return its id, and where to read."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    code = 1
    try:
        os.close(reading)
        work(*arguments, writing)
        code = 0
    finally:
        if code:
            traceback.print_exc()
        os._exit(code)


def ended(pid: int, reading: int) -> tuple[int, list[str]]:
    """Wait for a process; return how it ended and what it wrote."""
    with os.fdopen(reading) as pipe:
        said = pipe.read().split()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said


def killed(pid: int, reading: int) -> list[str]:
    """Kill a process, and return what it wrote."""
    os.kill(pid, signal.SIGKILL)
    code, said = ended(pid, reading)
    assert code == -signal.SIGKILL, code
    return said


def refuse(problem: str) -> None:
    raise AssertionError(problem)


def keep_writing(folder: Path, name: str, pipe: int) -> None:
    """Write entries over and over, and tell of each that is written."""
    store = Store(folder, refuse)
    for number in count():
        content = f"{number} " * (number % 13 * 150 + 1)
        digest = blake2b(content.encode()).hexdigest()
        store.write(table(number), f"{name}-{number % KEYS}", f"{digest} {content}")
        os.write(pipe, b"%d\n" % number)


def table(number: int) -> str:
    return OUTPUTS if number % 2 else SCORES


def check(folder: Path, name: str, written: list[str]) -> None:
    """Check that all that was *written*, or what has replaced it, is there and whole."""
    store = Store(folder, refuse)
    last = {int(number) % KEYS: int(number) for number in written}
    for key, number in last.items():
        content = store.read(table(key), f"{name}-{key}")
        assert content is not None, f"{name}-{key} is lost"
        assert whole(content) >= number, f"{name}-{key} is an older one"
    store.close()


def whole(content: str) -> int:
    """Return the number of an entry, having checked that it is whole."""
    digest, _, text = content.partition(" ")
    assert blake2b(text.encode()).hexdigest() == digest, "torn"
    return int(text.split(" ")[0])


def check_file(folder: Path) -> None:
    connection = sqlite3.connect(folder / FILE)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    for (content,) in connection.execute(
        f"SELECT content FROM {OUTPUTS} UNION ALL SELECT content FROM {SCORES}"
    ):
        whole(content)
    connection.close()


def kill_writers(folder: Path) -> object:
    """Kill one writer after the other, beside one that goes on."""
    survivor = os.fork()
    if not survivor:
        keep_writing(folder, "survivor", os.open(os.devnull, os.O_WRONLY))
    finished = 0
    for turn in range(40):
        victim = forked(keep_writing, folder, f"victim{turn}")
        time.sleep(MOMENTS.uniform(0, 0.03))
        written = killed(*victim)
        check(folder, f"victim{turn}", written)
        finished += len(written)
    os.kill(survivor, signal.SIGKILL)
    os.waitpid(survivor, 0)
    check_file(folder)
    return finished


def kill_makers(folder: Path) -> object:
    """Kill several writers while they make the file."""
    for turn in range(20):
        own = folder / str(turn)
        victims = {name: forked(keep_writing, own, name) for name in ("a", "b", "c")}
        time.sleep(MOMENTS.uniform(0, 0.01))
        written = {name: killed(*victim) for name, victim in victims.items()}
        for name, numbers in written.items():
            check(own, name, numbers)
    return "done"


def fork_in_use(folder: Path) -> object:
    """Fork while the file is open, and close it first in the process that opened it."""
    store = Store(folder, refuse)
    store.write(OUTPUTS, "before", "content")
    children = [forked(write_some, store, name) for name in ("a", "b", "c")]
    for number in range(100):
        store.write(OUTPUTS, f"parent-{number}", "content")
    store.close()  # must not take the log from the others
    assert [ended(*child) for child in children] == [(0, [])] * 3
    assert all(store.read(OUTPUTS, f"{name}-{number}") for name in "abc" for number in range(100))
    store.close()
    return len(outputs(folder))


def write_some(store: Store, name: str, _pipe: int) -> None:
    for number in range(100):
        store.write(OUTPUTS, f"{name}-{number}", "content")


def outputs(folder: Path) -> list[str]:
    if not (folder / FILE).exists():
        return []
    connection = sqlite3.connect(folder / FILE)
    try:
        return [key for (key,) in connection.execute(f"SELECT key FROM {OUTPUTS}")]
    except sqlite3.OperationalError:  # it is being made
        return []
    finally:
        connection.close()


class Slow:
    """A system that gives much to write."""

    name = "slow"

    def process(self, example):
        return {"response": example["context"] * 30}


def run(folder: Path, first: int, last: int, pipe: int) -> None:
    """Run a benchmark, and tell how many of its outputs were cached."""
    examples = [{"id": i, "context": f"w{i} ", "answer": f"w{i}"} for i in range(first, last)]
    result = evaluate(Slow(), examples, progress=False, max_workers=2, cache_dir=folder)
    assert len(result.rows) == last - first
    assert not any(row.error for row in result.rows), result.rows
    assert not any(note.startswith("cache") for note in result.notes), result.notes
    os.write(pipe, b"%d" % sum(row.metadata.get("cached") is True for row in result.rows))


def run_at_once(folder: Path) -> object:
    """Run four benchmarks at once that have pairs in common, then all of it again."""
    counter().count("")  # loads what each run would have to
    runs = [forked(run, folder, *pairs) for pairs in ((0, 60), (0, 60), (30, 90), (60, 120))]
    assert [ended(*each)[0] for each in runs] == [0] * 4
    return ended(*forked(run, folder, 0, 120))[1][0]


def kill_run(folder: Path) -> object:
    """Kill a run, and start it again."""
    counter().count("")  # loads what each run would have to
    for at_least in (10, 30, 50):
        victim = forked(run, folder, 0, 1000)
        while len(outputs(folder)) < at_least:
            time.sleep(0.002)
        killed(*victim)
    kept = len(outputs(folder))
    code, said = ended(*forked(run, folder, 0, 100))
    assert (code, said) == (0, [str(min(kept, 100))]), (code, said, kept)
    return "done"


SCENES = {scene.__name__: scene for scene in (kill_writers, kill_makers, fork_in_use, run_at_once, kill_run)}

if __name__ == "__main__":
    sys.stdout.write(f"{SCENES[sys.argv[1]](Path(sys.argv[2]))}")
