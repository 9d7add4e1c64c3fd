"""Answers general questions about syntax trees: the names that a node defines or reads, its first line, its decorators.

Used wherever the source of a file is read or rewritten.
"""

from __future__ import annotations

import ast
from typing import TypeGuard

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
# The name for the block of `if __name__ == "__main__":`, which is treated as a function.
GUARD = "__main__"


def first_line(node: ast.stmt | ast.expr) -> int:
    """The line of a node, or of the first decorator of a definition."""
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])


def last_line(node: ast.stmt | ast.expr) -> int:
    """The line on which a node ends."""
    return node.end_lineno or node.lineno


def is_main_guard(statement: ast.AST) -> TypeGuard[ast.If]:
    """Whether this is `if __name__ == "__main__":`."""
    test = statement.test if isinstance(statement, ast.If) else None
    return isinstance(test, ast.Compare) and is_name(test.left, "__name__")


def is_text(statement: ast.stmt) -> bool:
    """Whether this is a docstring, or another text that stands alone."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)


def constant_text(node: ast.AST | None) -> str:
    """The text that a node is; empty for other nodes."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_name(node: object, name: str) -> TypeGuard[ast.Name]:
    """Whether this is a variable or function with this name."""
    return isinstance(node, ast.Name) and node.id == name


def is_attribute_of(node: ast.AST, owner: str) -> TypeGuard[ast.Attribute]:
    """Whether this is an attribute of the object with this name: self.search for owner `self`."""
    return isinstance(node, ast.Attribute) and is_name(node.value, owner)


def called_function(statement: ast.stmt) -> ast.expr | None:
    """The function that a statement calls, if it does nothing else; None for other statements."""
    return statement.value.func if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else None


def decorator_name(node: ast.expr) -> str:
    """The last name of a decorator or a base class: tool for @mcp.tool(…)."""
    root = node.func if isinstance(node, ast.Call) else node
    return root.attr if isinstance(root, ast.Attribute) else getattr(root, "id", "")


def list_parameters(function: Function) -> list[ast.arg]:
    """The parameters of a function, without *args and **kwargs."""
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def list_needed_parameters(function: Function) -> tuple[str, ...]:
    """The names of the positional parameters that have no default."""
    positional = [*function.args.posonlyargs, *function.args.args]
    return tuple(parameter.arg for parameter in positional[: len(positional) - len(function.args.defaults)])


def parameter_names(function: Function) -> set[str]:
    """The names of all parameters, also of *args, **kwargs and parameters of lambdas in defaults."""
    return {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}


def list_methods(kind: ast.ClassDef) -> list[Function]:
    """The methods that a class defines itself."""
    return [statement for statement in kind.body if isinstance(statement, FUNCTIONS)]


def assigned_names(statement: ast.Assign | ast.AnnAssign, attributes: bool = False) -> list[str]:
    """The names that an assignment sets. `attributes`: also those of attributes, such as tools for self.tools."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return names + [target.attr for target in targets if attributes and isinstance(target, ast.Attribute)]


def defined_names(statement: ast.stmt) -> list[str]:
    """The names that a statement defines, except for imported ones. Names inside a function or class are not counted."""
    if isinstance(statement, DEFINITIONS):
        return [statement.name]
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def imported_names(node: ast.AST) -> list[str]:
    """The names that an import statement binds."""
    return [bound_name(alias) for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []


def bound_name(alias: ast.alias) -> str:
    """The name that one part of an import statement binds: os for `import os.path`."""
    return alias.asname or alias.name.partition(".")[0]


def read_names(node: ast.AST) -> list[str]:
    """The names that a node reads, as often as it reads them."""
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
