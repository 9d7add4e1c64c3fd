"""Writes the handlers of exported specs: a function as it is, or a function that converts a call's arguments for it."""

from __future__ import annotations

import ast
import inspect
import re
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from .annotations import hints_of
from .found import Inferred
from .fields import is_field_info, plain_default
from .frameworks import FRAMEWORKS
from .inert import InertType
from .marks import Mark
from .source_expressions import Expressions, Unwritable, unnamed
from .plain_classes import PlainClasses
from .plain_contexts import PlainContexts
from .injection import DICTS
from .source_edits import SourceEdits
from .modules.common import call_with_dict, further_values, takes_all
from .spec_text import literal

# Frameworks whose classes call one of their own methods with the arguments.
_OWN_METHODS = ("smolagents", "langchain", "crewai")


class Handler(NamedTuple):
    """The source of a handler; empty if it cannot be written, and the notes say why."""

    source: str
    notes: list[str]


class Handlers:
    """Writes the handlers of one file."""

    def __init__(self, module: ModuleType, text: str, unit: str, modules: frozenset[str]) -> None:
        self._module, self._unit = module, unit
        self.edits = SourceEdits(text, modules)
        self._classes, self._contexts = PlainClasses(self.edits), PlainContexts(module, self.edits)
        tree = self.edits.tree
        self._defined = {one.name: one for one in tree.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
        self._expressions = Expressions(module, unit)
        self._instances: dict[Any, str] = {}  # what is called once: classes, and functions that return a tool
        self._functions: dict[str, str] = {}
        self._taken = set(vars(module))

    def definitions_of(self, handlers: list[str]) -> tuple[list[str], str]:
        """The modules that these handlers need, and the source of their instances and functions."""
        functions = [self._functions[one] for one in handlers if one in self._functions]
        for name, text in reversed(self._expressions.functions.items()):
            if any(f"{name}(" in one for one in functions):
                functions.insert(0, text)
        needed = " ".join([*handlers, *functions])
        imports = [one for one in self._expressions.imports if f"{one}." in needed]
        made = "".join(f"{name} = {kind.__name__}()\n" for kind, name in self._instances.items() if re.search(rf"\b{name}\b", needed))
        state = f"{self._contexts.state} = {{}}\n" if self._contexts.state else ""
        return imports, "\n\n".join(one for one in (state + made, *functions) if one)

    def of(self, found: Inferred, wanted: bool) -> Handler:
        """The handler of an inferred tool. If it is not wanted, nothing is kept of it."""
        before = (dict(self._instances), dict(self._functions), set(self._taken), dict(self._expressions.imports), dict(self._expressions.functions))
        changes, state = self.edits.copied(), self._contexts.state
        try:
            made = Handler(self._written(found), [])
        except Unwritable as why:
            made = Handler("", [f"no spec can be written for it: {why}"])
        if not wanted or not made.source:
            self._instances, self._functions, self._taken, self._expressions.imports, self._expressions.functions = before
            self.edits.restore(changes)
            self._contexts.state = state
        return made

    def names_in(self, handler: str) -> list[str]:
        kinds = " ".join(kind.__name__ for kind, name in self._instances.items() if re.search(rf"\b{name}\b", f"{handler} {self._functions.get(handler, '')}"))
        needed = f"{handler} {kinds} {self._functions.get(handler, '')}"
        words = set(re.findall(r"\w+", needed))
        made, is_method, _ = handler.partition(".")  # an object that the file makes: desk.search
        return [name for name in self._defined if name in words] + ([made] if is_method else [])

    def _written(self, found: Inferred) -> str:
        """The expression for a handler; a new function if arguments or results must be converted."""
        mark, parameters = found.mark, found.parameters
        if mark.call is not None and mark.framework not in _OWN_METHODS:
            return self._dispatched(found)
        plain = inspect.unwrap(_target(mark))
        called = self._called(found, plain)
        lines: list[str] = []
        hints = hints_of(plain)
        whole = parameters.whole
        if whole:
            lines.append(f"{whole} = {self._expressions.from_json('arguments', hints[whole])}")
        for name, annotation in parameters.conversions.items() if not whole else ():
            is_required = name in parameters.schema.get("required", ())
            lines.extend(self._expressions.assignment("arguments", name, annotation, is_required))
        for name, given in parameters.defaults.items():
            lines.append(f'arguments.setdefault("{name}", {self._default(name, given)})')
        supplied = [self._supplied(name, plain, given) for name, given in parameters.supplied.items()]
        has_context = "context=context" in supplied
        if mark.framework != "plain":
            has_context = self._contexts.rewrite_errors(plain, has_context)
            self._contexts.rewrite_results(plain)
        fixed = [one for one in supplied if one and one != "context=context"]
        star = f'*arguments.pop("{parameters.star}", [])' if parameters.star else ""
        positional = [f'arguments.pop("{name}")' for name in parameters.positional if name not in parameters.supplied]
        if positional and any(name not in parameters.schema.get("required", ()) for name in parameters.positional):
            raise Unwritable("it takes an optional argument by position only")
        result = self._result(plain, hints)
        if not (lines or fixed or star or positional or whole or result != "result"):
            return called
        context = "context=context" if has_context else ""
        values = ", ".join(one for one in (whole, *positional, star, *fixed, context, "" if whole else "**arguments") if one)
        return self._defined_function(plain, called, lines, values, result, "context, **arguments" if has_context else "**arguments")

    def _called(self, found: Inferred, plain: Any) -> str:
        """The expression that is called: a function, or a method of an instance."""
        mark, name = found.mark, getattr(plain, "__name__", "")
        owner = mark.owner
        if isinstance(mark.target, MethodType):
            bound = mark.target.__self__
            owner = bound if isinstance(bound, type) else type(bound)
        if owner is not None:
            kind = owner.__name__
            if self._is_of_framework(owner):
                self._make_plain(kind, name)
            if isinstance(inspect.getattr_static(owner, name, None), (staticmethod, classmethod)):
                return f"{kind}.{name}"
            return f"{self._instance(owner)}.{name}"
        function = vars(self._module).get(name)
        if name in self._defined and isinstance(plain, FunctionType) and plain.__qualname__ == name:
            if function is mark.target or inspect.unwrap(function) is plain or not isinstance(function, FunctionType):
                return str(name)
        outer, is_inner, _ = str(getattr(plain, "__qualname__", "")).partition(".<locals>")
        if is_inner and mark.framework == "inspect-ai" and outer in self._defined:
            return self._made_by(outer)
        if is_inner and function is not mark.target:
            raise unnamed(plain)
        called = self._expressions.name_of(mark.target)
        kind = vars(self._module).get(called.partition(".")[0])
        if isinstance(kind, type) and self._is_of_framework(kind):
            self._make_plain(kind.__name__, name)
        return called

    def _made_by(self, outer: str) -> str:
        """The tool that a function returns: it is called once, before TOOL_SPECS."""
        make = inspect.unwrap(vars(self._module)[outer])
        needed = [one.name for one in inspect.signature(make).parameters.values() if one.default is one.empty and one.kind < 2]
        if needed:
            raise Unwritable(f"{outer}() cannot be called without {needed[0]}. Give it a default")
        self._contexts.rewrite_results(make)
        if make not in self._instances:
            self._instances[make] = self._free(f"_{outer}")
        return self._instances[make]

    def _make_plain(self, kind: str, name: str) -> None:
        try:
            self._classes.make_plain(kind)
        except Unwritable as why:
            remedy = f"Move the code of {name}() into a function: it can become a tool"
            raise Unwritable(f"it belongs to {kind}, a class of its framework, and {why}. {remedy}") from None

    def _is_of_framework(self, owner: type) -> bool:
        return any(isinstance(one, InertType) or one.__module__.startswith(__package__) for one in owner.__mro__[1:])

    def _instance(self, owner: type) -> str:
        known = next((name for name, one in vars(self._module).items() if type(one) is owner and name.isidentifier()), "")
        if known:
            return known
        if owner not in self._instances:
            needed = [one for one in list(inspect.signature(owner).parameters.values()) if one.default is one.empty and one.kind < 2]
            if needed:
                raise Unwritable(f"{owner.__name__} cannot be made without {needed[0].name}. Give it a default, or create an object in the file")
            self._instances[owner] = self._free("_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", owner.__name__).lower())
        return self._instances[owner]

    def _default(self, name: str, given: Any) -> str:
        value = plain_default(given) if is_field_info(given) else given
        if getattr(given, "default_factory", None) is not None or not isinstance(value, (str, int, float, bool, type(None), list, dict)):
            raise Unwritable(f"the default of {name} is made when it is needed")
        return literal(value, 2, self._unit, 40)

    def _supplied(self, name: str, plain: Any, given: Any) -> str:
        """The argument for a parameter that the framework supplies; empty if none is needed."""
        taken = inspect.signature(plain).parameters.get(name)
        if getattr(hints_of(plain).get(name), "__name__", "") == "RunnableConfig":
            return f'{name}={{"configurable": {{}}}}'
        if given in DICTS:
            return f"{name}={self._contexts.shared_state()}"
        try:
            return "context=context" if self._contexts.supply(plain, name, given) else ""
        except Unwritable:
            pass
        if taken is None or taken.default is not inspect.Parameter.empty:
            return ""
        if name in plain.__code__.co_varnames and not _is_used(plain, name):
            return f"{name}=None"
        raise Unwritable(f"it uses {name}, which its framework supplies. Give it the default None, and use it only if it is not None")

    def _result(self, plain: Any, hints: dict[str, Any]) -> str:
        return self._expressions.to_json("result", hints["return"]) if "return" in hints else "result"

    def _dispatched(self, found: Inferred) -> str:
        """The handler of a tool that a dispatcher runs: a function that takes a name and the arguments."""
        mark = found.mark
        further = _further(mark)
        is_whole = takes_all(mark.target, mark.schema or {}, 0) or further is not None
        known = mark.framework in ("openai", "anthropic") or (is_whole and mark.framework == "plain")
        if not (known or _takes_name(mark)) or not isinstance(mark.target, FunctionType):
            raise Unwritable(f"only {FRAMEWORKS[mark.framework].label} can call it. Write a function for it")
        code, defaults = mark.target.__code__, mark.target.__defaults__ or ()
        needed = code.co_varnames[2 : code.co_argcount - len(defaults)] if further is None else [one for one in further if _is_used(mark.target, one)]
        if mark.owner is not None or needed:
            why = f"is a method of {mark.owner.__name__}" if mark.owner is not None else f"needs {needed[0]}"
            raise Unwritable(f"{mark.target.__name__}(), which runs it, {why}. Write a function for it")
        self._contexts.rewrite_results(mark.target)
        given = ", ".join(["arguments", *(f"{one}=None" for one in further or ())]) if is_whole else f'"{mark.name}", arguments'
        called = self._expressions.name_of(mark.target)
        name = self._free(f"_{mark.name.replace('-', '_').replace('.', '_')}")
        is_async = inspect.iscoroutinefunction(mark.target)
        head, wait = ("async def", "await ") if is_async else ("def", "")
        self._functions[name] = f'{head} {name}(**arguments):\n{self._unit}return {wait}{called}({given})\n'
        return name

    def _defined_function(self, plain: Any, called: str, lines: list[str], values: str, result: str, taken: str) -> str:
        name = self._free(f"_call_{getattr(plain, '__name__', 'tool')}")
        is_async = inspect.iscoroutinefunction(plain)
        call = f"{'await ' if is_async else ''}{called}({values})"
        body = [*lines, f"return {call}"] if result == "result" else [*lines, f"result = {call}", f"return {result}"]
        head = "async def" if is_async else "def"
        self._functions[name] = "\n".join([f"{head} {name}({taken}):", *(f"{self._unit}{one}" for one in body), ""])
        return name

    def _free(self, name: str) -> str:
        free = name if name.isidentifier() else "_tool"
        while free in self._taken:
            free += "_"
        self._taken.add(free)
        return free


def _target(mark: Mark) -> Any:
    """The function that is called: `_arun` of a class whose `_run` only says that it is asynchronous."""
    if mark.call is not None and mark.owner is not None and "NotImplementedError" in mark.target.__code__.co_names:
        return getattr(mark.owner, "_arun", mark.target)
    return mark.target.__func__ if isinstance(mark.target, MethodType) else mark.target


def _further(mark: Mark) -> tuple[str, ...] | None:
    """The parameters without a default after the one that takes all arguments as one dict; None for other functions."""
    code = getattr(mark.target, "__code__", None)
    if mark.framework != "plain" or code is None or call_with_dict(mark.target, mark.schema or {}, 0) is None:
        return None
    return tuple(further_values(mark.target, code.co_varnames[: code.co_argcount]))


def _takes_name(mark: Mark) -> bool:
    """Whether the function of MCP's low-level server takes the tool's name and its arguments."""
    code = getattr(mark.target, "__code__", None)
    return mark.framework == "mcp" and code is not None and code.co_argcount == 2 and code.co_varnames[0] == "name"


def _is_used(function: FunctionType, name: str) -> bool:
    """Whether the body of a function reads a parameter."""
    import dis

    return any(one.argval == name or (isinstance(one.argval, tuple) and name in one.argval) for one in dis.get_instructions(function))
