"""TLS is the browser's: wrapping a socket marks what is sent on it as https.

Pyodide's `ssl` has contexts that keep what is set, and sockets that cannot shake hands. What is verified, and how, is for
the browser alone to say; code that wants no verification gets it all the same.
"""

from __future__ import annotations

import ssl
import sys
from typing import Any


def install() -> None:
    """Lets contexts wrap our sockets. Does nothing outside the browser."""
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
    """The same socket, whose requests are sent as https. Raises OSError for the side of a server."""
    if server_side:
        raise OSError("servers are not supported here: only outgoing requests are")
    host = server_hostname or ""

    def getpeercert(binary_form: bool = False) -> dict[str, Any]:
        """What a certificate that the browser has accepted says of its host: more is not told."""
        if binary_form:
            raise OSError("the browser does not expose certificates")
        kind = "IP Address" if host.replace(".", "").isdigit() or ":" in host else "DNS"
        return {"subject": ((("commonName", host),),), "subjectAltName": ((kind, host),)}

    sock.tls = True
    sock.context = context
    sock.server_hostname = server_hostname
    sock.getpeercert = getpeercert
    sock.version = lambda: "TLSv1.3"
    sock.cipher = lambda: None
    sock.selected_alpn_protocol = lambda: None
    sock.do_handshake = lambda block=False: None
    return sock
