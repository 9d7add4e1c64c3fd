"""Returns bytes of any media type."""

from __future__ import annotations

TYPES = (
    "image/png",
    "text/csv",
    "image/exe",
    "image/lnk",
    "image/scr",
    "application/x-msdownload",
    "text/html.exe",
    "constructor/x",
)


def returned(context):
    """One part of each type."""
    return context.result([{"type": "binary", "mediaType": media, "data": "TVo="} for media in TYPES])


TOOL_SPECS = [
    {
        "name": "returned:com1.exe",
        "description": "Returns bytes.",
        "parameters": {"type": "object", "properties": {}},
        "handler": returned,
    }
]
