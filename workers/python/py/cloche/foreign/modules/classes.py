"""Stand-ins for frameworks whose tools are classes or their methods: smolagents, CrewAI, agno, llm, Semantic Kernel."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from ..marks import Mark, current, mark, mark_of, text_of
from .common import Record, injected, make_mark, marker, record
from .langchain import BaseTool as LangChainTool

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
        inputs = source.inputs if isinstance(source.inputs, dict) else {}
        schema = _schema_of_inputs(inputs, forward)
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


def _schema_of_inputs(inputs: dict[str, Any], forward: Any) -> dict[str, Any]:
    properties, required = {}, []
    for name, said in inputs.items():
        one = dict(said) if isinstance(said, dict) else {}
        optional = one.pop("nullable", False)
        if one.get("type") in ("any", "image", "audio"):
            one.pop("type")
        elif optional and isinstance(one.get("type"), str):
            one["type"] = [one["type"], "null"]
        properties[name] = one
        if not optional and not _has_default(forward, name):
            required.append(name)
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


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
        own = {name for one in cls.__mro__[: cls.__mro__.index(CrewTool)] for name in vars(one)}
        found = super().__cloche_tools__(instance) if own & {"_run", "_arun", "func"} else []
        for one in found:
            one.framework = "crewai"
        return found


class Toolkit:
    """agno's toolkit: an object that lists some of its methods as tools."""

    def __init__(self, name: Any = "", tools: Any = (), *values: Any, **options: Any) -> None:
        self.name = text_of(name)
        self.functions: dict[str, Any] = {}
        asked = options.get("requires_confirmation_tools") or ()
        for one in [*(tools or ()), *(options.get("async_tools") or ())]:
            self.register(one[0] if isinstance(one, tuple) else one, requires_confirmation=getattr(one, "__name__", "") in asked)
        chosen, left_out = options.get("include_tools"), options.get("exclude_tools") or ()
        for name in list(self.functions):
            if (chosen and name not in chosen) or name in left_out:
                del self.functions[name]

    def register(self, function: Any, name: Any = None, **options: Any) -> None:
        known = mark_of(function) or mark_of(getattr(function, "__func__", None))
        found = known or make_mark("agno", function, {**options, "name": name})
        self.functions[found.name or getattr(function, "__name__", "tool")] = (function, found)

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        marks = []
        for name, (function, found) in (instance.functions if instance is not None else {}).items():
            made = Mark("agno", function, name=found.name or name, description=found.description, flags=found.flags, hidden=found.hidden)
            made.explicit = True
            marks.append(made)
        return marks


Toolkit.__cloche_instance__ = True  # type: ignore[attr-defined]


class Toolbox:
    """llm's toolbox: the public methods of an object are tools."""

    def __init__(self, *values: Any, **named: Any) -> None:
        pass

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        """The public methods, each with the class's name before its own."""
        known = set(vars(Toolbox))
        if any("method_tools" in vars(one) for one in cls.__mro__[: cls.__mro__.index(Toolbox)]):
            return []  # only the application knows what it gives
        methods = {name: one for base in reversed(cls.__mro__[: cls.__mro__.index(Toolbox)]) for name, one in vars(base).items()}
        return [
            Mark("llm", one, name=f"{cls.__name__}_{name}", owner=cls)
            for name, one in methods.items()
            if isinstance(one, FunctionType) and not name.startswith("_") and name not in known | {"tools", "add_tool", "prepare", "prepare_async", "tools_not_yet_available"}
        ]


class LlmTool(Record):
    """llm's tool, made of a function and its schema."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        function = options.get("implementation")
        if callable(function):
            found = make_mark("llm", function, options)
            schema = options.get("input_schema")
            found.schema = {"type": "object", "properties": {}, **schema} if isinstance(schema, dict) else None
            found.explicit = True
            mark(found)
            self.mark = found

    function = classmethod(lambda kind, function, name=None, description=None: kind(implementation=function, name=name, description=description))


def hookimpl(*values: Any, **named: Any) -> Any:
    """llm's decorator of plugins: `register_tools` is called with a function that registers tools."""

    def take(function: Any) -> Any:
        collector = current()
        if collector is not None and getattr(function, "__name__", "") == "register_tools":
            collector.plugins.append(function)
        return function

    return take(values[0]) if values and callable(values[0]) else take


def kernel_function(function: Any = None, name: Any = None, description: Any = None) -> Any:
    """Semantic Kernel's decorator of methods and functions."""

    def take(given: Any) -> Any:
        mark(make_mark("semantic-kernel", given, {"name": name, "description": description}))
        return given

    return take if function is None or isinstance(function, str) else take(function)


def _agno_finish(found: Mark, options: dict[str, Any]) -> None:
    asked = options.get("user_input_fields")
    found.hidden = dict.fromkeys(asked if isinstance(asked, (list, tuple)) else ())


def _smol_finish(found: Mark, options: dict[str, Any]) -> None:
    found.flags["choices"] = True


class AgnoResult(Record):
    """agno's result: a text, and images or files."""


def _nothing(*values: Any, **named: Any) -> None:
    return None


def names(module: str) -> Mapping[str, Any]:
    """The names of these frameworks, by the first part of the module."""
    top = module.partition(".")[0]
    return _NAMES[top]() if top in _NAMES else {}


_NAMES: dict[str, Callable[[], Mapping[str, Any]]] = {
    "smolagents": lambda: {"tool": marker("smolagents", _smol_finish), "Tool": SmolTool, **{one: record(one, "value") for one in _MEDIA}},
    "transformers": lambda: {"tool": marker("smolagents", _smol_finish), "Tool": SmolTool},
    "crewai": lambda: {"tool": marker("crewai"), "BaseTool": CrewTool, "StructuredTool": CrewTool},
    "crewai_tools": lambda: {"tool": marker("crewai"), "BaseTool": CrewTool},
    "agno": lambda: {
        "tool": marker("agno", _agno_finish),
        "Toolkit": Toolkit,
        "ToolResult": type("ToolResult", (AgnoResult,), {"FIELDS": ("content",)}),
        "RunContext": injected(lambda call: Record(session_state=call.memory(dict), dependencies={}, user_id=None, session_id=call.session), "RunContext"),
        **{one: _nothing for one in ("log_debug", "log_info", "log_warning", "log_error", "log_exception")},
    },
    "phi": lambda: {"tool": marker("agno", _agno_finish), "Toolkit": Toolkit},
    "llm": lambda: {"hookimpl": hookimpl, "Toolbox": Toolbox, "Tool": LlmTool, "ToolOutput": record("ToolOutput", "output", "attachments")},
    "semantic_kernel": lambda: {"kernel_function": kernel_function, **_kernel_names()},
}


def _kernel_names() -> dict[str, Any]:
    from .pydantic import BaseModel

    return {"KernelBaseModel": BaseModel, "KernelBaseSettings": BaseModel}
