"""Lists the tools of a server that lists and calls them with functions of its own, such as MCP's low-level server.

Used by `collection`, for servers that a stand-in has recorded.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .framework_names.marking import Record
from .marks import Mark, text_of


def list_server_tools(listing: Callable[..., Any], calling: Callable[..., Any]) -> list[Mark]:
    """The tools that `listing` returns, which `calling` runs. Raises the exceptions of `listing`."""
    result = run_without_waiting(listing, [None] * _count_needed(listing))
    tools = getattr(result, "tools", result) or ()
    marks = [_make_mark(tool if isinstance(tool, dict) else getattr(tool, "__dict__", {}), calling) for tool in tools]
    return [mark for mark in marks if mark is not None]


def _make_mark(fields: Mapping[str, Any], calling: Callable[..., Any]) -> Mark | None:
    """The tool that a server lists with these fields, run by the server's function for calls."""
    schema = fields.get("inputSchema", fields.get("input_schema"))
    name = text_of(fields.get("name"))
    if not name or not isinstance(schema, dict):
        return None
    count = _count_needed(calling)

    # The function takes (name, arguments), (context, request), or only a request, depending on the framework's version.
    def call(**given: Any) -> Any:
        if count >= 2 and "name" in inspect.signature(calling).parameters:
            return calling(name, given)
        return calling(None, Record(name=name, arguments=given)) if count >= 2 else calling(Record(name=name, arguments=given))

    if inspect.iscoroutinefunction(calling):
        call = _make_async(call)
    return Mark("mcp", calling, name=name, description=text_of(fields.get("description")), schema=schema, call=call)


def run_without_waiting(function: Callable[..., Any], values: Iterable[Any] = (), named: Mapping[str, Any] | None = None) -> Any:
    """Returns the value of a plain or asynchronous function. Raises RuntimeError if it waits for something."""
    returned = function(*values, **(named or {}))
    if not inspect.iscoroutine(returned):
        return returned
    try:
        returned.send(None)
    except StopIteration as stop:
        return stop.value
    returned.close()
    raise RuntimeError("it waits for something")


def _count_needed(function: Any) -> int:
    """The number of positional parameters without a default."""
    parameters = inspect.signature(function).parameters.values()
    return sum(one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD for one in parameters)


def _make_async(call: Callable[..., Any]) -> Callable[..., Any]:
    async def called(**given: Any) -> Any:
        return await call(**given)

    return called
