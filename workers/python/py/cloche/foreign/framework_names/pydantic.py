"""A stand-in for pydantic if it is not installed: models with fields, defaults, validators and JSON Schema.

It also has the names of the libraries that come with pydantic, such as annotated_types and pydantic_settings.
"""

from __future__ import annotations

import copy
import dataclasses
import datetime
import json
import os
import re
import typing
import uuid
from collections.abc import Mapping
from typing import Any

from ..annotation_schemas import schema_of
from ..annotations import strip_metadata, union_members
from ..conversion import convert
from ..fields import is_required, make_field_default
from ..marks import text_of
from ..plain_values import make_plain
from .marking import Record
from .pydantic_fields import MISSING, AliasChoices, Field, FieldInfo, ModelFields, PrivateAttr, PrivateValue, list_keys, read_config
from .pydantic_validators import (
    field_validator,
    model_validator,
    root_validator,
    validate_field,
    validate_model,
    validate_values,
    validator,
)


_BOOLEANS = {**dict.fromkeys(("true", "t", "yes", "y", "on", "1"), True), **dict.fromkeys(("false", "f", "no", "n", "off", "0"), False)}


class ValidationError(ValueError):
    """The error for values that do not fit a model."""

    def errors(self) -> list[dict[str, Any]]:
        """The faults. The stand-in knows only their text."""
        return [{"loc": (), "msg": str(self), "type": "value_error"}]


class BaseModel:
    """A model, whose annotated attributes are its fields."""

    model_config: typing.ClassVar[Any] = {}
    model_fields = ModelFields()
    __fields__ = ModelFields()

    def __init__(self, **values: Any) -> None:
        kind = type(self)
        values = validate_values(kind, values)
        _set_fields(self, values)
        if _allows_extra(kind):
            self.__dict__.update({key: value for key, value in values.items() if key not in kind.model_fields})
        for base in reversed(kind.__mro__):
            for name, value in vars(base).items():
                if isinstance(value, PrivateValue):
                    self.__dict__[name] = value.make_default()
                elif type(value).__name__ == "ModelPrivateAttr":  # of the real pydantic, from which the file imports it
                    self.__dict__[name] = PrivateAttr(value.default, default_factory=value.default_factory).make_default()
        self.model_post_init(None)
        validate_model(self)

    def __init_subclass__(cls, **config: Any) -> None:
        """Takes settings as keywords: class Row(BaseModel, extra="allow")."""
        if config:
            cls.model_config = {**(cls.model_config if isinstance(cls.model_config, dict) else {}), **config}

    def model_post_init(self, context: Any) -> None:
        """Is called when all fields are set."""

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def __eq__(self, other: Any) -> bool:
        return type(self) is type(other) and self.model_dump() == other.model_dump()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self)})"

    def __iter__(self) -> Any:
        return iter([(name, self.__dict__[name]) for name in type(self).model_fields if name in self.__dict__])

    def model_dump(self, *, exclude_none: bool = False, exclude: Any = (), include: Any = None, mode: str = "python", **named: Any) -> dict[str, Any]:
        chosen = [(name, value) for name, value in self if name not in (exclude or ()) and (include is None or name in include)]
        if named.get("exclude_unset"):
            chosen = [(name, value) for name, value in chosen if name in self.__dict__["__fields_given__"]]
        by_alias = bool(named.get("by_alias"))
        if by_alias:
            chosen = [(_find_written_name(type(self), name), value) for name, value in chosen]
        dumped = {name: _dump(value, by_alias) for name, value in chosen}
        if mode == "json":
            dumped = make_plain(dumped)
        return {name: value for name, value in dumped.items() if value is not None or not exclude_none}

    def dict(self, **named: Any) -> Any:
        """The fields as a dict, like model_dump."""
        return self.model_dump(**named)

    def model_dump_json(self, *, indent: int | None = None, **named: Any) -> str:
        return json.dumps(self.model_dump(mode="json", **named), indent=indent, ensure_ascii=False)

    json = model_dump_json

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Any:
        """A copy with some fields changed."""
        made = copy.deepcopy(self) if deep else copy.copy(self)
        made.__dict__.update(update or {})
        return made

    copy = model_copy

    @property
    def model_fields_set(self) -> set[str]:
        return set(self.__dict__["__fields_given__"])

    @classmethod
    def model_validate(cls, value: Any, **named: Any) -> Any:
        """Makes a model from a dict, or returns a model unchanged."""
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict):
            raise ValidationError(f"{cls.__name__} needs a dict, not {type(value).__name__}")
        return cls(**value)

    parse_obj = model_validate

    @classmethod
    def model_validate_json(cls, text: Any, **named: Any) -> Any:
        return cls.model_validate(json.loads(text))

    parse_raw = model_validate_json

    @classmethod
    def model_construct(cls, **values: Any) -> Any:
        """Makes a model without checks."""
        return cls(**values)

    construct = model_construct

    @classmethod
    def model_json_schema(cls, **named: Any) -> Any:
        return {**schema_of(cls), "title": cls.__name__}

    schema = model_json_schema

    @classmethod
    def model_rebuild(cls, **named: Any) -> None:
        """Does nothing, because fields are found on first use."""

    update_forward_refs = model_rebuild


class RootModel(BaseModel):
    """A model that stands for one value, its field `root`."""

    __pydantic_root_model__ = True

    def __init__(self, root: Any = MISSING, **values: Any) -> None:
        super().__init__(**({} if root is MISSING else {"root": root}), **values)

    def __class_getitem__(cls, item: Any) -> Any:
        return type(cls.__name__, (cls,), {"__annotations__": {"root": item}, "__module__": cls.__module__})

    def model_dump(self, **named: Any) -> Any:
        """The value as plain data."""
        return _dump(self.__dict__["root"], bool(named.get("by_alias")))

    @classmethod
    def model_validate(cls, value: Any, **named: Any) -> Any:
        """Makes a model from its value, or returns a model unchanged."""
        return value if isinstance(value, cls) else cls(value)


def _set_fields(model: BaseModel, values: dict[str, Any]) -> None:
    """Sets the fields of a model to these values, or to their defaults. Raises ValidationError if a value is missing."""
    kind = type(model)
    missing = []
    given = set()
    for name, field in kind.model_fields.items():
        key = next((key for key in (*list_keys(field), name) if key in values), None)
        if key is not None:
            given.add(name)
            value = validate_field(kind, name, values[key], "before")
            value = _convert_scalar(convert(value, field.annotation), field.annotation)
            model.__dict__[name] = validate_field(kind, name, value, "after")
        elif is_required(field):
            missing.append(name)
        else:
            default = make_field_default(field)
            model.__dict__[name] = copy.deepcopy(default) if field.default_factory is None else default
    if missing:
        raise ValidationError(f"{len(missing)} validation errors for {kind.__name__}: {', '.join(missing)}: field required")
    model.__dict__["__fields_given__"] = given


def _allows_extra(kind: type) -> bool:
    """Whether a model keeps values that are not among its fields."""
    return read_config(kind, "extra") == "allow"


def _convert_scalar(value: Any, annotation: Any) -> Any:
    """Converts text to a number or a boolean, and an integer to a float, if the annotation asks for that."""
    kinds = [strip_metadata(member) for member in union_members(annotation) if member is not type(None)]
    kind = kinds[0] if len(kinds) == 1 else None
    if kind is float and type(value) is int:
        return float(value)
    if not isinstance(value, str) or kind not in (int, float, bool):
        return value
    try:
        return _BOOLEANS[value.lower()] if kind is bool else kind(value)
    except (ValueError, KeyError):
        raise ValidationError(f"{value!r} is not a valid {kind.__name__}") from None


def _find_written_name(kind: type[BaseModel], name: str) -> str:
    """The name under which a field is written if aliases are asked for."""
    field = kind.model_fields[name]
    return next((text for text in (getattr(field, "serialization_alias", None), field.alias) if isinstance(text, str)), name)


def _dump(value: Any, by_alias: bool = False) -> Any:
    """The value with models in it as dicts."""
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=by_alias)
    if isinstance(value, (list, tuple, set)) and not hasattr(value, "_fields"):
        return type(value)(_dump(item, by_alias) for item in value)
    return {key: _dump(item, by_alias) for key, item in value.items()} if isinstance(value, dict) else value


def computed_field(*given: Any, **named: Any) -> Any:
    """A property, which real pydantic shows with the fields."""

    def make_property(function: Any) -> Any:
        return function if isinstance(function, property) else property(function)

    return make_property(given[0]) if given else make_property


def create_model(name: str, /, __base__: Any = None, **fields: Any) -> type:
    """A model with these fields, each `(type, default)` or a default."""
    hints: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for key, field in fields.items():
        if not key.startswith("__"):
            hints[key], default = field[:2] if isinstance(field, tuple) else (type(field), field)
            if default is not Ellipsis:
                defaults[key] = default
    bases = __base__ if isinstance(__base__, tuple) else (__base__ or BaseModel,)
    return type(name, bases, {"__annotations__": hints, **defaults})


class BaseSettings(BaseModel):
    """A model whose missing fields come from environment variables."""

    def __init__(self, **values: Any) -> None:
        kind = type(self)
        prefix = text_of(read_config(kind, "env_prefix"))
        variables = {name.lower(): text for name, text in os.environ.items()}
        found: dict[str, Any] = {}
        for name, field in kind.model_fields.items():
            keys = [key.lower() for key in (*list_keys(field), f"{prefix}{name}")]
            text = next((variables[key] for key in keys if key in variables), None)
            if text is not None:
                found[name] = _read_list(text) if text[:1] in ("[", "{") else text
        super().__init__(**{**found, **values})


def _read_list(text: str) -> Any:
    """The list or dict that a variable contains as JSON; other text unchanged."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _split_words(name: str) -> list[str]:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-_]+", " ", name).split()


def to_pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in _split_words(name))


def to_camel(name: str) -> str:
    pascal = to_pascal(name)
    return pascal[:1].lower() + pascal[1:]


def to_snake(name: str) -> str:
    return "_".join(_split_words(name)).lower()


class TypeAdapter:
    """Converts values to a type."""

    def __init__(self, kind: Any, **named: Any) -> None:
        self._kind = kind

    def validate_python(self, value: Any, **named: Any) -> Any:
        return convert(value, self._kind)

    def validate_json(self, text: Any, **named: Any) -> Any:
        return convert(json.loads(text), self._kind)

    def dump_python(self, value: Any, **named: Any) -> Any:
        return make_plain(value)

    def json_schema(self, **named: Any) -> Any:
        return schema_of(self._kind)


class SecretStr:
    """A text that is not shown."""

    def __init__(self, value: str) -> None:
        self._value = text_of(value)

    def get_secret_value(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return "**********"


class _Constraint(Record):
    """A constraint in Annotated, such as Gt(0)."""


_CONSTRAINTS = {"Ge": "ge", "Gt": "gt", "Le": "le", "Lt": "lt", "MultipleOf": "multiple_of", "MinLen": "min_length", "MaxLen": "max_length"}
_SIGNS = {"Positive": {"gt": 0}, "NonNegative": {"ge": 0}, "Negative": {"lt": 0}, "NonPositive": {"le": 0}}
_TEXTS = (
    "AnyUrl", "AnyHttpUrl", "HttpUrl", "FileUrl", "EmailStr", "FilePath", "DirectoryPath", "NewPath", "Json", "PostgresDsn",
    "RedisDsn", "NameEmail", "AnyWebsocketUrl", "MongoDsn", "IPvAnyAddress", "IPvAnyNetwork", "IPvAnyInterface",
    "Base64Str", "ImportString",
)


def list_names(module: str) -> Mapping[str, Any]:
    """The names of pydantic and of the libraries that come with it."""
    if module.partition(".")[0] == "annotated_types":
        return _list_constraints()
    if module == "pydantic.dataclasses":
        return {"dataclass": lambda given=None, **named: dataclasses.dataclass(given) if given else dataclasses.dataclass}
    return {
        **_list_types(),
        "BaseModel": BaseModel, "Field": Field, "FieldInfo": FieldInfo, "PrivateAttr": PrivateAttr, "TypeAdapter": TypeAdapter,
        "ValidationError": ValidationError, "field_validator": field_validator, "validator": validator,
        "model_validator": model_validator, "root_validator": root_validator, "computed_field": computed_field,
        "field_serializer": lambda *given, **named: _return_unchanged, "model_serializer": _return_unchanged,
        "to_camel": to_camel, "to_pascal": to_pascal, "to_snake": to_snake, "AliasChoices": AliasChoices, "AliasGenerator": Record,
        "validate_call": _return_unchanged, "validate_arguments": _return_unchanged, "create_model": create_model,
        "BaseSettings": BaseSettings, "ConfigDict": dict, "SettingsConfigDict": dict,
        "Extra": Record(allow="allow", forbid="forbid", ignore="ignore"), "PydanticUndefined": MISSING, "RootModel": RootModel,
    }


def _list_constraints() -> dict[str, Any]:
    return {
        **{name: type(name, (_Constraint,), {"FIELDS": (field,)}) for name, field in _CONSTRAINTS.items()},
        "Interval": type("Interval", (_Constraint,), {}),
        "Len": type("Len", (_Constraint,), {"FIELDS": ("min_length", "max_length")}),
    }


def _list_types() -> dict[str, Any]:
    """The types that fields and parameters can have."""
    bounded = {
        f"{sign}{kind.__name__.capitalize()}": typing.Annotated[kind, FieldInfo(**bound)]
        for sign, bound in _SIGNS.items()
        for kind in (int, float)
    }
    return {
        **bounded,
        **{name: type(name, (str,), {}) for name in _TEXTS},
        **dict.fromkeys(("PastDate", "FutureDate"), datetime.date),
        **dict.fromkeys(("AwareDatetime", "NaiveDatetime", "PastDatetime", "FutureDatetime"), datetime.datetime),
        **dict.fromkeys(("UUID1", "UUID3", "UUID4", "UUID5"), uuid.UUID),
        "StrictStr": str, "StrictInt": int, "StrictFloat": float, "StrictBool": bool, "StrictBytes": bytes,
        "FiniteFloat": float, "ByteSize": int, "JsonValue": Any, "SecretStr": SecretStr,
        "conint": _make_bounded(int), "confloat": _make_bounded(float), "constr": _make_bounded(str),
        "conlist": lambda item, **named: list[item],
        "StringConstraints": type("StringConstraints", (_Constraint,), {}),
    }


def _make_bounded(base: Any) -> Any:
    """A function of version 1 such as conint(gt=0), which makes a type."""
    return lambda **named: typing.Annotated[base, FieldInfo(**named)]


def _return_unchanged(*given: Any, **named: Any) -> Any:
    """A decorator that returns its function, with or without options."""
    return given[0] if len(given) == 1 and not named and callable(given[0]) else lambda function: function
