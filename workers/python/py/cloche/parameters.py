"""Checks the shape of a spec's `parameters`; the page checks whether it is a valid JSON Schema."""

from __future__ import annotations

import re
from json import JSONDecoder
from typing import Any

from .json_depth import is_deeper
from .json_text import encode_strict
from .limits import SCHEMA_CHARACTERS, SCHEMA_NESTING
from .problems import Fault, error, warning
from .wording import kind, nearest, shown

_scan = JSONDecoder().scan_once  # for text without spaces around it
# Matches the text of schemas that are written as in OpenAPI 3.0 or Gemini's API.
_OTHER_DIALECT = re.compile(r'"nullable": true|"type": "[A-Z]+"')
_EMPTY = '{"type": "object", "properties": {}}'


def check_parameters(value: object, faults: list[Fault]) -> tuple[dict[str, object], str] | None:
    """The schema as plain values and as JSON text; None if it cannot be used. Adds problems to `faults`."""
    at = ("parameters",)
    if not isinstance(value, dict):
        hint = f'Write "parameters": {_EMPTY} for a tool without parameters.'
        faults.append(
            error("bad-parameters", at, f"parameters is {kind(value)}", "a dict: a JSON Schema", hint)
        )
        return None
    try:
        text = encode_strict(value, "parameters")
    except (TypeError, ValueError, RecursionError) as fault:
        hint = "Use only dict, list, str, numbers, True, False and None in a schema."
        faults.append(error("bad-parameters", at, f"parameters is not JSON: {fault}", "a JSON Schema", hint))
        return None
    if len(text) > SCHEMA_CHARACTERS:
        size, limit = len(text) // 1_024, SCHEMA_CHARACTERS // 1_024
        hint = "Shorten descriptions and enumerations, or split the tool."
        message = f"parameters is {size:,} KB of JSON"
        faults.append(error("bad-parameters", at, message, f"at most {limit} KB", hint))
        return None
    schema, _ = _scan(text, 0)
    if text.count("{") + text.count("[") > SCHEMA_NESTING and is_deeper(schema, SCHEMA_NESTING):
        message = f"parameters is nested more than {SCHEMA_NESTING} levels deep"
        hint = "Flatten the schema, or let the tool take a JSON text."
        faults.append(error("bad-parameters", at, message, f"at most {SCHEMA_NESTING} levels", hint))
        return None
    schema, text = read_dialect(schema, text, at, faults)
    if _is_usual(schema):
        return schema, text
    before = len(faults)
    _check_type(schema, faults)
    _check_properties(schema, faults)
    _check_required(schema, faults)
    return None if any(fault.severity == "error" for fault in faults[before:]) else (schema, text)


def read_dialect(schema: Any, text: str, at: tuple[str], faults: list[Fault]) -> tuple[Any, str]:
    """The schema and its text as JSON Schema. Adds warnings if it is written in another way."""
    if not _OTHER_DIALECT.search(text):
        return schema, text
    from .schema_dialect import faults_of, in_json_schema  # loaded only for such schemas

    reading = in_json_schema(schema, at)
    found = faults_of(reading)
    faults.extend(found)
    return (reading.schema, encode_strict(reading.schema)) if found else (schema, text)


def _is_usual(schema: dict[str, Any]) -> bool:
    """Whether the schema is certainly valid; a quick check for what nearly all schemas look like."""
    # The schema was read from the JSON text. It is no dict if the tool's object only pretends to be one: `isinstance`
    # believes its `__class__`, but the text is written by its real type.
    if type(schema) is not dict:
        return False
    properties = schema.get("properties")
    required = schema.get("required", [])
    return (
        schema.get("type") == "object"
        and type(properties) is dict
        and type(required) is list
        and all([type(one) is dict for one in properties.values()])
        and all([type(name) is str and name in properties for name in required])
    )


def _check_type(schema: dict[str, object], faults: list[Fault]) -> None:
    """Adds a problem unless the schema is one of an object."""
    expected = '"type": "object" at the top'
    if "type" not in schema:
        # Without "properties", or a key that resembles it, the keys are probably the parameters themselves.
        near = nearest("properties", schema) if "properties" not in schema else None
        message = "parameters has no type" if schema else "parameters is empty"
        hint = 'Add "type": "object" beside "properties".'
        if near is None and "properties" not in schema and schema:
            hint = f'Put the parameters into {{"type": "object", "properties": {{…}}}}.'
        faults.append(error("bad-parameters", ("parameters",), message, expected, hint))
    elif schema["type"] != "object":
        found = shown(schema["type"]) if isinstance(schema["type"], str) else kind(schema["type"])
        message = f"the type of parameters is {found}"
        hint = 'Arguments always come as one object: write "type": "object" and name each in "properties".'
        faults.append(error("bad-parameters", ("parameters", "type"), message, expected, hint))


def _check_properties(schema: dict[str, object], faults: list[Fault]) -> None:
    """Adds a problem for each property that has no schema."""
    properties = schema.get("properties", {})
    at = ("parameters", "properties")
    if not isinstance(properties, dict):
        message = f"properties is {kind(properties)}"
        hint = 'Write "properties": {"name": {"type": "string"}}.'
        faults.append(error("bad-parameters", at, message, "a dict of name and schema", hint))
        return
    for name, one in properties.items():
        if not isinstance(one, (dict, bool)):
            message = f"the schema of {shown(name)} is {kind(one)}"
            hint = f'Write {shown(name)}: {{"type": "string"}}, with the right type.'
            faults.append(error("bad-parameters", (*at, name), message, "a dict: a JSON Schema", hint))


def _check_required(schema: dict[str, object], faults: list[Fault]) -> None:
    """Adds a problem for each entry of `required` that is not the name of a property."""
    required = schema.get("required", [])
    at = ("parameters", "required")
    if not isinstance(required, list):
        hint = 'Write "required": ["name"]; "required": True inside a parameter has no effect.'
        faults.append(error("bad-parameters", at, f"required is {kind(required)}", "a list of names", hint))
        return
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    for index, name in enumerate(required):
        if not isinstance(name, str):
            message = f"required[{index}] is {kind(name)}"
            hint = "List the names of the parameters."
            faults.append(error("bad-parameters", (*at, index), message, "a str", hint))
        elif name not in known:
            near = nearest(name, known)
            hint = f"Did you mean {shown(near)}?" if near else f"Add {shown(name)} to properties."
            message = f"{shown(name)} is required but not in properties"
            faults.append(warning("required-unknown", (*at, index), message, "a name in properties", hint))
