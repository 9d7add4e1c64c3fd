"""Finds classes that are tools by themselves, such as subclasses of a BaseTool that the file or a missing file defines."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from types import FunctionType, SimpleNamespace
from typing import Any

from .annotations import hints_of, object_schema, schema_of
from .conversion import convert
from .inert import Inert, InertType
from .marks import Mark, text_of
from .modules.common import ARGUMENTS, Unavailable, call_with_dict, further_values, without_default, without_missing
from .schema_lists import described_in
from .source_nodes import DEFINITIONS

_RUNS = ("execute", "run", "_run", "call", "_call", "forward", "invoke", "__call__", "arun", "_arun", "_execute", "_invoke")
_SCHEMAS = ("parameters", "input_schema", "inputSchema", "args_schema", "parameters_schema", "schema", "inputs", "input_model", "args_model")


def marks_of_class(kind: type, instance: Callable[[type], Any]) -> list[Mark]:
    """The tool that a class is, without a framework's class behind it. `instance` makes an object of a class."""
    return _of_schema(kind) or _of_attributes(kind, instance)


def _of_schema(kind: type) -> list[Mark]:
    """The tool of a class that gives its schema by `get_info` or `to_dict`, and runs by `invoke`, `run`, `execute`."""
    give = next((one for name in ("get_info", "to_dict", "get_schema", "schema") if callable(one := getattr(kind, name, None))), None)
    run = next((name for name in ("invoke", "run", "execute", "forward", "__call__") if name in vars(kind)), "")
    if give is None or not run or not isinstance(inspect.getattr_static(kind, give.__name__, None), (staticmethod, classmethod)):
        return []
    try:
        said = described_in(give())
    except Exception:
        return []
    if said is None:
        return []
    is_static = isinstance(inspect.getattr_static(kind, run), (staticmethod, classmethod))
    target = getattr(kind, run)
    owner = None if is_static else kind
    return [Mark("tau-bench", target, name=said.name, description=said.description, schema=said.schema or None, owner=owner, explicit=True)]


def _of_attributes(kind: type, instance: Callable[[type], Any]) -> list[Mark]:
    """The tool of a class with a name and a description, as attributes or properties, and a method that runs it."""
    run = next((name for name in _RUNS if isinstance(vars(kind).get(name), FunctionType)), "")
    is_tool = "args_schema" in vars(kind) or any("tool" in one.__name__.lower() for one in kind.__mro__)
    if not run or not is_tool or inspect.isabstract(kind):
        return []
    method = vars(kind)[run]
    defined = next((name for name in DEFINITIONS if name in vars(kind)), "")
    says_itself = bool(defined or {"name", "description"} & vars(kind).keys())
    made = None if says_itself else _made_by_constructor(kind, instance)
    if not (says_itself or made is not None) or "NotImplementedError" in method.__code__.co_names:  # a base class, not a tool
        return []
    source = _source_of(kind, instance) if says_itself else made
    fields = _defined(kind, defined) if says_itself else _stored_definition(made)
    name, description = _name_of(kind, source, fields), _description_of(kind, source, fields)
    if not name or not description:
        return []
    found = Mark("plain", method, name=name, description=description, owner=kind)
    values = [fields.get(key, getattr(source, key, None)) for key in _SCHEMAS]
    given = next((one for one in values if isinstance(one, (dict, type)) and not isinstance(one, InertType)), None)
    return [found] if _add_schema(found, method, given) or (says_itself and _takes_nothing(method)) else []


def _source_of(kind: type, instance: Callable[[type], Any]) -> Any:
    """The class or an object of it, whichever has the name, description and schema of its tool."""
    if any(isinstance(inspect.getattr_static(kind, name, None), (property, FunctionType)) for name in ("name", "description")):
        return _said_by(kind) or instance(kind)
    return kind


def _stored_definition(made: Any) -> dict[str, Any]:
    """The fields of the definition that a constructor has stored."""
    given = next((one for key in DEFINITIONS if (one := getattr(made, key, None)) is not None), None)
    return dict(given) if isinstance(given, dict) else dict(getattr(given, "__dict__", {}))


def _name_of(kind: type, source: Any, fields: dict[str, Any]) -> str:
    return text_of(getattr(source, "name", "")) or text_of(fields.get("name")) or text_of(vars(kind).get("__cloche_name__"))


def _description_of(kind: type, source: Any, fields: dict[str, Any]) -> str:
    said = getattr(source, "description", "")
    description = text_of(said) or text_of(fields.get("description"))
    if not description and isinstance(said, (Inert, InertType)):  # a text of a missing file
        return text_of(kind.__doc__) or kind.__name__
    return description


def _add_schema(found: Mark, method: FunctionType, given: Any) -> bool:
    """Adds the schema, and a call if the method takes the arguments in another way. False if nothing tells what the
    method takes. `given`: the schema that the class gives, or a model."""
    said = described_in({"name": "tool", "parameters": _whole_schema(given, method)}) if isinstance(given, dict) else None
    if said is not None:
        found.schema = said.schema
        found.call = call_with_dict(method, said.schema, 1)
        taken = method.__code__.co_varnames[1 : method.__code__.co_argcount]
        if found.call is None and not method.__code__.co_flags & inspect.CO_VARARGS:
            # Values that the application passes beside those of the schema, such as a context
            found.hidden = {name: _unavailable(name) for name in without_default(method, taken) if name not in said.schema.get("properties", {})}
        return True
    if isinstance(given, type) and hasattr(given, "model_fields"):
        whole = _takes_whole(method, given)
        found.model = None if whole else given
        found.schema = schema_of(given) if whole else None
        found.call = whole
        return True
    return _is_typed(method)


def _whole_schema(given: dict[str, Any], method: FunctionType) -> dict[str, Any]:
    """The schema; of a dict that has only the properties, one whose required parameters the method tells."""
    given = without_missing(given)
    if not given or not all(isinstance(one, dict) and "type" in one for one in given.values()):
        return given
    return object_schema(given, without_default(method, given))


def _made_by_constructor(kind: type, instance: Callable[[type], Any]) -> Any:
    """An object of a class whose base class is a tool, and whose constructor may set the name; None if the constructor needs
    arguments."""
    if "__init__" not in vars(kind) or not any(one.__name__.endswith("Tool") for one in kind.__mro__[1:-1]):
        return None
    try:
        return instance(kind)
    except Exception:
        return None


def _said_by(kind: type) -> SimpleNamespace | None:
    """The name, description and schema that properties or methods return without the constructor, which may need the
    application; None if one of them fails."""
    try:
        made = kind.__new__(kind)
        given = {key: getattr(made, key, None) for key in ("name", "description", *_SCHEMAS)}
        found = {key: one() if inspect.ismethod(one) and key not in _RUNS else one for key, one in given.items()}
    except Exception:
        return None
    return SimpleNamespace(**found) if text_of(found["name"]) else None


def _defined(kind: type, defined: str) -> dict[str, Any]:
    """The name, description and schema that a method or property such as `definition` returns; empty if it fails, or
    if there is none."""
    if not defined:
        return {}
    try:
        value = getattr(kind.__new__(kind), defined)  # without the constructor, which may need the application
        value = value() if inspect.ismethod(value) or inspect.isfunction(value) else value
        fields = dict(value) if isinstance(value, dict) else dict(vars(value))
        inner = fields.get("function")
        fields = dict(inner) if isinstance(inner, dict) else fields
        listed = next((one for key in ("parameters", "params", "inputs") if isinstance(one := fields.get(key), (list, tuple))), None)
        if listed is not None:
            fields["parameters"] = _schema_of_fields(one if isinstance(one, dict) else vars(one) for one in listed)
    except Exception:
        return {}
    return fields


def _schema_of_fields(listed: Iterable[Any]) -> dict[str, Any]:
    """The schema of parameters that are described one by one, each with a name, a type and a description."""
    properties: dict[str, Any] = {}
    required = []
    for one in listed:
        properties[one["name"]] = without_missing({key: one[key] for key in ("type", "description", "enum", "default", "items") if key in one})
        if one.get("required", "default" not in one) is True:
            required.append(one["name"])
    return object_schema(properties, required)


def _takes_whole(method: FunctionType, model: type) -> Callable[..., Any] | None:
    """The function that calls a method whose first parameter takes all arguments; None for other methods. Further parameters
    get placeholders for values that only the application has."""
    code = method.__code__
    taken = code.co_varnames[1 : code.co_argcount]
    if not taken or taken[0] in getattr(model, "model_fields", {}):
        return None
    hint = hints_of(method).get(taken[0])
    further = further_values(method, taken)
    return lambda tool, **named: method(tool, convert(named, hint) if isinstance(hint, type) else named, **further)


def _is_typed(method: FunctionType) -> bool:
    code = method.__code__
    taken = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    hints = hints_of(method)
    runs_others = len(taken) > 1 and taken[1] in ARGUMENTS  # run(name, arguments)
    return bool(taken) and taken[0] not in ARGUMENTS and not runs_others and all(name in hints for name in taken)


def _takes_nothing(method: FunctionType) -> bool:
    return method.__code__.co_argcount == 1 and not method.__code__.co_kwonlyargcount


def _unavailable(name: str) -> Callable[[Any], Any]:
    return lambda call: Unavailable(name)
