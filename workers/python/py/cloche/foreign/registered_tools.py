"""Finds functions, methods and classes that a file registers as tools under a name: tools.register("add", add).

Used by `collection`. The source tells which they are, since often only the application makes these calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from .annotation_schemas import object_schema
from .framework_names.marking import add_described_schema
from .inert import InertType
from .marks import Mark
from .needed_code import parse_file
from .place import Place
from .syntax import DEFINITIONS, FUNCTIONS, Function, constant_text, decorator_name, is_attribute_of, list_methods
from .tool_syntax import OWN_DECORATORS, RUNNER_KEYS, registers_tool, wraps_method

_FUNCTION_KEYS = (*RUNNER_KEYS, "coroutine", "method")
_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "args_schema", "schema")
# The tools of programs that import these modules are those of a toolbar.
_DRAWING = frozenset(
    ("PyQt5", "PyQt6", "PySide2", "PySide6", "tkinter", "wx", "gi", "kivy", "bpy", "qgis", "matplotlib", "pygame", "arcpy")
)


class _Registered(NamedTuple):
    """A function, method or class that is registered as a tool."""

    target: str  # the name of the function, method or class
    owner: str  # the class of the method; empty for others
    name: str  # empty if it keeps its own name
    description: str
    schema: ast.expr | None


def name_classes(place: Place) -> None:
    """Gives classes the names under which their decorators register them."""
    for found in _list_registered(parse_file(place.path), set()):
        kind = vars(place.module).get(found.target)
        if isinstance(kind, type) and found.name and kind.__module__ == place.module.__name__ and "__cloche_name__" not in vars(kind):
            kind.__cloche_name__ = found.name  # type: ignore[attr-defined]


def find_registered(place: Place, framework: str) -> Iterator[Mark]:
    """Yields the functions and methods that the file registers under a name, wherever the calls are."""
    names, tree = vars(place.module), parse_file(place.path)
    if framework == "pipecat":
        yield from _find_handlers(place, tree)
        return
    own = {name for name in OWN_DECORATORS if place.has(names.get(name))}
    for found in _list_registered(tree, own):
        owner, target = _find_value(names, found)
        is_missing = isinstance(target, InertType) and not found.owner
        if not isinstance(target, FunctionType) and not is_missing or (found.owner and owner is None):
            continue
        mark = Mark(framework, target, name=found.name, description=found.description, owner=owner)
        schema = _evaluate(place.module, found.schema)
        if not is_missing:
            add_described_schema(mark, {"parameters": schema}, int(owner is not None))
        elif mark.description and isinstance(schema, dict) and "properties" in schema:
            mark.schema = {"type": "object", **schema}
        else:
            continue  # nothing says what the function of the missing file takes
        yield mark


def _find_value(names: dict[str, Any], found: _Registered) -> tuple[Any, Any]:
    """What is registered: the class of a method, or None, and the function, method or class itself."""
    owner = names.get(found.owner) if found.owner else None
    return owner, vars(owner).get(found.target) if isinstance(owner, type) else names.get(found.target)


def _find_handlers(place: Place, tree: ast.Module | None) -> Iterator[Mark]:
    """Yields the handlers of the tools that a file of Pipecat describes with FunctionSchema(…).

    The handler of a tool is what the file registers under its name, else the function of that name, else the only
    function whose name contains it, such as execute_search for search.
    """
    from .framework_names.voice_frameworks import answer_with_callback

    names = vars(place.module)
    described = dict(_list_function_schemas(tree)) if tree else {}
    registered = {found.name: found for found in _list_registered(tree, set()) if found.name in described}
    for name, (description, schema) in described.items():
        if name in registered:
            owner, target = _find_value(names, registered[name])
        else:
            handlers = {key: value for key, value in names.items() if name and name in key and isinstance(value, FunctionType)}
            owner, target = None, handlers.get(name) or (next(iter(handlers.values())) if len(handlers) == 1 else None)
        if isinstance(target, FunctionType) and place.has(target):
            mark = Mark("pipecat", target, name=name, description=description, schema=schema, owner=owner)
            answer_with_callback(mark)
            yield mark


def _list_function_schemas(tree: ast.Module) -> Iterator[tuple[str, tuple[str, dict[str, Any]]]]:
    """The tools that a file describes with FunctionSchema(…) of Pipecat, each with its description and its schema."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and decorator_name(node).endswith("FunctionSchema"):
            named = {keyword.arg: keyword.value for keyword in node.keywords}
            try:
                properties, required = (ast.literal_eval(named[key]) for key in ("properties", "required"))
            except (KeyError, ValueError, TypeError, RecursionError):
                continue
            if isinstance(properties, dict) and isinstance(required, list):
                yield constant_text(named.get("name")), (constant_text(named.get("description")), object_schema(properties, required))


def _evaluate(module: ModuleType, schema: ast.expr | None) -> Any:
    """The value of a literal, or of a variable of the file; None for other expressions."""
    if isinstance(schema, ast.Name):
        return vars(module).get(schema.id)
    try:
        return ast.literal_eval(schema) if schema is not None else None
    except (ValueError, TypeError, RecursionError):
        return None


def _list_registered(tree: ast.Module | None, own: set[str]) -> Iterator[_Registered]:
    """What the file registers. `own`: the names of its own decorators that mark tools."""
    body = tree.body if tree else []
    if any(name.partition(".")[0] in _DRAWING for name in _list_imports(body)):
        return
    functions = {statement.name for statement in body if isinstance(statement, FUNCTIONS)}
    functions.update(alias.asname or alias.name for statement in body if isinstance(statement, ast.ImportFrom) for alias in statement.names)
    for outer in body:
        if isinstance(outer, DEFINITIONS):
            yield from _list_decorators(outer, own)
        if isinstance(outer, FUNCTIONS) and (outer.name.startswith("test_") or outer.name == "register"):
            continue  # the tools of a test, or of an extension of this app
        owner = outer.name if isinstance(outer, ast.ClassDef) else ""
        methods = list_methods(outer) if isinstance(outer, ast.ClassDef) else []
        names = {method.name for method in methods}
        for method in methods:
            if _has_own_decorator(method, own):
                yield from (found._replace(owner=owner) for found in _list_decorators(method, own))
        for node in ast.walk(outer):
            if isinstance(node, ast.Call) and registers_tool(node):
                yield from _find_target(node, functions, names, owner)
            elif owner and isinstance(node, ast.Dict):
                yield from _list_wrapped(node, names, owner)


def _has_own_decorator(function: Function, own: set[str]) -> bool:
    return any(_is_own(decorator, own) for decorator in function.decorator_list)


def _is_own(decorator: ast.expr, own: set[str]) -> bool:
    """Whether a decorator is one of the file itself: @tool or @tool(…), not @server.tool."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id in own


def _list_decorators(node: Function | ast.ClassDef, own: set[str]) -> Iterator[_Registered]:
    """The decorators of a function or class that register it. A class needs a name."""
    for decorator in node.decorator_list:
        is_marked = decorator_name(decorator) in ("tool", "function_tool") if isinstance(node, ast.ClassDef) else _is_own(decorator, own)
        if registers_tool(decorator) or is_marked:
            name, description, schema = _read_arguments(decorator) if isinstance(decorator, ast.Call) else ("", "", None)
            is_tool_class = isinstance(node, ast.ClassDef) and any(decorator_name(base).endswith("Tool") for base in node.bases)
            name = name or (node.name if is_tool_class else "")
            if name or not isinstance(node, ast.ClassDef):
                yield _Registered(node.name, "", name, description, schema)


def _find_target(call: ast.Call, functions: set[str], methods: set[str], owner: str) -> Iterator[_Registered]:
    """What a call registers that has a name, and a function of the file or an imported one, among its arguments."""
    given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg in _FUNCTION_KEYS)]
    name, description, schema = _read_arguments(call)
    if not name:
        return
    for value in given:
        if isinstance(value, ast.Name) and value.id in functions:
            yield _Registered(value.id, "", name, description, schema)
            return
        if is_attribute_of(value, "self") and value.attr in methods:
            yield _Registered(value.attr, owner, name, description, schema)
            return


def _list_wrapped(value: ast.Dict, methods: set[str], owner: str) -> Iterator[_Registered]:
    """The methods in a dict such as {"find": Tool(self.find)}."""
    for key, item in zip(value.keys, value.values):
        name, method = constant_text(key), item.args[0].attr if wraps_method(item) else ""  # type: ignore[attr-defined]
        if name and method in methods:
            yield _Registered(method, owner, name, "", None)


def _read_arguments(call: ast.Call) -> tuple[str, str, ast.expr | None]:
    """The name, the description and the schema among the arguments of a call."""
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    record = next((argument for argument in call.args if isinstance(argument, ast.Call) and _names_itself(argument)), None)
    if record is not None and not _names_itself(call):  # register_tool(Tool(name="…", …), self.search)
        return _read_arguments(record)
    texts = [text for argument in call.args if (text := constant_text(argument))]
    is_named_first = bool(texts) and texts[0] is constant_text(call.args[0])
    name = constant_text(named.get("name")) or (texts[0] if is_named_first else "")
    description = constant_text(named.get("description")) or (texts[1] if len(texts) > 1 else "")
    schema = next((named[key] for key in _SCHEMA_KEYS if key in named), None)
    return name, description, schema or next((argument for argument in call.args if isinstance(argument, ast.Dict)), None)


def _names_itself(call: ast.Call) -> bool:
    return any(keyword.arg == "name" for keyword in call.keywords)


def _list_imports(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield statement.module or ""
