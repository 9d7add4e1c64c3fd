"""The JSON types that an annotation accepts. Annotations that cannot be understood give no answer."""

from __future__ import annotations

import collections.abc
import types
import typing
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, Literal, Union

Types = frozenset[str]

PLAIN: dict[object, Types] = {
    str: frozenset({"string"}),
    int: frozenset({"integer"}),
    float: frozenset({"number"}),
    bool: frozenset({"boolean"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
    None: frozenset({"null"}),
    type(None): frozenset({"null"}),
}
_LISTS = (
    list,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Collection,
    collections.abc.Iterable,
)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_NAMED = {"str": str, "int": int, "float": float, "bool": bool, "list": list, "dict": dict, "None": type(None)}


class Hints:
    """The annotations of one function, evaluated on demand. Errors during evaluation are ignored."""

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
            self._evaluated = _evaluated(self._function)
        return self._evaluated.get(name, Any)


def json_types(annotation: object) -> Types | None:
    """The JSON types that the annotation accepts; None if it accepts non-JSON values or cannot be understood."""
    try:
        return PLAIN[annotation]
    except (KeyError, TypeError):  # not hashable
        pass
    annotation = without_extras(annotation)
    origin = typing.get_origin(annotation)
    if origin is Union or origin is getattr(types, "UnionType", None):
        each = [json_types(one) for one in typing.get_args(annotation)]
        known = [one for one in each if one is not None]
        return frozenset().union(*known) if len(known) == len(each) else None
    if origin is Literal:
        each = [PLAIN.get(type(value)) for value in typing.get_args(annotation)]
        known = [one for one in each if one is not None]
        return frozenset().union(*known) if len(known) == len(each) else None
    if is_list(annotation):
        return PLAIN[list]
    if is_dict(annotation) or typing.is_typeddict(annotation):
        return PLAIN[dict]
    return PLAIN.get(annotation) if isinstance(annotation, type) else None


def without_extras(annotation: object) -> object:
    """The type behind Annotated, NewType and type aliases."""
    for _ in range(20):
        if typing.get_origin(annotation) is typing.Annotated:
            annotation = typing.get_args(annotation)[0]
        elif isinstance(annotation, typing.NewType):
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__  # type: ignore[attr-defined]
        elif typing.get_origin(annotation) in (getattr(typing, "Required", 0), getattr(typing, "NotRequired", 0)):
            annotation = typing.get_args(annotation)[0]
        else:
            return annotation
    return Any


def without_none(annotation: object) -> object:
    """`X` for `X | None`; any other annotation unchanged, but without extras."""
    annotation = without_extras(annotation)
    if typing.get_origin(annotation) in (Union, getattr(types, "UnionType", None)):
        others = [one for one in typing.get_args(annotation) if one is not type(None)]
        return without_extras(others[0]) if len(others) == 1 else Any
    return annotation


def is_list(annotation: object) -> bool:
    """Whether the annotation accepts a list."""
    return annotation in _LISTS or typing.get_origin(annotation) in _LISTS


def is_dict(annotation: object) -> bool:
    """Whether the annotation accepts a dict."""
    return annotation in _DICTS or typing.get_origin(annotation) in _DICTS


def in_words(annotation: object) -> str:
    """The annotation as its author would write it."""
    if isinstance(annotation, type) and typing.get_origin(annotation) is None:
        return annotation.__name__
    return str(annotation).replace("typing.", "")[:200]


def fields_of(annotation: object) -> Mapping[str, object]:
    """The keys of a TypedDict with their annotations; empty for other annotations."""
    return _evaluated(annotation) if typing.is_typeddict(annotation) else {}


def _evaluated(annotated: object) -> Mapping[str, object]:
    try:
        return typing.get_type_hints(typing.cast(Callable[..., object], annotated), include_extras=True)
    except BaseException:  # a name imported only for the type checker, or code in an annotation that fails
        return {}
