"""A stand-in for the MCP SDK (both versions) and for FastMCP: servers that record their tools, contexts, and content.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from ..frameworks import Framework
from ..inert import Inert
from ..marks import current_collector, record_mark, text_of
from .common import INJECTED, Record, is_function, make_injected, make_mark, make_record


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
            hidden = options.get("exclude_args")
            mark.hidden = dict.fromkeys(hidden if isinstance(hidden, (list, tuple)) else ())
            record_mark(mark)
            return function

        return decorate if given is None else decorate(given)

    def add_tool(self, given: Any, *values: Any, **options: Any) -> Any:
        """Records a function, or a tool made from one."""
        if isinstance(given, Made):
            given.found.explicit = True
            record_mark(given.found)
        elif callable(given):
            mark = make_mark(self._ID, given, {**({"name": values[0]} if values else {}), **options})
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
        from .functions import PydanticAgent

        return PydanticAgent()
    return Server("tools") if framework is not None and framework.id == "mcp" else FastServer("tools")


class Made(Record):
    """A tool made from a function, before a server has it."""

    @classmethod
    def from_function(cls, fn: Any, name: Any = None, description: Any = None, **options: Any) -> Any:
        return cls(found=make_mark("fastmcp", fn, {"name": name, "description": description, **options}), fn=fn)

    from_tool = from_function


class Context(Record):
    """The context of a call: messages go to the log of the call, progress to the updates."""

    def __init__(self, call: Any = None) -> None:
        self._call = call
        self.request_id = call.id if call else ""
        self.client_id = None
        self.session_id = call.session if call else ""
        self.fastmcp = self.session = self.request_context = Inert()

    async def log(self, level: Any = "info", message: Any = "", *values: Any, **named: Any) -> None:
        levels = ("debug", "info", "warning", "error")
        is_level = level in levels
        text = message if is_level or named or message else level  # a text alone is the message
        self._call.log(str(text), level if is_level else "info")

    async def debug(self, message: Any, **named: Any) -> None:
        self._call.log(str(message), "debug")

    async def info(self, message: Any, **named: Any) -> None:
        self._call.log(str(message), "info")

    async def warning(self, message: Any, **named: Any) -> None:
        self._call.log(str(message), "warning")

    async def error(self, message: Any, **named: Any) -> None:
        self._call.log(str(message), "error")

    async def report_progress(self, progress: Any = 0, total: Any = None, message: Any = None) -> None:
        share = progress / total if isinstance(total, (int, float)) and total else None
        report = {"progress": share if share is not None else progress, "message": message}
        self._call.update({key: value for key, value in report.items() if value is not None})

    async def elicit(self, message: Any = "", schema: Any = None, response_type: Any = None, **named: Any) -> Any:
        """Asks the user whether to go on. Fields of the form keep their defaults."""
        wanted = schema if schema is not None else response_type
        agreed = await self._call.approve(str(message))
        data = _make_defaults(wanted)
        return Record(action="accept" if agreed else "decline", data=data if agreed else None, content=data if agreed else None)

    async def sample(self, *values: Any, **named: Any) -> Any:
        """Raises RuntimeError, because a tool cannot ask the client's model."""
        raise RuntimeError("sampling is not available here: the tool asks the client's model")

    async def read_resource(self, uri: Any) -> Any:
        """Raises RuntimeError, because only tools are loaded."""
        raise RuntimeError(f"the resource {uri} is not available here: Cloche loads the tools of a server only")

    async def get_state(self, key: str, default: Any = None) -> Any:
        return self._call.memory(dict).get(key, default)

    async def set_state(self, key: str, value: Any, **named: Any) -> None:
        self._call.memory(dict)[key] = value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Inert()


setattr(Context, INJECTED, staticmethod(Context))


def _make_defaults(wanted: Any) -> Any:
    try:
        return wanted() if isinstance(wanted, type) else None
    except Exception:
        return None


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


class Depends:
    """A default whose value a function makes."""

    def __init__(self, function: Any = None, **named: Any) -> None:
        self._function = function
        setattr(self, INJECTED, lambda call: function() if callable(function) else Inert())


def tool(*values: Any, **options: Any) -> Any:
    """FastMCP's decorator without a server."""
    return FastServer.tool(_ALONE, *values, **options)


_ALONE: Any = type("_Alone", (), {"_ID": "fastmcp"})()


def list_names(module: str) -> Mapping[str, Any]:
    is_fast = module.partition(".")[0] == "fastmcp" or ".fastmcp" in module
    server = FastServer if module.partition(".")[0] == "fastmcp" else Server
    contents = ("TextContent", "ImageContent", "AudioContent", "EmbeddedResource", "TextResourceContents", "BlobResourceContents")
    types = ("ToolAnnotations", "CallToolResult", "ListToolsResult", "ResourceLink", "Resource", "Prompt", "PromptMessage", "Icon")
    made = {name: make_record(name) for name in (*contents, *types)}
    tool_type = Made if "fastmcp" in module else make_record("Tool")
    return {
        **made,
        "Tool": tool_type,
        "FunctionTool": Made,
        "FastMCP": server,
        "MCPServer": Server,
        "Server": server if is_fast else Server,
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
        "types": _Types(made, tool_type),
    }


class _Types:
    """The module mcp.types, for `from mcp import types`."""

    def __init__(self, made: dict[str, Any], tool_type: Any) -> None:
        self.__dict__.update(made, Tool=make_record("Tool") if tool_type is Made else tool_type)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = make_record(name)
        setattr(self, name, made)
        return made

