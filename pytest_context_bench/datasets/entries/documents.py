"""Questions about whole stories, articles and papers."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.mappings import documents
from pytest_context_bench.evaluators import AnswerQuality, MultipleChoiceAccuracy, SummarizationQuality

ENTRIES = (
    Dataset(
        "narrativeqa",
        Hub(
            "deepmind/narrativeqa",
            "data/{split}-*.parquet",
            split="test",
            splits=("train", "validation", "test"),
            config=documents.STORY,
            configs=(documents.STORY, documents.SUMMARY),
            revision="2e643e7363944af1c33a652d1c87320d0871c4e4",
        ),
        Map(documents.narrativeqa),
        (AnswerQuality(), SummarizationQuality()),
        primary="f1",
        category="qa",
        size=10557,
        licence="Apache-2.0",
        paper="arXiv:1712.07040",
        note="stories of some 87,000 tokens, as found: 3.5 GB, of which up to 200 examples are streamed; "
        "`narrativeqa:summary` has summaries instead; the paper's own score is `rouge_l_f1`",
    ),
    Dataset(
        "quality",
        Hub(
            "emozilla/quality",
            "data/{split}-*.parquet",
            split="validation",
            splits=("train", "validation"),
            revision="52ff65ed05238d957cfa57cdf500670d18335b29",
        ),
        Map(documents.quality),
        (MultipleChoiceAccuracy(),),
        primary="mc_accuracy",
        category="qa",
        size=2086,
        licence="CC BY 4.0 (QuALITY; not declared for this copy)",
        paper="arXiv:2112.08608",
        note="`hard` tells the questions that people in a hurry got wrong",
    ),
    Dataset(
        "qasper",
        Hub(
            "allenai/qasper",
            "qasper/{split}/0000.parquet",
            split="test",
            splits=("train", "validation", "test"),
            revision="06806e4608976fc2fac0a090ac425d5b2b29caf4",  # of the hub's own conversion to parquet
        ),
        Map(documents.qasper, many=True),
        (AnswerQuality(),),
        primary="f1",
        category="qa",
        size=416,
        licence="CC BY 4.0",
        paper="arXiv:2105.03011",
        note="1,451 questions on 416 papers, which are shown without figures and tables; the answer of any "
        "annotator is right, also `unanswerable`",
    ),
)
