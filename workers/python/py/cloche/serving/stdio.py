"""Serves one client over standard input and output: a JSON message on each line."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from typing import Any, TextIO

from .server import Connection, Fault, Message, Server, error_message, read_message

MAX_LINE = 64_000_000
EXIT_SECONDS = 2.0
BATCH_REVISION = "2025-03-26"
MAX_BATCH = 100


def serve_stdio(server: Server, requests: TextIO, answers: TextIO, on_end: Callable[[], None]) -> None:
    """Reads requests on a thread until the input ends; then cancels what runs and calls `on_end`."""
    lock = threading.Lock()
    connection = Connection()

    def send(message: Message) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        try:
            with lock:
                answers.write(f"{text}\n")
                answers.flush()
        except (OSError, ValueError):  # the client has gone, which the end of the input says too
            pass

    def read() -> None:
        while line := requests.readline(MAX_LINE):
            if line.strip():
                _take(line, server, connection, send)
        server.cancel_all(connection)
        on_end()
        # A plain handler holds the main thread until it returns.
        timer = threading.Timer(EXIT_SECONDS, os._exit, (0,))
        timer.daemon = True
        timer.start()

    threading.Thread(target=read, daemon=True).start()


def _take(line: str, server: Server, connection: Connection, send: Callable[[dict[str, Any]], None]) -> None:
    """Passes the message, or the messages, of one line to the server."""
    try:
        message = read_message(line)
    except Fault as fault:
        send(error_message(None, fault))
    else:
        # Only 2025-03-26 has batches; the messages of a batch may be answered one by one.
        is_batch = connection.revision == BATCH_REVISION and isinstance(message, list) and 0 < len(message) <= MAX_BATCH
        for one in message if is_batch else [message]:
            server.receive(one, connection, send)
