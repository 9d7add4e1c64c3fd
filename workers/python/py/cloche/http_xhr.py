"""Replaces `js.XMLHttpRequest`, which the sandbox's policy forbids: synchronous requests through the page.

`pyodide.http.open_url` and `pyodide.http.pyxhr` are built on it, and so is urllib3 before version 2.3.
"""

from __future__ import annotations

from .exchange import Exchange, request


class Bytes(bytes):
    """Bytes with the interface of a JavaScript ArrayBuffer."""

    def to_py(self) -> memoryview:
        """The bytes, as Pyodide returns those of an ArrayBuffer."""
        return memoryview(self)


class XMLHttpRequest:
    """Supports only synchronous requests of Python code. Method names are those of the browser."""

    def __init__(self) -> None:
        self.responseType = ""
        self.timeout = 0
        self.readyState = 0
        self._headers: list[tuple[str, str]] = []
        self._method = self._url = ""
        self._answer: Exchange | None = None
        self._body = b""

    @classmethod
    def new(cls) -> XMLHttpRequest:
        """Python creates an object of a JavaScript class with this method."""
        return cls()

    def open(self, method: str, url: str, later: bool = True, *who: str) -> None:
        """Raises NotImplementedError for an asynchronous request."""
        if later:
            raise NotImplementedError("only synchronous XMLHttpRequests work here: use pyodide.http.pyfetch")
        self._method, self._url, self.readyState = method, url, 1

    def setRequestHeader(self, name: str, value: str) -> None:
        self._headers.append((name, value))

    def overrideMimeType(self, media_type: str) -> None:
        """Does nothing: Python decodes the text anyway."""

    def send(self, body: object = None) -> None:
        """Raises OSError if the request is denied or fails."""
        to_bytes = getattr(body, "to_bytes", None)  # an array of JavaScript
        if isinstance(body, str):
            data = body.encode()
        elif to_bytes:
            data = to_bytes()
        else:
            data = bytes(body or b"")  # type: ignore[call-overload]
        timeout = self.timeout / 1_000 if self.timeout else None
        self._answer = request(self._method, self._url, self._headers, data, timeout)
        pieces = []
        while piece := self._answer.read():
            pieces.append(piece)
        self._body, self.readyState = b"".join(pieces), 4

    @property
    def status(self) -> int:
        return self._answer.status if self._answer else 0

    @property
    def statusText(self) -> str:
        return self._answer.reason if self._answer else ""

    @property
    def responseURL(self) -> str:
        return self._answer.url if self._answer else ""

    @property
    def responseText(self) -> str:
        return self._body.decode("utf-8", "replace")

    @property
    def response(self) -> object:
        return Bytes(self._body) if self.responseType in ("arraybuffer", "blob") else self.responseText

    def getAllResponseHeaders(self) -> str:
        headers = self._answer.headers if self._answer else []
        return "".join(f"{name}: {value}\r\n" for name, value in headers)

    def getResponseHeader(self, name: str) -> str | None:
        headers = self._answer.headers if self._answer else []
        return next((value for one, value in headers if one.lower() == name.lower()), None)
