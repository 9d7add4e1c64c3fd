"""`hashlib.pbkdf2_hmac`, which Python takes only from OpenSSL, and which Pyodide lacks."""

from __future__ import annotations

import hashlib
from typing import Any

_Bytes = bytes | bytearray | memoryview


def install() -> None:
    """Adds the function to `hashlib` if it is missing."""
    if not hasattr(hashlib, "pbkdf2_hmac"):
        pbkdf2_hmac.__module__ = "hashlib"
        hashlib.pbkdf2_hmac = pbkdf2_hmac  # type: ignore[attr-defined]


def pbkdf2_hmac(
    hash_name: str, password: _Bytes, salt: _Bytes, iterations: int, dklen: int | None = None
) -> bytes:
    """Password based key derivation function 2 (PKCS #5 v2.0) with HMAC as pseudorandom function."""
    if not isinstance(hash_name, str):
        raise TypeError(f"argument 'hash_name' must be str, not {type(hash_name).__name__}")
    inner, outer = _keyed(hash_name, _bytes(password))
    length = inner.digest_size if dklen is None else dklen
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    if length < 1:
        raise ValueError("key length must be greater than 0.")
    begin = _bytes(salt)
    derived = b""
    block = 0
    while len(derived) < length:
        block += 1
        digest = _hmac(inner, outer, begin + block.to_bytes(4, "big"))
        mixed = int.from_bytes(digest, "big")
        for _ in range(iterations - 1):
            digest = _hmac(inner, outer, digest)
            mixed ^= int.from_bytes(digest, "big")
        derived += mixed.to_bytes(inner.digest_size, "big")
    return derived[:length]


def _keyed(hash_name: str, password: bytes) -> tuple[Any, Any]:
    """The two hashes of an HMAC, initialised with the key."""
    inner, outer = hashlib.new(hash_name), hashlib.new(hash_name)
    size = inner.block_size
    key = hashlib.new(hash_name, password).digest() if len(password) > size else password
    key = key.ljust(size, b"\0")
    inner.update(bytes(byte ^ 0x36 for byte in key))
    outer.update(bytes(byte ^ 0x5C for byte in key))
    return inner, outer


def _hmac(inner: Any, outer: Any, message: bytes) -> bytes:
    first, second = inner.copy(), outer.copy()
    first.update(message)
    second.update(first.digest())
    return second.digest()


def _bytes(data: _Bytes) -> bytes:
    if isinstance(data, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    return bytes(memoryview(data))
