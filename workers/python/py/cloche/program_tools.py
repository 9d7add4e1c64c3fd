"""The session's tools as a program sees them: awaitable functions, grouped under the names of their modules."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any

from . import asking

Function = Callable[..., Coroutine[Any, Any, Any]]
_dumps = json.dumps
_loads = json.loads


class ToolError(Exception):
    """A call that failed. `tool` is the tool's name, and `error` is the kind of failure, such as `timeout` or
    `ValueError: …`."""

    def __init__(self, message: str, tool: str = "", error: str = "") -> None:
        super().__init__(message)
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


class Tools(Mapping[str, Function]):
    """All tools by their exact names, for names that are no identifiers."""

    def __init__(self, functions: dict[str, Function]) -> None:
        self._functions = functions

    def __getitem__(self, name: str) -> Function:
        return self._functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)


def tool_names(tools: list[dict[str, Any]]) -> dict[str, Any]:
    """The global names of a program: one for each module, and `tools`.

    Each tool has its `name`, the `module` and `function` under which it is called, the names of its `parameters`, and
    a `doc` whose first line is the signature.
    """
    modules: dict[str, dict[str, Function]] = {}
    every: dict[str, Function] = {}
    for tool in tools:
        function = _function(tool["name"], tool["module"], tool["function"], tool["parameters"], tool["doc"])
        modules.setdefault(tool["module"], {})[tool["function"]] = every[tool["name"]] = function
    named: dict[str, Any] = {name: ToolModule(name, functions) for name, functions in modules.items()}
    return {"tools": Tools(every), **named}


def _function(tool: str, module: str, name: str, parameters: list[str], doc: str) -> Function:
    # A parameter of the tool may have any name, so this function has no named parameter.
    async def call(*positional: Any, **arguments: Any) -> Any:
        if len(positional) > len(parameters):
            raise TypeError(f"{module}.{name}() takes {len(parameters)} arguments, but {len(positional)} were given")
        for parameter, value in zip(parameters, positional, strict=False):
            if parameter in arguments:
                raise TypeError(f"{module}.{name}() got multiple values for argument {parameter!r}")
            arguments[parameter] = value
        answer = await asking.ask({"ask": "call", "tool": tool, "arguments": _dumps(arguments)})
        return _value(tool, _loads(answer["value"]))

    call.__name__ = name
    call.__qualname__ = f"{module}.{name}"
    call.__module__ = module
    call.__doc__ = doc
    return call


def _value(tool: str, result: dict[str, Any]) -> Any:
    """The value of one part, or a list of the values of several. Raises ToolError for a failed call."""
    if not result["ok"]:
        raise ToolError(result["message"], tool, result["error"])
    parts = [_part(part) for part in result["parts"]]
    return parts[0] if len(parts) == 1 else parts


def _part(part: dict[str, Any]) -> Any:
    kind = part["type"]
    if kind == "json":
        return _loads(part["text"])
    if kind == "text":
        return part["text"]
    file = File(base64.b64decode(part["data"]))
    file.media_type = part["mediaType"]
    return file
