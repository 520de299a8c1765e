"""Questions, about passages or without any."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map, golds, template
from pytest_context_bench.datasets.mappings import qa
from pytest_context_bench.evaluators import AnswerQuality

ENTRIES = (
    Dataset(
        "hotpotqa",
        Hub(
            "hotpotqa/hotpot_qa",
            "{config}/{split}-*.parquet",
            split="validation",
            splits=("train", "validation"),
            config="distractor",
            configs=("distractor", "fullwiki"),
            revision="1908d6afbbead072334abe2965f91bd2709910ab",
        ),
        Map(qa.hotpotqa, id="{id}"),
        (AnswerQuality(mode="hotpotqa"),),
        primary="f1",
        category="qa",
        size=7405,
        licence="CC BY-SA 4.0",
        paper="arXiv:1809.09600",
    ),
    Dataset(
        "natural-questions",
        Hub(
            "google-research-datasets/nq_open",
            "nq_open/{split}-*.parquet",
            split="validation",
            splits=("train", "validation"),
            revision="5dd9790a83002ad084ddeb7c420dc716852c6f28",
        ),
        template(question="{question}", answer=golds("answer")),
        (AnswerQuality(),),
        primary="f1",
        category="qa",
        size=3610,
        licence="CC BY-SA 3.0",
        paper="arXiv:1906.00300",
        note="NQ-open: short answers, any of several",
        context=False,
    ),
    Dataset(
        "musique",
        Hub(
            "dgslibisey/MuSiQue",
            {"train": "musique_ans_v1.0_train.jsonl", "validation": "musique_ans_v1.0_dev.jsonl"},
            split="validation",
            revision="c8f4f8c9465fb69d31a8eae894c3fd509c4ca321",
        ),
        Map(qa.musique, id="{id}"),
        (AnswerQuality(mode="hotpotqa"),),
        primary="f1",
        category="qa",
        size=2417,
        licence="CC BY 4.0",
        paper="arXiv:2108.00573",
        note="MuSiQue-Ans: every question is answerable",
    ),
    Dataset(
        "2wikimultihopqa",
        Hub(
            "framolfese/2WikiMultihopQA",
            "data/{split}-*.parquet",
            split="validation",
            splits=("train", "validation"),
            revision="fe713bfbd1afbca1a65246741a75890405d56a3a",
        ),
        Map(qa.two_wiki, id="{id}"),
        (AnswerQuality(mode="hotpotqa"),),
        primary="f1",
        category="qa",
        size=12576,
        licence="Apache-2.0 (2WikiMultihopQA; not declared for this copy)",
        paper="arXiv:2011.01060",
        note="the official script also takes aliases of answers, which are not in the source; "
        "the test split has no public answers",
    ),
    Dataset(
        "triviaqa",
        Hub(
            "mandarjoshi/trivia_qa",
            "{config}/{split}-*.parquet",
            split="validation",
            splits=("train", "validation"),
            config="rc.wikipedia",
            configs=tuple(
                f"{part}{context}"
                for part in ("rc", "rc.web", "rc.wikipedia", "unfiltered")
                for context in ("", ".nocontext")
            ),
            revision="0f7faf33a3908546c6fd5b73a660e0f8ff173c2f",
        ),
        Map(qa.triviaqa, id="{question_id}", repeated=True),
        (AnswerQuality(mode="triviaqa"),),
        primary="f1",
        category="qa",
        size=7993,
        licence="not declared",
        paper="arXiv:1705.03551",
        note="`rc` asks on articles and on search results, so that questions come twice, then as `ID-2`; "
        "the test split has no public answers",
    ),
    Dataset(
        "squad",
        Hub(
            "rajpurkar/squad",
            "plain_text/{split}-*.parquet",
            split="validation",
            splits=("train", "validation"),
            revision="7b6d24c440a36b6815f21b70d25016731768db1f",
        ),
        template(id="{id}", context="{context}", question="{question}", answer=qa.spans),
        (AnswerQuality(),),
        primary="f1",
        category="qa",
        size=10570,
        licence="CC BY-SA 4.0",
        paper="arXiv:1606.05250",
    ),
    Dataset(
        "squad-v2",
        Hub(
            "rajpurkar/squad_v2",
            "squad_v2/{split}-*.parquet",
            split="validation",
            splits=("train", "validation"),
            revision="3ffb306f725f7d2ce8394bc1873b24868140c412",
        ),
        template(
            id="{id}",
            context="{context}",
            question=f"{{question}}\n{qa.OR_UNANSWERABLE}",
            answer=qa.spans_or_none,
        ),
        (AnswerQuality(),),
        primary="f1",
        category="qa",
        size=11873,
        licence="CC BY-SA 4.0",
        paper="arXiv:1806.03822",
        note="half the questions have no answer: there an empty response is right, as the official script "
        "has it, and `unanswerable`, as the question says; for systems without responses take `squad`",
    ),
    Dataset(
        "frames",
        Hub(
            "google/frames-benchmark",
            "test.tsv",
            split="test",
            revision="58d9fb6330f3ab1316d1eca12e5e8ef23dcc22ef",
        ),
        Map(qa.frames),
        (AnswerQuality(),),
        primary="f1",
        category="qa",
        size=824,
        licence="Apache-2.0",
        paper="arXiv:2409.12941",
        note="the source only links the articles; the paper has a model judge the answers, some of which are "
        "sentences: have one rate them beside `f1`",
        context=False,
    ),
)
