"""Parts that all stand-ins share: records, decorators that mark functions, and values that a framework supplies."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import FunctionType
from typing import Any

from ..frameworks import framework_of
from ..inert import Inert, InertType
from ..marks import Mark, current, is_importing, mark, text_of

# An attribute of a class, a marker or a default. A parameter that has it is supplied, and hidden from models. The
# attribute is a function that gets the call (see `injection.Call`) and returns the value.
INJECTED = "__cloche_injected__"
_CONFIRMATIONS = (
    "requires_confirmation", "needs_approval", "requires_approval", "require_confirmation", "confirm",
    "approval_mode",
)
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


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


_PARTS, _NAMED = 1_000, 200
_DECORATORS = ("tool", "tool_plain", "function_tool", "create_from_function", "upsert_from_function")
_OF_APPLICATION = "which only the application provides"

# Names of a parameter that takes all arguments as one dict.
ARGUMENTS = frozenset(
    ("arguments", "args", "input", "tool_input", "tool_args", "params", "parameters", "inputs", "function_args", "tool_arguments", "kwargs")
)


class Unavailable(Inert):
    """A value that cannot be had here, such as the dependencies of an agent, and everything that is made of it.

    While a file is imported, it is inert. Afterwards, any use raises an error that says why it is missing.
    """

    def __init__(self, named: str, why: str = _OF_APPLICATION, left: list[None] | None = None) -> None:
        self._named, self._why = named, why
        self._left = [None] * _PARTS if left is None else left  # for the value and all of its parts

    @property
    def is_of_application(self) -> bool:
        return self._why == _OF_APPLICATION

    def _part(self, named: str) -> Unavailable:
        if is_importing() and self._left:
            self._left.pop()  # a loop that waits for the end of a value must end
            return Unavailable(named[:_NAMED], self._why, self._left)
        raise RuntimeError(f"the tool uses {named[:_NAMED]}, {self._why}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        part = self._part(f"{self._named}.{name}")
        if name in _DECORATORS:
            part.__class__ = _Decorator
        return part

    def __fspath__(self) -> str:
        self._part(self._named)
        return "unavailable"

    def __getitem__(self, key: Any) -> Any:
        return self._part(f"{self._named}[{key!r}]")

    def __call__(self, *values: Any, **named: Any) -> Any:
        made = self._part(f"{self._named}()")
        return values[0] if len(values) == 1 and not named and isinstance(values[0], (FunctionType, type)) else made

    def __iter__(self) -> Any:
        self._part(self._named)
        return iter(())

    def __await__(self) -> Any:
        return self._part(self._named)
        yield

    def __enter__(self) -> Any:
        return self._part(self._named)

    async def __aenter__(self) -> Any:
        return self._part(self._named)

    def __str__(self) -> str:
        return format(self)


class _Decorator(Unavailable):
    """The decorator of a server or an agent that cannot be made: it marks tools."""

    def __call__(self, *values: Any, **named: Any) -> Any:
        part = self._part(self._named)
        made = marker_in_use()(*values, **named)
        return part if self._named.endswith("_from_function") else made


def _used(operator: str) -> Any:
    """An operator of inert values that first checks whether the value may be used."""
    does = getattr(Inert, operator)

    def use(self: Unavailable, *values: Any) -> Any:
        self._part(self._named)
        return does(self, *values)

    return use


for _name in (
    "len", "bool", "int", "index", "float", "format", "contains", "setitem", "delitem", "lt", "le", "gt", "ge", "add",
    "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "mod", "neg", "or", "and",
):
    setattr(Unavailable, f"__{_name}__", _used(f"__{_name}__"))


def record(name: str, *fields: str, **attributes: Any) -> type:
    """A class of records; `fields` may be given by position."""
    return type(name, (Record,), {"FIELDS": fields, **attributes})


def first(named: Mapping[str, Any], *keys: str) -> Any:
    """The first of these values that is given."""
    return next((named[key] for key in keys if named.get(key) is not None), None)


def function_under(value: Any) -> Any:
    """The function inside a static or class method."""
    return value.__func__ if isinstance(value, (staticmethod, classmethod)) else value


def is_function(value: Any) -> bool:
    """Whether a decorator was called with its function, not with an option."""
    return isinstance(value, (FunctionType, staticmethod, classmethod, partial)) or inspect.ismethod(value) or inspect.isbuiltin(value)


def flags_of(named: Mapping[str, Any]) -> dict[str, Any]:
    """Keys of a tool spec for options that frameworks have in common."""
    flags: dict[str, Any] = {}
    # One option that asks is enough, whatever the others say.
    asked = [named.get(key) for key in _CONFIRMATIONS]
    if any(one is True or one == "always_require" or (callable(one) and not isinstance(one, Inert)) for one in asked):
        flags["requires_approval"] = True
    given = named.get("annotations")
    hints = given if isinstance(given, dict) else vars(given) if isinstance(given, Record) else {}
    kept: dict[str, Any] = {key: hints[key] for key in _HINTS if isinstance(hints.get(key), bool)}
    snake = {"read_only_hint": _HINTS[0], "destructive_hint": _HINTS[1], "idempotent_hint": _HINTS[2], "open_world_hint": _HINTS[3]}
    kept.update({to: hints[key] for key, to in snake.items() if isinstance(hints.get(key), bool)})
    title = first(named, "title") or hints.get("title")
    if isinstance(title, str) and title.strip():
        kept["title"] = title
    if kept:
        flags["annotations"] = kept
    seconds = first(named, "timeout", "timeout_s")
    if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and 0 < seconds <= 3_600:
        flags["timeout_s"] = seconds
    return flags


def marker(framework: str, finish: Callable[[Mark, dict[str, Any]], None] | None = None) -> Callable[..., Any]:
    """The framework's `tool`: a decorator with or without options, and a function that takes the function first."""

    def tool(*values: Any, **named: Any) -> Any:
        """Marks a function as a tool."""
        function = next((one for one in values if is_function(one)), named.get("fn") or named.get("func"))
        words = [one for one in values if isinstance(one, str)]
        options = {**named}
        if words:
            options.setdefault("name", words[0])

        def take(given: Any) -> Any:
            if isinstance(given, type):
                if words:
                    given.__cloche_name__ = words[0]  # type: ignore[attr-defined]
                return given
            marked = make_mark(framework, given, options)
            if finish:
                finish(marked, options)
            mark(marked)
            return given

        if len(values) == 1 and isinstance(values[0], type):
            return values[0]
        return take if function is None else take(function)

    return tool


def marker_of(module: str) -> Callable[..., Any]:
    """The decorator `tool` of an object whose class comes from this module: a framework's, or a missing one."""
    framework = framework_of(module)
    return marker(framework.id) if framework else marker("plain", describe_parameters)


def marker_in_use() -> Callable[..., Any]:
    """The decorator `tool` of the first framework that the file has imported."""
    collector = current()
    used = [name for name in collector.used if framework_of(name)] if collector else []
    return marker_of(used[0] if used else "")


def register_described(*values: Any, **named: Any) -> Any:
    """The `register` of a missing registry. As a decorator, it marks a function that it describes, and nothing else."""
    said = next((one for one in values if isinstance(one, dict)), named)
    text = text_of(first(said, "description"))

    def take(given: Any) -> Any:
        if text and is_function(given):
            found = make_mark("plain", given, {**named, **said})
            describe_parameters(found, said)
            mark(found)
        return given

    return take


def describe_parameters(found: Mark, said: Mapping[str, Any]) -> None:
    """Adds the schema that the options of a decorator give, if the function takes its arguments by name or as one dict."""
    given, schema = found.target, first(said, "inputSchema", "input_schema", "parameters")
    code = getattr(given, "__code__", None)
    if code is None or not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return
    schema = {"type": "object", **schema}
    taken = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    call = call_with_dict(given, schema, 0)
    if call is not None or code.co_flags & inspect.CO_VARKEYWORDS or schema["properties"].keys() <= set(taken):
        found.schema, found.call = schema, call or found.call


def call_with_dict(function: Any, schema: Mapping[str, Any], skipped: int) -> Callable[..., Any] | None:
    """Calls a function that takes all arguments as one dict, and perhaps values that only the application has; None for
    others. `skipped`: 1 for self, which the call takes first."""
    code = function.__code__
    taken = code.co_varnames[skipped : code.co_argcount]
    is_dict = len(taken) > 1 and taken[0] in ARGUMENTS and taken[0] not in schema.get("properties", {})
    if not (is_dict or takes_all(function, schema, skipped)):
        return None
    further = further_values(function, taken)
    return lambda *own, **named: function(*own, named, **further)


def further_values(function: Any, taken: tuple[str, ...]) -> dict[str, Unavailable]:
    """Values for the parameters after the first one that have no default."""
    return {name: Unavailable(name) for name in taken[1 : len(taken) - len(function.__defaults__ or ())]}


def takes_all(function: Any, schema: Mapping[str, Any], skipped: int) -> bool:
    """Whether the function takes all arguments as one dict: its only parameter is none of the schema's. `skipped`: 1
    for self."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_argcount != skipped + 1 or code.co_kwonlyargcount:
        return False
    return code.co_varnames[skipped] not in schema.get("properties", {})


def without_missing(value: Any, depth: int = 20) -> Any:
    """The schema without the parts that come from missing files, and without an `enum` that has no other values."""
    if depth and isinstance(value, dict):
        items = [(key, one) for key, one in dict.items(value) if not isinstance(one, (Inert, InertType))]
        return {key: without_missing(one, depth - 1) for key, one in items if not (key == "enum" and isinstance(one, list) and not one)}
    if depth and isinstance(value, list):
        return [without_missing(one, depth - 1) for one in list.copy(value) if not isinstance(one, (Inert, InertType))]
    return value


def without_default(function: Callable[..., Any], names: Iterable[str]) -> list[str]:
    """Those of the names that are parameters of the function without a default."""
    taken = inspect.signature(function).parameters
    return [name for name in names if name in taken and taken[name].default is inspect.Parameter.empty]


def make_mark(framework: str, given: Any, options: Mapping[str, Any]) -> Mark:
    """The mark for a function, with options that most frameworks name alike."""
    said = [first(options, key, f"{key}_override") for key in ("name", "description")]
    name, description = map(text_of, said)
    function = function_under(given)
    return Mark(framework, function, name=name, description=description, flags=flags_of(options), is_copy=is_copy(*said) or _converts(function, said[0]))


def _converts(function: Any, name: Any) -> bool:
    """Whether a function takes any arguments and gets its name from a missing file: it only converts a tool of that file."""
    code = getattr(function, "__code__", None)
    takes_anything = code is not None and not code.co_argcount and not code.co_kwonlyargcount and code.co_flags & inspect.CO_VARKEYWORDS
    return bool(takes_anything) and isinstance(name, (Inert, InertType))


def is_copy(*said: Any) -> bool:
    """Whether only the application knows the name and the description: the file converts tools of any kind."""
    return all(isinstance(one, Unavailable) and one.is_of_application for one in said)


def injected(supply: Callable[[Any], Any], name: str = "Injected", **attributes: Any) -> Any:
    """A class whose parameters the framework supplies: `supply(call)` returns the value."""
    return type(name, (Record,), {INJECTED: staticmethod(supply), **attributes})
