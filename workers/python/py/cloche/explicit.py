"""Results that a handler creates itself: `context.result(…)` and `context.error(…)`."""

from __future__ import annotations

import base64
import binascii
import re

from .content import TEXT_TYPES, Part, base64_part, characters_of, check_size, data_part, json_part, text_part, write_part
from .json_text import encode, encode_strict
from .limits import PARTS

_MEDIA_TYPE = re.compile(r"[a-z]{1,20}/[A-Za-z0-9.+-]{1,70}\Z")
# The keys that a dict needs, in addition to "type", to count as a part and not as a JSON value.
_PAYLOAD = {"text": "text", "json": "value", "image": "data", "binary": "data"}


class ToolResult:
    """A result made of content parts and metadata. Created by `result`."""

    __slots__ = ("parts", "metadata")

    def __init__(self, parts: list[Part], metadata: dict[str, object]) -> None:
        self.parts = parts
        self.metadata = metadata


class ToolError(Exception):
    """A failure that a handler may return or raise. Created by `error`."""

    def __init__(self, message: str, recoverable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.recoverable = recoverable


def result(parts: object, metadata: dict[str, object] | None = None) -> ToolResult:
    """An explicit result.

    `parts` is one part or a list of parts. A part is any value that a handler may return (str, bytes, image, JSON
    value) or a dict such as `{"type": "text", "text": …, "mediaType": "text/markdown"}`, `{"type": "json", "value": …}` or `{"type": "image" or
    "binary", "data": bytes or base64 text, "mediaType": …}`. `metadata` is returned with the result, together with
    `context.metadata`. Raises TypeError or ValueError that names the invalid part.
    """
    if metadata is not None and not isinstance(metadata, dict):
        raise TypeError(f"metadata must be a dict, not {type(metadata).__name__}")
    if metadata:
        encode_strict(metadata, "metadata")
    if isinstance(parts, (list, tuple)):
        if len(parts) > PARTS:
            raise ValueError(f"a result has at most {PARTS:,} parts, not {len(parts):,}")
        written = [_part(part, f"parts[{index}]") for index, part in enumerate(parts)]
    else:
        written = [_part(parts, "parts")]
    check_size(characters_of(written))
    return ToolResult(written, dict(metadata or {}))


def error(message: str, recoverable: bool = False) -> ToolError:
    """An explicit failure: the model gets `message`; `recoverable` tells it that another attempt may succeed."""
    if not isinstance(message, str):
        raise TypeError(f"message must be str, not {type(message).__name__}")
    # A plain str: a subclass, such as that of an enum, may write itself in another way.
    return ToolError(str.__str__(message), bool(recoverable))


# The keys of a result as extensions see it.
RESULT_KEYS = (
    "result_type",
    "text_result_for_llm",
    "error",
    "traceback",
    "content",
    "recoverable",
    "metadata",
    "updates",
    "log",
    "stdout",
    "stderr",
)
_KNOWN = frozenset((*RESULT_KEYS, "duration_ms"))


def read_result(returned: dict[str, object]) -> ToolResult | ToolError | None:
    """Returns the result that a dict in the format of `text_result` and `app.core_tools` describes; None for any other
    dict."""
    text = returned.get("text_result_for_llm")
    if not isinstance(text, str) or not returned.keys() <= _KNOWN:
        return None
    if returned.get("result_type") == "failure" or returned.get("error"):
        return ToolError(text, bool(returned.get("recoverable")))
    content = returned.get("content")
    shown = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    # The text counts. Pictures and data are additional parts.
    beside = [part for part in shown if part.get("type") in ("image", "binary")]
    metadata = returned.get("metadata")
    return result([_text_of(text, shown), *beside], metadata if isinstance(metadata, dict) else None)


def _text_of(text: str, shown: list[dict[str, object]]) -> dict[str, object]:
    """The text of a result as a part, with the media type of the shown part that has the same text."""
    media = [part.get("mediaType") for part in shown if part.get("type") == "text" and part.get("text") == text]
    return {"type": "text", "text": text, "mediaType": media[0] if media and media[0] else "text/plain"}


def _part(part: object, where: str) -> Part:
    """Writes one part of a result, which may be any value. `where`: its place, for errors."""
    if not isinstance(part, dict):
        return write_part(part, where)
    kind = part.get("type")
    if not isinstance(kind, str) or kind not in _PAYLOAD or _PAYLOAD[kind] not in part:
        return write_part(part, where)
    payload = part[_PAYLOAD[kind]]
    if kind == "json":
        return json_part(encode(payload, f"{where}.value"))
    if kind == "text":
        if not isinstance(payload, str):
            raise TypeError(f"{where}.text must be str, not {type(payload).__name__}")
        media = part.get("mediaType", "text/plain")
        if media not in TEXT_TYPES:
            raise TypeError(f"{where}.mediaType of a text must be one of {', '.join(TEXT_TYPES)}")
        return text_part(str.__str__(payload), media)
    media = part.get("mediaType")
    if not isinstance(media, str) or not _MEDIA_TYPE.match(media):
        raise TypeError(f'{where}.mediaType must be a media type such as "image/png"')
    if isinstance(payload, (bytes, bytearray, memoryview)):
        return data_part(bytes(payload), media)
    if not isinstance(payload, str):
        raise TypeError(f"{where}.data must be bytes or base64 text, not {type(payload).__name__}")
    check_size(len(payload))
    try:
        base64.b64decode(payload, validate=True)
    except (binascii.Error, ValueError) as fault:
        raise ValueError(f"{where}.data is not base64: {fault}") from None
    return base64_part(str.__str__(payload), media, kind)
