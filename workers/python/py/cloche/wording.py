"""Text for messages: what a value is, whether it is a text, and which known name a wrong one resembles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from .limits import REGISTERED_CHARACTERS

_SHOWN = 60


def kind(value: object) -> str:
    """The type of a value for a message: "a str", "None"."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def shown(text: str) -> str:
    """A text in quotes, shortened if it is long."""
    text = str.__str__(text)
    if not text.isprintable():
        return ascii(text)
    return f'"{text}"' if len(text) <= _SHOWN else f'"{text[:_SHOWN]}…"'


def composed(text: str) -> str:
    """The text with composed letters: macOS writes the “é” of a file's name as two characters."""
    return text if text.isascii() else _normalized("NFC", text)


def as_identifier(text: str) -> str:
    """The text as Python reads it in a program: composed, and without variants of letters such as “ﬁ” or “ｶ”."""
    return text if text.isascii() else _normalized("NFKC", text)


def _normalized(form: Literal["NFC", "NFKC"], text: str) -> str:
    from unicodedata import normalize  # loaded only for texts that are not ASCII

    return normalize(form, text)


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name that `name` most resembles; None if none is close. `cutoff` is difflib's, from 0 to 1."""
    from difflib import get_close_matches  # rarely needed, and slow to import

    near = get_close_matches(name[:100], list(known), n=1, cutoff=cutoff)
    return near[0] if near else None


def checked_text(name: str, value: object, limit: int = REGISTERED_CHARACTERS) -> str:
    """Returns the text passed as `name`. Raises TypeError if it is not a str, ValueError if it is too long."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be str, not {type(value).__name__}")
    if len(value) > limit:
        raise ValueError(f"{name} has {len(value):,} characters, more than the limit of {limit:,}")
    return str.__str__(value)
