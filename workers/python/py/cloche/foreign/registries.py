"""Finds tools in objects of the file's own classes: of a registry such as ToolRegistry, or records such as ToolDefinition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

from .frameworks import framework_of
from .inert import Inert
from .marks import Mark, mark, text_of
from .modules.common import takes_all
from .schema_lists import described_in
from .source_nodes import REGISTRY, RUNNERS

_TEXTS = ("description", "desc", "doc")
_TOOLS = 1_000
_TYPES = ("string", "integer", "number", "boolean", "array", "object")
_RECORD = re.compile(r"^(Agent|Local|My)?(Tool|Function)(Def(inition)?|Spec|Info|Entry|Record)?$")


def marks_of_registries(module: ModuleType) -> Iterator[Mark]:
    """Yields the tools that registries at the top level of the file hold, and those that records or lists of records
    describe, with their own names and descriptions."""
    for value in list(vars(module).values()):
        kind = type(value)
        for one in value[:_TOOLS] if kind is list or kind is tuple else (value,):
            found = _mark_of("", one) if _is_record(type(one), module) else None
            if found is not None:
                yield found
        if kind.__module__ == module.__name__ and REGISTRY.search(kind.__name__):
            for held in list(getattr(value, "__dict__", {}).values()):
                for key, one in _items_of(held)[:_TOOLS]:
                    found = _mark_of(text_of(key), one)
                    if found is not None:
                        yield found


def _items_of(held: Any) -> list[tuple[Any, Any]]:
    if isinstance(held, dict):
        return list(dict.items(held))
    return list(enumerate(held)) if isinstance(held, list) else []


def _is_record(kind: type, module: ModuleType) -> bool:
    """Whether the class is a record of this file such as ToolDefinition, without a method that runs the tool."""
    if kind.__module__ != module.__name__ or _RECORD.search(kind.__name__) is None:
        return False
    return {"name", "description"} <= getattr(kind, "__annotations__", {}).keys()


def _mark_of(key: str, one: Any) -> Mark | None:
    """The tool that an item of a registry, or a record, describes; None if it is no tool. `key`: the item's name."""
    if isinstance(one, (FunctionType, MethodType)):
        return Mark("plain", one, name=key, explicit=True) if key else None
    fields = one if isinstance(one, dict) else getattr(one, "__dict__", {})
    function = next((given for name in RUNNERS if isinstance(given := fields.get(name), (FunctionType, MethodType))), None)
    name = text_of(fields.get("name")) or key
    if function is None or not name:
        return None
    description = next((text for part in _TEXTS if (text := text_of(fields.get(part)))), "")
    found = Mark("plain", function, name=name, description=description, explicit=True)
    given = next((fields[part] for part in ("parameters", "input_schema", "inputSchema", "schema") if isinstance(fields.get(part), dict)), None)
    if given is None and isinstance(fields.get("parameters"), list):
        given = _schema_of_records(fields["parameters"])
    said = described_in({"type": "function", "name": "tool", "parameters": given}) if given else None
    if said is not None and "properties" in said.schema:
        found.schema = said.schema
        if takes_all(function, said.schema, 1 if isinstance(function, MethodType) else 0):
            found.call = lambda **named: function(named)
    return found


def mark_record(module: str, fields: dict[str, Any]) -> None:
    """Marks the function that a record of a missing class describes, such as Tool(name="…", description="…", handler=f)."""
    found = _mark_of("", fields) if framework_of(module) is None else None
    if found is not None:
        mark(found)


def _schema_of_records(given: list[Any]) -> dict[str, Any] | None:
    """The schema of parameters such as [ToolParameter("query", "string", "…", required=False)] of a missing class."""
    properties, required = {}, []
    for one in given[:_TOOLS]:
        fields = vars(one) if isinstance(one, Inert) else {}
        said = dict(zip(("name", "type", "description"), map(text_of, fields.get("_values", ())))) | fields
        name, kind, text = (text_of(said.get(key)) for key in ("name", "type", "description"))
        if not name or kind not in _TYPES:
            return None
        properties[name] = {"type": kind, **({"description": text} if text else {})}
        required += [name] if said.get("required", True) is True else []
    return {"type": "object", "properties": properties, "required": required} if properties else None
