"""Images: a handler that returns `bytes` creates an image (PNG, JPEG, GIF, WebP) or a binary part."""

import base64
import hashlib
import struct
from typing import Any

from _png import SIGNATURE, write_png

CELLS = 5


def identicon(text: str, size: int = 240) -> bytes:
    """An identicon: the same text always gives the same small symmetric image."""
    cell = max(1, size // CELLS)
    digest = hashlib.sha256(text.encode()).digest()
    ink, paper = bytes(64 + one // 2 for one in digest[:3]), b"\xf4\xf4\xf4"
    rows = []
    for row in range(CELLS):
        left = [digest[3 + row * 3 + column] % 2 for column in range(3)]
        line = b"".join((ink if on else paper) * cell for on in left + left[1::-1])
        rows += [line] * cell
    return write_png(cell * CELLS, cell * CELLS, rows)


def gradient(start: list[int], end: list[int], width: int = 320, height: int = 80, *, context: Any) -> bytes:
    """A gradient from one colour to another."""
    if not all(len(color) == 3 and all(0 <= part <= 255 for part in color) for color in (start, end)):
        raise ValueError("start and end are [red, green, blue], each from 0 to 255")
    if not (1 <= width <= 2000 and 1 <= height <= 2000):
        raise ValueError("width and height are from 1 to 2000 pixels")
    share = [column / max(1, width - 1) for column in range(width)]
    row = bytes(round(a + (b - a) * part) for part in share for a, b in zip(start, end))
    context.metadata["pixels"] = width * height
    return write_png(width, height, [row] * height)


def image_info(data: str) -> dict:
    """Type, size and dimensions of an image given as base64."""
    try:
        image = base64.b64decode(data.partition("base64,")[2] or data, validate=True)
    except ValueError as fault:
        raise ValueError(f"data is not base64: {fault}") from None
    if image.startswith(SIGNATURE) and len(image) >= 24:
        kind, (width, height) = "PNG", struct.unpack(">II", image[16:24])
    elif image[:6] in (b"GIF87a", b"GIF89a") and len(image) >= 10:
        kind, (width, height) = "GIF", struct.unpack("<HH", image[6:10])
    else:
        raise ValueError(f"only PNG and GIF are supported, and this starts with {image[:4].hex(' ') or 'nothing'}")
    return {"type": kind, "width": width, "height": height, "bytes": len(image)}


COLOR = {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}, "minItems": 3, "maxItems": 3}

TOOL_SPECS = [
    {
        "name": "images:identicon",
        "description": "Draws an identicon: a small symmetric image (PNG) for a text, such as a user's name. The "
        "same text always gives the same image.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "The text to draw an image for"},
                "size": {
                    "type": "integer",
                    "minimum": 5,
                    "maximum": 1000,
                    "default": 240,
                    "description": "Width and height in pixels, rounded down to a multiple of 5",
                },
            },
            "required": ["text"],
        },
        "handler": identicon,
        "examples": [{"text": "Ada Lovelace"}],
        "stateless": True,
    },
    {
        "name": "images:gradient",
        "description": "Draws an image (PNG) with a colour gradient from left to right.",
        "parameters": {
            "type": "object",
            "properties": {
                "start": {**COLOR, "description": "Colour at the left: [red, green, blue], each 0 to 255"},
                "end": {**COLOR, "description": "Colour at the right, in the same form"},
                "width": {"type": "integer", "minimum": 1, "maximum": 2000, "default": 320, "description": "In pixels"},
                "height": {"type": "integer", "minimum": 1, "maximum": 2000, "default": 80, "description": "In pixels"},
            },
            "required": ["start", "end"],
        },
        "handler": gradient,
        "examples": [{"start": [37, 99, 235], "end": [220, 38, 38]}],
        "stateless": True,
    },
    {
        "name": "images:image_info",
        "description": "Type, width, height and size in bytes of a PNG or GIF given as base64 or as a data: address.",
        "parameters": {
            "type": "object",
            "properties": {"data": {"type": "string", "minLength": 1, "description": "The image, base64"}},
            "required": ["data"],
        },
        "handler": image_info,
        "returns": {
            "type": "object",
            "properties": {
                "type": {"enum": ["PNG", "GIF"]},
                "width": {"type": "integer"},
                "height": {"type": "integer"},
                "bytes": {"type": "integer"},
            },
        },
        "stateless": True,
    },
]
