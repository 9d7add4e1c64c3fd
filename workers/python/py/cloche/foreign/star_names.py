"""Finds the names that a file uses without defining them: they come from `from module import *`."""

from __future__ import annotations

import ast
import builtins
import functools


@functools.lru_cache(maxsize=2)
def unbound_names(source: bytes) -> list[str]:
    """The names that the file reads, and that no import, definition or assignment of the file binds."""
    read: dict[str, None] = {}
    bound: set[str] = set(dir(builtins))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                read.setdefault(node.id)
            else:
                bound.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            bound.add(node.name)
    return [name for name in read if name not in bound and not name.startswith("__")]
