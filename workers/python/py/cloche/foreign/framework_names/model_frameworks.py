"""Stand-ins for frameworks whose tools are models, or classes that list their methods: LlamaIndex, DSPy, langroid, Atomic Agents,
Agency Swarm, Instructor, Griptape and others.

`class_tools` asks the classes of a file for their marks with `__cloche_tools__`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType, MethodType
from typing import Any, ClassVar

from ..annotation_schemas import object_schema, schema_of, write_default
from ..annotations import hints_of
from ..argument_dicts import list_without_default
from ..inert import Inert, InertType
from ..marks import Mark, RunModel, mark_of, record_mark, text_of
from .function_frameworks import MadeTool
from .marking import Record, make_marker, make_record
from .pydantic import BaseModel

# Kinds of Griptape's results.
_ARTIFACTS = ("Text", "List", "Json", "Info", "Boolean", "Error")


class _LlamaTool(MadeTool):
    """LlamaIndex's tool, whose name, description and schema may be in an object beside the function."""

    FRAMEWORK = "llama-index"

    def __init__(self, *values: Any, **options: Any) -> None:
        metadata = options.get("tool_metadata", options.get("metadata"))
        if metadata is not None:
            options = {**{key: getattr(metadata, key, None) for key in ("name", "description", "fn_schema")}, **options}
        super().__init__(*values, **options)
        mark, model = getattr(self, "mark", None), options.get("fn_schema")
        if mark is not None:
            mark.model = model if isinstance(model, type) and not isinstance(model, InertType) else None
            self.metadata = metadata if metadata is not None else Record(name=mark.name, description=mark.description)


class _QueryEngineTool(_LlamaTool):
    """LlamaIndex's tool that asks a query engine. The engine is a stand-in, so a call fails and says so."""

    def __init__(self, query_engine: Any = None, metadata: Any = None, **options: Any) -> None:
        def query_engine_tool(input: str) -> str:
            return str(query_engine.query(input))

        query_engine_tool.__qualname__ = query_engine_tool.__name__  # messages must not name this class
        super().__init__(fn=query_engine_tool, metadata=metadata, **options)

    @classmethod
    def from_defaults(cls, query_engine: Any = None, **options: Any) -> Any:
        return cls(query_engine, **options)


class ToolSpec:
    """LlamaIndex's class that names its methods in `spec_functions`."""

    spec_functions: Any = ()

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        listed = cls.spec_functions if isinstance(cls.spec_functions, (list, tuple)) else ()
        # A pair names a method and its asynchronous variant.
        named = [text_of(name[0] if isinstance(name, tuple) and name else name) for name in listed]
        return [Mark("llama-index", method, owner=cls) for name in named if callable(method := getattr(cls, name, None))]

    def to_tool_list(self, *values: Any, **named: Any) -> list[Any]:
        """Returns no tools, because `__cloche_tools__` returns the marks of the same methods."""
        return []


class ToolMessage(BaseModel):
    """langroid's tool: a model whose `handle` runs it; `request` and `purpose` are its name and description."""

    request: str = ""
    purpose: str = ""
    id: str = ""

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        handle = getattr(cls, "handle", None)
        name, purpose = (text_of(cls.model_fields[field].get_default()) for field in ("request", "purpose"))
        if not callable(handle) or not name:
            return []
        schema = dict(schema_of(cls))
        schema["properties"] = {key: one for key, one in schema.get("properties", {}).items() if key not in ("request", "purpose", "id")}

        description = purpose or text_of(cls.__doc__)
        return [Mark("langroid", handle, name=name, description=description, schema=schema, call=RunModel(cls, "handle"))]


class AgencyTool(BaseModel):
    """Agency Swarm's tool: a model whose `run` runs it; the class's name and docstring are its name and description."""

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        run = getattr(cls, "run", None)
        if not callable(run):
            return []

        description = inspect.cleandoc(cls.__doc__ or "")
        return [Mark("agency-swarm", run, name=cls.__name__, description=description, schema=schema_of(cls), call=RunModel(cls, "run"))]


class OpenAISchema(BaseModel):
    """Instructor's model of the arguments of a call. If it has a method that runs it, it is a tool."""

    openai_schema: ClassVar[Any] = Inert()

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        members = {name: member for base in reversed(cls.__mro__[: cls.__mro__.index(OpenAISchema)]) for name, member in vars(base).items()}
        run = next((members[name] for name in ("run", "execute", "__call__") if isinstance(members.get(name), FunctionType)), None)
        if run is None or len(list_without_default(run, inspect.signature(run).parameters)) > 1:
            return []

        def call(**given: Any) -> Any:
            return run(cls(**given))

        return [Mark("instructor", run, name=cls.__name__, description=inspect.cleandoc(cls.__doc__ or ""), schema=schema_of(cls), call=call)]


class GriptapeTool:
    """Griptape's tool, whose methods with `@activity` are tools."""

    def __init__(self, *values: Any, **named: Any) -> None:
        """Accepts all arguments, so that the file can make an object."""


def _activity(config: Any = None, **named: Any) -> Any:
    options = config if isinstance(config, dict) else {}

    def decorate(function: Any) -> Any:
        mark = Mark("griptape", function, description=text_of(options.get("description")))
        fields = _unwrap_schema(options["schema"]) if options.get("schema") is not None else {}
        code = getattr(function, "__code__", None)
        if isinstance(fields, dict) and code is not None and code.co_varnames[1 : code.co_argcount] in (("params",), ("value",)):
            # The method gets all values in one dict.
            mark.schema = _make_schema_of_fields(fields)
            mark.call = lambda tool, **given: function(tool, {"values": given})
        elif isinstance(fields, dict) and fields and code is not None:
            schema = _make_schema_of_fields(fields)
            mark.schema = schema if schema["properties"].keys() <= set(code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]) else None
        record_mark(mark)
        return function

    return decorate


def _unwrap_schema(value: Any) -> Any:
    """The first value that an object of the package `schema`, or its stand-in, was made with."""
    values = getattr(value, "__dict__", {}).get("_values")
    return values[0] if values else getattr(value, "schema", None)


def _make_schema_of_fields(fields: dict[Any, Any]) -> dict[str, Any]:
    """The schema of a dict from names to types. A name may be in a Literal with a description, or in an Optional."""
    properties, required = {}, []
    for key, kind in fields.items():
        is_optional = type(key).__name__ == "Optional"
        named = _unwrap_schema(key) if is_optional else key
        name, description = named if isinstance(named, str) else _unwrap_schema(named), text_of(getattr(named, "description", ""))
        shape = _make_schema_of_type(kind)
        properties[text_of(name)] = {**shape, **({"description": description} if description else {})}
        write_default(properties[text_of(name)], getattr(key, "__dict__", {}).get("default"))
        required += [] if is_optional else [text_of(name)]
    return object_schema(properties, required)


def _make_schema_of_type(kind: Any) -> dict[str, Any]:
    """The schema of one type, of a list of it, or of several in an Or."""
    if isinstance(kind, list):
        return {"type": "array", **({"items": schema_of(kind[0])} if kind else {})}
    given = getattr(kind, "__dict__", {}).get("_values") if isinstance(kind, Inert) else None
    shapes = [schema_of(member) for member in given or () if isinstance(member, type)]
    different = [shape for index, shape in enumerate(shapes) if shape not in shapes[:index]]
    return {"anyOf": different} if len(different) > 1 else different[0] if different else schema_of(kind)


def _metagpt_tool(*values: Any, include_functions: Any = None, **options: Any) -> Any:
    """MetaGPT's decorator of functions, and of classes whose methods are tools: all public ones, or those that it names."""

    def decorate(given: Any) -> Any:
        if not isinstance(given, type):
            return make_marker("metagpt")(given)
        for name, member in vars(given).items():
            is_wanted = not name.startswith("_") and (not include_functions or name in include_functions)
            method = getattr(given, name) if isinstance(member, (staticmethod, classmethod)) else member
            if is_wanted and isinstance(method, (FunctionType, MethodType)):
                record_mark(Mark("metagpt", method, owner=given if method is member else None))
        return given

    return decorate(values[0]) if values and callable(values[0]) else decorate


def _command(names: Any = "", description: Any = "", parameters: Any = None, *values: Any, **options: Any) -> Any:
    """AutoGPT's decorator of commands: the first one of its names counts."""
    name = names[0] if isinstance(names, (list, tuple)) and names else names

    def finish(mark: Mark, given: Any) -> None:
        if isinstance(parameters, dict):
            mark.schema = _make_schema_of_parameters(parameters, mark.target)

    return make_marker("autogpt", finish)(name=text_of(name), description=text_of(description), **options)


def _make_schema_of_parameters(described: dict[Any, Any], function: Any) -> dict[str, Any] | None:
    """The schema of parameters that are described one by one, with the types of the function; None if the function lacks
    one of them."""
    hints, code = hints_of(function), function.__code__
    parameters = {text_of(name): given if isinstance(given, dict) else vars(given) for name, given in described.items() if isinstance(given, dict) or hasattr(given, "__dict__")}
    if not parameters.keys() <= set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]):
        return None
    properties = {}
    for name, fields in parameters.items():
        kind, description = text_of(fields.get("type")), text_of(fields.get("description"))
        schema = schema_of(hints[name]) if name in hints else {"type": kind} if kind else {}
        properties[name] = {**schema, **({"description": description} if description else {})}
    return object_schema(properties, [name for name, fields in parameters.items() if fields.get("required") is True])


class MirascopeTool(BaseModel):
    """Mirascope's tool: a model with a method `call` that runs it.

    Its methods `_name` and `_description` take precedence over the name and the docstring of the class.
    """

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        run = getattr(cls, "call", None)
        if not isinstance(run, FunctionType) or len(list_without_default(run, inspect.signature(run).parameters)) > 1:
            return []
        name, description = (_ask(cls, method) for method in ("_name", "_description"))

        description = description or inspect.cleandoc(cls.__doc__ or "")
        return [Mark("mirascope", run, name=name or cls.__name__, description=description, schema=schema_of(cls), call=RunModel(cls, "call"))]


class MirascopeToolkit(BaseModel):
    """Mirascope's toolkit. Its namespace is put before the names of its marked methods."""

    def __init_subclass__(cls, **config: Any) -> None:
        super().__init_subclass__(**config)
        space = text_of(getattr(cls, "__namespace__", ""))
        for name, member in vars(cls).items():
            if space and (mark := mark_of(member)) is not None:
                mark.name = f"{space}_{name}"


def _ask(kind: type, name: str) -> str:
    """The text that a method or a class method returns; empty if the class has no such method, or if it fails."""
    method = getattr(kind, name, None)
    try:
        return text_of(method(kind) if isinstance(method, FunctionType) else method() if callable(method) else "")
    except Exception:  # it needs the object, or the application
        return ""


class AtomicTool:
    """The tool of Atomic Agents: `run` gets its arguments as one model."""

    input_schema: Any = None

    def __init__(self, config: Any = None, *values: Any, **named: Any) -> None:
        self.config = config

    def __class_getitem__(cls, item: Any) -> Any:
        model = item[0] if isinstance(item, tuple) and item else item
        return type(cls.__name__, (cls,), {"input_schema": model, "__module__": cls.__module__})

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        run, model = vars(cls).get("run"), cls.input_schema
        if not callable(run) or not isinstance(model, type):
            return []

        def call(tool: Any, **given: Any) -> Any:
            return tool.run(model(**given))

        return [Mark("atomic-agents", run, name=cls.__name__, description=text_of(model.__doc__), schema=schema_of(model), owner=cls, call=call)]


class DspyTool(MadeTool):
    """DSPy's tool, which can say the types of its function's parameters."""

    FRAMEWORK = "dspy"

    def __init__(self, *values: Any, **options: Any) -> None:
        super().__init__(*values, **{"description": options.get("desc"), **options})
        types = options.get("arg_types")
        mark = getattr(self, "mark", None)
        if mark is not None and isinstance(types, dict):
            mark.schema = object_schema({name: schema_of(kind) for name, kind in types.items()}, list_without_default(mark.target, types))


def list_names(module: str) -> Mapping[str, Any]:
    """The names of these frameworks, by the first part of the module."""
    return _NAMES[module.partition(".")[0]]()


_NAMES: dict[str, Callable[[], Mapping[str, Any]]] = {
    "llama_index": lambda: {
        "FunctionTool": type("FunctionTool", (_LlamaTool,), {}),
        "QueryEngineTool": _QueryEngineTool,
        "ToolMetadata": make_record("ToolMetadata", "description", "name", "fn_schema"),
        "BaseToolSpec": ToolSpec,
    },
    "dspy": lambda: {"Tool": DspyTool},
    "langroid": lambda: {"ToolMessage": ToolMessage},
    "agency_swarm": lambda: {"BaseTool": AgencyTool},
    "instructor": lambda: {"OpenAISchema": OpenAISchema, "openai_function": make_marker("instructor")},
    "griptape": lambda: {"BaseTool": GriptapeTool, "activity": _activity, **{f"{kind}Artifact": make_record(f"{kind}Artifact", "value") for kind in _ARTIFACTS}},
    "atomic_agents": lambda: {"BaseTool": AtomicTool, "BaseIOSchema": BaseModel, "BaseToolConfig": BaseModel},
    "metagpt": lambda: {"register_tool": _metagpt_tool},
    "autogpt": lambda: {"command": _command},
    "forge": lambda: {"command": _command},
    "mirascope": lambda: {
        "llm": InertType("llm", (Inert,), {"tool": staticmethod(make_marker("mirascope"))}),
        "BaseTool": MirascopeTool,
        "BaseToolKit": MirascopeToolkit,
        "toolkit_tool": make_marker("mirascope"),
    },
}
