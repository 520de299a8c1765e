"""The words of tool output: orders, devices and job runs."""

from pytest_context_bench.datasets.needle.words import phrases

_EMPTY = ("", "")  # many records have nothing to remark

RULES = {
    "order": range(10_000, 100_000),
    "customer": ("{who}",),
    "item": phrases(
        "brass coupling, brass hinge, steel hinge, steel cable, copper cable, copper pipe, oak table, oak "
        "shelf, pine shelf, pine bench, garden bench, garden lamp, desk lamp, desk chair, wool blanket, "
        "wool coat, rain coat, rain barrel, paint roller, paint brush, water filter, water pump, bicycle "
        "pump, bicycle bell, door bell, door handle"
    ),
    "status": phrases("packed, shipped, on hold, delivered, returned, paid, cancelled, in transit"),
    "note": (
        *_EMPTY,
        *phrases(
            "leave with the porter, ring twice, gift wrap in {colour}, call {who} first, customer asked "
            "for {colour}, second attempt on {weekday}, invoice to {who}, box was damaged, deliver before "
            "{month}, paid by card, wait for the {item}, moved from {city}"
        ),
    ),
    "asset": range(10_000, 100_000),
    "location": ("{place}",),
    "floor": ("{nth}",),
    "model": phrases(
        "Orion printer, Orion scanner, Vega scanner, Vega router, Lyra router, Lyra switch, Atlas switch, "
        "Atlas server, Titan server, Titan printer, Nova laptop, Nova monitor, Delta monitor, Delta phone, "
        "Comet phone, Comet camera, Apollo camera, Apollo laptop"
    ),
    "department": phrases("sales, finance, legal, support, research, design, security, training, press"),
    "remark": (
        *_EMPTY,
        *phrases(
            "fan is loud, screen replaced in {month}, on loan from {department}, ask {who}, to be moved "
            "to {place}, waiting for parts, spare in {city}, new battery, checked by {who}, keys with "
            "{who}, swap for a {model}, due for service in {month}"
        ),
    ),
    "run": range(10_000, 100_000),
    "owner": ("{who}",),
    "job": phrases(
        "nightly export, nightly import, hourly import, hourly backup, full backup, full index, search "
        "index, search cleanup, cache cleanup, cache refresh, price refresh, price report, sales report, "
        "sales forecast, stock forecast, stock sync, user sync, user audit"
    ),
    "host": phrases("{noun}-{n2}"),
    "result": phrases("failed, passed, skipped, timed out, aborted, retried, queued, paused"),
    "detail": (
        *_EMPTY,
        *phrases(
            "exit code {n2}, disk at {n2} percent, started by {who}, waited for {job}, ran {n3} seconds, "
            "{n4} rows read, {n4} rows written, log moved to {host}, memory limit reached, triggered by "
            "{host}, {n3} warnings, ticket opened by {who}"
        ),
    ),
}
