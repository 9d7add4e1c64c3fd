"""Finds the tools of the classes of an imported file, and of the objects that it makes from a framework's own classes.

Used by `collection`. A class may be a tool itself, or have methods that are tools.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from .inert import InertType
from .inferred_tools import InferredTools
from .instances import Instances, list_constructor_parameters
from .loaded_file import Options
from .marks import Mark
from .own_tool_classes import find_class_tool
from .place import Place
from .reading import Reading
from .settings import Setting, add_valves, find_settings, store_settings
from .unavailable import Unavailable

# Methods of Open WebUI's class Tools that Open WebUI calls itself.
_LIFECYCLE = frozenset(("setup", "close", "shutdown", "cleanup", "on_startup", "on_shutdown", "on_valves_updated"))


class ClassTools:
    """The tools of the classes of one file. They go into `tools`. `registered`: the marks of what the file registers."""

    def __init__(self, place: Place, reading: Reading, options: Options, instances: Instances, tools: InferredTools, registered: list[Mark]) -> None:
        self._place, self._reading, self._options, self._module = place, reading, options, place.module
        self._instances, self._tools, self._registered = instances, tools, registered
        self.settings: list[Setting] = []

    def add(self) -> None:
        """Adds the tools of the classes and objects at the top level."""
        for name, value in list(vars(self._module).items()):
            if not isinstance(value, type):
                self.add_object(value)
                continue
            if value.__module__ != self._module.__name__ or name.startswith("_"):
                continue
            ask = getattr(value, "__cloche_tools__", None) if not isinstance(value, InertType) else None
            if callable(ask):
                self._add_framework_class(value, ask)
            elif self._reading.is_web_ui and name == "Tools":
                self._add_web_ui_class(value, value)
            elif isinstance(inner := vars(value).get("Tools"), type):
                self._add_pipeline(value, inner)
            else:
                self._add_own_class(value)

    def add_lists_of_servers(self) -> None:
        """Adds the methods that a class lists as tools for its server, if its constructor cannot pass them to the server."""
        for name in self._reading.server_classes:
            kind = vars(self._module).get(name)
            if isinstance(kind, type) and self._reading.framework:
                self._add_methods(kind, self._reading.class_lists.get(name, ()))

    def add_object(self, value: Any) -> None:
        """Adds the tools of an object that the file has made from a framework's own class, such as Toolkit(tools=[…])."""
        kind = type(value)
        ask = getattr(kind, "__cloche_tools__", None)
        if callable(ask) and kind.__module__ != self._module.__name__ and not isinstance(kind, InertType):
            self._instances.use(kind, value)
            for mark in ask(value):
                self._tools.add(mark)

    def _add_framework_class(self, kind: type, ask: Callable[..., list[Mark]]) -> None:
        """Adds the tools of a class of a framework. `ask`: the method of the class that lists them."""
        try:
            marks = self._ask_class(kind, ask)
        except Exception as fault:
            self._instances.note_failure(kind, fault)
            methods = (vars(kind).get(name) for name in self._reading.registered.get(kind.__name__, ()))
            marks = [Mark("agno", method, owner=kind) for method in methods if isinstance(method, FunctionType)]
        for mark in marks:
            self._tools.add(mark)

    def _ask_class(self, kind: type, ask: Callable[..., list[Mark]]) -> list[Mark]:
        existing = self._instances.find_existing(kind)
        if not getattr(kind, "__cloche_instance__", False):
            marks = ask(existing) if existing is not None else ask()
            if not marks and existing is None and list_constructor_parameters(kind) and not kind.__subclasses__():
                self._instances.note_needed(kind)  # its name, or what it runs, comes from the application
            return marks
        if existing is not None or not list_constructor_parameters(kind):
            return ask(self._instances.get(kind))
        # A sample shows the tools, without what only the application has; a call makes its own object.
        marks = ask(kind(**{name: Unavailable(name) for name in list_constructor_parameters(kind)}))
        self._instances.note_needed(kind)
        return marks

    def _add_web_ui_class(self, kind: type, tools: type) -> None:
        """Adds the public methods of `tools`. `kind`: the class with the settings."""
        self.settings.extend(find_settings(kind))
        store_settings(kind, self._options.settings)
        for name, method in vars(tools).items():
            if isinstance(method, FunctionType) and not name.startswith("_") and name not in _LIFECYCLE:
                self._tools.add(Mark("open-webui", method, owner=tools), implied=kind is tools and not self._reading.names_web_ui)

    def _add_pipeline(self, kind: type, tools: type) -> None:
        """Adds the tools of a pipeline of Open WebUI: methods of its class Tools, whose objects get the pipeline."""
        try:
            self._instances.use(tools, tools(add_valves(kind, kind())))
        except Exception as fault:
            self._instances.note_failure(kind, fault)
        self._add_web_ui_class(kind, tools)

    def _add_own_class(self, kind: type) -> None:
        """Adds a class of the file that is a tool, and the methods that a class registers or lists as tools."""
        name = kind.__name__
        if name not in self._reading.server_classes:  # its tools are those that it adds to its server
            try:
                mark = find_class_tool(kind, self._instances.get)
                if mark is not None:
                    self._tools.add(mark)
            except Exception as fault:
                self._instances.note_failure(kind, fault)
            self._add_methods(kind, self._find_listed_methods(kind))
        if isinstance(kind, InertType):  # the server of a class whose base class is missing records nothing
            named = {mark.target.__name__ for mark in self._registered if mark.owner is kind and mark.name}
            self._add_methods(kind, (method for method in self._reading.class_served.get(name, ()) if method not in named))

    def _find_listed_methods(self, kind: type) -> Iterable[str]:
        """The methods that a class lists as tools. Without a framework, the name of the class must say that it has tools,
        and each method must have a docstring."""
        methods = self._reading.class_lists.get(kind.__name__, ())
        if self._reading.framework:
            return methods
        is_tool = any("tool" in base.__name__.lower() and "toolbar" not in base.__name__.lower() for base in kind.__mro__)
        return methods if is_tool and all(getattr(vars(kind).get(name), "__doc__", None) for name in methods) else ()

    def _add_methods(self, kind: type, names: Iterable[str]) -> None:
        for name in names:
            method = vars(kind).get(name)
            if isinstance(method, FunctionType) and self._place.has(method):
                self._tools.add(Mark(self._reading.list_framework, method, owner=kind))
