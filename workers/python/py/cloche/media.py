"""Detects the type of bytes, and converts images and figures to bytes."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from typing import Any

_PNG = b"\x89PNG\r\n\x1a\n"


def media_type(data: bytes) -> str:
    """The media type of `data` by its first bytes; `application/octet-stream` if they are unknown."""
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return "audio/wav"
    if data.startswith(b"OggS"):
        return "audio/ogg"
    if data.startswith(b"fLaC"):
        return "audio/flac"
    if data.startswith((b"ID3", b"\xff\xfb", b"\xff\xf3")):
        return "audio/mpeg"
    if data.startswith(b"%PDF-"):
        return "application/pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "application/zip"
    return "application/octet-stream"


def picture(value: Any) -> tuple[str, bytes] | None:
    """The media type and bytes of an object that can render itself as an image; None for any other object.

    Supported: IPython's `_repr_png_`, `_repr_jpeg_` and `_repr_svg_`, matplotlib's figures, PIL's images. Exceptions
    of such a method are passed on.
    """
    # Looked up on the type, as Python does for special methods: a Mock, for example, has every attribute.
    kind: Any = type(value)
    for method, media in (
        ("_repr_png_", "image/png"),
        ("_repr_jpeg_", "image/jpeg"),
        ("_repr_svg_", "image/svg+xml"),
    ):
        show = getattr(kind, method, None)
        shown = show(value) if callable(show) else None
        if shown is not None:
            return media, shown_bytes(shown, media)
    if _is(kind, "matplotlib.figure", "Figure"):
        return "image/png", _save(lambda buffer: kind.savefig(value, buffer, format="png"))
    if _is(kind, "PIL.Image", "Image"):
        form = value.format if value.format in ("PNG", "JPEG", "GIF", "WEBP") else "PNG"
        return f"image/{form.lower()}", _save(lambda buffer: kind.save(value, buffer, format=form))
    return None


def _is(kind: type, module: str, name: str) -> bool:
    """Whether `kind` is this class or a subclass; compared by name, so that nothing needs to be imported."""
    return any(base.__module__ == module and base.__name__ == name for base in kind.__mro__)


def _save(save: Callable[[io.BytesIO], object]) -> bytes:
    """The bytes that `save` writes into a file."""
    buffer = io.BytesIO()
    save(buffer)
    return buffer.getvalue()


def shown_bytes(shown: object, media: str) -> bytes:
    """The bytes of what a `_repr_*_` method returned for an image. Raises TypeError if it is neither bytes nor str."""
    if isinstance(shown, tuple) and shown:  # IPython allows (data, metadata)
        shown = shown[0]
    if isinstance(shown, str):
        return shown.encode() if media == "image/svg+xml" else base64.b64decode(shown, validate=True)
    if isinstance(shown, (bytes, bytearray, memoryview)):
        return bytes(shown)
    raise TypeError(f"an image must be bytes or str, not {type(shown).__name__}")
