"""The session's tools as a program sees them: awaitable functions, grouped under the names of their modules."""

from __future__ import annotations

import base64
import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import SimpleNamespace
from typing import Any

from . import asking
from .program_call import ToolCall
from .wording import nearest

Function = Callable[..., ToolCall]
_dumps = json.dumps
_loads = json.loads
# Tools that a message names.
_NAMED = 5


class ToolError(Exception):
    """A call that failed. `tool` is the tool's name, and `error` is the kind of failure, such as `timeout` or
    `ValueError: …`."""

    def __init__(self, message: str, tool: str = "", error: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.tool = tool
        self.error = error


class File(bytes):
    """The bytes of an image or a file that a tool returned. A program can return it, to hand it on."""

    media_type = "application/octet-stream"


class ToolModule:
    """The tools of one module, as attributes."""

    def __init__(self, name: str, functions: Mapping[str, Function]) -> None:
        self.__dict__.update(functions)
        self.__name__ = name
        self.__doc__ = "\n\n".join(function.__doc__ or "" for function in functions.values())

    def __repr__(self) -> str:
        return f"<tools of {self.__name__}>"

    def __getattr__(self, name: str) -> Any:
        known = [key for key in vars(self) if not key.startswith("__")]
        raise AttributeError(f"{self.__name__} has no tool {name!r}. It has: {', '.join(known)}")


class NoTool(KeyError):
    """There is no tool with a name."""

    def __str__(self) -> str:
        return str(self.args[0])


class Tools(Mapping[str, Function]):
    """All tools by their exact names, for names that are no identifiers. Their modules are attributes, and so are the tools
    by their global names."""

    __path__: list[str] = []  # `import tools.module` works

    def __init__(
        self, functions: dict[str, Function], modules: dict[str, ToolModule], names: dict[str, Function]
    ) -> None:
        self._functions = functions
        self._attributes: dict[str, Any] = {**names, **modules}

    def __getitem__(self, name: str) -> Function:
        known = self._functions.get(name)
        if known is not None:
            return known
        # Models also write the names with which providers are given the tools, and those of Python.
        same = [tool for tool in self._functions if _plain(tool) == _plain(name)]
        same = same or [tool for _, _, tool in labels(self, str(name))]
        if len(same) == 1:
            return self._functions[same[0]]
        near = None if same else nearest(str(name), self._functions)
        if near is not None:
            advice = f"Did you mean tools[{near!r}]?"
        else:
            listed = _list_some([f"tools[{tool!r}]" for tool in same or self._functions])
            advice = f"Several tools have this name: {listed}." if same else the_tools(listed)
        raise NoTool(f"there is no tool {name!r}. {advice}")

    def __getattr__(self, name: str) -> Any:
        if name == "ToolError":
            return ToolError
        if name in self._attributes:
            return self._attributes[name]
        found = labels(self, name)
        if len(found) == 1:
            return self._functions[found[0][2]]
        calls = written_calls(found or labels(self))
        advice = f"Several tools have this name: {calls}." if found else the_tools(calls)
        raise AttributeError(f"`tools` has no {name!r}. {advice}", name=name, obj=self)

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)


def labels(tools: Tools, name: str | None = None) -> list[tuple[str, str, str]]:
    """Returns the module, the function and the name of each tool, or only of those whose function or joined name is
    `name`."""
    every = [(one.__module__, one.__name__, tool) for tool, one in tools.items()]
    return [one for one in every if name is None or name in (one[1], f"{one[0]}__{one[1]}")]


def written_calls(found: Sequence[tuple[str, str, str]]) -> str:
    """The calls of tools as a program writes them, for a message: at most five, and how many more there are."""
    return _list_some([f"`await {module}.{function}(…)`" for module, function, _ in found])


def the_tools(listed: str) -> str:
    """A sentence that says which tools there are. `listed` is empty if there are none."""
    return f"The tools are {listed}." if listed else "There are no tools."


def _list_some(words: Sequence[str]) -> str:
    """The first words of a list, and how many more there are."""
    more = len(words) - _NAMED
    return ", ".join(words[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _plain(name: object) -> str:
    """A name in which all that separates words is a dot, for comparing names."""
    return re.sub(r"\W+|__+", ".", str(name))


def tool_names(tools: list[dict[str, Any]], waiting: set[ToolCall]) -> dict[str, Any]:
    """The global names of a program: one for each module, `tools`, and for each tool its `wire` name, by which the model
    knows it, and `module__function`, unless other tools have that name.

    Each tool has its `name`, the `module` and `function` under which it is called, the names of its `parameters`, and
    a `doc` whose first line is the signature. `waiting` gets the calls that are written, until they are awaited.
    """
    modules: dict[str, dict[str, Function]] = {}
    every: dict[str, Function] = {}
    joined: list[tuple[str, Function]] = []
    wires: list[tuple[str, Function]] = []
    for tool in tools:
        module, name = tool["module"], tool["function"]
        function = _make_function(tool["name"], module, name, tool["parameters"], tool["doc"], waiting)
        modules.setdefault(module, {})[name] = every[tool["name"]] = function
        joined.append((f"{module}__{name}", function))
        if "wire" in tool:
            wires.append((tool["wire"], function))
    named = {name: ToolModule(name, functions) for name, functions in modules.items()}
    names = {**_keep_unambiguous(joined), **_keep_unambiguous(wires)}
    return {**names, "tools": Tools(every, named, names), **named}


def _keep_unambiguous(named: list[tuple[str, Function]]) -> dict[str, Function]:
    """The functions by name, without names that several have."""
    counts = Counter(name for name, _ in named)
    return {name: function for name, function in named if counts[name] == 1}


class ToolImports:
    """Finds the tools when a program imports them, unless Python has a module of that name. Entered during a program."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        tools = names["tools"]
        modules = {name: one for name, one in names.items() if isinstance(one, ToolModule)}
        below = {f"tools.{name}": one for name, one in modules.items()}
        # Models write `nest_asyncio.apply()`, which is not needed.
        nested = SimpleNamespace(apply=lambda *_: None)
        self._found: dict[str, Any] = {"nest_asyncio": nested, **modules, **below, "tools": tools}
        self._imported: set[str] = set()

    def __enter__(self) -> None:
        sys.meta_path.append(self)  # type: ignore[arg-type]

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        for name in self._imported:
            sys.modules.pop(name, None)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in self._found else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> Any:
        self._imported.add(spec.name)
        return self._found[spec.name]

    def exec_module(self, module: object) -> None:
        return None


def _make_function(
    tool: str, module: str, name: str, parameters: list[str], doc: str, waiting: set[ToolCall]
) -> Function:
    """The function with which a program calls a tool."""
    label = f"{module}.{name}"
    # The spellings of parameters whose names are not valid in Python: `from_`, `start_date`.
    spellings = {re.sub(r"\W", "_", one): one for one in parameters} | {f"{one}_": one for one in parameters}

    # A parameter of the tool may have any name, so this function has no named parameter.
    def call(*positional: Any, **arguments: Any) -> ToolCall:
        if len(positional) > len(parameters):
            raise TypeError(f"{label}() takes {len(parameters)} arguments, but {len(positional)} were given")
        for parameter, value in zip(parameters, positional, strict=False):
            if parameter in arguments:
                raise TypeError(f"{label}() got multiple values for argument {parameter!r}")
            arguments[parameter] = value
        for spelling in [one for one in arguments if one not in parameters]:
            meant = spellings.get(spelling, spelling)
            if meant not in arguments:
                arguments[meant] = arguments.pop(spelling)
        return ToolCall(label, lambda: _make_call(tool, label, arguments), waiting)

    call.__name__ = name
    call.__qualname__ = label
    call.__module__ = module
    call.__doc__ = doc
    # Helpers for retries ask whether a function has to be awaited. Before Python 3.12, a plain function cannot be marked so.
    return getattr(inspect, "markcoroutinefunction", lambda one: one)(call)  # type: ignore[no-any-return]


async def _make_call(tool: str, label: str, arguments: dict[str, Any]) -> Any:
    """Asks the page to call a tool, and waits for its value. Raises what `_read_value` raises."""
    try:
        text = _dumps(arguments, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{label}() takes values that JSON has: {error}") from None
    answer = await asking.ask({"ask": "call", "tool": tool, "arguments": text})
    return _read_value(tool, _loads(answer["value"]))


def _read_value(tool: str, result: dict[str, Any]) -> Any:
    """The value of one part, or a list of the values of several. Raises ToolError for a failed call."""
    if not result["ok"]:
        raise ToolError(result["message"], tool, result["error"])
    parts = [_read_part(part) for part in result["parts"]]
    return parts[0] if len(parts) == 1 else parts


def _read_part(part: dict[str, Any]) -> Any:
    """The value of one part of a result."""
    kind = part["type"]
    if kind == "json":
        return _loads(part["text"])
    if kind == "text":
        return part["text"]
    file = File(base64.b64decode(part["data"]))
    file.media_type = part["mediaType"]
    return file
