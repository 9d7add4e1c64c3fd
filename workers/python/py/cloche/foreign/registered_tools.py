"""Finds functions, methods and classes that a file registers as tools under a name: tools.register("add", add).

Used by `collection`. The source tells which they are, since often only the application makes these calls. What is found
becomes a `Mark` (`marks`), as if a decorator had marked it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from .framework_names.marking import add_described_schema
from .inert import InertType
from .marks import Mark
from .needed_code import parse_file
from .place import Place
from .syntax import FUNCTIONS, Function, constant_text, decorator_name, is_attribute_of, list_methods
from .tool_syntax import OWN_DECORATORS, RUNNER_KEYS, registers_tool, wraps_method

_FUNCTION_KEYS = (*RUNNER_KEYS, "coroutine", "method")
_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "args_schema", "schema")
# The tools of programs that import these modules are those of a toolbar.
_DRAWING = frozenset(
    ("PyQt5", "PyQt6", "PySide2", "PySide6", "tkinter", "wx", "gi", "kivy", "bpy", "qgis", "matplotlib", "pygame", "arcpy")
)


class Registered(NamedTuple):
    """What the source says about a function, method or class that it registers as a tool."""

    target: str  # the name of the function, method or class
    owner: str  # the class of the method; empty for others
    name: str  # the name of the tool; empty if it keeps that of the function
    description: str
    schema: ast.expr | None


def name_classes(place: Place) -> None:
    """Gives classes the names under which their decorators register them."""
    for found in list_registered(parse_file(place.path)):
        kind = vars(place.module).get(found.target)
        if isinstance(kind, type) and found.name and kind.__module__ == place.module.__name__ and "__cloche_name__" not in vars(kind):
            kind.__cloche_name__ = found.name  # type: ignore[attr-defined]


def find_registered(place: Place, framework: str) -> Iterator[Mark]:
    """Yields the functions and methods that the file registers under a name, wherever the calls are. `framework`: that of the marks."""
    names = vars(place.module)
    # A decorator that the file itself defines under such a name marks tools, whatever it is like inside.
    own_decorators = frozenset(name for name in OWN_DECORATORS if place.has(names.get(name)))
    for found in list_registered(parse_file(place.path), own_decorators):
        owner, target = find_value(names, found)
        is_function = isinstance(target, FunctionType)
        # A function that the file imports from a missing file is inert (`inert`).
        is_missing = isinstance(target, InertType) and not found.owner
        if (found.owner and owner is None) or not (is_function or is_missing):
            continue
        mark = Mark(framework, target, name=found.name, description=found.description, owner=owner)
        schema = _evaluate(place.module, found.schema)
        if is_function:
            add_described_schema(mark, {"parameters": schema}, skipped=int(owner is not None))
            yield mark
        elif mark.description and isinstance(schema, dict) and "properties" in schema:
            # A missing function has no signature and no docstring, so it is a tool only if the call that registers it has both.
            mark.schema = {"type": "object", **schema}
            yield mark


def list_registered(tree: ast.Module | None, own_decorators: frozenset[str] = frozenset()) -> Iterator[Registered]:
    """What the file registers. `own_decorators`: the names of the decorators that mark tools and that the file defines."""
    body = tree.body if tree else []
    if any(name.partition(".")[0] in _DRAWING for name in _list_imports(body)):
        return
    functions = {statement.name for statement in body if isinstance(statement, FUNCTIONS)}
    functions.update(alias.asname or alias.name for statement in body if isinstance(statement, ast.ImportFrom) for alias in statement.names)
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield from _list_class_decorators(statement)
        elif isinstance(statement, FUNCTIONS):
            yield from _list_function_decorators(statement, own_decorators)
        if isinstance(statement, FUNCTIONS) and (statement.name.startswith("test_") or statement.name == "register"):
            continue  # the tools of a test, or of an extension of this app
        if isinstance(statement, ast.ClassDef):
            yield from _list_decorated_methods(statement, own_decorators)
        yield from _list_inside(statement, functions)


def find_value(names: dict[str, Any], found: Registered) -> tuple[Any, Any]:
    """What is registered: the class of a method, or None, and the function, method or class itself. `names`: those of the module."""
    owner = names.get(found.owner) if found.owner else None
    members = vars(owner) if isinstance(owner, type) else names
    return owner, members.get(found.target)


def _evaluate(module: ModuleType, schema: ast.expr | None) -> Any:
    """The value of a literal, or of a variable of the file; None for other expressions."""
    if isinstance(schema, ast.Name):
        return vars(module).get(schema.id)
    try:
        return ast.literal_eval(schema) if schema is not None else None
    except (ValueError, TypeError, RecursionError):
        return None


def _list_decorated_methods(kind: ast.ClassDef, own_decorators: frozenset[str]) -> Iterator[Registered]:
    """The methods that a decorator of the file marks."""
    for method in list_methods(kind):
        if any(_is_own(decorator, own_decorators) for decorator in method.decorator_list):
            for found in _list_function_decorators(method, own_decorators):
                yield found._replace(owner=kind.name)


def _list_inside(statement: ast.stmt, functions: set[str]) -> Iterator[Registered]:
    """What calls and dicts inside a statement register. `functions`: those that the file defines or imports."""
    owner = statement.name if isinstance(statement, ast.ClassDef) else ""
    methods = {method.name for method in list_methods(statement)} if isinstance(statement, ast.ClassDef) else set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and registers_tool(node):
            yield from _find_target(node, functions, methods, owner)
        elif owner and isinstance(node, ast.Dict):
            yield from _list_wrapped(node, methods, owner)


def _is_own(decorator: ast.expr, own_decorators: frozenset[str]) -> bool:
    """Whether a decorator is one of the file itself: @tool or @tool(…), not @server.tool."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id in own_decorators


def _list_function_decorators(node: Function, own_decorators: frozenset[str]) -> Iterator[Registered]:
    """The decorators of a function or method that register it: @register_tool("add"), or the file's own @tool."""
    for decorator in node.decorator_list:
        if registers_tool(decorator) or _is_own(decorator, own_decorators):
            yield Registered(node.name, "", *_read_decorator(decorator))


def _list_class_decorators(node: ast.ClassDef) -> Iterator[Registered]:
    """The decorators of a class that register it, with a name: @tool("add"). A class such as Add(BaseTool) needs none: its own
    name is that of the tool."""
    own_name = node.name if any(decorator_name(base).endswith("Tool") for base in node.bases) else ""
    for decorator in node.decorator_list:
        if registers_tool(decorator) or decorator_name(decorator) in ("tool", "function_tool"):
            name, description, schema = _read_decorator(decorator)
            if name or own_name:
                yield Registered(node.name, "", name or own_name, description, schema)


def _read_decorator(decorator: ast.expr) -> tuple[str, str, ast.expr | None]:
    """The name, the description and the schema that a decorator gives; empty for one without arguments."""
    return _read_arguments(decorator) if isinstance(decorator, ast.Call) else ("", "", None)


def _find_target(call: ast.Call, functions: set[str], methods: set[str], owner: str) -> Iterator[Registered]:
    """What a call registers that has a name, and a function of the file or an imported one, among its arguments."""
    given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg in _FUNCTION_KEYS)]
    name, description, schema = _read_arguments(call)
    if not name:
        return
    for value in given:
        if isinstance(value, ast.Name) and value.id in functions:
            yield Registered(value.id, "", name, description, schema)
            return
        if is_attribute_of(value, "self") and value.attr in methods:
            yield Registered(value.attr, owner, name, description, schema)
            return


def _list_wrapped(value: ast.Dict, methods: set[str], owner: str) -> Iterator[Registered]:
    """The methods in a dict such as {"find": Tool(self.find)}."""
    for key, item in zip(value.keys, value.values):
        name, method = constant_text(key), item.args[0].attr if wraps_method(item) else ""  # type: ignore[attr-defined]
        if name and method in methods:
            yield Registered(method, owner, name, "", None)


def _read_arguments(call: ast.Call) -> tuple[str, str, ast.expr | None]:
    """The name, the description and the schema among the arguments of a call, or of a record that the call gets: those of
    Tool(…) for register_tool(Tool(name="…", …), self.search)."""
    record = next((argument for argument in call.args if isinstance(argument, ast.Call) and _has_name(argument)), None)
    if record is not None and not _has_name(call):
        return _read_arguments(record)
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    texts = [text for argument in call.args if (text := constant_text(argument))]
    # Only a text that comes first is a name.
    first = constant_text(call.args[0]) if call.args else ""
    name = constant_text(named.get("name")) or first
    description = constant_text(named.get("description")) or (texts[1] if len(texts) > 1 else "")
    schema = next((named[key] for key in _SCHEMA_KEYS if key in named), None)
    return name, description, schema or next((argument for argument in call.args if isinstance(argument, ast.Dict)), None)


def _has_name(call: ast.Call) -> bool:
    """Whether a call gets a name by keyword."""
    return any(keyword.arg == "name" for keyword in call.keywords)


def _list_imports(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield statement.module or ""
