"""Images that expand to far more than their bytes, and harmless ones."""

from __future__ import annotations

import struct
import zlib


def svg(inside):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">{inside}</svg>'


def bomb(levels):
    parts = ['<rect id="l0" width="9" height="9"/>']
    for level in range(1, levels + 1):
        parts.append(f'<g id="l{level}">' + f'<use href="#l{level - 1}"/>' * 10 + "</g>")
    return svg(f'<defs>{"".join(parts)}</defs><use href="#l{levels}"/>')


def png(width, height, data=b""):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def gif(frames):
    frame = b"!\xf9\x04\x04\x02\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0"
    return b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff" + frame * frames + b";"


IMAGES = {
    "plain svg": ("image/svg+xml", lambda: svg('<rect width="400" height="300" fill="#08f"/>')),
    "plain png": ("image/png", lambda: png(40, 30, (b"\0" + b"\x80" * 40) * 30)),
    "plain gif": ("image/gif", lambda: gif(3)),
    "shapes": ("image/svg+xml", lambda: svg('<rect width="9" height="9"/>' * 1_000)),
    "many shapes": ("image/svg+xml", lambda: svg('<rect width="9" height="9"/>' * 4_000)),
    "bomb": ("image/svg+xml", lambda: bomb(8)),
    "bomb as png": ("image/png", lambda: bomb(8)),
    "groups": ("image/svg+xml", lambda: svg("<g>" * 50_000 + "</g>" * 50_000)),
    "filter": ("image/svg+xml", lambda: svg('<filter id="f"><feTurbulence/></filter><rect filter="url(#f)"/>')),
    "frames": ("image/gif", lambda: gif(10_000)),
    "large png": ("image/png", lambda: png(30_000, 30_000)),
}


def draw(context, image):
    media_type, make = IMAGES[image]
    made = make()
    data = made.encode() if isinstance(made, str) else made
    return context.result([{"type": "image", "mediaType": media_type, "data": data}])


TOOL_SPECS = [
    {
        "name": "pictures:draw",
        "description": "Returns an image",
        "parameters": {"type": "object", "properties": {"image": {"type": "string"}}, "required": ["image"]},
        "handler": draw,
    },
]
