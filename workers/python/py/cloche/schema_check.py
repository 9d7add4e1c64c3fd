"""Checks a value against a JSON Schema of draft 7 or 2020-12, without references to other documents."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any
from urllib.parse import unquote

_FAULTS = 50
_TYPES: dict[str, Any] = {
    "object": lambda one: isinstance(one, dict),
    "array": lambda one: isinstance(one, list),
    "string": lambda one: isinstance(one, str),
    "boolean": lambda one: isinstance(one, bool),
    "null": lambda one: one is None,
    "number": lambda one: _is_number(one),
    "integer": lambda one: _is_number(one) and (isinstance(one, int) or one.is_integer()),
}
_LIMITS: dict[str, tuple[str, Any]] = {
    "minimum": ("is less than", operator.lt),
    "maximum": ("is greater than", operator.gt),
    "exclusiveMinimum": ("is not greater than", operator.le),
    "exclusiveMaximum": ("is not less than", operator.ge),
}
_SIZES: dict[str, tuple[type, str, Callable[[int, Any], bool]]] = {
    "minLength": (str, "is shorter than", operator.lt),
    "maxLength": (str, "is longer than", operator.gt),
    "minItems": (list, "has fewer items than", operator.lt),
    "maxItems": (list, "has more items than", operator.gt),
    "minProperties": (dict, "has fewer properties than", operator.lt),
    "maxProperties": (dict, "has more properties than", operator.gt),
}
UNSUPPORTED = frozenset("$dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor unevaluatedItems unevaluatedProperties".split())

Fault = tuple[str, str]


def schema_faults(schema: object, value: object) -> list[Fault]:
    """Returns where and how `value` violates `schema`, as pairs of path and message; at most 50.

    An unsupported keyword is a fault too, so that no check is skipped silently. Raises RecursionError.
    """
    found: list[Fault] = []
    for fault in _check(schema, value, "$", schema, 0):
        found.append(fault)
        if len(found) == _FAULTS:
            break
    return found


def _check(schema: Any, value: Any, at: str, root: Any, refs: int) -> Iterator[Fault]:
    """Yields the faults of the value at the path `at`.

    `root`: the whole schema, for references. `refs`: the number of references followed for this value; too many mean a
    cycle.
    """
    if schema is True:
        return
    if not isinstance(schema, dict):
        yield at, "is not allowed here" if schema is False else "cannot be checked: the schema is not an object"
        return
    for keyword in schema:
        # @mutant a keyword that cannot be checked fails => never [python test_judge]
        if keyword in UNSUPPORTED:
            yield at, f"cannot be checked: the keyword {keyword} is not supported"
    if "$ref" in schema:
        yield from _check_reference(schema["$ref"], value, at, root, refs)
    named = schema.get("type")
    if named is not None:
        types = [named] if isinstance(named, str) else named
        if not any(_TYPES[one](value) for one in types if one in _TYPES):
            yield at, _type_words([str(one) for one in types], value)
            return
    if "const" in schema and not _are_equal(schema["const"], value):
        yield at, "is not the required constant"
    if "enum" in schema and not any(_are_equal(one, value) for one in schema["enum"]):
        yield at, "is not one of the allowed values"
    yield from _check_scalar(schema, value, at)
    if isinstance(value, list):
        yield from _check_items(schema, value, at, root, refs)
    if isinstance(value, dict):
        yield from _check_members(schema, value, at, root, refs)
    yield from _check_combinations(schema, value, at, root, refs)


def _check_reference(reference: Any, value: Any, at: str, root: Any, refs: int) -> Iterator[Fault]:
    if refs > 50:
        yield at, f"cannot be checked: {reference} refers to itself"
        return
    found = _resolve_reference(reference, root)
    if found is None:
        yield at, f"cannot be checked: the reference {reference} is not in the schema"
    else:
        yield from _check(found[0], value, at, root, refs + 1)


def _resolve_reference(reference: Any, root: Any) -> tuple[Any] | None:
    """The schema that a reference leads to, in a tuple because that may be None; None if `root` does not contain it."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    found: Any = root
    pointer = unquote(reference[1:])
    if pointer and not pointer.startswith("/"):
        anchored = next((one for one in _walk_schemas(root) if one.get("$anchor") == pointer), None)
        return None if anchored is None else (anchored,)
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        elif isinstance(found, dict) and name in found:
            found = found[name]
        else:
            return None
    return (found,)


def _walk_schemas(found: Any) -> Iterator[dict[str, Any]]:
    """Yields all objects in a schema."""
    inner: Iterable[Any] = ()
    if isinstance(found, dict):
        yield found
        inner = found.values()
    elif isinstance(found, list):
        inner = found
    for one in inner:
        yield from _walk_schemas(one)


def _check_scalar(schema: dict[str, Any], value: Any, at: str) -> Iterator[Fault]:
    if _is_number(value):
        for keyword, (message, is_broken) in _LIMITS.items():
            if _is_number(schema.get(keyword)) and is_broken(value, schema[keyword]):
                yield at, f"{message} {schema[keyword]}"
        unit = schema.get("multipleOf")
        if _is_number(unit) and unit > 0 and not _is_multiple(value, unit):
            yield at, f"is not a multiple of {unit}"
    for keyword, (kind, message, violates) in _SIZES.items():
        limit = schema.get(keyword)
        if isinstance(value, kind) and _is_number(limit) and violates(len(value), limit):
            yield at, f"{message} {limit}"
    if isinstance(value, str) and isinstance(schema.get("pattern"), str):
        yield from _check_pattern(schema["pattern"], value, at)


def _check_pattern(pattern: str, text: str, at: str) -> Iterator[Fault]:
    try:
        if not re.search(pattern, text):
            yield at, f"does not match the pattern {pattern}"
    except re.error as error:
        yield at, f"cannot be checked: {pattern} is not a valid Python regular expression: {error}"


def _check_items(schema: dict[str, Any], value: list[Any], at: str, root: Any, refs: int) -> Iterator[Fault]:
    # In draft 7, `items` may list the schemas of the first items; `additionalItems` is for the rest.
    items = schema.get("items", True)
    first, rest = schema.get("prefixItems", []), items
    if isinstance(items, list):
        first, rest = items, schema.get("additionalItems", True)
    for index, one in enumerate(value):
        yield from _check(first[index] if index < len(first) else rest, one, f"{at}[{index}]", root, 0)
    if schema.get("uniqueItems") is True:
        for index, one in enumerate(value):
            if any(_are_equal(one, other) for other in value[:index]):
                yield f"{at}[{index}]", "duplicates an earlier item"
    if "contains" in schema:
        count = sum(1 for one in value if not any(_check(schema["contains"], one, at, root, 0)))
        if count < schema.get("minContains", 1):
            yield at, "has too few items that match contains"
        if count > schema.get("maxContains", count):
            yield at, "has too many items that match contains"


def _check_members(schema: dict[str, Any], value: dict[str, Any], at: str, root: Any, refs: int) -> Iterator[Fault]:
    for name in schema.get("required", []):
        if name not in value:
            yield _path_to(at, name), "is required"
    properties = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    others = schema.get("additionalProperties", True)
    for name, one in value.items():
        here = _path_to(at, name)
        if "propertyNames" in schema:
            for _, message in _check(schema["propertyNames"], name, here, root, 0):
                yield here, f"has a name that {message}"
        known = name in properties
        if known:
            yield from _check(properties[name], one, here, root, 0)
        for pattern, inner in patterns.items():
            holds, unchecked = _split_unchecked(_check_pattern(pattern, name, here))
            yield from unchecked
            if holds:
                known = True
                yield from _check(inner, one, here, root, 0)
        if not known:
            if others is False:
                yield here, "is not a declared property"
            else:
                yield from _check(others, one, here, root, 0)
    for name, needed in {**schema.get("dependentRequired", {}), **schema.get("dependencies", {})}.items():
        if name in value and isinstance(needed, list):
            for other in needed:
                if other not in value:
                    yield _path_to(at, other), f"is required together with {name}"
    for name, inner in {**schema.get("dependentSchemas", {}), **schema.get("dependencies", {})}.items():
        if name in value and not isinstance(inner, list):
            yield from _check(inner, value, at, root, refs)


def _check_combinations(schema: dict[str, Any], value: Any, at: str, root: Any, refs: int) -> Iterator[Fault]:
    for one in schema.get("allOf", []):
        yield from _check(one, value, at, root, refs)
    for keyword in ("anyOf", "oneOf"):
        if keyword not in schema:
            continue
        tried = [list(_check(one, value, at, root, refs)) for one in schema[keyword]]
        matching = sum(1 for faults in tried if not faults)
        if matching == 0:
            # The errors of the closest branch are the most useful.
            yield from min(tried, key=len, default=[(at, f"matches no schema in {keyword}")])
        elif keyword == "oneOf" and matching > 1:
            yield at, f"matches {matching} schemas in oneOf, but must match exactly one"
    if "not" in schema:
        holds, unchecked = _split_unchecked(_check(schema["not"], value, at, root, refs))
        yield from unchecked
        if holds:
            yield at, "must not match the schema in not"
    if "if" in schema:
        holds, unchecked = _split_unchecked(_check(schema["if"], value, at, root, refs))
        yield from unchecked
        yield from _check(schema.get("then" if holds else "else", True), value, at, root, refs)


def _split_unchecked(found: Iterator[Fault]) -> tuple[bool, list[Fault]]:
    """Whether there are no faults, and those faults that only say that something cannot be checked."""
    faults = list(found)
    return not faults, [fault for fault in faults if fault[1].startswith("cannot be checked")]


def _is_number(one: object) -> bool:
    """Whether a value is a number of JSON, which a bool of Python is not."""
    return isinstance(one, (int, float)) and not isinstance(one, bool)


def _is_multiple(value: int | float, unit: int | float) -> bool:
    if isinstance(value, int) and isinstance(unit, int):
        return value % unit == 0
    try:
        return Decimal(repr(value)) % Decimal(repr(unit)) == 0
    except ArithmeticError:  # infinite, or too many digits
        return (value / unit).is_integer()


def _are_equal(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; true does not equal 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_are_equal, one, other))
    return one == other


def _type_words(types: list[str], value: object) -> str:
    """Describes a wrong type: `must be an integer or null, but is a string`. check-arguments.ts does the same."""
    *names, last = map(_with_article, types)
    expected = f"{', '.join(names)} or {last}" if names else last
    kinds = ("null", "boolean", "object", "array", "string")
    found = next((_with_article(name) for name in kinds if _TYPES[name](value)), "a number")
    if found == "a number" and "integer" in types:
        found = "a decimal number"
    return f"must be {expected}, but is {found}"


def _with_article(kind: str) -> str:
    return kind if kind == "null" else f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def _path_to(at: str, name: str) -> str:
    """The path of a member."""
    return f"{at}.{name}" if name.isidentifier() else f'{at}["{name}"]'
