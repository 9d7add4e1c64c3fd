"""Copies a value into the types of JSON, as json.dumps would read it, and gives the path of what JSON cannot hold."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from .limits import JSON_NESTING

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_PATH_CHARACTERS = 200
_KEY_CHARACTERS = 80
# The path to a part: its parent's place and the step from there; None is the value itself.
Place = tuple[Any, str] | None

_KINDS = (str, int, float, list, tuple, dict)


def plain_copy(value: object, root: str = "$", allow_nan: bool = True) -> object:
    """The value as dicts, lists, strings and numbers of the built-in types.

    Works without recursion and limits the depth, so that cycles and endless mappings are safe. Raises the errors of
    json.dumps, with `(at $.path[0])` added. Exceptions of a mapping's own methods are passed on.
    """
    top: list[object] = []
    open_ids: set[int] = set()
    # Each level: the remaining steps, the copy that they go into, the original (kept so that its id stays unique), place.
    first: Iterator[tuple[Any, str, object]] = iter(((None, "", value),))
    stack: list[tuple[Iterator[tuple[Any, str, object]], Any, object, Place]] = [(first, top, None, None)]
    while stack:
        steps, copy, original, place = stack[-1]
        for key, step, child in steps:
            here = (place, step)
            inner = _leaf_or_empty(child, here, root, allow_nan)
            if isinstance(copy, dict):
                copy[key] = inner
            else:
                copy.append(inner)
            if type(inner) not in (dict, list):
                continue
            if id(child) in open_ids:
                raise _with_path(ValueError("Circular reference detected"), here, root)
            if len(stack) > JSON_NESTING:
                message = f"the value is nested more than {JSON_NESTING} levels deep"
                raise _with_path(RecursionError(message), here, root)
            open_ids.add(id(child))
            stack.append((_walk(child, here, root), inner, child, here))
            break
        else:
            stack.pop()
            open_ids.discard(id(original))
    return top[0]


def _leaf_or_empty(value: Any, place: Place, root: str, allow_nan: bool) -> object:
    """A leaf as its built-in type, or the empty copy of a container."""
    if value is None or type(value) is bool:
        return value
    kind = next((one for one in _KINDS if issubclass(type(value), one)), None)
    if kind is str:
        return str.__str__(value)
    if kind is dict:
        return {}
    if kind is list or kind is tuple:
        return []
    if kind is float:
        number = float.__float__(value)
        if not allow_nan and not math.isfinite(number):
            raise _with_path(
                ValueError(f"Out of range float values are not JSON compliant: {number!r}"), place, root
            )
        return number
    if kind is int:
        try:
            int.__repr__(value)
        except ValueError as error:  # more digits than Python writes
            raise _with_path(error, place, root) from None
        return int.__int__(value)
    message = f"Object of type {type(value).__name__} is not JSON serializable"
    raise _with_path(TypeError(message), place, root, _find_advice(type(value)))


def _walk(value: Any, place: Place, root: str) -> Iterator[tuple[Any, str, object]]:
    """The items of a list or a dict, each with its key (None in a list) and its step in a path, such as `.name` or `[0]`."""
    if not issubclass(type(value), dict):
        for index, child in enumerate(list(value)):  # like iteration over a subclass, which json.dumps uses too
            yield None, f"[{index}]", child
        return
    if dict.__len__(value) == 0:  # json.dumps calls nothing on an empty one
        return
    for item in list(value.items()):  # a subclass's own items, as json.dumps uses them
        if type(item) is not tuple or len(item) != 2:
            raise _with_path(ValueError("items must return 2-tuples"), place, root)
        key, child = item
        if key is not None and not issubclass(type(key), (str, int, float)):
            kind = type(key).__name__
            message = f"keys must be str, int, float, bool or None, not {kind}"
            raise _with_path(TypeError(message), place, root, "return str keys, or a list of pairs")
        known = _leaf_or_empty(key, place, root, allow_nan=True)
        name = known if type(known) is str else str(known)
        yield (known, f".{name}" if _PLAIN_KEY.match(name) else f'["{name[:_KEY_CHARACTERS]}"]', child)


def _with_path(fault: Exception, place: Place, root: str, instead: str = "") -> Exception:
    """The exception with the path of the value, and with advice on what to return instead, if there is any."""
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(step)
    path = root + "".join(reversed(steps))
    if len(path) > _PATH_CHARACTERS:
        path = path[:_PATH_CHARACTERS] + "…"
    # Advice is only for values of a handler, which are below "$". A spec returns nothing.
    advice = f": {instead}" if instead and root == "$" else ""
    return type(fault)(f"{fault} (at {path}){advice}")


# Advice by the name of a type, because most of these types are imported only by tools that use them.
_INSTEAD = {
    **dict.fromkeys(("date", "datetime", "time"), "return its isoformat()"),
    **dict.fromkeys(("Decimal", "Fraction"), "return a float or a str"),
    **dict.fromkeys(("UUID", "PosixPath", "PurePosixPath", "WindowsPath", "complex"), "return a str"),
    **dict.fromkeys(("bytes", "bytearray", "memoryview"), "return base64 text, or the bytes alone"),
    **dict.fromkeys(("function", "method", "builtin_function_or_method"), "call it, and return its result"),
    "timedelta": "return its total_seconds()",
    "coroutine": "await it",
    "ndarray": "return its tolist()",
}


def _find_advice(kind: type) -> str:
    """The advice for a value of this type; empty if there is none."""
    known = _INSTEAD.get(kind.__name__)
    if known:
        return known
    # Attributes are looked up on the type, without calling any: a Mock, for example, has every attribute.
    parts = {name for base in kind.__mro__ for name in vars(base)}
    if "__dataclass_fields__" in parts:
        return "return dataclasses.asdict(…) of it"
    if "model_dump" in parts:
        return "return its model_dump()"
    if "__attrs_attrs__" in parts:
        return "return attrs.asdict(…) of it"
    if "_value2member_map_" in parts:
        return "return its value"
    if "keys" in parts and "__getitem__" in parts:
        return "return a dict"
    if "tolist" in parts:
        return "return its tolist()"
    return "return a list" if "__iter__" in parts or "__next__" in parts else ""
