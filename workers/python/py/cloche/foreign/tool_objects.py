"""Finds tools in objects of the file's own classes: in a registry such as ToolRegistry, or in records such as
ToolDefinition(name="…", description="…", handler=f).

Used by `collection`, and by `inert` for records of a missing class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MethodType, ModuleType
from typing import Any

from .annotation_schemas import schema_of, write_default
from .argument_dicts import call_with_dict, takes_all_as_dict
from .conversion import convert
from .docstrings import schema_of_words
from .frameworks import framework_of
from .inert import Inert
from .marks import FUNCTIONS, Mark, record_mark, text_of
from .tool_dicts import list_required, read_description
from .tool_syntax import REGISTRY, RUNNER_KEYS, is_tool_record

_DESCRIPTION_KEYS = ("description", "desc", "doc")
_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "parameters_json_schema", "schema")
_TOOLS = 1_000
_TYPES = ("string", "integer", "number", "boolean", "array", "object")


def find_registry_tools(module: ModuleType, given: Iterable[Any]) -> Iterator[Mark]:
    """Yields the tools that registries at the top level of the file hold, and those that records or lists of records
    describe, with their own names and descriptions. `given`: further values, which functions have returned."""
    for value in [*vars(module).values(), *given]:
        if isinstance(value, type) and value.__module__ == module.__name__ and REGISTRY.search(value.__name__):
            yield from _find_held_tools(value)  # a registry whose methods belong to the class
            continue
        kind = type(value)
        items = list(dict.items(value)) if kind is dict else [("", item) for item in value] if kind is list or kind is tuple else [("", value)]
        for key, item in items[:_TOOLS]:
            mark = mark_entry(text_of(key), item) if _is_record(item, module) else None
            if mark is not None:
                yield mark
        if kind.__module__ != module.__name__:
            continue
        if REGISTRY.search(kind.__name__):
            yield from _find_held_tools(value)
        elif kind.__name__.endswith("Registry"):  # may hold anything: only its records are known to be tools
            yield from _find_held_tools(value, module)


def _find_held_tools(registry: Any, module: ModuleType | None = None) -> Iterator[Mark]:
    """Yields the tools in the attributes of a registry, an object or a class, which are dicts or lists. `module`: the file whose records count;
    None if other values count, too."""
    for held in list(getattr(registry, "__dict__", {}).values()):
        items: list[tuple[Any, Any]] = list(enumerate(held)) if isinstance(held, list) else []
        if isinstance(held, dict):
            items = list(dict.items(held))
        for key, item in items[:_TOOLS]:
            mark = mark_entry(text_of(key), item) if module is None or _is_record(item, module) else None
            if mark is not None:
                yield mark


def _is_record(item: Any, module: ModuleType) -> bool:
    """Whether an object is a record of this file such as ToolDefinition, with the name and the description of a tool."""
    kind = type(item)
    if kind.__module__ != module.__name__ or not is_tool_record(kind.__name__):
        return False
    return {"name", "description"} <= getattr(kind, "__annotations__", {}).keys() | getattr(item, "__dict__", {}).keys()


def mark_missing_record(module: str, fields: dict[str, Any]) -> None:
    """Marks the function that a record of a missing class describes, such as Tool(name="…", description="…", handler=f)."""
    mark = mark_entry("", fields) if framework_of(module) is None else None
    if mark is not None:
        record_mark(mark)


def mark_entry(key: str, item: Any) -> Mark | None:
    """The mark of the tool that an item of a registry or a dict describes; None if the item is no tool. The item may be a
    function, a tuple, a dict or a record. `key`: its name."""
    if isinstance(item, (*FUNCTIONS, MethodType)):
        return Mark("plain", item, name=key, explicit=True) if key else None
    fields = item if isinstance(item, dict) else _name_members(item) if type(item) is tuple else getattr(item, "__dict__", {})
    function = next((value for name in RUNNER_KEYS if isinstance(value := fields.get(name), (*FUNCTIONS, MethodType))), None)
    name = text_of(fields.get("name")) or key
    if function is None or not name:
        return None
    description = next((text for name in _DESCRIPTION_KEYS if (text := text_of(fields.get(name)))), "")
    mark = Mark("plain", function, name=name, description=description, explicit=True)
    schema = _find_schema(fields)
    described = next((found for key in _SCHEMA_KEYS if (found := read_description(fields.get(key)))), None)
    if described is not None and described.schema:  # the item of a list in the format of OpenAI
        mark.name, mark.description, schema = described.name, described.description or description, described.schema
    if schema is not None and "properties" in schema:
        mark.schema = schema
        mark.call = call_with_dict(function, schema)  # None if the function takes its arguments by name
    elif (model := _find_model(fields)) is not None:
        _add_model(mark, function, model)
    return mark


def _name_members(item: tuple[Any, ...]) -> dict[str, Any]:
    """The fields of a tuple such as (add, {…}) or (AddArguments, add): a function, and a text, a dict or a model about it."""
    function = next((value for value in item if isinstance(value, (*FUNCTIONS, MethodType))), None)
    said = next((value for value in item if isinstance(value, dict)), None)
    return {"function": function, "schema": said or _find_model(dict(enumerate(item))), "description": next(filter(text_of, item), "")}


def _find_model(fields: dict[Any, Any]) -> type | None:
    """The model that describes the arguments of a tool; None if there is none."""
    return next((value for value in fields.values() if isinstance(value, type) and isinstance(getattr(value, "model_fields", None), dict)), None)


def _add_model(mark: Mark, function: Any, model: type) -> None:
    """Adds the model of a tool's arguments to its mark. The function may take the model itself."""
    schema = schema_of(model)
    mark.description = mark.description or text_of(function.__doc__) or text_of(model.__doc__)
    if takes_all_as_dict(function, schema):
        mark.schema, mark.call = schema, lambda **named: function(convert(named, model))
    else:
        mark.model = model


def _find_schema(fields: Any) -> dict[str, Any] | None:
    """The schema of the arguments in a record, which is a dict or a list of parameters; None if there is none."""
    given = next((fields[key] for key in _SCHEMA_KEYS if isinstance(fields.get(key), dict)), None)
    if given is None and isinstance(fields.get("parameters"), list):
        given = _make_schema_of_records(fields["parameters"])
    # It is read as part of a description, as that of any framework is: in the format of Gemini, for example.
    described = read_description({"type": "function", "name": "tool", "parameters": given}) if given else None
    return described.schema if described is not None else None


def _make_schema_of_records(records: list[Any]) -> dict[str, Any] | None:
    """The schema of parameters such as [ToolParameter("query", "string", "…", required=False)], of any class, or dicts."""
    properties, described = {}, {}
    for record in records[:_TOOLS]:
        named = record if isinstance(record, dict) else getattr(record, "__dict__", {})
        positional = map(text_of, named.get("_values", ()))  # the arguments without names that the inert class has kept
        fields = dict(zip(("name", "type", "description"), positional)) | named
        if fields.get("default") is None and not isinstance(record, (dict, Inert)):
            fields.pop("default", None)  # of the file's own class, which may set it always
        name, kind, description = (text_of(fields.get(key)) for key in ("name", "type", "description"))
        typed = {"type": kind} if kind in _TYPES else schema_of_words(kind)
        if not name or not typed:
            return None
        properties[name] = {**typed, **({"description": description} if description else {})}
        write_default(properties[name], fields.get("default"))
        described[name] = fields
    return {"type": "object", "properties": properties, "required": list_required(described)} if properties else None
