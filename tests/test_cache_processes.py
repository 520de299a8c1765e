"""Processes share one cache, and may die at any moment."""

import subprocess
import sys
from pathlib import Path

import pytest

SCENES = Path(__file__).with_name("cache_processes.py")


@pytest.fixture
def play(tmp_path):
    """Play a scene of processes in the test's folder; return what it prints at its end."""

    def play(scene):
        played = subprocess.run(
            [sys.executable, SCENES, scene, tmp_path], capture_output=True, text=True, timeout=60, check=False
        )
        assert played.returncode == 0, played.stderr
        return played.stdout.strip()

    return play


def test_a_kill_at_any_moment_loses_nothing_that_was_written_and_tears_nothing(play):
    assert int(play("kill_writers")) > 40


def test_a_kill_while_the_file_is_made_leaves_one_that_can_be_used(play):
    assert play("kill_makers") == "done"


def test_forked_processes_share_the_file(play):
    assert play("fork_in_use") == "401"


def test_runs_at_once_lose_nothing_of_each_other(play):
    assert play("run_at_once") == "120"


def test_a_run_that_was_killed_goes_on_where_it_was(play):
    assert play("kill_run") == "done"
