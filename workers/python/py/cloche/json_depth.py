"""Tells, at C speed where it can, whether a value is nested too deep for json: in Pyodide that is not an exception but death."""

from __future__ import annotations

import marshal
import sys

from .limits import JSON_NESTING

_dumps = marshal.dumps
_CONTAINERS = (b"[", b"{", b"(", b")", b"\xdb", b"\xfb", b"\xa8", b"\xa9")

# marshal refuses to go deeper than this; a value wrapped in the difference is refused past our own limit.
_MARSHAL_NESTING = 1_500 if sys.platform == "emscripten" else 2_000


def is_too_deep(value: object, limit: int = JSON_NESTING) -> bool:
    """Whether lists, tuples and dicts are nested in `value` more than `limit` levels deep. Cycles end as they are met."""
    try:
        data = _dumps(value)
        # A level costs two bytes at least, so a short text cannot be deep; nor can one with few containers.
        if len(data) < 2 * limit or sum(map(data.count, _CONTAINERS)) <= limit:
            return False
        _dumps(_wrapped(value, _MARSHAL_NESTING - limit))
        return False
    except ValueError:  # too deep, or of a type that marshal does not know
        return depth(value, limit) > limit


def depth(value: object, enough: int) -> int:
    """How deep `value` is nested, counted no further than one past `enough`. Walks without recursion."""
    deepest = 0
    open_ids: set[int] = set()
    stack = [(iter((value,)), 0)]
    while stack:
        children, owner = stack[-1]
        for child in children:
            grand = _children(child)
            if grand is None or id(child) in open_ids:
                continue
            open_ids.add(id(child))
            stack.append((grand, id(child)))
            deepest = max(deepest, len(stack) - 1)
            if deepest > enough:
                return deepest
            break
        else:
            stack.pop()
            open_ids.discard(owner)
    return deepest


def _children(value: object):
    if isinstance(value, dict):
        return iter(list(dict.values(value)))
    if isinstance(value, list):
        return list.__iter__(value)
    return tuple.__iter__(value) if isinstance(value, tuple) else None


def _wrapped(value: object, levels: int) -> object:
    for _ in range(levels):
        value = [value]
    return value
