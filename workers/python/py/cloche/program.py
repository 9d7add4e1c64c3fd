"""Runs a program that a model or a user wrote: Python with `await` at the top level, which calls tools."""

from __future__ import annotations

import ast
import asyncio
import builtins
import inspect
import json
import linecache
from typing import Any

from .content import Part, data_part, text_part, write_part
from .explicit import ToolResult
from .failures import describe
from .folder import Folder
from .program_advice import advise
from .program_call import ToolCall
from .program_source import AWAITED, RESULT, RETURNED, as_run, explained, parse_program
from .program_tools import File, ToolError, ToolImports, ToolModule, tool_names

_NAME = "program.py"
# Calls that were not awaited, and are named at the end.
_NAMED = 5


class _Returned(BaseException):
    """Carries the value of a `return` at the top level."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class Programs:
    """Runs programs one after the other, and keeps the variables of the last one."""

    def __init__(self, folder: Folder) -> None:
        self._file = f"{folder.root}/{_NAME}"
        self._kept: dict[str, Any] = {}

    async def run(self, code: str, keep: bool, tools: list[dict[str, Any]]) -> object:
        """Runs the program. Returns what it returns, or the value of its last line; raises what it raises.

        `keep`: it starts with the variables of the program before it.
        """
        waiting: set[ToolCall] = set()
        own = self._kept if keep else {}
        own.update({"__name__": "__main__", "__builtins__": builtins, "asyncio": asyncio, "json": json})
        given = {"ToolError": ToolError, **tool_names(tools, waiting)}
        own.update({RETURNED: _Returned, AWAITED: _awaited, **given})
        self._kept = own
        # Tracebacks show its lines.
        linecache.cache[self._file] = (len(code), None, code.splitlines(True), self._file)
        text, parsed = parse_program(code, self._file)
        named = [name for name in given if name != "ToolError"]
        try:
            tree = as_run(parsed, self._file, named)
            compiled = compile(tree, self._file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        except SyntaxError as error:
            raise explained(error.with_traceback(None), text) from None
        own.pop(RESULT, None)
        try:
            with ToolImports(given):
                value = await _run(compiled, own)
            handed = _handed_on(await _settled(value))
        except BaseException as error:
            advise(error, own, given)
            raise
        if waiting:
            labels = sorted({call.label for call in waiting})[:_NAMED]
            written = ", ".join(f"`await {label}(…)`" for label in labels)
            print(f"[Calls that nothing awaits were not made. Write {written}.]")
        return handed


async def _run(compiled: Any, own: dict[str, Any]) -> object:
    try:
        running = eval(compiled, own)
        if inspect.iscoroutine(running):
            await running
    except _Returned as returned:
        return returned.value
    except SystemExit as ended:
        if ended.code not in (None, 0):
            raise
        return None
    return own.pop(RESULT, None)


async def _awaited(value: object) -> object:
    """The value of a statement that calls a tool or an asynchronous function, which is pointless unless it is awaited."""
    return await value if isinstance(value, ToolCall) or inspect.iscoroutine(value) else value


async def _settled(value: object) -> object:
    """The value with the calls in it awaited: it is the last line, so nothing else can await them."""
    if inspect.isawaitable(value):
        return await value
    if inspect.isgenerator(value):
        value = list(value)
    if isinstance(value, (list, tuple)) and any(inspect.isawaitable(one) for one in value):
        return await asyncio.gather(*[_each(one) for one in value])
    if isinstance(value, dict) and any(inspect.isawaitable(one) for one in value.values()):
        settled = await asyncio.gather(*[_each(one) for one in value.values()])
        return dict(zip(value, settled, strict=True))
    return value


async def _each(value: object) -> object:
    return await value if inspect.isawaitable(value) else value


def _handed_on(value: object) -> object:
    """Files and images become parts of the result, alone or in a list. Objects that JSON does not have become the text
    that Python shows, as the calls would else have been made for nothing."""
    if isinstance(value, File):
        return ToolResult([_part(value)], {})
    if isinstance(value, (list, tuple)):
        if any(isinstance(one, File) for one in value):
            return ToolResult([_part(one) for one in value], {})
        # Failures from asyncio.gather(…, return_exceptions=True).
        value = [describe(one) if isinstance(one, BaseException) else one for one in value]
    if value is ... or callable(value) or isinstance(value, ToolModule) or inspect.isasyncgen(value):
        return None if value is ... else value
    return ToolResult([_part(value)], {})


def _part(value: object) -> Part:
    if isinstance(value, File):
        return data_part(bytes(value), value.media_type)
    try:
        return write_part(value)
    except TypeError:
        return text_part(repr(value))
