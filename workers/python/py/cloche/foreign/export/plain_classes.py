"""Turns classes of a framework into plain classes, as the author would write them without it.

`spec_handlers` asks for it before it writes a handler that is a method. The changes go to `SourceEdits`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import ModuleType

from ..inert import InertType
from ..syntax import FUNCTIONS, Function, assigned_names, bound_name, called_function, is_attribute_of, is_name, list_methods
from .conversion_code import Unwritable
from .source_edits import SourceEdits

# Attributes of a class that only tell its framework about the tool.
_DECLARATIONS = frozenset(
    (
        "name", "description", "args_schema", "inputs", "output_type", "output_schema", "return_direct", "parameters",
        "response_format", "handle_tool_error", "handle_validation_error", "tags", "metadata", "verbose", "model_config",
        "skip_forward_signature_validation", "env_vars", "package_dependencies", "result_as_answer", "max_usage_count",
        "parameters_type", "response_type",
    )
)
# Methods that the framework calls: those that prepare an object, and those that list its tools.
_CALLED = ("setup", "model_post_init")
_LISTING = ("get_commands", "get_tools")
_FILLING = ("append", "extend")
# Fields and methods of models that only tell their framework about the tool, and methods that every model of pydantic has.
_MODEL_FIELDS = frozenset(("request", "purpose", "id"))
_MODEL_METHODS = frozenset(("examples", "instructions", "_name", "_description"))
_PYDANTIC = frozenset(("model_dump", "model_dump_json", "dict", "json"))


class PlainClasses:
    """Changes the classes of one file. Raises Unwritable for those that need their framework, and says why."""

    def __init__(self, module: ModuleType, edits: SourceEdits) -> None:
        self._module, self._edits = module, edits
        self._classes = {node.name: node for node in edits.tree.body if isinstance(node, ast.ClassDef)}
        self._called_with_arguments: set[str] = set()  # names of classes and functions
        self._read: set[str] = set()  # attributes that the file reads
        for node in ast.walk(edits.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and (node.args or node.keywords):
                self._called_with_arguments.add(node.func.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                self._read.add(node.attr)

    def make_plain(self, name: str) -> None:
        """Makes a class work without its framework's base classes."""
        node = self._classes.get(name)
        if node is None or node.keywords:
            raise Unwritable("it is not made with a class statement")
        classes = self._list_with_bases(node)
        has_constructor = any(method.name == "__init__" for kind in classes for method in list_methods(kind))
        if name in self._called_with_arguments and not has_constructor:
            raise Unwritable("its base class takes the arguments of its constructor")
        known = {attribute for kind in classes for attribute in _list_attributes(kind)}
        for kind in classes:
            self._rewrite_class(kind, known)

    def make_model(self, name: str) -> bool:
        """Turns a model of a framework into a plain pydantic model. Returns whether the module pydantic must be imported."""
        node = self._classes.get(name)
        if node is None or node.keywords:
            raise Unwritable("it is not made with a class statement")
        classes = self._list_with_bases(node)
        known = {attribute for kind in classes for attribute in (*_list_attributes(kind), *_list_fields(kind))}
        # A model with such fields may not use methods such as model_dump(): without the fields, their result would change.
        known |= set() if known & _MODEL_FIELDS else _PYDANTIC
        base = self._find_model()
        for kind in classes:
            self._replace_framework_bases(kind, base)
            for member in kind.body:
                if isinstance(member, FUNCTIONS) and member.name in _MODEL_METHODS - self._read:
                    self._edits.remove([member])
                elif isinstance(member, FUNCTIONS):
                    _check_rest(member, [], _find_own_name(member), known)
                elif isinstance(member, (ast.Assign, ast.AnnAssign)) and set(assigned_names(member)) <= _MODEL_FIELDS - self._read:
                    self._edits.remove([member])
        return "." in base

    def _find_model(self) -> str:
        """The name of pydantic's BaseModel. A framework's own copy of pydantic is replaced by pydantic."""
        found = "pydantic.BaseModel"
        for node in self._edits.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module and not node.level and "pydantic" in node.module:
                if node.module != "pydantic" and self._edits.is_framework(ast.Name(bound_name(node.names[0]))):
                    start = self._edits.find(node.module, self._edits.start(node))
                    self._edits.replace(start, start + len(node.module), "pydantic")
                elif node.module != "pydantic":
                    continue
                found = next((bound_name(alias) for alias in node.names if alias.name == "BaseModel"), found)
        return found

    def _replace_framework_bases(self, node: ast.ClassDef, model: str) -> None:
        """Replaces the base class of the framework with pydantic's model."""
        found = [base for base in node.bases if self._edits.is_framework(base)]
        if len(found) > 1:
            raise Unwritable("it has several base classes of its framework")
        for base in found:
            self._edits.replace_node(base, model)

    def _list_with_bases(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        """The class, and those of its base classes that are in the file."""
        bases = [self._classes[base.id] for base in node.bases if self._is_own_class(base)]  # type: ignore[attr-defined]
        return [node, *(kind for base in bases if base is not node for kind in self._list_with_bases(base))]

    def _is_own_class(self, base: ast.expr) -> bool:
        return isinstance(base, ast.Name) and base.id in self._classes

    def _rewrite_class(self, node: ast.ClassDef, known: set[str]) -> None:
        """Rewrites one class. `known`: the attributes that its objects have without the framework."""
        loses_base = self._remove_framework_bases(node)
        keeps_base = any(map(self._is_own_class, node.bases))
        for member in node.body:
            if isinstance(member, FUNCTIONS) and loses_base and member.name in _LISTING and member.name not in self._read:
                self._edits.remove([member])
            elif isinstance(member, FUNCTIONS):
                self._rewrite_method(member, known, keeps_base)
            elif isinstance(member, ast.ClassDef) and member.name == "Config":
                self._edits.remove([member])
            elif isinstance(member, (ast.Assign, ast.AnnAssign)):
                self._rewrite_attribute(member)

    def _remove_framework_bases(self, node: ast.ClassDef) -> bool:
        """Removes the base classes of the framework and of missing files. Returns whether there were any."""
        kept = [base for base in node.bases if not (self._edits.is_framework(base) or self._is_missing(base))]
        if len(kept) == len(node.bases):
            return False
        start = self._edits.find(node.name, self._edits.start(node) + 5) + len(node.name)
        end = self._edits.find(")", self._edits.end(node.bases[-1])) + 1
        self._edits.replace(start, end, f"({', '.join(map(self._edits.source, kept))})" if kept else "")
        return True

    def _is_missing(self, base: ast.expr) -> bool:
        """Whether a base class is from a missing file."""
        return isinstance(base, ast.Name) and isinstance(vars(self._module).get(base.id), InertType)

    def _rewrite_attribute(self, node: ast.Assign | ast.AnnAssign) -> None:
        """Removes an attribute that only the framework reads, and replaces the default of a field by its value."""
        names = assigned_names(node)
        value = node.value
        if set(names) <= _DECLARATIONS - self._read or (isinstance(node, ast.AnnAssign) and value is None):
            self._edits.remove([node])
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("Field", "PrivateAttr"):
            default = next((keyword.value for keyword in value.keywords if keyword.arg == "default"), value.args[0] if value.args else None)
            if default is None or (isinstance(default, ast.Constant) and default.value is Ellipsis):
                raise Unwritable(f"{', '.join(names)} has no plain default")
            self._edits.replace_node(value, self._edits.source(default))

    def _rewrite_method(self, method: Function, known: set[str], keeps_base: bool) -> None:
        """Removes from a method what only its framework needs, or the whole method if nothing else is in it.

        `known`: the attributes that the object has without the framework. `keeps_base`: another base class stays.
        """
        if method.name in _CALLED:
            raise Unwritable(f"its framework calls {method.name}()")
        own = _find_own_name(method)
        calls = [node for node in ast.walk(method) if isinstance(node, ast.Expr) and self._is_for_base(node, own, known, keeps_base)]
        gone: list[ast.stmt] = [*calls, *_find_builders_for(method, calls)]
        # A condition that only decides what is registered.
        gone += [node for node in method.body if isinstance(node, ast.If) and _is_all_gone(node, gone)]
        _check_rest(method, gone, own, known)
        if gone and all(statement in gone or _is_constant(statement) for statement in method.body):
            self._edits.remove([method])
            return
        inner = [node for node in gone if isinstance(node, ast.Expr) and node not in method.body]
        if any(not any(_is_inside_condition(node, outer) for outer in gone) for node in inner):
            raise Unwritable("it uses its base class in a condition")
        self._edits.remove(node for node in gone if node in method.body)

    def _is_for_base(self, statement: ast.Expr, own: str, known: set[str], keeps_base: bool) -> bool:
        """Whether a statement is super().__init__(…), or registers a method with the base class."""
        called = called_function(statement)
        if not isinstance(called, ast.Attribute):
            return False
        if called.attr == "__init__" and isinstance(called.value, ast.Call) and is_name(called.value.func, "super"):
            return not keeps_base
        return called.attr == "register" and is_name(called.value, own) and "register" not in known


def _list_attributes(kind: ast.ClassDef) -> Iterator[str]:
    """Yields the attributes that a class gives its objects."""
    for member in kind.body:
        if isinstance(member, (*FUNCTIONS, ast.ClassDef)):
            yield member.name
        elif isinstance(member, (ast.Assign, ast.AnnAssign)) and member.value is not None:
            yield from assigned_names(member)
    for node in ast.walk(kind):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _list_fields(kind: ast.ClassDef) -> Iterator[str]:
    """Yields the fields of a model, also those without a default."""
    for member in kind.body:
        if isinstance(member, ast.AnnAssign):
            yield from assigned_names(member)


def _find_own_name(method: Function) -> str:
    """The name of self in a method; empty in a static method."""
    if any(is_name(decorator, "staticmethod") for decorator in method.decorator_list):
        return ""
    return next((parameter.arg for parameter in (*method.args.posonlyargs, *method.args.args)), "")


def _check_rest(method: Function, gone: list[ast.stmt], own: str, known: set[str]) -> None:
    """Raises Unwritable if what stays of a method needs its base class."""
    removed = {id(part) for statement in gone for part in ast.walk(statement)}
    for node in ast.walk(method):
        if id(node) in removed:
            continue
        if is_name(node, "super"):
            raise Unwritable("it uses super()")
        if own and is_attribute_of(node, own) and isinstance(node.ctx, ast.Load) and node.attr not in known:
            raise Unwritable(f"it uses {own}.{node.attr}, which its base class has")


def _find_builders_for(method: Function, calls: list[ast.Expr]) -> list[ast.stmt]:
    """The statements that only build a list for calls that go."""
    names = {node.id for call in calls for node in ast.walk(call) if isinstance(node, ast.Name)}
    found: list[ast.stmt] = []
    for name in names:
        builders = [statement for statement in method.body if _builds(statement, name)]
        inside = {id(part) for statement in (*calls, *builders) for part in ast.walk(statement)}
        if not any(is_name(node, name) and id(node) not in inside for node in ast.walk(method)):
            found.extend(builders)
    return found


def _builds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement makes a list of this name, or adds something to it."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return assigned_names(statement) == [name] and isinstance(statement.value, (ast.List, ast.Dict, ast.Tuple))
    if isinstance(statement, ast.If):
        return all(_builds(inner, name) for inner in (*statement.body, *statement.orelse))
    called = called_function(statement)
    return isinstance(called, ast.Attribute) and called.attr in _FILLING and is_name(called.value, name)


def _is_all_gone(node: ast.If, gone: list[ast.stmt]) -> bool:
    return all(inner in gone or (isinstance(inner, ast.If) and _is_all_gone(inner, gone)) for inner in (*node.body, *node.orelse))


def _is_inside_condition(node: ast.stmt, outer: ast.stmt) -> bool:
    return isinstance(outer, ast.If) and any(part is node for part in ast.walk(outer))


def _is_constant(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring, or `...`."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
