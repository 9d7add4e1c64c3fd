"""Turns annotations into JSON Schema. All inferred specs use this module."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import inspect
import pathlib
import re
import sys
import types
import typing
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from .fields import Constraints, constraints_of, is_field_info, is_required, model_fields, plain_default
from .inert import InertType

Schema = dict[str, Any]

_NOTHING = inspect.Parameter.empty
# Limits of a schema. Beyond them, the rest of an annotation accepts any value.
_NODES = 2_000
_DEPTH = 12
_UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))
_WRAPPERS = tuple(
    getattr(typing, name) for name in ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "Unpack") if hasattr(typing, name)
)
_LISTS = (
    list,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Collection,
    collections.abc.Iterable,
    collections.abc.Iterator,
    collections.deque,
)
_SETS = (set, frozenset, collections.abc.Set, collections.abc.MutableSet)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping, collections.OrderedDict, collections.defaultdict)
_SCALARS: dict[object, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    None: {"type": "null"},
    type(None): {"type": "null"},
    bytes: {"type": "string"},
    bytearray: {"type": "string"},
    complex: {"type": "string"},
    decimal.Decimal: {"type": ["number", "string"]},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    datetime.timedelta: {"type": "string", "format": "duration"},
    uuid.UUID: {"type": "string", "format": "uuid"},
    re.Pattern: {"type": "string", "format": "regex"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    set: {"type": "array", "uniqueItems": True},
    frozenset: {"type": "array", "uniqueItems": True},
    dict: {"type": "object"},
}
_TYPE_OF_VALUE = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def hints_of(annotated: Any, names: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Returns the annotations of a function or class, evaluated one by one if they cannot be evaluated together.

    `names`: further names that annotations may use. An annotation that cannot be evaluated becomes Any.
    """
    try:
        return typing.get_type_hints(annotated, localns=dict(names) if names else None, include_extras=True)
    except BaseException:  # annotations are code of the file, which can raise anything
        pass
    raw: dict[str, Any] = {}
    for one in reversed(getattr(annotated, "__mro__", (annotated,))):
        raw.update(_raw_annotations(one))
    module = sys.modules.get(getattr(annotated, "__module__", None) or "")
    known = {**vars(typing), **(vars(module) if module else {}), **getattr(annotated, "__globals__", {}), **(names or {})}
    return {name: _evaluated(one, known) for name, one in raw.items()}


def schema_of(annotation: Any) -> Schema:
    """The JSON Schema of an annotation; {} if the annotation says nothing about JSON. Never raises."""
    try:
        return _Writer().of(annotation, ())
    except BaseException:  # metaclasses are code of the file
        return {}


def described(annotation: Any) -> tuple[str, Constraints]:
    """The description and the constraints that `Annotated` adds to an annotation, also inside Optional."""
    found = Constraints()
    text = ""
    for extra in _extras(annotation):
        if isinstance(extra, str):
            text = text or extra
        elif isinstance(getattr(extra, "documentation", None), str):
            text = text or extra.documentation
        else:
            found = found.joined(constraints_of(extra))
    return text or found.description, found


def without_extras(annotation: Any) -> Any:
    """The type behind Annotated, NewType, aliases and qualifiers such as Required."""
    if type(annotation) is type:  # nothing is behind a usual class, and `get_origin` takes long to say so
        return annotation
    for _ in range(20):
        origin = typing.get_origin(annotation)
        if origin is typing.Annotated or origin in _WRAPPERS:
            annotation = typing.get_args(annotation)[0]
        elif isinstance(annotation, typing.NewType):
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__
        else:
            return annotation
    return Any


def union_members(annotation: Any) -> tuple[Any, ...]:
    """The members of a union; for any other annotation, only the annotation itself."""
    inner = without_extras(annotation)
    if type(inner) is type:
        return (inner,)
    return typing.get_args(inner) if typing.get_origin(inner) in _UNIONS else (inner,)


def _of_pydantic(name: str) -> Schema:
    """The schema of one of pydantic's own types, by its name."""
    if name.endswith(("Url", "Dsn")):
        return {"type": "string", "format": "uri"}
    if name.endswith("atetime"):
        return {"type": "string", "format": "date-time"}
    if name.endswith("Date"):
        return {"type": "string", "format": "date"}
    return {"type": "string"} if name in ("EmailStr", "NameEmail") or name.startswith("IPvAny") else {}


class _Writer:
    """Writes one schema, with a limited number of parts, so that a huge or recursive annotation costs little."""

    def __init__(self) -> None:
        self._left = _NODES

    def of(self, annotation: Any, inside: tuple[type, ...]) -> Schema:
        self._left -= 1
        if self._left < 0 or len(inside) > _DEPTH:
            return {}
        text, constraints = described(annotation)
        schema = dict(self._plain(without_extras(annotation), inside))
        constraints.write_into(schema)
        if text:
            schema["description"] = text
        return schema

    def _plain(self, annotation: Any, inside: tuple[type, ...]) -> Schema:
        """The schema of an annotation, without its metadata. `inside`: the classes whose schemas are being made."""
        try:
            known = _SCALARS.get(annotation)
        except TypeError:  # not hashable
            return {}
        if known is not None:
            return known
        if annotation is Any or annotation is _NOTHING or isinstance(annotation, (str, typing.TypeVar)):
            return {}
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in _UNIONS:
            return joined([self.of(one, inside) for one in arguments])
        if origin is typing.Literal:
            return enum_schema(list(arguments))
        if origin is not None:
            return self._generic(origin, arguments, inside)
        if isinstance(annotation, type):
            return self._class(annotation, inside)
        if annotation in _LISTS or annotation in _SETS:
            return {"type": "array"}
        return {"type": "object"} if annotation in _MAPPINGS else {}

    def _generic(self, origin: Any, arguments: tuple[Any, ...], inside: tuple[type, ...]) -> Schema:
        """The schema of a type with arguments, such as list[int]."""
        if origin is tuple:
            if len(arguments) == 2 and arguments[1] is Ellipsis:
                return self._array(arguments[0], inside)
            items = [self.of(one, inside) for one in arguments if one != ()]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        if origin in _SETS:
            return {**self._array(arguments[0] if arguments else Any, inside), "uniqueItems": True}
        if origin in _LISTS:
            return self._array(arguments[0] if arguments else Any, inside)
        if origin in _MAPPINGS:
            values = self.of(arguments[1], inside) if len(arguments) == 2 else {}
            return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
        if origin is type or origin is collections.abc.Callable:
            return {}
        return self._class(origin, inside) if isinstance(origin, type) else {}

    def _array(self, item: Any, inside: tuple[type, ...]) -> Schema:
        items = self.of(item, inside)
        return {"type": "array", "items": items} if items else {"type": "array"}

    def _class(self, kind: type, inside: tuple[type, ...]) -> Schema:
        """The schema of the values of a class; any object for a class that contains itself."""
        if isinstance(kind, InertType):  # has every attribute
            return {}
        if kind in inside:
            return {"type": "object"}
        if issubclass(kind, enum.Enum):
            return enum_schema([member.value for member in kind])
        fields = model_fields(kind)
        if fields is not None:
            return self._object(fields, (*inside, kind), kind)
        if typing.is_typeddict(kind):
            needed = getattr(kind, "__required_keys__", frozenset())
            return self.members(hints_of(kind), lambda name: name in needed, (*inside, kind))
        if dataclasses.is_dataclass(kind):
            return self._dataclass(kind, (*inside, kind))
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            defaults = getattr(kind, "_field_defaults", {})
            hints = {name: hints_of(kind).get(name, Any) for name in kind._fields}  # type: ignore[attr-defined]
            return self.members(hints, lambda name: name not in defaults, (*inside, kind))
        for base in (bool, str, int, float, datetime.datetime, datetime.date, decimal.Decimal, dict, list, set):
            if issubclass(kind, base):
                return _SCALARS[base]
        if hasattr(kind, "get_secret_value"):
            return {"type": "string"}
        if kind.__module__.startswith("pydantic"):
            return _of_pydantic(kind.__name__)
        if issubclass(kind, pathlib.PurePath):
            return {"type": "string", "format": "path"}
        if issubclass(kind, _MAPPINGS):
            return {"type": "object"}
        return {}

    def members(self, hints: Mapping[str, Any], needed: Callable[[str], bool], inside: tuple[type, ...]) -> Schema:
        properties = {name: self.of(one, inside) for name, one in hints.items()}
        required = [name for name, one in hints.items() if needed(name) and not _is_optional_key(one)]
        return object_schema(properties, required)

    def _dataclass(self, kind: type, inside: tuple[type, ...]) -> Schema:
        """The schema of the fields that the constructor of a dataclass takes."""
        hints = hints_of(kind)
        properties, required = {}, []
        for field in dataclasses.fields(kind):
            if not field.init:
                continue
            schema = self.of(hints.get(field.name, Any), inside)
            default: Any = field.default
            if is_field_info(default):
                constraints_of(default).write_into(schema, described_too=True)
            if default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                required.append(field.name)
            else:
                write_default(schema, default)
            properties[field.name] = schema
        return object_schema(properties, required)

    def _object(self, fields: Mapping[str, Any], inside: tuple[type, ...], kind: type) -> Schema:
        properties, required = {}, []
        for name, field in fields.items():
            schema = self.of(field.annotation, inside)
            constraints_of(field).write_into(schema, described_too=True)
            listed = field.alias if isinstance(getattr(field, "alias", None), str) else name
            if is_required(field):
                required.append(listed)
            else:
                write_default(schema, plain_default(field))
            properties[listed] = schema
        return object_schema(properties, required)


def object_schema(properties: Schema, required: list[str]) -> Schema:
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema


def enum_schema(values: list[Any]) -> Schema:
    """The schema of a choice between these values, without values that JSON cannot hold."""
    plain = [one.value if isinstance(one, enum.Enum) else one for one in values]
    listed = [one for one in plain if type(one) in _TYPE_OF_VALUE]
    if not listed:
        return {}
    kinds = list(dict.fromkeys(_TYPE_OF_VALUE[type(one)] for one in listed))
    return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": listed}


def joined(schemas: list[Schema]) -> Schema:
    """The schema of a union: one list of types if that is enough, otherwise anyOf."""
    distinct = [one for index, one in enumerate(schemas) if one not in schemas[:index]]
    if {} in distinct:
        return {}
    if len(distinct) == 1:
        return distinct[0]
    if all(set(one) <= {"type"} for one in distinct):
        kinds = list(dict.fromkeys(kind for one in distinct for kind in _types(one)))
        return {"type": kinds}
    others = [one for one in distinct if one != {"type": "null"}]
    if len(others) == 1 and len(distinct) == 2 and "type" in others[0]:
        return nullable(others[0])
    return {"anyOf": distinct}


def nullable(schema: Schema) -> Schema:
    """The schema that also allows null."""
    kinds = _types(schema)
    if not kinds or "null" in kinds:
        return schema
    widened = {**schema, "type": [*kinds, "null"]}
    if "enum" in schema and None not in schema["enum"]:
        widened["enum"] = [*schema["enum"], None]
    return widened


def write_default(schema: Schema, value: Any) -> None:
    """Adds a default if JSON can hold it and the schema's types allow it."""
    if isinstance(value, enum.Enum):
        value = value.value
    if value is None or not _is_json(value, 4):
        return
    if type(value) in _TYPE_OF_VALUE and "type" in schema:
        kind = _TYPE_OF_VALUE[type(value)]
        if kind not in _types(schema) and not (kind == "integer" and "number" in _types(schema)):
            return
    schema["default"] = list(value) if isinstance(value, tuple) else value


def _types(schema: Schema) -> list[str]:
    kind = schema.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)


def _is_json(value: Any, depth: int) -> bool:
    if type(value) in _TYPE_OF_VALUE:
        is_finite = type(value) is not float or value - value == 0
        return is_finite
    if depth == 0:
        return False
    if type(value) in (list, tuple):
        return len(value) <= 100 and all(_is_json(one, depth - 1) for one in value)
    return type(value) is dict and len(value) <= 100 and all(type(key) is str and _is_json(one, depth - 1) for key, one in value.items())


def _is_optional_key(annotation: Any) -> bool:
    return typing.get_origin(annotation) is getattr(typing, "NotRequired", object())


def _extras(annotation: Any) -> list[Any]:
    """What Annotated[…] adds to a type, also inside wrappers such as Optional."""
    found: list[Any] = []
    if type(annotation) is type:
        return found
    for _ in range(20):
        origin = typing.get_origin(annotation)
        if origin is typing.Annotated:
            found.extend(typing.get_args(annotation)[1:])
            annotation = typing.get_args(annotation)[0]
        elif origin in _WRAPPERS:
            annotation = typing.get_args(annotation)[0]
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__
        else:
            others = [one for one in union_members(annotation) if one is not type(None)] if origin in _UNIONS else []
            if len(others) != 1 or typing.get_origin(others[0]) is not typing.Annotated:
                return found
            annotation = others[0]
    return found


def _raw_annotations(annotated: Any) -> dict[str, Any]:
    try:
        if sys.version_info >= (3, 14):
            from annotationlib import Format, get_annotations

            return dict(get_annotations(annotated, format=Format.FORWARDREF))
        return dict(vars(annotated).get("__annotations__", {}) if isinstance(annotated, type) else annotated.__annotations__)
    except BaseException:
        return {}


def _evaluated(annotation: Any, names: dict[str, Any]) -> Any:
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(names))
    except BaseException:
        return Any
