"""Compares the schema of a parameter with the schema that its annotation implies."""

from __future__ import annotations

import enum
import typing
from typing import Any

from .agreement import takes_all_of
from .problems import Fault, warning
from .wording import shown

_AT = ("parameters", "properties")
_DEEPEST = 8
_OF_VALUE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null", list: "array", dict: "object"}
_TYPES = frozenset(_OF_VALUE.values())
_IN_PYTHON = {named: "None" if kind is type(None) else kind.__name__ for kind, named in _OF_VALUE.items()}
_Schema = dict[str, Any]
_Steps = tuple[Any, ...]


def type_faults(
    name: str, schema: object, root: dict[str, object], annotation: object, default_is_none: bool
) -> list[Fault]:
    """A warning if a parameter's schema allows values that its annotation does not accept; at most one."""
    if takes_all_of(annotation, schema):
        return []
    fault = closer_look(name, schema, root, annotation, default_is_none)
    return [] if fault is None else [fault]


def closer_look(
    name: str, schema: object, root: dict[str, object], annotation: Any, default_is_none: bool
) -> Fault | None:
    """Makes the comparison of `type_faults` without the quick check that most parameters pass."""
    from .foreign.annotation_schemas import schema_of
    from .foreign.annotations import union_members

    # A handler may find the members of an enum by their names or by their values.
    if any(isinstance(one, type) and issubclass(one, enum.Enum) for one in union_members(annotation)):
        return None
    implied = schema_of(annotation)
    return _compare((*_AT, name), name, schema, root, implied, _in_words(annotation), none_too=default_is_none)


def _compare(
    at: _Steps, named: str, schema: object, root: dict[str, object], implied: _Schema, words: str, depth: int = 0, *, none_too: bool = False
) -> Fault | None:
    """The first difference between a declared schema and the one that an annotation implies, inside items and members, too.

    `at`, `named`: the place of the schema, as keys and in words. `implied`: the schema that the annotation implies. `words`: the
    annotation as its author would write it. `none_too`: whether None counts as accepted, as the default is.
    """
    schema = _resolved(schema, root)
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return None
    declared = _schema_types(schema, root, depth)
    taken = _schema_types(implied, {}, depth)
    if declared is not None and taken is not None:
        strange = sorted(one for one in declared if not _takes(taken, one) and not (none_too and one == "null"))
        if strange:
            message = f"the schema allows {named} to be {_listed(strange)}, but it is annotated {words}"
            hint = "Fix whichever is wrong: arguments are checked against the schema, not against the annotation."
            return warning("type-disagrees", at, message, f"a type that {words} takes", hint)
    if isinstance(implied.get("enum"), list):
        return _compare_values(at, named, schema, implied["enum"])
    items = _only_branch(implied, "items")
    if items and "items" in schema:
        return _compare((*at, "items"), f"an item of {named}", schema["items"], root, items, _type_words(items), depth + 1)
    values, more = _only_branch(implied, "additionalProperties"), schema.get("additionalProperties")
    if values and isinstance(more, dict):
        where = (*at, "additionalProperties")
        return _compare(where, f"a value of {named}", more, root, values, _type_words(values), depth + 1)
    fields, properties = _only_branch(implied, "properties"), schema.get("properties")
    if not fields or not isinstance(properties, dict):
        return None
    for key, one in properties.items():
        if isinstance(fields.get(key), dict):
            where, what = (*at, "properties", key), f"{shown(key)} of {named}"
            fault = _compare(where, what, one, root, fields[key], _type_words(fields[key]), depth + 1)
            if fault is not None:
                return fault
    return None


def _only_branch(implied: _Schema, keyword: str) -> _Schema:
    """The keyword's schema, if only one alternative has it; otherwise {}."""
    found = [one[keyword] for one in (implied, *implied.get("anyOf", ())) if isinstance(one.get(keyword), dict)]
    return found[0] if len(found) == 1 else {}


def _compare_values(at: _Steps, named: str, schema: _Schema, values: list[object]) -> Fault | None:
    """A warning if the schema allows values that the annotation does not list; None otherwise."""
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


def _in_words(annotation: object) -> str:
    """An annotation as the author writes it."""
    if isinstance(annotation, type) and typing.get_origin(annotation) is None:
        return annotation.__name__
    return str(annotation).replace("typing.", "")[:200]


def _type_words(implied: _Schema) -> str:
    """The types of Python for the types of a schema."""
    types = _schema_types(implied, {}, 0) or frozenset()
    return " | ".join(_IN_PYTHON[one] for one in sorted(types, key=lambda one: one == "null")) or "Any"


def _takes(taken: frozenset[str], one: str) -> bool:
    """Whether a parameter with these types takes another type."""
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
    """Types of JSON Schema in words."""
    words = {"integer": "an integer", "array": "an array", "object": "an object", "null": "null"}
    return " or ".join(words.get(one, f"a {one}") for one in types)
