"""Stand-ins for Google's and OpenAI's declarations of functions, AgentScope's toolkits, Browser Use's actions, and Inspect's functions that make tools."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from ..annotation_schemas import schema_of
from ..inert import Inert, InertType
from ..marks import Mark, note_tools, record_mark
from ..unavailable import Unavailable
from .marking import is_function, make_mark, make_marker, make_record, read_flags


class Declaration(dict):
    """A declaration of Google's SDKs as the dict that it stands for. Its keys are attributes, too."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)


class Schema(Declaration):
    """The schema of a value. It is a class, because files use it in annotations, such as Schema | None."""

    def __init__(self, **named: Any) -> None:
        super().__init__({key: value for key, value in named.items() if value is not None})


class FunctionDeclaration(Schema):
    """The declaration of one function."""

    def __init__(self, name: Any = None, description: Any = None, parameters: Any = None, **named: Any) -> None:
        given = parameters if parameters is not None else named.get("parameters_json_schema")
        super().__init__(name=name, description=description, parameters=given, type="function")

    @staticmethod
    def from_callable(*values: Any, **named: Any) -> Any:
        """Notes the function of which the SDK infers a declaration."""
        for one in (*values, *named.values()):
            if is_function(one):
                note_tools(one)
        return Inert()

    from_func = from_callable


class Tool(Schema):
    """A list of declarations."""

    def __init__(self, function_declarations: Any = None, **named: Any) -> None:
        super().__init__(function_declarations=function_declarations)


def _make_type_class() -> Any:
    return type("Type", (), {name: name for name in ("OBJECT", "STRING", "INTEGER", "NUMBER", "BOOLEAN", "ARRAY")})


class Controller(Inert):
    """Browser Use's controller: its decorator marks functions as actions."""

    def action(self, description: Any = "", param_model: Any = None, **options: Any) -> Any:
        def decorate(function: Any) -> Any:
            if is_function(function):
                mark = make_mark("browser-use", function, {**options, "description": description})
                record_mark(mark)
            return function

        return decorate(description) if is_function(description) else decorate

    @property
    def registry(self) -> Any:
        """Some files write `controller.registry.action`."""
        return self


class Toolkit(Inert):
    """AgentScope's toolkit, whose method marks functions as tools."""

    def register_tool_function(self, tool_func: Any = None, *values: Any, **options: Any) -> None:
        """Marks a function. The parameters of `preset_kwargs` are not the model's."""
        if is_function(tool_func):
            named = {"name": options.get("func_name"), "description": options.get("func_description")}
            mark = make_mark("agentscope", tool_func, {**options, **named})
            given = options.get("preset_kwargs")
            mark.hidden = {name: (lambda call, value=value: value) for name, value in given.items()} if isinstance(given, dict) else {}
            mark.explicit = True  # the function may be from another file
            record_mark(mark)


def _inspect_tool(*values: Any, **options: Any) -> Any:
    """Inspect's decorator: the function is called, and returns the function that is the tool."""

    def decorate(make: Any) -> Any:
        if not is_function(make):
            return make
        taken = inspect.signature(make).parameters.values()
        kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        needed = {one.name: Unavailable(one.name) for one in taken if one.default is one.empty and one.kind in kinds}
        try:
            made = make(**needed)
        except Exception:  # then another step reports the tool, as one that is built inside a function
            return make
        if isinstance(made, FunctionType):
            name = options.get("name") or next((one for one in values if isinstance(one, str)), make.__name__)
            text = "" if made.__doc__ else make.__doc__
            record_mark(Mark("inspect-ai", made, name=name, description=text or "", flags=read_flags(options)))
        return make

    return decorate(values[0]) if values and is_function(values[0]) else decorate


class ToolError(Exception):
    """An error that Inspect shows to the model."""

    __cloche_recoverable__ = True


def _model_tool(model: Any = None, *, name: Any = None, description: Any = None, **options: Any) -> Any:
    """OpenAI's description of a tool whose parameters are the fields of a model."""
    if not isinstance(model, type) or isinstance(model, InertType):
        return Inert()
    definition = {"name": name or model.__name__, "description": description or model.__doc__ or "", "parameters": schema_of(model)}
    return {"type": "function", "function": definition}


def list_names(module: str) -> Mapping[str, Any]:
    """The names of these frameworks, by the first part of the module."""
    return _NAMES[module.partition(".")[0]]()


def _google_names() -> Mapping[str, Any]:
    return {
        "FunctionDeclaration": FunctionDeclaration,
        "Schema": Schema,
        "Tool": Tool,
        "Type": _make_type_class(),
    }


_NAMES: dict[str, Callable[[], Mapping[str, Any]]] = {
    "google": _google_names,
    "vertexai": _google_names,
    "openai": lambda: {"pydantic_function_tool": _model_tool},
    "agentscope": lambda: {"Toolkit": Toolkit, "ToolResponse": make_record("ToolResponse", "content"), "TextBlock": dict},
    "browser_use": lambda: {"Controller": Controller, "Tools": Controller, "ActionResult": make_record("ActionResult")},
    "inspect_ai": lambda: {"tool": _inspect_tool, "ToolError": ToolError, "Tool": Inert, "ToolDef": make_marker("inspect-ai")},
}
