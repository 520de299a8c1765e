import pytest

from pytest_context_bench.errors import ContextBenchError, InvalidValueError, UnknownNameError
from pytest_context_bench.systems import BUILT_IN, Extract, Identity, Truncate, built_in


@pytest.mark.parametrize(
    ("spec", "system"),
    [
        ("identity", Identity()),
        ("truncate", Truncate(0.5, "head", "truncate")),
        ("truncate:0.3", Truncate(0.3, "head", "truncate:0.3")),
        ("truncate:.3", Truncate(0.3, "head", "truncate:.3")),
        ("truncate:tail", Truncate(0.5, "tail", "truncate:tail")),
        ("truncate:middle:0.5", Truncate(0.5, "middle", "truncate:middle:0.5")),
        ("truncate:500", Truncate(500, "head", "truncate:500")),
        ("extract", Extract(0.5, "extract")),
        ("extract:0.25", Extract(0.25, "extract:0.25")),
        ("extract:1000", Extract(1000, "extract:1000")),
    ],
)
def test_a_spec_is_a_system_of_that_name(spec, system):
    assert built_in(spec) == system
    assert built_in(spec).name == spec


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("truncate:1.5", "'1.5' is not a share in (0, 1] or a whole number of tokens"),
        ("truncate:0", "'0' is not a share"),
        ("truncate:-3", "'-3' is not a share"),
        ("truncate:nan", "'nan' is not a share"),
        ("truncate:inf", "'inf' is not a share"),
        ("truncate:", "'' is not a share"),
        ("truncate:50%", "'50%' is not a share"),
        (
            "truncate:side:0.5",
            "'side:0.5' is not a share in (0, 1] or a whole number of tokens, after a side (head, ",
        ),
        ("truncate:tail:head", "'head' is not a share"),
        ("truncate:tail:", "'' is not a share"),
        ("truncate:0.5:0.5", "'0.5:0.5' is not a share"),
        ("extract:tail", "'tail' is not a share"),
        ("identity:x", "'x' is not an argument of identity, which takes none"),
        ("identity:", "'' is not an argument of identity"),
    ],
)
def test_a_wrong_argument_is_one_line_that_names_what_is_expected(spec, expected):
    with pytest.raises(InvalidValueError) as caught:
        built_in(spec)

    assert str(caught.value).startswith(f"system {spec!r}: {expected}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "hint"), [("trunkate:0.5", "'truncate'"), ("", "extract, identity, truncate")]
)
def test_an_unknown_system_names_the_nearest(spec, hint):
    with pytest.raises(UnknownNameError) as caught:
        built_in(spec)

    assert hint in str(caught.value)


def test_each_built_in_system_works_by_its_bare_name():
    for name in BUILT_IN:
        assert isinstance(built_in(name).process({"context": "A b. C d."}), dict)
    assert issubclass(UnknownNameError, ContextBenchError)
