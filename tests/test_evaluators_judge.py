import gc
import threading

import pytest
from endpoint_server import Endpoint, answer, reply
from shared import shared_lines

from pytest_context_bench.chat import ChatClient
from pytest_context_bench.errors import ContextBenchError, InvalidValueError, JudgeError
from pytest_context_bench.evaluators import LLMJudge
from pytest_context_bench.evaluators.judge_prompt import TEMPLATE, judge_prompt
from pytest_context_bench.protocols import Evaluator

EXAMPLE = {"id": 1, "context": "France. Capital: Paris.", "question": "Capital?", "answer": "Paris"}
OUTPUT = {**EXAMPLE, "context": "Capital: Paris.", "response": "It is Paris."}


@pytest.fixture
def endpoint():
    server = Endpoint()
    server.behave(reply(answer("[[4]]")))
    yield server
    server.close()


@pytest.fixture
def judge(endpoint):
    """Return a maker of judges that ask the endpoint."""
    judges = []

    def make(**settings):
        judges.append(LLMJudge(endpoint.url, "m", **{"max_retries": 0, "timeout": 5.0, **settings}))
        return judges[-1]

    yield make
    for one in judges:
        one.close()


def prompt(original, processed, template=TEMPLATE, *, use_reference=True):
    return judge_prompt(template, original, processed, use_reference=use_reference)


# --- the score


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("[[1]]", 0),
        ("[[2]]", 0.25),
        ("Rating: 3", 0.5),
        ("3 of 4 facts.\n\n4/5", 0.75),
        ("4.5", 0.875),
        ("[[5]]", 1),
    ],
)
def test_one_to_five_becomes_nought_to_one(endpoint, judge, said, score):
    endpoint.behave(reply(answer(said)))

    assert judge().score(EXAMPLE, OUTPUT) == {"judge_score": score}


@pytest.mark.parametrize(
    "said", ["[[0]]", "[[6]]", "Rating: -1", "Rating: 5.01", "7/5", "8/10", "very good", "", "1 to 5"]
)
def test_no_rating_on_the_scale_is_an_error_that_quotes_the_judge(endpoint, judge, said):
    endpoint.behave(reply(answer(said)))
    with pytest.raises(JudgeError) as caught:
        judge(name="strict").score(EXAMPLE, OUTPUT)

    assert "'strict'" in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("said", "score"),
    [("Rating: 4", None), ("[[4", None), ("Rating: 4\nIt is ri", 0.75), ("Rating: 4 ", 0.75), ("", None)],
)
def test_a_number_at_the_cut_of_a_reply_is_not_trusted(endpoint, judge, said, score):
    endpoint.behave(reply(answer(said, "length")))

    if score is None:
        with pytest.raises(JudgeError):
            judge().score(EXAMPLE, OUTPUT)
    else:
        assert judge().score(EXAMPLE, OUTPUT) == {"judge_score": score}


@pytest.mark.parametrize(
    "behaviour",
    [
        reply("nope", 401),
        reply("busy", 503),
        reply({"choices": []}),
        reply("<html>"),
        reply(answer(None, "tool_calls", tool_calls=[{}])),
    ],
)
def test_a_judge_that_fails_is_an_error_and_no_score(endpoint, judge, behaviour):
    endpoint.behave(behaviour)

    with pytest.raises(JudgeError, match="judge 'llm_judge'"):
        judge().score(EXAMPLE, OUTPUT)


def test_a_busy_judge_is_asked_again(endpoint, judge):
    endpoint.behave(reply("busy", 503, retry_after="0"), reply(answer("[[5]]")))

    assert judge(max_retries=1).score(EXAMPLE, OUTPUT) == {"judge_score": 1}


def test_the_key_is_sent_and_never_shown(endpoint, judge):
    key = "a-key-of-no-known-shape"
    endpoint.behave(reply(f"bad key {key}", 401), reply(answer(f"{key} is no rating")))
    one = judge(api_key=key)
    with pytest.raises(JudgeError) as refused:
        one.score(EXAMPLE, OUTPUT)
    with pytest.raises(JudgeError) as unread:
        one.score(EXAMPLE, OUTPUT)

    assert endpoint.requests[0][1]["authorization"] == f"Bearer {key}"
    assert key not in f"{refused.value} {refused.value.__cause__} {unread.value} {one!r}"


# --- what the judge is shown


def test_question_reference_and_response_are_shown(endpoint, judge):
    judge().score(EXAMPLE, OUTPUT)

    body = endpoint.requests[0][2]
    assert (body["model"], body["temperature"], len(body["messages"])) == ("m", 0, 1)
    shown = body["messages"][0]["content"]
    assert "[user]\nCapital?\n\n[assistant]\nIt is Paris.\n</conversation>" in shown
    assert "<reference>\nParis\n</reference>" in shown
    assert "Capital: Paris" not in shown


@pytest.mark.parametrize(
    "original", [{"question": "Capital?"}, {**EXAMPLE, "answer": []}, {**EXAMPLE, "answer": None}]
)
def test_without_a_gold_nothing_is_said_of_a_reference(original):
    shown = prompt(original, {"response": "Paris"})

    assert "reference" not in shown
    assert "{" not in shown


def test_the_reference_can_be_withheld(endpoint, judge):
    judge(use_reference=False).score({**EXAMPLE, "answer": "Lutetia"}, OUTPUT)

    assert "Lutetia" not in endpoint.requests[0][2]["messages"][0]["content"]


@pytest.mark.parametrize("field", ["answer", "answers"])
def test_several_golds_are_all_shown(field):
    assert "1. Paris\n2. Paname" in prompt({"question": "?", field: ["Paris", "Paname"]}, {"response": "x"})


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"reference": "Paris"}, "Paris"),
        ({"reference": ["Paris"]}, "Paris"),
        ({"reference": 7}, "7"),
        ({"reference": ["Paris", "", None, "Paname"]}, "1. Paris\n2. Paname"),
        ({"reference": "Lutetia", "answer": "Paris"}, "Paris"),
        ({"reference": "Paris", "answer": None, "answers": []}, "Paris"),
        ({"reference": "Paris", "answer": ""}, "Paris"),
        ({"turns": ["a", "b"], "reference": ["one", "two"]}, "[to turn 1]\none\n\n[to turn 2]\ntwo"),
        ({"turns": ["a", "b"], "reference": ["", "x\n\ny"]}, "[to turn 2]\nx\n\ny"),
        ({"turns": ["a", "b"], "reference": ["one", None]}, "[to turn 1]\none"),
        ({"turns": ["a", "b"], "reference": "of all"}, "of all"),
        ({"turns": ["a"], "reference": ["one"]}, "one"),
        ({"turns": ["a"], "reference": ["one", "two"]}, "1. one\n2. two"),
    ],
)
def test_without_a_gold_the_reference_is_shown_by_turn(fields, shown):
    assert f"<reference>\n{shown}\n</reference>" in prompt({"question": "?", **fields}, {"response": "x"})


@pytest.mark.parametrize("missing", [None, "", [], ["", ""], [None, None], float("nan")], ids=repr)
@pytest.mark.parametrize("turns", [None, ["a", "b"]], ids=["question", "turns"])
def test_without_any_reference_nothing_is_said_of_one(missing, turns):
    shown = prompt({"question": "?", "turns": turns, "reference": missing}, {"response": "x"})

    assert "reference" not in shown


def test_a_reference_is_counted_to_the_turns_of_the_user():
    turns = [{"role": "system", "content": "s"}, "a", {"role": "assistant", "content": "old"}, "b"]

    shown = prompt({"turns": turns, "reference": ["", "two"]}, {"turn_responses": ["1", "2"]})

    assert "<reference>\n[to turn 2]\ntwo\n</reference>" in shown


def test_a_reference_too_can_be_withheld():
    assert "Lutetia" not in prompt({"reference": "Lutetia"}, {"response": "x"}, use_reference=False)


@pytest.mark.parametrize(
    ("original", "processed", "conversation"),
    [
        (
            {"context": "A long text."},
            {"response": "A text."},
            "[user]\nA long text.\n\n[assistant]\nA text.",
        ),
        ({"context": "A long text."}, {"context": "A text."}, "[user]\nA long text.\n\n[assistant]\nA text."),
        ({}, {"response": "A text."}, "[assistant]\nA text."),
        ({"question": "Q"}, {"response": None}, "[user]\nQ\n\n[assistant]\n(no text)"),
        ({"question": "Q"}, {"response": "", "context": "c"}, "[user]\nQ\n\n[assistant]\n(no text)"),
        ({"question": 7}, {"response": "r"}, "[user]\n7\n\n[assistant]\nr"),
    ],
)
def test_what_is_missing_is_made_up_for(original, processed, conversation):
    assert f"<conversation>\n{conversation}\n</conversation>" in prompt(original, processed)


@pytest.mark.parametrize(
    "processed", [{}, {"context": ""}, {"context": None, "turn_responses": []}], ids=repr
)
def test_without_anything_to_judge_nobody_is_asked_and_there_is_no_score(endpoint, judge, processed):
    assert judge().score({"question": "Q", "answer": "A"}, processed) == {}
    assert endpoint.requests == []


@pytest.mark.parametrize("response", [7, ["x"], {"text": "x"}], ids=repr)
def test_a_response_that_is_no_text_is_an_error(judge, response):
    with pytest.raises(ContextBenchError):
        judge().score(EXAMPLE, {"response": response})


def turn(role, text):
    return {"role": role, "content": text}


RECORDED = [turn("user", "a"), turn("assistant", "old"), turn("user", "b")]
PARTS = [{"type": "thinking", "thinking": "x"}, {"type": "text", "text": "a"}]


@pytest.mark.parametrize(
    ("turns", "replies", "conversation"),
    [
        (["a", "b"], ["1", "2"], ["u:a", "a:1", "u:b", "a:2"]),
        ([turn("user", "a"), {"content": "b"}], ["1", turn("assistant", "2")], ["u:a", "a:1", "u:b", "a:2"]),
        (RECORDED, ["1", "2"], ["u:a", "a:1", "u:b", "a:2"]),
        (RECORDED, ["2"], ["u:a", "a:old", "u:b", "a:2"]),
        ([turn("system", "s"), "a"], ["1"], ["s:s", "u:a", "a:1"]),
        (["a"], ["1", "2"], ["u:a", "a:1", "a:2"]),
        (["a", "b"], ["", None], ["u:a", "a:(no text)", "u:b", "a:(no text)"]),
        ([turn("user", PARTS)], ["1"], ["u:a", "a:1"]),
    ],
)
def test_a_conversation_is_shown_whole_and_in_order(turns, replies, conversation):
    shown = prompt({"multi_turn": True, "turns": turns}, {"response": replies[-1], "turn_responses": replies})

    roles = {"u": "user", "a": "assistant", "s": "system"}
    expected = "\n\n".join(f"[{roles[line[0]]}]\n{line[2:]}" for line in conversation)
    assert f"<conversation>\n{expected}\n</conversation>" in shown


def test_every_turn_of_mt_bench_is_shown():
    for record in shared_lines("data/mt_bench_questions.jsonl"):
        replies = [f"reply to {turn}" for turn in record["turns"]]
        shown = prompt(record, {**record, "turn_responses": replies, "response": replies[-1]})
        assert [text for text in [*record["turns"], *replies] if text not in shown] == []


# --- templates


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{question} / {response} / {reference}", "Capital? / It is Paris. / Paris"),
        (
            "{response} {unknown} {0} {} {{x}} {question!r}",
            "It is Paris. {unknown} {0} {} {{x}} {question!r}",
        ),
        ('{"response": "{response}"}', '{"response": "It is Paris."}'),
        ("{context}\n{response}", "France. Capital: Paris.\nIt is Paris."),
        ("%s {response} \\1 \\g<0>", "%s It is Paris. \\1 \\g<0>"),
    ],
)
def test_only_known_placeholders_of_a_template_are_replaced(endpoint, judge, template, expected):
    judge(template=template).score(EXAMPLE, OUTPUT)

    assert endpoint.requests[0][2]["messages"][0]["content"] == expected


@pytest.mark.parametrize(
    "text", ["{reference}", "{response}", "{question} {conversation}", "\\1 \\g<0>", "{x!r} %s", "a\n\n\nb"]
)
def test_texts_are_filled_in_once(text):
    original = {"question": text, "answer": "gold", "context": text}

    assert prompt(original, {"response": text}, "{question}|{response}") == f"{text}|{text}"
    assert f"[assistant]\n{text}\n</conversation>" in prompt(original, {"response": text})


def test_a_paragraph_without_anything_to_say_is_left_out():
    template = "Rate.\n\nReference: {reference}\n\nContext: {context} Reference: {reference}\n\n{response}"

    assert prompt({"context": "c"}, {"response": "r"}, template) == "Rate.\n\nContext: c Reference: \n\nr"


def test_turns_are_numbered_where_a_template_asks_for_questions_and_responses():
    original = {"turns": ["a", "b"], "answer": "g"}
    shown = prompt(original, {"turn_responses": ["1", "2"]}, "{question}\n{response}\n{reference}")

    assert shown == "1. a\n2. b\n1. 1\n2. 2\ng"


# --- the evaluator as an object


@pytest.mark.parametrize(
    ("settings", "named"),
    [({"template": "Rate it."}, "template"), ({"base_url": "h"}, "base URL"), ({"timeout": -1}, "timeout")],
)
def test_wrong_settings_show_when_the_judge_is_made(settings, named):
    with pytest.raises(InvalidValueError, match=named):
        LLMJudge(**{"base_url": "http://h", "model": "m", **settings})


def test_judges_are_values_that_tell_their_settings_apart():
    one = LLMJudge("http://h", "m", api_key="k1")

    assert isinstance(one, Evaluator)
    assert one == LLMJudge("http://h", "m", api_key="k2")
    assert (
        len({one, LLMJudge("http://h", "other"), LLMJudge("http://h2", "m"), LLMJudge("http://h", "m")}) == 3
    )
    assert one != LLMJudge("http://h", "m", extra_body={})


def test_a_judge_connects_only_when_it_judges_and_cleans_up_when_forgotten(endpoint):
    def threads():
        return sum(thread.name == "context-bench-chat" for thread in threading.enumerate())

    judge = LLMJudge(endpoint.url, "m")
    idle = threads()
    judge.score(EXAMPLE, OUTPUT)
    busy = threads()
    del judge
    gc.collect()

    assert (idle, busy, threads()) == (0, 1, 0)


def test_the_client_of_a_judge_is_one_for_all_its_threads(judge):
    one = judge()

    assert isinstance(one.client, ChatClient)
    assert one.client is one.client
