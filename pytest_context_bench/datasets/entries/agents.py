"""What agents do: calling functions, and patches for issues."""

from pytest_context_bench.datasets.answered import Answered
from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.hub_load import LINES
from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.mappings import agents
from pytest_context_bench.evaluators import AnswerQuality, ToolCallMatch

_BFCL = "gorilla-llm/Berkeley-Function-Calling-Leaderboard"
_BFCL_REVISION = "61fc0608cfd831fcfbbaa676ebdfef0ed963eeda"
_BFCL_CATEGORIES = (
    "simple",
    "multiple",
    "parallel",
    "parallel_multiple",
    "java",
    "javascript",
    "live_simple",
    "live_multiple",
    "live_parallel",
    "live_parallel_multiple",
    *agents.UNANSWERED,
)
_TOOLS_NOTE = (
    "the functions are the context, as JSON, and again `tools` for systems that pass them to an API: "
    "give a model one of the two"
)
_PATCH_NOTE = (
    "scored by the words shared with the gold patch, as running the repository's tests takes an image of it: "
    "figures compare systems with each other, never with the leaderboard; the context is the issue alone"
)

ENTRIES: tuple[Dataset, ...] = (
    Dataset(
        "bfcl",
        Answered(
            Hub(
                _BFCL,
                "BFCL_v3_{config}.json",
                split="test",
                config="simple",
                configs=_BFCL_CATEGORIES,
                revision=_BFCL_REVISION,
                form=LINES,
            ),
            Hub(
                _BFCL,
                "possible_answer/BFCL_v3_{config}.json",
                split="test",
                config="simple",
                configs=_BFCL_CATEGORIES,
                revision=_BFCL_REVISION,
                form=LINES,
            ),
            unanswered=agents.UNANSWERED,
        ),
        Map(agents.bfcl, id="{id}"),
        (ToolCallMatch(),),
        primary="tool_call_match",
        category="agents",
        size=400,
        licence="Apache-2.0",
        paper="arXiv:2305.15334",
        note=f"BFCL v3, categories of one turn; of irrelevance no call is right; {_TOOLS_NOTE}",
    ),
    Dataset(
        "apigen",
        Hub(
            "Salesforce/xlam-function-calling-60k",
            "xlam_function_calling_60k.json",
            split="train",
            revision="26d14ebfe18b1f7b524bd39b404b50af5dc97866",
        ),
        Map(agents.apigen, id="{id}"),
        (ToolCallMatch(),),
        primary="tool_call_match",
        category="agents",
        size=60000,
        licence="CC BY 4.0",
        paper="arXiv:2406.18518",
        note=f"gated: accept the conditions on its page and set HF_TOKEN; {_TOOLS_NOTE}",
    ),
    Dataset(
        "swebench",
        Hub(
            "princeton-nlp/SWE-bench",
            "data/{split}-*.parquet",
            split="test",
            splits=("train", "dev", "test"),
            revision="e48e2bd1e9fecd5bbd641e9414ac59da9f2e69f6",
        ),
        Map(agents.swebench, id="{instance_id}"),
        (AnswerQuality(),),
        primary="f1",
        category="agents",
        size=2294,
        licence="not declared (SWE-bench: MIT; each repository has its own)",
        paper="arXiv:2310.06770",
        note=_PATCH_NOTE,
    ),
    Dataset(
        "swebench-verified",
        Hub(
            "SWE-bench/SWE-bench_Verified",
            "data/{split}-*.parquet",
            split="test",
            revision="78f471bf655a3137b2e8a75af1501690ec009ec3",
        ),
        Map(agents.swebench, id="{instance_id}"),
        (AnswerQuality(),),
        primary="f1",
        category="agents",
        size=500,
        licence="not declared (SWE-bench: MIT; each repository has its own)",
        paper="arXiv:2310.06770",
        note=_PATCH_NOTE,
    ),
    Dataset(
        "swebench-lite",
        Hub(
            "princeton-nlp/SWE-bench_Lite",
            "data/{split}-*.parquet",
            split="test",
            splits=("dev", "test"),
            revision="6ec7bb89b9342f664a54a6e0a6ea6501d3437cc2",
        ),
        Map(agents.swebench, id="{instance_id}"),
        (AnswerQuality(),),
        primary="f1",
        category="agents",
        size=300,
        licence="not declared (SWE-bench: MIT; each repository has its own)",
        paper="arXiv:2310.06770",
        note=_PATCH_NOTE,
    ),
)
