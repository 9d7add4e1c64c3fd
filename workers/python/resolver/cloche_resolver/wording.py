"""Text for messages: quotes, lists, and which known name a wrong one resembles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_SHOWN = 80


def shown(text: str) -> str:
    """A text in quotes, shortened if it is long."""
    if not text.isprintable():
        text = ascii(text)[1:-1]
    return f'"{text}"' if len(text) <= _SHOWN else f'"{text[:_SHOWN]}…"'


def listed(words: Sequence[str], maximum: int = 3) -> str:
    """The first few words of a list."""
    return ", ".join(words[:maximum]) + (" …" if len(words) > maximum else "")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` most resembles; None if none is close."""
    from difflib import get_close_matches  # rarely needed, and slow to import

    near = get_close_matches(name[:100], sorted(known), n=1, cutoff=0.75)
    return near[0] if near else None
