"""Finds the call that a file makes where it compares the name of a tool: if call.name == "look": look_up(call.args["key"]).

Used by `tool_dicts` for a tool that the file describes as data. The source is read, because no name leads to the
function.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

_MISSING = object()


class _Argument(NamedTuple):
    """An argument of the tool that a call passes on."""

    key: str
    default: Any  # _MISSING for args["key"]

    def read(self, arguments: dict[str, Any]) -> Any:
        return arguments[self.key] if self.default is _MISSING else arguments.get(self.key, self.default)

    def write(self) -> str:
        """The source that reads the argument from the variable `arguments`."""
        return f"arguments[{self.key!r}]" if self.default is _MISSING else f"arguments.get({self.key!r}, {self.default!r})"


class ComparedCall(NamedTuple):
    """A call of a function with arguments of the tool."""

    function: FunctionType
    positional: list[_Argument]
    named: dict[str, _Argument]

    def __call__(self, **arguments: Any) -> Any:
        values = [argument.read(arguments) for argument in self.positional]
        return self.function(*values, **{name: argument.read(arguments) for name, argument in self.named.items()})

    def write_values(self) -> list[str]:
        """The source of the values that the call passes, which reads them from the variable `arguments`."""
        return [one.write() for one in self.positional] + [f"{name}={one.write()}" for name, one in self.named.items()]


def find_compared_call(module: ModuleType, name: str) -> tuple[FunctionType, ComparedCall] | None:
    """The function of the module for a tool, and what calls it with the tool's arguments; None if the file shows none."""
    try:
        with open(str(module.__file__), "rb") as opened:
            conditions = _list_conditions(opened.read())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    for condition in conditions:
        if not _compares(condition.test, name):
            continue
        for statement in condition.body:
            for node in ast.walk(statement):
                found = _read_call(node, module) if isinstance(node, ast.Call) else None
                if found is not None:
                    return found
    return None


@lru_cache(maxsize=1)  # a file is asked once for each of its tools
def _list_conditions(source: bytes) -> list[ast.If]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.If)]


def _compares(test: ast.expr, name: str) -> bool:
    """Whether a condition compares something with this name."""
    compared = [node for node in ast.walk(test) if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq)]
    return any(isinstance(side, ast.Constant) and side.value == name for node in compared for side in (node.left, node.comparators[0]))


def _read_call(call: ast.Call, module: ModuleType) -> tuple[FunctionType, ComparedCall] | None:
    """The function that a call calls, and what calls it in the same way; None if it passes anything but arguments of the
    tool."""
    function = vars(module).get(call.func.id) if isinstance(call.func, ast.Name) else None
    if not isinstance(function, FunctionType) or function.__module__ != module.__name__:
        return None
    positional = [_read_argument(argument) for argument in call.args]
    named = {keyword.arg or "": _read_argument(keyword.value) for keyword in call.keywords}
    if "" in named or not (positional or named):  # **arguments, or no arguments
        return None
    if None in positional or None in named.values():
        return None
    return function, ComparedCall(function, [one for one in positional if one], {name: one for name, one in named.items() if one})


def _read_argument(value: ast.expr) -> _Argument | None:
    """The argument of the tool that an expression such as args["key"] or args.get("key", 1) reads."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant) and isinstance(value.slice.value, str):
        return _Argument(value.slice.value, _MISSING)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "get" and value.args:
        parts = [part.value if isinstance(part, ast.Constant) else _MISSING for part in value.args]
        if isinstance(parts[0], str) and _MISSING not in parts:
            return _Argument(parts[0], parts[1] if len(parts) > 1 else None)
    return None
