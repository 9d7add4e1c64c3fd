"""Recognises quickly that a schema and a handler's signature match, as nearly all do: a folder may have thousands of
tools."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter
from types import FunctionType, GenericAlias, NoneType, UnionType
from typing import Any

from .specs import ToolSpec

# The schema types that the most common annotations accept: an integer is a number, and a bool is an int.
# `foreign.annotations` knows all annotations, and takes longer.
_TAKEN_AS: dict[object, frozenset[str]] = {
    str: frozenset({"string"}),
    int: frozenset({"integer", "boolean"}),
    float: frozenset({"number", "integer", "boolean"}),
    bool: frozenset({"boolean"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
    NoneType: frozenset({"null"}),
}
_NAMED = {"str": str, "int": int, "float": float, "bool": bool, "list": list, "dict": dict, "None": NoneType}
_EMPTY = Parameter.empty


class Hints:
    """The annotations of one function, evaluated on demand. Annotations that cannot be evaluated are Any."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._evaluated: Mapping[str, object] | None = None
        try:
            self._raw: Mapping[str, object] = function.__annotations__
        except BaseException:  # since Python 3.14, annotations are code that runs here
            self._raw = {}

    def of(self, name: str) -> object:
        """The annotation of a parameter; Any if it has none or if it cannot be evaluated."""
        raw = self._raw.get(name, Any)
        if not isinstance(raw, str):
            return raw
        if raw in _NAMED and raw not in self._function.__globals__:
            return _NAMED[raw]
        if self._evaluated is None:
            from .foreign.annotations import hints_of

            self._evaluated = hints_of(self._function)
        return self._evaluated.get(name, Any)


def agree(spec: ToolSpec, properties: dict[str, Any], function: FunctionType, hints: Hints) -> bool:
    """Whether the schema certainly needs no warning; False if only a closer check can tell.

    `function`: the handler. It has no attributes, such as those that functools.wraps sets: its own code names its parameters.
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
    """Whether the annotation certainly accepts the types that the schema names; False if only a closer check can tell.

    Items of lists are compared if the schema describes them. Single `properties` of objects are not compared.
    """
    if type(schema) is not dict or "$ref" in schema:
        return annotation is Any
    declared = schema.get("type")
    kind = type(annotation)
    if type(declared) is not str:
        return annotation is Any
    if kind is type:
        return declared in _TAKEN_AS.get(annotation, ())
    if kind is UnionType:
        return any([one is not NoneType and takes_all_of(one, schema) for one in annotation.__args__])
    if kind is GenericAlias and annotation.__origin__ is dict:
        return declared == "object" and type(schema.get("additionalProperties")) is not dict
    if kind is GenericAlias and annotation.__origin__ is list:
        inner = annotation.__args__
        return declared == "array" and ("items" not in schema or (len(inner) == 1 and takes_all_of(inner[0], schema["items"])))
    return annotation is Any
