"""Walks the syntax tree of a file, and answers small questions about its nodes."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from typing import TypeGuard

from .frameworks import framework_of

_TOOL_DICT = re.compile(r"(^|_)tools?(_|$)|^(available_functions|functions?_map)$")
# A class that holds tools under their names.
REGISTRY = re.compile(r"tool.*(registry|manager|box|kit|collection|set)s?$|^(function|skill)registry$", re.IGNORECASE)
# Methods and properties of a class that is a tool, which return its name, description and schema.
DEFINITIONS = ("definition", "tool_definition", "get_definition", "get_tool_definition", "spec", "tool_spec")
# Keys for the function of a tool, in a dict or a record that describes the tool.
RUNNERS = ("function", "func", "fn", "handler", "callable", "execute", "run", "call", "executor", "implementation")
LISTS = ("tools", "functions", "tool_list", "toolset")
# The classes of what a field can have besides nodes that matter here, and fields that never have such nodes.
_NO_NODES = frozenset((str, int, bool, bytes, float, complex, type(None), type(...), ast.Constant))
_PLAIN_FIELDS = frozenset(("ctx", "op", "ops", "id", "attr", "arg", "type_comment", "level", "module", "asname"))
# Stands for the block of `if __name__ == "__main__":` among the names of functions.
GUARD = "__main__"
# Functions of these names run the application: they build tools on the way, and do more.
_RUNS = re.compile(r"^_*(a?main|a?run|test|demo|example|start|cli|chat)(_|$)")
_CATCHES = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")


def walk(tree: ast.Module) -> Iterator[tuple[ast.AST, str, bool]]:
    """Each node with its function, and whether a failed import is caught there. The block of a __main__ guard counts as
    a function."""
    waiting: list[tuple[ast.AST, str, bool]] = [(one, "", False) for one in reversed(tree.body)]
    while waiting:
        node, function, guarded = waiting.pop()
        yield node, function, guarded
        # Classes are compared instead of calling isinstance, which takes most of the time in the browser.
        if type(node) is ast.Name:
            continue
        if type(node) is ast.If and is_main_guard(node.test):
            if not function:
                waiting += [(child, GUARD, guarded) for child in reversed(node.body)]
            continue
        inner = function
        if type(node) is ast.FunctionDef or type(node) is ast.AsyncFunctionDef:
            inner = f"{function}.{node.name}".lstrip(".")
        elif type(node) is ast.Lambda:
            inner = function or "<lambda>"
        children = reversed(_children(node))
        if type(node) is ast.Try and _is_optional(node):
            waiting += [(child, inner, guarded or child in node.body) for child in children]
        else:
            waiting += [(child, inner, guarded) for child in children]


def runs_application(name: str) -> bool:
    return _RUNS.search(name) is not None


def _is_optional(node: ast.Try) -> bool:
    """Whether the file works without the modules of this block. A block with a framework has its stand-in, so all of it works."""
    if not any(_goes_on(one) for one in node.handlers if _catches(one)):
        return False
    imported = [one.module or "" for one in node.body if isinstance(one, ast.ImportFrom) and one.level == 0]
    return not any(framework_of(name) for name in imported)


def _children(node: ast.AST) -> list[ast.AST]:
    """As ast.iter_child_nodes, but faster; without constants, operators, Load() and Store()."""
    found: list[ast.AST] = []
    for name in _fields_of(type(node)):
        value = getattr(node, name, None)
        if type(value) is list:
            found += [one for one in value if type(one) not in _NO_NODES]
        elif type(value) not in _NO_NODES:
            found.append(value)
    return found


@functools.cache
def _fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    return tuple(name for name in kind._fields if name not in _PLAIN_FIELDS)


def registered_methods(kind: ast.ClassDef) -> tuple[str, ...]:
    """The methods that a class's constructor registers, or puts into a list."""
    made = next((one for one in kind.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
    methods = {one.name for one in kind.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
    found: dict[str, None] = {}
    for node in ast.walk(made) if made else ():
        given: list[ast.expr] = []
        if isinstance(node, ast.keyword) and node.arg in LISTS:
            given = getattr(node.value, "elts", [])
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and any(is_tool_list(name) for name in targets(node)):
            given = getattr(node.value, "elts", [])
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("register", "append", "add_tool"):
            given = node.args
        for one in given:
            if is_own(one) and one.attr in methods:
                found[one.attr] = None
    return tuple(found)


def is_own(node: ast.expr) -> TypeGuard[ast.Attribute]:
    """Whether this is an attribute of the own object, such as self.search."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def own_attributes(value: ast.expr) -> set[str]:
    """The attributes of the own object in an expression."""
    return {one.attr for one in ast.walk(value) if isinstance(one, ast.expr) and is_own(one)}


def decorator_name(node: ast.expr) -> str:
    """The last name of a decorator: tool for @mcp.tool(…)."""
    root = node.func if isinstance(node, ast.Call) else node
    return root.attr if isinstance(root, ast.Attribute) else getattr(root, "id", "")


def describes_function(node: ast.expr) -> bool:
    """Whether a decorator such as @registry.register(description="…") describes its function as a tool."""
    if not isinstance(node, ast.Call) or decorator_name(node) != "register":
        return False
    keys = [one.arg for one in node.keywords]
    keys += [key.value for one in node.args if isinstance(one, ast.Dict) for key in one.keys if isinstance(key, ast.Constant)]
    return "description" in keys


def makes_record(node: ast.Call) -> bool:
    """Whether this makes a record such as Tool(name="…", description="…", handler=f), which describes a function as a tool."""
    keys = {one.arg for one in node.keywords}
    return {"name", "description"} <= keys and not keys.isdisjoint(RUNNERS) and "tool" in decorator_name(node).lower()


def needed_parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
    taken = [*node.args.posonlyargs, *node.args.args]
    return tuple(one.arg for one in taken[: len(taken) - len(node.args.defaults)])


def may_be_tool(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    typed = all(one.annotation is not None for one in taken) and (bool(taken) or node.returns is not None)
    return not node.name.startswith("_") and node.name != "main" and (typed or ast.get_docstring(node) is not None)


def is_main_guard(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _goes_on(handler: ast.ExceptHandler) -> bool:
    """Whether the file works without the module, because its handler neither raises nor exits."""
    last = handler.body[-1]
    if isinstance(last, ast.Raise):
        return False
    called = last.value.func if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) else None
    return getattr(called, "attr", getattr(called, "id", "")) not in ("exit", "_exit", "quit")


def _catches(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(one, ast.Name) and one.id in _CATCHES for one in named)


def targets(node: ast.Assign | ast.AnnAssign, attributes: bool = False) -> list[str]:
    """The names that are assigned, also those of attributes such as self.tools."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    named = [one.id for one in targets if isinstance(one, ast.Name)]
    return named + [one.attr for one in targets if attributes and isinstance(one, ast.Attribute)]


def is_tool_list(name: str) -> bool:
    plain = name.lower().strip("_")
    return plain in LISTS or plain.endswith(("_tools", "_functions"))


def is_tool_dict(name: str) -> bool:
    """Whether a variable of this name, such as TOOL_HANDLERS, maps names to tools if it is a dict."""
    return _TOOL_DICT.search(name.lower().strip("_")) is not None


def describes_tool(kind: ast.ClassDef) -> bool:
    """Whether the class gives itself a name and a description, as tools of many frameworks do."""
    named = {one.name for one in kind.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
    named.update(name for one in kind.body if isinstance(one, (ast.Assign, ast.AnnAssign)) for name in targets(one))
    based = any(decorator_name(one).endswith("Tool") for one in kind.bases)
    return {"name", "description"} <= named or (based and not named.isdisjoint(DEFINITIONS))


_SERVERS = ("mcp", "fastmcp", "mcp_server", "server")


def adds_to_server(call: ast.Call) -> bool:
    """Whether this call of add_tool() is one of a server: mcp.add_tool(f), self.mcp.add_tool(f) or self.app.add_tool(self.f)."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    if isinstance(owner, ast.Name):
        return owner.id != "self"
    if isinstance(owner, ast.Attribute) and owner.attr.strip("_") in _SERVERS and any(isinstance(one, ast.Name) for one in call.args):
        return True
    methods = (getattr(one, "value", None) for one in call.args if isinstance(one, ast.Attribute))
    return isinstance(owner, ast.Attribute) and any(getattr(one, "id", "") == "self" for one in methods)


def listed_methods(tree: ast.Module, listed: list[tuple[str, int]]) -> dict[str, tuple[str, ...]]:
    """The methods that top-level classes list as tools, by class. `listed`: names and the lines where they are listed."""
    found: dict[str, tuple[str, ...]] = {}
    for kind in tree.body if listed else ():
        if isinstance(kind, ast.ClassDef):
            named = {name for name, line in listed if kind.lineno < line <= (kind.end_lineno or 0)}
            methods = tuple(one.name for one in kind.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name in named)
            if methods:
                found[kind.name] = methods
    return found


def building_methods(tree: ast.Module, built_at: dict[int, bool]) -> dict[str, dict[str, bool]]:
    """The methods of top-level classes that have one of these lines, by class. `built_at`: lines that make tools, and
    whether they define a list_tools."""
    found: dict[str, dict[str, bool]] = {}
    for kind in tree.body if built_at else ():
        for method in kind.body if isinstance(kind, ast.ClassDef) else ():
            if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inside = [lists for line, lists in built_at.items() if method.lineno < line <= (method.end_lineno or 0)]
                if inside:
                    found.setdefault(kind.name, {})[method.name] = any(inside)
    return found
