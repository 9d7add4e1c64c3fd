"""Finds the tool that a class of the file is by itself, without a framework's class that is known.

Examples are subclasses of a BaseTool that the file or a missing file defines. Used by `class_tools` for each class of the
file; a `Mark` comes out. A class gives the name, the description and the schema of its tool in one of these ways:

- A static method or an attribute describes the whole tool: `_find_tool_with_info`.
- Attributes, properties or methods have one part each, or the constructor sets them; or a method or a property such as
  `definition` returns all of them: `_find_tool_with_attributes`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from types import FunctionType, SimpleNamespace
from typing import Any

from .annotation_schemas import object_schema, schema_of
from .annotations import hints_of
from .argument_dicts import ARGUMENTS, call_with_dict, list_positional, list_without_default, make_further_values
from .conversion import convert
from .docstrings import schema_of_words
from .inert import Inert, InertType, remove_missing
from .instances import list_constructor_parameters
from .marks import Mark, text_of
from .read_keys import infer_schema_of_keys, is_read
from .tool_dicts import Described, complete_properties, list_required, read_description
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
# Words in the description of a parameter that need not be given.
_OPTIONAL = re.compile(r"\bopt(ional)?\b|\(opc|\bdefaults?\b", re.IGNORECASE)
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
    is_complete = _add_schema(mark, method, given, source) or bool(registered) or (describes_itself and _takes_nothing(method))
    return mark if is_complete else None


def _find_schema(kind: type, source: Any, fields: dict[str, Any], method: FunctionType) -> Any:
    """The schema of the arguments, or a model of them, that a class gives; None if it gives neither."""
    values = [_convert_to_schema(fields.get(key) or _read_schema_member(kind, source, key), method) for key in _SCHEMA_MEMBERS]
    return next((value for value in values if isinstance(value, (dict, type)) and not isinstance(value, InertType)), None)


def _read_schema_member(kind: type, source: Any, key: str) -> Any:
    """The value of an attribute for the schema. A method is called without creating an object of its class."""
    value = getattr(source, key, None)
    if source is not kind or not isinstance(value, FunctionType):
        return value
    try:
        return value(kind.__new__(kind))
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


def _add_schema(mark: Mark, method: FunctionType, given: Any, source: Any) -> bool:
    """Adds the schema to a mark, and a call if the method takes the arguments in another way than by name.

    `given`: the schema that the class gives, or a model; `source`: what has it. Returns False if nothing says what the
    method takes.
    """
    described = _describe(_complete_schema(given, method, source)) if isinstance(given, dict) else None
    if described is None and not isinstance(given, type) and not _is_typed(method):
        described = _describe(_infer_schema(method) or None)
    if described is not None:
        mark.schema = described.schema
        mark.call = call_with_dict(method, described.schema, skipped=1)
        if mark.call is None and not method.__code__.co_flags & inspect.CO_VARARGS:
            # Values that the application passes beside those of the schema, such as a context
            needed = list_without_default(method, list_positional(method, skipped=1))
            mark.hidden = {name: _make_unavailable(name) for name in needed if name not in described.schema.get("properties", {})}
        return True
    if isinstance(given, type) and hasattr(given, "model_fields"):
        mark.call = _call_with_model(method, given)
        mark.schema = schema_of(given) if mark.call else None
        mark.model = None if mark.call else given
        return True
    return _is_typed(method)


def _describe(schema: dict[str, Any] | None) -> Described | None:
    """A description with this schema, converted from whichever format it has; None if it cannot be a schema."""
    return None if schema is None else read_description({"name": "tool", "parameters": schema})


def _complete_schema(given: dict[str, Any], method: FunctionType, source: Any) -> dict[str, Any]:
    """The schema, if the dict is one. If it has only the properties, or only a text for each, they become a schema. Required
    are those properties that say so, that a list `required` of the source names, or that the method needs."""
    given = remove_missing(given)
    texts = {name: text_of(member) for name, member in given.items()}
    are_texts = bool(given) and all(texts.values()) and "type" not in given
    are_properties = bool(given) and all(isinstance(member, dict) and "type" in member for member in given.values())
    if not are_texts and not are_properties:
        return given
    if any(isinstance(member, dict) and isinstance(member.get("required"), bool) for member in given.values()):
        return complete_properties(given, method)
    hints = hints_of(method)
    properties = {name: _make_property(text, hints.get(name)) for name, text in texts.items()} if are_texts else given
    listed = getattr(source, "required", None)
    if isinstance(listed, (list, tuple)):
        required = [name for name in listed if name in given]
    elif are_texts and hints.keys().isdisjoint(given):
        required = [name for name, text in texts.items() if not _OPTIONAL.search(text)]
    else:
        required = list_without_default(method, given)
    return object_schema(properties, required)


def _make_property(text: str, hint: Any) -> dict[str, Any]:
    """A parameter of which only a word for its type, or a description, is given, and perhaps an annotation."""
    typed = schema_of_words(text)
    return typed or {**(schema_of(hint) if hint is not None else {}), "description": text}


def _infer_schema(method: FunctionType) -> dict[str, Any] | None:
    """The schema of the keys that a method reads from the only parameter that has the arguments: a dict, or **kwargs."""
    code, positional = method.__code__, list_positional(method, skipped=1)
    if code.co_kwonlyargcount or (positional and positional[0] not in ARGUMENTS):
        return None
    name = positional[0] if positional else _find_keywords_name(method)
    return infer_schema_of_keys(method, name) if name else None


def _find_keywords_name(method: FunctionType) -> str:
    """The name of **kwargs; empty if a method has none."""
    code = method.__code__
    at = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    return code.co_varnames[at] if code.co_flags & inspect.CO_VARKEYWORDS else ""


def _call_with_model(method: FunctionType, model: type) -> Callable[..., Any] | None:
    """The function that calls a method whose first parameter takes all arguments; None for other methods.

    Further parameters get placeholders for values that only the application has.
    """
    parameters = list_positional(method, skipped=1)
    if not parameters or parameters[0] in getattr(model, "model_fields", {}):
        return None
    hint = hints_of(method).get(parameters[0])
    hint = model if isinstance(hint, InertType) else hint  # the annotation is a class of a missing file
    further = make_further_values(method, parameters)
    return lambda tool, **named: method(tool, convert(named, hint) if isinstance(hint, type) else named, **further)


def _is_typed(method: FunctionType) -> bool:
    """Whether a method has an annotation for each parameter, and is not one that runs other tools: run(name, arguments)."""
    code, hints = method.__code__, hints_of(method)
    parameters = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    runs_others = len(parameters) > 1 and parameters[1] in ARGUMENTS
    return bool(parameters) and parameters[0] not in ARGUMENTS and not runs_others and all(name in hints for name in parameters)


def _takes_nothing(method: FunctionType) -> bool:
    """Whether a method takes no arguments, or **kwargs that it does not read."""
    if method.__code__.co_argcount != 1 or method.__code__.co_kwonlyargcount:
        return False
    keywords = _find_keywords_name(method)
    return not keywords or not is_read(method, keywords)


def _make_unavailable(name: str) -> Callable[[Any], Any]:
    """The supply of a value that only the application has."""
    return lambda call: Unavailable(name)
