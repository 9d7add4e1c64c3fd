"""Finds the handlers of the tools that a file of Pipecat describes with FunctionSchema(…).

Used by `collection` in place of `registered_tools.find_registered`: the description of a tool and the call that registers its
handler are in different places of the file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from .annotation_schemas import object_schema
from .framework_names.voice_frameworks import answer_with_callback
from .marks import Mark
from .needed_code import parse_file
from .place import Place
from .registered_tools import find_value, list_registered
from .syntax import constant_text, decorator_name


def find_handlers(place: Place) -> Iterator[Mark]:
    """Yields a mark for the handler of each described tool.

    The handler of a tool is what the file registers under its name, else the function of that name, else the only
    function whose name contains it, such as execute_search for search.
    """
    tree, names = parse_file(place.path), vars(place.module)
    described = dict(_list_function_schemas(tree)) if tree else {}
    registered = {found.name: found for found in list_registered(tree) if found.name in described}
    for name, (description, schema) in described.items():
        if name in registered:
            owner, target = find_value(names, registered[name])
        else:
            handlers = {key: value for key, value in names.items() if name and name in key and isinstance(value, FunctionType)}
            owner, target = None, handlers.get(name) or (next(iter(handlers.values())) if len(handlers) == 1 else None)
        if isinstance(target, FunctionType) and place.has(target):
            mark = Mark("pipecat", target, name=name, description=description, schema=schema, owner=owner)
            answer_with_callback(mark)
            yield mark


def _list_function_schemas(tree: ast.Module) -> Iterator[tuple[str, tuple[str, dict[str, Any]]]]:
    """The names of the described tools, each with its description and its schema."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and decorator_name(node).endswith("FunctionSchema"):
            named = {keyword.arg: keyword.value for keyword in node.keywords}
            try:
                properties, required = (ast.literal_eval(named[key]) for key in ("properties", "required"))
            except (KeyError, ValueError, TypeError, RecursionError):
                continue
            if isinstance(properties, dict) and isinstance(required, list):
                yield constant_text(named.get("name")), (constant_text(named.get("description")), object_schema(properties, required))
