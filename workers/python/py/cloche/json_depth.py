"""Checks quickly whether a value may be passed to json: in Pyodide, a value that is too deep crashes Python."""

from __future__ import annotations

import marshal
import sys
from typing import Any

from .limits import JSON_NESTING

_dumps = marshal.dumps
# The bytes with which marshal begins lists, dicts and tuples. The highest bit is set for a value that it may refer to again.
_CONTAINERS = (b"[", b"{", b"(", b")", b"\xdb", b"\xfb", b"\xa8", b"\xa9")

# marshal's own limit on depth; the value is wrapped in the difference, so that it is rejected at our limit.
_MARSHAL_NESTING = 1_500 if sys.platform == "emscripten" else 2_000


def is_plain_and_shallow(value: Any) -> bool:
    """Whether `value` consists of built-in types and is nested no deeper than the limit; False if that is not
    certain.

    marshal rejects subclasses, so no code but Python's own runs while such a value is written.
    """
    try:
        data = _dumps(value)
        # A level takes at least two bytes, so a short text cannot be deep, and neither can one with few containers.
        if len(data) >= 2 * JSON_NESTING and sum(map(data.count, _CONTAINERS)) > JSON_NESTING:
            _dumps(_wrapped(value, _MARSHAL_NESTING - JSON_NESTING))
        return True
    except ValueError:  # too deep, or of a type that marshal does not support
        return False


def is_deeper(value: object, levels: int) -> bool:
    """Whether dicts and lists are nested more than this many levels deep in `value`, which came from JSON text."""
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
