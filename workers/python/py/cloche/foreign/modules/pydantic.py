"""A stand-in for pydantic if it is not installed: models with fields, defaults, validators and JSON Schema."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import json
import os
import typing
import uuid
from collections.abc import Mapping
from typing import Any

from ..annotations import hints_of, schema_of
from ..conversion import convert
from ..fields import is_field_info, is_required, made_default
from ..marks import text_of
from ..plain_values import plain
from .common import Record

_MISSING = type("PydanticUndefinedType", (), {"__repr__": lambda self: "PydanticUndefined"})()
_OPTIONS = (
    "description", "alias", "title", "examples", "json_schema_extra", "ge", "gt", "le", "lt", "multiple_of", "pattern",
    "min_length", "max_length", "regex", "min_items", "max_items", "validation_alias", "exclude", "discriminator",
)


class FieldInfo:
    """A field of a model, or the default of a parameter that describes it."""

    __slots__ = ("default", "default_factory", "annotation", "metadata", *_OPTIONS)

    def __init__(self, default: Any = _MISSING, default_factory: Any = None, annotation: Any = Any, **options: Any) -> None:
        self.default = default
        self.default_factory = default_factory
        self.annotation = annotation
        self.metadata: list[Any] = []
        extra = options.pop("json_schema_extra", None)
        others = {key: value for key, value in options.items() if key in ("example", "enum", "format")}
        for key in _OPTIONS:
            setattr(self, key, options.get(key))
        self.json_schema_extra = {**(extra if isinstance(extra, dict) else {}), **others} or None
        if self.alias is None and isinstance(self.validation_alias, str):
            self.alias = self.validation_alias

    def is_required(self) -> bool:
        return (self.default is _MISSING or self.default is Ellipsis) and self.default_factory is None

    def get_default(self, **named: Any) -> Any:
        return made_default(self)


def Field(default: Any = _MISSING, *, default_factory: Any = None, **options: Any) -> Any:  # noqa: N802
    return FieldInfo(default, default_factory, **options)


class ValidationError(ValueError):
    """The error for values that do not fit a model."""

    def errors(self) -> list[dict[str, Any]]:
        """The faults. The stand-in knows only their text."""
        return [{"loc": (), "msg": str(self), "type": "value_error"}]


class _Fields:
    """The fields of a model. They are found on first use, because their annotations may name later classes."""

    def __get__(self, instance: Any, kind: type) -> dict[str, FieldInfo]:
        known = vars(kind).get("__cloche_fields__")
        if known is None:
            known = _find_fields(kind)
            kind.__cloche_fields__ = known  # type: ignore[attr-defined]
        return known


def _find_fields(kind: type) -> dict[str, FieldInfo]:
    found: dict[str, FieldInfo] = {}
    values: dict[str, Any] = {}
    for one in reversed(kind.__mro__):
        values.update(vars(one))
    for name, annotation in hints_of(kind).items():
        if name.startswith("_") or name == "model_config" or typing.get_origin(annotation) is typing.ClassVar:
            continue
        given = values.get(name, _MISSING)
        extras = [one for one in getattr(annotation, "__metadata__", ()) if is_field_info(one)]
        field = copy.copy(given) if is_field_info(given) else FieldInfo(given)
        if not is_field_info(given) and extras and given is _MISSING:
            field = copy.copy(extras[0])
        field.annotation = annotation
        found[name] = field
    return found


class _PrivateValue(Record):
    """The default of a private attribute."""

    def made(self) -> Any:
        if self.make:
            return self.make()
        return None if self.value is _MISSING else copy.deepcopy(self.value)


def PrivateAttr(default: Any = _MISSING, *, default_factory: Any = None, **named: Any) -> Any:  # noqa: N802
    return _PrivateValue(value=default, make=default_factory)


class BaseModel:
    """A model, whose annotated attributes are its fields."""

    model_config: typing.ClassVar[Any] = {}
    model_fields = _Fields()
    __fields__ = _Fields()

    def __init__(self, **values: Any) -> None:
        kind = type(self)
        values = _checked_before(kind, values)
        missing = []
        given = set()
        for name, field in kind.model_fields.items():
            key = next((one for one in (field.alias, name) if isinstance(one, str) and one in values), None)
            if key is not None:
                given.add(name)
                value = _checked(kind, name, values[key], "before")
                value = convert(value, field.annotation)
                self.__dict__[name] = _checked(kind, name, value, "after")
            elif is_required(field):
                missing.append(name)
            else:
                default = made_default(field)
                self.__dict__[name] = copy.deepcopy(default) if field.default_factory is None else default
        if missing:
            raise ValidationError(f"{len(missing)} validation errors for {kind.__name__}: {', '.join(missing)}: field required")
        if _allows_extra(kind):
            self.__dict__.update({key: value for key, value in values.items() if key not in kind.model_fields})
        self.__dict__["__fields_given__"] = given
        for one in reversed(kind.__mro__):
            for name, value in vars(one).items():
                if isinstance(value, _PrivateValue):
                    self.__dict__[name] = value.made()
        self.model_post_init(None)
        for function in _validators(kind, "model", "after"):
            function.__get__(self, kind)()

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
        dumped = {name: plain(value) if mode == "json" else _dumped(value) for name, value in chosen}
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
        """Makes a model of a dict, or returns a model unchanged."""
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


def _dumped(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, (list, tuple, set)):
        return type(value)(map(_dumped, value))
    return {key: _dumped(one) for key, one in value.items()} if isinstance(value, dict) else value


def _allows_extra(kind: type) -> bool:
    config = getattr(kind, "model_config", None)
    old = getattr(kind, "Config", None)
    said = config.get("extra") if isinstance(config, dict) else getattr(old, "extra", None)
    return said == "allow"


class _Validator:
    """A function that checks or changes a value of a model, as the class body defines it."""

    def __init__(self, function: Any, of: str, mode: str, names: tuple[str, ...]) -> None:
        self.function = function.__func__ if isinstance(function, (classmethod, staticmethod)) else function
        self.of, self.mode, self.names = of, mode, names

    def __get__(self, instance: Any, kind: type) -> Any:
        return self.function.__get__(kind if self.of == "field" or instance is None else instance)


def _validators(kind: type, of: str, mode: str) -> list[Any]:
    found = {name: value for one in reversed(kind.__mro__) for name, value in vars(one).items() if isinstance(value, _Validator)}
    return [one for one in found.values() if one.of == of and one.mode == mode]


def _checked(kind: type, name: str, value: Any, mode: str) -> Any:
    for one in _validators(kind, "field", mode):
        if name in one.names or "*" in one.names:
            called = one.function.__get__(kind)
            more = one.function.__code__.co_argcount > 2
            value = called(value, Record(data={}, field_name=name)) if more else called(value)
    return value


def _checked_before(kind: type, values: dict[str, Any]) -> dict[str, Any]:
    for one in _validators(kind, "model", "before"):
        changed = one.function.__get__(kind)(values)
        values = changed if isinstance(changed, dict) else values
    return values


def field_validator(*names: str, mode: str = "after", **named: Any) -> Any:
    return lambda function: _Validator(function, "field", "before" if mode in ("before", "wrap") else "after", names)


def validator(*names: str, pre: bool = False, **named: Any) -> Any:
    return lambda function: _Validator(function, "field", "before" if pre else "after", names)


def model_validator(*, mode: str = "after", **named: Any) -> Any:
    return lambda function: _Validator(function, "model", "before" if mode in ("before", "wrap") else "after", ())


def root_validator(*given: Any, pre: bool = False, **named: Any) -> Any:
    """A validator of all values, as in version 1; it runs before the fields are set."""
    mark = lambda function: _Validator(function, "model", "before", ())  # noqa: E731
    return mark(given[0]) if given and callable(given[0]) else mark


def _unchanged(*given: Any, **named: Any) -> Any:
    """A decorator that returns its function, with or without options."""
    return given[0] if len(given) == 1 and not named and callable(given[0]) else lambda function: function


def computed_field(*given: Any, **named: Any) -> Any:
    """A property, which real pydantic shows with the fields."""
    as_property = lambda one: one if isinstance(one, property) else property(one)  # noqa: E731
    return as_property(given[0]) if given else as_property


def create_model(name: str, /, __base__: Any = None, **fields: Any) -> type:
    """A model with these fields, each `(type, default)` or a default."""
    plain_fields = {key: one for key, one in fields.items() if not key.startswith("__")}
    hints = {key: one[0] if isinstance(one, tuple) else type(one) for key, one in plain_fields.items()}
    defaults = {key: one[1] if isinstance(one, tuple) else one for key, one in plain_fields.items()}
    kept = {key: one for key, one in defaults.items() if one is not Ellipsis}
    bases = __base__ if isinstance(__base__, tuple) else (__base__ or BaseModel,)
    return type(name, bases, {"__annotations__": hints, **kept})


class BaseSettings(BaseModel):
    """A model whose missing fields come from environment variables."""

    def __init__(self, **values: Any) -> None:
        found = {name: os.environ[name.upper()] for name in type(self).model_fields if name.upper() in os.environ}
        super().__init__(**{**found, **values})


class TypeAdapter:
    """Converts values to a type."""

    def __init__(self, kind: Any, **named: Any) -> None:
        self._kind = kind

    def validate_python(self, value: Any, **named: Any) -> Any:
        return convert(value, self._kind)

    def validate_json(self, text: Any, **named: Any) -> Any:
        return convert(json.loads(text), self._kind)

    def dump_python(self, value: Any, **named: Any) -> Any:
        return plain(value)

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


def _bounded(base: Any) -> Any:
    """The functions conint, constr and so on of version 1."""
    return lambda **named: typing.Annotated[base, FieldInfo(**named)]


class _Bound(Record):
    pass


_BOUNDS = {"Ge": "ge", "Gt": "gt", "Le": "le", "Lt": "lt", "MultipleOf": "multiple_of", "MinLen": "min_length", "MaxLen": "max_length"}


def names(module: str) -> Mapping[str, Any]:
    """The names of pydantic and of the libraries that come with it."""
    top = module.partition(".")[0]
    if top == "annotated_types":
        return {
            **{name: type(name, (_Bound,), {"FIELDS": (field,)}) for name, field in _BOUNDS.items()},
            "Interval": type("Interval", (_Bound,), {}),
            "Len": type("Len", (_Bound,), {"FIELDS": ("min_length", "max_length")}),
        }
    if module == "pydantic.dataclasses":
        return {"dataclass": lambda given=None, **named: dataclasses.dataclass(given) if given else dataclasses.dataclass}
    positive = {"Positive": {"gt": 0}, "NonNegative": {"ge": 0}, "Negative": {"lt": 0}, "NonPositive": {"le": 0}}
    bounded = {
        f"{word}{kind.__name__.capitalize()}": typing.Annotated[kind, FieldInfo(**bound)]
        for word, bound in positive.items()
        for kind in (int, float)
    }
    texts = ("AnyUrl", "AnyHttpUrl", "HttpUrl", "FileUrl", "EmailStr", "FilePath", "DirectoryPath", "NewPath", "Json", "PostgresDsn", "RedisDsn", "NameEmail")
    texts += ("AnyWebsocketUrl", "MongoDsn", "IPvAnyAddress", "IPvAnyNetwork", "IPvAnyInterface", "Base64Str", "ImportString")
    dates = ("PastDate", "FutureDate")
    moments = ("AwareDatetime", "NaiveDatetime", "PastDatetime", "FutureDatetime")
    return {
        **bounded,
        **{name: type(name, (str,), {}) for name in texts},
        **dict.fromkeys(dates, datetime.date),
        **dict.fromkeys(moments, datetime.datetime),
        **dict.fromkeys(("UUID1", "UUID3", "UUID4", "UUID5"), uuid.UUID),
        "StrictBytes": bytes, "FiniteFloat": float, "ByteSize": int, "JsonValue": Any,
        "StrictStr": str, "StrictInt": int, "StrictFloat": float, "StrictBool": bool,
        "conint": _bounded(int), "confloat": _bounded(float), "constr": _bounded(str), "conlist": lambda item, **named: list[item],
        "BaseModel": BaseModel, "Field": Field, "FieldInfo": FieldInfo, "PrivateAttr": PrivateAttr, "TypeAdapter": TypeAdapter,
        "ValidationError": ValidationError, "field_validator": field_validator, "validator": validator,
        "model_validator": model_validator, "root_validator": root_validator, "computed_field": computed_field,
        "field_serializer": lambda *given, **named: _unchanged, "model_serializer": _unchanged, "validate_call": _unchanged,
        "validate_arguments": _unchanged, "create_model": create_model, "BaseSettings": BaseSettings, "SecretStr": SecretStr,
        "ConfigDict": dict, "SettingsConfigDict": dict, "Extra": Record(allow="allow", forbid="forbid", ignore="ignore"),
        "StringConstraints": type("StringConstraints", (_Bound,), {}), "PydanticUndefined": _MISSING,
        "RootModel": BaseModel,
    }
