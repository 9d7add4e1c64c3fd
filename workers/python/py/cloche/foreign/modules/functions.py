"""Stand-ins for frameworks whose tools are functions: OpenAI Agents, Pydantic AI, Google ADK, AutoGen and others."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ..conversion import convert
from ..inert import Inert, InertType
from ..marks import Mark, note_tools, record_mark, text_of
from ..schema_lists import read_description
from ..schemas import schema_of
from .common import Record, find_first, make_injected, make_mark, make_marker, make_record
from .contexts import State, run_context, strands_context, tool_context


class ModelRetry(Exception):  # noqa: N818
    """An error that asks the model to try again."""

    __cloche_recoverable__ = True


class PydanticAgent:
    """Pydantic AI's agent and toolset: decorators record tools, and running does nothing."""

    def __init__(self, *values: Any, **options: Any) -> None:
        self._options = options
        for one in options.get("tools") or ():
            if not isinstance(one, MadeTool):
                note_tools(one)

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
        return Inert()


def _hide_context(mark: Mark, options: dict[str, Any]) -> None:
    code = getattr(mark.target, "__code__", None)
    # The context may have no annotation.
    if code is not None and code.co_varnames[:1] in (("ctx",), ("context",), ("_ctx",), ("_",)):
        mark.hidden = {code.co_varnames[0]: run_context}


_pydantic_tool = make_marker("pydantic-ai", _hide_context)


class MadeTool(Record):
    """A tool that the file makes by calling the framework's class with a function."""

    FRAMEWORK = "plain"

    def __init__(self, *values: Any, **options: Any) -> None:
        given = [*values, find_first(options, "func", "function", "fn", "python_function", "_func", "async_fn", "callable")]
        function = next((one for one in given if callable(one) and not isinstance(one, (str, Inert, InertType))), None)
        texts = [one for one in values if isinstance(one, str)]
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
        """A tool made of a function."""
        return cls(**{"fn": fn, **options})

    from_function = from_defaults

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self.function(*values, **named)


class MethodToolkit:
    """A toolkit whose method get_tools makes tools of its other methods."""

    def __init__(self, *values: Any, **named: Any) -> None:
        pass

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        listed = instance.get_tools() if instance is not None and hasattr(instance, "get_tools") else ()
        return [mark for one in listed if (mark := getattr(one, "mark", None)) is not None]


MethodToolkit.__cloche_instance__ = True  # type: ignore[attr-defined]


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
    given = find_first(options, "params_json_schema", "parameters", "openai_tool_schema", "json_schema", "inputSchema")
    return given if isinstance(given, dict) and "properties" in given else None


def _make_tool_class(framework: str) -> type:
    return type("FunctionTool", (MadeTool,), {"FRAMEWORK": framework})


def _make_output_class(kind: str, media: str) -> type:
    return type(kind, (Record,), {"KIND": media})


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


def _qwen_tool(name: str, **named: Any) -> Any:
    def decorate(kind: Any) -> Any:
        if isinstance(kind, type):
            kind.__cloche_name__ = name  # type: ignore[attr-defined]
        return kind

    return decorate


class QwenTool:
    """Qwen-Agent's tool: `call` gets the arguments as JSON text."""

    name = ""
    description = ""
    parameters: Any = ()

    def __init__(self, cfg: Any = None, *values: Any, **named: Any) -> None:
        self.cfg = cfg or {}

    def _verify_json_format_args(self, given: Any, **named: Any) -> Any:
        return json.loads(given) if isinstance(given, str) else given

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        call = vars(cls).get("call")
        if not callable(call):
            return []
        schema = cls.parameters if isinstance(cls.parameters, dict) else _make_schema_of_list(cls.parameters)
        named = getattr(cls, "__cloche_name__", "") or text_of(cls.name)
        return [
            Mark(
                "qwen-agent",
                call,
                name=named,
                description=cls.description,
                schema=schema,
                owner=cls,
                call=lambda tool, **given: tool.call(json.dumps(given, ensure_ascii=False)),
            )
        ]


def _make_schema_of_list(listed: Any) -> dict[str, Any]:
    properties, required = {}, []
    for fields in listed if isinstance(listed, (list, tuple)) else ():
        if isinstance(fields, dict) and isinstance(fields.get("name"), str):
            properties[fields["name"]] = {key: value for key, value in fields.items() if key not in ("name", "required")}
            if fields.get("required"):
                required.append(fields["name"])
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


class TauTool:
    """tau-bench's tool: `get_info` gives the schema, `invoke` is called with the data of the benchmark first."""


class _NeverCancelled(Inert):
    """AutoGen's cancellation token of a call, which is never cancelled: Cloche ends the call itself."""

    def is_cancelled(self) -> bool:
        return False

    def link_future(self, future: Any) -> Any:
        return future


class AdkTool:
    """Google ADK's tool as a class: `_get_declaration` describes it, `run_async` gets its arguments as one dict."""

    def __init__(self, *values: Any, name: Any = "", description: Any = "", **named: Any) -> None:
        self.name, self.description = text_of(name), text_of(description)

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        run, declare = vars(cls).get("run_async"), getattr(instance, "_get_declaration", None)
        said = read_description(declare()) if callable(run) and callable(declare) else None
        if said is None or not said.schema:
            return []
        context = Record(state=State(), actions=Inert(), agent_name="agent", session=Inert())

        def call(tool: Any, **given: Any) -> Any:
            return tool.run_async(args=given, tool_context=context)

        return [Mark("google-adk", run, name=said.name, description=said.description, schema=said.schema, owner=cls, call=call)]


AdkTool.__cloche_instance__ = True  # type: ignore[attr-defined]


class AutoGenTool:
    """AutoGen's tool as a class: `run` gets its arguments as one model, and a cancellation token."""

    def __init__(self, args_type: Any = None, return_type: Any = None, name: Any = "", description: Any = "", **named: Any) -> None:
        self._args_type, self._name, self._description = args_type, text_of(name), text_of(description)

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    @property
    def name(self) -> str:
        return self._name

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        run = vars(cls).get("run")
        model = getattr(instance, "_args_type", None)
        if not callable(run) or not isinstance(model, type):
            return []

        def call(tool: Any, **given: Any) -> Any:
            return tool.run(convert(given, model), _NeverCancelled())

        return [
            Mark("autogen", run, name=instance._name, description=instance._description, schema=schema_of(model), owner=cls, call=call)
        ]


AutoGenTool.__cloche_instance__ = True  # type: ignore[attr-defined]


def _autogen_names() -> Mapping[str, Any]:
    agents = ("ConversableAgent", "AssistantAgent", "UserProxyAgent", "GPTAssistantAgent")
    return {
        "FunctionTool": _make_tool_class("autogen"),
        "BaseTool": AutoGenTool,
        "register_function": register_function,
        "CancellationToken": make_injected(lambda call: _NeverCancelled(), "CancellationToken"),
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
    "haystack": lambda: {"tool": make_marker("haystack"), "Tool": _make_tool_class("haystack"), "create_tool_from_function": make_marker("haystack")},
    "swarm": lambda: {"Result": make_record("Result", "value", "agent", "context_variables")},
    "tau_bench": lambda: {"Tool": TauTool},
    "tau2": lambda: {"Tool": TauTool},
    "strands": lambda: {"tool": make_marker("strands"), "ToolContext": make_injected(strands_context, "ToolContext")},
    "qwen_agent": lambda: {"BaseTool": QwenTool, "BaseToolWithFileAccess": QwenTool, "register_tool": _qwen_tool},
    "livekit": lambda: {"function_tool": make_marker("livekit"), "RunContext": make_injected(run_context, "RunContext")},
    "agent_framework": lambda: {"tool": make_marker("agent-framework"), "ai_function": make_marker("agent-framework")},
    "claude_agent_sdk": lambda: {"tool": _claude_tool},
    "anthropic": lambda: {"beta_tool": make_marker("anthropic"), "beta_async_tool": make_marker("anthropic")},
    "camel": lambda: {"FunctionTool": _make_tool_class("camel"), "BaseToolkit": MethodToolkit},
}
