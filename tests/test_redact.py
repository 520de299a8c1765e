import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.redact import names_secret, redact

SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=60)
SECONDS = 10  # of the processor: generous, as a run under a tracer is slow; quadratic time takes minutes
KEY = "sk-proj-Ab12Cd34Ef56Gh78Ij90"


@pytest.fixture
def environment(monkeypatch):
    """Set variables for one test."""
    return lambda **variables: [monkeypatch.setenv(*variable) for variable in variables.items()]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("http://user:pass@host:80/v1", "http://***@host:80/v1"),
        ("https://token@host", "https://***@host"),
        (
            "postgres+psycopg://u:p%40ss@h/db and redis://:pw@r",
            "postgres+psycopg://***@h/db and redis://***@r",
        ),
        ("http://user:p@ss@host/", "http://***@host/"),
        ("HTTP://U:P@HOST", "HTTP://***@HOST"),
        (f"key {KEY}, said the server", "key ***, said the server"),
        (f"('{KEY}',)", "('***',)"),
        ("hf_abcdefghijklmnopqrst", "***"),
        ("ghp_abcdefghijklmnopqrst1234", "***"),
        ("github_pat_11ABCDEFG0abcdefghij_klmn", "***"),
        ("AKIAIOSFODNN7EXAMPLE", "***"),
        ("AIzaSyA-1234567890abcdefghijklmnopqrstu", "***"),
        ("xoxb-123456789012-abcdefghijkl", "***"),
        ("sk_live_abcdefghijklmnop", "***"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sflKxwRJSMeKKF2QT4", "***"),
        ("Bearer abc.def-123", "Bearer ***"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic ***"),
        ("{'Authorization': 'Token 0123456789'}", "{'Authorization': 'Token ***'}"),
        ('{"x-api-key": "0123456789"}', '{"x-api-key": "***"}'),
        ("X-Api-Key: 0123456789", "X-Api-Key: ***"),
        ("http://h/v1?api_key=0123456789&n=1", "http://h/v1?api_key=***&n=1"),
        ("http://h/v1?n=1&key=0123456789", "http://h/v1?n=1&key=***"),
        ("access_token=0123456789", "access_token=***"),
        ("connect(password=hunter22)", "connect(password=***"),
    ],
    ids=lambda text: text[:30],
)
def test_what_looks_like_a_secret_is_masked(text, masked):
    assert redact(text) == masked
    assert redact(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "",
        "short",
        "the bearer of good news",
        "mail me@example.com or see http://example.com/a@b",
        "http://host?mail=me@example.com",
        "git@github.com:me/project",
        "risk-averse-and-otherwise-long-winded",
        "max_tokens=500 monkey=0123456789",
        "a key = 0123456789",
        "authorization is required",
        "dataset:mmlu:anatomy",
    ],
    ids=lambda text: text[:30],
)
def test_ordinary_text_stays(text):
    assert redact(text) == text


@pytest.mark.parametrize(
    "variable",
    [
        "OPENAI_API_KEY",
        "OPENAI_KEY_2",
        "HF_TOKEN",
        "aws_secret_access_key",
        "DB_PASSWORD",
        "PGPASSWORD",
        "DB_PASSWD",
        "SMTP_PASS",
        "GITHUB_PAT",
        "APIKEYS",
        "API_KEY_STAGING",
        "CLIENT_SECRET",
        "NPM_AUTH",
    ],
)
def test_the_value_of_a_secret_variable_is_masked(environment, variable):
    environment(**{variable: "open sesame"})

    assert redact("the words 'open sesame' open it") == "the words '***' open it"


@pytest.mark.parametrize(
    "variable", ["HOME_DIR", "PWD", "OLDPWD", "KEYBOARD", "TOKENIZERS_PARALLELISM", "BYPASS"]
)
def test_the_value_of_any_other_variable_stays(environment, variable):
    environment(**{variable: "open sesame"})

    assert redact("open sesame") == "open sesame"


@pytest.mark.parametrize(
    "written",
    ["p@ss/word\\é\n", "p%40ss%2Fword%5C%C3%A9%0A", "p@ss/word\\\\é\\n"],
    ids=["plain", "in a URL", "in quotes"],
)
def test_a_secret_is_masked_however_it_is_written(environment, written):
    environment(DB_PASSWORD="p@ss/word\\é\n")

    assert redact(f"<{written}>") == "<***>"


def test_of_secrets_that_hold_one_another_nothing_is_left(environment):
    environment(A_KEY="password1", B_KEY="password1-and-more", C_TOKEN="short")

    assert redact("password1-and-more password1 short") == "*** *** short"


def test_a_secret_of_bytes_that_are_no_text_is_masked(environment):
    environment(A_KEY="\udcff\udcfe-secret")

    assert redact("is \udcff\udcfe-secret here") == "is *** here"


PASSWORDS = st.text(
    st.characters(exclude_categories=["Z", "C"], exclude_characters='/?#"<>\\^`{|}'), min_size=8
)


@SEEDED
@given(PASSWORDS, st.sampled_from(["", " ", "(", "'", "see:", "\n"]))
def test_no_password_in_a_url_gets_through(password, before):
    masked = redact(f"{before}https://me:{password}@host/v1")

    assert masked == f"{before}https://***@host/v1"


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "a://" * 250_000,
        "://" + "a" * 1_000_000,
        "bearer " * 150_000,
        "bearer" + " " * 1_000_000,
        "sk-" * 300_000,
        "eyJ" + "a." * 500_000,
        "eyJaaaaaaaa." * 80_000,
        "authorization: " * 70_000,
        "authorization" + " " * 1_000_000,
        "secret=" * 140_000,
    ],
    ids=lambda text: repr(text[:15]),
)
def test_no_text_takes_out_of_bounds_time(text):
    start = time.process_time()
    redact(text)

    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize(
    "name", ["api_key", "API-Key", "x-api-key", "Authorization", "proxy-authorization", "db_password"]
)
def test_names_of_secrets_are_known(name):
    assert names_secret(name)


@pytest.mark.parametrize("name", ["key", "token", "prompt_tokens", "cache_key", "secretary", "author", ""])
def test_other_names_are_not(name):
    assert not names_secret(name)
