"""A tool that is ready to be called, with everything that can be computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .arguments import integer_parameters
from .failures import Refusal
from .folder import ToolFile
from .handlers import kind_of
from .problems import Fault
from .specs import ToolSpec, check_spec
from .stubs import Stub, make_stub
from .wording import composed


# Names that the page calls instead of a tool in the interpreter of an extension. No tool can have
# such a name.
REGISTER = "@register"
HOOK = "@hook"
# The page calls it in the interpreter of programs, which has no tool files.
PROGRAM = "run_python"


class PreparedTool(NamedTuple):
    """The parts of a tool that a call needs."""

    handler: Callable[..., object]
    stub: Stub | None
    takes_context: bool
    is_async: bool
    integers: frozenset[str]
    accepts: str  # the parameters as text, for a model that passed the wrong ones
    spec: ToolSpec


def prepare_function(function: Callable[..., object]) -> PreparedTool:
    """A function of the loader, to be called like a tool."""
    spec = ToolSpec(
        name="", label="", description="", parameters={}, parameters_text="{}", handler=function, takes_context=False,
        options={}, given={},
    )
    return PreparedTool(
        handler=function, stub=None, takes_context=False, is_async=True, integers=frozenset(), accepts="", spec=spec
    )


def prepare(
    tool: str, file: str, loaded: ToolFile, registered: list[dict[str, object]] | None = None
) -> PreparedTool:
    """The tool named `tool` of an imported file: the first valid spec of that name among those that it registered as
    an extension, and those in TOOL_SPECS.

    Raises Refusal if the file has none.
    """
    entries = loaded.entries
    listed = entries if isinstance(entries, (list, tuple)) else ()
    for entry in (*(registered or ()), *listed):
        if isinstance(entry, dict) and _is_named(entry, tool):
            faults: list[Fault] = []
            spec = check_spec(entry, tool.partition(":")[0] if registered else loaded.stem, faults)
            if spec:
                return _from_spec(spec)
    raise Refusal(
        f"LookupError: {file} has no tool {tool!r}",
        "The file has changed or the spec has an error: refresh the tools folder and look at its problems.",
    )


def _is_named(entry: dict[object, object], tool: str) -> bool:
    name = dict.get(entry, "name")
    return name == tool or (type(name) is str and composed(name) == composed(tool))


def _from_spec(spec: ToolSpec) -> PreparedTool:
    return PreparedTool(
        handler=spec.handler,
        stub=make_stub(spec.handler),
        takes_context=spec.takes_context,
        is_async=kind_of(spec.handler) in ("async", "async-generator"),
        integers=integer_parameters(spec.parameters),
        accepts=_in_words(spec.parameters),
        spec=spec,
    )


def _in_words(schema: dict[str, Any]) -> str:
    properties = schema.get("properties") or {}
    required = schema.get("required") or []
    named = [f"{name} (required)" if name in required else name for name in properties]
    return ", ".join(named) or "no arguments"
