"""Writes the calls of tools that take objects of their framework: models that run themselves, handlers of Pipecat, and actions of
Vocode.

`spec_handlers` makes a handler from each call. The objects become plain Python objects with some of the same members;
a tool that uses other members cannot be exported.
"""

from __future__ import annotations

import inspect
import json
import types
from typing import Any, NamedTuple

from ..argument_dicts import list_positional
from ..marks import Mark, RunModel
from .conversion_code import ConversionWriter, Unwritable
from .plain_classes import PlainClasses
from .plain_contexts import PlainContexts

_CALL = """class {name}:
{unit}\"\"\"The arguments of a call, with a function that takes its result.\"\"\"

{unit}def __init__(self, function_name, arguments):
{unit}{unit}self.function_name, self.arguments = function_name, arguments
{unit}{unit}self.tool_call_id, self.result = "", None

{unit}async def result_callback(self, result=None, **options):
{unit}{unit}self.result = result
"""
_MEMBERS = ("function_name", "arguments", "tool_call_id", "result_callback")


class FrameworkCall(NamedTuple):
    """The lines before a call, the call itself, and the expression for its result, which may use the variable `result`."""

    lines: list[str]
    source: str
    result: str = "result"


class FrameworkCalls:
    """Writes the calls of one file. `unit`: one level of indentation."""

    def __init__(self, unit: str, classes: PlainClasses, contexts: PlainContexts, conversions: ConversionWriter) -> None:
        self._unit, self._classes, self._contexts, self._conversions = unit, classes, contexts, conversions

    def write_model(self, model: RunModel, result: str) -> FrameworkCall:
        """The call of a model's method. `result`: the expression that converts its result."""
        name = self._conversions.name_of(model.kind)
        try:
            if self._classes.make_model(name):
                self._conversions.imports["pydantic"] = None
        except Unwritable as why:
            remedy = f"Write a function with the fields of {name} as its parameters"
            raise Unwritable(f"{name} is a class of its framework, and {why}. {remedy}") from None
        self._contexts.rewrite_results(inspect.unwrap(getattr(model.kind, model.method)))
        return FrameworkCall([], f"{name}(**arguments).{model.method}()", result)

    def write_pipecat(self, mark: Mark, called: str, conversions: list[str]) -> FrameworkCall:
        """The call of a handler that passes its result to a callback. `called`: the expression for the handler."""
        function = inspect.unwrap(mark.target)
        names = list_positional(function, skipped=int(mark.owner is not None))
        parts = {
            "function_name": json.dumps(mark.name), "tool_call_id": '""', "args": "arguments", "arguments": "arguments",
            "result_callback": "call.result_callback",
        }
        if mark.schema is None or len(names) == 1:
            self._contexts.expect_uses(function, names[0], _MEMBERS)
            values = ["call", *(["**arguments"] if mark.schema is None else [])]
        else:  # handlers for older versions take each part as a parameter
            for name in names:
                if name not in parts:
                    self._contexts.expect_uses(function, name, ())
            values = [parts.get(name, "None") for name in names]
        self._contexts.rewrite_results(function)
        source = f"{called}({', '.join(values)})"
        if "call" not in values and parts["result_callback"] not in values:
            return FrameworkCall(conversions, source)
        lines = [*conversions, f"call = {self._add_call_class()}({json.dumps(mark.name or function.__name__)}, arguments)"]
        return FrameworkCall(lines, source, "call.result if result is None else result")

    def write_vocode(self, mark: Mark, called: str) -> FrameworkCall:
        """The call of an action, which takes its arguments as a model inside its input. `called`: the expression for its method."""
        function, owner = mark.target, mark.owner
        (name, *_) = list_positional(function, skipped=1)
        self._contexts.expect_uses(function, name, ("params",), "action_type")
        self._contexts.unwrap_outputs(function, "ActionOutput", "response")
        self._contexts.rewrite_results(function)
        model = self._conversions.from_json("arguments", getattr(owner, "parameters_type", None))
        response: Any = getattr(owner, "response_type", None)
        result = self._conversions.to_json("result", response) if isinstance(response, type) else "result"
        space = self._conversions.import_name(types.SimpleNamespace, "types")
        return FrameworkCall([], f"{called}({space}(params={model}))", result)

    def _add_call_class(self) -> str:
        """The name of the class of the object that handlers of Pipecat take."""
        known = next((name for name, source in self._conversions.functions.items() if "result_callback" in source), None)
        name = known or self._conversions.find_free_name("_Call")
        self._conversions.functions[name] = _CALL.format(name=name, unit=self._unit)
        return name
