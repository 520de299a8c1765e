"""The kinds of record that the tasks `json` and `table` are made of."""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Kind:
    """The shape of one kind of record: its *fields* in order, each the name of the rule for its values.

    The fields *keys* together tell one record from all others; the field *target* holds what is asked for;
    the field *remark* may name another record, by one of *mentions*.
    """

    title: str
    fields: tuple[str, ...]
    keys: tuple[str, ...]
    target: str
    remark: str
    question: str
    mentions: tuple[str, ...]

    @cached_property
    def row_template(self) -> str:
        """A slot for each field."""
        return "|".join(f"{{{field}}}" for field in self.fields)

    @cached_property
    def key_template(self) -> str:
        """A slot for each key."""
        return "|".join(f"{{{field}}}" for field in self.keys)


ORDERS = Kind(
    title="Orders",
    fields=("order", "customer", "city", "item", "status", "tracking", "note"),
    keys=("customer", "city", "item"),
    target="tracking",
    remark="note",
    question="What is the tracking of the order that {customer} in {city} placed for the item {item}?",
    mentions=(
        "same van as {item} for {customer}, {city}",
        "left {city} on {weekday} with {item} of {customer}",
        "mixed up with {customer}, {city}, {item} in {month}",
        "not the order of {customer} in {city} for the {item}",
        "{customer} of {city} wants a {item} too",
    ),
)

DEVICES = Kind(
    title="Devices",
    fields=("asset", "model", "location", "department", "floor", "serial", "remark"),
    keys=("model", "location", "department"),
    target="serial",
    remark="remark",
    question="Which serial does the {model} of the department {department} at {location} have?",
    mentions=(
        "spare for the {model} of {department}, {location}",
        "sent to {department}, {location} in {month} with the {model}",
        "older than {model}, {department}, {location}; ask {who}",
        "same serial label size as {model}, {department}, {location}",
        "moved when {department} at {location} got its {model}",
    ),
)

RUNS = Kind(
    title="Job runs",
    fields=("run", "job", "host", "owner", "result", "trace", "detail"),
    keys=("job", "host", "result"),
    target="trace",
    remark="detail",
    question="What is the trace of the {job} job on host {host} whose result was {result}?",
    mentions=(
        "after {job} on {host}: {result}",
        "{job} on {host} {result} {n3} s before",
        "{who} says {job} on {host} was {result}",
        "no link to the {result} {job} on {host}",
        "{host} had the {job} job {result}, same trace level",
    ),
)

KINDS = (ORDERS, DEVICES, RUNS)
