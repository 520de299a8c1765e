import pytest

from pytest_context_bench.errors import ContextBenchError, DuplicateNameError, InvalidValueError
from pytest_context_bench.systems import Identity, OpenAIProxy, Pipeline, Truncate, endpoints
from pytest_context_bench.systems.endpoints import DEFAULT_MODEL

ONE, TWO = "http://localhost:7878", "http://user:hunter22@localhost:9091/v1"


@pytest.mark.parametrize(
    ("urls", "names", "found"),
    [
        ([], [], []),
        ([ONE], [], ["localhost:7878"]),
        ([ONE, TWO], [], ["localhost:7878", "localhost:9091"]),
        ([ONE, TWO], ["kompact"], ["kompact", "localhost:9091"]),
        ([ONE, TWO], ["kompact", "baseline"], ["kompact", "baseline"]),
        ([ONE, ONE], ["kompact"], ["kompact", "localhost:7878"]),
        ([ONE, TWO], ["", "baseline"], ["localhost:7878", "baseline"]),
    ],
)
def test_names_are_given_in_order(urls, names, found):
    assert [system.name for system in endpoints(urls, names)] == found


def test_every_proxy_is_asked_for_the_model():
    assert [system.model for system in endpoints([ONE, TWO], model="m", placement="tool")] == ["m", "m"]
    assert [system.placement for system in endpoints([ONE], placement="tool")] == ["tool"]
    assert endpoints([ONE])[0].model == DEFAULT_MODEL


@pytest.mark.parametrize(
    ("urls", "names", "error", "words"),
    [
        ([ONE], ["a", "b"], InvalidValueError, r"names: \['b'\] is not of a proxy: there are 1"),
        ([], ["a"], InvalidValueError, r"names: \['a'\] is not of a proxy: there are 0"),
        ([ONE, f"{ONE}/v2"], [], DuplicateNameError, "two systems are named 'localhost:7878'"),
        ([ONE, "http://me@localhost:7878"], [], DuplicateNameError, "two systems are named 'localhost:7878'"),
        ([ONE, TWO], ["a", "a"], DuplicateNameError, "two systems are named 'a'"),
        ([ONE, TWO], ["localhost:9091"], DuplicateNameError, "two systems are named 'localhost:9091'"),
        (["localhost:7878"], [], InvalidValueError, "base URL: 'localhost:7878' is not an address"),
    ],
)
def test_what_cannot_be_told_apart_or_reached_is_refused(urls, names, error, words):
    with pytest.raises(error, match=words):
        endpoints(urls, names)


def test_a_reader_stands_behind_every_compressor():
    systems = endpoints([ONE], ["kompact"], "gpt-4o", reader=TWO, compressors=[Identity(), Truncate(0.5)])

    assert [system.name for system in systems] == ["identity+gpt-4o", "truncate:0.5+gpt-4o", "kompact"]
    assert [type(system) for system in systems] == [Pipeline, Pipeline, OpenAIProxy]
    assert systems[0].reader is systems[1].reader
    assert systems[0].reader.client.url == "http://localhost:9091/v1/chat/completions"


def test_without_a_reader_compressors_stay_as_they_are():
    compressors = [Identity(), Truncate(0.5)]

    assert endpoints(compressors=iter(compressors)) == compressors


def test_a_proxy_named_like_a_compressor_is_refused():
    with pytest.raises(ContextBenchError, match="identity"):
        endpoints([ONE], ["identity"], compressors=[Identity()])
