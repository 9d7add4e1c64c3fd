"""Infers the parameters of a function that takes its arguments as one dict, from the keys that it reads.

Used for tools that do not say what they take.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from types import FunctionType
from typing import Any

from .annotation_schemas import object_schema
from .annotations import hints_of
from .argument_dicts import ARGUMENTS, list_positional
from .inert import InertType
from .syntax import is_name

_NONE = object()  # a key without a default
# Names of parameters for what a dispatcher passes in addition to the arguments.
_APPLICATION = frozenset(("session", "db", "conn", "connection", "ctx", "context", "client", "state", "app"))


def infer_schema_of_keys(function: FunctionType, name: str) -> dict[str, Any] | None:
    """The schema of the keys that a function reads from its parameter `name`, which may be its **kwargs: name["key"] or
    name.get("key", default). None if it reads no keys."""
    tree = _parse_function(function)
    properties: dict[str, Any] = {}
    required: dict[str, None] = {}
    for key, default in _list_keys(tree, name):
        schema = properties.setdefault(key, {})
        if default is _NONE:
            required[key] = None
        elif isinstance(default, (str, int, float, bool)):
            schema.setdefault("default", default)
    optional = [key for key, schema in properties.items() if "default" in schema]
    return object_schema(properties, [key for key in required if key not in optional]) if properties else None


def infer_schema_of_dict(function: FunctionType) -> dict[str, Any] | None:
    """The schema of a function that takes all arguments as one dict, such as `args`, and only reads keys of it. Before
    the dict, it may take values that only the application has, such as a session. None for other functions."""
    names = list_positional(function)
    at = next((index for index, name in enumerate(names) if name in ARGUMENTS), 0)
    if len(names) != 1 and not (at and all(_is_of_application(function, name) for name in names[:at])):
        return None
    name = names[at]
    tree = _parse_function(function) if name in ARGUMENTS else None
    uses = sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree)) if tree else 0
    if not uses and at:
        return object_schema({}, [])
    return infer_schema_of_keys(function, name) if uses and uses == sum(1 for _ in _list_keys(tree, name)) else None


def _is_of_application(function: FunctionType, name: str) -> bool:
    """Whether only the application has the value of a parameter: its name says so, or its class is in a missing package."""
    return name in _APPLICATION or isinstance(hints_of(function).get(name), InertType)


def is_read(function: FunctionType, name: str) -> bool:
    """Whether a function reads its parameter at all."""
    tree = _parse_function(function)
    return tree is None or any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))


def takes_json(function: FunctionType, index: int) -> bool:
    """Whether a function reads its parameter at this position as a text in JSON: json.loads(arguments)."""
    if "loads" not in function.__code__.co_names:
        return False
    name, tree = function.__code__.co_varnames[index], _parse_function(function)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    return any(getattr(node.func, "attr", "") == "loads" and node.args and is_name(node.args[0], name) for node in calls)


def _parse_function(function: FunctionType) -> ast.AST | None:
    """The syntax tree of a function; None if it cannot be found, as for one of several lambdas in a line."""
    code = function.__code__
    try:
        if function.__name__ == "<lambda>":
            found = _list_lambdas("".join(linecache.getlines(code.co_filename))).get(code.co_firstlineno, [])
            return found[0] if len(found) == 1 else None
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=1)  # a file is asked once for each of its lambdas
def _list_lambdas(text: str) -> dict[int, list[ast.Lambda]]:
    """The lambdas of a file, by their first lines."""
    found: dict[int, list[ast.Lambda]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found


def _list_keys(tree: ast.AST | None, name: str) -> Iterator[tuple[str, Any]]:
    """Yields the keys, each with its default."""
    if tree is None:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and is_name(node.value, name) and isinstance(node.slice, ast.Constant):
            if isinstance(node.slice.value, str) and isinstance(node.ctx, ast.Load):
                yield node.slice.value, _NONE
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_name(node.func.value, name):
            given = [argument.value if isinstance(argument, ast.Constant) else None for argument in node.args]
            if node.func.attr == "get" and given and isinstance(given[0], str):
                yield given[0], given[1] if len(given) > 1 else None
