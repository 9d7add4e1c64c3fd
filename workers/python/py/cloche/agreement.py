"""Recognises quickly that a schema and a handler's signature match, as nearly all do: a folder may have thousands of
tools."""

from __future__ import annotations

from inspect import Parameter
from types import FunctionType, GenericAlias, NoneType, UnionType
from typing import Any

from .annotation_types import PLAIN, Hints
from .specs import ToolSpec

# The schema types that each Python type accepts: an integer is a number, and a bool is an int.
_TAKEN_AS: dict[object, frozenset[str]] = {
    **PLAIN,
    int: frozenset({"integer", "boolean"}),
    float: frozenset({"number", "integer", "boolean"}),
}
_EMPTY = Parameter.empty


def agree(spec: ToolSpec, properties: dict[str, Any], function: FunctionType, hints: Hints) -> bool:
    """Whether the schema of `function`, a handler without attributes, certainly needs no warning.

    False if only a closer check can tell.
    """
    code = function.__code__
    by_place = code.co_argcount
    defaults = function.__defaults__ or ()
    by_name = function.__kwdefaults__ or {}
    if code.co_posonlyargcount or len(defaults) > by_place or type(by_name) is not dict:
        return False
    if [one for one in (*defaults, *by_name.values()) if one is _EMPTY]:
        return False
    names = code.co_varnames[: by_place + code.co_kwonlyargcount]
    needed = {*names[: by_place - len(defaults)], *names[by_place:]}.difference(by_name)
    known = set(names)
    if spec.takes_context:
        known.discard("context")
        needed.discard("context")
    required = spec.parameters.get("required")
    if known != properties.keys() or needed != set(required if type(required) is list else ()):
        return False
    for name, schema in properties.items():
        described = schema.get("description") if type(schema) is dict else None
        if type(described) is not str or not described.strip():
            return False
        if not takes_all_of(hints.of(name), schema):
            return False
    return True


def takes_all_of(annotation: Any, schema: object) -> bool:
    """Whether the annotation certainly accepts every value that the schema allows, including list items."""
    if type(schema) is not dict or "$ref" in schema:
        return annotation is Any
    said = schema.get("type")
    kind = type(annotation)
    if type(said) is not str:
        return annotation is Any
    if kind is type:
        return said in _TAKEN_AS.get(annotation, ())
    if kind is UnionType:
        return any([one is not NoneType and takes_all_of(one, schema) for one in annotation.__args__])
    if kind is GenericAlias and annotation.__origin__ is dict:
        return said == "object" and type(schema.get("additionalProperties")) is not dict
    if kind is GenericAlias and annotation.__origin__ is list:
        inner = annotation.__args__
        return said == "array" and ("items" not in schema or (len(inner) == 1 and takes_all_of(inner[0], schema["items"])))
    return annotation is Any
