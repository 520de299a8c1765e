"""Drives a headless Chromium over its DevTools protocol, through two pipes and no other library."""

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
SECONDS = 20  # the longest wait for an answer


def chromium():
    """Return the path of a Chromium, or skip."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"needs a browser: one of {', '.join(NAMES)}")
    return found


@contextmanager
def browser():
    """Start a browser, and end it with all its processes."""
    command = [
        chromium(),
        "--headless=new",
        "--remote-debugging-pipe",
        "--disable-gpu",
        "--no-first-run",
        "--disable-extensions",
        "--disable-background-networking",
        "--disable-dev-shm-usage",
        "--force-device-scale-factor=1",
        "--hide-scrollbars",
        *(["--no-sandbox"] if os.geteuid() == 0 else []),  # Chromium's sandbox refuses root
    ]
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as folder:
        pipes = [os.pipe(), os.pipe()]
        # The browser reads 3 and writes 4; ours stay clear of both numbers, so that neither covers the other.
        (commands, ours), (answers, theirs) = [[_above(end) for end in pipe] for pipe in pipes]
        with Path(os.devnull).open("wb") as nowhere:
            moves = [
                (os.POSIX_SPAWN_DUP2, commands, 3),
                (os.POSIX_SPAWN_DUP2, theirs, 4),
                (os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1),
                (os.POSIX_SPAWN_DUP2, nowhere.fileno(), 2),
            ]
            arguments = [*command, f"--user-data-dir={folder}", "about:blank"]
            environment = {**os.environ, "TMPDIR": folder}
            process = os.posix_spawn(command[0], arguments, environment, file_actions=moves, setpgroup=0)
        os.close(commands)
        os.close(theirs)
        try:
            yield Page(ours, answers)
        finally:
            os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(ours)
            os.close(answers)


def _above(end):
    moved = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(end)
    return moved


class Page:
    """The one page of a browser; *errors* are what went wrong in it since it was opened."""

    def __init__(self, commands, answers):
        self._commands, self._answers = commands, answers
        self._number, self._buffer, self._session = 0, b"", None
        self._loaded, self.errors, self.requests = False, [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """Return what the browser answers to a command."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        _write(self._commands, json.dumps(message).encode() + b"\0")
        answer = self._until(lambda given: given.get("id") == number)
        assert "error" not in answer, (method, answer["error"])
        return answer["result"]

    def open(self, url, *, width=1400, height=900, dark=False, script=True):
        """Open *url*, another than before, and wait until it is loaded; return the seconds that took."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self._loaded, self.errors, self.requests = False, [], []
        started = time.monotonic()
        self.call("Page.navigate", url=url)
        self._until(lambda _: self._loaded)
        return time.monotonic() - started

    def run(self, expression):
        """Return the value of a JavaScript *expression*, waited for if it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, expression):
        """Wait until *expression* is true."""
        deadline = time.monotonic() + SECONDS
        while not self.run(expression):
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.02)

    def press(self, key, code=None, text=None):
        """Press a key."""
        given = {"key": key, "code": code or key, "windowsVirtualKeyCode": KEYS.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", **given, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **given)

    def screenshot(self, path, *, full=True):
        """Write what the page looks like as PNG."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        path.write_bytes(base64.b64decode(answer["data"]))

    def _until(self, wanted):
        """Return the first message that is *wanted*; note what others tell."""
        deadline = time.monotonic() + SECONDS
        while True:
            message = self._next(deadline)
            self._note(message)
            if wanted(message):
                return message

    def _next(self, deadline):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._answers], [], [], max(0, deadline - time.monotonic()))
            read = os.read(self._answers, 1 << 20) if ready else b""
            assert read, "the browser does not answer"
            self._buffer += read
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _note(self, message):
        match message.get("method"), message.get("params", {}):
            case "Page.loadEventFired", _:
                self._loaded = True
            case "Runtime.exceptionThrown", told:
                self.errors.append(told["exceptionDetails"])
            case "Log.entryAdded", told if told["entry"]["level"] in {"error", "warning"}:
                self.errors.append(told["entry"])
            case "Runtime.consoleAPICalled", told:
                self.errors.append(told["args"])
            case "Network.requestWillBeSent", told:
                self.requests.append(told["request"]["url"])


KEYS = {"Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowUp": 38, "ArrowDown": 40, "PageDown": 34}


def _write(pipe, content):
    while content:
        content = content[os.write(pipe, content) :]
