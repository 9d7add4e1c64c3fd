"""Checks the headers of an MCP request over HTTP, which must repeat the revision, the method and the name in the body
since 2026-07-28.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any

from .server import BAD_PARAMS, META, Fault, check_modern, is_modern_request

HEADER_MISMATCH = -32020
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def is_modern_message(headers: Mapping[str, str], params: object) -> bool:
    """Whether a message is of this revision, by its parameters or by its header."""
    is_earlier = re.match("202[45]-", headers.get("MCP-Protocol-Version", "2025-"))
    return not is_earlier or (isinstance(params, dict) and is_modern_request(params))


def check_request(headers: Mapping[str, str], method: object, params: object) -> None:
    """Raises Fault if a request of this revision does not fit its headers."""
    known = params if isinstance(params, dict) else {}
    meta = known.get("_meta") if isinstance(known.get("_meta"), dict) else {}
    version = meta.get(f"{META}protocolVersion")
    if not isinstance(version, str):
        raise Fault(BAD_PARAMS, f"_meta needs {META}protocolVersion.")
    expected: dict[str, Any] = {"MCP-Protocol-Version": version, "Mcp-Method": method}
    key = _NAMED.get(method) if isinstance(method, str) else None
    if key in known:
        expected["Mcp-Name"] = known[key]
    for header, value in expected.items():
        # @mutant the headers of a request agree with its body => never [python test_cloche_mcp_http]
        if _decoded(headers.get(header, "").strip()) != value:
            raise Fault(HEADER_MISMATCH, f"The header {header} is missing, or differs from the body.")
    check_modern(meta)


def _decoded(value: str) -> str | None:
    """Values that a header cannot carry are written in base64."""
    encoded = re.fullmatch(r"=\?base64\?(.*)\?=", value)
    if encoded is None:
        return value
    try:
        return base64.b64decode(encoded[1], validate=True).decode()
    except ValueError:
        return None
