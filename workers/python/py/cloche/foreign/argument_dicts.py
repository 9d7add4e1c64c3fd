"""Finds out how a function takes its arguments, and calls functions that take all of them as one dict.

Used for tools whose schema the author has written: the schema alone does not say how the function is called.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from types import MethodType
from typing import Any

from .unavailable import Unavailable

# Names of a parameter that takes all arguments as one dict.
ARGUMENTS = frozenset(
    ("arguments", "args", "input", "tool_input", "tool_args", "params", "parameters", "inputs", "function_args", "tool_arguments", "kwargs")
)


def call_with_dict(function: Any, schema: Mapping[str, Any], *, skipped: int = 0) -> Callable[..., Any] | None:
    """Returns a callable that takes the arguments by name, and calls a function that takes them as one dict, perhaps beside
    values that only the application has. Returns None for other functions.

    `skipped`: 1 for the self of a function that is not bound, which the callable takes first.
    """
    if getattr(function, "__code__", None) is None:  # functools.lru_cache makes a method that has none
        return None
    if takes_all_as_dict(function, schema, skipped=skipped):
        return lambda *own, **named: function(*own, named)
    parameters = list_positional(function, skipped=skipped)
    at = next((index for index, name in enumerate(parameters) if name in ARGUMENTS), -1)
    if at < 0 or len(parameters) == 1:
        return None
    if not schema.get("properties", {}).keys().isdisjoint(parameters[: at + 1]):
        return None  # the schema declares these parameters itself, so they are passed by name
    before = [Unavailable(name) for name in parameters[:at]]  # such as the id of the call
    further = make_further_values(function, parameters[at:])
    return lambda *own, **named: function(*own, *before, named, **further)


def make_further_values(function: Any, parameters: tuple[str, ...]) -> dict[str, Unavailable]:
    """Values for the parameters after the first one that have no default."""
    return {name: Unavailable(name) for name in parameters[1 : len(parameters) - len(function.__defaults__ or ())]}


def takes_all_as_dict(function: Any, schema: Mapping[str, Any], *, skipped: int = 0) -> bool:
    """Whether the function takes all arguments as one dict: its only parameter is not in the schema. `skipped`: 1
    for the self of a function that is not bound."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_kwonlyargcount or len(parameters := list_positional(function, skipped=skipped)) != 1:
        return False
    name = parameters[0]
    if code.co_flags & inspect.CO_VARKEYWORDS and name not in ARGUMENTS:  # execute(self, user_id: int, **kwargs)
        hint = getattr(function, "__annotations__", {}).get(name, dict)
        if "dict" not in str(hint).lower():
            return False
    return name not in schema.get("properties", {})


def list_positional(function: Any, *, skipped: int = 0) -> tuple[str, ...]:
    """The names of the positional parameters that a call gives. `skipped`: 1 for the self of a function that is not bound."""
    code = function.__code__
    names: tuple[str, ...] = code.co_varnames[skipped + isinstance(function, MethodType) : code.co_argcount]
    return names


def list_without_default(function: Callable[..., Any], names: Iterable[str]) -> list[str]:
    """The names among these that are parameters of the function without a default."""
    parameters = inspect.signature(function).parameters
    return [name for name in names if name in parameters and parameters[name].default is inspect.Parameter.empty]
