"""Converts a call's JSON values to the annotated types of a function: models, dataclasses, enums, dates, sets.

Handlers use it before they call a function; stand-ins of models use it for their fields.
"""

from __future__ import annotations

import base64
import binascii
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import pathlib
import re
import typing
import uuid
from collections.abc import Mapping
from typing import Any

from .annotations import hints_of, is_typed_dict, strip_metadata, union_members
from .fields import find_key, is_root_model, model_fields
from .inert import Inert

_PLAIN = frozenset((str, int, float, bool, list, dict, type(None), Any, object))
LISTS = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection, collections.abc.MutableSequence)
SETS = (set, frozenset, collections.abc.Set, collections.abc.MutableSet)
MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
DATES = (datetime.datetime, datetime.date, datetime.time)
_DURATION = re.compile(r"(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$")
_DEPTH = 20


def is_plain(annotation: Any) -> bool:
    """Whether JSON values already have the annotated type, so that nothing has to be converted."""
    inner = strip_metadata(annotation)
    if isinstance(inner, (str, typing.TypeVar)):
        return True
    try:
        if inner in _PLAIN:
            return True
    except TypeError:
        return True
    origin, arguments = typing.get_origin(inner), typing.get_args(inner)
    if origin is typing.Literal:
        return not any(isinstance(choice, enum.Enum) for choice in arguments)
    members = union_members(inner)
    if len(members) > 1:
        return all(map(is_plain, members))
    return (origin in LISTS or origin in MAPPINGS) and all(map(is_plain, arguments))


def convert(value: Any, annotation: Any, depth: int = 0) -> Any:
    """Returns the value, converted to its annotation; unchanged if the annotation says nothing about it.

    Raises ValueError for a text that its class does not accept, and the errors of models.
    """
    inner = strip_metadata(annotation)
    members = union_members(inner)
    if depth > _DEPTH:
        return value
    if len(members) > 1:
        return _convert_union(value, members, depth)
    if value is None or is_plain(inner):
        return value
    origin, arguments = typing.get_origin(inner), typing.get_args(inner)
    if origin is typing.Literal:
        return next((choice for choice in arguments if getattr(choice, "value", choice) == value), value)
    if origin is not None:
        return _convert_generic(value, origin, arguments, depth)
    return _convert_class(value, inner, depth) if isinstance(inner, type) else value


def _convert_union(value: Any, members: tuple[Any, ...], depth: int) -> Any:
    if value is None and type(None) in members:
        return None
    fitting = [member for member in members if _fits(value, member)]
    for member in fitting:
        try:
            return convert(value, member, depth + 1)
        except (ValueError, TypeError):
            continue
    return convert(value, fitting[0], depth + 1) if fitting else value


def _fits(value: Any, annotation: Any) -> bool:
    """Whether a JSON value may be meant for this member of a union."""
    inner = strip_metadata(annotation)
    kind = typing.get_origin(inner) or inner
    if kind is typing.Literal:
        return value in [getattr(choice, "value", choice) for choice in typing.get_args(inner)]
    if not isinstance(kind, type):
        return True
    if issubclass(kind, bool):
        return isinstance(value, bool)
    if issubclass(kind, (int, float)) and not issubclass(kind, enum.Enum):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind in LISTS or kind in SETS or kind is tuple:
        return isinstance(value, list)
    if kind in MAPPINGS or is_typed_dict(kind):
        return isinstance(value, dict)
    fields = model_fields(kind)
    if fields is None and dataclasses.is_dataclass(kind):
        fields = {field.name: field for field in dataclasses.fields(kind)}
    if is_root_model(kind):
        return _fits(value, fields["root"].annotation)
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return isinstance(value, dict)
    if fields is not None:
        return isinstance(value, dict) and _fits_fields(value, kind, fields)
    return not isinstance(value, (dict, list))


def _fits_fields(value: dict[str, Any], kind: type, fields: Mapping[str, Any]) -> bool:
    """Whether an object may be meant for a class with these fields: it has one of them, and fields that allow only certain
    values, such as the discriminator of a union, have such a value."""
    if not value:
        return True
    names = {find_key(name, field): name for name, field in fields.items()}
    hints = hints_of(kind)
    given = [(names.get(key, key), member) for key, member in value.items()]
    return any(name in fields for name, _ in given) and all(
        _fits(member, hints[name]) for name, member in given if typing.get_origin(strip_metadata(hints.get(name))) is typing.Literal
    )


def _convert_generic(value: Any, origin: Any, arguments: tuple[Any, ...], depth: int) -> Any:
    """Converts to a type with arguments, such as list[int]."""
    if isinstance(value, list):
        if origin is tuple:
            kinds = arguments[:1] * len(value) if arguments[1:] == (Ellipsis,) else arguments
            converted = tuple(convert(item, kind, depth + 1) for item, kind in zip(value, kinds))
            return converted + tuple(value[len(kinds) :])
        kind = arguments[0] if arguments else Any
        items = [convert(item, kind, depth + 1) for item in value]
        if origin in SETS:
            return frozenset(items) if origin is frozenset else set(items)
        return collections.deque(items) if origin is collections.deque else items
    if isinstance(value, dict) and origin in MAPPINGS and len(arguments) == 2:
        return {_convert_key(key, arguments[0]): convert(item, arguments[1], depth + 1) for key, item in value.items()}
    return _convert_class(value, origin, depth) if isinstance(origin, type) else value


def _convert_key(key: str, annotation: Any) -> Any:
    return int(key) if annotation is int and re.fullmatch(r"-?\d{1,18}", key) else convert(key, annotation)


def _convert_class(value: Any, kind: type, depth: int) -> Any:
    """Converts to a class; a value that the class does not take stays as it is."""
    if is_root_model(kind):
        return kind.model_validate(value)  # type: ignore[attr-defined]
    if isinstance(value, dict):
        return _convert_object(value, kind, depth)
    if isinstance(value, list):
        if issubclass(kind, (set, frozenset, tuple)) and not hasattr(kind, "_fields"):
            return kind(value)
        return value
    if issubclass(kind, enum.Enum):
        return _find_member(value, kind)
    if issubclass(kind, decimal.Decimal) and isinstance(value, (int, float, str)) and not isinstance(value, bool):
        return _parse(lambda: kind(str(value)), value, "a decimal number")
    if issubclass(kind, datetime.timedelta):
        return _parse_duration(value)
    if not isinstance(value, str) or kind.__base__ is Inert:  # a name of a framework says nothing about the value
        return value
    if issubclass(kind, DATES):
        text = f"{value[:-1]}+00:00" if value.endswith(("Z", "z")) else value
        return _parse(lambda: kind.fromisoformat(text), value, f"a {kind.__name__} in ISO format")  # type: ignore[attr-defined]
    if hasattr(kind, "get_secret_value"):
        return kind(value)
    if issubclass(kind, uuid.UUID):
        return _parse(lambda: kind(value), value, "a UUID")
    if issubclass(kind, pathlib.PurePath):
        return kind(value)
    if issubclass(kind, (bytes, bytearray)):
        return kind(value.encode())
    return kind(value) if issubclass(kind, str) and kind is not str else value


def _convert_object(value: dict[str, Any], kind: type, depth: int) -> Any:
    """Converts a dict to a model, a dataclass, a typed dict or a named tuple."""
    if model_fields(kind) is not None:
        validate = getattr(kind, "model_validate", None) or getattr(kind, "parse_obj", None)
        return validate(value) if callable(validate) else value
    if dataclasses.is_dataclass(kind):
        hints = hints_of(kind)
        return kind(**{name: convert(member, hints.get(name, Any), depth + 1) for name, member in value.items()})
    if is_typed_dict(kind):
        hints = hints_of(kind)
        return {name: convert(member, hints.get(name, Any), depth + 1) for name, member in value.items()}
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = hints_of(kind)
        return kind(**{name: convert(member, hints.get(name, Any), depth + 1) for name, member in value.items()})
    return value


def _find_member(value: Any, kind: type[enum.Enum]) -> Any:
    try:
        return kind(value)
    except ValueError:
        if isinstance(value, str) and value in kind.__members__:
            return kind[value]
        raise


def _parse_duration(value: Any) -> Any:
    if isinstance(value, (int, float)):
        return datetime.timedelta(seconds=value)
    found = _DURATION.match(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError(f"{value!r} is not a duration: write seconds, or ISO 8601 such as PT1H30M")
    days, hours, minutes = (int(found[index] or 0) for index in (2, 3, 4))
    length = datetime.timedelta(days=days, hours=hours, minutes=minutes, seconds=float(found[5] or 0))
    return -length if found[1] else length


def _parse(make: Any, value: Any, wanted: str) -> Any:
    """What `make` returns. Raises an error that names the value, and the kind of text that is `wanted`."""
    try:
        return make()
    except (ValueError, ArithmeticError):
        raise ValueError(f"{value!r} is not {wanted}") from None


def decode_base64(value: Any) -> bytes:
    """Decodes base64 text; returns bytes unchanged. Raises ValueError for other text."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    try:
        return base64.b64decode(str(value), validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("the data is not base64") from None
