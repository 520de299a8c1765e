"""Natural language inference."""

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.mappings import nli
from pytest_context_bench.evaluators import NLILabelMatch

ENTRIES = (
    Dataset(
        "contract-nli",
        Hub(
            "kiddothe2b/contract-nli",
            "{config}/{split}/*.parquet",
            split="test",
            splits=("train", "validation", "test"),
            config="contractnli_b",
            configs=("contractnli_a", "contractnli_b"),
            revision="refs/convert/parquet",
        ),
        Map(nli.contract_nli),
        (NLILabelMatch(),),
        primary="nli_accuracy",
        category="nli",
        size=2091,
        licence="CC BY-NC-SA 4.0 (ContractNLI itself: CC BY 4.0)",
        paper="arXiv:2110.01799",
        note="whole contracts; contractnli_a has the clauses alone that are evidence",
    ),
    Dataset(
        "scifact",
        Hub(
            "allenai/scifact_entailment",
            "default/{split}/*.parquet",
            split="validation",
            splits=("train", "validation"),
            revision="refs/convert/parquet",
        ),
        Map(nli.scifact, id="{claim_id}-{abstract_id}"),
        (NLILabelMatch(),),
        primary="nli_accuracy",
        category="nli",
        size=340,
        licence="CC BY-NC 2.0 (claims: CC BY 4.0, abstracts: ODC-By 1.0)",
        paper="arXiv:2004.14974",
        note="a claim with one abstract that it cites; a claim that cites several is in as many examples",
    ),
)
