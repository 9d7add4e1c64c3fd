"""Reads the tools of a server that lists and calls them with functions of its own, such as MCP's low-level server."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .marks import Mark, text_of
from .modules.common import Record


def marks_of_server(listing: Callable[..., Any], calling: Callable[..., Any]) -> list[Mark]:
    """The tools that `listing` returns, which `calling` runs. Raises the exceptions of `listing`."""
    listed = run_at_once(listing, [None] * _count(listing))
    found = [_mark(one if isinstance(one, dict) else getattr(one, "__dict__", {}), calling) for one in getattr(listed, "tools", listed) or ()]
    return [one for one in found if one is not None]


def _mark(fields: Mapping[str, Any], calling: Callable[..., Any]) -> Mark | None:
    """The tool that a server lists with these fields, run by the server's function for calls."""
    schema = fields.get("inputSchema", fields.get("input_schema"))
    name = text_of(fields.get("name"))
    if not name or not isinstance(schema, dict):
        return None
    taken = _count(calling)

    # The function takes (name, arguments), (context, request), or only a request, depending on the framework's version.
    def call(**given: Any) -> Any:
        if taken >= 2 and "name" in inspect.signature(calling).parameters:
            return calling(name, given)
        return calling(None, Record(name=name, arguments=given)) if taken >= 2 else calling(Record(name=name, arguments=given))

    if inspect.iscoroutinefunction(calling):
        call = _as_async(call)
    return Mark("mcp", calling, name=name, description=text_of(fields.get("description")), schema=schema, call=call)


def run_at_once(function: Callable[..., Any], values: Iterable[Any] = (), named: Mapping[str, Any] | None = None) -> Any:
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


def _count(function: Any) -> int:
    taken = inspect.signature(function).parameters.values()
    return len([one for one in taken if one.default is inspect.Parameter.empty and one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD])


def _as_async(call: Callable[..., Any]) -> Callable[..., Any]:
    async def called(**given: Any) -> Any:
        return await call(**given)

    return called
