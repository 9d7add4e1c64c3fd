"""Finds the tools of an imported file: marked functions, classes, lists, servers, plugins, or exported functions.

Used after the file has run. The marks that stand-ins have recorded, the names of the module and the source (`Reading`)
go in; specs and notes come out. `inferred_tools` makes the specs.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any, get_args

from .annotations import hints_of
from .argument_dicts import call_with_dict
from .class_tools import ClassTools
from .described_files import read_described_files
from .framework_names.marking import INJECTED
from .inert import Inert, InertType
from .inferred_tools import MAX_TOOLS, InferredTools
from .instances import Instances, list_constructor_parameters
from .loaded_file import Collected, Note, Options
from .low_level_servers import list_server_tools, run_without_waiting
from .marks import FUNCTIONS, Collector, Mark, mark_of, remove_cache, text_of
from .place import Place
from .read_keys import infer_schema_of_dict
from .reading import Reading
from .registered_tools import find_registered, name_classes
from .tool_dicts import find_described_tools, list_classes, match_descriptions, read_description
from .tool_objects import find_registry_tools, mark_entry
from .tool_syntax import REGISTRY, TOOL_LISTS, is_tool_dict, is_tool_list
from .unavailable import Unavailable


def collect_tools(
    place: Place, reading: Reading, collector: Collector, options: Options, described: list[tuple[str, Any]] | None = None
) -> Collected:
    """Collects the tools of an imported file. An exception of the file becomes a note.

    `described`: the JSON files that describe tools, if they are already read.
    """
    return _Collection(place, reading, collector, options, described).collect()


class _Collection:
    def __init__(
        self, place: Place, reading: Reading, collector: Collector, options: Options, described: list[tuple[str, Any]] | None
    ) -> None:
        self._place, self._reading, self._collector, self._options = place, reading, collector, options
        self._described = described
        self._module, self._framework = place.module, reading.framework
        self._notes: list[Note] = []
        self._instances = Instances(place.module, collector, reading, self._notes)
        self._tools = InferredTools(place, reading, self._instances, self._notes)
        self._registered = self._find_registered() if reading.registers else []
        self._classes = ClassTools(place, reading, options, self._instances, self._tools, self._registered)

    def collect(self) -> Collected:
        """Collects the tools: those that the file marks, else those that it builds or exports, else its functions, if
        the options say so."""
        if self._reading.registers:
            name_classes(self._place)
        self._run_registering_functions()
        self._add_marked()
        self._add_imported()
        self._classes.add()
        self._add_servers()
        self._add_plugins()
        if self._reading.list_framework == "pipecat":  # lists and dicts only name the functions
            self._add_registered()
        self._add_listed()
        self._add_described([*self._reading.described, *self._call_giving(name for name in self._reading.functions_giving_lists if "." not in name)])
        self._add_described_in_files()
        self._add_dicts()
        self._add_registries()
        self._add_registered()
        if not self._tools.inferred and (self._reading.makers or self._reading.server_classes):
            self._build()
        if not self._tools.inferred:
            self._classes.add_lists_of_servers()
        if not self._tools.inferred and (listed := list(self._call_giving_methods())):
            self._add_described(listed)
        for function, (name, description) in self._reading.wrapped.items():
            if not (name and self._tools.has(name)):
                self._add_function(self._find(function), name, description)
        if not self._tools.inferred:
            self._add_context_functions()
        if not self._tools.inferred:
            self._add_exported()
        self._add_unmarked()
        return Collected(self._tools.inferred, self._notes, self._tools.implied, self._classes.settings)

    def _find_registered(self) -> list[Mark]:
        """The functions and methods that the file registers under a name."""
        if self._reading.list_framework == "pipecat":
            from .pipecat_handlers import find_handlers

            return list(find_handlers(self._place))
        return list(find_registered(self._place, self._reading.list_framework))

    def _run_registering_functions(self) -> None:
        if self._reading.server_parameters:
            from .tool_makers import run_registering_functions

            self._notes.extend(run_registering_functions(self._place, self._reading, self._collector))

    def _build(self) -> None:
        """Runs functions that build tools, and adds these."""
        from .tool_makers import run_building_functions

        notes = run_building_functions(self._place, self._reading, self._collector)
        self._add_marked()
        self._add_servers()
        self._add_listed()
        if self._tools.inferred:  # otherwise the reason says where the tools are built
            self._notes.extend(notes)

    # Marks

    def _add_marked(self) -> None:
        for mark in list(self._collector.marks)[:MAX_TOOLS]:
            if self._is_tool(mark):
                owner = _find_owner(self._place, mark)
                if owner is not None:
                    mark.owner = owner
                self._tools.add(mark)

    def _add_imported(self) -> None:
        """Adds the tools of helper files that the file imports: the functions themselves, or the modules that have them."""
        seen: set[int] = set()
        waiting: list[Any] = [self._module]
        while waiting and len(seen) < MAX_TOOLS:
            value = waiting.pop()
            if issubclass(type(value), ModuleType) and id(value) not in seen:
                seen.add(id(value))
                if value is self._module or self._place.is_helper(value):
                    waiting.extend(reversed(vars(value).values()))
            else:
                self._add_imported_mark(mark_of(value))

    def _add_imported_mark(self, mark: Mark | None) -> None:
        """Adds a tool of a helper file, because a helper file cannot have tools itself."""
        if mark is not None and not self._place.has(mark.target) and self._is_near(mark):
            self._tools.add(mark)

    def _is_tool(self, mark: Mark) -> bool:
        """Whether a mark is one of a tool of this file."""
        target = mark.target
        if mark.framework == "plain" and getattr(target, "__name__", "") in self._reading.makers:
            return False  # a decorator of a missing file registers a function that builds tools
        if self._place.has(target) and self._is_of_copy(target):
            return False  # the file was also imported as part of its package
        if isinstance(target, Unavailable):
            return False  # only the application has what the tool would run
        if isinstance(target, (Inert, InertType)) and not (mark.name and (mark.description or mark.schema)):
            return False  # a function of a missing file that nothing describes
        return mark.explicit or self._place.has(target) or self._place.is_made_nearby(target)

    def _is_of_copy(self, target: Any) -> bool:
        """Whether a function is from another module with the code of this file."""
        function = inspect.unwrap(getattr(target, "__func__", target))
        return isinstance(function, FunctionType) and function.__module__ != self._module.__name__ and function.__globals__ is not vars(self._module)

    # Servers and plugins

    def _add_servers(self) -> None:
        """Adds the tools of servers that list and call their tools with functions of the file."""
        for server in self._collector.low_level:
            listing, calling = server.low_level()
            if not callable(listing) or not callable(calling):
                continue
            try:
                marks = list_server_tools(listing, calling)
            except Exception as fault:
                self._note_failed_list(listing, "the function that lists the tools", fault)
                continue
            for mark in marks:
                self._tools.add(mark, shares_function=True)

    def _add_plugins(self) -> None:
        for plugin in self._collector.plugins:
            try:
                plugin(self._register)
            except Exception as fault:
                message = f"register_tools raises {type(fault).__name__}: {fault}"
                hint = "Let register_tools call register with each function or toolbox."
                self._notes.append(Note("foreign-list-fails", self._place.line_of(plugin), message, "a plugin that registers its tools", hint))

    def _register(self, given: Any = None, name: Any = None, **named: Any) -> Any:
        """The function `register` that a plugin of llm gets."""
        if given is None:
            return lambda function: self._register(function, name)
        mark = getattr(given, "mark", None)
        if isinstance(mark, Mark):
            self._tools.add(mark)
        elif isinstance(given, FUNCTIONS):
            self._tools.add(Mark("llm", given, name=text_of(name)))
        return given

    # Lists, dicts and descriptions

    def _add_listed(self) -> None:
        """Adds the functions in lists of tools, and those that an agent or a server was given."""
        listed = self._collector.listed
        for name, value in list(vars(self._module).items()):
            if isinstance(value, (list, tuple)) and is_tool_list(name):
                if not any(read_description(item) for item in value[:3]):
                    listed.extend(value)
        listed.extend(vars(self._module)[name] for name in self._reading.listed if name in vars(self._module))
        for value in listed[:MAX_TOOLS]:
            self._add_function(value)

    def _add_function(self, value: Any, name: str = "", description: str = "") -> None:
        """Adds a function or a method of an object that something lists as a tool, unless it has a mark."""
        if isinstance(value, type):
            return
        if (mark := mark_of(value)) is not None:
            self._add_imported_mark(mark)
            return
        if self._place.is_from_helper(type(value)):  # an object of a helper file's class, such as SearchTool()
            self._classes.add_object(value)
            return
        function = value.__func__ if isinstance(value, MethodType) else remove_cache(value)
        if isinstance(function, FunctionType) and self._place.is_near(function):
            mark = Mark(self._reading.list_framework, value, name=name, description=description)
            if name and not isinstance(value, MethodType) and (schema := infer_schema_of_dict(function)):
                mark.schema, mark.call = schema, call_with_dict(function, schema)
            if mark.framework == "pipecat":
                from .framework_names.voice_frameworks import answer_with_callback

                answer_with_callback(mark)
            self._tools.add(mark)

    def _add_registered(self) -> None:
        """Adds what `_find_registered` has found."""
        for mark in self._registered:
            if mark.owner is not None or getattr(mark.target, "__name__", "") not in self._reading.makers:
                self._tools.add(mark)

    def _add_described(self, inner: list[Any]) -> None:
        """Adds the tools that the file describes as data, and a note for each that nothing in the file runs. `inner`: the
        lists inside functions."""
        self._add_matched(find_described_tools(self._module, inner, self._reading.named_inside))

    def _add_matched(self, matched: Iterable[Any]) -> None:
        for found in matched:
            if isinstance(found, Mark):
                self._tools.add(found, shares_function=True)
            elif not self._tools.has(found[0].name):
                described, variable = found
                line = self._reading.defined.get(described.name, 1)
                message = f"{variable} describes {described.name}, but no function in this file implements it"
                hint = f"Define a function named {described.name}, or a dict from names to functions."
                note = Note("foreign-no-function", line, message, f"a function {described.name}", hint)
                self._notes += [] if note in self._notes else [note]

    def _add_described_in_files(self) -> None:
        """Adds the tools that JSON files of the folder describe. A JSON file is ignored if this file runs none of its tools."""
        files = self._described
        if files is None:
            files = read_described_files(self._reading.json_files, self._place.root, os.path.basename(self._place.path))
        for described in files:
            found = list(match_descriptions(self._module, [described], self._reading.named_inside))
            if any(isinstance(one, Mark) for one in found):
                self._add_matched(found)

    def _call_giving(self, names: Iterable[str]) -> Iterator[Any]:
        """Yields what functions such as get_tools() return. Values that only the application knows raise errors on use."""
        for name in names:
            function, needed = self._find(name), self._reading.needed[name]
            if isinstance(function, FunctionType) and self._place.has(function):
                try:
                    yield run_without_waiting(function, named={one: Unavailable(one) for one in needed})
                except (Exception, SystemExit) as fault:
                    if not needed:  # otherwise it may need these values to make tools
                        self._note_failed_list(function, f"{name}(), which lists the tools,", fault)

    def _call_giving_methods(self) -> Iterator[Any]:
        """Yields what methods such as get_tools() return, for objects made without the constructor."""
        for name in self._reading.functions_giving_lists:
            outer, _, last = name.rpartition(".")
            kind = self._find(outer)
            if isinstance(kind, type) and self._place.has(vars(kind).get(last)):
                try:
                    yield run_without_waiting(MethodType(vars(kind)[last], kind.__new__(kind)))
                except Exception:  # it may need what only the application has
                    continue

    def _add_dicts(self) -> None:
        """Adds the functions of a dict such as TOOLS = {"add": add}, or {"add": {"function": add, "description": "…"}}."""
        for variable, value in list(vars(self._module).items()):
            is_certain = is_tool_dict(variable)
            if not isinstance(value, dict) or not (is_certain or variable.lower().endswith("registry")):
                continue
            for name, item in list(dict.items(value))[:MAX_TOOLS]:  # the items of a subclass may never end
                if not isinstance(name, str) or name.startswith("_"):
                    continue
                mark = mark_entry(name, item) if isinstance(item, (dict, tuple)) else None
                if not is_certain and (mark is None or mark.call is None or type(item) is not tuple):
                    continue  # a registry of other things
                if mark is None:
                    self._add_function(item, name, self._find_description(name))
                elif self._is_near(mark):
                    mark.framework, mark.name, mark.explicit = self._reading.list_framework, name, False
                    self._tools.add(mark)

    def _find_description(self, name: str) -> str:
        """The description of a tool in another dict: TOOL_SCHEMAS = {"add": {"description": "…"}} or TOOL_DESCRIPTIONS = {"add": "…"}."""
        for variable, value in vars(self._module).items():
            if isinstance(value, dict) and is_tool_dict(variable):
                given = dict.get(value, name)
                text = text_of(given.get("description")) if type(given) is dict else text_of(given) if "desc" in variable.lower() else ""
                if text:
                    return text
        return ""

    def _add_registries(self) -> None:
        """Adds the tools that objects of a class such as ToolRegistry hold."""
        given = [*self._call_giving(self._reading.functions_giving_records), *self._create_registries()]
        for mark in find_registry_tools(self._module, given):
            if self._is_near(mark):
                self._tools.add(mark)

    def _create_registries(self) -> Iterator[Any]:
        """Yields an object of each class such as ToolRegistry whose constructor needs no values, and that the file does not use."""
        if not self._reading.has_registry:
            return
        for kind in list_classes(self._module):
            is_usable = REGISTRY.search(kind.__name__) and "__init__" in vars(kind) and not list_constructor_parameters(kind)
            if is_usable and self._instances.find_existing(kind) is None:
                try:
                    yield self._instances.get(kind)
                except Exception:  # it may need the application
                    continue

    def _is_near(self, mark: Mark) -> bool:
        return self._place.is_near(inspect.unwrap(getattr(mark.target, "__func__", mark.target)))

    # Functions that nothing marks

    def _add_context_functions(self) -> None:
        """Adds the functions that take a ToolContext of Google ADK: another file passes them to its agent."""
        if self._framework is None or self._framework.id != "google-adk":
            return
        for name in self._reading.functions:
            function = self._find(name)
            if not isinstance(function, FunctionType) or not self._place.has(function) or "callback" in name:
                continue
            hints = hints_of(function)
            hints.pop("return", None)
            kinds = {getattr(kind, "__name__", "") for hint in hints.values() for kind in (hint, *get_args(hint)) if hasattr(kind, INJECTED)}
            if "ToolContext" in kinds and "tool" not in hints:
                self._tools.add(Mark("google-adk", function))

    def _add_exported(self) -> None:
        """Adds the functions that __all__ names."""
        for name in self._reading.exported:
            function = self._find(name)
            if not isinstance(function, FunctionType) or not self._place.has(function) or name in self._reading.server_parameters:
                continue
            if inspect.signature(function).parameters.keys().isdisjoint(TOOL_LISTS):  # otherwise it builds an agent
                self._tools.add(Mark("plain", function), implied=True)

    def _add_unmarked(self) -> None:
        """Adds all functions that could be tools, if the options ask for them."""
        unmarked = self._options.unmarked
        if unmarked == "always" or (unmarked == "if-none" and not self._tools.inferred):
            for name in self._reading.functions:
                function = self._find(name)
                if isinstance(function, FunctionType) and self._place.has(function):
                    self._tools.add(Mark("plain", function), is_unmarked=True)

    def _find(self, name: str) -> Any:
        """The value of a name of the module; None if it has no such name."""
        return vars(self._module).get(name)

    def _note_failed_list(self, function: Any, what: str, fault: BaseException) -> None:
        """Notes that a function which lists the tools raises an exception. `what`: the function in words."""
        message = f"{what} raises {type(fault).__name__}: {fault}"
        hint = "Let it return its tools without waiting for anything."
        self._notes.append(Note("foreign-list-fails", self._place.line_of(function), message, "a list of tools", hint))


def _find_owner(place: Place, mark: Mark) -> type | None:
    """The class of this file to whose objects a marked function belongs; None for other functions."""
    if mark.owner is not None or isinstance(mark.target, MethodType):
        return mark.owner
    outer, _, last = text_of(getattr(mark.target, "__qualname__", "")).rpartition(".")
    owner = vars(place.module).get(outer) if outer and "." not in outer else None
    if not isinstance(owner, type) or isinstance(inspect.getattr_static(owner, last, None), (staticmethod, classmethod)):
        return None
    # Some frameworks call functions of a class without an instance.
    code = getattr(inspect.unwrap(mark.target), "__code__", None)
    return owner if code is not None and code.co_varnames[:1] in (("self",), ("cls",)) else None
