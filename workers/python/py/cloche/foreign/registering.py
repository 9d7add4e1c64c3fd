"""Calls the functions of a file that add tools to a server, such as register_tools(mcp), or build tools, such as
create_server(), unless the file calls them; also classes that build a server."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

from ..failures import describe
from .annotations import hints_of
from .found import Note
from .frameworks import Framework
from .inert import InertType
from .instances import existing_object
from .marks import Collector, Mark
from .modules.common import Unavailable
from .modules.mcp import server_for
from .needed_code import needed_function
from .reading import Reading
from .resuming import Definition, Failed, call_without
from .schema_lists import classes_of
from .source_nodes import GUARD, runs_application

_TESTS = re.compile(r"^_*test(_|$)")
# Parameters of these names take a server, whatever their annotation says.
_SERVER = re.compile(r"^(fast)?mcp(_server|_app|_instance)?$|^server$")
# Words for messages about a function: the verb, and the kind of function.
_ADDS = ("add", "a function that adds tools to its server")
_BUILDS = ("make", "a function that builds tools")


def register(module: ModuleType, path: str, reading: Reading, collector: Collector) -> list[Note]:
    """Adds the marks of the tools that these functions create. Values that only the application has raise an error on use."""
    notes = []
    marks = collector.marks
    for name, server in reading.registering.items():
        function = vars(module).get(name)
        if not isinstance(function, FunctionType) or function.__code__.co_filename != path:
            continue
        known, before = {_code_of(one) for one in marks}, len(marks)
        given = {server: server_for(reading.framework)}
        notes += _call(function, f"{name}()", reading, collector, given, _ADDS)
        marks[before:] = [one for one in marks[before:] if _code_of(one) not in known]
    return notes


def build(module: ModuleType, path: str, reading: Reading, collector: Collector) -> list[Note]:
    """Calls the functions that build tools, and creates objects of classes that do. For a file whose own statements make none."""
    notes = []
    blocked = {one.function for one in reading.obstacles}
    for name, lists in reading.builders.items():
        function = vars(module).get(name)
        if not isinstance(function, FunctionType) or function.__code__.co_filename != path or name in blocked:
            continue
        if name in reading.registering or (runs_application(name) and not lists):
            continue
        notes += _call(function, f"{name}()", reading, collector)
    if not _count(collector):
        for kind, methods in _server_classes(module, reading):
            if not blocked & {"__init__", *methods}:
                notes += _build_object(kind, methods, module, reading, collector)
    for name in reading.builders:
        if not _count(collector) and runs_application(name) and not _TESTS.search(name):
            notes += _build_needed(module, path, name, reading, collector)
    return notes


def _build_needed(module: ModuleType, path: str, name: str, reading: Reading, collector: Collector) -> list[Note]:
    """Runs those statements of a function that runs the application which its tools need, unless one of them fails in
    a browser."""
    shown = f"{name}()" if name != GUARD else 'the block of if __name__ == "__main__":'
    try:
        found = needed_function(module, path, name, reading.made_at)
    except (Exception, SystemExit) as fault:  # defaults of parameters are code of the file
        return [_fails(shown, Failed(reading.defined.get(name, 1), fault, False))]
    if found is None:
        return []
    function, definition = found
    lines = [(one.lineno, one.end_lineno or 0) for one in definition.function.body]
    if any(one.function == name and any(first <= one.line <= last for first, last in lines) for one in reading.obstacles):
        return []
    return _call(function, shown, reading, collector, definition=definition)


def _server_classes(module: ModuleType, reading: Reading) -> Iterator[tuple[type, dict[str, bool]]]:
    """The classes with methods that build tools, inherited ones included, and these methods. A class that another one
    inherits from may work only as a part of it."""
    kinds = [one for one in classes_of(module) if type(one) is type]
    for kind in dict.fromkeys(kinds):
        methods = {name: lists for one in kind.__mro__ for name, lists in reading.server_classes.get(one.__name__, {}).items()}
        if methods and not any(kind in other.__mro__[1:] for other in kinds):
            yield kind, methods


def _build_object(kind: type, methods: dict[str, bool], module: ModuleType, reading: Reading, collector: Collector) -> list[Note]:
    """Creates an object of a class, and calls its methods that build tools unless its constructor does."""
    before, notes = _count(collector), []
    made = existing_object(module, collector, kind)
    if made is None:
        try:
            made = kind.__new__(kind)
        except (Exception, SystemExit) as fault:
            return [_fails(f"{kind.__name__}()", Failed(reading.defined.get(kind.__name__, 1), fault, False))]
        if isinstance(kind.__init__, FunctionType):
            notes += _call(MethodType(kind.__init__, made), f"{kind.__name__}()", reading, collector)
    for name, lists in methods.items() if _count(collector) == before else ():
        method = getattr(made, name, None)
        if isinstance(method, MethodType) and name != "__init__" and (lists or not runs_application(name)):
            notes += _call(method, f"{kind.__name__}.{name}()", reading, collector)
    return notes


def _call(
    function: FunctionType | MethodType,
    name: str,
    reading: Reading,
    collector: Collector,
    given: dict[str, Any] | None = None,
    does: tuple[str, str] = _BUILDS,
    definition: Definition | None = None,
) -> list[Note]:
    """Calls a function of the file without those of its statements that raise an exception, and says which these are."""
    before = {key: len(listed) for key, listed in vars(collector).items()}

    def undo() -> None:
        for key in ("marks", "listed", "low_level", "plugins"):
            del getattr(collector, key)[before[key] :]

    try:
        values = {**_missing_values(function, reading), **(given or {})}
    except (Exception, SystemExit) as fault:  # signatures and classes of parameters are code of the file
        return [_fails(name, Failed(reading.defined.get(name.partition("(")[0], 1), fault, False), does)]
    # An assignment to an attribute can fail twice: with its value, and without it.
    return list(dict.fromkeys(_fails(name, one, does) for one in call_without(function, values, undo, definition)))


def _fails(name: str, failed: Failed, does: tuple[str, str] = _BUILDS) -> Note:
    verb, what = does
    fault = describe(failed.raised)
    said = f"this line of {name} fails ({fault}): what it defines is missing" if failed.is_left_out else f"{name} raises {fault}"
    hint = f"Let {name} {verb} its tools before it uses values that only the application has."
    return Note("foreign-list-fails", failed.line, said, what, hint)


def _count(collector: Collector) -> int:
    """The number of marks, and of servers that list tools with a function of their own."""
    return len(collector.marks) + sum(callable(one.low_level()[0]) for one in collector.low_level)


def _missing_values(function: FunctionType | MethodType, reading: Reading) -> dict[str, Any]:
    """Values for the parameters without a default: those that the file passes elsewhere, servers, or values that raise
    an error on use."""
    taken = list(inspect.signature(function).parameters.values())
    hints = hints_of(function)
    called = type(function.__self__) if isinstance(function, MethodType) and function.__name__ == "__init__" else function
    literals = reading.literals.get(called.__name__, {})
    values = {}
    for index, one in enumerate(taken):
        if one.kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
            continue
        key = one.name if one.name in literals else index
        if key in literals:
            values[one.name] = literals[key]
        elif one.default is one.empty:
            values[one.name] = _value_for(one.name, hints.get(one.name), reading.framework)
    return values


def _value_for(name: str, kind: Any, framework: Framework | None) -> Any:
    """The value of one parameter. Servers, and agents whose decorators mark tools, have a method `tool`."""
    if isinstance(kind, type) and not isinstance(kind, InertType) and callable(getattr(kind, "tool", None)):
        try:
            return kind(name)
        except (Exception, SystemExit):  # a class of the file that takes something else
            return Unavailable(name)
    return server_for(framework) if _SERVER.search(name) else Unavailable(name)


def _code_of(one: Mark) -> Any:
    under = inspect.unwrap(getattr(one.target, "__func__", one.target))
    return getattr(under, "__code__", under)
