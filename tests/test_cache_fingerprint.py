"""Two versions of a user's code are told apart exactly where their results could differ."""

import importlib
import os
import shutil
import subprocess
import sys
import textwrap
import time
import types

import pytest

from pytest_context_bench import evaluators
from pytest_context_bench.cache import packages
from pytest_context_bench.cache.fingerprint import fingerprint
from pytest_context_bench.systems import built_in

# What differs stands between two bars: the text of one version, then that of the other.
CHANGES = {
    "attribute": """
        class S:
            def __init__(self, model): self.model = model
        system = S(|"a"|"b"|)
    """,
    "class attribute": """
        class S:
            url = |"http://a"|"http://b"|
        system = S()
    """,
    "slot": """
        class S:
            __slots__ = ("ratio", "__hidden")
            def __init__(self, ratio): self.__hidden = ratio
        system = S(|0.5|0.6|)
    """,
    "slot of a base": """
        class B: __slots__ = ("ratio",)
        class S(B): pass
        system = S()
        system.ratio = |1|2|
    """,
    "field": """
        from dataclasses import dataclass
        @dataclass(frozen=True)
        class S:
            ratio: float = 0.5
        system = S(|0.5|0.6|)
    """,
    "field that is not shown": """
        from dataclasses import dataclass, field
        @dataclass
        class S:
            prompt: str = field(repr=False, compare=False)
        system = S(|"Shorten"|"Sum up"|)
    """,
    "field with slots": """
        from dataclasses import dataclass
        @dataclass(frozen=True, slots=True)
        class S:
            ratio: float
        system = S(|0.5|0.6|)
    """,
    "method": """
        class S:
            def process(self, example): return {"context": example["context"][:|10|20|]}
        system = S()
    """,
    "method of a base": """
        class B:
            def process(self, example): return |1|2|
        class S(B): pass
        system = S()
    """,
    "base": """
        class A:
            def process(self, example): return 1
        class B:
            def process(self, example): return 2
        class S(|A|B|): pass
        system = S()
    """,
    "operator": """
        class S:
            def process(self, example): return 1 |+|-| 2
        system = S()
    """,
    "name that is called": """
        class S:
            def process(self, example): return example.|lower|upper|()
        system = S()
    """,
    "exception that is caught": """
        class S:
            def process(self, example):
                try: return example()
                except |KeyError|ValueError|: return 0
        system = S()
    """,
    "nested function": """
        class S:
            def process(self, example):
                def inner(): return |1|2|
                return inner()
        system = S()
    """,
    "nested function's global": """
        LIMIT = |1|2|
        class S:
            def process(self, example): return [each for each in example if (lambda: LIMIT)()]
        system = S()
    """,
    "set in code": """
        class S:
            def process(self, example): return example in {"a", |"b"|"c"|}
        system = S()
    """,
    "property": """
        class S:
            @property
            def limit(self): return |1|2|
        system = S()
    """,
    "cached property": """
        from functools import cached_property
        class S:
            @cached_property
            def limit(self): return |1|2|
        system = S()
    """,
    "static method": """
        class S:
            @staticmethod
            def limit(): return |1|2|
        system = S()
    """,
    "class method": """
        class S:
            @classmethod
            def limit(cls): return |1|2|
        system = S()
    """,
    "call of a data class": """
        from dataclasses import dataclass
        @dataclass
        class S:
            def __call__(self, context): return |1|2|
        system = S()
    """,
    "private method of a data class": """
        from dataclasses import dataclass
        @dataclass
        class S:
            def _limit(self): return |1|2|
        system = S()
    """,
    "user's descriptor": """
        class Limit:
            def __init__(self, limit): self.limit = limit
            def __get__(self, owner, kind): return self.limit
            def __set__(self, owner, value): raise AttributeError
        class S:
            limit = Limit(|1|2|)
        system = S()
    """,
    "global": """
        PROMPT = |"Shorten"|"Sum up"|
        class S:
            def process(self, example): return PROMPT
        system = S()
    """,
    "global settings": """
        SETTINGS = {"model": |"a"|"b"|}
        class S:
            def process(self, example): return SETTINGS["model"]
        system = S()
    """,
    "helper": """
        def cut(text): return text[:|1|2|]
        class S:
            def process(self, example): return cut(example)
        system = S()
    """,
    "helper's helper": """
        LIMIT = |1|2|
        def deeper(text): return text[:LIMIT]
        def cut(text): return deeper(text)
        class S:
            def process(self, example): return cut(example)
        system = S()
    """,
    "class that a helper makes": """
        class Tool:
            def work(self): return |1|2|
        class S:
            def process(self, example): return Tool().work()
        system = S()
    """,
    "constructor of a class that is made": """
        class Tool:
            def __init__(self): self.limit = |1|2|
        class S:
            def process(self, example): return Tool().limit
        system = S()
    """,
    "decorated helper": """
        from functools import cache, wraps
        def twice(fn):
            @wraps(fn)
            def inner(*args): return fn(*args)
            return inner
        @cache
        @twice
        def cut(text): return text[:|1|2|]
        class S:
            def process(self, example): return cut(example)
        system = S()
    """,
    "decorator": """
        def times(fn): return lambda *args: fn(*args) * |1|2|
        class S:
            @times
            def process(self, example): return example
        system = S()
    """,
    "lambda": "system = lambda context: context[:|1|2|]",
    "lambda of several on a line": "system = (lambda c: c[:1], lambda c: c[:2])[|0|1|]",
    "default": "system = lambda context, limit=|1|2|: context[:limit]",
    "keyword default": "system = lambda context, *, limit=|1|2|: context[:limit]",
    "closure": """
        def make(ratio): return lambda context: context[:ratio]
        system = make(|1|2|)
    """,
    "attribute of a function": """
        def system(context): return context[:system.limit]
        system.limit = |1|2|
    """,
    "partial": """
        from functools import partial
        def cut(limit, context): return context[:limit]
        system = partial(cut, |1|2|)
    """,
    "keyword of a partial": """
        from functools import partial
        def cut(context, limit): return context[:limit]
        system = partial(partial(cut, limit=|1|2|))
    """,
    "bound method": """
        class T:
            def __init__(self, limit): self.limit = limit
            def cut(self, context): return context[:self.limit]
        system = T(|1|2|).cut
    """,
    "built-in": "system = |str.lower|str.upper|",
    "bound built-in": "import re\nsystem = re.compile(|'a'|'b'|).sub",
    "operator object": "import operator\nsystem = operator.itemgetter(|'a'|'b'|)",
    "wrapped function": """
        from pytest_context_bench.systems import Compressor
        system = Compressor(lambda context: context[:|1|2|], name="same")
    """,
    "wrapped system": """
        from pytest_context_bench.systems import built_in
        from pytest_context_bench.systems.adapt import Renamed
        system = Renamed(built_in(|"truncate:0.5"|"truncate:0.6"|), "same")
    """,
    "order of steps": """
        def one(text): return text
        def two(text): return text + text
        class Pipeline:
            def __init__(self, *steps): self.steps = steps
        system = Pipeline(|one, two|two, one|)
    """,
    "step that leads back": """
        class Node: pass
        system, other = Node(), Node()
        system.next, other.next = other, system
        other.limit = |1|2|
    """,
    "enum": """
        from enum import Enum
        class Mode(Enum):
            FAST = |1|2|
        class S:
            def process(self, example): return Mode.FAST.value
        system = S()
    """,
    "member": """
        from enum import Enum
        Mode = Enum("Mode", "FAST SLOW")
        class S: mode = |Mode.FAST|Mode.SLOW|
        system = S()
    """,
    "named tuple": """
        from typing import NamedTuple
        class Settings(NamedTuple):
            limit: int
            def double(self): return self.limit * 2
        system = Settings(|1|2|)
    """,
    "method of a named tuple": """
        from typing import NamedTuple
        class Settings(NamedTuple):
            limit: int
            def double(self): return self.limit * |2|3|
        system = Settings(1)
    """,
    "namespace": "from types import SimpleNamespace\nsystem = SimpleNamespace(limit=|1|2|)",
    "pattern": "import re\nsystem = re.compile('a', |0|re.I|)",
    "seed": "import random\nsystem = random.Random(|1|2|)",
    "path": "from pathlib import Path\nsystem = Path(|'a'|'b'|)",
    "decimal": "from decimal import Decimal\nsystem = Decimal(|'0.5'|'0.50'|)",
    "date": "from datetime import date\nsystem = date(2024, 1, |1|2|)",
    "bytes": "system = [|b'a'|b'b'|, bytearray(b'c')]",
    "bytearray": "system = bytearray(|b'a'|b'b'|)",
    "array": "from array import array\nsystem = array('i', |[1]|[2]|)",
    "numpy": "import numpy\nsystem = numpy.array([[1.0, |2.0|3.0|]])",
    "numpy scalar": "import numpy\nsystem = numpy.float32(|2.0|3.0|)",
    "deque": "from collections import deque\nsystem = deque([|1|2|])",
    "default dict": "from collections import defaultdict\nsystem = defaultdict(|int|float|)",
    "set": "system = {1, 2, |3|4|}",
    "dict key": "system = {|1|'1'|: 2}",
    "dict value": "system = {'a': {'b': |1|2|}}",
    "number without bounds": "system = 10 ** |5000|5001|",
    "kind of number": "system = |1|1.0|",
    "kind of truth": "system = |1|True|",
    "number or text": "system = |1|'1'|",
    "kind of sequence": "system = |[1]|(1,)|",
    "where a list ends": "system = |[[1], 2]|[[1, 2]]|",
    "where a text ends": "system = |['ab', 'c']|['a', 'bc']|",
    "lone surrogate": "system = |'\\ud83d'|'\\ud83e'|",
    "attribute of a container": """
        class Steps(list): pass
        system = Steps()
        system.limit = |1|2|
    """,
    "kind of container": """
        class A(list):
            def limit(self): return 1
        class B(list):
            def limit(self): return 2
        system = |A|B|()
    """,
    "class instead of an instance": """
        class S: pass
        system = |S|S()|
    """,
    "number of tokens": """
        class S:
            def __init__(self, limit): self.max_tokens = limit
        system = S(|100|200|)
    """,
    "special token": """
        class S:
            def __init__(self, token): self.token = token
        system = S(|"<sep>"|"<cut>"|)
    """,
    "sort key": "system = {'sort_key': |'score'|'length'|}",
    "whether there is a key": "system = {'api_key': |None|'sk-1'|}",
    "whether a password is asked": "system = {'password': |True|False|}",
}
# Versions that give the same results.
LIKENESSES = {
    "comments": "system = lambda c: c[:1]||  # the first one|",
    "lines": "||\n\n\n|system = lambda c: c[:1]",
    "key": "system = {'api_key': |'sk-1'|'sk-2'|}",
    "key of a kind": "system = {'openai_api_key': |'sk-1'|'sk-2'|}",
    "key of an object": """
        class S:
            def __init__(self, key): self._api_key = key
        system = S(|"sk-1"|"sk-2"|)
    """,
    "header": "system = {'headers': {'Authorization': |'Bearer 1'|'Bearer 2'|, 'x-api-key': |'1'|'2'|}}",
    "password in a closure": """
        def make(password): return lambda context: (password, context)
        system = make(|"one"|"other"|)
    """,
    "global key": """
        API_KEY = |"sk-1"|"sk-2"|
        system = lambda context: (API_KEY, context)
    """,
    "what looks like a token": f"system = {{'token': |'hf_{'a' * 20}'|'hf_{'b' * 20}'|}}",
    "what equality leaves out": """
        from dataclasses import dataclass, field
        @dataclass
        class S:
            client: object = field(default=None, compare=False)
        system = S(|None|iter([])|)
    """,
    "what its metadata leave out": """
        from dataclasses import dataclass, field
        @dataclass
        class S:
            timeout: float = field(metadata={"cache_key": False})
        system = S(|1.0|2.0|)
    """,
    "cached property that was used": """
        from functools import cached_property
        class S:
            @cached_property
            def client(self): return iter([])
        system = S()
        |None|system.client|
    """,
    "text made anew": "system = [|'abc', 'abc'|'abc', ''.join(['a', 'b', 'c'])|]",
    "order of attributes": """
        class S: pass
        system = S()
        |system.a = 1; system.b = 2|system.b = 2; system.a = 1|
    """,
    "tools": """
        import logging, threading
        class S:
            def __init__(self, log): self.lock, self.log = threading.Lock(), log
        system = S(logging.getLogger(|"a"|"b"|))
    """,
}
# What stands for itself, by how it is made and what it is called.
OPAQUE = {
    "file": ("import sys\nsystem = Client(sys.__stdin__)", "TextIOWrapper"),
    "iterator": ("system = Client(iter([]))", "list_iterator"),
    "generator": ("system = Client(each for each in [])", "generator"),
    "counter": ("import itertools\nsystem = Client(itertools.count())", "count"),
    "view": ("system = Client(memoryview(b''))", "memoryview"),
    "buffer": ("import io\nsystem = Client(io.StringIO())", "StringIO"),
    "subclass of what is written in C": (
        "import io\nclass Own(io.StringIO): pass\nsystem = Client(Own())",
        "Own",
    ),
    "array of objects": ("import numpy\nsystem = Client(numpy.array([object()]))", "ndarray"),
    "HTTP client": ("import httpx\nsystem = Client(httpx.Client())", "Client"),
    "what fails when it is looked at": (
        "class Proxy:\n    @property\n    def __class__(self): raise RuntimeError\nsystem = Client(Proxy())",
        "Proxy",
    ),
    "in a set": ("system = Client({iter([])})", "set"),
    "in a closure": (
        "def made(inner): return lambda: inner\nsystem = Client(made(iter([])))",
        "list_iterator",
    ),
    "too deep": ("deep = []\nfor _ in range(9000): deep = [deep]\nsystem = Client(deep)", "chain of"),
}
CLIENT = """
class Client:
    def __init__(self, inner): self.inner = inner
"""


def versions(source):
    """Make the system of *source* in its two versions."""
    parts = source.split("|")
    if len(parts) == 1:
        return [made(source)]
    first = "".join(text for at, text in enumerate(parts) if at % 3 != 2)
    other = "".join(text for at, text in enumerate(parts) if at % 3 != 1)
    return [made(first), made(other)]


def made(source):
    module = types.ModuleType("users")
    exec(textwrap.dedent(source), vars(module))
    return vars(module)["system"]


@pytest.mark.parametrize("source", CHANGES.values(), ids=CHANGES)
def test_a_change_is_seen(source):
    one, other = map(fingerprint, versions(source))

    assert one.unseen is None
    assert other.unseen is None
    assert one.digest != other.digest


@pytest.mark.parametrize("source", [*CHANGES.values(), *LIKENESSES.values()], ids=[*CHANGES, *LIKENESSES])
def test_what_is_made_again_is_the_same(source):
    assert fingerprint(versions(source)[0]) == fingerprint(versions(source)[0])


@pytest.mark.parametrize("source", LIKENESSES.values(), ids=LIKENESSES)
def test_what_changes_no_result_is_not_seen(source):
    one, other = map(fingerprint, versions(source))

    assert one.unseen is None
    assert one == other


@pytest.mark.parametrize(("source", "what"), OPAQUE.values(), ids=OPAQUE)
def test_what_cannot_be_seen_into_is_named(source, what):
    unseen = fingerprint(made(CLIENT + source)).unseen

    assert unseen.what.startswith(what)
    assert unseen.where.split(".")[0] == ("state" if what == "chain of" else "inner")


def test_too_much_is_not_seen_into(monkeypatch):
    thing = types.SimpleNamespace(small=1, many=[[] for _ in range(1000)])
    assert fingerprint(thing).unseen is None

    monkeypatch.setattr("pytest_context_bench.cache.fingerprint._MOST", 1000)

    assert fingerprint(thing).unseen.where == "many"


SYSTEMS = ("identity", "truncate:0.5", "extract:0.5")
ARGUMENTS = {
    "LLMJudge": ("http://localhost:1", "model", "sk-1"),
    "FirstLine": (evaluators.AnswerQuality(),),
}
EVALUATORS = [kind for name in evaluators.__all__ if isinstance(kind := getattr(evaluators, name), type)]


@pytest.mark.parametrize(
    "thing",
    [
        *map(built_in, SYSTEMS),
        *(kind(*ARGUMENTS.get(kind.__name__, ())) for kind in EVALUATORS),
    ],
    ids=lambda thing: thing.name,
)
def test_all_of_what_comes_with_the_project_is_seen(thing):
    assert fingerprint(thing).unseen is None


def test_every_process_finds_the_same(tmp_path):
    script = tmp_path / "script.py"
    sources = [made_in_script(source) for source in (*CHANGES.values(), *LIKENESSES.values())]
    script.write_text(PRINTER.format(sources=sources), encoding="utf-8")

    printed = {
        subprocess.run(
            [sys.executable, script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(printed) == 1
    assert len(printed.pop().split()) == len(sources)


PRINTER = """
import textwrap
from pytest_context_bench.cache.fingerprint import fingerprint
for source in {sources!r}:
    namespace = {{"__name__": "users"}}
    exec(textwrap.dedent(source), namespace)
    print(fingerprint(namespace["system"]).digest)
"""


def made_in_script(source):
    return "".join(text for at, text in enumerate(source.split("|")) if at % 3 != 2)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a module of the user's and load it anew."""
    monkeypatch.syspath_prepend(tmp_path)

    def load(name, source):
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        importlib.invalidate_caches()
        sys.modules.pop(name, None)
        return importlib.import_module(name)

    return load


def test_what_a_function_takes_from_another_module_counts(module):
    digests = []
    for limit in (1, 2):
        module("users_helper", f"LIMIT = {limit}\nunused = iter([])\ndef cut(text): return text[:LIMIT]\n")
        users = module("users_system", "import users_helper\ndef cut(text): return users_helper.cut(text)\n")
        found = fingerprint(users.cut)
        assert found.unseen is None
        digests.append(found.digest)

    assert digests[0] != digests[1]


def test_what_a_function_does_not_take_from_another_module_does_not_count(module):
    digests = []
    for limit in (1, 2):
        module("users_helper", f"LIMIT = {limit}\ndef cut(text): return text\n")
        users = module("users_system", "import users_helper\ndef cut(text): return users_helper.cut(text)\n")
        digests.append(fingerprint(users.cut).digest)

    assert digests[0] == digests[1]


def test_a_module_that_a_system_holds_counts_whole(module):
    digests = []
    for limit in (1, 2):
        helper = module(
            "users_helper", f"import json\nLIMIT = {limit}\ndef cut(text): return json.loads(text)\n"
        )
        found = fingerprint(types.SimpleNamespace(helper=helper))
        assert found.unseen is None
        digests.append(found.digest)

    assert digests[0] != digests[1]


def test_a_module_that_a_function_imports_when_it_runs_counts_and_is_not_loaded(module):
    users = module("users_system", "def cut(text):\n    import users_late\n    return users_late.cut(text)\n")
    digests = []
    for limit in (1, 2):
        module("users_late", f"def cut(text): return text[:{limit}]\n")
        del sys.modules["users_late"]
        digests.append(fingerprint(users.cut).digest)
        assert "users_late" not in sys.modules
        users.cut("text")
        digests.append(fingerprint(users.cut).digest)

    assert digests[0] == digests[1] != digests[2] == digests[3]


def test_code_counts_as_it_was_loaded_not_as_its_file_was_edited_since(module, tmp_path):
    users = module("users_system", "def cut(text): return text[:1]\n")
    before = fingerprint(users.cut)
    (tmp_path / "users_system.py").write_text("def cut(text): return text[:2]\n", encoding="utf-8")

    assert fingerprint(users.cut) == before


def test_installed_code_counts_by_its_release(module, tmp_path, monkeypatch):
    installed = tmp_path / "site-packages"
    monkeypatch.syspath_prepend(installed)
    digests = []
    for release, code in (("1.0", "a"), ("1.0", "a"), ("1.1", "a"), ("1.1", "b")):
        write_distribution(installed, release, code)
        sys.modules.pop("users_dist", None)
        packages._release.cache_clear()
        packages.release_of_file.cache_clear()
        digests.append(fingerprint(module("users_system", "from users_dist import cut").cut).digest)

    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


def write_distribution(folder, release, code):
    about = folder / f"users_dist-{release}.dist-info"
    shutil.rmtree(folder, ignore_errors=True)
    about.mkdir(parents=True)
    (folder / "users_dist.py").write_text(f"def cut(text): return {code!r}\n", encoding="utf-8")
    (about / "METADATA").write_text(f"Name: users-dist\nVersion: {release}\n", encoding="utf-8")
    (about / "RECORD").write_text(
        f"users_dist.py,sha256={code},9\n../../bin/users,sha256={time.time_ns()},9\n", encoding="utf-8"
    )
