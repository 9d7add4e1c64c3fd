"""Stand-ins for frameworks whose tools are functions: OpenAI Agents, Pydantic AI, Google ADK, AutoGen and others."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from ..annotation_schemas import schema_of
from ..inert import Inert, InertType, make_inert
from ..marks import FUNCTIONS, Mark, note_tools, record_mark, text_of
from .marking import Record, add_described_schema, find_first, make_injected, make_mark, make_marker, make_record
from .single_argument_frameworks import AdkTool, AutoGenTool, BeeTool, NeverCancelled, QwenTool, TauTool, register_qwen_tool
from .tool_contexts import message_event, run_context, strands_context, tool_context


class ModelRetry(Exception):  # noqa: N818
    """An error that asks the model to try again."""

    __cloche_recoverable__ = True


class PydanticAgent:
    """Pydantic AI's agent and toolset: decorators record tools, and running does nothing."""

    def __init__(self, *values: Any, **options: Any) -> None:
        listed = [value for value in values if isinstance(value, (list, tuple))]
        for tool in [*(options.get("tools") or ()), *(one for value in listed for one in value)]:
            if not isinstance(tool, MadeTool):
                note_tools(tool)

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def tool(self, *values: Any, **options: Any) -> Any:
        return _pydantic_tool(*values, **options)

    tool_plain = tool

    def add_function(self, function: Any, *values: Any, **options: Any) -> None:
        _pydantic_tool(function, **options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return make_inert("Agent", "pydantic_ai").make_part()  # type: ignore[attr-defined]


def _hide_context(mark: Mark, options: dict[str, Any]) -> None:
    """Hides the context from the model, also if it has no annotation."""
    code = getattr(mark.target, "__code__", None)
    if code is not None and code.co_varnames[:1] in (("ctx",), ("context",), ("_ctx",), ("_",)):
        mark.hidden = {code.co_varnames[0]: run_context}


_pydantic_tool = make_marker("pydantic-ai", _hide_context)


class MadeTool(Record):
    """A tool that the file makes by calling the framework's class with a function."""

    FRAMEWORK = "plain"

    def __init__(self, *values: Any, **options: Any) -> None:
        given = [*values, find_first(options, "func", "function", "fn", "python_function", "_func", "async_fn", "callable")]
        function = next((value for value in given if callable(value) and not isinstance(value, (str, Inert, InertType))), None)
        texts = [value for value in values if isinstance(value, str)]
        named = {"name": texts[0] if texts else None, "description": texts[1] if len(texts) > 1 else None}
        super().__init__(**options)
        self.function = function
        invoke = options.get("on_invoke_tool")
        if function is None and callable(invoke) and not isinstance(invoke, (Inert, InertType)):
            _record_invoked_tool(invoke, options)
        if function is not None:
            mark = make_mark(self.FRAMEWORK, function, {**named, **options})
            if self.FRAMEWORK == "autogen" and texts:
                mark.name, mark.description = text_of(options.get("name")), texts[0]
            mark.schema = _find_schema(options)
            mark.explicit = True
            record_mark(mark)
            self.mark = mark

    @classmethod
    def from_defaults(cls, fn: Any = None, **options: Any) -> Any:
        """A tool made from a function."""
        return cls(**{"fn": fn, **options})

    from_function = from_defaults

    @classmethod
    def from_schema(cls, function: Any = None, name: Any = None, description: Any = None, json_schema: Any = None, **options: Any) -> Any:
        """Makes a tool of Pydantic AI from a function that takes any arguments, and from the schema of the arguments."""
        return cls(**{**options, "function": function, "name": name, "description": description, "json_schema": json_schema})

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self.function(*values, **named)


class _TxtaiAgent(Inert):
    """txtai's agent, whose tools are functions, or dicts with a function or a callable object as their target."""

    def __init__(self, *values: Any, tools: Any = (), **options: Any) -> None:
        for tool in tools if isinstance(tools, (list, tuple)) else ():
            target = tool.get("target") if isinstance(tool, dict) else None
            if target is None:
                note_tools(tool)
            elif callable(target) and not isinstance(target, (Inert, InertType, type)):
                MadeTool(**{**tool, "fn": target if isinstance(target, FUNCTIONS) else target.__call__})


class MethodToolkit:
    """CAMEL's toolkit, whose method get_tools makes tools of its other methods. `class_tools` makes an object to call it."""

    __cloche_instance__ = True

    def __init__(self, *values: Any, **named: Any) -> None:
        """Accepts all arguments, so that the file can make an object."""

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        listed = instance.get_tools() if instance is not None and hasattr(instance, "get_tools") else ()
        return [mark for tool in listed if (mark := getattr(tool, "mark", None)) is not None]


def _record_invoked_tool(invoke: Any, options: Mapping[str, Any]) -> None:
    """Records a tool of OpenAI Agents whose function gets the context and the arguments as JSON text. A name that only
    the application knows is the one of a converter for tools, not of a tool."""
    if not text_of(options.get("name")):
        return
    mark = make_mark("openai-agents", invoke, options)
    mark.schema = _find_schema(options) or {"type": "object", "properties": {}}
    mark.explicit = True
    mark.call = lambda **given: invoke(Inert(), json.dumps(given, ensure_ascii=False))
    record_mark(mark)


def _find_schema(options: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema that the author has written; None if there is none."""
    given = find_first(options, "params_json_schema", "parameters", "openai_tool_schema", "json_schema", "inputSchema")
    return given if isinstance(given, dict) and "properties" in given else None


def _make_tool_class(framework: str) -> type:
    return type("FunctionTool", (MadeTool,), {"FRAMEWORK": framework})


def _make_output_class(kind: str, media: str) -> type:
    return type(kind, (Record,), {"KIND": media})


class _ComponentTool(MadeTool):
    """Haystack's tool that runs a component. The docstring of its method `run` describes the parameters."""

    FRAMEWORK = "haystack"

    def __init__(self, component: Any = None, name: Any = None, description: Any = None, parameters: Any = None, **options: Any) -> None:
        run = None if isinstance(component, (Inert, InertType)) else getattr(component, "run", None)
        given = name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(component).__name__).lower()
        said = description or inspect.getdoc(type(component))
        super().__init__(**options, fn=run if callable(run) else None, name=given, description=said, parameters=parameters)
        if self.function is not None:
            self.mark.docstring_parameters = True


def _register_for_llm(self: Any, *values: Any, **options: Any) -> Any:
    return make_marker("autogen")(*values, **options)


class AutoGenAgent(Inert):
    """AutoGen's older agents, whose methods register functions."""

    register_for_llm = _register_for_llm

    def register_for_execution(self, *values: Any, **options: Any) -> Any:
        """Returns the function unchanged."""
        return lambda function: function


def register_function(function: Any, **options: Any) -> None:
    """AutoGen's function that registers a function with two agents."""
    mark = make_mark("autogen", function, options)
    mark.explicit = True
    record_mark(mark)


def _claude_tool(name: str, description: str, input_schema: Any = None, **options: Any) -> Any:
    """The Claude Agent SDK's decorator: the function takes all arguments as one dict."""
    schema = {} if input_schema is None else input_schema

    def decorate(function: Any) -> Any:
        mark = make_mark("claude-agent-sdk", function, {**options, "name": name, "description": description})
        if isinstance(schema, dict) and "properties" not in schema:
            members = {key: schema_of(kind) for key, kind in schema.items()}
            mark.schema = {"type": "object", "properties": members, "required": list(members)}
        else:
            mark.schema = schema if isinstance(schema, dict) else schema_of(schema)
        mark.call = lambda **given: function(given)
        record_mark(mark)
        return function

    return decorate


def _read_strands_schema(mark: Mark, options: dict[str, Any]) -> None:
    """Adds the schema that the file gives, which may be inside `json`."""
    given = options.get("inputSchema")
    add_described_schema(mark, {"inputSchema": given["json"] if isinstance(given, dict) and "json" in given else given})


def _hide_event(mark: Mark, options: dict[str, Any]) -> None:
    """Supplies the message that the tool answers, also if it has no annotation."""
    mark.hidden = {"event": message_event}


class _MessageFilter(Inert):
    """AstrBot's `filter`: its decorators mark commands, which do nothing here, and tools."""

    llm_tool = staticmethod(make_marker("astrbot", _hide_event))


def _autogen_names() -> Mapping[str, Any]:
    agents = ("ConversableAgent", "AssistantAgent", "UserProxyAgent", "GPTAssistantAgent")
    return {
        "FunctionTool": _make_tool_class("autogen"),
        "BaseTool": AutoGenTool,
        "register_function": register_function,
        "CancellationToken": make_injected(lambda call: NeverCancelled(), "CancellationToken"),
        **{name: InertType(name, (AutoGenAgent,), {}) for name in agents},
    }


def list_names(module: str) -> Mapping[str, Any]:
    """The names of these frameworks, by the first part of the module."""
    top = module.partition(".")[0]
    return _NAMES[top]() if top in _NAMES else {}


_NAMES: dict[str, Callable[[], Mapping[str, Any]]] = {
    "agents": lambda: {
        "tool": make_marker("openai-agents"),
        "function_tool": make_marker("openai-agents"),
        "FunctionTool": _make_tool_class("openai-agents"),
        "RunContextWrapper": make_injected(run_context, "RunContextWrapper"),
        "ToolContext": make_injected(run_context, "ToolContext"),
        "ToolOutputImage": _make_output_class("ToolOutputImage", "image"),
        "ToolOutputText": _make_output_class("ToolOutputText", "text"),
        "ToolOutputFileContent": _make_output_class("ToolOutputFileContent", "file"),
    },
    "pydantic_ai": lambda: {
        "Agent": PydanticAgent,
        "FunctionToolset": PydanticAgent,
        "Tool": _make_tool_class("pydantic-ai"),
        "RunContext": make_injected(run_context, "RunContext"),
        "ModelRetry": ModelRetry,
        "ToolReturn": make_record("ToolReturn", "return_value", "content"),
        "BinaryContent": make_record("BinaryContent", "data", "media_type"),
    },
    "google": lambda: {
        "ToolContext": make_injected(tool_context, "ToolContext"),
        "CallbackContext": make_injected(tool_context, "CallbackContext"),
        "Context": make_injected(tool_context, "Context"),
        "BaseTool": AdkTool,
        "FunctionTool": _make_tool_class("google-adk"),
        "LongRunningFunctionTool": _make_tool_class("google-adk"),
    },
    "autogen_core": _autogen_names,
    "autogen_agentchat": _autogen_names,
    "autogen_ext": _autogen_names,
    "autogen": _autogen_names,
    "ag2": _autogen_names,
    "haystack": lambda: {"tool": make_marker("haystack"), "Tool": _make_tool_class("haystack"), "ComponentTool": _ComponentTool, "create_tool_from_function": make_marker("haystack")},
    "swarm": lambda: {"Result": make_record("Result", "value", "agent", "context_variables")},
    "tau_bench": lambda: {"Tool": TauTool},
    "tau2": lambda: {"Tool": TauTool},
    "strands": lambda: {"tool": make_marker("strands", _read_strands_schema), "ToolContext": make_injected(strands_context, "ToolContext")},
    "qwen_agent": lambda: {"BaseTool": QwenTool, "BaseToolWithFileAccess": QwenTool, "register_tool": register_qwen_tool},
    "agent_framework": lambda: {"tool": make_marker("agent-framework"), "ai_function": make_marker("agent-framework")},
    "claude_agent_sdk": lambda: {"tool": _claude_tool},
    "anthropic": lambda: {"beta_tool": make_marker("anthropic"), "beta_async_tool": make_marker("anthropic")},
    "composio": lambda: {"action": make_marker("composio")},
    "astrbot": lambda: {
        "llm_tool": _MessageFilter.llm_tool,
        "filter": _MessageFilter(),
        "AstrMessageEvent": make_injected(message_event, "AstrMessageEvent"),
    },
    "txtai": lambda: {"Agent": InertType("Agent", (_TxtaiAgent,), {})},
    "beeai_framework": lambda: {
        "tool": make_marker("beeai"),
        "Tool": BeeTool,
        **{name: make_record(name, "result") for name in ("StringToolOutput", "JSONToolOutput")},
    },
    "camel": lambda: {"FunctionTool": _make_tool_class("camel"), "BaseToolkit": MethodToolkit},
}
