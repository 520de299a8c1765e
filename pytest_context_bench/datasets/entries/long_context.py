"""Long contexts."""

from pytest_context_bench.datasets.entries import infinitebench, longbench, memory
from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.mappings import synthetic
from pytest_context_bench.datasets.mappings.nolima import nolima
from pytest_context_bench.datasets.nolima import NeedlesInBooks
from pytest_context_bench.evaluators import StringMatch

ENTRIES: tuple[Dataset, ...] = (
    *longbench.ENTRIES,
    *infinitebench.ENTRIES,
    Dataset(
        "nolima",
        NeedlesInBooks("amodaresi/NoLiMa", revision="378115b1f136b6ba78f90f78682bc55f70ec3ddd"),
        Map(nolima, id="{id}"),
        (StringMatch(ignore_case=False),),
        primary="string_match",
        category="long-context",
        size=58,
        licence="Adobe Research License (no commercial use); books: see the source",
        paper="arXiv:2502.05167",
        note=(
            "a config is a needle set, a size in tokens, or both, as `hard-16k`; each needle stands in one "
            "of five books at one of five depths, where the publisher tries 26 depths in each"
        ),
    ),
    Dataset(
        "ruler",
        Hub(
            "simonjegou/ruler",
            "{config}/{split}-*.parquet",
            split="test",
            config="4096",
            configs=("4096", "8192", "16384"),
            revision="24adceac8a0e6532936e8d721cd9e9084d2e4686",
        ),
        Map(synthetic.ruler),
        (StringMatch(),),
        primary="string_match",
        category="long-context",
        size=6500,
        licence="Apache-2.0",
        paper="arXiv:2404.06654",
        note=(
            "a config is a length; its 13 tasks stand one after the other: sample with a seed to get some of "
            "each; the score is the share of the answers that is given, of qa_1 and qa_2 whether any is"
        ),
    ),
    Dataset(
        "babilong",
        Hub(
            "RMT-team/babilong-1k-samples",
            "{config}/{split}-*.parquet",
            split="qa1",
            splits=tuple(f"qa{number}" for number in range(1, 21)),
            config="4k",
            configs=("0k", "1k", "2k", "4k", "8k", "16k", "32k", "64k", "128k"),
        ),
        Map(synthetic.babilong),
        (StringMatch(),),
        primary="string_match",
        category="long-context",
        size=1000,
        licence="Apache-2.0",
        paper="arXiv:2406.10149",
        note="a config is a length, a split a task; beyond 0k there are qa1 to qa5 alone",
    ),
    *memory.ENTRIES,
)
