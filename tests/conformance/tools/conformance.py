"""The tools that the conformance suite of MCP calls. The suite prescribes their names, arguments and results."""

from __future__ import annotations

import asyncio
import struct
import zlib

SENTENCE = "This is a simple text response for testing."


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


def _wav() -> bytes:
    form = struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)
    return b"RIFF" + struct.pack("<I", 36) + b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", 0)


def _part(kind: str, media_type: str, data: bytes) -> dict:
    return {"type": kind, "mediaType": media_type, "data": data}


def test_simple_text() -> str:
    return SENTENCE


def test_image_content() -> bytes:
    return _png()


def test_audio_content() -> bytes:
    return _wav()


def test_embedded_resource(context):
    return context.result(_part("binary", "text/plain", b"This is an embedded resource content."))


def test_multiple_content_types(context):
    image = _part("image", "image/png", _png())
    return context.result(["Multiple content types test:", image, _part("binary", "application/json", b'{"test": "data"}')])


async def test_tool_with_logging(context) -> str:
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        context.log(line)
        await asyncio.sleep(0.05)
    return "logged"


async def test_logging_tool(context) -> str:
    context.log("A line that only a client with a log level gets")
    return "logged"


def test_error_handling() -> None:
    raise ValueError("This tool intentionally returns an error for testing")


async def test_tool_with_progress(context) -> str:
    for progress in (0, 50, 100):
        context.update({"progress": progress, "total": 100})
        await asyncio.sleep(0.05)
    return "done"


async def test_that_waits(context) -> None:
    """Not of the suite: clients.mjs cancels it."""
    context.update("waiting")
    await asyncio.sleep(600)


async def _ask(context, question: str) -> str:
    return f"User response: {'accept' if await context.approve(question) else 'decline'}"


async def test_elicitation(context, message: str) -> str:
    return await _ask(context, message)


async def test_streaming_elicitation(context) -> str:
    context.update("before the question")
    return await _ask(context, "May the stream go on?")


async def test_input_required_result_elicitation(context) -> str:
    return await _ask(context, "What is your name?")


async def test_input_required_result_request_state(context) -> str:
    return f"{await _ask(context, 'Please confirm')} state-ok"


async def test_input_required_result_tampered_state(context) -> str:
    return await _ask(context, "Please confirm")


async def test_input_required_result_multi_round(context) -> str:
    first = await _ask(context, "Step 1")
    second = await _ask(context, "Step 2")
    return f"{first}, {second}"


def json_schema_2020_12_tool(**values) -> dict:
    return values


def _spec(handler, parameters: dict | None = None) -> dict:
    name = handler.__name__
    return {
        "name": f"conformance:{name}",
        "description": f"Conformance: {name}.",
        "parameters": parameters or {"type": "object", "properties": {}},
        "handler": handler,
    }


_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

TOOL_SPECS = [
    _spec(test_simple_text),
    _spec(test_image_content),
    _spec(test_audio_content),
    _spec(test_embedded_resource),
    _spec(test_multiple_content_types),
    _spec(test_tool_with_logging),
    _spec(test_logging_tool),
    _spec(test_error_handling),
    _spec(test_tool_with_progress),
    _spec(test_that_waits),
    _spec(test_elicitation, {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}),
    _spec(test_streaming_elicitation),
    _spec(test_input_required_result_elicitation),
    _spec(test_input_required_result_request_state),
    _spec(test_input_required_result_tampered_state),
    _spec(test_input_required_result_multi_round),
    _spec(json_schema_2020_12_tool, _SCHEMA),
]
