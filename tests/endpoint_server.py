"""A chat endpoint on 127.0.0.1 that behaves, and misbehaves, as it is told."""

import contextlib
import json
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATIENCE = 3.0  # seconds after which the server gives up whatever it does


def answer(content="Paris", finish_reason="stop", *, usage=None, **message):
    """Return a completion as an endpoint writes it."""
    choice = {"index": 0, "finish_reason": finish_reason, "message": {"content": content, **message}}
    return {"choices": [choice], "usage": usage}


def reply(body, status=200, **headers):
    """Return a behaviour: answer with *body*, a text or what JSON can hold."""
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    content = text.encode() if isinstance(text, str) else text

    def behave(handler):
        handler.send_response(status)
        handler.send_header("content-length", str(len(content)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(content)

    return behave


def respond(make):
    """Return a behaviour: answer with what *make* makes of the request's body."""
    return lambda handler: reply(make(handler.body))(handler)


def reset(handler):
    """Break the connection off."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True


def cut(start, claimed=10_000, status=200):
    """Return a behaviour: promise *claimed* bytes, send *start* and hang up."""

    def behave(handler):
        handler.send_response(status)
        handler.send_header("content-length", str(claimed))
        handler.end_headers()
        handler.wfile.write(start.encode())
        handler.close_connection = True

    return behave


def silent(handler):
    """Send nothing until the client gives up."""
    handler.close_connection = True
    handler.connection.settimeout(PATIENCE)
    with contextlib.suppress(OSError):
        handler.connection.recv(1)


def stalled(handler):
    """Send the headers and nothing more."""
    handler.send_response(200)
    handler.send_header("content-length", "100")
    handler.end_headers()
    silent(handler)


def dribble(start, piece, pause=0.02):
    """Return a behaviour: send *start*, then *piece* again and again."""

    def behave(handler):
        handler.close_connection = True
        end = time.monotonic() + PATIENCE
        with contextlib.suppress(OSError):
            handler.wfile.write(start)
            while time.monotonic() < end:
                handler.wfile.write(piece)
                handler.server.stopped.wait(pause)

    return behave


class Endpoint:
    """Answers each request with the next of its behaviours, the last one for good."""

    def __init__(self):
        self.behaviours = [reply(answer())]
        self.requests = []
        self.connections = set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._server.stopped = threading.Event()
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.002,), daemon=True)
        self._thread.start()
        self.authority = f"127.0.0.1:{self._server.server_port}"
        self.url = f"http://{self.authority}"

    def behave(self, *behaviours):
        self.behaviours = list(behaviours)

    @property
    def bodies(self):
        return [body for *_, body in self.requests]

    def next_behaviour(self):
        return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]

    def close(self):
        self._server.stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE)


def _handler(endpoint):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = PATIENCE
        disable_nagle_algorithm = True

        def do_POST(self):
            content = self.rfile.read(int(self.headers["content-length"]))
            self.body = json.loads(content)
            endpoint.requests.append((self.path, dict(self.headers), self.body))
            endpoint.connections.add(self.client_address)
            endpoint.next_behaviour()(self)

        def log_message(self, *_):
            pass

    return Handler
