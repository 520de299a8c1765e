"""Benchmarks the model, kompact and two baselines, then replays the run with all servers stopped.

python run.py [FOLDER] leaves cache, logs and reports in FOLDER.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

HERE = Path(__file__).parent
STARTS_WITHIN, STOPS_WITHIN, RUNS_WITHIN = 60, 10, 1200  # seconds
LIVE, REPLAY = "live", "replay"


def main(folder: Path) -> int:
    """Return the first exit code of pytest that is not 0, else 1 where the replay differs."""
    model, kompact = free_port(), free_port()
    urls = {"LOCAL_LLM_URL": f"http://127.0.0.1:{model}", "KOMPACT_URL": f"http://127.0.0.1:{kompact}"}
    serve = [sys.executable, "server.py", str(model)]
    proxy = [sys.executable, "-m", "kompact", "proxy", "--host=127.0.0.1", f"--port={kompact}", "--no-otel"]
    proxy += [f"--openai-base-url={urls['LOCAL_LLM_URL']}"]
    with (
        running(serve, urls["LOCAL_LLM_URL"], folder / "model.log"),
        running(proxy, urls["KOMPACT_URL"], folder / "kompact.log"),
    ):
        code = run_tests(LIVE, folder, urls)
    return code or run_tests(REPLAY, folder, urls, "--context-bench-cache=only", "-n2") or compare(folder)


@contextmanager
def running(command: Sequence[str], url: str, log: Path) -> Iterator[None]:
    """Run the server *command* for as long as the block lasts; the block begins when the server is ready."""
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=HERE, stdout=output, stderr=subprocess.STDOUT)
    try:
        if not ready(server, f"{url}/health"):
            sys.exit(f"{log.name}: no server\n{log.read_text(errors='replace')[-2000:]}")
        yield
    finally:
        stop(server)


def ready(server: "subprocess.Popen[bytes]", health: str) -> bool:
    """Wait until *health* answers; return False where it does not in time."""
    end = time.monotonic() + STARTS_WITHIN
    while server.poll() is None and time.monotonic() < end:
        try:
            if httpx.get(health, trust_env=False).is_success:
                return True
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    return False


def stop(server: "subprocess.Popen[bytes]") -> None:
    server.terminate()
    try:
        server.wait(STOPS_WITHIN)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


def run_tests(name: str, folder: Path, urls: dict[str, str], *more: str) -> int:
    """Run the tests of this folder, with its reports and its cache in *folder*; return pytest's exit code."""
    print(f"== {name}", flush=True)
    options = [
        f"--context-bench-cache-dir={folder / 'cache'}",
        f"--context-bench-report=json:{folder / name}.json",
        f"--context-bench-report=html:{folder / name}.html",
        "--context-bench-keep-texts=500",
    ]
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *options, *more]
    try:
        return subprocess.run(
            command, cwd=HERE, env={**os.environ, **urls}, timeout=RUNS_WITHIN, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        sys.exit(f"{name}: not done within {RUNS_WITHIN} s")


def compare(folder: Path) -> int:
    """Return 1 where a row or a figure of the replay is another than it was, else 0."""
    live, replay = (json.loads((folder / f"{name}.json").read_text()) for name in (LIVE, REPLAY))
    cached = [row["metadata"].pop("cached", False) for row in replay["rows"]]
    equal = all(cached) and all(live[part] == replay[part] for part in ("rows", "summary"))
    print(f"the replay of {len(cached)} rows is {'the same' if equal else 'NOT the same'}; reports: {folder}")
    return int(not equal)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that servers are stopped then too
    target = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="local-llm-")).resolve()
    target.mkdir(parents=True, exist_ok=True)
    sys.exit(main(target))
