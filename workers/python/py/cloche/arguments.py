"""Parses a call's arguments from the caller's own text."""

from __future__ import annotations

from itertools import accumulate
from json import JSONDecoder

from .limits import JSON_NESTING

_SAFE_BRACKETS = 4 * JSON_NESTING
_decode = JSONDecoder().decode
_STEPS = {**dict.fromkeys(b"[{", 1), **dict.fromkeys(b"]}", -1)}
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _STEPS)


def parse_arguments(text: str, integers: frozenset[str] = frozenset()) -> dict[str, object]:
    """The arguments in `text`, the JSON text of an object.

    A float with an integral value becomes int for the parameters named in `integers`; nothing else is converted.
    Raises ValueError if the text is not JSON, TypeError if it is not an object, and RecursionError if it is nested
    too deep.
    """
    # @mutant arguments that are nested too deep => removed [python test_arguments]
    _check_depth(text)
    arguments = _decode(text)
    if type(arguments) is not dict:
        raise TypeError(f"the arguments must be a JSON object, not {_json_name(arguments)}")
    for name in integers:
        value = arguments.get(name)
        if type(value) is float and value.is_integer():
            arguments[name] = int(value)
    return arguments


def integer_parameters(schema: dict[str, object]) -> frozenset[str]:
    """The names of the top-level parameters whose schema allows integers but no other numbers."""
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return frozenset()
    return frozenset(name for name, one in properties.items() if _is_integer_only(_types(one)))


def _is_integer_only(types: set[str] | None) -> bool:
    return types is not None and "integer" in types and "number" not in types


def _types(schema: object) -> set[str] | None:
    """The types that a simple schema names; None if it names none."""
    if not isinstance(schema, dict):
        return None
    named = schema.get("type")
    if isinstance(named, str):
        return {named}
    if isinstance(named, list):
        return {one for one in named if isinstance(one, str)}
    branches = schema.get("anyOf") or schema.get("oneOf")
    if not isinstance(branches, list):
        return None
    each = [types for branch in branches if (types := _types(branch)) is not None]
    return set().union(*each) if len(each) == len(branches) else None


def _check_depth(text: str) -> None:
    # Deep JSON crashes Pyodide. Most texts have too few brackets for that; the depth is counted only for the others.
    if text.count("[") + text.count("{") <= _SAFE_BRACKETS:
        return
    plain = text.replace("\\\\", "").replace('\\"', "")  # each remaining quote starts or ends a string
    outside = "".join(plain.split('"')[::2]).encode(errors="replace")
    brackets = outside.translate(None, _NO_BRACKETS)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > JSON_NESTING:
        raise RecursionError(f"the arguments are nested more than {JSON_NESTING} levels deep")


def _json_name(value: object) -> str:
    if value is None:
        return "null"
    return {list: "an array", str: "a string", bool: "a boolean"}.get(type(value), "a number")
