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
    "min_length", "max_length", "regex", "min_items", "max_items", "validation_alias", "exclude", "discriminator",
)
# Options of version 1 that are keywords of JSON Schema.
_EXTRA_OPTIONS = ("example", "enum", "format")


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
        if self.alias is None and isinstance(self.validation_alias, str):
            self.alias = self.validation_alias

    def is_required(self) -> bool:
        return (self.default is MISSING or self.default is Ellipsis) and self.default_factory is None

    def get_default(self, **named: Any) -> Any:
        return make_field_default(self)


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
    for name, annotation in hints_of(kind).items():
        if not name.startswith("_") and name != "model_config" and typing.get_origin(annotation) is not typing.ClassVar:
            fields[name] = _make_field(values.get(name, MISSING), annotation)
    return fields


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
