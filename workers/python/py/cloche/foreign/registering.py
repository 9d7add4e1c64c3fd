"""Calls the functions of a file that add tools to a server, such as register_tools(mcp), or build tools, such as
create_server(), unless the file calls them; also classes that build a server."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Collection, Iterator
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
from .needed_code import needed_function, needed_method, parsed
from .reading import Reading
from .resuming import Definition, Failed, call_without, server_of
from .schema_lists import classes_of
from .source_nodes import GUARD, runs_application

_TESTS = re.compile(r"^_*test(_|$)")
# Parameters of these names take a server, whatever their annotation says.
_SERVER = re.compile(r"^(fast)?mcp(_server|_app|_instance)?$|^server$")
_CALLERS = 20  # the number of functions whose statements are run to compute the values of their calls
_UNKNOWN = object()
# Words for messages about a function: the verb, and the kind of function.
_ADDS = ("add", "a function that adds tools to its server")
_BUILDS = ("make", "a function that builds tools")


def register(module: ModuleType, path: str, reading: Reading, collector: Collector) -> list[Note]:
    """Adds the marks of the tools that these functions create. Values that only the application has raise an error on use."""
    caller = _Caller(module, path, reading, collector)
    marks = collector.marks
    for name, server in reading.registering.items():
        function = vars(module).get(name)
        if not isinstance(function, FunctionType) or function.__code__.co_filename != path:
            continue
        known, before = {_code_of(one) for one in marks}, len(marks)
        caller.call(function, f"{name}()", None, {server: server_for(reading.framework)}, _ADDS)
        marks[before:] = [one for one in marks[before:] if _code_of(one) not in known]
    return caller.notes


def build(module: ModuleType, path: str, reading: Reading, collector: Collector) -> list[Note]:
    """Calls the functions that build tools, and creates objects of classes that do. Call it only if the file's own statements
    make no tools."""
    caller = _Caller(module, path, reading, collector)
    blocked = {one.function for one in reading.obstacles}
    for name, lists in reading.builders.items():
        function = vars(module).get(name)
        if not isinstance(function, FunctionType) or function.__code__.co_filename != path or name in blocked:
            continue
        if name in reading.registering or (runs_application(name) and not lists):
            continue
        caller.call(function, f"{name}()")
    if not caller.count():
        for kind, methods in _server_classes(module, reading):
            if not blocked & {"__init__", *(name for name, lists in methods.items() if lists or not runs_application(name))}:
                caller.build_object(kind, methods)
    for name in reading.builders:
        if not caller.count() and runs_application(name) and not _TESTS.search(name):
            caller.call_needed(name, reading.made_at)
    for name in reading.builders:
        if not caller.count() and not _TESTS.search(name):
            caller.call_needed(name, reading.made_at, True)
    return list(dict.fromkeys(caller.notes))


def _server_classes(module: ModuleType, reading: Reading) -> Iterator[tuple[type, dict[str, bool]]]:
    """The classes with methods that build tools, inherited ones included, and these methods. A class that another one
    inherits from may work only as a part of it."""
    kinds = [one for one in classes_of(module) if type(one) is type or isinstance(one, InertType)]
    for kind in dict.fromkeys(kinds):
        methods = {name: lists for one in kind.__mro__ for name, lists in reading.server_classes.get(one.__name__, {}).items()}
        if methods and not any(kind in other.__mro__[1:] for other in kinds):
            yield kind, methods


class _Caller:
    """Calls functions of one file, and collects notes about what fails."""

    def __init__(self, module: ModuleType, path: str, reading: Reading, collector: Collector) -> None:
        self._module, self._path, self._reading, self._collector = module, path, reading, collector
        self._begun: set[str] = set()  # the functions whose calls are computed, or being computed
        self._given: dict[str, Any] = {}  # the values of these calls, by the name that is called
        self.notes: list[Note] = []

    @functools.cached_property
    def _tree(self) -> ast.Module:
        return parsed(self._path) or ast.Module([], [])

    def count(self) -> int:
        """The number of marks, and of servers that list tools with a function of their own."""
        return len(self._collector.marks) + sum(callable(one.low_level()[0]) for one in self._collector.low_level)

    def build_object(self, kind: type, methods: dict[str, bool]) -> None:
        """Creates an object of a class, and calls its methods that build tools unless its constructor does."""
        before = self.count()
        made = existing_object(self._module, self._collector, kind)
        if made is None:
            try:
                made = kind.__new__(kind)
            except (Exception, SystemExit) as fault:
                self.notes.append(_fails(f"{kind.__name__}()", self._failed(kind.__name__, fault)))
                return
            if isinstance(kind.__init__, FunctionType):
                self.call(MethodType(kind.__init__, made), f"{kind.__name__}()")
        for name, lists in methods.items() if self.count() == before else ():
            method, definition = getattr(made, name, None), None
            if not isinstance(method, MethodType) or name == "__init__" or _TESTS.search(name):
                continue
            if runs_application(name) and not lists:
                found = needed_method(method, self._reading.made_at)
                if found is None or self._is_blocked(name, found[1]):
                    continue
                method, definition = found
            self.call(method, f"{kind.__name__}.{name}()", definition)

    def call_needed(self, name: str, lines: Collection[int], always: bool = False) -> None:
        """Runs a part of a function that runs the application: the statements at these lines, and those that they need.
        Does nothing if one of them fails in a browser. `always`: also statements whose condition does not hold."""
        shown = f"{name}()" if name != GUARD else 'the block of if __name__ == "__main__":'
        try:
            found = needed_function(self._tree, vars(self._module), self._path, name, lines, always)
        except (Exception, SystemExit) as fault:  # defaults of parameters are code of the file
            self.notes.append(_fails(shown, self._failed(name, fault)))
            return
        if found is not None and not self._is_blocked(name, found[1]):
            self.call(found[0], shown, found[1])

    def call(
        self,
        function: FunctionType | MethodType,
        name: str,
        definition: Definition | None = None,
        given: dict[str, Any] | None = None,
        does: tuple[str, str] = _BUILDS,
    ) -> None:
        """Calls a function of the file without those of its statements that raise an exception, and notes which these are."""
        before = {key: len(listed) for key, listed in vars(self._collector).items()}

        def undo() -> None:
            for key in ("marks", "listed", "low_level", "plugins"):
                del getattr(self._collector, key)[before[key] :]

        try:
            values = {**self._values(function), **(given or {})}
        except (Exception, SystemExit) as fault:  # signatures and classes of parameters are code of the file
            self.notes.append(_fails(name, self._failed(name.partition("(")[0], fault), does))
            return
        # An assignment to an attribute can fail twice: with its value, and without it.
        self.notes += dict.fromkeys(_fails(name, one, does) for one in call_without(function, values, undo, definition))

    def _failed(self, name: str, fault: BaseException) -> Failed:
        return Failed(self._reading.defined.get(name, 1), fault, False)

    def _is_blocked(self, name: str, definition: Definition) -> bool:
        """Whether a statement that is left of the function fails in a browser."""
        lines = [(one.lineno, one.end_lineno or 0) for one in definition.function.body]
        return any(one.function == name and any(first <= one.line <= last for first, last in lines) for one in self._reading.obstacles)

    def _values(self, function: FunctionType | MethodType) -> dict[str, Any]:
        """Values for the parameters: those that the file passes where it runs as a program; for others without a
        default, servers, or values that raise an error on use."""
        signature = inspect.signature(function)
        hints = hints_of(function)
        called = type(function.__self__) if isinstance(function, MethodType) and function.__name__ == "__init__" else function
        values = self._passed(called.__name__, signature)
        for one in signature.parameters.values():
            if one.kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
                values.pop(one.name, None)
            elif one.name not in values and one.default is one.empty:
                values[one.name] = _value_for(one.name, hints.get(one.name), self._reading.framework)
        return values

    def _passed(self, called: str, signature: inspect.Signature) -> dict[str, Any]:
        """The values that the file passes in its first call, such as one in main(). If they cannot be computed, plain
        values are left."""
        caller, call = self._reading.passed.get(called, ("", None))
        if call is None:
            return {}
        values: Any = [_constant(one) for one in call.args]
        named = {one.arg or "": _constant(one.value) for one in call.keywords}
        if _UNKNOWN in (*values, *named.values()):
            values, named = self._computed(called, caller) or (values, named)
        try:
            bound = signature.bind_partial(*values, **named).arguments
        except TypeError:
            return {}
        return {name: value for name, value in bound.items() if value is not _UNKNOWN}

    def _computed(self, called: str, caller: str) -> Any:
        """The values and named values of a call; None if they cannot be computed. The calls of one function that make
        tools are computed together."""
        names, reading = vars(self._module), self._reading
        makers = {*reading.registering, *reading.builders, *reading.server_classes}
        key = caller if called in makers else f"{caller} {called}"
        if key not in self._begun and len(self._begun) < _CALLERS:
            self._begun.add(key)
            lines = {name: call.lineno for name, (where, call) in reading.passed.items() if where == caller and name in {*makers, called} & names.keys()}
            own, noted = {name: names[name] for name in lines}, len(self.notes)
            names.update((name, self._recorder(name)) for name in lines)
            try:
                self.call_needed(caller, lines.values())
            finally:
                names.update(own)
                del self.notes[noted:]  # a tool that uses a value which is missing says why
        return self._given.get(called)

    def _recorder(self, name: str) -> Callable[..., Any]:
        """A function that notes its values, and does nothing else."""
        return lambda *values, **named: self._given.setdefault(name, (values, named)) and Unavailable(name)


def _constant(node: ast.expr) -> Any:
    return node.value if isinstance(node, ast.Constant) else _UNKNOWN


def _fails(name: str, failed: Failed, does: tuple[str, str] = _BUILDS) -> Note:
    verb, what = does
    fault = describe(failed.raised)
    said = f"this line of {name} fails ({fault}): what it defines is missing" if failed.is_left_out else f"{name} raises {fault}"
    hint = f"Let {name} {verb} its tools before it uses values that only the application has."
    return Note("foreign-list-fails", failed.line, said, what, hint)


def _value_for(name: str, kind: Any, framework: Framework | None) -> Any:
    """The value of one parameter. Servers, and agents whose decorators mark tools, have a method `tool`."""
    return server_of(kind, name) or (server_for(framework) if _SERVER.search(name) else Unavailable(name))


def _code_of(one: Mark) -> Any:
    under = inspect.unwrap(getattr(one.target, "__func__", one.target))
    return getattr(under, "__code__", under)
