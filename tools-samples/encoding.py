"""Hashes and encodings: `enum` in a schema, and `stateless` tools, which any interpreter may run.

In the browser, `hashlib` lacks `scrypt`; everything used here is available. A handler may also be a method of a
class: `verify` is a static method.
"""

import base64
import hashlib
import hmac
import html
import json
import urllib.parse
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

ALGORITHMS = ("md5", "sha1", "sha256", "sha512", "sha3_256", "blake2b")
ENCODERS: dict[str, Callable[[str], str]] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64url": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "url": lambda text: urllib.parse.quote(text, safe=""),
    "html": html.escape,
    "json": lambda text: json.dumps(text),
}
DECODERS: dict[str, Callable[[str], str]] = {
    "base64": lambda text: base64.b64decode(text, validate=True).decode(),
    "base64url": lambda text: base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True).decode(),
    "base32": lambda text: base64.b32decode(text, casefold=True).decode(),
    "hex": lambda text: bytes.fromhex(text).decode(),
    "url": lambda text: urllib.parse.unquote(text, errors="strict"),
    "html": html.unescape,
    "json": json.loads,
}
Encoding = Literal["base64", "base64url", "base32", "hex", "url", "html", "json"]
Algorithm = Literal["md5", "sha1", "sha256", "sha512", "sha3_256", "blake2b"]


def hash_text(text: str, algorithm: Algorithm = "sha256") -> str:
    """The hash of a text in UTF-8, as hex."""
    return hashlib.new(algorithm, text.encode(), usedforsecurity=False).hexdigest()


def convert_text(text: str, encoding: Encoding, direction: Literal["encode", "decode"] = "encode") -> str:
    """The encoded or decoded text."""
    if direction == "encode":
        return ENCODERS[encoding](text)
    try:
        decoded = DECODERS[encoding](text.strip())
    except ValueError as fault:
        raise ValueError(f"this is not {encoding} of UTF-8 text: {fault}") from None
    if not isinstance(decoded, str):
        raise TypeError(f"this is JSON, but not a JSON string: {text[:40]}")
    return decoded


def name_uuid(name: str, namespace: Literal["dns", "url"] = "url") -> str:
    """The UUID (version 5) of a name."""
    return str(uuid.uuid5(uuid.NAMESPACE_DNS if namespace == "dns" else uuid.NAMESPACE_URL, name))


class Signature:
    """Signs texts with a shared key: HMAC-SHA-256."""

    @staticmethod
    def verify(text: str, key: str, signature: str) -> dict:
        """Whether a signature matches text and key."""
        given = signature.strip().lower().removeprefix("sha256=")
        right = hmac.new(key.encode(), text.encode(), "sha256").hexdigest()
        return {"valid": hmac.compare_digest(right.encode(), given.encode())}


def read_token(token: str, now: str | None = None) -> dict:
    """The content of a JSON Web Token; its signature is not checked."""
    parts = token.strip().removeprefix("Bearer ").split(".")
    if len(parts) != 3:
        raise ValueError(f"a JSON Web Token has three parts separated by dots, this has {len(parts)}")
    header, payload = (json.loads(convert_text(part, "base64url", "decode")) for part in parts[:2])
    told = {"header": header, "payload": payload, "signature_checked": False}
    if isinstance(payload, dict) and isinstance(payload.get("exp"), int | float):
        ends = datetime.fromtimestamp(payload["exp"], UTC)
        at = datetime.fromisoformat(now).astimezone(UTC) if now else datetime.now(UTC)
        told |= {"expires": ends.isoformat(), "expired": at >= ends}
    return told


TOOL_SPECS = [
    {
        "name": "encoding:hash_text",
        "description": "The hash of a text (UTF-8) as hex. For fingerprints and comparison; not for passwords.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "The text; every space counts"},
                "algorithm": {
                    "type": "string",
                    "enum": list(ALGORITHMS),
                    "default": "sha256",
                    "description": "md5 and sha1 only for legacy systems",
                },
            },
            "required": ["text"],
        },
        "handler": hash_text,
        "examples": [{"text": "hello"}],
        "stateless": True,
    },
    {
        "name": "encoding:convert_text",
        "description": "Encodes or decodes a text: Base64, Base32, hex, URL percent-encoding, HTML entities, JSON string.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "The text to encode or decode"},
                "encoding": {"type": "string", "enum": list(ENCODERS), "description": "Kind of encoding"},
                "direction": {
                    "type": "string",
                    "enum": ["encode", "decode"],
                    "default": "encode",
                    "description": "encode plain text, or decode to plain text",
                },
            },
            "required": ["text", "encoding"],
        },
        "handler": convert_text,
        "examples": [
            {"text": "Grüße", "encoding": "base64"},
            {"text": "a%20b", "encoding": "url", "direction": "decode"},
        ],
        "stateless": True,
    },
    {
        "name": "encoding:name_uuid",
        "description": "The UUID (version 5) of a name: the same name always has the same one. For stable identifiers.",
        "parameters": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "A URL or a host name"},
                "namespace": {
                    "type": "string",
                    "enum": ["dns", "url"],
                    "default": "url",
                    "description": "Type of the name: a URL or a host name (dns)",
                },
            },
            "required": ["name"],
        },
        "handler": name_uuid,
        "examples": [{"name": "https://example.org/"}],
        "stateless": True,
    },
    {
        "name": "encoding:verify_signature",
        "description": "Checks whether a webhook's signature (HMAC-SHA-256 in hex, with or without sha256= before "
        "it) matches its text and key.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "The text exactly as received"},
                "key": {"type": "string", "description": "The shared key"},
                "signature": {"type": "string", "description": "The signature to check"},
            },
            "required": ["text", "key", "signature"],
        },
        "handler": Signature.verify,
        "stateless": True,
    },
    {
        "name": "encoding:read_token",
        "description": "Shows header and payload of a JSON Web Token and whether it has expired. Does not check the "
        "signature: never treat its content as proof.",
        "parameters": {
            "type": "object",
            "properties": {
                "token": {"type": "string", "description": "The token: three parts separated by dots"},
                "now": {
                    "type": ["string", "null"],
                    "default": None,
                    "description": "For tests: an ISO 8601 time with offset, instead of the current time",
                },
            },
            "required": ["token"],
        },
        "handler": read_token,
        "stateless": True,
    },
]
