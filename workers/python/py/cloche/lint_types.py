"""Compares the types of a schema with those of an annotation."""

from __future__ import annotations

import typing
from typing import Any, Literal

from .agreement import takes_all_of
from .annotation_types import fields_of, in_words, is_dict, is_list, json_types, without_none
from .problems import Fault, warning
from .wording import shown

_AT = ("parameters", "properties")
_DEEPEST = 8
_OF_VALUE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null", list: "array", dict: "object"}
_TYPES = frozenset(_OF_VALUE.values())
_STEPS = tuple[Any, ...]


def type_faults(
    name: str, schema: object, root: dict[str, object], annotation: object, default_is_none: bool
) -> list[Fault]:
    """A warning if a parameter's schema allows values that its annotation does not accept; at most one."""
    if takes_all_of(annotation, schema):
        return []
    fault = _compare((*_AT, name), name, schema, root, annotation, default_is_none, 0)
    return [] if fault is None else [fault]


def _compare(
    at: _STEPS, named: str, schema: object, root: dict[str, object], annotation: object, none_too: bool, depth: int
) -> Fault | None:
    schema = _resolved(schema, root)
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return None
    said = _schema_types(schema, root, depth)
    taken = json_types(annotation)
    if said is not None and taken is not None:
        strange = sorted(one for one in said if not _takes(taken, one) and not (none_too and one == "null"))
        if strange:
            message = f"the schema allows {named} to be {_listed(strange)}, but it is annotated {in_words(annotation)}"
            hint = "Fix whichever is wrong: arguments are checked against the schema, not against the annotation."
            return warning("type-disagrees", at, message, f"a type that {in_words(annotation)} takes", hint)
    inner = without_none(annotation)
    if typing.get_origin(inner) is Literal:
        return _compare_values(at, named, schema, typing.get_args(inner), none_too)
    arguments = typing.get_args(inner)
    if is_list(inner) and len(arguments) == 1 and "items" in schema:
        return _compare((*at, "items"), f"an item of {named}", schema["items"], root, arguments[0], False, depth + 1)
    if is_dict(inner) and len(arguments) == 2:
        return _compare_members(at, named, schema, root, arguments[1], depth)
    fields = fields_of(inner)
    properties = schema.get("properties")
    for key, one in properties.items() if fields and isinstance(properties, dict) else ():
        if key in fields:
            where, what = (*at, "properties", key), f"{shown(key)} of {named}"
            fault = _compare(where, what, one, root, fields[key], False, depth + 1)
            if fault is not None:
                return fault
    return None


def _compare_members(
    at: _STEPS, named: str, schema: dict[str, Any], root: dict[str, object], annotation: object, depth: int
) -> Fault | None:
    more = schema.get("additionalProperties")
    if isinstance(more, dict):
        where, what = (*at, "additionalProperties"), f"a value of {named}"
        return _compare(where, what, more, root, annotation, False, depth + 1)
    return None


def _compare_values(
    at: _STEPS, named: str, schema: dict[str, Any], values: tuple[object, ...], none_too: bool
) -> Fault | None:
    allowed = schema.get("enum")
    if not isinstance(allowed, list):
        return None
    taken = [(type(value), value) for value in values]
    strange = [
        one for one in allowed if (type(one), one) not in taken and one is not None and not isinstance(one, (list, dict))
    ]
    if not strange:
        return None
    message = f"the schema allows {named} to be {', '.join(shown(str(one)) for one in strange[:3])}, which its annotation does not list"
    hint = "Fix whichever is wrong: the enum of the schema, or the Literal of the signature."
    return warning("type-disagrees", (*at, "enum"), message, "the values of the annotation", hint)


def _takes(taken: frozenset[str], one: str) -> bool:
    if one in taken:
        return True
    if one == "integer":
        return "number" in taken
    return one == "boolean" and not taken.isdisjoint(("integer", "number"))  # a bool is an int


def _schema_types(schema: dict[str, Any], root: dict[str, object], depth: int) -> frozenset[str] | None:
    """The types that a schema allows; None if it does not say."""
    named = schema.get("type")
    if isinstance(named, (str, list)):
        types = {named} if isinstance(named, str) else {one for one in named if isinstance(one, str)}
        # A name such as "float", which is not a type, has its own problem.
        return frozenset(types) if types <= _TYPES else None
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list):
        types = [_OF_VALUE.get(type(value)) for value in values]
        return frozenset(one for one in types if one) if all(types) else None
    branches = schema.get("anyOf") or schema.get("oneOf")
    if not isinstance(branches, list) or depth > _DEEPEST:
        return None
    each = []
    for branch in branches:
        resolved = _resolved(branch, root)
        types_of = _schema_types(resolved, root, depth + 1) if isinstance(resolved, dict) else None
        if types_of is None:
            return None
        each.append(types_of)
    return frozenset().union(*each)


def _resolved(schema: object, root: dict[str, object]) -> object:
    """The target of a reference inside the schema; None if it points elsewhere."""
    for _ in range(10):
        if not isinstance(schema, dict) or "$ref" not in schema:
            return schema
        reference = schema["$ref"]
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return None
        target: object = root
        for step in reference[2:].split("/"):
            target = target.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
        schema = target
    return None


def _listed(types: list[str]) -> str:
    words = {"integer": "an integer", "array": "an array", "object": "an object", "null": "null"}
    return " or ".join(words.get(one, f"a {one}") for one in types)
