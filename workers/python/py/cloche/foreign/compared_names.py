"""Finds the function that a file calls where it compares the name of a tool: if call.name == "look": look_up(call.args["key"])."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any

_MISSING = object()


def caller_for(module: ModuleType, name: str) -> tuple[FunctionType, Callable[..., Any]] | None:
    """The function of the module for a tool, and what calls it with the tool's arguments; None if the file shows none."""
    try:
        with open(str(module.__file__), "rb") as opened:
            conditions = _conditions(opened.read())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    for condition in conditions:
        if not _compares(condition.test, name):
            continue
        for call in _calls(condition.body):
            function = vars(module).get(call.func.id) if isinstance(call.func, ast.Name) else None
            given = [_key_of(one) for one in call.args]
            named = {one.arg: _key_of(one.value) for one in call.keywords if one.arg}
            if isinstance(function, FunctionType) and function.__module__ == module.__name__ and given + list(named.values()):
                if len(named) == len(call.keywords) and None not in (*given, *named.values()):
                    return function, _caller(function, given, named)
    return None


@lru_cache(maxsize=1)  # a file is asked once for each of its tools
def _conditions(source: bytes) -> list[ast.If]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.If)]


def _compares(test: ast.expr, name: str) -> bool:
    compared = [one for one in ast.walk(test) if isinstance(one, ast.Compare) and isinstance(one.ops[0], ast.Eq)]
    return any(isinstance(side, ast.Constant) and side.value == name for one in compared for side in (one.left, one.comparators[0]))


def _calls(body: list[ast.stmt]) -> Iterator[ast.Call]:
    for statement in body:
        for one in ast.walk(statement):
            if isinstance(one, ast.Call):
                yield one


def _key_of(value: ast.expr) -> tuple[str, Any] | None:
    """The argument of the tool that an expression such as args["key"] or args.get("key", 1) reads, with its default."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant) and isinstance(value.slice.value, str):
        return value.slice.value, _MISSING
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "get" and value.args:
        parts = [one.value if isinstance(one, ast.Constant) else _MISSING for one in value.args]
        if isinstance(parts[0], str) and _MISSING not in parts:
            return parts[0], parts[1] if len(parts) > 1 else None
    return None


def _caller(function: FunctionType, given: list[Any], named: dict[str, Any]) -> Callable[..., Any]:
    def read(arguments: dict[str, Any], key: str, default: Any) -> Any:
        return arguments[key] if default is _MISSING else arguments.get(key, default)

    def call(**arguments: Any) -> Any:
        return function(*(read(arguments, *one) for one in given), **{name: read(arguments, *one) for name, one in named.items()})

    return call
