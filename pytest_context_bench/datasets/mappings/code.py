"""Programs to write, with the tests that they must pass."""

from typing import Any

from pytest_context_bench.datasets.record import Record


def mbpp(record: Record) -> dict[str, Any]:
    """Read a task; its tests are shown, as the paper does, for they tell the name of the function."""
    tests = record.texts("test_list")
    task = record.text("text" if record.config == "full" else "prompt")
    shown = "\n".join(tests)
    setup = (
        {"test_setup_code": record.text("test_setup_code")}
        if record.config == "full"
        else {"test_imports": record.texts("test_imports")}
    )
    return {"question": f"{task}\nYour code should pass these tests:\n\n{shown}", "test_list": tests, **setup}
