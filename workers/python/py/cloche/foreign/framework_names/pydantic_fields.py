"""Fields of models in the stand-in for pydantic: their options, their defaults, and how a class declares them."""

from __future__ import annotations

import copy
import typing
from typing import Any

from ..annotations import hints_of
from ..fields import is_field_info, make_field_default
from .marking import Record

MISSING = type("PydanticUndefinedType", (), {"__repr__": lambda self: "PydanticUndefined"})()
_OPTIONS = (
    "description", "alias", "title", "examples", "json_schema_extra", "ge", "gt", "le", "lt", "multiple_of", "pattern",
    "min_length", "max_length", "regex", "min_items", "max_items", "validation_alias", "serialization_alias", "exclude", "discriminator",
)
# Options of version 1 that are keywords of JSON Schema.
_EXTRA_OPTIONS = ("example", "enum", "format")


class AliasChoices:
    """Several names under which the value of a field may be given."""

    def __init__(self, *choices: Any) -> None:
        self.choices = choices


class FieldInfo:
    """A field of a model, or the default of a parameter that describes it."""

    __slots__ = ("default", "default_factory", "annotation", "metadata", *_OPTIONS)

    def __init__(self, default: Any = MISSING, default_factory: Any = None, annotation: Any = Any, **options: Any) -> None:
        self.default = default
        self.default_factory = default_factory
        self.annotation = annotation
        self.metadata: list[Any] = []
        extra = options.pop("json_schema_extra", None)
        others = {key: value for key, value in options.items() if key in _EXTRA_OPTIONS}
        for key in _OPTIONS:
            setattr(self, key, options.get(key))
        self.json_schema_extra = {**(extra if isinstance(extra, dict) else {}), **others} or None
        if self.alias is None:
            self.alias = next(iter(list_keys(self)), None)

    def is_required(self) -> bool:
        return (self.default is MISSING or self.default is Ellipsis) and self.default_factory is None

    def get_default(self, **named: Any) -> Any:
        return make_field_default(self)


def list_keys(field: Any) -> list[str]:
    """The names besides its own under which the value of a field may be given. The field may come from the real pydantic."""
    given = getattr(field, "validation_alias", None)
    return [key for key in (field.alias, given, *getattr(given, "choices", ())) if isinstance(key, str)]


def Field(default: Any = MISSING, *, default_factory: Any = None, **options: Any) -> Any:  # noqa: N802
    return FieldInfo(default, default_factory, **options)


class PrivateValue(Record):
    """The default of a private attribute."""

    def make_default(self) -> Any:
        if self.make:
            return self.make()
        return None if self.value is MISSING else copy.deepcopy(self.value)


def PrivateAttr(default: Any = MISSING, *, default_factory: Any = None, **named: Any) -> Any:  # noqa: N802
    return PrivateValue(value=default, make=default_factory)


class ModelFields:
    """The attribute `model_fields` of a model. Fields are found on first use, because annotations may name later classes."""

    def __get__(self, instance: Any, kind: type) -> dict[str, FieldInfo]:
        known = vars(kind).get("__cloche_fields__")
        if known is None:
            known = _find_fields(kind)
            kind.__cloche_fields__ = known  # type: ignore[attr-defined]
        return known


def _find_fields(kind: type) -> dict[str, FieldInfo]:
    """The fields that the annotated attributes of a class and of its base classes declare."""
    values: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        values.update(vars(base))
    fields: dict[str, FieldInfo] = {}
    generate = _find_alias_generator(kind)
    for name, annotation in hints_of(kind).items():
        if not name.startswith("_") and name != "model_config" and typing.get_origin(annotation) is not typing.ClassVar:
            fields[name] = _make_field(values.get(name, MISSING), annotation)
            if generate is not None and fields[name].alias is None:
                fields[name].alias = generate(name)
    return fields


def read_config(kind: type, name: str) -> Any:
    """An option of a model, from `model_config` or from the class `Config` of version 1; None without it."""
    for base in kind.__mro__:
        config = vars(base).get("model_config")
        if isinstance(config, dict) and name in config:
            return config[name]
    return getattr(getattr(kind, "Config", None), name, None)


def _find_alias_generator(kind: type) -> Any:
    """The function that makes the alias of a field from its name; None without one."""
    given = read_config(kind, "alias_generator")
    given = getattr(given, "validation_alias", None) or getattr(given, "alias", None) or given
    return given if callable(given) else None


def _make_field(value: Any, annotation: Any) -> FieldInfo:
    """The field of an attribute: `name: int = Field(…)`, `name: Annotated[int, Field(…)]` or `name: int = 1`."""
    extras = [extra for extra in getattr(annotation, "__metadata__", ()) if is_field_info(extra)]
    if is_field_info(value):
        field = copy.copy(value)
    elif extras and value is MISSING:
        field = copy.copy(extras[0])
    else:
        field = FieldInfo(value)
    field.annotation = annotation
    return field
