"""The words of a service's log."""

from pytest_context_bench.datasets.needle.words import SITES, STEMS

RULES = {
    "service": (
        *("api-gateway", "billing-worker", "billing-sync", "catalog-sync", "catalog-worker", "mail-sender"),
        *("mail-gateway", "order-router", "order-worker", "stock-router", "stock-sync", "search-index"),
        *(
            "search-gateway",
            "report-builder",
            "report-sender",
            "token-service",
            "audit-writer",
            "image-worker",
        ),
    ),
    "tenant": tuple(f"{stem}-{site}".lower() for stem in STEMS for site in SITES),
    "action": (
        *("rejected", "released", "archived", "flagged", "merged", "escalated", "parked", "replayed"),
        *("cancelled", "restored", "split", "delayed"),
    ),
    "level": ("INFO", "INFO", "INFO", "WARN", "ERROR"),
    "resource": ("orders", "users", "invoices", "items", "reports", "sessions", "images", "prices", "labels"),
    "method": ("GET", "GET", "GET", "POST", "PUT", "DELETE"),
    "http_status": (200, 200, 200, 200, 201, 204, 304, 400, 404, 409, 500, 503),
    "chore": (
        "INFO {service}: {method} /v1/{resource}/{n5} {http_status} in {n2} ms",
        "INFO {service}: {method} /v1/{resource}?page={n2} {http_status} in {n3} ms",
        "DEBUG {service}: cache miss for {resource}/{n5}, loading from {noun}-{n2}",
        "DEBUG {service}: cache hit for {resource}/{n5}",
        "INFO {service}: connected to {noun}-{n2} on port {n4}",
        "WARN {service}: slow query on {resource}, {n4} ms, {n3} rows",
        "INFO {service}: user {n5} of tenant {tenant} signed in",
        "INFO {service}: user {n5} of tenant {tenant} signed out after {n2} minutes",
        "ERROR {service}: connection to {noun}-{n2} lost, retry in {n2} s",
        "INFO {service}: queue length {n3}, oldest {n2} s",
        "DEBUG {service}: {n3} {resource} read, {n2} changed",
        "INFO {service}: batch {n4} of tenant {tenant} received, {n3} {resource}",
        "INFO {service}: batch {n4} of tenant {tenant} started",
        "INFO {service}: batch {n4} of tenant {tenant} done in {n3} ms",
        "WARN {service}: disk {noun}-{n2} at {n2} percent",
        "INFO {service}: config reloaded, {n2} keys",
        "DEBUG {service}: lock on {resource}/{n5} held by {service} for {n3} ms",
        "WARN {service}: {n2} {resource} without a label skipped",
        "ERROR {service}: timeout after {n4} ms waiting for {service}",
        "INFO {service}: health check ok, uptime {n3} h",
    ),
}
