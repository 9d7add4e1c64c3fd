"""Calls the functions of a file that make tools when they are called, unless the file has called them itself: functions
that add tools to a server, such as register_tools(mcp), functions that build tools, such as create_server(), and
constructors and methods of classes that do.

Used by `collection`. The stand-ins record the tools; notes about statements that fail come out.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Collection, Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from ..failures import describe
from .annotations import hints_of
from .framework_names.mcp import server_for
from .frameworks import Framework
from .inert import InertType
from .instances import find_existing_object
from .loaded_file import Note
from .marks import Collector, Mark
from .needed_code import make_needed_function, make_needed_method, parse_file
from .place import Place
from .reading import Reading
from .resuming_files import make_server
from .resuming_functions import Failed, FunctionSource, call_without_failing
from .syntax import GUARD
from .tool_dicts import list_classes
from .tool_syntax import runs_application
from .unavailable import Unavailable

_IS_TEST = re.compile(r"^_*test(_|$)")
# Names of parameters for a server, whatever their annotation says.
_SERVER_PARAMETER = re.compile(r"^(fast)?mcp(_server|_app|_instance)?$|^server$")
_CALLERS = 20  # the number of functions whose statements are run to compute the values of their calls
_UNKNOWN = object()
_RECORDED = ("marks", "listed", "low_level", "plugins")  # the lists of a Collector that a call adds to


class _Purpose(NamedTuple):
    """What a function does with tools, in words for messages."""

    verb: str
    kind: str


_ADDS = _Purpose("add", "a function that adds tools to its server")
_BUILDS = _Purpose("make", "a function that builds tools")


def run_registering_functions(place: Place, reading: Reading, collector: Collector) -> list[Note]:
    """Calls the functions that add tools to a server, with a server. A tool that the file has marked is not added again."""
    caller = _Caller(place, reading, collector)
    marks = collector.marks
    for name, server in reading.server_parameters.items():
        function = vars(place.module).get(name)
        if not isinstance(function, FunctionType) or function.__code__.co_filename != place.path:
            continue
        known, before = {_code_of(mark) for mark in marks}, len(marks)
        caller.call(function, f"{name}()", given={server: server_for(reading.framework)}, purpose=_ADDS)
        marks[before:] = [mark for mark in marks[before:] if _code_of(mark) not in known]
    return caller.notes


def run_building_functions(place: Place, reading: Reading, collector: Collector) -> list[Note]:
    """Calls the functions that build tools, and creates objects of classes that do.

    Call it only if the file's own statements make no tools. Each step is taken only if the steps before it made none:
    functions that only build tools; classes; the needed part of functions that run the application, such as main(); the
    needed part of any function, also in branches whose conditions are false.
    """
    caller = _Caller(place, reading, collector)
    blocked = {obstacle.function for obstacle in reading.obstacles}
    _call_makers(caller, place, reading, blocked)
    if not caller.count_tools():
        for kind, methods in _list_server_classes(place.module, reading):
            if not blocked & {"__init__", *(name for name, lists in methods.items() if lists or not runs_application(name))}:
                caller.create_object(kind, methods)
    for name in reading.makers:
        if not caller.count_tools() and runs_application(name) and not _IS_TEST.search(name):
            caller.call_needed(name, reading.made_at)
    for name in reading.makers:
        if not caller.count_tools() and not _IS_TEST.search(name):
            caller.call_needed(name, reading.made_at, always=True)
    return list(dict.fromkeys(caller.notes))


def _call_makers(caller: _Caller, place: Place, reading: Reading, blocked: set[str]) -> None:
    """Calls the functions that build tools and do not run the application. `blocked`: functions that fail in a browser."""
    for name, lists in reading.makers.items():
        function = vars(place.module).get(name)
        if not isinstance(function, FunctionType) or function.__code__.co_filename != place.path or name in blocked:
            continue
        if name not in reading.server_parameters and (lists or not runs_application(name)):
            caller.call(function, f"{name}()")


def _list_server_classes(module: ModuleType, reading: Reading) -> Iterator[tuple[type, dict[str, bool]]]:
    """Yields the classes with methods that build tools, inherited ones included, and these methods. A class from which
    another one inherits is left out: it may work only as a part of that one."""
    kinds = [kind for kind in list_classes(module) if type(kind) is type or isinstance(kind, InertType)]
    for kind in dict.fromkeys(kinds):
        methods = {name: lists for base in kind.__mro__ for name, lists in reading.server_classes.get(base.__name__, {}).items()}
        if methods and not any(kind in other.__mro__[1:] for other in kinds):
            yield kind, methods


class _Caller:
    """Calls functions of one file, and collects notes about what fails."""

    def __init__(self, place: Place, reading: Reading, collector: Collector) -> None:
        self._module, self._path, self._reading, self._collector = place.module, place.path, reading, collector
        self._begun: set[str] = set()  # the functions whose calls are computed, or being computed
        self._recorded: dict[str, Any] = {}  # the values of these calls, by the name that is called
        self.notes: list[Note] = []

    def count_tools(self) -> int:
        """Counts marks, functions of the file that an agent was given, and servers for which the file has a function that
        lists their tools."""
        collector, path = self._collector, self._path
        listed = [getattr(one, "__func__", one) for one in collector.listed]
        given = sum(isinstance(one, FunctionType) and one.__code__.co_filename == path for one in listed)
        return len(collector.marks) + given + sum(callable(server.low_level()[0]) for server in collector.low_level)

    def create_object(self, kind: type, methods: dict[str, bool]) -> None:
        """Creates an object of a class, and calls its methods that build tools unless its constructor does.

        `methods`: those that build tools, and whether they define a list_tools.
        """
        before = self.count_tools()
        instance = find_existing_object(self._module, self._collector, kind)
        if instance is None:
            try:
                instance = kind.__new__(kind)
            except (Exception, SystemExit) as fault:
                self.notes.append(_note_failure(f"{kind.__name__}()", self._make_failed(kind.__name__, fault)))
                return
            if isinstance(kind.__init__, FunctionType):
                self.call(MethodType(kind.__init__, instance), f"{kind.__name__}()")
        if self.count_tools() != before:
            return
        for name, lists in methods.items():
            method = getattr(instance, name, None)
            if isinstance(method, MethodType) and name != "__init__" and not _IS_TEST.search(name):
                self._call_method(method, name, f"{kind.__name__}.{name}()", lists)

    def _call_method(self, method: MethodType, name: str, shown: str, lists: bool) -> None:
        """Calls a method that builds tools; of a method that runs the application, only what the tools need.

        `shown`: its name in messages. `lists`: it defines a list_tools, so it does not run the application.
        """
        if lists or not runs_application(name):
            self.call(method, shown)
            return
        needed = make_needed_method(method, self._reading.made_at)
        if needed is not None and not self._is_blocked(name, needed[1]):
            self.call(needed[0], shown, needed[1])

    def call_needed(self, name: str, lines: Collection[int], always: bool = False) -> None:
        """Runs a part of a function that runs the application: the statements at these lines, and those that they need.

        Does nothing if one of them fails in a browser. `always`: also statements whose condition does not hold.
        """
        shown = f"{name}()" if name != GUARD else 'the block of if __name__ == "__main__":'
        try:
            needed = make_needed_function(self._tree, vars(self._module), self._path, name, lines, always)
        except (Exception, SystemExit) as fault:  # defaults of parameters are code of the file
            self.notes.append(_note_failure(shown, self._make_failed(name, fault)))
            return
        if needed is not None and not self._is_blocked(name, needed[1]):
            self.call(needed[0], shown, needed[1])

    def call(
        self,
        function: FunctionType | MethodType,
        shown: str,
        source: FunctionSource | None = None,
        given: dict[str, Any] | None = None,
        purpose: _Purpose = _BUILDS,
    ) -> None:
        """Calls a function of the file without those of its statements that raise an exception, and notes which these are.

        `shown`: its name in messages. `source`: its definition, if it is not in the file as it stands. `given`: values
        for some of its parameters.
        """
        before = {name: len(getattr(self._collector, name)) for name in _RECORDED}

        def undo() -> None:
            for name in _RECORDED:
                del getattr(self._collector, name)[before[name] :]

        try:
            values = {**self._find_values(function), **(given or {})}
        except (Exception, SystemExit) as fault:  # signatures and classes of parameters are code of the file
            self.notes.append(_note_failure(shown, self._make_failed(shown.partition("(")[0], fault), purpose))
            return
        failures = call_without_failing(function, values, undo, source)
        # An assignment to an attribute can fail twice: with its value, and without it.
        self.notes += dict.fromkeys(_note_failure(shown, failed, purpose) for failed in failures)

    @functools.cached_property
    def _tree(self) -> ast.Module:
        return parse_file(self._path) or ast.Module([], [])

    def _make_failed(self, name: str, fault: BaseException) -> Failed:
        return Failed(self._reading.defined.get(name, 1), fault, False)

    def _is_blocked(self, name: str, source: FunctionSource) -> bool:
        """Whether a statement that is left of the function fails in a browser."""
        lines = [(statement.lineno, statement.end_lineno or 0) for statement in source.function.body]
        obstacles = [obstacle for obstacle in self._reading.obstacles if obstacle.function == name]
        return any(first <= obstacle.line <= last for obstacle in obstacles for first, last in lines)

    def _find_values(self, function: FunctionType | MethodType) -> dict[str, Any]:
        """Values for the parameters: those that the file passes where it runs as a program. Parameters without these
        and without a default get a server, or a value that raises an error on use."""
        signature = inspect.signature(function)
        hints = hints_of(function)
        called = type(function.__self__) if isinstance(function, MethodType) and function.__name__ == "__init__" else function
        values = self._find_passed_values(called.__name__, signature)
        for parameter in signature.parameters.values():
            name = parameter.name
            if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
                values.pop(name, None)
            elif name not in values and parameter.default is parameter.empty:
                values[name] = _make_value(name, hints.get(name), self._reading.framework)
        return values

    def _find_passed_values(self, called: str, signature: inspect.Signature) -> dict[str, Any]:
        """The values that the file passes in its first call of a function, such as one in main().

        If the values cannot be computed, only constants are returned.
        """
        caller, call = self._reading.passed.get(called, ("", None))
        if call is None:
            return {}
        values: Any = [_constant_of(argument) for argument in call.args]
        named = {keyword.arg or "": _constant_of(keyword.value) for keyword in call.keywords}
        if _UNKNOWN in (*values, *named.values()):
            values, named = self._compute_call(called, caller) or (values, named)
        try:
            bound = signature.bind_partial(*values, **named).arguments
        except TypeError:
            return {}
        return {name: value for name, value in bound.items() if value is not _UNKNOWN}

    def _compute_call(self, called: str, caller: str) -> Any:
        """The positional and named values that a function of the file (`caller`) passes to another one (`called`).

        The statements before the call run, and functions in place of the called ones record their values. All calls of
        one caller that make tools are computed together. Returns None if the values cannot be computed.
        """
        names, reading = vars(self._module), self._reading
        makers = {*reading.server_parameters, *reading.makers, *reading.server_classes}
        key = caller if called in makers else f"{caller} {called}"
        if key not in self._begun and len(self._begun) < _CALLERS:
            self._begun.add(key)
            wanted = {*makers, called} & names.keys()
            lines = {name: call.lineno for name, (where, call) in reading.passed.items() if where == caller and name in wanted}
            replaced, noted = {name: names[name] for name in lines}, len(self.notes)
            names.update((name, self._make_recorder(name)) for name in lines)
            try:
                self.call_needed(caller, lines.values())
            finally:
                names.update(replaced)
                del self.notes[noted:]  # a tool that uses a value which is missing says why
        return self._recorded.get(called)

    def _make_recorder(self, name: str) -> Callable[..., Any]:
        """A function that records the values of its first call, and does nothing else."""

        def record(*values: Any, **named: Any) -> Unavailable:
            self._recorded.setdefault(name, (values, named))
            return Unavailable(name)

        return record


def _constant_of(node: ast.expr) -> Any:
    return node.value if isinstance(node, ast.Constant) else _UNKNOWN


def _make_value(name: str, kind: Any, framework: Framework | None) -> Any:
    """The value of one parameter. Servers, and agents whose decorators mark tools, have a method `tool`."""
    return make_server(kind, name) or (server_for(framework) if _SERVER_PARAMETER.search(name) else Unavailable(name))


def _note_failure(shown: str, failed: Failed, purpose: _Purpose = _BUILDS) -> Note:
    fault = describe(failed.raised)
    message = f"this line of {shown} fails ({fault}): what it defines is missing" if failed.is_left_out else f"{shown} raises {fault}"
    hint = f"Let {shown} {purpose.verb} its tools before it uses values that only the application has."
    return Note("foreign-list-fails", failed.line, message, purpose.kind, hint)


def _code_of(mark: Mark) -> Any:
    """The code of a marked function, which tells whether two marks are the same tool."""
    function = inspect.unwrap(getattr(mark.target, "__func__", mark.target))
    return getattr(function, "__code__", function)
