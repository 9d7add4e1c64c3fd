"""Turns the return value or the exception of a framework's tool into a result of Cloche."""

from __future__ import annotations

from typing import Any

from ..display import displayed
from ..explicit import ToolError, ToolResult, error, result
from .conversion import decoded
from .plain_values import plain

# The keys of a tool's result in MCP, as a dict.
_RESULT = frozenset(("content", "isError", "is_error", "structuredContent", "_meta"))
_STRANDS = frozenset(("toolUseId", "status", "content"))
_JSON = (str, int, float, bool, type(None), list, tuple, dict, bytes, bytearray, memoryview)


def tool_result(value: Any, has_artifact: bool, as_text: bool) -> Any:
    """Returns the result for a returned value. `has_artifact`: a pair of content and artifact. `as_text`: the framework
    turns an object that is not a JSON value into text."""
    if isinstance(value, (ToolResult, ToolError)):
        return value
    if has_artifact and isinstance(value, tuple) and len(value) == 2:
        content, artifact = value
        return _with_metadata(content, {"artifact": _storable(artifact)})
    parts = _parts(value)
    if parts is not None:
        return parts
    made = plain(value)
    if as_text and not isinstance(made, _JSON) and displayed(made) is None:
        return str(made)
    return made


def failure(raised: BaseException) -> BaseException:
    """The error that ends a call. Recoverable errors of frameworks tell the model that it may try again."""
    if getattr(type(raised), "__cloche_recoverable__", False):
        made = error(str(raised) or type(raised).__name__, recoverable=True)
        return made.with_traceback(raised.__traceback__)
    return raised


def _parts(value: Any) -> Any:
    """The result for the content types of frameworks; None for any other value."""
    if isinstance(value, list) and value and all(_part(one) is not None for one in value):
        return result([_part(one) for one in value])
    single = _part(value)
    if single is not None:
        return result([single])
    if isinstance(value, dict) and set(value) <= _RESULT and isinstance(value.get("content"), list):
        if value["content"] and all(_part(one) is not None for one in value["content"]):
            return _of_tool_result(value)
    if isinstance(value, dict) and set(value) <= _STRANDS and value.get("status") in ("success", "error") and isinstance(value.get("content"), list):
        return _of_strands(value)
    kind = type(value).__name__
    fields = getattr(value, "__dict__", {})
    if kind in ("CallToolResult", "ToolResult", "ToolResponse") and ("content" in fields or "structured_content" in fields):
        return _of_tool_result(fields)
    if kind == "ToolReturn" and "return_value" in fields:
        return tool_result(fields["return_value"], False, True)
    if kind == "ActionResult":
        return error(str(fields["error"]), recoverable=True) if fields.get("error") else plain(fields.get("extracted_content"))
    if kind == "ToolMessage" and "content" in fields:
        return plain(fields["content"])
    if kind == "ErrorArtifact" and "value" in fields:
        return error(str(fields["value"]), recoverable=True)
    if (kind == "Result" or kind.endswith("Artifact")) and "value" in fields:
        return plain(fields["value"])
    if kind == "ToolOutput" and "output" in fields:
        return plain(fields["output"])
    return None


def _of_strands(value: dict[str, Any]) -> Any:
    """The result of a tool of Strands: each part is a dict with `text` or `json`."""
    parts: list[Any] = []
    for one in value["content"]:
        if not isinstance(one, dict) or not set(one) & {"text", "json"}:
            return None
        parts.append({"type": "text", "text": str(one["text"])} if "text" in one else {"type": "json", "value": plain(one["json"])})
    if value["status"] == "error":
        return error("\n".join(str(part.get("text", part.get("value"))) for part in parts) or "the tool reported an error", recoverable=True)
    return result(parts) if parts else None


def _of_tool_result(fields: dict[str, Any]) -> Any:
    """The result for an object with content, structured content and images, as MCP and FastMCP return it."""
    content = fields.get("content")
    structured = fields.get("structured_content", fields.get("structuredContent"))
    listed = content if isinstance(content, list) else [] if content is None else [content]
    if fields.get("isError") or fields.get("is_error"):
        said = " ".join(str(getattr(one, "text", one)) for one in listed)
        return error(said or "the tool reported an error")
    parts = [_part(one) or plain(one) for one in listed]
    for image in fields.get("images") or ():
        part = _part(image)
        if part is not None:
            parts.append(part)
    if structured is not None and not parts:
        return plain(structured)
    return result(parts, {"structured": plain(structured)} if structured is not None else None)


def _part(value: Any) -> dict[str, Any] | None:
    """A content part for a value of a framework, such as MCP's ImageContent; None for other values."""
    own = getattr(value, "__cloche_content__", None)
    if callable(own):
        return own()  # type: ignore[no-any-return]
    fields = value if isinstance(value, dict) else getattr(value, "__dict__", None)
    if not isinstance(fields, dict):
        return None
    kind = type(value).__name__
    if kind in ("AgentImage", "AgentText", "AgentAudio") and "value" in fields:
        return _part(fields["value"]) or {"type": "json", "value": plain(fields["value"])}
    if kind == "BinaryContent" and "data" in fields:
        return _data(fields["data"], str(fields.get("media_type", "application/octet-stream")))
    if kind == "ToolOutputText" and "text" in fields:
        return {"type": "text", "text": str(fields["text"])}
    if kind == "ToolOutputImage" and str(fields.get("image_url", "")).startswith("data:"):
        media, _, data = str(fields["image_url"])[5:].partition(";base64,")
        return _data(data, media)
    said = fields.get("type")
    is_record = not isinstance(value, dict)
    if not is_record and not (said in ("text", "image", "audio") and set(fields) <= {"type", "text", "data", "mimeType", "annotations", "_meta"}):
        return None
    if kind.endswith(("TextContent", "TextBlock")) or said == "text":
        return {"type": "text", "text": str(fields["text"])} if "text" in fields else None
    if said in ("image", "audio") or kind in ("ImageContent", "AudioContent"):
        media = fields.get("mimeType", fields.get("mime_type"))
        return _data(fields["data"], str(media)) if "data" in fields and media else None
    if said in ("resource", "resource_link") or kind in ("EmbeddedResource", "ResourceLink"):
        inner = fields.get("resource", value)
        text, blob = getattr(inner, "text", None), getattr(inner, "blob", None)
        if blob is not None:
            return _data(blob, str(getattr(inner, "mimeType", getattr(inner, "mime_type", "application/octet-stream"))))
        return {"type": "text", "text": str(text if text is not None else getattr(inner, "uri", ""))}
    return None


def _data(data: Any, media: str) -> dict[str, Any]:
    return {"type": "image" if media.startswith("image/") else "binary", "data": decoded(data), "mediaType": media}


def _with_metadata(content: Any, metadata: dict[str, Any]) -> Any:
    made = tool_result(content, False, True)
    if isinstance(made, ToolResult):
        return ToolResult(made.parts, {**made.metadata, **metadata})
    return result([made if isinstance(made, str) else {"type": "json", "value": made}], metadata)


def _storable(value: Any) -> Any:
    """The value if JSON can hold it; otherwise its text."""
    import json

    made = plain(value)
    try:
        json.dumps(made)
    except (TypeError, ValueError):
        return repr(made)[:10_000]
    return made
