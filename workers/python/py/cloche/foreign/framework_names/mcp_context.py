"""What the MCP SDK and FastMCP give a tool beside the model's arguments: the context of the call, and dependencies.

A class or default with the attribute INJECTED supplies a parameter: see `marking`.
"""

from __future__ import annotations

from typing import Any

from ..inert import Inert
from .marking import INJECTED, Record


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


# A parameter that is annotated Context gets Context(call).
setattr(Context, INJECTED, staticmethod(Context))


def _make_defaults(wanted: Any) -> Any:
    try:
        return wanted() if isinstance(wanted, type) else None
    except Exception:
        return None


class Depends:
    """A default whose value a function makes, once for each call of the tool."""

    def __init__(self, function: Any = None, **named: Any) -> None:
        self._function = function
        setattr(self, INJECTED, lambda call: function() if callable(function) else Inert())
