"""Finds the tool that a class of the file is by itself, without a framework's class that is known.

Examples are subclasses of a BaseTool that the file or a missing file defines. Used by `collection` for each class of
the file; a `Mark` comes out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from types import FunctionType, SimpleNamespace
from typing import Any

from .annotations import hints_of
from .argument_dicts import ARGUMENTS, call_with_dict, list_without_default, make_further_values
from .conversion import convert
from .inert import Inert, InertType
from .inert import remove_missing
from .marks import Mark, text_of
from .schema_lists import read_description
from .schemas import object_schema, schema_of
from .tool_syntax import DEFINITION_MEMBERS
from .unavailable import Unavailable

# Methods that run a tool, the usual ones first.
_RUN_METHODS = ("execute", "run", "_run", "call", "_call", "forward", "invoke", "__call__", "arun", "_arun", "_execute", "_invoke")
# Attributes and methods for the schema of the arguments, or for a model of them.
_SCHEMA_MEMBERS = ("parameters", "input_schema", "inputSchema", "args_schema", "parameters_schema", "schema", "inputs", "input_model", "args_model")
# Static methods that return the whole description of a tool, and methods that run it in such classes.
_INFO_METHODS = ("get_info", "to_dict", "get_schema", "schema")
_INFO_RUN_METHODS = ("invoke", "run", "execute", "forward", "__call__")
# Keys for parameters that are described one by one.
_PARAMETER_LISTS = ("parameters", "params", "inputs")
_PARAMETER_KEYS = ("type", "description", "enum", "default", "items")


def find_class_tool(kind: type, create: Callable[[type], Any]) -> Mark | None:
    """The tool that a class is; None for other classes. `create` makes an object of a class."""
    return _find_tool_with_info(kind) or _find_tool_with_attributes(kind, create)


def _find_tool_with_info(kind: type) -> Mark | None:
    """The tool of a class with a static method such as `get_info`, which describes it, and a method that runs it."""
    give = next((found for name in _INFO_METHODS if callable(found := getattr(kind, name, None))), None)
    run = next((name for name in _INFO_RUN_METHODS if name in vars(kind)), "")
    if give is None or not run or not _is_static(kind, give.__name__):
        return None
    try:
        described = read_description(give())
    except Exception:
        return None
    if described is None:
        return None
    owner = None if _is_static(kind, run) else kind
    return Mark(
        "tau-bench",
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
    """The tool of a class with a name and a description, as attributes or properties, and a method that runs it."""
    run = next((name for name in _RUN_METHODS if isinstance(vars(kind).get(name), FunctionType)), "")
    is_tool = "args_schema" in vars(kind) or any("tool" in base.__name__.lower() for base in kind.__mro__)
    if not run or not is_tool or inspect.isabstract(kind):
        return None
    method = vars(kind)[run]
    definition_member = next((name for name in DEFINITION_MEMBERS if name in vars(kind)), "")
    describes_itself = bool(definition_member or {"name", "description"} & vars(kind).keys())
    instance = None if describes_itself else _create_with_constructor(kind, create)
    is_base_class = "NotImplementedError" in method.__code__.co_names
    if is_base_class or not (describes_itself or instance is not None):
        return None
    if describes_itself:
        source, fields = _find_source(kind, create), _read_definition(kind, definition_member)
    else:
        source, fields = instance, _read_stored_definition(instance)
    name, description = _find_name(kind, source, fields), _find_description(kind, source, fields)
    if not name or not description:
        return None
    mark = Mark("plain", method, name=name, description=description, owner=kind)
    values = [fields.get(key, getattr(source, key, None)) for key in _SCHEMA_MEMBERS]
    given = next((value for value in values if isinstance(value, (dict, type)) and not isinstance(value, InertType)), None)
    is_known = _add_schema(mark, method, given) or (describes_itself and _takes_nothing(method))
    return mark if is_known else None


def _create_with_constructor(kind: type, create: Callable[[type], Any]) -> Any:
    """An object of a class whose base class is a tool, and whose constructor may set the name; None for other classes,
    and if the constructor needs arguments."""
    if "__init__" not in vars(kind) or not any(base.__name__.endswith("Tool") for base in kind.__mro__[1:-1]):
        return None
    try:
        return create(kind)
    except Exception:
        return None


def _find_source(kind: type, create: Callable[[type], Any]) -> Any:
    """What has the name, description and schema of a tool: the class itself, or an object if they are properties or
    methods."""
    if any(isinstance(inspect.getattr_static(kind, name, None), (property, FunctionType)) for name in ("name", "description")):
        return _read_without_constructor(kind) or create(kind)
    return kind


def _read_without_constructor(kind: type) -> SimpleNamespace | None:
    """The name, description and schema that properties or methods return without the constructor, which may need the
    application; None if one of them fails."""
    try:
        instance = kind.__new__(kind)
        members = {key: getattr(instance, key, None) for key in ("name", "description", *_SCHEMA_MEMBERS)}
        values = {key: member() if inspect.ismethod(member) and key not in _RUN_METHODS else member for key, member in members.items()}
    except Exception:
        return None
    return SimpleNamespace(**values) if text_of(values["name"]) else None


def _read_definition(kind: type, member: str) -> dict[str, Any]:
    """The fields that a method or property such as `definition` returns; empty if it fails, or if there is none."""
    if not member:
        return {}
    try:
        value = getattr(kind.__new__(kind), member)  # without the constructor, which may need the application
        value = value() if inspect.ismethod(value) or inspect.isfunction(value) else value
        fields = dict(value) if isinstance(value, dict) else dict(vars(value))
        inner = fields.get("function")
        fields = dict(inner) if isinstance(inner, dict) else fields
        listed = next((found for key in _PARAMETER_LISTS if isinstance(found := fields.get(key), (list, tuple))), None)
        if listed is not None:
            fields["parameters"] = _make_schema_of_list(item if isinstance(item, dict) else vars(item) for item in listed)
    except Exception:
        return {}
    return fields


def _make_schema_of_list(listed: Iterable[Any]) -> dict[str, Any]:
    """The schema of parameters that are described one by one, each with a name, a type and a description."""
    properties: dict[str, Any] = {}
    required = []
    for fields in listed:
        properties[fields["name"]] = remove_missing({key: fields[key] for key in _PARAMETER_KEYS if key in fields})
        if fields.get("required", "default" not in fields) is True:
            required.append(fields["name"])
    return object_schema(properties, required)


def _read_stored_definition(instance: Any) -> dict[str, Any]:
    """The fields of the definition that a constructor has stored as an attribute."""
    given = next((found for key in DEFINITION_MEMBERS if (found := getattr(instance, key, None)) is not None), None)
    return dict(given) if isinstance(given, dict) else dict(getattr(given, "__dict__", {}))


def _find_name(kind: type, source: Any, fields: dict[str, Any]) -> str:
    return text_of(getattr(source, "name", "")) or text_of(fields.get("name")) or text_of(vars(kind).get("__cloche_name__"))


def _find_description(kind: type, source: Any, fields: dict[str, Any]) -> str:
    given = getattr(source, "description", "")
    description = text_of(given) or text_of(fields.get("description"))
    if not description and isinstance(given, (Inert, InertType)):  # a text of a missing file
        return text_of(kind.__doc__) or kind.__name__
    return description


def _add_schema(mark: Mark, method: FunctionType, given: Any) -> bool:
    """Adds the schema to a mark, and a call if the method takes the arguments in another way than by name.

    `given`: the schema that the class gives, or a model. Returns False if nothing tells what the method takes.
    """
    described = read_description({"name": "tool", "parameters": _complete_schema(given, method)}) if isinstance(given, dict) else None
    if described is not None:
        mark.schema = described.schema
        mark.call = call_with_dict(method, described.schema, 1)
        if mark.call is None and not method.__code__.co_flags & inspect.CO_VARARGS:
            # Values that the application passes beside those of the schema, such as a context
            needed = list_without_default(method, _list_positional(method))
            mark.hidden = {name: _make_unavailable(name) for name in needed if name not in described.schema.get("properties", {})}
        return True
    if isinstance(given, type) and hasattr(given, "model_fields"):
        mark.call = _call_with_model(method, given)
        mark.schema = schema_of(given) if mark.call else None
        mark.model = None if mark.call else given
        return True
    return _is_typed(method)


def _complete_schema(given: dict[str, Any], method: FunctionType) -> dict[str, Any]:
    """The schema; of a dict that has only the properties, one whose required parameters the method tells."""
    given = remove_missing(given)
    if not given or not all(isinstance(member, dict) and "type" in member for member in given.values()):
        return given
    return object_schema(given, list_without_default(method, given))


def _call_with_model(method: FunctionType, model: type) -> Callable[..., Any] | None:
    """The function that calls a method whose first parameter takes all arguments; None for other methods.

    Further parameters get placeholders for values that only the application has.
    """
    parameters = _list_positional(method)
    if not parameters or parameters[0] in getattr(model, "model_fields", {}):
        return None
    hint = hints_of(method).get(parameters[0])
    further = make_further_values(method, parameters)
    return lambda tool, **named: method(tool, convert(named, hint) if isinstance(hint, type) else named, **further)


def _is_typed(method: FunctionType) -> bool:
    """Whether a method has an annotation for each parameter, and is not one that runs other tools: run(name, arguments)."""
    code, hints = method.__code__, hints_of(method)
    parameters = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    runs_others = len(parameters) > 1 and parameters[1] in ARGUMENTS
    return bool(parameters) and parameters[0] not in ARGUMENTS and not runs_others and all(name in hints for name in parameters)


def _takes_nothing(method: FunctionType) -> bool:
    return method.__code__.co_argcount == 1 and not method.__code__.co_kwonlyargcount


def _list_positional(method: FunctionType) -> tuple[str, ...]:
    """The names of the positional parameters after self."""
    return method.__code__.co_varnames[1 : method.__code__.co_argcount]


def _make_unavailable(name: str) -> Callable[[Any], Any]:
    """A supplier of a value that only the application has."""
    return lambda call: Unavailable(name)
