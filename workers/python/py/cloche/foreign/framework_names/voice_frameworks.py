"""Stand-ins for frameworks for voice agents: Pipecat, LiveKit Agents and Vocode.

`class_tools` asks the classes of a file for their marks with `__cloche_tools__`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from ..annotation_schemas import schema_of
from ..argument_dicts import list_positional
from ..inert import Inert
from ..marks import Mark, note_tools, text_of
from .marking import Record, make_injected, make_marker, make_record
from .pydantic import BaseModel
from .tool_contexts import run_context


class _Params(Record):
    """What Pipecat passes to the handler of a function: the arguments, and a callback that takes the result."""

    def __init__(self, name: str, arguments: dict[str, Any]) -> None:
        super().__init__(function_name=name, tool_call_id="", arguments=arguments, llm=Inert(), context=Inert(), app_resources=Inert())
        self.result: Any = None

    async def result_callback(self, result: Any = None, **options: Any) -> None:
        self.result = result


def answer_with_callback(mark: Mark) -> None:
    """Lets a mark call its function as Pipecat does. What the function passes to the callback is the result.

    Without a schema, the function takes the model's arguments as parameters, after the one for Pipecat.
    """
    function = inspect.unwrap(mark.target)
    names = list_positional(function, skipped=int(mark.owner is not None))
    if not names:
        return
    is_direct = mark.schema is None
    if is_direct:
        mark.hidden = {names[0]: None}

    async def call(*own: Any, **given: Any) -> Any:
        params = _Params(mark.name or function.__name__, given)
        if is_direct:
            made = function(*own, **{**given, names[0]: params})
        elif len(names) == 1:
            made = function(*own, params)
        else:  # handlers for older versions take each part as a parameter
            parts = {**vars(params), "args": given, "result_callback": params.result_callback}
            made = function(*own, *(parts.get(name, Inert()) for name in names))
        returned = await made if inspect.isawaitable(made) else made
        return params.result if returned is None else returned

    mark.call = call


class ToolsSchema(Record):
    """Pipecat's list of tools: functions, and descriptions that `pipecat_handlers` reads in the source."""

    def __init__(self, standard_tools: Any = (), *values: Any, **named: Any) -> None:
        super().__init__(standard_tools=standard_tools, **named)
        note_tools([tool for tool in standard_tools or () if isinstance(tool, FunctionType)])


class _ActionConfig(Record):
    """Vocode's configuration of an action. The `type` of its class is the name of the tool."""

    def __init_subclass__(cls, type: Any = "", **named: Any) -> None:
        cls.type = text_of(type)  # type: ignore[attr-defined]


class _Action:
    """Vocode's action: `run` gets the arguments as a model inside its input."""

    description = ""
    parameters_type: Any = None
    _config: Any = None

    def __init__(self, action_config: Any = None, *values: Any, **named: Any) -> None:
        self.action_config = action_config or (self._config() if isinstance(self._config, type) else Inert())

    def __class_getitem__(cls, item: Any) -> Any:
        config = item[0] if isinstance(item, tuple) and item else item
        return type(cls.__name__, (cls,), {"_config": config, "__module__": cls.__module__})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Inert()

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        run, model = vars(cls).get("run"), cls.parameters_type
        name = text_of(getattr(cls._config, "type", "")) or cls.__name__
        if not isinstance(run, FunctionType) or not isinstance(model, type):
            return []

        async def call(action: Any, **given: Any) -> Any:
            output = await run(action, Record(params=model(**given), action_config=action.action_config))
            return getattr(output, "response", output)

        return [Mark("vocode", run, name=name, description=text_of(cls.description), schema=schema_of(model), owner=cls, call=call)]


def list_names(module: str) -> Mapping[str, Any]:
    """The names of these frameworks, by the first part of the module."""
    return _NAMES[module.partition(".")[0]]()


def _pipecat_names() -> Mapping[str, Any]:
    return {"ToolsSchema": ToolsSchema, "FunctionCallParams": make_injected(lambda call: _Params(call.tool, {}), "FunctionCallParams")}


_NAMES: dict[str, Callable[[], Mapping[str, Any]]] = {
    "pipecat": _pipecat_names,
    "pipecat_flows": _pipecat_names,
    "livekit": lambda: {
        "function_tool": make_marker("livekit"),
        "ai_callable": make_marker("livekit"),  # in versions before 1.0
        "RunContext": make_injected(run_context, "RunContext"),
    },
    "vocode": lambda: {"BaseAction": _Action, "ActionConfig": _ActionConfig, "ActionOutput": make_record("ActionOutput"), "ActionInput": BaseModel},
}
