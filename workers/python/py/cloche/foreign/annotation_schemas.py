"""Turns annotations into JSON Schema. All inferred specs use this module.

An annotation goes in, a schema comes out; one that says nothing about JSON becomes {}, which accepts any value.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import inspect
import math
import pathlib
import re
import typing
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from .annotations import UNIONS, hints_of, is_typed_dict, read_metadata, strip_metadata
from .fields import constraints_of, find_key, is_field_info, is_required, is_root_model, model_fields, read_field_default
from .inert import InertType

Schema = dict[str, Any]

_NOTHING = inspect.Parameter.empty
# Limits of a schema. Beyond them, the rest of an annotation accepts any value.
_NODES = 2_000
_DEPTH = 12
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


def schema_of(annotation: Any) -> Schema:
    """The JSON Schema of an annotation; {} if the annotation says nothing about JSON. Never raises."""
    try:
        return _SchemaWriter().write(annotation, ())
    except BaseException:  # metaclasses are code of the file
        return {}


def object_schema(properties: Schema, required: list[str]) -> Schema:
    """The schema of an object with these properties."""
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema


def write_default(schema: Schema, value: Any) -> None:
    """Adds a default if JSON can hold it and the schema's types allow it."""
    if isinstance(value, enum.Enum):
        value = value.value
    if value is None or not _is_json(value, 4):
        return
    if type(value) in _TYPE_OF_VALUE and "type" in schema:
        kind = _TYPE_OF_VALUE[type(value)]
        if kind not in _list_types(schema) and not (kind == "integer" and "number" in _list_types(schema)):
            return
    schema["default"] = list(value) if isinstance(value, tuple) else value


class _SchemaWriter:
    """Writes one schema, with a limited number of parts, so that a huge or recursive annotation costs little."""

    def __init__(self) -> None:
        self._left = _NODES

    def write(self, annotation: Any, inside: tuple[type, ...]) -> Schema:
        self._left -= 1
        if self._left < 0 or len(inside) > _DEPTH:
            return {}
        text, constraints = read_metadata(annotation)
        schema = dict(self._write_plain(strip_metadata(annotation), inside))
        constraints.write_into(schema)
        if text:
            schema["description"] = text
        return schema

    def _write_plain(self, annotation: Any, inside: tuple[type, ...]) -> Schema:
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
        if origin in UNIONS:
            return _join_schemas([self.write(member, inside) for member in arguments])
        if origin is typing.Literal:
            return _schema_of_choices(list(arguments))
        if origin is not None:
            return self._write_generic(origin, arguments, inside)
        if isinstance(annotation, type):
            return self._write_class(annotation, inside)
        if annotation in _LISTS or annotation in _SETS:
            return {"type": "array"}
        return {"type": "object"} if annotation in _MAPPINGS else {}

    def _write_generic(self, origin: Any, arguments: tuple[Any, ...], inside: tuple[type, ...]) -> Schema:
        """The schema of a type with arguments, such as list[int]."""
        if origin is tuple:
            if len(arguments) == 2 and arguments[1] is Ellipsis:
                return self._write_array(arguments[0], inside)
            items = [self.write(item, inside) for item in arguments if item != ()]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        if origin in _SETS:
            return {**self._write_array(arguments[0] if arguments else Any, inside), "uniqueItems": True}
        if origin in _LISTS:
            return self._write_array(arguments[0] if arguments else Any, inside)
        if origin in _MAPPINGS:
            values = self.write(arguments[1], inside) if len(arguments) == 2 else {}
            return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
        if origin is type or origin is collections.abc.Callable:
            return {}
        return self._write_class(origin, inside) if isinstance(origin, type) else {}

    def _write_array(self, item: Any, inside: tuple[type, ...]) -> Schema:
        items = self.write(item, inside)
        return {"type": "array", "items": items} if items else {"type": "array"}

    def _write_class(self, kind: type, inside: tuple[type, ...]) -> Schema:
        """The schema of the values of a class; any object for a class that contains itself."""
        if isinstance(kind, InertType):  # has every attribute
            return {}
        if kind in inside:
            return {"type": "object"}
        if issubclass(kind, enum.Enum):
            return _schema_of_choices([member.value for member in kind])
        fields = model_fields(kind)
        if fields is not None and is_root_model(kind):
            return self.write(fields["root"].annotation, (*inside, kind))
        if fields is not None:
            return self._write_model(fields, (*inside, kind))
        if is_typed_dict(kind):
            needed = getattr(kind, "__required_keys__", frozenset())
            return self._write_members(hints_of(kind), lambda name: name in needed, (*inside, kind))
        if dataclasses.is_dataclass(kind):
            return self._write_dataclass(kind, (*inside, kind))
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            defaults = getattr(kind, "_field_defaults", {})
            hints = {name: hints_of(kind).get(name, Any) for name in kind._fields}  # type: ignore[attr-defined]
            return self._write_members(hints, lambda name: name not in defaults, (*inside, kind))
        for base in (bool, str, int, float, datetime.datetime, datetime.date, decimal.Decimal, dict, list, set):
            if issubclass(kind, base):
                return _SCALARS[base]
        if hasattr(kind, "get_secret_value"):
            return {"type": "string"}
        if kind.__module__.startswith("pydantic"):
            return _schema_of_pydantic(kind.__name__)
        if issubclass(kind, pathlib.PurePath):
            return {"type": "string", "format": "path"}
        if issubclass(kind, _MAPPINGS):
            return {"type": "object"}
        return {}

    def _write_members(self, hints: Mapping[str, Any], needed: Callable[[str], bool], inside: tuple[type, ...]) -> Schema:
        """The schema of an object with these members. `needed`: whether a member must be given."""
        properties = {name: self.write(annotation, inside) for name, annotation in hints.items()}
        required = [name for name, annotation in hints.items() if needed(name) and not _is_optional_key(annotation)]
        return object_schema(properties, required)

    def _write_dataclass(self, kind: type, inside: tuple[type, ...]) -> Schema:
        """The schema of the fields that the constructor of a dataclass takes."""
        hints = hints_of(kind)
        properties, required = {}, []
        for field in dataclasses.fields(kind):
            if not field.init:
                continue
            schema = self.write(hints.get(field.name, Any), inside)
            default: Any = field.default
            if is_field_info(default):
                constraints_of(default).write_into(schema, described_too=True)
            if default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                required.append(field.name)
            else:
                write_default(schema, default)
            properties[field.name] = schema
        return object_schema(properties, required)

    def _write_model(self, fields: Mapping[str, Any], inside: tuple[type, ...]) -> Schema:
        """The schema of the fields of a model, by their aliases."""
        properties, required = {}, []
        for name, field in fields.items():
            schema = self.write(field.annotation, inside)
            constraints_of(field).write_into(schema, described_too=True)
            listed = find_key(name, field)
            if is_required(field):
                required.append(listed)
            else:
                write_default(schema, read_field_default(field))
            properties[listed] = schema
        return object_schema(properties, required)


def _schema_of_choices(values: list[Any]) -> Schema:
    """The schema of a choice between these values, without values that JSON cannot hold."""
    plain = [value.value if isinstance(value, enum.Enum) else value for value in values]
    listed = [value for value in plain if type(value) in _TYPE_OF_VALUE]
    if not listed:
        return {}
    kinds = list(dict.fromkeys(_TYPE_OF_VALUE[type(value)] for value in listed))
    return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": listed}


def _join_schemas(schemas: list[Schema]) -> Schema:
    """The schema of a union: one list of types if that is enough, otherwise anyOf."""
    distinct = [schema for index, schema in enumerate(schemas) if schema not in schemas[:index]]
    if {} in distinct:
        return {}
    if len(distinct) == 1:
        return distinct[0]
    if all(set(schema) <= {"type"} for schema in distinct):
        kinds = list(dict.fromkeys(kind for schema in distinct for kind in _list_types(schema)))
        return {"type": kinds}
    others = [schema for schema in distinct if schema != {"type": "null"}]
    if len(others) == 1 and len(distinct) == 2 and "type" in others[0]:
        return _add_null(others[0])
    return {"anyOf": distinct}


def _add_null(schema: Schema) -> Schema:
    """The schema that also allows null."""
    kinds = _list_types(schema)
    if not kinds or "null" in kinds:
        return schema
    widened = {**schema, "type": [*kinds, "null"]}
    if "enum" in schema and None not in schema["enum"]:
        widened["enum"] = [*schema["enum"], None]
    return widened


def _list_types(schema: Schema) -> list[str]:
    kind = schema.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)


def _is_json(value: Any, depth: int) -> bool:
    if type(value) in _TYPE_OF_VALUE:
        return type(value) is not float or math.isfinite(value)
    if depth == 0:
        return False
    if type(value) in (list, tuple):
        return len(value) <= 100 and all(_is_json(item, depth - 1) for item in value)
    return type(value) is dict and len(value) <= 100 and all(type(key) is str and _is_json(item, depth - 1) for key, item in value.items())


def _is_optional_key(annotation: Any) -> bool:
    return typing.get_origin(annotation) is getattr(typing, "NotRequired", object())


def _schema_of_pydantic(name: str) -> Schema:
    """The schema of one of pydantic's own types, by its name."""
    if name.endswith(("Url", "Dsn")):
        return {"type": "string", "format": "uri"}
    if name.endswith("atetime"):
        return {"type": "string", "format": "date-time"}
    if name.endswith("Date"):
        return {"type": "string", "format": "date"}
    return {"type": "string"} if name in ("EmailStr", "NameEmail") or name.startswith("IPvAny") else {}
