"""Reads fields of models, of pydantic and of its stand-in: their constraints, descriptions and defaults.

Also reads the objects in Annotated that describe a parameter, such as Field(…) or Ge(0).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

# Attributes of constraints, with the keywords of JSON Schema for numbers, texts and lists.
_BOUNDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
    "regex": "pattern",
    "min_length": ("minLength", "minItems"),
    "max_length": ("maxLength", "maxItems"),
    "min_items": "minItems",
    "max_items": "maxItems",
}
_BOUND_TYPES = (str, int, float)


class Constraints(NamedTuple):
    """The information of a field beyond its type."""

    description: str = ""
    bounds: tuple[tuple[str, Any], ...] = ()
    extra: tuple[tuple[str, Any], ...] = ()

    def join_with(self, other: Constraints) -> Constraints:
        """Merges both; the first description counts."""
        return Constraints(
            self.description or other.description, (*self.bounds, *other.bounds), (*self.extra, *other.extra)
        )

    def write_into(self, schema: dict[str, Any], described_too: bool = False) -> None:
        """Adds the keywords to a schema that its type allows."""
        kinds = schema.get("type")
        listed = kinds == "array" or (isinstance(kinds, list) and "array" in kinds)
        for key, value in self.bounds:
            keyword = _BOUNDS[key]
            if isinstance(keyword, tuple):
                of_text, of_list = keyword
                keyword = of_list if listed else of_text
            schema[keyword] = value
        for key, value in self.extra:
            schema.setdefault(key, value)
        if described_too and self.description:
            schema["description"] = self.description


def is_field_info(value: Any) -> bool:
    """Whether a value is a result of `Field(…)`, of pydantic or of its stand-in."""
    return type(value).__name__ in ("FieldInfo", "ModelField") and hasattr(type(value), "__slots__")


def constraints_of(value: Any) -> Constraints:
    """The constraints of a field, or of an object such as Ge or StringConstraints in Annotated."""
    value = getattr(value, "field_info", value) if type(value).__name__ == "ModelField" else value  # a field of version 1
    sources: list[Any] = [value, *_list_items(getattr(value, "metadata", ()))]
    bounds = []
    for source in sources:
        for key in _BOUNDS:
            bound = getattr(source, key, None)
            if isinstance(bound, _BOUND_TYPES) and not isinstance(bound, bool):
                bounds.append((key, bound))
    text = getattr(value, "description", None)
    extra = getattr(value, "json_schema_extra", None)
    kept = []
    if isinstance(extra, dict):
        kept = [(key, extra[key]) for key in ("enum", "examples", "format") if key in extra]
    examples = getattr(value, "examples", None)
    if isinstance(examples, list) and examples:
        kept.append(("examples", examples))
    return Constraints(text if isinstance(text, str) else "", tuple(dict(bounds).items()), tuple(kept))


def model_fields(kind: type) -> Mapping[str, Any] | None:
    """The fields of a pydantic model (version 1, 2 or the stand-in), with annotation and default; otherwise None."""
    fields = getattr(kind, "model_fields", None)
    if isinstance(fields, property):
        return None
    if fields is None and isinstance(getattr(kind, "__fields__", None), dict):
        fields = kind.__fields__  # type: ignore[attr-defined]
    if not isinstance(fields, dict) or not all(hasattr(field, "annotation") for field in fields.values()):
        return None
    return fields


def is_root_model(kind: type) -> bool:
    """Whether a model is one of pydantic's RootModel, which stands for the value of its only field, `root`."""
    return getattr(kind, "__pydantic_root_model__", False) is True and "root" in (model_fields(kind) or {})


def find_key(name: str, field: Any) -> str:
    """The name under which the value of a field of a model is given: its alias, or its own name."""
    given = getattr(field, "validation_alias", None)
    keys = (given, *_list_items(getattr(given, "choices", ())), getattr(field, "alias", None))
    return next((key for key in keys if isinstance(key, str)), name)


def is_required(field: Any) -> bool:
    """Whether a field has no default, in version 1 or 2 of pydantic."""
    ask = getattr(field, "is_required", None)
    if callable(ask):
        return bool(ask())
    return bool(getattr(field, "required", True))


def read_field_default(field: Any) -> Any:
    """The default of a field as a plain value; None if it has none, or if a function makes it."""
    value = getattr(field, "default", None)
    return None if value is Ellipsis or type(value).__name__ in ("PydanticUndefinedType", "UndefinedType") else value


def make_field_default(field: Any) -> Any:
    """The default of a field, made by its function if it has one."""
    factory = getattr(field, "default_factory", None)
    return factory() if callable(factory) else read_field_default(field)


def _list_items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []
