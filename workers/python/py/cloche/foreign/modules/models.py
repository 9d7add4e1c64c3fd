"""Stand-ins for frameworks whose tools are models, or classes that list their methods: LlamaIndex, DSPy, langroid, Atomic Agents,
Agency Swarm, Griptape."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from ..annotations import hints_of, object_schema, schema_of
from ..inert import Inert, InertType
from ..marks import Mark, mark, text_of
from .common import marker, record, without_default
from .functions import MadeTool
from .pydantic import BaseModel


# Kinds of Griptape's results.
_ARTIFACTS = ("Text", "List", "Json", "Info", "Boolean", "Error")


class ToolSpec:
    """LlamaIndex's class that names its methods in `spec_functions`."""

    spec_functions: Any = ()

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        listed = cls.spec_functions if isinstance(cls.spec_functions, (list, tuple)) else ()
        # A pair names a method and its asynchronous variant.
        named = [text_of(one[0] if isinstance(one, tuple) and one else one) for one in listed]
        return [Mark("llama-index", method, owner=cls) for name in named if callable(method := getattr(cls, name, None))]

    def to_tool_list(self, *values: Any, **named: Any) -> list[Any]:
        return []


class ToolMessage(BaseModel):
    """langroid's tool: a model whose `handle` runs it; `request` and `purpose` are its name and description."""

    request: str = ""
    purpose: str = ""
    id: str = ""

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        handle = getattr(cls, "handle", None)
        said = {name: cls.model_fields[name].get_default() for name in ("request", "purpose")}
        if not callable(handle) or not text_of(said["request"]):
            return []
        schema = dict(schema_of(cls))
        schema["properties"] = {name: one for name, one in schema.get("properties", {}).items() if name not in ("request", "purpose", "id")}
        call = lambda **given: cls(**given).handle()  # type: ignore[attr-defined]  # noqa: E731
        return [Mark("langroid", handle, name=said["request"], description=text_of(said["purpose"]) or text_of(cls.__doc__), schema=schema, call=call)]


class AgencyTool(BaseModel):
    """Agency Swarm's tool: a model whose `run` runs it; the class's name and docstring are its name and description."""

    @classmethod
    def __cloche_tools__(cls, instance: Any = None) -> list[Mark]:
        run = getattr(cls, "run", None)
        if not callable(run):
            return []
        call = lambda **given: cls(**given).run()  # type: ignore[attr-defined]  # noqa: E731
        return [Mark("agency-swarm", run, name=cls.__name__, description=inspect.cleandoc(cls.__doc__ or ""), schema=schema_of(cls), call=call)]


class GriptapeTool:
    """Griptape's tool, whose methods with `@activity` are tools."""

    def __init__(self, *values: Any, **named: Any) -> None:
        pass


def _activity(config: Any = None, **named: Any) -> Any:
    said = config if isinstance(config, dict) else {}

    def take(function: Any) -> Any:
        found = Mark("griptape", function, description=text_of(said.get("description")))
        fields = _inside(said.get("schema"))
        code = getattr(function, "__code__", None)
        if isinstance(fields, dict) and code is not None and code.co_varnames[1 : code.co_argcount] in (("params",), ("value",)):
            # The method gets all values in one dict.
            found.schema = _schema_of_fields(fields)
            found.call = lambda tool, **given: function(tool, {"values": given})
        mark(found)
        return function

    return take


def _inside(value: Any) -> Any:
    """The first value that an object of the package `schema`, or its stand-in, was made with."""
    values = getattr(value, "__dict__", {}).get("_values")
    return values[0] if values else getattr(value, "schema", None)


def _schema_of_fields(fields: dict[Any, Any]) -> dict[str, Any]:
    """The schema of a dict from names to types. A name may be in a Literal with a description, or in an Optional."""
    properties, required = {}, []
    for key, kind in fields.items():
        is_optional = type(key).__name__ == "Optional"
        named = _inside(key) if is_optional else key
        name, said = named if isinstance(named, str) else _inside(named), text_of(getattr(named, "description", ""))
        shape = _shape_of(kind)
        properties[text_of(name)] = {**shape, **({"description": said} if said else {})}
        required += [] if is_optional else [text_of(name)]
    return object_schema(properties, required)


def _shape_of(kind: Any) -> dict[str, Any]:
    """The schema of one type, of a list of it, or of several in an Or."""
    if isinstance(kind, list):
        return {"type": "array", **({"items": schema_of(kind[0])} if kind else {})}
    given = getattr(kind, "__dict__", {}).get("_values") if isinstance(kind, Inert) else None
    shapes = [schema_of(one) for one in given or () if isinstance(one, type)]
    different = [one for index, one in enumerate(shapes) if one not in shapes[:index]]
    return {"anyOf": different} if len(different) > 1 else different[0] if different else schema_of(kind)


def _metagpt_tool(*values: Any, include_functions: Any = None, **options: Any) -> Any:
    """MetaGPT's decorator of functions, and of classes whose methods are tools: all public ones, or those that it names."""

    def take(given: Any) -> Any:
        if not isinstance(given, type):
            return marker("metagpt")(given)
        for name, one in vars(given).items():
            if isinstance(one, FunctionType) and (name in include_functions if include_functions else not name.startswith("_")):
                mark(Mark("metagpt", one, owner=given))
        return given

    return take(values[0]) if values and callable(values[0]) else take


def _command(names: Any = "", description: Any = "", parameters: Any = None, *values: Any, **options: Any) -> Any:
    """AutoGPT's decorator of commands: the first one of its names counts."""
    name = names[0] if isinstance(names, (list, tuple)) and names else names

    def finish(found: Mark, given: Any) -> None:
        if isinstance(parameters, dict):
            found.schema = _schema_of_parameters(parameters, found.target)

    return marker("autogpt", finish)(name=text_of(name), description=text_of(description), **options)


def _schema_of_parameters(said: dict[Any, Any], function: Any) -> dict[str, Any] | None:
    """The schema of parameters that are described one by one, with the types of the function; None if the function lacks one."""
    hints, code = hints_of(function), function.__code__
    fields = {text_of(name): one if isinstance(one, dict) else vars(one) for name, one in said.items() if hasattr(one, "__dict__") or isinstance(one, dict)}
    if not fields.keys() <= set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]):
        return None
    properties = {}
    for name, one in fields.items():
        shape = schema_of(hints[name]) if name in hints else {"type": text_of(one["type"])} if text_of(one.get("type")) else {}
        properties[name] = {**shape, **({"description": text_of(one["description"])} if text_of(one.get("description")) else {})}
    return object_schema(properties, [name for name, one in fields.items() if one.get("required") is True])


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
        call = lambda tool, **given: tool.run(model(**given))  # noqa: E731
        return [Mark("atomic-agents", run, name=cls.__name__, description=text_of(model.__doc__), schema=schema_of(model), owner=cls, call=call)]


class DspyTool(MadeTool):
    """DSPy's tool, which can say the types of its function's parameters."""

    FRAMEWORK = "dspy"

    def __init__(self, *values: Any, **options: Any) -> None:
        super().__init__(*values, **{"description": options.get("desc"), **options})
        types = options.get("arg_types")
        found = getattr(self, "mark", None)
        if found is not None and isinstance(types, dict):
            found.schema = object_schema({name: schema_of(kind) for name, kind in types.items()}, without_default(found.target, types))


def names(module: str) -> Mapping[str, Any]:
    """The names of these frameworks, by the first part of the module."""
    return _NAMES[module.partition(".")[0]]()


_NAMES: dict[str, Callable[[], Mapping[str, Any]]] = {
    "llama_index": lambda: {"FunctionTool": type("FunctionTool", (MadeTool,), {"FRAMEWORK": "llama-index"}), "BaseToolSpec": ToolSpec},
    "dspy": lambda: {"Tool": DspyTool},
    "langroid": lambda: {"ToolMessage": ToolMessage},
    "agency_swarm": lambda: {"BaseTool": AgencyTool},
    "griptape": lambda: {"BaseTool": GriptapeTool, "activity": _activity, **{f"{kind}Artifact": record(f"{kind}Artifact", "value") for kind in _ARTIFACTS}},
    "atomic_agents": lambda: {"BaseTool": AtomicTool, "BaseIOSchema": BaseModel, "BaseToolConfig": BaseModel},
    "metagpt": lambda: {"register_tool": _metagpt_tool},
    "autogpt": lambda: {"command": _command},
    "forge": lambda: {"command": _command},
    "mirascope": lambda: {"llm": InertType("llm", (Inert,), {"tool": staticmethod(marker("mirascope"))})},
}
