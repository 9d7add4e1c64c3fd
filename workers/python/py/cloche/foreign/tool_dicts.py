"""Finds the tools that a file describes as data: dicts and lists in the formats of OpenAI, Anthropic, Gemini and Bedrock.

`read_description` reads one description. `find_described_tools` finds the descriptions in a module, and the function of
the file that runs each tool. Used by `collection`.
"""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from ..schema_dialect import in_json_schema
from .annotation_schemas import object_schema
from .annotations import hints_of
from .argument_dicts import ARGUMENTS, call_with_dict, list_positional, list_without_default, takes_all_as_dict
from .conversion import convert
from .docstrings import schema_of_words
from .framework_names.marking import Record
from .inert import Inert, InertType
from .marks import FUNCTIONS, Mark, mark_of, text_of
from .read_keys import takes_json
from .tool_syntax import DISPATCHERS, RUNNER_KEYS, is_tool_dict, is_tool_list
from .unavailable import Unavailable

_FUNCTIONS = 200  # the number of items in a dict from names to functions
_ITEMS = 1_000  # the number of items in a list of descriptions
_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "parameters_json_schema")
_RETURNED = "a list"  # stands for the variable of a list inside a function
_NAME = re.compile(r"[\w.\-]{1,100}")  # providers allow no spaces
# Before the name of a tool in the name of the function that runs it.
_PREFIXES = ("_tool_", "tool_", "_handle_", "handle_", "_execute_", "execute_", "_run_", "run_", "_do_", "do_", "_")


class Described(NamedTuple):
    """One described tool, in any format."""

    name: str
    description: str
    schema: dict[str, Any]  # empty if only the function tells its parameters
    framework: str
    runner: FunctionType | MethodType | None = None  # the function that the dict has itself

    def make_mark(self, function: Any, **options: Any) -> Mark:
        """The mark of the tool with the function that runs it."""
        options = {"schema": self.schema or None, **options}
        return Mark(self.framework, function, name=self.name, description=self.description, **options)


def read_description(value: Any) -> Described | None:
    """The tool that a dict describes in the format of OpenAI (wrapped or flat), Anthropic, Gemini or Bedrock, or a record
    such as MCP's Tool; otherwise None."""
    if isinstance(value, (Record, Inert)) and not isinstance(value, Unavailable):
        value = {key: member for key, member in vars(value).items() if key in ("name", "description", *_SCHEMA_KEYS)}
    if not isinstance(value, dict):
        return None
    if set(value) == {"toolSpec"} and isinstance(value["toolSpec"], dict):
        value = _unwrap_bedrock(value["toolSpec"])
    inner = value.get("function") if value.get("type") == "function" and isinstance(value.get("function"), dict) else value
    name, description = inner.get("name"), text_of(inner.get("description"))
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return None
    schema = next((inner[key] for key in _SCHEMA_KEYS if isinstance(inner.get(key), dict)), None)
    runner = _find_runner_in(inner, value)
    wrapped = schema.get("json") if schema is not None and "properties" not in schema else None
    if isinstance(wrapped, dict):
        return Described(name, description, _read_schema(wrapped), "strands")
    if schema is None:
        # A schema of a missing file says nothing.
        is_missing = any(isinstance(inner.get(key), (Inert, InertType)) for key in _SCHEMA_KEYS)
        if is_missing or (runner is not None and description):
            return Described(name, description, {}, "openai", runner)
        if inner is value and value.get("type") != "function":
            return None
        schema = {"type": "object", "properties": {}}
    words = {key: schema_of_words(word) if isinstance(word, str) else {} for key, word in schema.items()}
    if "properties" not in schema and words and all(words.values()):  # {"city": "str"}
        schema = object_schema(words, list(words))
    elif "properties" not in schema and schema and all(map(_is_property, schema.values())):  # {"city": {"type": "string"}}
        schema = complete_properties(schema)
    if schema.get("type", "object") not in ("object", "OBJECT") or ("properties" not in schema and schema.get("type") is None):
        return None
    framework = "anthropic" if "input_schema" in inner else "openai"
    return Described(name, description, _read_schema(schema), framework, runner)


def _is_property(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str)


def complete_properties(properties: dict[str, Any], method: FunctionType | None = None) -> dict[str, Any]:
    """The schema of parameters, each of which may say that it is required. `method`: the method that takes them, if known."""
    kept = {
        # A list `required` is about the members of an object.
        name: {key: value for key, value in member.items() if key != "required" or isinstance(value, list)}
        for name, member in properties.items()
    }
    return object_schema(kept, list_required(properties, method))


def list_required(described: dict[str, Any], method: FunctionType | None = None) -> list[str]:
    """The names of the parameters that are required. Each may say with `required` whether it is.

    If a parameter does not say so, its default decides, or else the method that takes it. If neither does, it is required
    unless other parameters say that they are.
    """
    flags = {name: fields["required"] for name, fields in described.items() if isinstance(fields.get("required"), bool)}
    known = inspect.signature(method).parameters if method is not None else {}
    needed = list_without_default(method, described) if method is not None else []
    others = True not in flags.values()
    return [
        name
        for name, fields in described.items()
        if flags.get(name, "default" not in fields and (name in needed if name in known else others))
    ]


def _unwrap_bedrock(spec: dict[str, Any]) -> dict[str, Any]:
    """The description inside a toolSpec of Bedrock's Converse, whose schema is inside `json`."""
    schema = spec.get("inputSchema")
    return {**spec, "inputSchema": schema.get("json") if isinstance(schema, dict) else schema}


def _find_runner_in(*described: dict[str, Any]) -> FunctionType | MethodType | None:
    """The function that a description has itself."""
    given = [fields.get(key) for fields in described for key in RUNNER_KEYS]
    return next((value for value in given if isinstance(value, (*FUNCTIONS, MethodType))), None)


def _read_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema as JSON Schema: Gemini's has types in capitals, and `nullable`."""
    if schema.get("type") != "OBJECT":
        return schema if "type" in schema else {"type": "object", **schema}
    read: dict[str, Any] = in_json_schema(schema).schema
    return read


def find_described_tools(module: ModuleType, inner: Iterable[Any], named: Mapping[str, str]) -> Iterator[Mark | tuple[Described, str]]:
    """Yields the tools that variables of the module describe, and those of lists inside its functions (`inner`).

    `named`: functions of the module, by the names that dicts inside its functions give them.
    """
    in_classes = (item for kind in list_classes(module) for item in vars(kind).items())
    return match_descriptions(module, [*vars(module).items(), *((_RETURNED, listed) for listed in inner), *in_classes], named)


def describes_any(value: Any) -> bool:
    """Whether a value describes a tool, or holds descriptions."""
    return next(_list_descriptions(_RETURNED, value), None) is not None


def match_descriptions(module: ModuleType, values: Iterable[tuple[str, Any]], named: Mapping[str, str]) -> Iterator[Mark | tuple[Described, str]]:
    """Yields the tools that these values describe, each with what runs it in the module. `values`: with the names of variables or
    of JSON files. For a tool that nothing in the file runs, yields the description, and the name of the variable or file."""
    found: dict[str, tuple[Described, str]] = {}
    for variable, value in values:
        for described in _list_descriptions(variable, value):
            if described.schema or _names_tools(variable):  # otherwise it may be a command of a menu
                found.setdefault(described.name, (described, variable))
    for described, variable in found.values():
        mark = _mark_own_runner(described) or _find_runner(module, described)
        if mark is None and described.name in named:
            mark = _mark_named(module, described, named[described.name])
        if mark is None and len(found) == 1 and is_tool_dict(variable):
            mark = _find_only_runner(module, described)
        yield mark if mark is not None else (described, variable)


def _mark_named(module: ModuleType, described: Described, name: str) -> Mark | None:
    """The mark of a tool for which a dict inside a function names a function, or a method as self.add."""
    function = vars(module).get(name)
    if isinstance(function, FunctionType):
        return _mark_function(described, function)
    methods = [(kind, vars(kind).get(name.removeprefix("self."))) for kind in list_classes(module)] if name.startswith("self.") else []
    found = next(((kind, method) for kind, method in methods if isinstance(method, FunctionType)), None)
    return None if found is None else _mark_method(described, *found)


def _mark_method(described: Described, kind: type, method: FunctionType) -> Mark:
    """The mark of a tool that a method runs."""
    return described.make_mark(method, owner=kind, call=call_with_dict(method, described.schema, skipped=1))


def _names_tools(variable: str) -> bool:
    return variable == _RETURNED or variable.endswith(".json") or is_tool_list(variable) or is_tool_dict(variable)


def _list_descriptions(variable: str, value: Any) -> Iterator[Described]:
    """Yields the tools that the value of a variable describes: one, a list, or a dict of lists."""
    if variable.startswith("__") or variable == "TOOL_SPECS":
        return
    described = read_description(value)
    if described is not None:
        yield described
        return
    items: Sequence[Any] = value if isinstance(value, (list, tuple)) else []
    if isinstance(value, dict):  # {"tools": […]}, {"function_declarations": […]}
        members = [_add_key(*member, variable) for member in list(dict.items(value))[:_ITEMS]]
        items = [item for member in members for item in (member[:_ITEMS] if isinstance(member, list) else [member])]
    for item in items[:_ITEMS]:
        declarations = item.get("functionDeclarations", item.get("function_declarations")) if isinstance(item, dict) else None
        for declaration in declarations if isinstance(declarations, list) else [item]:
            described = read_description(declaration)
            if described is not None:
                yield described


def _add_key(key: Any, member: Any, variable: str) -> Any:
    """The member of a dict such as TOOLS = {"add": {"description": "…", "parameters": {…}}} with its key as its name."""
    is_description = isinstance(member, dict) and "description" in member and not member.keys().isdisjoint(_SCHEMA_KEYS)
    return {"name": key, **member} if is_description and _names_tools(variable) and _find_runner_in(member) is None else member


def _mark_own_runner(described: Described) -> Mark | None:
    """The mark of a tool whose description has its function; None for other descriptions."""
    runner = described.runner
    if runner is None:
        return None
    call = call_with_dict(runner, described.schema) if described.schema else None
    return described._replace(framework="plain").make_mark(runner, explicit=True, call=call)


def _find_runner(module: ModuleType, described: Described) -> Mark | None:
    """The mark of a tool with what runs it: a function or method of its name, a function that runs all tools, or a call
    behind a comparison with its name. None if the file has none of these."""
    function = _find_function(module, described.name)
    if function is not None:
        return _mark_function(described, function)
    for kind in list_classes(module):
        for prefix in ("", *_PREFIXES):
            method = vars(kind).get(prefix + described.name)
            if isinstance(method, FunctionType):
                return _mark_method(described, kind, method)
            if isinstance(method, (staticmethod, classmethod)):
                return _mark_function(described, getattr(kind, prefix + described.name))
    described = described if described.schema else described._replace(schema={"type": "object", "properties": {}})
    for owner in (None, *list_classes(module)):
        dispatcher = _find_dispatcher(module if owner is None else owner)
        if dispatcher is not None:
            return _mark_dispatcher(described, *dispatcher, owner)
    from .compared_names import find_compared_call

    found = find_compared_call(module, described.name)
    return described.make_mark(found[0], call=found[1], explicit=True) if found is not None else None


def _find_only_runner(module: ModuleType, described: Described) -> Mark | None:
    """The mark of the only tool of a plugin, such as a module with TOOL_SCHEMA and execute(); None if no function of
    such a name takes the arguments."""
    for name in (*RUNNER_KEYS, "invoke", "handle"):
        function = vars(module).get(name)
        if isinstance(function, FunctionType) and function.__module__ == module.__name__ and _takes(function, described.schema):
            return _mark_function(described, function)
    return None


def _takes(function: FunctionType, schema: dict[str, Any]) -> bool:
    """Whether a function takes the arguments of a schema, by name or as one dict."""
    if call_with_dict(function, schema) is not None:
        return True
    code, properties = function.__code__, schema.get("properties", {})
    named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return properties.keys() <= set(named) and all(name in properties for name in list_without_default(function, named))


def _find_function(module: ModuleType, name: str) -> Any:
    """The function of this name in the module, or in a dict from names to functions; None if there is none."""
    plain = name.replace("-", "_").replace(".", "_")
    named = [vars(module).get(key) for key in (plain, name, *(prefix + plain for prefix in _PREFIXES[:4]))]
    found = next((value for value in named if callable(value) and not isinstance(value, (type, Inert))), None)
    if found is not None:
        return found
    for value in list(vars(module).values()):
        if isinstance(value, dict) and len(value) <= _FUNCTIONS and (function := _read_function(dict.get(value, name))) is not None:
            return function
    return _find_in_neighbours(module, plain)


def _read_function(item: Any) -> Any:
    """The function that a dict has for a tool: itself, or beside a model or a description in a tuple or dict. None if there is none."""
    if callable(item):
        return item
    if isinstance(item, dict):
        return _find_runner_in(item)
    functions = [part for part in item if isinstance(part, (*FUNCTIONS, MethodType))] if type(item) is tuple else []
    return functions[0] if len(functions) == 1 else None


def _find_in_neighbours(module: ModuleType, name: str) -> Any:
    """The function of this name in a module of the same folder that the file imports: getattr(my_tools, name)."""
    folder = os.path.dirname(text_of(vars(module).get("__file__")))
    for value in list(vars(module).values()):
        file = text_of(vars(value).get("__file__")) if type(value) is ModuleType else ""
        function = vars(value).get(name) if folder and file.startswith(folder + os.sep) else None
        if isinstance(function, FunctionType) and function.__module__ == value.__name__:
            return function
    return None


def _mark_function(described: Described, function: Any) -> Mark:
    """The mark of a tool that a function runs."""
    mark = described.make_mark(function, explicit=True)
    if described.framework == "strands":
        # A tool that is a module gets its arguments inside the model's request.
        mark.call = lambda **given: function({"toolUseId": described.name, "name": described.name, "input": given})
    elif described.schema and takes_all_as_dict(function, described.schema):
        mark.call = lambda **given: function(_convert_to_declared(function, given))
    elif described.schema and (call := call_with_dict(function, described.schema)) is not None:
        mark.call = call
    elif described.schema and isinstance(getattr(function, "__func__", function), FunctionType):
        # Values that the application passes beside those of the schema, such as a token
        positional = list_without_default(function, list_positional(function))
        mark.hidden = {name: partial(_make_unavailable, name) for name in positional if name not in described.schema.get("properties", {})}
    return mark


def _make_unavailable(name: str, call: Any) -> Unavailable:
    """Supplies a value that only the application has."""
    return Unavailable(name)


def _convert_to_declared(function: FunctionType | MethodType, given: dict[str, Any]) -> Any:
    """The arguments as the class that the function's only parameter names."""
    hint = hints_of(function).get(list_positional(function)[0])
    return convert(given, hint) if isinstance(hint, type) else given


def _find_dispatcher(space: ModuleType | type) -> tuple[FunctionType, tuple[str, ...]] | None:
    """The function of a module, or the method of a class, that takes a tool's name and its arguments as a dict; with the
    names of its further parameters."""
    module = space.__module__ if isinstance(space, type) else space.__name__
    for name, value in list(vars(space).items()):
        if not isinstance(value, FunctionType) or value.__module__ != module or mark_of(value):
            continue
        code = value.__code__
        parameters = code.co_varnames[1 if isinstance(space, type) else 0 : code.co_argcount]  # without self
        if len(parameters) < 2:
            continue
        if name.strip("_") in DISPATCHERS or ("name" in parameters[0] and parameters[1] in ARGUMENTS):
            return value, parameters[2 : len(parameters) - len(value.__defaults__ or ())]
    return None


def _mark_dispatcher(described: Described, dispatcher: FunctionType, needed: tuple[str, ...], owner: type | None) -> Mark:
    """The mark of a tool that a dispatcher runs. `needed`: its further parameters, whose values only the application has."""
    further = {name: Unavailable(name) for name in needed}
    write = json.dumps if takes_json(dispatcher, 1 if owner is None else 2) else dict

    def call_function(**given: Any) -> Any:
        return dispatcher(described.name, write(given), **further)

    def call_method(tool: Any, **given: Any) -> Any:
        return dispatcher(tool, described.name, write(given), **further)

    return described.make_mark(dispatcher, owner=owner, call=call_function if owner is None else call_method, explicit=True)


def list_classes(module: ModuleType) -> list[type]:
    """The classes that a module defines."""
    return [value for value in list(vars(module).values()) if isinstance(value, type) and value.__module__ == module.__name__]
