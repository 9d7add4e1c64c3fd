"""Reads schemas as OpenAPI 3.0 and Gemini's API write them: `nullable: True`, and types in capitals."""

from __future__ import annotations

from typing import Any, NamedTuple

from .problems import Fault, warning
from .wording import shown

_TYPES = {name.upper(): name for name in ("array", "boolean", "integer", "null", "number", "object", "string")}
_ONE = frozenset(
    "additionalItems additionalProperties contains contentSchema else if items not propertyNames then "
    "unevaluatedItems unevaluatedProperties".split()
)
_LISTS = frozenset("allOf anyOf items oneOf prefixItems".split())
_NAMED = frozenset("$defs definitions dependencies dependentSchemas patternProperties properties".split())
# Keywords that may refuse null, whatever the type is.
_REFUSING = frozenset("$ref allOf anyOf oneOf not if const".split())
_ANNOTATIONS = frozenset("title description default examples deprecated readOnly writeOnly".split())

_Path = tuple[str | int, ...]


class ReadSchema(NamedTuple):
    """A schema as JSON Schema, and the places of what was read differently."""

    schema: Any
    nullable: list[_Path]
    types: list[tuple[_Path, str]]


def in_json_schema(schema: dict[str, Any], at: _Path = ("parameters",)) -> ReadSchema:
    """The schema at this key of a spec as JSON Schema; the same if it names its draft, which says how it is meant."""
    reading = ReadSchema(schema, [], [])
    # @mutant a schema that names its draft is exact => "$schema" in schema -> False [python test_spec_checks]
    if "$schema" in schema:
        return reading
    return reading._replace(schema=_read(schema, at, reading, {}))


def faults_of(reading: ReadSchema) -> list[Fault]:
    """A warning for each of the two spellings, at its first place."""
    faults: list[Fault] = []
    expected = "a JSON Schema"
    for at in reading.nullable[:1]:
        message = f'"nullable": True is not JSON Schema: it is read as in OpenAPI 3.0, so null is allowed{_more(reading.nullable)}'
        hint = 'Add "null" to the type: "type": ["string", "null"].'
        faults.append(warning("other-dialect", at, message, expected, hint))
    for at, name in reading.types[:1]:
        message = f"the type {shown(name)} is written as in Gemini's API: it is read as {shown(_TYPES[name])}{_more(reading.types)}"
        hint = f"Write {shown(_TYPES[name])}."
        faults.append(warning("other-dialect", at, message, expected, hint))
    return faults


def _more(places: list[Any]) -> str:
    """How many more places there are than the first one."""
    return f", here and in {len(places) - 1:,} more places" if len(places) > 2 else ", here and in one more place" if len(places) == 2 else ""


def _read(schema: Any, at: _Path, reading: ReadSchema, known: dict[int, Any]) -> Any:
    """The schema at a place as JSON Schema. `known`: those that have been read, by id, since one may be in many places."""
    if not isinstance(schema, dict):
        return schema
    if id(schema) not in known:
        known[id(schema)] = _read_dict(schema, at, reading, known)
    return known[id(schema)]


def _read_dict(schema: dict[str, Any], at: _Path, reading: ReadSchema, known: dict[int, Any]) -> dict[str, Any]:
    """As `_read`, for an object that has not been read."""
    read: dict[str, Any] = {}
    for key, value in schema.items():
        here = (*at, key)
        if key in _ONE and isinstance(value, dict):
            read[key] = _read(value, here, reading, known)
        elif key in _LISTS and isinstance(value, list):
            read[key] = [_read(one, (*here, index), reading, known) for index, one in enumerate(value)]
        elif key in _NAMED and isinstance(value, dict):
            read[key] = {name: _read(one, (*here, name), reading, known) for name, one in value.items()}
        elif key == "type" and isinstance(value, str) and value in _TYPES:
            reading.types.append((here, value))
            read[key] = _TYPES[value]
        else:
            read[key] = value
    # The arguments as a whole are always an object, never null.
    if at == ("parameters",) or read.get("nullable") is not True:
        return read
    reading.nullable.append((*at, "nullable"))
    del read["nullable"]
    return _allow_null(read)


def _allow_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema, which then allows null, too."""
    if not _REFUSING.isdisjoint(schema):
        annotations = {key: value for key, value in schema.items() if key in _ANNOTATIONS}
        rest = {key: value for key, value in schema.items() if key not in _ANNOTATIONS}
        listed = rest["anyOf"] if list(rest) == ["anyOf"] and isinstance(rest["anyOf"], list) else [rest]
        return {**annotations, "anyOf": [*listed, {"type": "null"}]}
    kinds = schema.get("type")
    if isinstance(kinds, (str, list)):
        listed = [kinds] if isinstance(kinds, str) else kinds
        schema["type"] = listed if "null" in listed else [*listed, "null"]
    choices = schema.get("enum")
    if isinstance(choices, list) and None not in choices:
        schema["enum"] = [*choices, None]
    return schema
