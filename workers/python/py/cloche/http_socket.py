"""Sockets that support only HTTP: a request that is written to one is sent by the page, and reading returns its
response.

Everything built on `http.client` works unchanged.
"""

from __future__ import annotations

import socket
import sys
from http import HTTPStatus
from typing import Any

from .exchange import Exchange, request
from .http_request import ArrivingRequest, HttpRequest

_given_socket = socket.socket
_given_getaddrinfo = socket.getaddrinfo
_PORTS = {"http": 80, "https": 443, None: 0, "": 0}
# Headers about the connection to the page, or about an encoding that the browser has already decoded.
_UNDONE = frozenset(("transfer-encoding", "connection", "keep-alive", "content-encoding"))


def install() -> None:
    """Replaces the system's sockets, which cannot connect in a browser."""
    socket.socket = HttpSocket  # type: ignore[misc]
    socket.getaddrinfo = _getaddrinfo


class HttpSocket(_given_socket):
    """One connection: one request, and its response."""

    def __init__(self, *options: Any, **more: Any) -> None:
        super().__init__(*options, **more)
        self.tls = False
        self._peer: tuple[str, int] | None = None
        self._request = ArrivingRequest()
        self._exchange: Exchange | None = None
        self._waiting = b""
        self._seconds: float | None = socket.getdefaulttimeout()

    def connect(self, address: Any) -> None:
        """Remembers the address. Nothing is sent until there is a request."""
        if not isinstance(address, tuple) or len(address) < 2 or self.type != socket.SOCK_STREAM:
            raise OSError(f"sockets support only HTTP here: {address!r} cannot be reached")
        self._peer = (str(address[0]), int(address[1]))

    def connect_ex(self, address: Any) -> int:
        self.connect(address)
        return 0

    def getpeername(self) -> Any:
        return super().getpeername() if self._peer is None else self._peer

    def settimeout(self, value: float | None) -> None:
        super().settimeout(value)
        self._seconds = value

    def gettimeout(self) -> float | None:
        return self._seconds

    def setblocking(self, flag: bool) -> None:
        self.settimeout(None if flag else 0.0)

    def setsockopt(self, *options: Any) -> None:
        """Accepts options that libraries set when they start."""
        if self._peer is None and sys.platform != "emscripten":
            super().setsockopt(*options)

    def sendall(self, data: Any, flags: int = 0) -> None:
        if self._peer is None:
            super().sendall(data, flags)
            return
        if self._exchange is not None:
            raise BrokenPipeError("a connection can carry only one request here")
        whole = self._request.add(bytes(data))
        if whole is not None:
            self._send(whole)

    def send(self, data: Any, flags: int = 0) -> int:
        if self._peer is None:
            return super().send(data, flags)
        self.sendall(data)
        return len(memoryview(data).cast("B"))

    def recv(self, size: int, flags: int = 0) -> bytes:
        if self._peer is None:
            return super().recv(size, flags)
        if not self._waiting:
            self._waiting = self._next()
        taken, self._waiting = self._waiting[:size], self._waiting[size:]
        return taken

    def recv_into(self, buffer: Any, nbytes: int = 0, flags: int = 0) -> int:
        if self._peer is None:
            return super().recv_into(buffer, nbytes, flags)
        view = memoryview(buffer).cast("B")
        taken = self.recv(nbytes or len(view))
        view[: len(taken)] = taken
        return len(taken)

    def shutdown(self, how: int) -> None:
        if self._peer is None:
            super().shutdown(how)

    def _real_close(self, *given: Any) -> None:
        if self._exchange is not None:
            self._exchange.close()
        super()._real_close(*given)

    def _next(self) -> bytes:
        if self._exchange is not None:
            return self._exchange.read()
        raise ConnectionError("sockets support only HTTP here, and no complete request was written")

    def _send(self, whole: HttpRequest) -> None:
        """Sends the request as soon as it is complete. Libraries expect a denied request to fail while sending."""
        method, target, headers, body = whole
        self._exchange = request(method, self._url(method, target), headers, body, self._seconds)
        self._waiting = _head(self._exchange)

    def _url(self, method: str, target: str) -> str:
        if method.upper() == "CONNECT" or not target.startswith("/"):
            raise PermissionError("proxies are not supported here: send the request to the host itself")
        host, port = self._peer or ("", 0)
        shown = f"[{host}]" if ":" in host else host
        return f"{'https' if self.tls else 'http'}://{shown}:{port}{target}"


def _head(exchange: Exchange) -> bytes:
    encoded = any(name.lower() == "content-encoding" for name, _ in exchange.headers)
    undone = _UNDONE | {"content-length"} if encoded else _UNDONE
    lines = [f"HTTP/1.1 {exchange.status} {exchange.reason or _phrase(exchange.status)}"]
    lines += [f"{name}: {value}" for name, value in exchange.headers if name.lower() not in undone]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1", "replace")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _getaddrinfo(host: Any, port: Any, *rest: Any, **more: Any) -> list[Any]:
    """Returns the name itself, which the browser resolves; names of this machine for code that wants to listen."""
    if not host:
        return _given_getaddrinfo(host, port, *rest, **more)
    name = host.decode("ascii") if isinstance(host, bytes) else str(host)
    number = _PORTS[port] if port in _PORTS else int(port)
    # One address family for all: the system's sockets know no other, and the browser resolves names.
    return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (name, number))]
