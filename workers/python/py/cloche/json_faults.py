"""Finds the first part of a value that JSON cannot hold, and names its path."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from .limits import JSON_NESTING

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_SHOWN = 200

# A place in a value: its parent's place and the step from there; None is the value itself.
Place = "tuple[Place, str] | None"


def locate(value: object, root: str = "$", allow_nan: bool = True) -> Exception | None:
    """The exception that json.dumps would raise, with `(at $.path[0])` added; None where nothing is wrong.

    Walks without recursion and meets each container once on each path, so cycles and any depth are safe.
    """
    fault = _leaf_fault(value, allow_nan)
    if fault or not _is_container(value):
        return _at(fault, root, None)
    open_ids = {id(value)}
    stack = [(_steps(value), id(value), None)]
    while stack:
        steps, owner, place = stack[-1]
        for key, child in steps:
            if isinstance(key, Exception):
                return _at(key, root, place)
            here = (place, key)
            fault = _leaf_fault(child, allow_nan)
            if fault:
                return _at(fault, root, here)
            if _is_container(child):
                if id(child) in open_ids:
                    return _at(ValueError("Circular reference detected"), root, here)
                if len(stack) >= JSON_NESTING:
                    return _at(RecursionError(f"the value is nested more than {JSON_NESTING} levels deep"), root, here)
                open_ids.add(id(child))
                stack.append((_steps(child), id(child), here))
                break
        else:
            stack.pop()
            open_ids.discard(owner)
    return None


def _is_container(value: object) -> bool:
    return isinstance(value, (dict, list, tuple))


def _steps(value: object) -> Iterator[tuple[object, object]]:
    if isinstance(value, dict):
        for key, child in list(dict.items(value)):
            if key is not None and not isinstance(key, (str, int, float)):
                kind = type(key).__name__
                yield TypeError(f"keys must be str, int, float, bool or None, not {kind}"), None
            name = str.__str__(key) if isinstance(key, str) else str(key)
            yield (f".{name}" if _PLAIN_KEY.match(name) else f'["{name[:80]}"]'), child
    else:
        items = list.__iter__(value) if isinstance(value, list) else tuple.__iter__(value)
        for index, child in enumerate(items):
            yield f"[{index}]", child


def _leaf_fault(value: object, allow_nan: bool) -> Exception | None:
    if value is None or isinstance(value, (str, dict, list, tuple)):
        return None
    if isinstance(value, float):
        if not allow_nan and not math.isfinite(value):
            return ValueError(f"Out of range float values are not JSON compliant: {float.__repr__(value)}")
        return None
    if isinstance(value, int):
        try:
            int.__repr__(value)
        except ValueError as error:  # more digits than Python writes
            return ValueError(str(error))
        return None
    return TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _at(fault: Exception | None, root: str, place) -> Exception | None:
    if fault is None:
        return None
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(step)
    path = root + "".join(reversed(steps))
    if len(path) > _SHOWN:
        path = path[:_SHOWN] + "…"
    return type(fault)(f"{fault} (at {path})")
