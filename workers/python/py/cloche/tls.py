"""`ssl` as far as the browser does its work: contexts can be made and set, and wrapping marks a socket as https.

Pyodide's `_ssl` has names and nothing behind them. What is verified, and how, is for the browser alone to say; code that
wants no verification gets it all the same.
"""

from __future__ import annotations

import sys
from typing import Any


def install() -> None:
    """Gives `_ssl` a context that works. Does nothing where there is a real one."""
    if sys.platform == "emscripten":
        import _ssl

        _ssl._SSLContext = Context


class _Kept:
    """An attribute that is kept and has no effect; `ssl` sets some of them through their descriptors."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, context: Any, owner: type | None = None) -> Any:
        return self if context is None else context.__dict__.get(self._name, self._value)

    def __set__(self, context: Any, value: Any) -> None:
        context.__dict__[self._name] = value


class Context:
    """What `ssl.SSLContext` is built on."""

    check_hostname = _Kept(True)
    hostname_checks_common_name = _Kept(False)
    keylog_filename = _Kept(None)
    maximum_version = _Kept(-1)
    minimum_version = _Kept(-2)
    options = _Kept(0)
    post_handshake_auth = _Kept(False)
    security_level = _Kept(2)
    sni_callback = _Kept(None)
    verify_flags = _Kept(0)
    verify_mode = _Kept(2)
    _host_flags = _Kept(0)
    _msg_callback = _Kept(None)

    def __new__(cls, protocol: int = 16, *more: Any, **others: Any) -> Context:
        made = object.__new__(cls)
        made.__dict__["protocol"] = protocol
        if "wrap_socket" not in Context.__dict__ and cls is not Context:
            for one in cls.__mro__:
                if one.__module__ == "ssl" and "wrap_socket" in one.__dict__:
                    one.wrap_socket = _wrap_socket  # type: ignore[attr-defined]
        return made

    def cert_store_stats(self) -> dict[str, int]:
        return {"x509": 0, "crl": 0, "x509_ca": 0}

    def get_ca_certs(self, binary_form: bool = False) -> list[Any]:
        return []

    def get_ciphers(self) -> list[Any]:
        return []

    def session_stats(self) -> dict[str, int]:
        return {}

    def _nothing(self, *options: Any, **more: Any) -> None:
        """Accepts what would choose certificates, ciphers or protocols: the browser has its own."""

    load_cert_chain = load_dh_params = load_verify_locations = _nothing
    set_ciphers = set_default_verify_paths = set_ecdh_curve = _set_alpn_protocols = _nothing


def _wrap_socket(self: Context, sock: Any, *options: Any, **more: Any) -> Any:
    """The same socket, whose request is sent as https."""
    sock.tls = True
    sock.context = self
    sock.getpeercert = lambda binary_form=False: None if binary_form else {}
    sock.version = lambda: "TLSv1.3"
    sock.cipher = lambda: None
    sock.selected_alpn_protocol = lambda: None
    return sock
