"""A stand-in for LangChain and LangGraph: tools as functions and classes. `langchain_injected` has injected arguments.

`class_tools` asks the classes of a file, and the objects that it has made, for their marks with `__cloche_tools__`.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Mapping
from typing import Any

from ..annotation_schemas import schema_of
from ..inert import Inert, InertType
from ..instances import list_constructor_parameters
from ..marks import Mark, record_mark, text_of
from ..unavailable import Unavailable
from .langchain_injected import list_injected
from .marking import is_copy, make_mark, make_marker, make_record, unwrap_method
from .pydantic import BaseModel

_ID = "langchain"
# Methods that run a tool, the usual ones first. Some classes have their own `run`, which does not call `_run`.
RUN_METHODS = ("_run", "_arun", "run", "arun")


class ToolException(Exception):  # noqa: N818
    """An error whose message the model gets, so that it can try something else."""

    __cloche_recoverable__ = True


def _complete_mark(mark: Mark, options: dict[str, Any]) -> None:
    """Adds the options of LangChain to a mark, and the members of a decorated tool to its function."""
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


def _mark_model(kind: type, options: dict[str, Any]) -> None:
    """Marks a model that the file decorates as a tool: its fields are the parameters, and an object of it is the result."""
    if not isinstance(getattr(kind, "model_fields", None), dict):
        return

    def make(**given: Any) -> Any:
        return kind(**given)

    make.__name__, make.__doc__ = kind.__name__, kind.__doc__
    mark = make_mark(_ID, make, options)
    mark.schema, mark.call, mark.explicit = schema_of(kind), make, True
    record_mark(mark)


def _call_with(function: Any, given: Any) -> Any:
    """Calls a function with its arguments as a dict, or with a single one."""
    if isinstance(given, dict):
        return function(**given)
    return function() if given is None else function(given)


def _make_sample(kind: type) -> Any:
    """An object that shows what a class is, if its constructor sets the name; None if the constructor fails."""
    try:
        return kind(**{name: Unavailable(name) for name in list_constructor_parameters(kind)})
    except Exception:
        return None


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
        own = _list_own_members(cls, BaseTool)
        if not own & {*RUN_METHODS, "func"}:
            return []
        if instance is None and "__init__" in own and not text_of(_find_default(cls, "name")):
            instance = _make_sample(cls)

        def read(key: str) -> Any:
            return getattr(instance, key, None) if instance is not None else _find_default(cls, key)

        written = _list_own_members(cls, StructuredTool) if issubclass(cls, StructuredTool) else own
        target = getattr(cls, next((name for name in RUN_METHODS if name in written), "_run"))
        flags = {"artifact": True} if read("response_format") == "content_and_artifact" else {}
        name, description = text_of(read("name")), text_of(read("description"))
        if not name and ("NotImplementedError" in _code_names(target) or (read("args_schema") is None and _takes_only_keywords(target))):
            return []  # a base class, or one that runs any tool of the application
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


def _list_own_members(kind: type, base: type) -> set[str]:
    """The members that a class has beside those of a base class of the framework."""
    return {name for one in kind.__mro__[: kind.__mro__.index(base)] for name in vars(one)}


def _code_names(function: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(getattr(function, "__code__", None), "co_names", ())
    return names


def _takes_only_keywords(method: Any) -> bool:
    """Whether a method takes **kwargs, and nothing else."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_argcount == 1 and not code.co_kwonlyargcount and bool(code.co_flags & inspect.CO_VARKEYWORDS)


def _run_or_arun(tool: Any, **given: Any) -> Any:
    """Calls `_run`, or `_arun` if the tool is only asynchronous."""
    try:
        return tool._run(**given)
    except NotImplementedError:
        return tool._arun(**given)


def _find_default(kind: Any, name: str) -> Any:
    """The default of a field of a class, or the value of its attribute."""
    field = kind.model_fields.get(name)
    given = None if field is None else field.get_default()
    if given is None or type(given).__name__ == "PydanticUndefinedType":
        return vars(kind).get(name, given)
    return given


class StructuredTool(BaseTool):
    """A tool made from a function. If the function is from a missing file, only a model says which parameters it has."""

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
        """The tool of a class with its own `_run`. Tools that are made from functions are recorded when they are made."""
        own = _list_own_members(cls, StructuredTool)
        return super().__cloche_tools__(instance) if own & {*RUN_METHODS} else []


def _record_structured(function: Any, options: dict[str, Any]) -> Mark:
    """Records a tool that is made from a function."""
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
    """A tool made from a function with one text."""

    _TAKES_TEXT = True

    def __init__(self, name: Any = None, func: Any = None, description: Any = None, **options: Any) -> None:
        super().__init__(name=text_of(name), func=func, description=text_of(description), **options)

    @classmethod
    def from_function(cls, func: Any = None, name: Any = None, description: Any = None, **options: Any) -> Any:
        return cls(name, func, description, **options)


def _create_retriever_tool(retriever: Any, name: Any = None, description: Any = None, document_separator: str = "\n\n", **options: Any) -> Any:
    """A tool that searches documents. If the retriever is a stand-in, a call fails and says so."""

    def retrieve(query: str) -> str:
        return document_separator.join(document.page_content for document in retriever.invoke(query))

    retrieve.__qualname__ = retrieve.__name__  # messages must not name the function around it
    return StructuredTool.from_function(retrieve, name=name, description=description)


def list_names(module: str) -> Mapping[str, Any]:
    """The names of LangChain's modules. Names have moved between versions, so each module has all of them."""
    messages = ("HumanMessage", "AIMessage", "SystemMessage", "ToolMessage", "BaseMessage", "FunctionMessage", "ChatMessage")
    return {
        "tool": make_marker(_ID, _complete_mark, _mark_model),
        "BaseTool": BaseTool,
        "StructuredTool": StructuredTool,
        "Tool": Tool,
        "create_retriever_tool": _create_retriever_tool,
        "ToolException": ToolException,
        **list_injected(),
        **{name: make_record(name, "content") for name in messages},
        "Document": make_record("Document", "page_content"),
        "Command": make_record("Command"),
        "get_stream_writer": lambda: lambda value: None,
    }
