"""Visits the nodes of a file, each with the function that it is in. Used by `source_reader`."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from .frameworks import framework_of
from .syntax import GUARD, is_main_guard

# Classes of values in fields that are not visited, and fields that never have nodes to visit.
_LEAVES = frozenset((str, int, bool, bytes, float, complex, type(None), type(...), ast.Constant))
_PLAIN_FIELDS = frozenset(("ctx", "op", "ops", "id", "attr", "arg", "type_comment", "level", "module", "asname"))
_IMPORT_ERRORS = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")


def walk_functions(tree: ast.Module) -> Iterator[tuple[ast.AST, str, bool]]:
    """Yields each node with the name of its function, and whether the file handles a failed import there.

    The name is empty at the top level, and "outer.inner" inside a nested function. The block of
    `if __name__ == "__main__":` counts as a function.
    """
    waiting: list[tuple[ast.AST, str, bool]] = [(statement, "", False) for statement in reversed(tree.body)]
    while waiting:
        node, function, guarded = waiting.pop()
        yield node, function, guarded
        # Classes are compared instead of calling isinstance, which takes most of the time in the browser.
        if type(node) is ast.Name:
            continue
        if type(node) is ast.If and is_main_guard(node):
            if not function:
                waiting += [(child, GUARD, guarded) for child in reversed(node.body)]
            continue
        inner = function
        if type(node) is ast.FunctionDef or type(node) is ast.AsyncFunctionDef:
            inner = f"{function}.{node.name}".lstrip(".")
        elif type(node) is ast.Lambda:
            inner = function or "<lambda>"
        children = reversed(_list_children(node))
        if type(node) is ast.Try and _handles_failed_imports(node):
            waiting += [(child, inner, guarded or child in node.body) for child in children]
        else:
            waiting += [(child, inner, guarded) for child in children]


def _list_children(node: ast.AST) -> list[ast.AST]:
    """The same as ast.iter_child_nodes, but faster, and without constants, operators, Load() and Store()."""
    children: list[ast.AST] = []
    for name in _list_fields(type(node)):
        value = getattr(node, name, None)
        if type(value) is list:
            children += [child for child in value if type(child) not in _LEAVES]
        elif type(value) not in _LEAVES:
            children.append(value)
    return children


@functools.cache
def _list_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    return tuple(name for name in kind._fields if name not in _PLAIN_FIELDS)


def _handles_failed_imports(node: ast.Try) -> bool:
    """Whether the file works without the modules that this block imports.

    A framework has a stand-in, so a block that imports one is expected to work.
    """
    if not any(_goes_on(handler) for handler in node.handlers if _catches_import_errors(handler)):
        return False
    imported = [statement.module or "" for statement in node.body if isinstance(statement, ast.ImportFrom) and statement.level == 0]
    return not any(framework_of(name) for name in imported)


def _catches_import_errors(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(error, ast.Name) and error.id in _IMPORT_ERRORS for error in caught)


def _goes_on(handler: ast.ExceptHandler) -> bool:
    """Whether the file continues after the handler, because it neither raises nor exits."""
    last = handler.body[-1]
    if isinstance(last, ast.Raise):
        return False
    called = last.value.func if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) else None
    return getattr(called, "attr", getattr(called, "id", "")) not in ("exit", "_exit", "quit")
