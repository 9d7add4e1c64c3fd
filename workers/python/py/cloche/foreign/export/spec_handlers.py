"""Writes the handlers of exported specs: a function as it is, or a new function that converts a call's arguments for it.

An inferred tool goes in, the expression for its handler comes out. `proposing` asks for each tool, and then for the
functions and objects that the handlers need.
"""

from __future__ import annotations

import dis
import inspect
import json
import re
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from ..annotations import hints_of
from ..argument_dicts import ARGUMENTS, call_with_dict, list_positional, make_further_values, takes_all_as_dict
from ..compared_names import ComparedCall
from ..fields import is_field_info, read_field_default
from ..frameworks import FRAMEWORKS
from ..inert import InertType
from ..instances import list_constructor_parameters
from ..injected_arguments import DICTS
from ..loaded_file import Inferred
from ..marks import Mark, RunModel
from ..read_keys import takes_json
from ..syntax import DEFINITIONS
from .conversion_code import ConversionWriter, SavedCode, Unwritable, explain_unnamed
from .framework_calls import FrameworkCall, FrameworkCalls
from .plain_classes import PlainClasses
from .plain_contexts import PlainContexts
from .source_edits import Changes, SourceEdits
from .spec_text import write_literal

# Frameworks whose classes call one of their own methods with the arguments.
_CALL_OWN_METHODS = ("smolagents", "langchain", "crewai")
# Frameworks that pass their own objects to tools.
_PASS_OBJECTS = ("pipecat", "vocode")
_STAND_INS = __package__.rpartition(".")[0]  # the package that has the classes of frameworks


class Handler(NamedTuple):
    """The source of a handler; empty if it cannot be written, and the notes say why."""

    source: str
    notes: list[str]


class _Saved(NamedTuple):
    """What has been written at one time."""

    instances: dict[Any, str]
    functions: dict[str, str]
    taken: set[str]
    code: SavedCode
    changes: Changes
    state: str


class HandlerWriter:
    """Writes the handlers of one file. `unit`: one level of indentation; `modules`: those of the framework."""

    def __init__(self, module: ModuleType, text: str, unit: str, modules: frozenset[str]) -> None:
        self._module, self._unit = module, unit
        self.edits = SourceEdits(text, modules)
        self._classes, self._contexts = PlainClasses(module, self.edits), PlainContexts(module, self.edits)
        self._conversions = ConversionWriter(module, unit)
        self._calls = FrameworkCalls(unit, self._classes, self._contexts, self._conversions)
        self._defined = dict.fromkeys(node.name for node in self.edits.tree.body if isinstance(node, DEFINITIONS))
        self._instances: dict[Any, str] = {}  # what is called once, before TOOL_SPECS: classes, and functions that return a tool
        self._functions: dict[str, str] = {}  # new functions, with their source
        self._taken = set(vars(module))

    def write(self, tool: Inferred, is_wanted: bool) -> Handler:
        """The handler of an inferred tool. If it is not wanted, nothing is kept of it."""
        before = self._save()
        try:
            handler = Handler(self._write(tool), [])
        except Unwritable as why:
            handler = Handler("", [f"no spec can be written for it: {why}"])
        if not is_wanted or not handler.source:
            self._restore(before)
        return handler

    def write_definitions(self, handlers: list[str]) -> tuple[list[str], str]:
        """The modules that these handlers need, and the source of their objects and functions."""
        functions = [self._functions[handler] for handler in handlers if handler in self._functions]
        for name, source in reversed(self._conversions.functions.items()):
            if any(f"{name}(" in function for function in functions):
                functions.insert(0, source)
        needed = " ".join([*handlers, *functions])
        # A class may have pydantic's model as its base.
        imports = [module for module in self._conversions.imports if f"{module}." in needed or module == "pydantic"]
        state = f"{self._contexts.state} = {{}}\n" if self._contexts.state else ""
        objects = "".join(f"{name} = {kind.__name__}()\n" for kind, name in self._instances.items() if _has_word(needed, name))
        return imports, "\n\n".join(block for block in (state + objects, *functions) if block)

    def list_names(self, handler: str) -> list[str]:
        """The functions, classes and objects of the file that a handler uses."""
        source = f"{handler} {self._functions.get(handler, '')}"
        kinds = " ".join(kind.__name__ for kind, name in self._instances.items() if _has_word(source, name))
        words = set(re.findall(r"\w+", f"{handler} {kinds} {source}"))
        instance, is_method, _ = handler.partition(".")  # an object that the file makes: desk.search
        return [name for name in self._defined if name in words] + ([instance] if is_method else [])

    def _save(self) -> _Saved:
        return _Saved(
            dict(self._instances), dict(self._functions), set(self._taken), self._conversions.save(), self.edits.save(), self._contexts.state
        )

    def _restore(self, saved: _Saved) -> None:
        self._instances, self._functions, self._taken, code, changes, self._contexts.state = saved
        self._conversions.restore(code)
        self.edits.restore(changes)

    def _write(self, tool: Inferred) -> str:
        """The expression for a handler; a new function if arguments or results must be converted."""
        mark, parameters = tool.mark, tool.parameters
        function = inspect.unwrap(_find_function(mark))
        if isinstance(mark.call, RunModel) or mark.framework in _PASS_OBJECTS:
            lines, call, result = self._write_framework_call(tool, function)
            kind = f"_call_{mark.call.kind.__name__.lower()}" if isinstance(mark.call, RunModel) else ""
            return self._add_function(function, "**arguments", lines, call, result, kind)
        if mark.call is not None and mark.framework not in _CALL_OWN_METHODS:
            return self._write_dispatched(mark)
        called = self._write_called(mark, function)
        lines = self._write_conversions(tool, function)
        supplied = [self._write_supplied(name, function, supply) for name, supply in parameters.supplied.items()]
        has_context = "context=context" in supplied
        if mark.framework != "plain":
            has_context = self._contexts.rewrite_errors(function, has_context)
            self._contexts.rewrite_results(function)
        fixed = [argument for argument in supplied if argument and argument != "context=context"]
        positional = self._write_positional(tool)
        hints = hints_of(function)
        result = self._conversions.to_json("result", hints["return"]) if "return" in hints else "result"
        whole = parameters.whole
        if not (lines or fixed or positional or whole or result != "result"):
            return called
        context = ["context=context"] if has_context else []
        values = [*([whole] if whole else []), *positional, *fixed, *context, *([] if whole else ["**arguments"])]
        head = "context, **arguments" if has_context else "**arguments"
        return self._add_function(function, head, lines, f"{called}({', '.join(values)})", result)

    def _write_framework_call(self, tool: Inferred, function: Any) -> FrameworkCall:
        """The call of a tool that takes objects of its framework."""
        mark = tool.mark
        if isinstance(mark.call, RunModel):
            hints = hints_of(function)
            return self._calls.write_model(mark.call, self._conversions.to_json("result", hints["return"]) if "return" in hints else "result")
        called = self._write_called(mark, function)
        if mark.framework == "vocode":
            return self._calls.write_vocode(mark, called)
        # A handler with a schema takes all arguments as one dict.
        return self._calls.write_pipecat(mark, called, self._write_conversions(tool, function) if mark.schema is None else [])

    def _write_conversions(self, tool: Inferred, function: Any) -> list[str]:
        """The lines that rename and convert arguments, and set those that are missing."""
        parameters = tool.parameters
        lines: list[str] = []
        if parameters.renamed:
            lines.append(f"parameter_names = {write_literal(dict(parameters.renamed), 1, self._unit, 18)}")
            lines.append("arguments = {parameter_names.get(name, name): value for name, value in arguments.items()}")
        if parameters.whole:
            lines.append(f"{parameters.whole} = {self._conversions.from_json('arguments', hints_of(function)[parameters.whole])}")
        else:
            for name, annotation in parameters.conversions.items():
                lines.extend(self._conversions.write_assignment("arguments", name, annotation, _is_required(tool, name)))
        for name, given in parameters.defaults.items():
            lines.append(f'arguments.setdefault("{name}", {self._write_default(name, given)})')
        return lines

    def _write_default(self, name: str, given: Any) -> str:
        value = read_field_default(given) if is_field_info(given) else given
        if getattr(given, "default_factory", None) is not None or not isinstance(value, (str, int, float, bool, type(None), list, dict)):
            raise Unwritable(f"the default of {name} is created for each call, or is not plain data")
        return write_literal(value, 2, self._unit, 40)

    def _write_supplied(self, name: str, function: Any, supply: Any) -> str:
        """The argument for a parameter that the framework supplies; empty if none is needed."""
        parameter = inspect.signature(function).parameters.get(name)
        if getattr(hints_of(function).get(name), "__name__", "") == "RunnableConfig":
            return f'{name}={{"configurable": {{}}}}'
        if supply in DICTS:
            return f"{name}={self._contexts.share_state()}"
        try:
            return "context=context" if self._contexts.replace_supplied(function, name, supply) else ""
        except Unwritable:
            pass
        if parameter is None or parameter.default is not inspect.Parameter.empty:
            return ""
        if name in function.__code__.co_varnames and not _reads_parameter(function, name):
            return f"{name}=None"
        raise Unwritable(f"it uses {name}, which its framework supplies. Give it the default None, and use it only if it is not None")

    def _write_positional(self, tool: Inferred) -> list[str]:
        """The arguments that are passed by position, with those for *args."""
        parameters = tool.parameters
        positional = [f'arguments.pop("{name}")' for name in parameters.positional if name not in parameters.supplied]
        if positional and not all(_is_required(tool, name) for name in parameters.positional):
            raise Unwritable("it takes an optional argument by position only")
        return [*positional, *([f'*arguments.pop("{parameters.star}", [])'] if parameters.star else [])]

    # What is called

    def _write_called(self, mark: Mark, function: Any) -> str:
        """The expression that is called: a function, or a method of an object."""
        name = getattr(function, "__name__", "")
        owner = mark.owner
        if isinstance(mark.target, MethodType):
            bound = mark.target.__self__
            owner = bound if isinstance(bound, type) else type(bound)
        if owner is not None:
            return self._write_method(owner, name)
        if self._is_at_top_level(mark, function, name):
            return str(name)
        outer, is_inner, _ = str(getattr(function, "__qualname__", "")).partition(".<locals>")
        if is_inner and mark.framework == "inspect-ai" and outer in self._defined:
            return self._write_returned_tool(outer)
        if is_inner and vars(self._module).get(name) is not mark.target:
            raise explain_unnamed(function)
        called = self._conversions.name_of(mark.target)
        kind = vars(self._module).get(called.partition(".")[0])
        if isinstance(kind, type) and _is_of_framework(kind):
            self._make_plain(kind.__name__, name)
        return called

    def _is_at_top_level(self, mark: Mark, function: Any, name: str) -> bool:
        """Whether the function is defined at the top level, and its name leads to it, or to nothing that can be called."""
        if name not in self._defined or not isinstance(function, FunctionType) or function.__qualname__ != name:
            return False
        named = vars(self._module).get(name)
        return named is mark.target or inspect.unwrap(named) is function or not isinstance(named, FunctionType)  # type: ignore[arg-type]

    def _write_method(self, owner: type, name: str) -> str:
        """A method of a class, or of an object, which is made once if the file has none."""
        if _is_of_framework(owner):
            self._make_plain(owner.__name__, name)
        if isinstance(inspect.getattr_static(owner, name, None), (staticmethod, classmethod)):
            return f"{owner.__name__}.{name}"
        return f"{self._name_instance(owner)}.{name}"

    def _name_instance(self, owner: type) -> str:
        existing = next((name for name, value in vars(self._module).items() if type(value) is owner and name.isidentifier()), "")
        if existing:
            return existing
        if owner not in self._instances:
            needed = list_constructor_parameters(owner)
            if needed:
                raise Unwritable(f"{owner.__name__} cannot be made without {needed[0]}. Give it a default, or create an object in the file")
            self._instances[owner] = self._find_free_name("_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", owner.__name__).lower())
        return self._instances[owner]

    def _write_returned_tool(self, outer: str) -> str:
        """The tool that a function of the file returns: the function is called once, before TOOL_SPECS."""
        function = inspect.unwrap(vars(self._module)[outer])
        needed = _find_needed_parameter(function)
        if needed:
            raise Unwritable(f"{outer}() cannot be called without {needed}. Give it a default")
        self._contexts.rewrite_results(function)
        if function not in self._instances:
            self._instances[function] = self._find_free_name(f"_{outer}")
        return self._instances[function]

    def _make_plain(self, kind: str, method: str) -> None:
        try:
            self._classes.make_plain(kind)
        except Unwritable as why:
            remedy = f"Move the code of {method}() into a function: it can become a tool"
            raise Unwritable(f"it belongs to {kind}, a class of its framework, and {why}. {remedy}") from None

    # New functions

    def _write_dispatched(self, mark: Mark) -> str:
        """The handler of a tool that a dispatcher runs: a function that takes a name and the arguments."""
        further = _list_further_parameters(mark)
        is_whole = takes_all_as_dict(mark.target, mark.schema or {}, skipped=int(mark.owner is not None)) or further is not None
        is_known = mark.framework in ("openai", "anthropic") or (is_whole and mark.framework == "plain") or _takes_name(mark)
        if not is_known or not isinstance(mark.target, FunctionType):
            raise Unwritable(f"only {FRAMEWORKS[mark.framework].label} can call it. Move its code into a function: it can become a tool")
        if isinstance(mark.call, ComparedCall):
            self._contexts.rewrite_results(mark.target)
            return self._add_function(mark.target, "**arguments", [], f"{self._conversions.name_of(mark.target)}({', '.join(mark.call.write_values())})", "result")
        self._check_dispatcher(mark, further)
        values = [self._write_whole(mark), *(f"{name}=None" for name in further or ())] if is_whole else [f'"{mark.name}"', "arguments"]
        if not is_whole and takes_json(mark.target, 1):
            if vars(self._module).get("json") is not json:
                raise Unwritable(f"{mark.target.__name__}() takes its arguments as JSON. Write a function for it")
            values[1] = "json.dumps(arguments)"
        owner = mark.owner
        called = self._conversions.name_of(mark.target) if owner is None else ""
        self._contexts.rewrite_results(mark.target)
        if owner is not None:
            call = f"{self._write_method(owner, mark.target.__name__)}({', '.join(values)})"
            return self._add_function(mark.target, "**arguments", [], call, "result")
        name = self._find_free_name(f"_{mark.name.replace('-', '_').replace('.', '_')}")
        self._functions[name] = self._write_function(mark.target, name, "**arguments", [], f"{called}({', '.join(values)})", "result")
        return name

    def _write_whole(self, mark: Mark) -> str:
        """The arguments for a function that takes all of them at once: as a dict, or as the class that its annotation names."""
        parameters = list_positional(mark.target, skipped=int(mark.owner is not None))
        hint = hints_of(mark.target).get(parameters[0]) if len(parameters) == 1 else None
        is_class = isinstance(hint, type) and not isinstance(hint, InertType)
        return self._conversions.from_json("arguments", hint) if is_class else "arguments"

    def _check_dispatcher(self, mark: Mark, further: tuple[str, ...] | None) -> None:
        """Raises Unwritable if a dispatcher needs more than the name of a tool and the arguments."""
        function = mark.target
        if further is None:
            taken = 2 if mark.owner is None else 3
            needed = function.__code__.co_varnames[taken : function.__code__.co_argcount - len(function.__defaults__ or ())]
        else:
            needed = tuple(name for name in further if _reads_parameter(function, name))
        is_dispatching_method = mark.owner is not None and mark.framework != "plain"
        if is_dispatching_method or needed:
            why = f"needs {needed[0]}" if needed else f"is a method of {mark.owner.__name__}"  # type: ignore[union-attr]
            raise Unwritable(f"{function.__name__}(), which runs it, {why}. Write a function for it")

    def _add_function(self, function: Any, head: str, lines: list[str], call: str, result: str, name: str = "") -> str:
        """Adds a function that makes this call after these lines. Returns its name, which begins with `name`."""
        name = self._find_free_name(name or f"_call_{getattr(function, '__name__', 'tool')}")
        self._functions[name] = self._write_function(function, name, head, lines, call, result)
        return name

    def _write_function(self, function: Any, name: str, head: str, lines: list[str], call: str, result: str) -> str:
        """The source of a function that calls another one, `function`, and waits for it if it is asynchronous.

        `head`: its parameters; `result`: the expression for the result, which may use the variable `result`.
        """
        is_async = inspect.iscoroutinefunction(function)
        call = f"await {call}" if is_async else call
        body = [*lines, f"return {call}"] if result == "result" else [*lines, f"result = {call}", f"return {result}"]
        return "\n".join([f"{'async def' if is_async else 'def'} {name}({head}):", *(f"{self._unit}{line}" for line in body), ""])

    def _find_free_name(self, name: str) -> str:
        free = name if name.isidentifier() else "_tool"
        while free in self._taken:
            free += "_"
        self._taken.add(free)
        return free


def _find_function(mark: Mark) -> Any:
    """The function that is called: `_arun` of a class whose `_run` only says that it is asynchronous."""
    if mark.call is not None and mark.owner is not None and "NotImplementedError" in mark.target.__code__.co_names:
        return getattr(mark.owner, "_arun", mark.target)
    return mark.target.__func__ if isinstance(mark.target, MethodType) else mark.target


def _is_required(tool: Inferred, name: str) -> bool:
    shown = next((alias for alias, renamed in tool.parameters.renamed.items() if renamed == name), name)
    return shown in tool.parameters.schema.get("required", ())


def _is_of_framework(owner: type) -> bool:
    """Whether a class inherits from one of its framework, which is a stand-in here."""
    return any(isinstance(base, InertType) or base.__module__.startswith(_STAND_INS) for base in owner.__mro__[1:])


def _find_needed_parameter(function: Any) -> str:
    """The first parameter without a default; empty if there is none."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return next((one.name for one in parameters if one.default is one.empty and one.kind in positional), "")


def _list_further_parameters(mark: Mark) -> tuple[str, ...] | None:
    """The parameters without a default after the one that takes all arguments as one dict; None for other functions."""
    code, skipped = getattr(mark.target, "__code__", None), int(mark.owner is not None)
    if mark.framework != "plain" or code is None or call_with_dict(mark.target, mark.schema or {}, skipped=skipped) is None:
        return None
    parameters = code.co_varnames[skipped : code.co_argcount]
    if len(parameters) > 1 and parameters[0] not in ARGUMENTS:
        raise Unwritable(f"{mark.target.__name__}() needs {parameters[0]}. Write a function for it")
    return tuple(make_further_values(mark.target, parameters))


def _takes_name(mark: Mark) -> bool:
    """Whether the function of MCP's low-level server takes the tool's name and its arguments."""
    code = getattr(mark.target, "__code__", None)
    return mark.framework == "mcp" and code is not None and code.co_argcount == 2 and code.co_varnames[0] == "name"


def _reads_parameter(function: FunctionType, name: str) -> bool:
    """Whether the body of a function reads a parameter."""
    values = [instruction.argval for instruction in dis.get_instructions(function)]
    return any(value == name or (isinstance(value, tuple) and name in value) for value in values)


def _has_word(text: str, word: str) -> bool:
    return re.search(rf"\b{word}\b", text) is not None
