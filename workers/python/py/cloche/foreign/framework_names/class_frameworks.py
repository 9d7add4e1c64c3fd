"""Stand-ins for frameworks whose tools are classes or their methods: smolagents, CrewAI, agno, llm, Semantic Kernel,
TaskWeaver.

`class_tools` asks the classes of a file for their marks with `__cloche_tools__`. It passes an object if the file has made one. A
class with `__cloche_instance__` has tools only in an object, so one is made if the file has made none. None is passed if that
fails.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from ..annotation_schemas import object_schema
from ..annotations import hints_of
from ..inert import Inert
from ..marks import Mark, current_collector, mark_of, record_mark, text_of
from ..read_keys import infer_schema_of_keys
from .langchain import RUN_METHODS
from .langchain import BaseTool as LangChainTool
from .marking import Record, make_injected, make_mark, make_marker, make_record

_DESCRIBED = "__cloche_described__"  # an attribute of functions: the keys of the context that their decorators describe
_MEDIA = ("AgentImage", "AgentText", "AgentAudio")


class SmolTool:
    """smolagents' tool as a class: `forward` is called, and `inputs` describes its parameters."""

    name = ""
    description = ""
    inputs: Any = None
    output_type = "any"

    def __init__(self, *values: Any, **named: Any) -> None:
        self.is_initialized = False

    def __call__(self, *values: Any, **named: Any) -> Any:
        if not getattr(self, "is_initialized", True):
            self.setup()
        return self.forward(*values, **named)  # type: ignore[attr-defined]

    def setup(self) -> None:
        """Is called before the first use."""
        self.is_initialized = True

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        forward = getattr(cls, "forward", None)
        source = cls if instance is None else instance
        if not callable(forward) or not text_of(source.name):
            return []
        # If `inputs` is not a dict of parameters, the parameters are those of the method.
        schema = _make_schema_of_inputs(source.inputs, forward) if isinstance(source.inputs, dict) else None
        return [
            Mark(
                "smolagents",
                forward,
                name=source.name,
                description=source.description,
                schema=schema,
                owner=cls,
                call=lambda tool, **named: tool(**named),
            )
        ]


def _make_schema_of_inputs(inputs: dict[str, Any], forward: Any) -> dict[str, Any]:
    """The schema of smolagents' inputs, whose defaults the method has."""
    properties, required = {}, []
    for name, given in inputs.items():
        schema = dict(given) if isinstance(given, dict) else {}
        optional = schema.pop("nullable", False)
        if schema.get("type") in ("any", "image", "audio"):
            schema.pop("type")
        elif optional and isinstance(schema.get("type"), str):
            schema["type"] = [schema["type"], "null"]
        properties[name] = schema
        if not optional and not _has_default(forward, name):
            required.append(name)
    return object_schema(properties, required)


def _has_default(function: Any, name: str) -> bool:
    try:
        found = inspect.signature(function).parameters.get(name)
    except (TypeError, ValueError):
        return False
    return found is not None and found.default is not inspect.Parameter.empty


class CrewTool(LangChainTool):
    """CrewAI's tool as a class: `_run` is called."""

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        own = {name for base in cls.__mro__[: cls.__mro__.index(CrewTool)] for name in vars(base)}
        # A class without a method to run is only a base class.
        marks = super().__cloche_tools__(instance) if own & {*RUN_METHODS, "func"} else []
        for mark in marks:
            mark.framework = "crewai"
        return marks


class Toolkit:
    """agno's toolkit: an object that lists some of its methods as tools."""

    __cloche_instance__ = True

    def __init__(self, name: Any = "", tools: Any = (), *values: Any, **options: Any) -> None:
        self.name = text_of(name)
        self.functions: dict[str, Any] = {}
        asked = options.get("requires_confirmation_tools") or ()
        for tool in [*(tools or ()), *(options.get("async_tools") or ())]:
            self.register(tool[0] if isinstance(tool, tuple) else tool, requires_confirmation=getattr(tool, "__name__", "") in asked)
        chosen, left_out = options.get("include_tools"), options.get("exclude_tools") or ()
        for name in list(self.functions):
            if (chosen and name not in chosen) or name in left_out:
                del self.functions[name]

    def register(self, function: Any, name: Any = None, **options: Any) -> None:
        known = mark_of(function) or mark_of(getattr(function, "__func__", None))
        mark = known or make_mark("agno", function, {**options, "name": name})
        self.functions[mark.name or getattr(function, "__name__", "tool")] = (function, mark)

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        marks = []
        for name, (function, found) in (instance.functions if instance is not None else {}).items():
            made = Mark("agno", function, name=found.name or name, description=found.description, flags=found.flags, hidden=found.hidden)
            made.explicit = True
            marks.append(made)
        return marks


class Toolbox:
    """llm's toolbox: the public methods of an object are tools."""

    def __init__(self, *values: Any, **named: Any) -> None:
        """Accepts all arguments, so that the file can make an object."""

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        """The public methods, each with the class's name before its own."""
        own = {*vars(Toolbox), "tools", "add_tool", "prepare", "prepare_async", "tools_not_yet_available"}
        bases = cls.__mro__[: cls.__mro__.index(Toolbox)]
        if any("method_tools" in vars(base) for base in bases):
            return []  # only the application knows what it gives
        members = {name: member for base in reversed(bases) for name, member in vars(base).items()}
        return [
            Mark("llm", member, name=f"{cls.__name__}_{name}", owner=cls)
            for name, member in members.items()
            if isinstance(member, FunctionType) and not name.startswith("_") and name not in own
        ]


class LlmTool(Record):
    """llm's tool, made from a function and its schema."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        function = options.get("implementation")
        if callable(function):
            mark = make_mark("llm", function, options)
            schema = options.get("input_schema")
            mark.schema = {"type": "object", "properties": {}, **schema} if isinstance(schema, dict) else None
            mark.explicit = True
            record_mark(mark)
            self.mark = mark

    function = classmethod(lambda kind, function, name=None, description=None: kind(implementation=function, name=name, description=description))


def hookimpl(*values: Any, **named: Any) -> Any:
    """llm's decorator of plugins: `register_tools` is called with a function that registers tools."""

    def decorate(function: Any) -> Any:
        collector = current_collector()
        if collector is not None and getattr(function, "__name__", "") == "register_tools":
            collector.plugins.append(function)
        return function

    return decorate(values[0]) if values and callable(values[0]) else decorate


def kernel_function(function: Any = None, name: Any = None, description: Any = None) -> Any:
    """Semantic Kernel's decorator of methods and functions."""

    def decorate(given: Any) -> Any:
        record_mark(make_mark("semantic-kernel", given, {"name": name, "description": description}))
        return given

    return decorate if function is None or isinstance(function, str) else decorate(function)


class SKContext(dict[str, Any]):
    """The context in older versions of Semantic Kernel, which holds the arguments of a function as texts."""

    @property
    def variables(self) -> SKContext:
        return self


def _take_context(mark: Mark, options: dict[str, Any]) -> None:
    """Makes the keys that a function reads from its context its parameters, if it takes nothing else. Keys that
    decorators describe come first."""
    function = mark.target
    parameters = [name for name in hints_of(function) if name != "return"]
    if [hints_of(function)[name] for name in parameters] != [SKContext]:
        return
    described = getattr(function, _DESCRIBED, {})
    read = infer_schema_of_keys(function, parameters[0]) or object_schema({} if described else {"input": {}}, [])
    properties = {**described, **{name: {"type": "string", **member} for name, member in read["properties"].items() if name not in described}}
    if "input" in properties and text_of(options.get("input_description")):
        properties["input"] = {"description": options["input_description"], **properties["input"]}
    needed = [name for name in properties if name in described or name in read.get("required", ())]
    # Semantic Kernel always passes an input, which is empty if none is given.
    mark.schema = object_schema(properties, [name for name in needed if name != "input" and "default" not in properties[name]])
    mark.call = lambda *own, **given: function(*own, SKContext({"input": "", **given}))


def _describe_context_parameter(name: Any = "", description: Any = "", default_value: Any = None, **options: Any) -> Any:
    """The decorator that describes a key of the context in older versions of Semantic Kernel."""
    described = {"type": "string", "description": text_of(description), **({"default": default_value} if isinstance(default_value, str) else {})}

    def decorate(function: Any) -> Any:
        # The topmost decorator is called last, but its key comes first.
        setattr(function, _DESCRIBED, {text_of(name): described, **getattr(function, _DESCRIBED, {})})
        return function

    return decorate


def _hide_user_input(mark: Mark, options: dict[str, Any]) -> None:
    asked = options.get("user_input_fields")
    mark.hidden = dict.fromkeys(asked if isinstance(asked, (list, tuple)) else ())


def _read_choices(mark: Mark, options: dict[str, Any]) -> None:
    mark.flags["choices"] = True


class TaskWeaverPlugin:
    """TaskWeaver's plugin: `__call__` runs it. Its configuration, in a file beside it, is empty here."""

    def __init__(self, name: Any = "", ctx: Any = None, config: Any = None) -> None:
        self.name, self.ctx, self.config = text_of(name), ctx or Inert(), config or {}

    def log(self, *values: Any) -> None:
        """Does nothing: the log belongs to the application."""

    def get_env(self, name: Any, variable: Any) -> str:
        return os.environ.get(text_of(variable), "")

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        run = vars(cls).get("__call__")
        if not isinstance(run, FunctionType) or "__cloche_plugin__" not in vars(cls):
            return []
        description = inspect.cleandoc(run.__doc__ or cls.__doc__ or "")
        return [Mark("taskweaver", run, name=cls.__name__, description=description, owner=cls)]


def _register_plugin(kind: Any) -> Any:
    """TaskWeaver's decorator for plugins."""
    if isinstance(kind, type):
        kind.__cloche_plugin__ = True  # type: ignore[attr-defined]
    return kind


class AgnoResult(Record):
    """agno's result: a text, and images or files."""


def _do_nothing(*values: Any, **named: Any) -> None:
    """Stands for functions that write a log."""


def list_names(module: str) -> Mapping[str, Any]:
    """The names of these frameworks, by the first part of the module."""
    top = module.partition(".")[0]
    return _NAMES[top]() if top in _NAMES else {}


_NAMES: dict[str, Callable[[], Mapping[str, Any]]] = {
    "smolagents": lambda: {"tool": make_marker("smolagents", _read_choices), "Tool": SmolTool, **{name: make_record(name, "value") for name in _MEDIA}},
    "transformers": lambda: {"tool": make_marker("smolagents", _read_choices), "Tool": SmolTool},
    "crewai": lambda: {"tool": make_marker("crewai"), "BaseTool": CrewTool, "StructuredTool": CrewTool},
    "crewai_tools": lambda: {"tool": make_marker("crewai"), "BaseTool": CrewTool},
    "agno": lambda: {
        "tool": make_marker("agno", _hide_user_input),
        "Toolkit": Toolkit,
        "ToolResult": type("ToolResult", (AgnoResult,), {"FIELDS": ("content",)}),
        "RunContext": make_injected(lambda call: Record(session_state=call.memory(dict), dependencies={}, user_id=None, session_id=call.session), "RunContext"),
        **{name: _do_nothing for name in ("log_debug", "log_info", "log_warning", "log_error", "log_exception")},
    },
    "phi": lambda: {"tool": make_marker("agno", _hide_user_input), "Toolkit": Toolkit},
    "llm": lambda: {"hookimpl": hookimpl, "Toolbox": Toolbox, "Tool": LlmTool, "ToolOutput": make_record("ToolOutput", "output", "attachments")},
    "taskweaver": lambda: {"Plugin": TaskWeaverPlugin, "register_plugin": _register_plugin},
    "semantic_kernel": lambda: {"kernel_function": kernel_function, "sk_function": make_marker("semantic-kernel", _take_context), **_list_kernel_names()},
}


def _list_kernel_names() -> dict[str, Any]:
    from .pydantic import BaseModel

    return {
        "sk_function_context_parameter": _describe_context_parameter,
        "SKContext": SKContext,
        "KernelBaseModel": BaseModel,
        "KernelBaseSettings": BaseModel,
    }
