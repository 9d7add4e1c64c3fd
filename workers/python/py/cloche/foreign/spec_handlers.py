"""Writes the handlers of exported specs: a function as it is, or a function that converts a call's arguments for it."""

from __future__ import annotations

import ast
import inspect
import re
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from .annotations import hints_of, union_members
from .found import Inferred
from .fields import is_field_info, plain_default
from .frameworks import FRAMEWORKS
from .inert import InertType
from .source_expressions import Expressions, Unwritable
from .spec_text import literal


class Handler(NamedTuple):
    """The source of a handler; empty if it cannot be written, and the notes say why."""

    source: str
    notes: list[str]


class Handlers:
    """Writes the handlers of one file."""

    def __init__(self, module: ModuleType, tree: ast.Module, unit: str) -> None:
        self._module, self._unit = module, unit
        self._defined = {one.name: one for one in tree.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
        self._expressions = Expressions(module, unit)
        self._instances: dict[type, str] = {}
        self._functions: dict[str, str] = {}
        self._taken = set(vars(module))

    def definitions_of(self, handlers: list[str]) -> str:
        """Imports, instances and functions that these handlers need; empty if they need none."""
        functions = [self._functions[one] for one in handlers if one in self._functions]
        for name, text in reversed(self._expressions.functions.items()):
            if any(f"{name}(" in one for one in functions):
                functions.insert(0, text)
        needed = " ".join([*handlers, *functions])
        imports = "".join(f"import {one}\n" for one in self._expressions.imports if f"{one}." in needed)
        made = "".join(f"{name} = {kind.__name__}()\n" for kind, name in self._instances.items() if f"{name}." in needed)
        return "\n\n".join(one for one in (imports + made, *functions) if one)

    def of(self, found: Inferred, wanted: bool) -> Handler:
        """The handler of an inferred tool. If it is not wanted, nothing is kept of it."""
        before = (dict(self._instances), dict(self._functions), set(self._taken), dict(self._expressions.imports), dict(self._expressions.functions))
        try:
            made = Handler(self._written(found), [])
        except Unwritable as why:
            made = Handler("", [f"no spec can be written for it: {why}"])
        if not wanted or not made.source:
            self._instances, self._functions, self._taken, self._expressions.imports, self._expressions.functions = before
        return made

    def names_in(self, handler: str) -> list[str]:
        kinds = " ".join(kind.__name__ for kind, name in self._instances.items() if handler.startswith(f"{name}."))
        needed = f"{handler} {kinds} {self._functions.get(handler, '')}"
        return [name for name in self._defined if re.search(rf"\b{re.escape(name)}\b", needed)]

    def _written(self, found: Inferred) -> str:
        mark, parameters = found.mark, found.parameters
        if mark.call is not None:
            return self._dispatched(found)
        target = mark.target.__func__ if isinstance(mark.target, MethodType) else mark.target
        plain = inspect.unwrap(target)
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
        fixed = [one for one in map(lambda name: self._supplied(name, plain), parameters.supplied) if one]
        star = f'*arguments.pop("{parameters.star}", [])' if parameters.star else ""
        positional = [f'arguments.pop("{name}")' for name in parameters.positional if name not in parameters.supplied]
        if positional and any(name not in parameters.schema.get("required", ()) for name in parameters.positional):
            raise Unwritable("it takes an optional argument by position only")
        result = self._result(plain, hints)
        if not (lines or fixed or star or positional or whole or result != "result"):
            return called
        values = ", ".join(one for one in (whole, *positional, star, *fixed, "" if whole else "**arguments") if one)
        return self._defined_function(found, plain, called, lines, values, result)

    def _called(self, found: Inferred, plain: Any) -> str:
        """The expression that is called: a function, or a method of an instance."""
        mark, name = found.mark, getattr(plain, "__name__", "")
        owner = mark.owner
        if isinstance(mark.target, MethodType):
            bound = mark.target.__self__
            owner = bound if isinstance(bound, type) else type(bound)
        if owner is not None:
            kind = owner.__name__
            if not isinstance(self._defined.get(kind), ast.ClassDef) or self._is_of_framework(owner):
                raise Unwritable(f"it belongs to {kind}, a class of its framework. Move the code of {name}() into a function: it can become a tool")
            if isinstance(inspect.getattr_static(owner, name, None), (staticmethod, classmethod)):
                return f"{kind}.{name}"
            return f"{self._instance(owner)}.{name}"
        function = vars(self._module).get(name)
        if name in self._defined and isinstance(plain, FunctionType) and plain.__qualname__ == name:
            if function is mark.target or inspect.unwrap(function) is plain or not isinstance(function, FunctionType):
                return str(name)
        return self._expressions.name_of(mark.target)

    def _is_of_framework(self, owner: type) -> bool:
        return any(isinstance(one, InertType) or one.__module__.startswith(__package__) for one in owner.__mro__[1:])

    def _instance(self, owner: type) -> str:
        known = next((name for name, one in vars(self._module).items() if type(one) is owner and name.isidentifier()), "")
        if known:
            return known
        if owner not in self._instances:
            needed = [one for one in list(inspect.signature(owner).parameters.values()) if one.default is one.empty and one.kind < 2]
            if needed:
                raise Unwritable(f"{owner.__name__} cannot be made without {needed[0].name}")
            self._instances[owner] = self._free("_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", owner.__name__).lower())
        return self._instances[owner]

    def _default(self, name: str, given: Any) -> str:
        value = plain_default(given) if is_field_info(given) else given
        if getattr(given, "default_factory", None) is not None or not isinstance(value, (str, int, float, bool, type(None), list, dict)):
            raise Unwritable(f"the default of {name} is made when it is needed")
        return literal(value, 2, self._unit, 40)

    def _supplied(self, name: str, plain: Any) -> str:
        """The argument for a parameter that the framework supplies; empty if its default is enough."""
        taken = inspect.signature(plain).parameters.get(name)
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
        if mark.framework not in ("openai", "anthropic") or not isinstance(mark.target, FunctionType):
            raise Unwritable(f"only {FRAMEWORKS[mark.framework].label} can call it")
        called = self._expressions.name_of(mark.target)
        name = self._free(f"_{mark.name.replace('-', '_').replace('.', '_')}")
        is_async = inspect.iscoroutinefunction(mark.target)
        head, wait = ("async def", "await ") if is_async else ("def", "")
        self._functions[name] = f'{head} {name}(**arguments):\n{self._unit}return {wait}{called}("{mark.name}", arguments)\n'
        return name

    def _defined_function(
        self, found: Inferred, plain: Any, called: str, lines: list[str], values: str, result: str
    ) -> str:
        name = self._free(f"_call_{getattr(plain, '__name__', 'tool')}")
        is_async = inspect.iscoroutinefunction(plain)
        call = f"{'await ' if is_async else ''}{called}({values})"
        body = [*lines, f"return {call}"] if result == "result" else [*lines, f"result = {call}", f"return {result}"]
        head = "async def" if is_async else "def"
        self._functions[name] = "\n".join([f"{head} {name}(**arguments):", *(f"{self._unit}{one}" for one in body), ""])
        return name

    def _free(self, name: str) -> str:
        free = name if name.isidentifier() else "_tool"
        while free in self._taken:
            free += "_"
        self._taken.add(free)
        return free


def _is_used(function: FunctionType, name: str) -> bool:
    """Whether the body of a function reads a parameter."""
    import dis

    return any(one.argval == name or (isinstance(one.argval, tuple) and name in one.argval) for one in dis.get_instructions(function))
