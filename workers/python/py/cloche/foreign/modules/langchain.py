"""A stand-in for LangChain and LangGraph: tools as functions and classes, and injected arguments."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any

from ..inert import Inert, InertType
from ..marks import Mark, record_mark, text_of
from .common import INJECTED, Record, is_copy, make_injected, make_mark, make_marker, make_record, unwrap_method
from .pydantic import BaseModel, Field

_ID = "langchain"


class ToolException(Exception):  # noqa: N818
    """An error whose message the model gets, so that it can try something else."""

    __cloche_recoverable__ = True


def _complete(mark: Mark, options: dict[str, Any]) -> None:
    mark.model = options.get("args_schema")
    if options.get("parse_docstring"):
        mark.docstring_parameters = True
        mark.flags["description_head"] = True
    if options.get("response_format") == "content_and_artifact":
        mark.flags["artifact"] = True
    function = mark.target
    # Members of a decorated tool that files of LangChain use.
    for name, value in {
        "name": mark.name or getattr(function, "__name__", ""),
        "description": mark.description or text_of(getattr(function, "__doc__", "")),
        "func": function,
        "args_schema": mark.model,
        "metadata": {},
        "tags": [],
        "invoke": lambda given, *rest, **named: _call_with(function, given),
        "run": lambda given=None, *rest, **named: _call_with(function, given),
        "ainvoke": lambda given, *rest, **named: _call_with(function, given),
        "arun": lambda given=None, *rest, **named: _call_with(function, given),
    }.items():
        try:
            setattr(function, name, value)
        except (AttributeError, TypeError):
            return


def _call_with(function: Any, given: Any) -> Any:
    if isinstance(given, dict):
        return function(**given)
    return function() if given is None else function(given)


class BaseTool(BaseModel):
    """A tool as a class: `_run` is called, `name` and `description` are fields."""

    name: str = ""
    description: str = ""
    args_schema: Any = None
    return_direct: bool = False
    response_format: str = "content"
    handle_tool_error: Any = False
    metadata: Any = None
    tags: Any = None
    callbacks: Any = None
    model_config = {"extra": "allow"}  # noqa: RUF012

    def invoke(self, given: Any, *rest: Any, **named: Any) -> Any:
        return _call_with(self._run, given)

    run = invoke

    async def ainvoke(self, given: Any, *rest: Any, **named: Any) -> Any:
        found = _call_with(getattr(self, "_arun", self._run), given)
        return await found if hasattr(found, "__await__") else found

    arun = ainvoke

    def _run(self, *values: Any, **named: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no _run")

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        """The tool of this class, or of its instance that the file has made."""
        own = {name for one in cls.__mro__[: cls.__mro__.index(BaseTool)] for name in vars(one)}
        if not own & {"_run", "_arun", "func"}:
            return []
        target = cls._run if "_run" in own else cls._arun  # type: ignore[attr-defined]
        read = lambda key: getattr(instance, key, None) if instance is not None else _find_default(cls, key)  # noqa: E731
        flags = {"artifact": True} if read("response_format") == "content_and_artifact" else {}
        name, description = text_of(read("name")), text_of(read("description"))
        return [
            Mark(
                _ID,
                target,
                name=name or cls.__name__,
                description=description or text_of(cls.__doc__),
                model=read("args_schema"),
                flags=flags,
                owner=cls,
                call=_run_or_arun if {"_run", "_arun"} <= own else None,
            )
        ]


def _run_or_arun(tool: Any, **given: Any) -> Any:
    """Calls `_run`, or `_arun` if the tool is only asynchronous."""
    try:
        return tool._run(**given)
    except NotImplementedError:
        return tool._arun(**given)


def _find_default(kind: Any, name: str) -> Any:
    field = kind.model_fields.get(name)
    given = None if field is None else field.get_default()
    if given is None or type(given).__name__ == "PydanticUndefinedType":
        return vars(kind).get(name, given)
    return given


class StructuredTool(BaseTool):
    """A tool made of a function. If the function is from a missing file, only a model says which parameters it has."""

    # Whether the function takes one text, so that no model is needed to know its parameters.
    _TAKES_TEXT: typing.ClassVar[bool] = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        function = options.get("func") or options.get("coroutine")
        is_made_here = not isinstance(function, (Inert, InertType))
        if callable(function) and (is_made_here or self._TAKES_TEXT or options.get("args_schema")):
            self.__dict__["__cloche_made__"] = _record_structured(function, options)

    @classmethod
    def from_function(cls, func: Any = None, coroutine: Any = None, name: Any = None, description: Any = None, **options: Any) -> Any:
        if is_copy(name, description):
            return Inert()
        return cls(**{"func": func, "coroutine": coroutine, "name": text_of(name), "description": text_of(description), **options})

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self._run(*values, **named)

    def _run(self, *values: Any, **named: Any) -> Any:
        return (self.func or self.coroutine)(*values, **named)

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        """The tool of a class with its own `_run`. Tools that are made of functions are recorded when they are made."""
        own = {name for one in cls.__mro__[: cls.__mro__.index(StructuredTool)] for name in vars(one)}
        return super().__cloche_tools__(instance) if own & {"_run", "_arun"} else []


def _record_structured(function: Any, options: dict[str, Any]) -> Mark:
    mark = make_mark(_ID, function, {key: value for key, value in options.items() if value})
    mark.target = unwrap_method(function)
    mark.model = options.get("args_schema")
    mark.explicit = True
    if isinstance(function, (Inert, InertType)) and not isinstance(mark.model, type):
        mark.schema = {"type": "object", "properties": {"tool_input": {"type": "string"}}, "required": ["tool_input"]}
        mark.call = lambda tool_input: _call_elsewhere(function, tool_input, mark.name)
    if options.get("response_format") == "content_and_artifact":
        mark.flags["artifact"] = True
    record_mark(mark)
    return mark


def _call_elsewhere(function: Any, text: str, name: str) -> Any:
    """Calls a function of a stand-in or of a missing module. Raises an error if it does nothing."""
    result = function(text)
    if isinstance(result, (Inert, InertType)):
        raise RuntimeError(f"{name} only calls a module that is not installed here, or a stand-in. Write TOOL_SPECS with a function of your own.")
    return result


class Tool(StructuredTool):
    """A tool made of a function with one text."""

    _TAKES_TEXT = True

    def __init__(self, name: Any = None, func: Any = None, description: Any = None, **options: Any) -> None:
        super().__init__(name=text_of(name), func=func, description=text_of(description), **options)

    @classmethod
    def from_function(cls, func: Any = None, name: Any = None, description: Any = None, **options: Any) -> Any:
        return cls(name, func, description, **options)


def _make_refusal(what: str) -> Any:
    def supply(call: Any) -> Any:
        raise RuntimeError(
            f"{call.parameter} is supplied by the application ({what}), which does not run here: give the parameter a default to try the tool"
        )

    return supply


class InjectedToolArg:
    """Marks a parameter that the application supplies."""

    __cloche_injected__ = staticmethod(_make_refusal("InjectedToolArg"))

    def __init__(self, *values: Any, **named: Any) -> None:
        pass


class InjectedToolCallId(InjectedToolArg):
    """Marks the parameter that gets the id of the call."""

    __cloche_injected__ = staticmethod(lambda call: call.id)


class InjectedState(InjectedToolArg):
    """Marks the parameter that gets the state of a graph; here it is empty."""

    __cloche_injected__ = staticmethod(lambda call: {"messages": []})


class InjectedStore(InjectedToolArg):
    """Marks the parameter that gets the store of a graph."""

    __cloche_injected__ = staticmethod(lambda call: call.memory(_Store))


class _Store:
    """A store that lives as long as the interpreter."""

    def __init__(self) -> None:
        self._items: dict[Any, Any] = {}

    def put(self, namespace: Any, key: str, value: Any, **named: Any) -> None:
        self._items[tuple(namespace), key] = Record(value=value, key=key, namespace=tuple(namespace))

    def get(self, namespace: Any, key: str, **named: Any) -> Any:
        """A stored value, or None."""
        return self._items.get((tuple(namespace), key))

    def search(self, namespace: Any, **named: Any) -> list[Any]:
        wanted = tuple(namespace)
        return [one for (where, _), one in self._items.items() if where[: len(wanted)] == wanted]

    def delete(self, namespace: Any, key: str) -> None:
        self._items.pop((tuple(namespace), key), None)


def _make_runtime(call: Any) -> Any:
    return Record(
        state={"messages": []},
        context=None,
        config={"configurable": {}, "metadata": {}},
        store=call.memory(_Store),
        stream_writer=call.update,
        tool_call_id=call.id,
    )


class _Manager:
    """A callback manager whose texts go to the log of the call."""

    def __init__(self, call: Any) -> None:
        self._call = call

    def on_text(self, text: Any, **named: Any) -> None:
        self._call.log(str(text))

    def get_child(self, *given: Any) -> Any:
        return self

    get_sync = get_child

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *values, **named: None


def list_names(module: str) -> Mapping[str, Any]:
    """The names of LangChain's modules. Names have moved between versions, so each module has all of them."""
    manager = make_injected(_Manager, "CallbackManagerForToolRun")
    messages = ("HumanMessage", "AIMessage", "SystemMessage", "ToolMessage", "BaseMessage", "FunctionMessage", "ChatMessage")
    made = {
        **{name: make_record(name, "content") for name in messages},
        "Document": make_record("Document", "page_content"),
        "Command": make_record("Command"),
        "RunnableConfig": type("RunnableConfig", (dict,), {INJECTED: staticmethod(lambda call: {"configurable": {}, "metadata": {}})}),
        "ToolRuntime": make_injected(_make_runtime, "ToolRuntime"),
        "Runtime": make_injected(_make_runtime, "Runtime"),
        "get_stream_writer": lambda: lambda value: None,
    }
    pydantic_too = {"BaseModel": BaseModel, "Field": Field} if "pydantic" in module else {}
    return {
        "tool": make_marker(_ID, _complete),
        "BaseTool": BaseTool,
        "StructuredTool": StructuredTool,
        "Tool": Tool,
        "ToolException": ToolException,
        "CallbackManagerForToolRun": manager,
        "AsyncCallbackManagerForToolRun": manager,
        "InjectedToolArg": InjectedToolArg,
        "InjectedToolCallId": InjectedToolCallId,
        "InjectedState": InjectedState,
        "InjectedStore": InjectedStore,
        **made,
        **pydantic_too,
    }
