"""Are two facts from different paragraphs still put together?"""

import pytest
from sources import HOTPOTQA

if not HOTPOTQA.exists():
    pytest.skip(f"no rows of HotpotQA in {HOTPOTQA}", allow_module_level=True)


@pytest.mark.context_bench(dataset="hotpotqa-easy", max_examples=5)
def test_hotpotqa(context_bench):
    context_bench.run()
