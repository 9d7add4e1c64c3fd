"""Finds the tool that a class of the file is by itself, without a framework's class that is known.

Examples are subclasses of a BaseTool that the file or a missing file defines. Used by `class_tools` for each class of the
file; a `Mark` comes out. A class gives the name, the description and the schema of its tool in one of these ways:

- A static method or an attribute describes the whole tool: `_find_tool_with_info`.
- Attributes, properties or methods have one part each, or the constructor sets them; or a method or a property such as
  `definition` returns all of them: `_find_tool_with_attributes`. `own_class_schemas` completes the schema.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from types import FunctionType, SimpleNamespace
from typing import Any

from .annotation_schemas import object_schema
from .annotations import hints_of
from .docstrings import schema_of_words
from .inert import Inert, InertType, remove_missing
from .instances import list_constructor_parameters
from .marks import Mark, text_of
from .own_class_schemas import add_schema, takes_nothing
from .tool_dicts import list_required, read_description
from .tool_syntax import DEFINITION_MEMBERS, TOOL_DEFINITION_MEMBERS
from .unavailable import Unavailable

# Methods that run a tool, the usual ones first.
_RUN_METHODS = (
    *("execute", "run", "_run", "call", "_call", "forward", "invoke", "__call__", "arun", "_arun", "_execute", "_invoke"),
    "_run_async_impl",
)
# Attributes, properties or methods for the name and the description.
_NAMES = ("name", "tool_name", "Tool_Name")
_DESCRIPTIONS = ("description", "tool_description", "Tool_Description")
# Attributes and methods for the schema of the arguments, or for a model of them.
_SCHEMA_MEMBERS = ("parameters", "input_schema", "inputSchema", "args_schema", "parameters_schema", "schema", "inputs", "input_model", "args_model")
# Static methods that return the whole description of a tool, and methods that run it in such classes.
_INFO_METHODS = ("get_info", "to_dict", "get_schema", "schema")
_INFO_RUN_METHODS = ("invoke", "run", "execute", "forward", "__call__")
# Attributes that may hold the whole description of a tool.
_INFO_MEMBERS = ("schema", "SCHEMA", "tool_schema", "TOOL_SCHEMA")
# Keys for parameters that are described one by one.
_PARAMETER_LISTS = ("parameters", "params", "inputs")
_TYPES = (None, "string", "integer", "number", "boolean", "array", "object", "null")
_PARAMETER_KEYS = ("type", "description", "enum", "default", "items")


def find_class_tool(kind: type, create: Callable[[type], Any]) -> Mark | None:
    """The tool that a class is; None for other classes. `create` makes an object of a class."""
    return _find_tool_with_info(kind) or _find_tool_with_attributes(kind, create)


def _find_tool_with_info(kind: type) -> Mark | None:
    """The tool of a class that has a method to run it, and describes it completely in a static method such as `get_info`
    or in an attribute such as `SCHEMA`."""
    run = next((name for name in _INFO_RUN_METHODS if name in vars(kind)), "")
    if not run:
        return None
    described = next(filter(None, (read_description(vars(kind).get(name)) for name in _INFO_MEMBERS)), None)
    give = next((found for name in _INFO_METHODS if callable(found := getattr(kind, name, None))), None)
    if described is None and give is not None and _is_static(kind, give.__name__):
        try:
            described = read_description(give())
        except Exception:
            return None
    if described is None:
        return None
    owner = None if _is_static(kind, run) else kind
    return Mark(
        "tau-bench",  # its tools are such classes, so its rules apply to all of them
        getattr(kind, run),
        name=described.name,
        description=described.description,
        schema=described.schema or None,
        owner=owner,
        explicit=True,
    )


def _is_static(kind: type, name: str) -> bool:
    return isinstance(inspect.getattr_static(kind, name, None), (staticmethod, classmethod))


def _find_tool_with_attributes(kind: type, create: Callable[[type], Any]) -> Mark | None:
    """The tool of a class that has a method to run it, a name and a description."""
    method = next((vars(kind)[name] for name in _RUN_METHODS if isinstance(vars(kind).get(name), FunctionType)), None)
    if method is None or inspect.isabstract(kind) or "NotImplementedError" in method.__code__.co_names:
        return None  # not a tool, or the base class of tools
    registered = text_of(vars(kind).get("__cloche_name__"))  # given by a decorator such as @register_tool("name")
    is_tool = bool(registered) or "args_schema" in vars(kind) or any("tool" in base.__name__.lower() for base in kind.__mro__)
    # If the class may be something other than a tool, only a member that tools alone have counts, such as `tool_definition`.
    member = next((name for name in (DEFINITION_MEMBERS if is_tool else TOOL_DEFINITION_MEMBERS) if name in vars(kind)), "")
    describes_itself = bool(member or registered or not vars(kind).keys().isdisjoint((*_NAMES, *_DESCRIPTIONS)))
    # `fields` has what the definition says, if there is one; `source`, the class or an object of it, has everything else.
    source: Any = kind
    if describes_itself:
        fields = _read_definition(kind, member)
        if not (fields.get("name") and fields.get("description")):
            source = _find_source(kind, create)
    else:
        source = _create_with_constructor(kind, create)
        if source is None:
            return None
        fields = _read_stored_definition(source)
    name, description = _find_name(source, fields) or registered, _find_description(kind, source, fields)
    if not name or not (description or registered):
        return None
    given = _find_schema(kind, source, fields, method)
    shows_tool = bool(fields) if member else isinstance(given, dict) and "properties" in given
    if not is_tool and not shows_tool:
        return None  # a class of another kind that also has a name
    mark = Mark("plain", method, name=name, description=description, owner=kind)
    is_complete = add_schema(mark, method, given, source) or bool(registered) or (describes_itself and takes_nothing(method))
    return mark if is_complete else None


def _find_schema(kind: type, source: Any, fields: dict[str, Any], method: FunctionType) -> Any:
    """The schema of the arguments, or a model of them, that a class gives; None if it gives neither."""
    values = [_convert_to_schema(fields.get(key) or _read_schema_member(kind, source, key), method) for key in _SCHEMA_MEMBERS]
    # A method that a base class has, such as schema(), may return the whole definition.
    values = [described.schema if isinstance(value, dict) and (described := read_description(value)) is not None else value for value in values]
    return next((value for value in values if isinstance(value, (dict, type)) and not isinstance(value, InertType)), None)


def _read_schema_member(kind: type, source: Any, key: str) -> Any:
    """The value of an attribute for the schema. A method or property is called without creating an object of its class."""
    value = getattr(source, key, None)
    method = value.fget if isinstance(value, property) else value
    if source is not kind or not isinstance(method, FunctionType):
        return value
    try:
        return method(kind.__new__(kind))
    except Exception:
        return None


def _convert_to_schema(value: Any, method: FunctionType) -> Any:
    """The schema of a list of parameters, or a model with the fields of a class whose base class is missing; other values
    stay as they are."""
    if isinstance(value, InertType):
        return _make_model(value)
    if not isinstance(value, (list, tuple)) or not value:
        return value
    try:
        return _make_schema_of_list([item if isinstance(item, dict) else vars(item) for item in value], method)
    except Exception:
        return value


def _make_model(kind: InertType) -> type | None:
    """A model with the annotated fields of a class; None if it has none."""
    from .framework_names.pydantic import BaseModel

    hints = {name: hint for name, hint in hints_of(kind).items() if not name.startswith("_")}
    given = {name: value for name, value in vars(kind).items() if name in hints and not isinstance(value, (Inert, InertType))}
    return type(kind.__name__, (BaseModel,), {"__annotations__": hints, "__doc__": kind.__doc__, **given}) if hints else None


def _create_with_constructor(kind: type, create: Callable[[type], Any]) -> Any:
    """An object of a class whose base class is a tool, and whose constructor may set the name; None for other classes,
    and if the constructor fails."""
    if "__init__" not in vars(kind) or not any(base.__name__.endswith("Tool") for base in kind.__mro__[1:-1]):
        return None
    try:
        return _create_or_sample(kind, create)
    except Exception:
        return None


def _create_or_sample(kind: type, create: Callable[[type], Any]) -> Any:
    """An object of a class; a sample if the constructor needs what only the application has."""
    return _make_sample(kind) if list_constructor_parameters(kind) else create(kind)


def _make_sample(kind: type) -> Any:
    """An object that shows what a class is, without the values that only the application has."""
    return kind(**{name: Unavailable(name) for name in list_constructor_parameters(kind)})


def _find_source(kind: type, create: Callable[[type], Any]) -> Any:
    """What has the name, description and schema of a tool: the class itself, or an object of it if they are properties or
    methods. An object that is made without the constructor is preferred, unless it has no description."""
    attributes = (*_NAMES, *_DESCRIPTIONS)
    if not any(isinstance(inspect.getattr_static(kind, name, None), (property, FunctionType)) for name in attributes):
        return kind
    found = _read_without_constructor(kind)
    if found is not None and _has_description(found):
        return found
    try:
        created = _create_or_sample(kind, create)
    except Exception:
        if found is None:
            raise
        return found
    return created if found is None or _has_description(created) else found


def _has_description(source: Any) -> bool:
    return any(text_of(getattr(source, key, "")) for key in _DESCRIPTIONS)


def _read_without_constructor(kind: type) -> SimpleNamespace | None:
    """The name, description and schema that properties or methods return without the constructor, which may need the
    application; None if one of them fails."""
    try:
        instance = kind.__new__(kind)
        members = {key: getattr(instance, key, None) for key in (*_NAMES, *_DESCRIPTIONS, *_SCHEMA_MEMBERS, "required")}
        values = {key: member() if inspect.ismethod(member) and key not in _RUN_METHODS else member for key, member in members.items()}
    except Exception:
        return None
    return SimpleNamespace(**values) if any(text_of(values[key]) for key in _NAMES) else None


def _read_definition(kind: type, member: str) -> dict[str, Any]:
    """The fields that a method or property such as `definition` returns; empty if it fails, or if there is none."""
    found: dict[str, Any] = {}
    if not member:
        return found
    # The object is made without the constructor if possible, since that may need the application.
    for make in (kind.__new__, _make_sample):
        try:
            fields = _read_fields(make(kind), member)
        except Exception:
            continue
        if text_of(fields.get("name")):
            return fields
        found = found or fields
    return found


def _read_fields(instance: Any, member: str) -> dict[str, Any]:
    """The fields that a method or property of an object returns, with a whole schema as `parameters`."""
    value = getattr(instance, member)
    value = value() if inspect.ismethod(value) or inspect.isfunction(value) else value
    fields = dict(value) if isinstance(value, dict) else dict(vars(value))
    if isinstance(inner := fields.get("function"), dict):  # in the format of OpenAI
        fields = dict(inner)
    listed = next((found for key in _PARAMETER_LISTS if isinstance(found := fields.get(key), (list, tuple))), None)
    if isinstance(named := fields.get("parameter_definitions"), dict):
        listed = [{**described, "name": name} for name, described in named.items()]
    schema, required = fields.get("parameters"), fields.get("required")
    if listed is not None:
        fields["parameters"] = _make_schema_of_list(item if isinstance(item, dict) else vars(item) for item in listed)
    elif "properties" in fields and not fields.keys() & {"name", "parameters", "input_schema", "inputSchema"}:
        fields = {"parameters": fields}  # the schema alone
    elif isinstance(schema, dict) and isinstance(required, (list, tuple)) and "properties" not in schema:
        fields["parameters"] = object_schema(schema, list(required))  # the properties, with `required` beside them
    return fields


def _make_schema_of_list(listed: Iterable[Any], method: FunctionType | None = None) -> dict[str, Any]:
    """The schema of parameters that are described one by one, each with a name, a type and a description.

    `method`: the method that takes them, if known.
    """
    properties: dict[str, Any] = {}
    described: dict[str, Any] = {}
    for fields in listed:
        schema = remove_missing({key: fields[key] for key in _PARAMETER_KEYS if key in fields})
        if schema.get("type") not in _TYPES:  # a word of Python, such as str
            schema.update(schema_of_words(text_of(schema.pop("type", ""))))
        properties[fields["name"]] = schema
        described[fields["name"]] = fields
    return object_schema(properties, list_required(described, method))


def _read_stored_definition(instance: Any) -> dict[str, Any]:
    """The fields of the definition that a constructor has stored as an attribute."""
    given = next((found for key in DEFINITION_MEMBERS if (found := getattr(instance, key, None)) is not None), None)
    return dict(given) if isinstance(given, dict) else dict(getattr(given, "__dict__", {}))


def _find_name(source: Any, fields: dict[str, Any]) -> str:
    given = [fields.get("name"), *(getattr(source, key, "") for key in _NAMES), *_list_given_texts(source)[:1]]
    return next((text for value in given if (text := text_of(value))), "")


def _find_description(kind: type, source: Any, fields: dict[str, Any]) -> str:
    descriptions = [getattr(source, key, "") for key in _DESCRIPTIONS]
    given = [*descriptions, fields.get("description"), *_list_given_texts(source)[1:2]]
    description = next((text for value in given if (text := text_of(value))), "")
    if not description and isinstance(descriptions[0], (Inert, InertType)):  # a text of a missing file
        return text_of(kind.__doc__) or kind.__name__
    return description


def _list_given_texts(instance: Any) -> list[str]:
    """The texts that the constructor of a missing base class got by position: the name, then the description."""
    given = vars(instance).get("_values", ()) if isinstance(instance, Inert) else ()
    return [text for value in given if (text := text_of(value))]
