"""The text of a Python file, decoded as Python decodes it."""

from __future__ import annotations

from importlib.util import decode_source


def source_text(source: bytes) -> str:
    """The text, with line ends as \\n; empty if it cannot be decoded."""
    try:
        return decode_source(source)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return ""
