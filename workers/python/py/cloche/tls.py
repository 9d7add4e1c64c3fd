"""TLS is handled by the browser: wrapping a socket marks its requests as https.

Pyodide's `ssl` has contexts that store settings, but sockets that cannot do a handshake. Only the browser decides
what is verified, and how; code that disables verification gets it anyway.
"""

from __future__ import annotations

import ssl
import sys
from typing import Any


def install() -> None:
    """Makes contexts wrap Cloche's sockets. Does nothing outside the browser."""
    if sys.platform == "emscripten":
        ssl.SSLContext.wrap_socket = wrap_socket  # type: ignore[method-assign]


def wrap_socket(
    context: ssl.SSLContext,
    sock: Any,
    server_side: bool = False,
    do_handshake_on_connect: bool = True,
    suppress_ragged_eofs: bool = True,
    server_hostname: str | None = None,
    session: object = None,
) -> Any:
    """The same socket, whose requests are sent as https. Raises OSError for a server-side socket."""
    if server_side:
        raise OSError("servers are not supported here: only outgoing requests are")
    host = server_hostname or ""

    def getpeercert(binary_form: bool = False) -> dict[str, Any]:
        """The host of a certificate that the browser has accepted; the browser exposes nothing else."""
        if binary_form:
            raise OSError("the browser does not expose certificates")
        kind = "IP Address" if host.replace(".", "").isdigit() or ":" in host else "DNS"
        return {"subject": ((("commonName", host),),), "subjectAltName": ((kind, host),)}

    # What libraries read after a handshake, which the browser does.
    sock.tls = True
    sock.context = context
    sock.server_hostname = server_hostname
    sock.getpeercert = getpeercert
    sock.version = lambda: "TLSv1.3"
    sock.cipher = lambda: None
    sock.selected_alpn_protocol = lambda: None
    sock.do_handshake = lambda block=False: None
    return sock
