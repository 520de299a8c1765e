"""The data sets by name, one entry each, by category in `entries`.

To add one: an entry in the module of its category, and a case file of the same name under
`tests/cases/datasets`. The entry says where the records are (`Hub`: repository, pattern of the files,
splits, configs, pinned revision; `Together` where all configs can be read as one) and how one becomes an
example: a `template` where texts suffice, else `Map` over a function of the record in the module of the
category in `mappings`. A function reads columns by type (`record.text("question")`), so that a row that is
not as expected is an error that names it. Where a config is
scored otherwise than the default one, `measures` says how.
The case file holds a few records as the source has them and the examples that must come of them; what a
case file can say is told in `tests/test_datasets_entries.py`.
"""

from collections.abc import Mapping

from pytest_context_bench.datasets.entries import (
    agents,
    code,
    documents,
    embedded,
    instructions,
    knowledge,
    long_context,
    multi_turn,
    nli,
    qa,
    reasoning,
    summaries,
)
from pytest_context_bench.datasets.entry import Dataset

ENTRIES: tuple[Dataset, ...] = (
    *embedded.ENTRIES,
    *qa.ENTRIES,
    *documents.ENTRIES,
    *knowledge.ENTRIES,
    *reasoning.ENTRIES,
    *code.ENTRIES,
    *summaries.ENTRIES,
    *nli.ENTRIES,
    *instructions.ENTRIES,
    *multi_turn.ENTRIES,
    *long_context.ENTRIES,
    *agents.ENTRIES,
)
BUILT_IN: Mapping[str, Dataset] = {entry.name: entry for entry in ENTRIES}
