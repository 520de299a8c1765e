import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pytest_context_bench.errors import BrokenExtraError
from pytest_context_bench.evaluators import MathEquivalence
from pytest_context_bench.scoring.latex import symbolic

STAND_IN = Path(__file__).parent / "symbolic_stand_in.py"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks are POSIX")


@pytest.fixture
def verifier():
    made = symbolic.Verifier()
    yield made
    made.close()


@pytest.fixture
def stand_in(monkeypatch, verifier):
    """A verifier whose helper does no maths but misbehaves on demand."""
    monkeypatch.setattr(symbolic, "_WORKER", STAND_IN)
    monkeypatch.setattr(symbolic, "find_spec", lambda _name: object())
    return verifier


def test_mathematics_decides_off_the_main_thread_what_the_rules_leave_open(monkeypatch, verifier):
    pytest.importorskip("math_verify")
    monkeypatch.setattr(symbolic, "CPU_SECONDS", 2.0)
    questions = {
        (r"\frac{\sin 2x}{2}", r"\sin x\cos x"): True,
        (r"3\ln 2", r"\ln 8"): True,
        (r"\sin x", r"\cos x"): False,
        (r"1.4142135623730951 \sqrt{2}", "2"): False,  # close to an integer is not equal to it
        ("9^{9^{9^{9}}}", "1"): False,  # ends the helper
        (r"2\sqrt[3]{2}", r"\sqrt[3]{16}"): True,
    }

    with ThreadPoolExecutor(2) as pool:
        answers = dict(zip(questions, pool.map(lambda pair: verifier.ask(*pair), questions), strict=True))

    assert answers == questions


@POSIX
def test_an_alarm_of_the_user_goes_on(stand_in):
    previous = signal.signal(signal.SIGALRM, lambda *_: None)
    handler = signal.getsignal(signal.SIGALRM)
    signal.setitimer(signal.ITIMER_REAL, 50)
    try:
        stand_in.ask("a", "a")

        assert signal.getsignal(signal.SIGALRM) is handler
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 50
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


@pytest.mark.parametrize("misbehaviour", ["hang", "die"])
def test_a_question_that_ends_the_helper_is_answered_with_no_and_the_next_as_ever(
    monkeypatch, stand_in, misbehaviour
):
    monkeypatch.setattr(symbolic, "QUESTION_SECONDS", 0.3)
    stand_in.ask("a", "b")
    first = stand_in._helper.process

    assert stand_in.ask(misbehaviour, misbehaviour) is False
    assert first.poll() is not None
    assert stand_in.ask("c", "c") is True


def test_a_question_is_asked_once(monkeypatch, stand_in):
    monkeypatch.setattr(symbolic, "QUESTION_SECONDS", 0.3)
    stand_in.ask("hang", "hang")
    monkeypatch.setattr(symbolic, "_start", lambda: pytest.fail("asked again"))

    assert stand_in.ask("hang", "hang") is False


def test_a_helper_that_was_killed_between_questions_is_replaced(stand_in):
    stand_in.ask("a", "a")
    stand_in._helper.process.kill()
    stand_in._helper.process.wait()

    assert stand_in.ask("b", "b") is True


def test_threads_share_one_helper_and_get_their_own_answers(stand_in):
    questions = [(str(number % 7), str(number % 5)) for number in range(60)]
    barrier = threading.Barrier(6)

    def ask(part):
        barrier.wait()
        return [stand_in.ask(*question) for question in questions[part::6]]

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(ask, range(6)))

    assert answers == [[one == other for one, other in questions[part::6]] for part in range(6)]


def test_an_interrupted_question_does_not_answer_the_next(monkeypatch, stand_in):
    stand_in.ask("a", "b")
    exchange = symbolic._Helper.exchange

    def interrupted(helper, question, _seconds):
        helper.questions.write(question)
        raise KeyboardInterrupt

    monkeypatch.setattr(symbolic._Helper, "exchange", interrupted)
    with pytest.raises(KeyboardInterrupt):
        stand_in.ask("same", "same")
    monkeypatch.setattr(symbolic._Helper, "exchange", exchange)

    assert stand_in.ask("one", "other") is False


def test_a_helper_that_cannot_start_is_an_error(monkeypatch, stand_in):
    monkeypatch.setenv("STAND_IN_PROBLEM", "no antlr")

    with pytest.raises(BrokenExtraError, match="no antlr"):
        stand_in.ask("a", "a")


def test_without_the_extra_what_is_open_is_not_equal_and_nothing_is_started(monkeypatch):
    monkeypatch.setattr(symbolic, "find_spec", lambda _name: None)
    monkeypatch.setattr(symbolic, "_start", lambda: pytest.fail("a helper was started"))

    scores = MathEquivalence().score({"answer": r"\ln 8"}, {"response": r"\boxed{3\ln 2}"})

    assert scores == {"math_equiv": 0.0}


def test_the_evaluator_asks_only_what_is_open_and_mathematical(monkeypatch):
    asked = []
    monkeypatch.setattr(symbolic.VERIFIER, "ask", lambda *question: asked.append(question) or True)
    evaluator = MathEquivalence()

    for gold, response in [
        (r"\text{Evelyn}", r"\boxed{x+1}"),
        ("18", "19"),
        ("1", "9^{9^{9}}"),
        (r"\ln 8", r"\boxed{the logarithm}"),
        (r"\ln 8", r"\boxed{1 2}"),
        ("x+1", r"\boxed{x+2}"),
        ("5 cm", r"\boxed{\ln 8 \text{ m}}"),
        (r"\ln 8", r"\boxed{3\ln 2 \%}"),
        (r"(\ln 8, 1)", r"\boxed{(3\ln 2, 1]}"),
    ]:
        assert evaluator.score({"answer": gold}, {"response": response}) == {"math_equiv": 0.0}
    assert asked == []
    assert evaluator.score({"answer": r"\ln 8"}, {"response": r"\boxed{3\ln 2}"}) == {"math_equiv": 1.0}
    assert evaluator.score({"answer": "3"}, {"response": r"\boxed{\log_2 8}"}) == {"math_equiv": 1.0}
    assert asked == [(r"3\ln 2", r"\ln 8"), (r"\log_2 8", "3")]


FORKING = """
import os, sys
from pathlib import Path
from pytest_context_bench.scoring.latex import symbolic
symbolic._WORKER, symbolic.find_spec = Path(sys.argv[1]), lambda name: name
verifier = symbolic.VERIFIER
verifier.ask("a", "a")
helper = verifier._helper.process.pid
verifier._lock.acquire()  # as another thread may hold it at the time
child = os.fork()
if child == 0:
    right = verifier._helper is None and verifier.ask("b", "b") and verifier._helper.process.pid != helper
    sys.exit(0 if right else 1)
verifier._lock.release()
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(helper, status, verifier.ask("c", "c"), verifier._helper.process.pid == helper)
"""


@POSIX
def test_a_forked_process_starts_its_own_helper_and_leaves_none_behind():
    command = [sys.executable, "-W", "error", "-c", FORKING, str(STAND_IN)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    helper, *rest = done.stdout.split()
    assert (rest, done.stderr) == (["0", "True", "True"], "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(helper), 0)


@POSIX
def test_the_helper_ends_when_its_process_is_killed(tmp_path):
    ended = tmp_path / "ended"
    script = FORKING.partition("verifier._lock")[0] + "os.kill(os.getpid(), 9)"
    command = [sys.executable, "-c", script, str(STAND_IN)]
    done = subprocess.run(command, env={**os.environ, "STAND_IN_ENDED": str(ended)}, timeout=60, check=False)
    pause = threading.Event()

    assert done.returncode == -9
    assert any(ended.exists() or pause.wait(0.05) for _ in range(400))
