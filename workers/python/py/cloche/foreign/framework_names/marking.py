"""What all stand-ins share: records, marks for functions with options, and decorators that mark functions.

The other modules of this package make the names of frameworks with it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..argument_dicts import call_with_dict
from ..frameworks import framework_of
from ..inert import Inert, InertType, may_be_decorated
from ..marks import FUNCTIONS, Mark, current_collector, record_mark, text_of
from ..unavailable import Unavailable

# An attribute of a class, a marker or a default. A parameter that has it is supplied, and hidden from models. The
# attribute is a function that gets the call (see `injected_arguments.Call`) and returns the value.
INJECTED = "__cloche_injected__"
# Options that ask for the user's approval before a call.
_CONFIRMATIONS = (
    "requires_confirmation", "needs_approval", "requires_approval", "require_confirmation", "confirm",
    "approval_mode",
)
# Hints of MCP in snake case, as some frameworks write them.
_HINTS = {
    "read_only_hint": "readOnlyHint", "destructive_hint": "destructiveHint", "idempotent_hint": "idempotentHint",
    "open_world_hint": "openWorldHint",
}


class Record:
    """An object with the attributes that it is made with."""

    def __init__(self, *values: Any, **named: Any) -> None:
        for name, value in zip(getattr(type(self), "FIELDS", ()), values):
            setattr(self, name, value)
        for name, value in named.items():
            setattr(self, name, value)

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in vars(self).items())})"

    def model_dump(self, **named: Any) -> dict[str, Any]:
        return dict(vars(self))


def make_record(name: str, *fields: str, **attributes: Any) -> type:
    """A class of records; `fields` may be given by position."""
    return type(name, (Record,), {"FIELDS": fields, **attributes})


def make_injected(supply: Callable[[Any], Any], name: str = "Injected", **attributes: Any) -> Any:
    """A class whose parameters the framework supplies: `supply(call)` returns the value."""
    return type(name, (Record,), {INJECTED: staticmethod(supply), **attributes})


def find_first(options: Mapping[str, Any], *keys: str) -> Any:
    """The first of these values that is given."""
    return next((options[key] for key in keys if options.get(key) is not None), None)


def unwrap_method(value: Any) -> Any:
    """The function inside a static or class method; other values stay as they are."""
    return value.__func__ if isinstance(value, (staticmethod, classmethod)) else value


def is_function(value: Any) -> bool:
    """Whether a decorator was called with its function, not with an option."""
    return isinstance(value, (*FUNCTIONS, staticmethod, classmethod, partial)) or inspect.ismethod(value) or inspect.isbuiltin(value)


def make_mark(framework: str, function: Any, options: Mapping[str, Any]) -> Mark:
    """The mark for a function, with options that most frameworks name alike."""
    name, description = (find_first(options, key, f"{key}_override") for key in ("name", "description"))
    function = unwrap_method(function)
    return Mark(
        framework,
        function,
        name=text_of(name),
        description=text_of(description),
        flags=read_flags(options),
        is_copy=is_copy(name, description) or _converts_tool(function, name),
    )


def is_copy(name: Any, description: Any) -> bool:
    """Whether only the application knows the name and the description: the file converts tools of any kind."""
    return all(isinstance(text, Unavailable) and text.is_of_application for text in (name, description))


def _converts_tool(function: Any, name: Any) -> bool:
    """Whether a function takes any arguments and gets its name from a missing file: it only converts a tool of that file."""
    code = getattr(function, "__code__", None)
    takes_anything = code is not None and not code.co_argcount and not code.co_kwonlyargcount and code.co_flags & inspect.CO_VARKEYWORDS
    return bool(takes_anything) and isinstance(name, (Inert, InertType))


def read_flags(options: Mapping[str, Any]) -> dict[str, Any]:
    """Keys of a tool spec for options that frameworks have in common."""
    flags: dict[str, Any] = {}
    if any(map(_asks_for_approval, (options.get(key) for key in _CONFIRMATIONS))):  # one option that asks is enough
        flags["requires_approval"] = True
    annotations = _read_annotations(options)
    if annotations:
        flags["annotations"] = annotations
    seconds = find_first(options, "timeout", "timeout_s")
    if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and 0 < seconds <= 3_600:
        flags["timeout_s"] = seconds
    return flags


def _asks_for_approval(value: Any) -> bool:
    return value is True or value == "always_require" or (callable(value) and not isinstance(value, Inert))


def _read_annotations(options: Mapping[str, Any]) -> dict[str, Any]:
    """The hints and the title, as MCP has them, in camel case or in snake case."""
    given = options.get("annotations")
    hints = given if isinstance(given, dict) else vars(given) if isinstance(given, Record) else {}
    found: dict[str, Any] = {key: hints[key] for key in _HINTS.values() if isinstance(hints.get(key), bool)}
    found.update({key: hints[snake] for snake, key in _HINTS.items() if isinstance(hints.get(snake), bool)})
    title = find_first(options, "title") or hints.get("title")
    if isinstance(title, str) and title.strip():
        found["title"] = title
    return found


def make_marker(
    framework: str,
    finish: Callable[[Mark, dict[str, Any]], None] | None = None,
    mark_class: Callable[[type, dict[str, Any]], None] | None = None,
) -> Callable[..., Any]:
    """The framework's `tool`: a decorator with or without options, and a function that takes the function first.

    `finish`: completes the mark with the options of this framework. `mark_class`: marks a decorated class.
    """

    def tool(*values: Any, **named: Any) -> Any:
        """Marks a function as a tool."""
        function = next((value for value in values if is_function(value)), named.get("fn") or named.get("func"))
        texts = [value for value in values if isinstance(value, str)]
        options = {**dict(zip(("name", "description"), texts)), **named}

        def decorate(given: Any) -> Any:
            if isinstance(given, type):
                name = text_of(options.get("name"))
                if name:
                    given.__cloche_name__ = name  # type: ignore[attr-defined]
                if mark_class:
                    mark_class(given, options)
                return given
            mark = make_mark(framework, given, options)
            if finish:
                finish(mark, options)
            record_mark(mark)
            return given

        if len(values) == 1 and isinstance(values[0], type):
            return decorate(values[0])
        return decorate if function is None else decorate(function)

    return tool


def make_marker_of(module: str) -> Callable[..., Any]:
    """The decorator `tool` of an object whose class comes from this module: a framework's, or a missing one."""
    framework = framework_of(module)
    return make_marker(framework.id) if framework else make_marker("plain", add_described_schema)


def make_marker_in_use() -> Callable[..., Any]:
    """The decorator `tool` of the first framework that the file has imported."""
    collector = current_collector()
    used = [module for module in collector.used if framework_of(module)] if collector else []
    return make_marker_of(used[0] if used else "")


def register_described(*values: Any, **named: Any) -> Any:
    """The `register` of a missing registry. As a decorator, it marks a function that it describes, and nothing else."""
    options = next((value for value in values if isinstance(value, dict)), named)
    if len(values) == 1 and not named and may_be_decorated(values[0], sys._getframe(1)):
        return values[0]

    def decorate(given: Any) -> Any:
        if text_of(find_first(options, "description")) and is_function(given):
            mark = make_mark("plain", given, {**named, **options})
            add_described_schema(mark, options)
            record_mark(mark)
        return given

    return decorate


def add_described_schema(mark: Mark, options: Mapping[str, Any], *, skipped: int = 0) -> None:
    """Adds the schema that the options of a decorator give, if the function takes its arguments by name or as one dict.

    `skipped`: 1 for a method, whose first parameter is self; 0 for other functions.
    """
    function, schema = mark.target, find_first(options, "inputSchema", "input_schema", "parameters", "schema")
    inner = schema.get("function") if isinstance(schema, dict) else None
    if isinstance(inner, dict):  # the item of a list in the format of OpenAI
        mark.description, schema = text_of(inner.get("description")) or mark.description, inner.get("parameters")
    code = getattr(function, "__code__", None)
    if code is None or not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return
    schema = {"type": "object", **schema}
    parameters = code.co_varnames[skipped : code.co_argcount + code.co_kwonlyargcount]
    call = call_with_dict(function, schema, skipped=skipped)
    if call is not None or code.co_flags & inspect.CO_VARKEYWORDS or schema["properties"].keys() <= set(parameters):
        mark.schema, mark.call = schema, call or mark.call
