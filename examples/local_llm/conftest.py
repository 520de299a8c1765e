"""The model itself, kompact in front of it, and two baselines with the model behind them."""

import os

from prompts import to_messages
from sources import articles, hotpotqa

from pytest_context_bench.systems import Extract, OpenAIProxy, Pipeline, Truncate

MODEL_URL = os.environ.get("LOCAL_LLM_URL", "http://127.0.0.1:8181")
KOMPACT_URL = os.environ.get("KOMPACT_URL", "http://127.0.0.1:7878")
MODEL = "smollm2"
GREEDY = {"temperature": 0, "max_tokens": 32, "stop": ["\n"]}


def ask(url, name):
    return OpenAIProxy(
        url, MODEL, name, build_messages=to_messages, extra_body=GREEDY, api_key="", timeout=300
    )


def pytest_context_bench_register(registry):
    registry.register("dataset", "articles", articles)
    registry.register("dataset", "hotpotqa-easy", hotpotqa)
    reader = ask(MODEL_URL, MODEL)
    for system in (
        ask(MODEL_URL, "direct"),
        ask(KOMPACT_URL, "kompact"),
        Pipeline(Truncate(0.5), reader),
        Pipeline(Extract(0.1), reader),
    ):
        registry.register("system", system.name, system)
