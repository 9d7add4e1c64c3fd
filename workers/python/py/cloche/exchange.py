"""One HTTP request through the page, and its response."""

from __future__ import annotations

import base64
from typing import Any

from .asking import ask_and_wait, current_call, tell

_INSTEAD = "make the handler `async def` and use `pyodide.http.pyfetch`"


class Exchange:
    """A response whose body is read in pieces. `headers` is a list of (name, value)."""

    def __init__(self, answer: dict[str, Any], has_body: bool) -> None:
        self.status: int = answer["status"]
        self.reason: str = answer["statusText"]
        self.url: str = answer["url"]
        self.headers: list[tuple[str, str]] = [(name, value) for name, value in answer["headers"]]
        self._number = answer["request"]
        self._call = current_call()
        self._open = True
        if not has_body or self.status in (204, 205, 304):
            self.close()

    def read(self) -> bytes:
        """Waits for the next piece of the body; empty at the end. Raises OSError if the connection broke."""
        if not self._open:
            return b""
        if self._call != current_call():
            raise ConnectionError("the response belongs to a call that has ended")
        try:
            piece = ask_and_wait({"ask": "read", "request": self._number}, _INSTEAD)
        except BaseException:
            self._open = False
            raise
        if isinstance(piece, bytes):
            return piece
        self._open = False
        return b""

    def close(self) -> None:
        """Discards the rest of the body."""
        if self._open:
            self._open = False
            tell(self._call, {"ask": "close", "request": self._number})


def request(
    method: str, url: str, headers: list[tuple[str, str]], body: bytes, timeout: float | None
) -> Exchange:
    """Sends a request and waits for the response's headers. Raises OSError if it is denied or fails.

    `timeout` is in seconds.
    """
    answer = ask_and_wait(
        {
            "ask": "fetch",
            "url": url,
            "method": method,
            "headers": headers,
            "body": base64.b64encode(body).decode() if body else None,
            "timeoutMs": None if timeout is None else min(max(0, int(timeout * 1_000)), 2**31 - 1),
        },
        _INSTEAD,
    )
    return Exchange(answer, has_body=method.upper() != "HEAD")
