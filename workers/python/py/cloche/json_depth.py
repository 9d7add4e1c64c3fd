"""Tells at C speed whether json may be let near a value: in Pyodide, too deep a value is not an exception but death."""

from __future__ import annotations

import marshal
import sys
from typing import Any

from .limits import JSON_NESTING

_dumps = marshal.dumps
_CONTAINERS = (b"[", b"{", b"(", b")", b"\xdb", b"\xfb", b"\xa8", b"\xa9")

# marshal refuses to go deeper than this; a value wrapped in the difference is refused past our own limit.
_MARSHAL_NESTING = 1_500 if sys.platform == "emscripten" else 2_000


def is_plain_and_shallow(value: Any) -> bool:
    """Whether `value` is made of built-in types alone, nested no deeper than the limit; False where it is not certain.

    marshal knows no subclasses, so that no code but Python's own runs when such a value is written.
    """
    try:
        data = _dumps(value)
        # A level costs two bytes at least, so a short text cannot be deep; nor can one with few containers.
        if len(data) >= 2 * JSON_NESTING and sum(map(data.count, _CONTAINERS)) > JSON_NESTING:
            _dumps(_wrapped(value, _MARSHAL_NESTING - JSON_NESTING))
        return True
    except ValueError:  # too deep, or of a type that marshal does not know
        return False


def is_deeper(value: object, levels: int) -> bool:
    """Whether dicts and lists are nested in `value`, which came from JSON text, more than so many levels deep."""
    layer = [value]
    for _ in range(levels):
        layer = [child for one in layer if (children := _children(one)) for child in children]
        if not layer:
            return False
    return any(isinstance(one, (dict, list)) for one in layer)


def _children(value: object) -> list[object] | None:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else None


def _wrapped(value: Any, levels: int) -> Any:
    for _ in range(levels):
        value = [value]
    return value
