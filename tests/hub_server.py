"""A hub on 127.0.0.1: serves data sets that tests lay out, by the part of the hub's API that readers use."""

import contextlib
import csv
import hashlib
import io
import json
import re
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

_REVISION = r"refs/convert/[^/]+|[^/]+"
_RESOLVE = re.compile(rf"/datasets/([^/]+/[^/]+)/resolve/({_REVISION})/(.+)")
_API = re.compile(rf"/api/datasets/([^/]+/[^/]+)(?:/(revision|tree|paths-info)/({_REVISION})(?:/(.*))?)?")


class Hub:
    """Serves *repositories*: file contents by path, by the name of a repository."""

    def __init__(self):
        self.repositories = {}
        self.gated = set()
        self.renamed = {}
        self.requests = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.002,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def add(self, repo, files):
        """Add *files* to *repo*: bytes, text, or what `encoded` makes of their records."""
        kept = self.repositories.setdefault(repo, {})
        kept.update({path: encoded(path, content) for path, content in files.items()})

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(3)


def encoded(path, content):
    """Return *content*, bytes, text or records, as the bytes of a file of the suffix of *path*.

    Of a zip it is the contents of the files in it, by path. `{"lines": records}` are JSON lines in any file.
    """
    if isinstance(content, str | bytes):
        return content.encode() if isinstance(content, str) else content
    if isinstance(content, dict) and content.keys() == {"lines"}:
        return _jsonl(content["lines"])
    return _FORMS[path.rpartition(".")[2]](content)


def _parquet(records):
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(records), file)
    return file.getvalue()


def _jsonl(records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def _csv(records, delimiter=","):
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, list(records[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(records)
    return file.getvalue().encode()


def _zip(files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, encoded(path, content))
    return file.getvalue()


_FORMS = {
    "parquet": _parquet,
    "jsonl": _jsonl,
    "json": lambda records: json.dumps(records, ensure_ascii=False).encode(),
    "csv": _csv,
    "tsv": lambda records: _csv(records, "\t"),
    "zip": _zip,
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 5
    disable_nagle_algorithm = True
    hub = None

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        url = urlsplit(self.path)
        path = unquote(url.path)
        self.hub.requests.append(f"{self.command} {path}")
        for pattern, answer in ((_RESOLVE, self.resolve), (_API, self.api)):
            if match := pattern.fullmatch(path):
                self.answer_for(match[1], lambda: answer(match, parse_qs(url.query), body))  # noqa: B023 - called at once
                return
        self.answer(404)

    do_HEAD = do_POST = do_GET  # noqa: N815 - as the base class calls them

    def answer_for(self, repo, answer):
        if repo in self.hub.renamed:
            self.answer(307, location=self.path.replace(repo, self.hub.renamed[repo], 1))
        elif repo not in self.hub.repositories:  # as the hub does for those without a token
            self.answer(401, x_error_code="RepoNotFound", x_error_message="Repository not found")
        else:
            answer()

    def resolve(self, match, *_):
        repo, revision, path = match.groups()
        known = {"x_repo_commit": _commit(repo, revision)}
        content = self.hub.repositories[repo].get(path)
        if repo in self.hub.gated and self.headers.get("authorization") != "Bearer let-me-in":
            self.answer(403, x_error_code="GatedRepo", x_error_message="Access is restricted", **known)
        elif content is None:
            self.answer(404, x_error_code="EntryNotFound", **known)
        else:
            self.send(content, {"etag": f'"{hashlib.sha1(content).hexdigest()}"', **known})

    def send(self, content, known):
        part = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("range") or "")
        if part is None:
            self.answer(200, content, accept_ranges="bytes", **known)
            return
        start, end = int(part[1]), min(int(part[2] or len(content)), len(content) - 1)
        place = f"bytes {start}-{end}/{len(content)}"
        self.answer(206, content[start : end + 1], content_range=place, **known)

    def api(self, match, query, body):
        repo, what, revision, folder = match.groups()
        files = self.hub.repositories[repo]
        if what == "tree":
            recursive = query.get("recursive", ["false"])[0].lower() == "true"
            value = [_entry(files, path) for path in _listed(files, folder, recursive)]
        elif what == "paths-info":
            wanted = json.loads(body)["paths"] if body[:1] == b"{" else parse_qs(body.decode())["paths"]
            known = {*files, *_listed(files, "", recursive=True)}
            value = [_entry(files, path.strip("/")) for path in wanted if path.strip("/") in known]
        else:
            siblings = [{"rfilename": path, "size": len(content)} for path, content in files.items()]
            sha = _commit(repo, revision or "main")
            value = {"id": repo, "sha": sha, "siblings": siblings, "tags": []}
        self.answer(200, json.dumps(value).encode(), content_type="application/json")

    def answer(self, status, content=b"", **headers):
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_):
        pass


def _commit(repo, revision):
    """Return the commit that *revision* of *repo* is."""
    return revision if re.fullmatch("[0-9a-f]{40}", revision) else hashlib.sha1(repo.encode()).hexdigest()


def _listed(files, folder, recursive):
    """Return the files and folders within *folder*, at any depth if *recursive*."""
    prefix = f"{folder.strip('/')}/" if folder else ""
    found = {}
    for path in files:
        if path.startswith(prefix):
            parts = path.removeprefix(prefix).split("/")
            depth = len(parts) if recursive else 1
            found.update({prefix + "/".join(parts[: level + 1]): None for level in range(depth)})
    return sorted(found)


def _entry(files, path):
    if path in files:
        content = files[path]
        return {
            "type": "file",
            "oid": hashlib.sha1(content).hexdigest(),
            "size": len(content),
            "path": path,
        }
    return {"type": "directory", "oid": "0" * 40, "size": 0, "path": path}


@contextlib.contextmanager
def serving():
    """Run a hub."""
    hub = Hub()
    try:
        yield hub
    finally:
        hub.close()
