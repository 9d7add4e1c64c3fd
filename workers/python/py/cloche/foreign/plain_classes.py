"""Makes classes of a framework plain classes, as the author would without it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .source_edits import Edit, SourceEdits, is_name
from .source_expressions import Unwritable

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Attributes of a class that only tell its framework about the tool.
_DECLARATIONS = frozenset(
    (
        "name", "description", "args_schema", "inputs", "output_type", "output_schema", "return_direct", "parameters",
        "response_format", "handle_tool_error", "handle_validation_error", "tags", "metadata", "verbose", "model_config",
        "skip_forward_signature_validation", "env_vars", "package_dependencies", "result_as_answer", "max_usage_count",
    )
)
_CALLED = ("setup", "model_post_init")  # by the framework
_BUILDING = ("append", "extend")
_LISTING = ("get_commands", "get_tools")  # called by the framework to get the tools


class PlainClasses:
    """Changes the classes of one file. Raises Unwritable for those that need their framework, and says why."""

    def __init__(self, edits: SourceEdits) -> None:
        self._edits = edits
        self._classes = {one.name: one for one in edits.tree.body if isinstance(one, ast.ClassDef)}
        self._made: set[str] = set()  # classes whose constructor gets arguments
        self._read: set[str] = set()  # attributes that the file reads
        for one in ast.walk(edits.tree):
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and (one.args or one.keywords):
                self._made.add(one.func.id)
            elif isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load):
                self._read.add(one.attr)

    def make_plain(self, name: str) -> None:
        """Makes a class work without its framework's base classes."""
        node = self._classes.get(name)
        if node is None or node.keywords:
            raise Unwritable("it is made in another way than with a class statement")
        chain = self._chain(node)
        has_constructor = any(isinstance(one, _FUNCTIONS) and one.name == "__init__" for kind in chain for one in kind.body)
        if name in self._made and not has_constructor:
            raise Unwritable("its base class takes the arguments of its constructor")
        known = {one for kind in chain for one in _defined(kind)}
        for kind in chain:
            self._make_plain(kind, known)

    def _chain(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        bases = [self._classes[one.id] for one in node.bases if isinstance(one, ast.Name) and one.id in self._classes]
        return [node, *(above for one in bases if one is not node for above in self._chain(one))]

    def _make_plain(self, node: ast.ClassDef, known: set[str]) -> None:
        """Rewrites one class. `known`: the attributes that its objects have without the framework."""
        gone = [one for one in node.bases if self._edits.is_framework(one)]
        if gone:
            kept = [self._edits.source(one) for one in node.bases if one not in gone]
            start = self._edits.find(node.name, self._edits.start(node) + 5) + len(node.name)
            end = self._edits.find(")", self._edits.end(node.bases[-1])) + 1
            self._edits.replace([Edit(start, end, f"({', '.join(kept)})" if kept else "")])
        has_base = any(isinstance(one, ast.Name) and one.id in self._classes for one in node.bases)
        for one in node.body:
            if isinstance(one, _FUNCTIONS) and one.name in _LISTING and one.name not in self._read and gone:
                self._edits.remove([one])
            elif isinstance(one, _FUNCTIONS):
                self._method(one, known, has_base)
            elif isinstance(one, ast.ClassDef) and one.name == "Config":
                self._edits.remove([one])
            elif isinstance(one, (ast.Assign, ast.AnnAssign)):
                named = set(_targets(one))
                if named <= _DECLARATIONS - self._read or (isinstance(one, ast.AnnAssign) and one.value is None):
                    self._edits.remove([one])
                else:
                    self._plain_default(one)

    def _plain_default(self, one: ast.Assign | ast.AnnAssign) -> None:
        """Replaces the default of a field by its value."""
        value = one.value
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.func.id not in ("Field", "PrivateAttr"):
            return
        given = next((key.value for key in value.keywords if key.arg == "default"), value.args[0] if value.args else None)
        if given is None or (isinstance(given, ast.Constant) and given.value is Ellipsis):
            raise Unwritable(f"{', '.join(_targets(one))} has no plain default")
        self._edits.replace([Edit(self._edits.start(value), self._edits.end(value), self._edits.source(given))])

    def _method(self, method: _Function, known: set[str], has_base: bool) -> None:
        """Removes from a method what only its framework needs, or the whole method if nothing else is in it."""
        if method.name in _CALLED:
            raise Unwritable(f"its framework calls {method.name}()")
        is_static = any(is_name(one, "staticmethod") for one in method.decorator_list)
        own = "" if is_static else next((one.arg for one in (*method.args.posonlyargs, *method.args.args)), "")
        gone = [one for one in ast.walk(method) if isinstance(one, ast.Expr) and self._is_of_base(one.value, own, known, has_base)]
        gone = [*gone, *_only_for(method, gone)]
        # A condition that only decides what is registered.
        gone = [*gone, *(one for one in method.body if isinstance(one, ast.If) and _all_gone(one, gone))]
        inside = {id(part) for one in gone for part in ast.walk(one)}
        for one in ast.walk(method):
            if id(one) in inside:
                continue
            if isinstance(one, ast.Name) and one.id == "super":
                raise Unwritable("it uses super()")
            reads_own = isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load) and own and is_name(one.value, own)
            if reads_own and one.attr not in known:
                raise Unwritable(f"it uses {own}.{one.attr}, which its base class has")
        if gone and all(one in gone or _is_text(one) for one in method.body):
            self._edits.remove([method])
            return
        inner = [one for one in gone if isinstance(one, ast.Expr) and one not in method.body]
        if any(not any(_holds(outer, one) for outer in gone) for one in inner):
            raise Unwritable("it uses its base class in a condition")
        self._edits.remove(one for one in gone if one in method.body)

    def _is_of_base(self, value: ast.expr, own: str, known: set[str], has_base: bool) -> bool:
        """Whether this is super().__init__(…), or registers a method with the base class. `has_base`: whether another
        base class stays."""
        called = value.func if isinstance(value, ast.Call) else None
        if not isinstance(called, ast.Attribute):
            return False
        above = called.value
        if called.attr == "__init__" and isinstance(above, ast.Call) and is_name(above.func, "super"):
            return not has_base
        return called.attr == "register" and is_name(above, own) and "register" not in known


def _defined(kind: ast.ClassDef) -> Iterator[str]:
    """The attributes that a class gives its objects."""
    for one in kind.body:
        if isinstance(one, (*_FUNCTIONS, ast.ClassDef)):
            yield one.name
        elif isinstance(one, (ast.Assign, ast.AnnAssign)) and one.value is not None:
            yield from _targets(one)
    for one in ast.walk(kind):
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store):
            yield one.attr


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [one.id for one in targets if isinstance(one, ast.Name)]


def _only_for(method: _Function, gone: list[ast.Expr]) -> list[ast.stmt]:
    """The statements that only build a list for statements that go."""
    names = {one.id for stmt in gone for one in ast.walk(stmt) if isinstance(one, ast.Name)}
    found: list[ast.stmt] = []
    for name in names:
        builders = [one for one in method.body if _builds(one, name)]
        inside = {id(part) for stmt in (*gone, *builders) for part in ast.walk(stmt)}
        if any(isinstance(one, ast.Name) and one.id == name and id(one) not in inside for one in ast.walk(method)):
            continue
        found.extend(builders)
    return found


def _all_gone(node: ast.If, gone: list[ast.stmt]) -> bool:
    return all(one in gone or (isinstance(one, ast.If) and _all_gone(one, gone)) for one in (*node.body, *node.orelse))


def _holds(outer: ast.stmt, inner: ast.stmt) -> bool:
    return isinstance(outer, ast.If) and any(one is inner for one in ast.walk(outer))


def _builds(node: ast.stmt, name: str) -> bool:
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return _targets(node) == [name] and isinstance(node.value, (ast.List, ast.Dict, ast.Tuple))
    if isinstance(node, ast.If):
        return all(_builds(one, name) for one in (*node.body, *node.orelse))
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in _BUILDING and is_name(called.value, name)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
