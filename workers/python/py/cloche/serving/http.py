"""Serves clients of this machine over Streamable HTTP."""

from __future__ import annotations

import hmac
import json
import queue
import re
import secrets
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .modern_headers import check_request, is_modern_message
from .server import INVALID_REQUEST, NO_METHOD, Connection, Fault, Message, Server, error_message, read_message

MAX_BODY = 32_000_000
MAX_SESSIONS = 100
LOOK_SECONDS = 0.5
# The time in which a client must read what it is sent, and send what it has announced.
PATIENCE_SECONDS = 60.0
# Bytes of notifications that wait until a client reads them: what one call can send in two seconds.
MAX_UNREAD = 16_000_000
_HOSTS = ("localhost", "127.0.0.1", "[::1]")


def serve_http(server: Server, port: int, token: str, origins: list[str]) -> ThreadingHTTPServer:
    """Answers `POST /mcp` of clients that send `token`, or have it in the path, from pages of `origins` too; 0 chooses a
    free port."""
    handler = type("Handler", (_Handler,), {"mcp": server, "token": token, "origins": origins, "sessions": _Sessions()})
    listening = _Listening(("127.0.0.1", port), handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    return listening


class _Listening(ThreadingHTTPServer):
    """Answers each connection in a thread."""

    daemon_threads = True  # none keeps the program from ending
    # Clients may call many tools at once, each over a connection.
    request_queue_size = 128


class _Sessions:
    """The clients of the revisions of 2025, by session id. The oldest ends when there are too many."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, Connection] = {}

    def begin(self) -> tuple[str, Connection]:
        id, connection = secrets.token_urlsafe(24), Connection()
        with self._lock:
            if len(self._known) >= MAX_SESSIONS:
                self._known.pop(next(iter(self._known)))
            self._known[id] = connection
        return id, connection

    def get(self, id: str) -> Connection | None:
        return self._known.get(id)

    def end(self, id: str) -> bool:
        with self._lock:
            return self._known.pop(id, None) is not None


class Unread:
    """The messages for a client that it has not read, in order. The client gets no notifications while it has too many."""

    def __init__(self) -> None:
        self._lines: queue.Queue[tuple[Message, bytes]] = queue.Queue()
        self._lock = threading.Lock()
        self._size = 0

    def put(self, message: Message) -> None:
        """Adds a message from any thread, without waiting."""
        line = json.dumps(message).encode()
        with self._lock:
            # @mutant notifications that a client does not read are dropped => never [python test_cloche_mcp_http]
            if "id" not in message and self._size + len(line) > MAX_UNREAD:
                return
            self._size += len(line)
            self._lines.put((message, line))

    def get(self, seconds: float) -> tuple[Message, bytes]:
        """The next message, and its JSON. Raises queue.Empty if none comes in that time."""
        message, line = self._lines.get(timeout=seconds)
        with self._lock:
            self._size -= len(line)
        return message, line


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE_SECONDS
    mcp: Server
    token: str
    origins: list[str]
    sessions: _Sessions

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: addresses and headers are nobody's business."""

    def do_OPTIONS(self) -> None:
        if self._is_refused(needs_token=False):
            return
        allowed = {
            "Access-Control-Allow-Methods": "POST, DELETE",
            "Access-Control-Allow-Headers": "Authorization, Content-Type, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name",
        }
        self._send(204, None, allowed)

    def do_GET(self) -> None:
        if not self._is_refused():
            self._send(405, {"error": "This server sends nothing without a request."}, {"Allow": "POST, DELETE"})

    def do_DELETE(self) -> None:
        if not self._is_refused():
            found = self.sessions.end(self.headers.get("Mcp-Session-Id", ""))
            self._send(200 if found else 404, {} if found else {"error": "There is no such session."})

    def do_POST(self) -> None:
        if self._is_refused():
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            self.close_connection = True
            self._send(413 if length.isdecimal() else 411, {"error": f"The body needs a length of at most {MAX_BODY} bytes."})
            return
        try:
            message = read_message(self.rfile.read(int(length)))
        except Fault as fault:
            self._send(400, error_message(None, fault))
            return
        self._take(message)

    def _take(self, message: object) -> None:
        """Passes a message to the server, for the session that the headers name, and answers with what it sends."""
        known = message if isinstance(message, dict) else {}
        headers: dict[str, str] = {}
        given = self.headers.get("Mcp-Session-Id")
        is_modern = "method" in known and is_modern_message(self.headers, known.get("params"))
        if is_modern and "id" in known:
            try:
                check_request(self.headers, known["method"], known.get("params"))
            except Fault as fault:
                self._send(400, error_message(known["id"], fault))
                return
        if is_modern:
            connection = Connection()
        elif known.get("method") == "initialize":
            id, connection = self.sessions.begin()
            headers["Mcp-Session-Id"] = id
        elif given is not None:
            found = self.sessions.get(given)
            if found is None:
                self._send(404, {"error": "There is no such session: send initialize again."})
                return
            connection = found
        else:
            connection = Connection()
        if "method" not in known or "id" not in known:
            self.mcp.receive(message, connection, lambda answer: None)
            # A notification, or a response of the client, gets no answer.
            refusal = Fault(INVALID_REQUEST, "The body is not a JSON-RPC message. Batches are not served over HTTP.")
            self._send(202 if known else 400, None if known else error_message(None, refusal))
            return
        sent = Unread()
        self.mcp.receive(message, connection, sent.put)
        try:
            first, line = self._next(sent)
            if _is_last(first, known["id"]):
                is_unknown = first.get("error", {}).get("code") == NO_METHOD
                self._send_json(404 if is_modern and is_unknown else 200, line, headers)
            else:
                self._stream(first, line, sent, known["id"], headers)
        except OSError:
            self.close_connection = True
            # A client of 2026-07-28 cancels so; an earlier one may have lost the connection only, and sends a message.
            if is_modern or given is None:
                self.mcp.cancel_all(connection)

    def _next(self, sent: Unread) -> tuple[Message, bytes]:
        """The next message for the client. Raises OSError if the client has gone."""
        while True:
            try:
                return sent.get(LOOK_SECONDS)
            except queue.Empty:
                if self._has_gone():
                    raise ConnectionError from None

    def _has_gone(self) -> bool:
        """Whether the client has closed its connection. `select` would refuse to look at more than a thousand."""
        self.connection.setblocking(False)
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        finally:
            self.connection.settimeout(self.timeout)

    def _stream(self, first: Message, line: bytes, sent: Unread, id: object, headers: dict[str, str]) -> None:
        """Answers with a stream of all messages up to the response of the request `id`."""
        self.close_connection = True
        self.send_response(200)
        for name, value in {**self._list_cors_headers(), **headers, "Content-Type": "text/event-stream", "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        message = first
        while True:
            self.wfile.write(b"event: message\ndata: " + line + b"\n\n")
            self.wfile.flush()
            if _is_last(message, id):
                return
            message, line = self._next(sent)

    def _is_refused(self, needs_token: bool = True) -> bool:
        """Whether the request comes from a page or a program that may not call. Sends the refusal."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        in_path = re.fullmatch(r"/([^/?]+)/mcp", self.path)
        given = f"Bearer {in_path[1]}" if in_path else self.headers.get("Authorization", "")
        # @mutant the host of a request, against rebinding => never [python test_cloche_mcp_http]
        if host.rpartition(":")[0] not in _HOSTS:
            refusal = (403, "This server answers at localhost only.")
        # @mutant the origin of a request => never [python test_cloche_mcp_http]
        elif origin is not None and origin not in self.origins:
            refusal = (403, f"Pages of {origin} may not call: start cloche_mcp.py with --allow-origin {origin}.")
        # @mutant the token of a request => never [python test_cloche_mcp_http]
        elif needs_token and not hmac.compare_digest(given.encode(), f"Bearer {self.token}".encode()):
            refusal = (401, "Send the token that cloche_mcp.py printed: Authorization: Bearer TOKEN.")
        else:
            return False
        self.close_connection = True
        self._send(refusal[0], {"error": refusal[1]})
        return True

    def _list_cors_headers(self) -> dict[str, str]:
        """The headers with which a page of an allowed origin may read the answer."""
        origin = self.headers.get("Origin")
        if origin is None or origin not in self.origins:
            return {}
        return {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Expose-Headers": "Mcp-Session-Id",
            "Vary": "Origin",
        }

    def _send(self, status: int, body: dict[str, Any] | None, headers: dict[str, str] | None = None) -> None:
        """Answers with a status, and JSON if there is a body."""
        self._send_json(status, b"" if body is None else json.dumps(body).encode(), headers)

    def _send_json(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**self._list_cors_headers(), **(headers or {})}.items():
            self.send_header(name, value)
        if content:
            self.send_header("Content-Type", "application/json")
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _is_last(message: Message, id: object) -> bool:
    """Whether a message is the response of the request `id`, after which nothing follows."""
    return "method" not in message and message.get("id") == id
