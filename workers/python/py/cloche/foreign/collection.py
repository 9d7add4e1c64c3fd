"""Finds the tools of an imported file: marked functions, classes, lists, servers, plugins, or exported functions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any, get_args

from ..limits import DESCRIPTION_CHARACTERS, NAME_CHARACTERS
from .adapters import make_handler
from .annotations import hints_of
from .found import Found, Inferred, Note, Options
from .frameworks import Framework
from .inference import infer
from .inert import Inert, InertType
from .instances import Instances, needed_parameters
from .low_level import marks_of_server, run_at_once
from .marks import Collector, Mark, mark_of, text_of
from .modules.common import INJECTED, Unavailable
from .reading import Reading
from .registries import marks_of_registries
from .schema_lists import described_in, marks_of_lists
from .settings import Setting, give_settings, settings_of, with_valves
from .source_nodes import is_tool_dict
from .tool_classes import marks_of_class

_TOOLS = 2_000
_LIFECYCLE = frozenset(("setup", "close", "shutdown", "cleanup", "on_startup", "on_shutdown", "on_valves_updated"))
_UNSAFE = re.compile(r"[^\w.\-]+")


def collect(
    module: ModuleType, stem: str, path: str, reading: Reading, collector: Collector, root: str, options: Options
) -> Found:
    """Collects the tools of an imported file. An exception of the file becomes a note."""
    return _Collection(module, stem, path, reading, collector, root, options).found()


class _Collection:
    def __init__(
        self, module: ModuleType, stem: str, path: str, reading: Reading, collector: Collector, root: str, options: Options
    ) -> None:
        self._module, self._stem, self._path, self._reading = module, stem, path, reading
        self._collector, self._root = collector, root
        self._framework: Framework | None = reading.framework
        self._specs: list[dict[str, object]] = []
        self._notes: list[Note] = []
        self._implied: list[str] = []
        self._inferred: list[Inferred] = []
        self._settings: list[Setting] = []
        self._options = options
        self._is_unmarked = False
        self._names: dict[str, int] = {}
        self._targets: set[tuple[int, type | None]] = set()  # a method can be inherited
        self._instances = Instances(module, collector, reading, self._notes)
        self._interrupts = {name for name, is_tool in reading.interrupts.items() if is_tool}
        for name in reading.interrupts:
            given = vars(module).get(name)
            if isinstance(given, dict):
                self._interrupts.update(key for key, said in given.items() if said is not False and said is not None)

    def found(self) -> Found:
        """Collects the tools: those that the file marks, else those that it builds or exports, else its functions, if
        the options say so."""
        for step in (self._registering, self._marked, self._of_classes, self._of_servers, self._of_plugins, self._listed, self._described, self._of_dicts, self._of_registries):
            step()
        if not self._specs and (self._reading.builders or self._reading.server_classes):
            self._built()
        if not self._specs:
            self._of_class_lists()
        for function, said in self._reading.wrapped.items():
            self._add_listed(vars(self._module).get(function), *said)
        if not self._specs:
            self._of_contexts()
        if not self._specs:
            self._exported()
        unmarked = self._options.unmarked
        if unmarked == "always" or (unmarked == "if-none" and not self._specs):
            self._is_unmarked = True
            for name in self._reading.functions:
                value = vars(self._module).get(name)
                if isinstance(value, FunctionType) and self._is_here(value):
                    self._add(Mark("plain", value))
        return Found(self._specs, self._notes, self._implied, self._inferred, self._settings)

    def _registering(self) -> None:
        if self._reading.registering:
            from .registering import register

            self._notes.extend(register(self._module, self._path, self._reading, self._collector))

    def _built(self) -> None:
        from .registering import build

        notes = build(self._module, self._path, self._reading, self._collector)
        for step in (self._marked, self._of_servers, self._listed):
            step()
        if self._specs:  # else the reason says where the tools are built
            self._notes.extend(notes)

    def _marked(self) -> None:
        for mark in list(self._collector.marks)[:_TOOLS]:
            if mark.framework == "plain" and getattr(mark.target, "__name__", "") in self._reading.builders:
                continue  # a decorator of a missing file registers a function that builds tools
            if isinstance(mark.target, Unavailable) or (isinstance(mark.target, (Inert, InertType)) and not (mark.name and (mark.description or mark.schema))):
                continue  # what it would run is a value of the application, or a function of a missing file that nothing describes
            if not (mark.explicit or self._is_here(mark.target) or self._is_made_by_helper(mark.target)):
                continue
            owner = self._owner_of(mark)
            if owner is not None:
                mark.owner = owner
            self._add(mark)

    def _of_classes(self) -> None:
        """Adds the tools of the classes and objects at the top level."""
        for name, kind in list(vars(self._module).items()):
            if not isinstance(kind, type):
                self._of_object(kind)
                continue
            if kind.__module__ != self._module.__name__ or name.startswith("_"):
                continue
            ask = getattr(kind, "__cloche_tools__", None) if not isinstance(kind, InertType) else None
            if callable(ask):
                self._of_tool_class(kind, ask)
            elif self._reading.is_web_ui and name == "Tools":
                self._of_web_ui(kind, kind)
            elif isinstance(inner := vars(kind).get("Tools"), type):
                self._of_pipeline(kind, inner)
            else:
                self._of_own_class(kind)

    def _of_own_class(self, kind: type) -> None:
        """Adds the methods of a class of the file that the class registers or lists as tools."""
        try:
            # The tools of a class that registers them are those.
            for mark in marks_of_class(kind, self._instances.of) if kind.__name__ not in self._reading.server_classes else ():
                self._add(mark)
        except Exception as fault:
            self._instances.say_unmade(kind, fault)
        if kind.__name__ not in self._reading.server_classes:
            self._add_methods(kind, self._reading.class_lists.get(kind.__name__, ()) if self._framework else ())
        if isinstance(kind, InertType):  # the server of a class whose base class is missing records nothing
            self._add_methods(kind, self._reading.class_served.get(kind.__name__, ()))

    def _of_class_lists(self) -> None:
        """The methods that a class lists as tools for its server, if its constructor cannot give them to the server."""
        for name in self._reading.server_classes:
            kind = vars(self._module).get(name)
            if isinstance(kind, type) and self._framework:
                self._add_methods(kind, self._reading.class_lists.get(name, ()))

    def _add_methods(self, kind: type, names: Iterable[str]) -> None:
        for name in names:
            method = vars(kind).get(name)
            if isinstance(method, FunctionType) and self._is_here(method):
                self._add(Mark(self._framework_of_list(), method, owner=kind))

    def _of_tool_class(self, kind: type, ask: Callable[..., list[Mark]]) -> None:
        """Adds the tools that a class of a framework says it has. `ask`: its method for that."""
        try:
            if not getattr(kind, "__cloche_instance__", False):
                known = self._instances.existing(kind)
                marks = ask(known) if known is not None else ask()
                if not marks and known is None and needed_parameters(kind) and not kind.__subclasses__():
                    self._instances.say_needed(kind)  # its name, or what it runs, comes from the application
            else:
                is_sample = bool(needed_parameters(kind)) and self._instances.existing(kind) is None
                # A sample shows the tools, without what only the application has; a call makes its own object.
                marks = ask(kind(**{name: Unavailable(name) for name in needed_parameters(kind)}) if is_sample else self._instances.of(kind))
                if is_sample:
                    self._instances.say_needed(kind)
        except Exception as fault:
            self._instances.say_unmade(kind, fault)
            methods = (vars(kind).get(name) for name in self._reading.registered.get(kind.__name__, ()))
            marks = [Mark("agno", one, owner=kind) for one in methods if isinstance(one, FunctionType)]
        for mark in marks:
            self._add(mark)

    def _of_object(self, value: Any) -> None:
        """The tools of an object that the file made of a framework's own class, such as Toolkit(tools=[…])."""
        kind = type(value)
        ask = getattr(kind, "__cloche_tools__", None)
        if callable(ask) and kind.__module__ != self._module.__name__ and not isinstance(kind, InertType):
            self._instances.keep(kind, value)
            for mark in ask(value):
                self._add(mark)

    def _of_web_ui(self, kind: type, tools: type) -> None:
        """Adds the public methods of `tools`. `kind`: the class with the settings."""
        self._settings.extend(settings_of(kind))
        give_settings(kind, self._options.settings)
        for name, one in vars(tools).items():
            if isinstance(one, FunctionType) and not name.startswith("_") and name not in _LIFECYCLE:
                self._add(Mark("open-webui", one, owner=tools), implied=kind is tools and not self._reading.names_web_ui)

    def _of_pipeline(self, kind: type, tools: type) -> None:
        """The tools of a pipeline of Open WebUI: methods of its class Tools, whose objects get the pipeline."""
        try:
            self._instances.keep(tools, tools(with_valves(kind, kind())))
        except Exception as fault:
            self._instances.say_unmade(kind, fault)
        self._of_web_ui(kind, tools)

    def _of_servers(self) -> None:
        """Adds the tools of servers that list and call their tools with functions of the file."""
        for server in self._collector.low_level:
            listing, calling = server.low_level()
            if not callable(listing) or not callable(calling):
                continue
            try:
                marks = marks_of_server(listing, calling)
            except Exception as fault:
                said = f"the function that lists the tools raises {type(fault).__name__}: {fault}"
                hint = "Let it return its tools without waiting for anything."
                self._notes.append(Note("foreign-list-fails", self._line_of(listing), said, "a list of tools", hint))
                continue
            for mark in marks:
                self._add(mark, shared=True)

    def _of_plugins(self) -> None:
        for plugin in self._collector.plugins:
            try:
                plugin(self._take_registered)
            except Exception as fault:
                self._notes.append(
                    Note("foreign-list-fails", self._line_of(plugin), f"register_tools raises {type(fault).__name__}: {fault}", "a plugin that registers its tools", "Let register_tools call register with each function or toolbox.")
                )

    def _take_registered(self, given: Any = None, name: Any = None, **named: Any) -> Any:
        if given is None:
            return lambda function: self._take_registered(function, name)
        made = getattr(given, "mark", None)
        if isinstance(made, Mark):
            self._add(made)
        elif isinstance(given, FunctionType):
            self._add(Mark("llm", given, name=text_of(name)))
        return given

    def _listed(self) -> None:
        for name, value in list(vars(self._module).items()):
            plain = name.lower().strip("_")
            if isinstance(value, (list, tuple)) and (plain in ("tools", "functions", "tool_list") or plain.endswith(("_tools", "_functions"))):
                if not any(described_in(one) for one in value[:3]):
                    self._collector.listed.extend(value)
        self._collector.listed.extend(vars(self._module)[name] for name in self._reading.listed if name in vars(self._module))
        for value in self._collector.listed[:_TOOLS]:
            self._add_listed(value)

    def _add_listed(self, value: Any, name: str = "", description: str = "") -> None:
        if mark_of(value) is not None or isinstance(value, type):
            return
        function = value.__func__ if isinstance(value, MethodType) else value
        if not isinstance(function, FunctionType) or not self._is_from_folder(function):
            return
        self._add(Mark(self._framework_of_list(), value if isinstance(value, MethodType) else function, name=name, description=description))

    def _framework_of_list(self) -> str:
        """The framework whose rules apply to functions in a list of tools."""
        framework = self._framework.id if self._framework else "plain"
        return "plain" if framework in ("openai", "anthropic") else framework

    def _described(self) -> None:
        """Adds the tools that the file describes as data, and a note for each that nothing in the file runs."""
        for one in marks_of_lists(self._module, [*self._reading.described, *self._given()]):
            if isinstance(one, Mark):
                self._add(one, shared=True)
                continue
            said, variable = one
            self._notes.append(
                Note(
                    "foreign-no-function",
                    self._reading.defined.get(said.name, 1),
                    f"{variable} describes {said.name}, but no function in this file implements it",
                    f"a function {said.name}",
                    f"Define a function named {said.name}, or a dict from names to functions.",
                )
            )

    def _given(self) -> Iterator[Any]:
        """The lists that functions such as get_tools() return."""
        for name in self._reading.giving:
            function = vars(self._module).get(name)
            if isinstance(function, FunctionType) and self._is_here(function):
                try:
                    yield run_at_once(function)
                except (Exception, SystemExit) as fault:
                    said = f"{name}(), which lists the tools, raises {type(fault).__name__}: {fault}"
                    self._notes.append(Note("foreign-list-fails", self._line_of(function), said, "a list of tools", "Let it return its tools without waiting for anything."))

    def _of_dicts(self) -> None:
        """The functions of a dict such as TOOLS = {"add": add}, or {"add": {"function": add, "description": "…"}}."""
        for variable, value in list(vars(self._module).items()):
            if not isinstance(value, dict) or not is_tool_dict(variable):
                continue
            for name, one in list(dict.items(value))[:_TOOLS]:  # the items of a subclass may never end
                said = one if isinstance(one, dict) else {}
                function = next((said[key] for key in ("function", "func", "fn", "handler", "callable") if key in said), one)
                if isinstance(name, str) and not name.startswith("_"):
                    self._add_listed(function, name, text_of(said.get("description")))

    def _of_registries(self) -> None:
        if self._reading.has_registry or self._reading.has_schemas:
            for mark in marks_of_registries(self._module):
                if self._is_from_folder(inspect.unwrap(getattr(mark.target, "__func__", mark.target))):
                    self._add(mark)

    def _of_contexts(self) -> None:
        """The functions that take a ToolContext of Google ADK: another file gives them to its agent."""
        for name in self._reading.functions if self._framework and self._framework.id == "google-adk" else ():
            value = vars(self._module).get(name)
            if not isinstance(value, FunctionType) or not self._is_here(value) or "callback" in name:
                continue
            hints = hints_of(value)
            hints.pop("return", None)
            kinds = {getattr(one, "__name__", "") for hint in hints.values() for one in (hint, *get_args(hint)) if hasattr(one, INJECTED)}
            if "ToolContext" in kinds and "tool" not in hints:
                self._add(Mark("google-adk", value))

    def _exported(self) -> None:
        for name in self._reading.exported:
            value = vars(self._module).get(name)
            if isinstance(value, FunctionType) and self._is_here(value) and name not in self._reading.registering:
                self._add(Mark("plain", value), implied=True)

    def _add(self, mark: Mark, shared: bool = False, implied: bool = False) -> None:
        """Adds a tool. `shared`: several tools have the same function."""
        key = (id(getattr(mark.target, "__func__", mark.target)), mark.owner if mark.name else None)
        if len(self._specs) >= _TOOLS:
            return
        name = mark.name or text_of(getattr(mark.target, "__name__", "")) or "tool"
        safe = _UNSAFE.sub("_", name.replace(":", "_").strip())[: NAME_CHARACTERS - len(self._stem) - 1].strip("_") or "tool"
        line = self._line_of(mark.target)
        is_known = key in self._targets and not shared
        # A file may make several tools of one function, each with its own name.
        if is_known and (safe in self._names or not (mark.explicit and mark.name)):
            return
        if safe in self._names:
            if not shared:
                self._notes.append(
                    Note("duplicate-name", line, f"the tool {name!r} is defined twice: the one at line {self._names[safe]} is used", "a different name for each tool", "Rename one of the two.")
                )
            return
        try:
            parameters = infer(mark, mark.owner is not None and not isinstance(mark.target, MethodType))
            handler = make_handler(mark, name, parameters, self._instances.maker(mark))
        except Exception as fault:
            self._notes.append(
                Note("foreign-signature", line, f"the parameters of {name} cannot be read: {fault}", "a function with a signature", "Write TOOL_SPECS for this tool.")
            )
            return
        self._targets.add(key)
        self._names[safe] = line
        description = parameters.description[:DESCRIPTION_CHARACTERS] or name
        if not parameters.description:
            self._notes.append(
                Note("no-description", line, f"{name} has no description: a model only sees its name", "a docstring", "Say in a docstring what the tool does: the model uses it to choose a tool.")
            )
        spec: dict[str, object] = {"name": f"{self._stem}:{safe}", "description": description, "parameters": parameters.schema, "handler": handler}
        if safe != name:
            spec["label"] = name
        kept = ("requires_approval", "annotations", "timeout_s")
        spec.update({key: value for key, value in mark.flags.items() if key in kept})
        if name in self._interrupts:
            spec["requires_approval"] = True
        self._specs.append(spec)
        self._inferred.append(Inferred(spec, mark, parameters, line, self._is_unmarked))
        if implied:
            self._implied.append(f"{self._stem}:{safe}")

    def _owner_of(self, mark: Mark) -> type | None:
        """The class of this file whose body has the function."""
        if mark.owner is not None or isinstance(mark.target, MethodType):
            return mark.owner
        qualified = text_of(getattr(mark.target, "__qualname__", ""))
        outer, _, last = qualified.rpartition(".")
        owner = vars(self._module).get(outer) if outer and "." not in outer else None
        if not isinstance(owner, type) or isinstance(inspect.getattr_static(owner, last, None), (staticmethod, classmethod)):
            return None
        # Some frameworks call functions of a class without an instance.
        code = getattr(inspect.unwrap(mark.target), "__code__", None)
        return owner if code is not None and code.co_varnames[:1] in (("self",), ("cls",)) else None

    def _is_here(self, value: Any) -> bool:
        code = getattr(inspect.unwrap(getattr(value, "__func__", value)), "__code__", None)
        return code is not None and code.co_filename == self._path

    def _is_made_by_helper(self, value: Any) -> bool:
        """Whether a function of a helper file, such as register_tools(mcp) in tools/weather.py, has created this function."""
        return isinstance(value, FunctionType) and "<locals>" in value.__qualname__ and self._is_from_folder(inspect.unwrap(value))

    def _is_from_folder(self, function: FunctionType) -> bool:
        """Whether the function is from this file, or from a helper file that cannot have tools."""
        file = getattr(getattr(function, "__code__", None), "co_filename", "")  # a wrapper may be around a value of the application
        if file == self._path:
            return True
        inner = file.removeprefix(self._root + "/") if file.startswith(self._root + "/") else ""
        return bool(inner) and ("/" in inner or inner.startswith("_"))

    def _line_of(self, value: Any) -> int:
        code = getattr(inspect.unwrap(getattr(value, "__func__", value)), "__code__", None)
        return code.co_firstlineno if code is not None and code.co_filename == self._path else 1
