"""Summaries, of dialogues, meetings, reports and news."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map, template
from pytest_context_bench.datasets.mappings import summaries
from pytest_context_bench.evaluators import SummarizationQuality

_SCROLLS = "fd1aa83070c138b7b7f381388d3b59f1f70a0fa7"

ENTRIES = (
    Dataset(
        "dialogsum",
        Hub(
            "knkarthick/dialogsum",
            "{split}.csv",
            split="test",
            splits=("train", "validation", "test"),
        ),
        template(id="{id}", context="{dialogue}", question="Summarize the dialogue.", answer="{summary}"),
        (SummarizationQuality(),),
        primary="rouge_l_f1",
        category="summaries",
        size=1500,
        licence="CC BY-NC-SA 4.0",
        paper="arXiv:2105.06762",
        note="of the test split, three rows in turn share a dialogue, each with a summary of its own",
    ),
    Dataset(
        "multi-news",
        Hub(
            "Awesome075/multi_news_parquet",
            "default/{split}/*.parquet",
            split="test",
            splits=("train", "validation", "test"),
            revision="refs/convert/parquet",
        ),
        template(
            context="{document}",
            question="Write a summary of these news articles, which are separated by |||||.",
            answer="{summary}",
        ),
        (SummarizationQuality(),),
        primary="rouge_l_f1",
        category="summaries",
        size=5622,
        licence="non-commercial research and education only",
        paper="arXiv:1906.01749",
        note="a copy, as the publisher's own is a script; a few examples have hardly any text",
    ),
    Dataset(
        "qmsum",
        Hub(
            "tau/scrolls",
            "zip://qmsum/{split}.jsonl::qmsum.zip",
            split="validation",
            splits=("train", "validation"),
            revision=_SCROLLS,
            key="id",
            listed=("pid", "output"),
        ),
        Map(summaries.qmsum, id="{id}"),
        (SummarizationQuality(),),
        primary="rouge_l_f1",
        category="summaries",
        size=272,
        licence="MIT",
        paper="arXiv:2104.05938, arXiv:2201.03533",
        note="as in SCROLLS, which keeps the summaries of its test split to itself",
    ),
    Dataset(
        "summscreenfd",
        Hub(
            "tau/scrolls",
            "zip://summ_screen_fd/{split}.jsonl::summ_screen_fd.zip",
            split="validation",
            splits=("train", "validation"),
            revision=_SCROLLS,
            key="id",
            listed=("pid", "output"),
        ),
        Map(summaries.summscreenfd, id="{id}"),
        (SummarizationQuality(),),
        primary="rouge_l_f1",
        category="summaries",
        size=338,
        licence="not stated",
        paper="arXiv:2104.07091, arXiv:2201.03533",
        note="as in SCROLLS, which keeps the summaries of its test split to itself",
    ),
    Dataset(
        "meetingbank",
        Hub(
            "huuuyeah/meetingbank",
            "{split}.json",
            split="test",
            splits=("train", "validation", "test"),
            revision="8200071cc18611e68abad398f3e378dd9bc0ec12",
        ),
        template(
            id="{uid}-{id}",
            context="{transcript}",
            question="Summarize this part of a city council meeting.",
            answer="{summary}",
        ),
        (SummarizationQuality(),),
        primary="rouge_l_f1",
        category="summaries",
        size=862,
        licence="CC BY-NC-SA 4.0",
        paper="arXiv:2305.17529",
        note="one item of an agenda an example, without the names of speakers",
    ),
    Dataset(
        "govreport",
        Hub(
            "ccdv/govreport-summarization",
            "document/{split}-*.parquet",
            split="test",
            splits=("train", "validation", "test"),
            revision="4e21184e01ae8017e2c036e180fe5e541fef60a0",
        ),
        template(
            context="{report}",
            question="Write a one-page summary of this government report.",
            answer="{summary}",
        ),
        (SummarizationQuality(),),
        primary="rouge_l_f1",
        category="summaries",
        size=973,
        licence="not stated (the reports are public domain)",
        paper="arXiv:2104.02112",
        note="whole reports, of 9,000 words on average",
    ),
)
