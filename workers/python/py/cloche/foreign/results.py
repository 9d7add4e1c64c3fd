"""Turns the return value or the exception of a framework's tool into a result of Cloche.

`adapters` calls it after the function. Values are recognised by the names of their classes and attributes, since the
classes come from stand-ins, from real packages or from the file.
"""

from __future__ import annotations

import json
from typing import Any

from ..display import displayed
from ..explicit import ToolError, ToolResult, error, result
from .conversion import decode_base64
from .plain_values import make_plain

# The keys of a tool's result as a dict: in MCP, and in Strands.
_MCP_RESULT = frozenset(("content", "isError", "is_error", "structuredContent", "_meta"))
_STRANDS_RESULT = frozenset(("toolUseId", "status", "content"))
# The keys of a content part of MCP as a dict.
_MCP_PART = frozenset(("type", "text", "data", "mimeType", "annotations", "_meta"))
_JSON = (str, int, float, bool, type(None), list, tuple, dict, bytes, bytearray, memoryview)
_ANY_MEDIA = "application/octet-stream"
_UNKNOWN_ERROR = "the tool reported an error"


def make_result(value: Any, *, as_text: bool, has_artifact: bool = False) -> Any:
    """Returns the result for a returned value. `has_artifact`: a pair of content and artifact. `as_text`: the framework
    turns an object that is not a JSON value into text."""
    if isinstance(value, (ToolResult, ToolError)):
        return value
    if has_artifact and isinstance(value, tuple) and len(value) == 2:
        content, artifact = value
        return _add_metadata(content, {"artifact": _make_storable(artifact)})
    for read in (_read_content, _read_result_dict, _read_result_object):
        found = read(value)
        if found is not None:
            return found
    converted = make_plain(value)
    if as_text and not isinstance(converted, _JSON) and displayed(converted) is None:
        return str(converted)
    return converted


def make_error(raised: BaseException) -> BaseException:
    """The error that ends a call. Recoverable errors of frameworks tell the model that it may try again."""
    if getattr(type(raised), "__cloche_recoverable__", False):
        made = error(str(raised) or type(raised).__name__, recoverable=True)
        return made.with_traceback(raised.__traceback__)
    return raised


def _add_metadata(content: Any, metadata: dict[str, Any]) -> Any:
    made = make_result(content, as_text=True)
    if isinstance(made, ToolResult):
        return ToolResult(made.parts, {**made.metadata, **metadata})
    return result([made if isinstance(made, str) else {"type": "json", "value": made}], metadata)


def _make_storable(value: Any) -> Any:
    """The value if JSON can hold it; otherwise its text."""
    converted = make_plain(value)
    try:
        json.dumps(converted)
    except (TypeError, ValueError):
        return repr(converted)[:10_000]
    return converted


# Results: each function returns None for values that it does not know.


def _read_content(value: Any) -> Any:
    """The result for a content part of a framework, or for a list of them."""
    if isinstance(value, list) and value:
        parts = [_read_part(item) for item in value]
        if all(part is not None for part in parts):
            return result(parts)
    part = _read_part(value)
    return result([part]) if part is not None else None


def _read_result_dict(value: Any) -> Any:
    """The result for a dict in the format of MCP or Strands."""
    content = value.get("content") if isinstance(value, dict) else None
    if not isinstance(content, list):
        return None
    if set(value) <= _MCP_RESULT and content and all(_read_part(item) is not None for item in content):
        return _read_mcp_result(value)
    if set(value) <= _STRANDS_RESULT and value.get("status") in ("success", "error"):
        return _read_strands_result(content, value["status"] == "error")
    return None


def _read_result_object(value: Any) -> Any:
    """The result for an object of a framework's class, which is recognised by its name."""
    kind = type(value).__name__
    fields = getattr(value, "__dict__", {})
    if kind in ("CallToolResult", "ToolResult", "ToolResponse") and ("content" in fields or "structured_content" in fields):
        return _read_mcp_result(fields)
    if kind == "ToolReturn" and "return_value" in fields:
        return make_result(fields["return_value"], as_text=True)
    if kind == "ActionResult":
        return error(str(fields["error"]), recoverable=True) if fields.get("error") else make_plain(fields.get("extracted_content"))
    if kind == "ToolMessage" and "content" in fields:
        return make_plain(fields["content"])
    if kind == "Command" and isinstance(update := fields.get("update"), dict):
        return _read_update(update)
    if kind == "ErrorArtifact" and "value" in fields:
        return error(str(fields["value"]), recoverable=True)
    if (kind == "Result" or kind.endswith("Artifact")) and "value" in fields:
        listed = fields["value"] if kind == "ListArtifact" and isinstance(fields["value"], list) else None
        return make_plain(fields["value"] if listed is None else [getattr(item, "value", item) for item in listed])
    if kind in ("StringToolOutput", "JSONToolOutput") and "result" in fields:
        return make_plain(fields["result"])
    if kind == "ToolOutput" and "output" in fields:
        return make_plain(fields["output"])
    return None


def _read_update(update: dict[str, Any]) -> Any:
    """The result if LangGraph's Command updates the state of a graph: the messages in the update, or else the update itself."""
    listed = update.get("messages")
    messages = [item for item in listed if hasattr(item, "content")] if isinstance(listed, list) else []
    contents = [make_plain(message.content) for message in messages]
    if not contents:
        return make_plain(update)
    return contents[0] if len(contents) == 1 else "\n".join(item if isinstance(item, str) else json.dumps(item) for item in contents)


def _read_mcp_result(fields: dict[str, Any]) -> Any:
    """The result for an object with content, structured content and images, as MCP and FastMCP return it."""
    content = fields.get("content")
    listed = content if isinstance(content, list) else [] if content is None else [content]
    if fields.get("isError") or fields.get("is_error"):
        return error(" ".join(str(getattr(item, "text", item)) for item in listed) or _UNKNOWN_ERROR)
    parts = [_read_part(item) or make_plain(item) for item in listed]
    parts += [part for image in fields.get("images") or () if (part := _read_part(image)) is not None]
    structured = fields.get("structured_content", fields.get("structuredContent"))
    if structured is not None and not parts:
        return make_plain(structured)
    return result(parts, {"structured": make_plain(structured)} if structured is not None else None)


def _read_strands_result(content: list[Any], is_error: bool) -> Any:
    """The result of a tool of Strands: each part is a dict with `text` or `json`."""
    parts: list[Any] = []
    for item in content:
        if not isinstance(item, dict) or not set(item) & {"text", "json"}:
            return None
        parts.append({"type": "text", "text": str(item["text"])} if "text" in item else {"type": "json", "value": make_plain(item["json"])})
    if is_error:
        message = "\n".join(str(part.get("text", part.get("value"))) for part in parts)
        return error(message or _UNKNOWN_ERROR, recoverable=True)
    return result(parts) if parts else None


# Parts


def _read_part(value: Any) -> dict[str, Any] | None:
    """A content part for a value of a framework, such as MCP's ImageContent; None for other values."""
    own = getattr(value, "__cloche_content__", None)
    if callable(own):
        return own()  # type: ignore[no-any-return]
    if isinstance(value, dict):
        is_part = value.get("type") in ("text", "image", "audio") and set(value) <= _MCP_PART
        return _read_typed_part("dict", value, value) if is_part else None
    fields = getattr(value, "__dict__", None)
    if not isinstance(fields, dict):
        return None
    kind = type(value).__name__
    if kind in ("AgentImage", "AgentText", "AgentAudio") and "value" in fields:
        return _read_part(fields["value"]) or {"type": "json", "value": make_plain(fields["value"])}
    if kind == "BinaryContent" and "data" in fields:
        return _make_data(fields["data"], str(fields.get("media_type", _ANY_MEDIA)))
    if kind == "ToolOutputText" and "text" in fields:
        return {"type": "text", "text": str(fields["text"])}
    if kind == "ToolOutputImage" and str(fields.get("image_url", "")).startswith("data:"):
        media, _, data = str(fields["image_url"])[5:].partition(";base64,")
        return _make_data(data, media)
    return _read_typed_part(kind, value, fields)


def _read_typed_part(kind: str, value: Any, fields: dict[str, Any]) -> dict[str, Any] | None:
    """A content part of MCP, or of a framework that writes its parts like MCP. `kind`: the name of the value's class."""
    type_of_part = fields.get("type")
    if kind.endswith(("TextContent", "TextBlock")) or type_of_part == "text":
        return {"type": "text", "text": str(fields["text"])} if "text" in fields else None
    if type_of_part in ("image", "audio") or kind in ("ImageContent", "AudioContent"):
        media = fields.get("mimeType", fields.get("mime_type"))
        return _make_data(fields["data"], str(media)) if "data" in fields and media else None
    if type_of_part in ("resource", "resource_link") or kind in ("EmbeddedResource", "ResourceLink"):
        return _read_resource(fields.get("resource", value))
    return None


def _read_resource(resource: Any) -> dict[str, Any]:
    """The part for a resource of MCP: its data, its text, or its address."""
    text, blob = getattr(resource, "text", None), getattr(resource, "blob", None)
    if blob is not None:
        return _make_data(blob, str(getattr(resource, "mimeType", getattr(resource, "mime_type", _ANY_MEDIA))))
    return {"type": "text", "text": str(text if text is not None else getattr(resource, "uri", ""))}


def _make_data(data: Any, media: str) -> dict[str, Any]:
    return {"type": "image" if media.startswith("image/") else "binary", "data": decode_base64(data), "mediaType": media}
