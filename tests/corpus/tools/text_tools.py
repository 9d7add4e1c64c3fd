"""Text work: every handler a plain function."""

import re
import textwrap
import unicodedata
from collections import Counter


def slugify(text: str, separator: str = "-", max_length: int | None = None) -> str:
    """A text as a slug for addresses."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower())
    return separator.join(words)[:max_length]


def count_words(text: str, top: int = 3) -> dict:
    """The words of a text and how often they stand in it."""
    words = re.findall(r"\w+", text.lower())
    return {"total": len(words), "unique": len(set(words)), "top": Counter(words).most_common(top)}


def wrap(text: str, width: int = 40) -> list:
    """The lines of a text no wider than this."""
    return textwrap.wrap(text, width)


def describe(character: str) -> tuple:
    """Name, category and code point of one character."""
    return unicodedata.name(character), unicodedata.category(character), ord(character)


def shout(*words: str, **marks: int) -> str:
    """Takes whatever comes by name."""
    return " ".join(f"{key}{'!' * count}" for key, count in marks.items())


TOOL_SPECS = [
    {
        "name": f"text_tools:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": {"type": "object", "properties": properties, "required": required},
        "handler": handler,
    }
    for handler, properties, required in [
        (slugify, {"text": {"type": "string"}, "separator": {"type": "string"}, "max_length": {"type": ["integer", "null"]}}, ["text"]),
        (count_words, {"text": {"type": "string"}, "top": {"type": "integer", "minimum": 1}}, ["text"]),
        (wrap, {"text": {"type": "string"}, "width": {"type": "integer"}}, ["text"]),
        (describe, {"character": {"type": "string", "minLength": 1, "maxLength": 1}}, ["character"]),
        (shout, {}, []),
    ]
]
