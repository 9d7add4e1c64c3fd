"""Finds tools that a file describes as data: lists in the formats of OpenAI and Anthropic, with what runs them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from ..schema_dialect import in_json_schema
from .annotations import hints_of
from .conversion import convert
from .inert import Inert, InertType
from .marks import Mark, mark_of, text_of
from .modules.common import ARGUMENTS, Unavailable, call_with_dict, takes_all
from .source_nodes import RUNNERS, is_tool_dict, is_tool_list

_FUNCTIONS = 200
_SCHEMAS = ("parameters", "input_schema", "inputSchema")
_RETURNED = "a list"  # stands for the variable of a list inside a function
_NAME = re.compile(r"[\w.\-]{1,100}")  # providers allow no spaces


class Described(NamedTuple):
    """One described tool, in any format."""

    name: str
    description: str
    schema: dict[str, Any]  # empty if only the function tells its parameters
    framework: str
    runner: FunctionType | MethodType | None = None  # the function that the dict has itself


def described_in(value: Any) -> Described | None:
    """The tool that a dict describes in the format of OpenAI (wrapped or flat), Anthropic or Gemini; otherwise None."""
    if not isinstance(value, dict):
        return None
    if set(value) == {"toolSpec"} and isinstance(value["toolSpec"], dict):  # Bedrock's Converse
        inner = value["toolSpec"]
        schema = inner.get("inputSchema")
        value = inner = {**inner, "inputSchema": schema.get("json") if isinstance(schema, dict) else schema}
    inner = value.get("function") if value.get("type") == "function" and isinstance(value.get("function"), dict) else value
    schema = next((inner[key] for key in _SCHEMAS if isinstance(inner.get(key), dict)), None)
    name = inner.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return None
    given = [one.get(key) for one in (inner, value) for key in RUNNERS]
    runner = next((one for one in given if isinstance(one, (FunctionType, MethodType))), None)
    wrapped = schema.get("json") if schema is not None and "properties" not in schema else None
    if isinstance(wrapped, dict):
        return Described(name, text_of(inner.get("description")), _plain_schema(wrapped), "strands")
    if schema is None:
        # A schema of a missing file says nothing.
        is_missing = any(isinstance(inner.get(key), (Inert, InertType)) for key in _SCHEMAS)
        if is_missing or (runner is not None and text_of(inner.get("description"))):
            return Described(name, text_of(inner.get("description")), {}, "openai", runner)
        if inner is value and value.get("type") != "function":
            return None
        schema = {"type": "object", "properties": {}}
    if schema.get("type", "object") not in ("object", "OBJECT") or ("properties" not in schema and schema.get("type") is None):
        return None
    framework = "anthropic" if "input_schema" in inner else "openai"
    return Described(name, text_of(inner.get("description")), _plain_schema(schema), framework, runner)


def marks_of_lists(module: ModuleType, inner: Iterable[Any]) -> Iterator[Mark | tuple[Described, str]]:
    """Yields the tools of the module's lists and dicts, and of lists in its functions (`inner`). For a tool without a
    function, yields the tool and the variable that describes it."""
    seen: set[str] = set()
    for variable, value in [*vars(module).items(), *((_RETURNED, one) for one in inner)]:
        for one in _described_by(variable, value):
            if one.name in seen or not (one.schema or _names_tools(variable)):
                continue  # without parameters, it may be a command of a menu
            seen.add(one.name)
            found = _marked(one) or _runner_of(module, one)
            yield found if found is not None else (one, variable)


def _names_tools(variable: str) -> bool:
    return variable == _RETURNED or is_tool_list(variable) or is_tool_dict(variable)


def _marked(said: Described) -> Mark | None:
    """The mark of a tool whose dict has its function."""
    if said.runner is None:
        return None
    found = Mark("plain", said.runner, name=said.name, description=said.description, schema=said.schema or None, explicit=True)
    if said.schema:
        is_method = isinstance(said.runner, MethodType)
        call = call_with_dict(getattr(said.runner, "__func__", said.runner), said.schema, int(is_method))
        found.call = call and ((lambda **named: call(said.runner.__self__, **named)) if is_method else call)
    return found


def _described_by(variable: str, value: Any) -> Iterator[Described]:
    """The tools that the value of a variable describes: one, a list, or a dict of lists."""
    if variable.startswith("__") or variable == "TOOL_SPECS":
        return
    one = described_in(value)
    if one is not None:
        yield one
        return
    given: Sequence[Any] = value if isinstance(value, (list, tuple)) else []
    if isinstance(value, dict):  # {"tools": […]}, {"function_declarations": […]}
        members = list(dict.values(value))[:1_000]
        given = [each for one in members for each in (one[:1_000] if isinstance(one, list) else [one])]
    for item in given[:1_000]:
        inner = item.get("functionDeclarations", item.get("function_declarations")) if isinstance(item, dict) else None
        for each in inner if isinstance(inner, list) else [item]:
            found = described_in(each)
            if found is not None:
                yield found


def _runner_of(module: ModuleType, said: Described) -> Mark | None:
    """The tool with what runs it: a function or method of its name, a dispatcher, or a comparison with its name; None
    if the file has none of these."""
    function = _function_named(module, said.name)
    if function is not None:
        found = Mark(said.framework, function, name=said.name, description=said.description, schema=said.schema or None, explicit=True)
        if said.framework == "strands":
            # A tool that is a module gets its arguments inside the model's request.
            found.call = lambda **given: function({"toolUseId": said.name, "name": said.name, "input": given})
        elif said.schema and takes_all(function, said.schema, 0):
            found.call = lambda **given: function(_as_declared(function, given))
        return found
    for kind in classes_of(module):
        method = vars(kind).get(said.name)
        if isinstance(method, FunctionType):
            return Mark(said.framework, method, name=said.name, description=said.description, schema=said.schema or None, owner=kind)
    said = said if said.schema else said._replace(schema={"type": "object", "properties": {}})
    for kind in (None, *classes_of(module)):
        dispatcher = _dispatcher(module, 0) if kind is None else _dispatcher(kind, 1)
        if dispatcher is not None:
            return _dispatched(said, *dispatcher, kind)
    from .compared_names import caller_for

    called = caller_for(module, said.name)
    if called is None:
        return None
    return Mark(said.framework, called[0], name=said.name, description=said.description, schema=said.schema, call=called[1], explicit=True)


def _as_declared(function: FunctionType, given: dict[str, Any]) -> Any:
    """The arguments as the class that the function's only parameter names."""
    hint = hints_of(function).get(function.__code__.co_varnames[0])
    return convert(given, hint) if isinstance(hint, type) else given


def classes_of(module: ModuleType) -> list[type]:
    return [one for one in list(vars(module).values()) if isinstance(one, type) and one.__module__ == module.__name__]


def _dispatched(said: Described, dispatcher: FunctionType, needed: tuple[str, ...], owner: type | None) -> Mark:
    """The mark of a tool that a dispatcher runs. `needed`: its further parameters, which only the application knows."""
    named = {name: Unavailable(name) for name in needed}
    call = (lambda **given: dispatcher(said.name, given, **named)) if owner is None else (lambda tool, **given: dispatcher(tool, said.name, given, **named))
    found = Mark(said.framework, dispatcher, name=said.name, description=said.description, schema=said.schema, owner=owner, call=call)
    found.explicit = True
    return found


def _function_named(module: ModuleType, name: str) -> Any:
    plain = name.replace("-", "_").replace(".", "_")
    found = vars(module).get(plain) or vars(module).get(name)
    if callable(found) and not isinstance(found, type):
        return found
    for value in list(vars(module).values()):
        if isinstance(value, dict) and len(value) <= _FUNCTIONS and callable(value.get(name)):
            return value[name]
    return None


def _dispatcher(space: Any, skipped: int) -> tuple[FunctionType, tuple[str, ...]] | None:
    """The function or method that takes a tool's name and its arguments as a dict, and its further parameters."""
    module = space.__module__ if isinstance(space, type) else space.__name__
    for name, value in list(vars(space).items()):
        if not isinstance(value, FunctionType) or value.__module__ != module or mark_of(value):
            continue
        code = value.__code__
        taken = code.co_varnames[skipped : code.co_argcount]
        if len(taken) < 2 or not (name.strip("_") in _DISPATCHERS or ("name" in taken[0] and taken[1] in ARGUMENTS)):
            continue
        return value, taken[2 : len(taken) - len(value.__defaults__ or ())]
    return None


_DISPATCHERS = frozenset(
    ("process_tool_call", "handle_tool_call", "execute_tool", "execute_tool_call", "call_tool", "run_tool", "dispatch")
    + ("execute_function", "dispatch_tool", "dispatch_tool_call", "invoke_tool", "process_tool", "handle_tool")
)


def _plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema as JSON Schema: Gemini's has types in capitals, and `nullable`."""
    if schema.get("type") != "OBJECT":
        return schema if "type" in schema else {"type": "object", **schema}
    read: dict[str, Any] = in_json_schema(schema).schema
    return read
