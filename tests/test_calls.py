"""The calls of a run: many at once, in turn, within a budget, and in order whatever they take."""

import asyncio
import threading
import time
from concurrent.futures import CancelledError

import pytest

from pytest_context_bench import evaluate
from pytest_context_bench.calls import Budget, Prefetch, Price, Rate
from pytest_context_bench.calls.loop import Loop
from pytest_context_bench.errors import (
    BudgetSpentError,
    ContextBenchError,
    InvalidValueError,
    RunEndedError,
    UnknownCostError,
)
from pytest_context_bench.systems import Pipeline, Truncate
from pytest_context_bench.systems.adapt import Renamed

DATA = [{"id": n, "context": f"w{n} and more", "question": "?", "answer": f"w{n}"} for n in range(20)]


class Model:
    """Answers rightly; *answer* is called with each example before."""

    name = "model"

    def __init__(self, answer=lambda example: {}):
        self.answer = answer
        self.called = []

    def process(self, example):
        self.called.append(example["id"])
        return {"response": example["answer"], **self.answer(example)}


class AsyncModel(Model):
    """Waits without blocking a thread; all its calls run in one event loop."""

    def __init__(self):
        super().__init__()
        self.loops = set()
        self.at_once = self.most = 0

    async def process(self, example):
        self.loops.add(asyncio.get_running_loop())
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await asyncio.sleep(0.01)
        self.at_once -= 1
        return super().process(example)


class Fixed:
    """Gives what it was made with."""

    name = "fixed"

    def __init__(self, output):
        self.output = output

    def process(self, example):
        return self.output


def run(system, data=DATA, **options):
    return evaluate(system, data, progress=False, **options)


class TestPrefetch:
    def test_results_come_as_asked_for_whatever_each_takes(self):
        ahead = Prefetch(lambda n: (time.sleep(0.001 * (5 - n % 5)), n * n)[1], workers=4)
        ahead.offer(range(50))

        assert [ahead.take(n) for n in range(50)] == [n * n for n in range(50)]
        ahead.close()

    def test_no_more_than_the_window_is_done_ahead(self):
        begun = []
        ahead = Prefetch(begun.append, workers=2, window=3)
        ahead.offer(range(100))
        ahead.take(0)
        ahead.take(1)
        until = time.monotonic() + 10
        while len(begun) < 5 and time.monotonic() < until:
            time.sleep(0.001)
        ahead.close()

        assert sorted(begun) == [0, 1, 2, 3, 4]

    def test_who_asks_out_of_order_is_served_even_where_there_is_no_room(self):
        ahead = Prefetch(lambda n: n, workers=1, window=2)
        ahead.offer(range(10))

        assert [ahead.take(n) for n in (9, 5, 0)] == [9, 5, 0]
        ahead.close()

    def test_what_is_dropped_makes_room(self):
        begun = []
        ahead = Prefetch(begun.append, workers=1, window=2)
        ahead.offer(range(10))
        for key in range(8):
            ahead.drop(key)
        ahead.take(8)
        ahead.take(9)
        ahead.close()

        assert begun[-2:] == [8, 9]

    def test_an_error_meets_who_takes_the_result(self):
        ahead = Prefetch(lambda n: 1 // n, workers=1)
        ahead.offer([1, 0, 2])

        assert ahead.take(1) == 1
        with pytest.raises(ZeroDivisionError):
            ahead.take(0)
        assert ahead.take(2) == 0
        ahead.close()

    def test_what_was_never_offered_or_was_given_before_is_done_at_once(self):
        done = []
        ahead = Prefetch(lambda n: done.append(n) or n, workers=1)
        ahead.offer([1])

        assert [ahead.take(1), ahead.take(1), ahead.take(7)] == [1, 1, 7]
        assert done == [1, 1, 7]
        ahead.close()

    def test_many_keys_are_no_burden(self):
        ahead = Prefetch(lambda n: n, workers=2)
        ahead.offer(range(20_000))
        started = time.process_time()
        for key in range(20_000):
            ahead.drop(key) if key % 2 else ahead.take(key)
        ahead.close()

        assert time.process_time() - started < 5  # a scan of what is coming for each takes minutes


class TestRate:
    @pytest.mark.parametrize(("text", "interval"), [("5/s", 0.2), ("300/m", 0.2), (" 1.5 / sec", 1 / 1.5)])
    def test_a_rate_is_read(self, text, interval):
        assert Rate.parse(text).interval == pytest.approx(interval)

    @pytest.mark.parametrize("text", ["", "5", "0/s", "-1/s", "5/d", "nan/s", "inf/s", "5/s/s", None, 5])
    def test_what_is_no_rate_is_told(self, text):
        with pytest.raises(InvalidValueError, match="as 5/s, 300/m or 1000/h"):
            Rate.parse(text)

    def test_threads_share_it(self):
        started = time.monotonic()
        model = Model()

        run(model, max_workers=8, rate="200/s")

        assert len(model.called) == 20
        assert time.monotonic() - started >= 19 / 200

    def test_who_waits_when_it_is_closed_gets_no_turn_any_more(self):
        rate = Rate.parse("1/h")
        rate.wait()
        threading.Timer(0.02, rate.close).start()

        for _ in range(2):
            with pytest.raises(RunEndedError):
                rate.wait()


class TestBudget:
    def test_reported_tokens_are_spent_and_no_call_begins_after(self):
        model = Model(lambda example: {"metadata": {"prompt_tokens": 90, "completion_tokens": 10}})

        result = run(model, max_tokens=500)

        assert len(result.rows) == len(model.called) == 5
        assert result.config["partial"]
        assert result.notes[0] == (
            "partial: 5 of 20 pairs have a row: the budget of 500 tokens is spent (500 tokens)"
        )

    def test_tokens_that_are_not_reported_are_counted(self):
        budget = Budget(10, None, lambda text: len(text.split()))
        budget.spend("s", {"context": "one two three"}, {"response": "four five"})

        assert budget.tokens == 5

    def test_dollars_come_of_a_price(self):
        model = Model(
            lambda example: {"metadata": {"prompt_tokens": 1_000_000, "completion_tokens": 500_000}}
        )

        result = run(model, max_cost=1.0, price="0.20/0.40")

        assert len(result.rows) == 3  # 0.40 each

    def test_or_of_what_is_reported(self):
        result = run(Model(lambda example: {"metadata": {"cost": 0.5}}), max_cost=1)

        assert len(result.rows) == 2

    def test_a_cost_that_nothing_tells_is_an_error_and_no_call_begins_after(self):
        model = Model()
        result = run(model, max_cost=1)

        assert "reports no cost" in result.rows[0].error
        assert model.called == [0]
        assert result.notes[0].endswith("the budget of 1 dollars is spent (nobody knows how many dollars)")

    @pytest.mark.parametrize("cost", [float("nan"), -1.0, "x", None])
    def test_what_is_no_cost_tells_nothing(self, cost):
        with pytest.raises(UnknownCostError):
            Budget(None, 1, len).spend("s", {}, {"metadata": {"cost": cost}})

    def test_a_compressor_that_is_paid_for_counts_too(self):
        used = {"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.25}
        budget = Budget(100, 100, len)
        budget.spend("s", {}, {"metadata": {**used, "compressor": {**used, "headers": "kept"}}})

        assert (budget.tokens, budget.cost) == (30, 0.5)

    def test_turns_are_counted_where_they_are_all_there_is(self):
        budget = Budget(10, None, lambda text: len(text.split()))
        budget.spend("s", {"turns": ["one two", {"role": "user", "content": "three"}]}, {"response": "four"})

        assert budget.tokens == 4

    def test_what_is_kept_is_given_also_when_it_is_spent(self, tmp_path):
        run(Model(), DATA[10:], cache_dir=tmp_path)

        result = run(Model(), cache_dir=tmp_path, max_tokens=1)

        assert [row.example_id for row in result.rows] == [0, *range(10, 20)]
        assert result.notes[0].startswith("partial: 11 of 20 pairs have a row: the budget of 1 tokens")

    def test_what_was_begun_before_has_its_row(self):
        def answer(example):
            time.sleep(0.05 if example["id"] == 0 else 0)
            return {"metadata": {"prompt_tokens": 50 if example["id"] else 1000, "completion_tokens": 0}}

        model = Model(answer)
        result = run(model, max_tokens=60, max_workers=4)

        assert [row.example_id for row in result.rows] == sorted(model.called)
        assert result.config["partial"]

    def test_what_is_kept_costs_nothing(self, tmp_path):
        model = Model(lambda example: {"metadata": {"prompt_tokens": 100, "completion_tokens": 1}})
        run(model, cache_dir=tmp_path)

        assert len(run(model, cache_dir=tmp_path, max_tokens=1).rows) == 20

    @pytest.mark.parametrize(
        "options",
        [{"max_tokens": 0}, {"max_cost": -1}, {"max_cost": float("nan")}, {"price": "1"}, {"price": "a/b"}],
    )
    def test_a_budget_that_is_none_is_told_before_anything_runs(self, options):
        model = Model()

        with pytest.raises(ContextBenchError):
            run(model, **options)
        assert model.called == []

    def test_a_price_is_for_a_million_tokens(self):
        assert Price.parse("0.15/0.60").of(2_000_000, 500_000) == pytest.approx(0.6)

    def test_the_message_of_an_unknown_cost_names_the_system(self):
        with pytest.raises(UnknownCostError, match="'mine'"):
            Budget(None, 1, len).spend("mine", {}, {})

    def test_a_spent_budget_admits_none(self):
        budget = Budget(1, None, len)
        budget.spend("s", {"context": "x"}, {})

        with pytest.raises(BudgetSpentError, match="budget of 1 tokens is spent"):
            budget.admit()


class TestAsync:
    def test_calls_are_under_way_at_once_in_one_event_loop(self):
        model = AsyncModel()

        result = run(model, max_workers=10)

        assert [row.scores["score"] for row in result.rows] == [1.0] * 20
        assert len(model.loops) == 1
        assert 5 <= model.most <= 10

    def test_one_worker_does_as_well(self):
        assert [row.error for row in run(AsyncModel(), max_examples=2).rows] == [None, None]

    def test_a_conversation_may_be_async(self):
        class Chat:
            name = "chat"

            async def process_conversation(self, turns):
                return [f"re {turn['content']}" for turn in turns]

            def process(self, example):
                raise AssertionError

        data = [
            {"id": 1, "multi_turn": True, "turns": [{"role": "user", "content": "hi"}], "answer": "re hi"}
        ]

        assert run(Chat(), data).rows[0].scores["exact_match"] == 1.0

    def test_one_within_a_pipeline_waits_in_the_same_loop(self):
        model = AsyncModel()
        result = run([Pipeline(Truncate(0.5), model), Renamed(model, "alone")], max_workers=4)

        assert [row.error for row in result.rows] == [None] * 40
        assert len(model.loops) == 1

    def test_one_that_runs_a_pipeline_of_another_is_told_so(self):
        class Within:
            name = "within"

            async def process(self, example):
                coroutine = AsyncModel().process(example)
                try:
                    return Pipeline(Truncate(0.5), Fixed(coroutine)).process(example)
                finally:
                    coroutine.close()

        assert "await it there" in run(Within(), max_examples=1).rows[0].error

    def test_it_may_warm_up_without_blocking_too(self):
        class Warm(AsyncModel):
            ready = False

            async def warm_up(self):
                self.ready = True

            async def process(self, example):
                assert self.ready
                return await super().process(example)

        assert [row.error for row in run(Warm(), max_examples=2).rows] == [None, None]

    def test_what_it_raises_is_the_rows_error(self):
        class Failing:
            name = "failing"

            async def process(self, example):
                raise ConnectionError("down")

        assert run(Failing(), max_examples=1).rows[0].error == "ConnectionError: down"

    @pytest.mark.parametrize("exit_", [SystemExit, KeyboardInterrupt])
    def test_one_that_asks_to_exit_leaves_the_loop_to_the_others(self, exit_):
        loop = Loop()

        async def ends():
            raise exit_("enough")

        with pytest.raises(exit_, match="enough"):
            loop.run(ends())
        assert loop.run(asyncio.sleep(0, "still there")) == "still there"
        loop.close()

    def test_closing_cancels_what_is_waited_for(self):
        loop, cancelled = Loop(), []

        async def forever():
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(True)
                raise

        threading.Thread(target=lambda: (time.sleep(0.05), loop.close())).start()
        with pytest.raises(CancelledError):
            loop.run(forever())
        assert cancelled


def test_threads_that_come_together_warm_a_system_up_one_by_one():
    class Warm(Model):
        loads = 0

        def warm_up(self):
            if not self.loads:
                time.sleep(0.02)
                self.loads += 1

    model = Warm()
    run(model, max_workers=8)

    assert model.loads == 1


def test_a_slow_call_does_not_keep_the_others_waiting():
    def answer(example):
        if example["id"] == 0:
            others.wait(10)
        elif len(model.called) == 20:
            others.set()
        return {}

    others = threading.Event()
    model = Model(answer)
    started = time.monotonic()
    run(model, max_workers=2)

    assert time.monotonic() - started < 5


def test_the_calls_of_all_systems_are_under_way_at_once():
    together = threading.Barrier(4, timeout=5)
    model = Model(lambda example: {"metadata": {"place": together.wait()}})

    result = run([model, Renamed(model, "again")], DATA[:2], max_workers=4)

    assert [row.error for row in result.rows] == [None] * 4
    assert [row.system for row in result.rows] == ["model", "model", "again", "again"]


def test_repeats_are_rows_of_their_own():
    result = run(Model(), repeats=3, max_examples=2)

    assert [(row.example_id, row.repeat) for row in result.rows] == [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)
    ]  # fmt: skip


def test_repeats_are_kept_apart(tmp_path):
    model = Model()
    run(model, repeats=2, max_examples=2, cache_dir=tmp_path)
    run(model, repeats=3, max_examples=2, cache_dir=tmp_path)

    assert sorted(model.called) == [0, 0, 0, 1, 1, 1]


def test_refresh_calls_anew_and_only_calls_none(tmp_path):
    model = Model()
    run(model, max_examples=2, cache_dir=tmp_path)

    replayed = run(model, max_examples=3, cache_dir=tmp_path, cache="only")
    assert model.called == [0, 1]
    assert [row.error for row in replayed.rows[:2]] == [None, None]
    assert "may only replay" in replayed.rows[2].error
    run(model, max_examples=2, cache_dir=tmp_path, cache="refresh")
    assert model.called == [0, 1, 0, 1]


def test_an_unknown_mode_names_the_known_ones(tmp_path):
    with pytest.raises(ContextBenchError, match="cache mode 'onyl': did you mean 'only'"):
        run(Model(), cache_dir=tmp_path, cache="onyl")


def test_several_data_sets_are_told_apart_and_folded_together(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_text('{"context": "x", "answer": "x"}\n', encoding="utf-8")

    result = run("identity", [tmp_path / "a.jsonl", str(tmp_path / "b.jsonl")])

    assert [row.dataset for row in result.rows] == ["a", "b"]
    assert result.summary["identity"]["dataset:a"] == 1.0
    assert result.config["datasets"] == ["a", "b"]
