"""Parses an HTTP/1.1 request as it is written to a socket."""

from __future__ import annotations

import re
from typing import NamedTuple

_REQUEST_LINE = re.compile(rb"([A-Za-z]+) (\S+) HTTP/1\.[01]\Z")
_CHUNK_SIZE = re.compile(rb"[0-9A-Fa-f]+")
_MAX_HEAD = 1_000_000


class HttpRequest(NamedTuple):
    """`target` is the target of the request line, usually a path."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes


class ArrivingRequest:
    """A request that is being written piece by piece."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._wanted: int | None = None  # length in bytes; -1: the body is chunked; None: the header is not complete yet

    def add(self, piece: bytes) -> HttpRequest | None:
        """Adds a piece. Returns the request once it is complete. Raises ConnectionError if it is not a request."""
        self._data += piece
        if self._wanted is None:
            end = self._data.find(b"\r\n\r\n")
            if end < 0:
                return None
            self._wanted = _read_length(bytes(self._data[: end + 4]))
        ended = self._data.endswith(b"0\r\n\r\n") if self._wanted < 0 else len(self._data) >= self._wanted
        return parse_request(bytes(self._data)) if ended else None


def parse_request(data: bytes) -> HttpRequest:
    """The single request in `data`. Raises ConnectionError if there is none, or if it is incomplete."""
    head, blank, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    found = _REQUEST_LINE.match(first)
    if not blank or not found or len(head) > _MAX_HEAD:
        raise ConnectionError("sockets support only HTTP here, and this is not an HTTP request")
    headers = [_read_header(line) for line in lines]
    named = {name.lower(): value for name, value in headers}
    method, target = found[1].decode(), found[2].decode("latin-1")
    return HttpRequest(method, target, headers, _read_body(named, rest))


def _read_length(head: bytes) -> int:
    """The bytes of the whole request; -1 if its body comes in chunks, whose number the head does not say."""
    lines = head.lower().split(b"\r\n")
    named = dict((name.strip(), value.strip()) for name, _, value in (line.partition(b":") for line in lines))
    if b"chunked" in named.get(b"transfer-encoding", b""):
        return -1
    length = named.get(b"content-length", b"0")
    return len(head) + (int(length) if length.isdigit() else 0)


def _read_header(line: bytes) -> tuple[str, str]:
    name, colon, value = line.decode("latin-1").partition(":")
    if not colon:
        raise ConnectionError("the request has a header without a colon")
    return name.strip(), value.strip()


def _read_body(headers: dict[str, str], rest: bytes) -> bytes:
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return _join_chunks(rest)
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) != len(rest):
        raise ConnectionError(f"the request's body has {len(rest)} bytes, but its header says {length}")
    return rest


def _join_chunks(data: bytes) -> bytes:
    parts = []
    while True:
        line, found, data = data.partition(b"\r\n")
        digits = line.partition(b";")[0].strip()
        if found and not _CHUNK_SIZE.fullmatch(digits):
            raise ConnectionError("a chunk of the request's body begins without its size")
        size = int(digits, 16) if found else -1
        if size < 0 or len(data) < size:
            raise ConnectionError("the request's body ends in the middle of a chunk")
        if size == 0:
            return b"".join(parts)
        parts.append(data[:size])
        data = data[size + 2 :]
