"""Puts questions so that a model of 135 million parameters has a chance."""

import re

LOGGED = re.compile(r"Which (?P<field>\w+) did (?P<service>\S+) log when it (?P<did>.+)\?")


def to_messages(example):
    """Ask about the context; of a log, begin the line that is asked for, to be gone on with."""
    return [
        {"role": "user", "content": example["context"]},
        {"role": "user", "content": beginning(example["question"]) or example["question"]},
    ]


def beginning(question):
    logged = LOGGED.fullmatch(question)
    return logged and "{service}: {did}, {field}".format(**logged.groupdict())
