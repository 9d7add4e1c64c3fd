"""A stand-in for the MCP SDK (both versions) and for FastMCP: servers that record their tools, and content of results.

A server records a mark for each tool: the function, with what the decorator or call says about it (see `marks`).
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from ..frameworks import Framework
from ..inert import Inert
from ..marks import current_collector, record_mark, text_of
from .marking import Record, is_function, make_injected, make_mark, make_record
from .mcp_context import Context, Depends


class ToolError(Exception):
    """An error whose message the client gets."""

    __cloche_recoverable__ = True


class Server:
    """A server whose decorators record tools. Running it does nothing."""

    _ID = "mcp"
    __cloche_server__ = True

    def __init__(self, name: Any = None, *values: Any, **options: Any) -> None:
        self.name = text_of(name) or "server"
        self.settings = Record(**{key: value for key, value in options.items() if key in ("host", "port", "log_level")})
        self._lists: Any = options.get("on_list_tools")
        self._calls: Any = options.get("on_call_tool")
        collector = current_collector()
        if collector is not None:
            collector.low_level.append(self)
        for one in options.get("tools") or ():
            self.add_tool(one)

    def tool(self, *values: Any, **options: Any) -> Any:
        given = next((one for one in values if is_function(one)), None)
        texts = [one for one in values if isinstance(one, str)]
        if texts:
            options.setdefault("name", texts[0])

        def decorate(function: Any) -> Any:
            mark = make_mark(self._ID, function, options)
            excluded = options.get("exclude_args")
            # Hidden from models, without a supply (None): such parameters get their defaults, if they have any.
            mark.hidden = dict.fromkeys(excluded if isinstance(excluded, (list, tuple)) else ())
            record_mark(mark)
            return function

        return decorate if given is None else decorate(given)

    def add_tool(self, given: Any, *values: Any, **options: Any) -> Any:
        """Records a function, or a tool made from one."""
        if isinstance(given, Made):
            mark = given.mark
        elif callable(given):
            mark = make_mark(self._ID, given, {**({"name": values[0]} if values else {}), **options})
        else:
            return given
        # A call of this file makes the function a tool of this file, even if another file defines it, and may make several
        # tools of it, each with a name. A decorator may have run in an imported file, whose tools are not of this file.
        mark.explicit = True
        record_mark(mark)
        return given

    def register_tool(self, *values: Any, **options: Any) -> Any:
        """Records a function, or returns a decorator that does."""
        return self.add_tool(*values, **options) if values else self.tool(**options)

    def list_tools(self) -> Any:
        return self._make_setter("_lists")

    def call_tool(self, **options: Any) -> Any:
        return self._make_setter("_calls")

    def _make_setter(self, slot: str) -> Any:
        def decorate(function: Any) -> Any:
            setattr(self, slot, function)
            return function

        return decorate

    def low_level(self) -> tuple[Any, Any]:
        """The functions that list and call tools, if the file has registered them."""
        return self._lists, self._calls

    def get_context(self) -> Any:
        """A context outside of a call, which does nothing."""
        return Inert()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        # resource, prompt, run, mount, custom_route, middleware …
        return Inert()


class FastServer(Server):
    """FastMCP's server."""

    _ID = "fastmcp"


def server_for(framework: Framework | None) -> Any:
    """The server, or the agent, that is passed to a function such as register_tools(mcp)."""
    if framework is not None and framework.id == "pydantic-ai":
        from .function_frameworks import PydanticAgent

        return PydanticAgent()
    return Server("tools") if framework is not None and framework.id == "mcp" else FastServer("tools")


class Made(Record):
    """A tool made from a function, before a server has it."""

    @classmethod
    def from_function(cls, fn: Any, name: Any = None, description: Any = None, **options: Any) -> Any:
        return cls(mark=make_mark("fastmcp", fn, {"name": name, "description": description, **options}), fn=fn)

    from_tool = from_function


class Media(Record):
    """An image, a sound or a file as a result."""

    FIELDS = ("path", "data", "format")
    KIND = "image"
    FORMAT = "png"

    def __cloche_content__(self) -> dict[str, Any]:
        """The part of a result that shows it."""
        data, path = getattr(self, "data", None), getattr(self, "path", None)
        kind = text_of(getattr(self, "format", "")) or (str(path).rpartition(".")[2] if path else self.FORMAT)
        if data is None and path is not None:
            with open(path, "rb") as opened:
                data = opened.read()
        media = text_of(getattr(self, "mime_type", "")) or f"{self.KIND}/{'jpeg' if kind == 'jpg' else kind}"
        return {"type": "image" if media.startswith("image/") else "binary", "data": bytes(data or b""), "mediaType": media}

    def to_image_content(self, **named: Any) -> Any:
        part = self.__cloche_content__()
        return Record(type="image", data=base64.b64encode(part["data"]).decode(), mimeType=part["mediaType"])

    to_audio_content = to_image_content


def tool(*values: Any, **options: Any) -> Any:
    """FastMCP's decorator without a server."""
    return FastServer.tool(_NO_SERVER, *values, **options)


# Has all that the method `tool` reads of its server. A real server would be recorded as one of the file.
_NO_SERVER: Any = type("_NoServer", (), {"_ID": FastServer._ID})()


def list_names(module: str) -> Mapping[str, Any]:
    """The names for a module of the package `fastmcp`, or of `mcp` with its `mcp.server.fastmcp`, the first FastMCP.

    All modules have all names, although in the packages each is in one module.
    """
    server = FastServer if module.partition(".")[0] == "fastmcp" else Server
    contents = ("TextContent", "ImageContent", "AudioContent", "EmbeddedResource", "TextResourceContents", "BlobResourceContents")
    types = ("ToolAnnotations", "CallToolResult", "ListToolsResult", "ResourceLink", "Resource", "Prompt", "PromptMessage", "Icon")
    # `Tool` of mcp.types is an entry of the list of tools. `Tool` of either FastMCP is made from a function.
    records = {name: make_record(name) for name in (*contents, *types, "Tool")}
    return {
        **records,
        "Tool": Made if "fastmcp" in module else records["Tool"],
        "FunctionTool": Made,
        "FastMCP": server,
        "MCPServer": Server,
        "Server": server,
        "Context": Context,
        "ToolResult": make_record("ToolResult", "content", "structured_content"),
        "ToolError": ToolError,
        "McpError": ToolError,
        "MCPError": ToolError,
        "Image": type("Image", (Media,), {}),
        "Audio": type("Audio", (Media,), {"KIND": "audio", "FORMAT": "wav"}),
        "File": type("File", (Media,), {"KIND": "application", "FORMAT": "octet-stream"}),
        "Depends": Depends,
        "CurrentContext": lambda: Depends(None),
        "ServerRequestContext": make_injected(Context, "ServerRequestContext"),
        "get_context": Inert,
        "tool": tool,
        "mcp_tool": tool,  # of the mixin whose objects add their methods to a server
        "types": _Types(records),
    }


class _Types:
    """The module mcp.types, for `from mcp import types`. Other names become records when a file reads them."""

    def __init__(self, records: dict[str, type]) -> None:
        self.__dict__.update(records)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        record = make_record(name)
        setattr(self, name, record)
        return record
