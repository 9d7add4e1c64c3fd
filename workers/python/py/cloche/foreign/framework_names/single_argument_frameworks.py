"""Stand-ins for frameworks whose tools are classes with a method that takes all arguments at once: Qwen-Agent, tau-bench,
Google ADK, BeeAI and AutoGen. `function_frameworks` has the other names of these frameworks.

`class_tools` calls `__cloche_tools__` of each class of a file that inherits one of these. Where `__cloche_instance__` is set, it
passes an object of the class. A class without a method of its own that runs the tool, such as a base class, is no tool. The
tool's handler passes an object of the class as `tool`.
"""

from __future__ import annotations

import json
from types import FunctionType
from typing import Any

from ..annotation_schemas import object_schema, schema_of
from ..argument_dicts import list_positional
from ..conversion import convert
from ..inert import Inert
from ..marks import Mark, text_of
from ..tool_dicts import read_description
from .marking import Record
from .tool_contexts import State


def register_qwen_tool(name: str, **named: Any) -> Any:
    """Qwen-Agent's decorator of classes, which gives a tool its name."""

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
    """The schema of parameters that are described one by one."""
    properties, required = {}, []
    entries = listed if isinstance(listed, (list, tuple)) else ()
    for fields in entries:
        if isinstance(fields, dict) and isinstance(fields.get("name"), str):
            properties[fields["name"]] = {key: value for key, value in fields.items() if key not in ("name", "required")}
            if fields.get("required"):
                required.append(fields["name"])
    return object_schema(properties, required)


class TauTool:
    """Tau-bench's tool. It is empty because `own_tool_classes` reads `get_info` and `invoke` of any class."""


class NeverCancelled(Inert):
    """AutoGen's cancellation token of a call, which is never cancelled: Cloche ends the call itself."""

    def is_cancelled(self) -> bool:
        return False

    def link_future(self, future: Any) -> Any:
        return future


class AdkTool:
    """Google ADK's tool as a class: `_get_declaration` describes it, `run_async` gets its arguments as one dict."""

    __cloche_instance__ = True

    def __init__(self, *values: Any, name: Any = "", description: Any = "", **named: Any) -> None:
        self.name, self.description = text_of(name), text_of(description)

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        run, declare = vars(cls).get("run_async"), getattr(instance, "_get_declaration", None)
        described = read_description(declare()) if callable(run) and callable(declare) else None
        if described is None or not described.schema:
            return []
        context = Record(state=State(), actions=Inert(), agent_name="agent", session=Inert())

        def call(tool: Any, **given: Any) -> Any:
            return tool.run_async(args=given, tool_context=context)

        return [Mark("google-adk", run, name=described.name, description=described.description, schema=described.schema, owner=cls, call=call)]


class BeeTool:
    """BeeAI's tool: `_run` gets its arguments as one model, and then options and a context."""

    name: Any = ""
    description: Any = ""
    input_schema: Any = None
    __cloche_instance__ = True

    def __init__(self, *values: Any, **named: Any) -> None:
        """Accepts all arguments, so that the file can make an object."""

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        run, model = vars(cls).get("_run"), getattr(instance, "input_schema", None)
        if not isinstance(run, FunctionType) or not isinstance(model, type):
            return []
        further = [Inert() for _ in list_positional(run)[2:]]

        def call(tool: Any, **given: Any) -> Any:
            return run(tool, convert(given, model), *further)

        name, description = text_of(instance.name), text_of(instance.description)
        return [Mark("beeai", run, name=name, description=description, schema=schema_of(model), owner=cls, call=call)]


class AutoGenTool:
    """AutoGen's tool as a class: `run` gets its arguments as one model, and a cancellation token."""

    __cloche_instance__ = True

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
            return tool.run(convert(given, model), NeverCancelled())

        return [
            Mark("autogen", run, name=instance._name, description=instance._description, schema=schema_of(model), owner=cls, call=call)
        ]

