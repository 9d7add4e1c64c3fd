"""Runs a program that a model or a user wrote: Python with `await` at the top level, which calls tools."""

from __future__ import annotations

import ast
import asyncio
import builtins
import contextvars
import inspect
import json
import linecache
import sys
from collections.abc import AsyncIterator
from itertools import islice
from types import TracebackType
from typing import Any

from .content import Part, data_part, text_part, write_part
from .environment import RestoredEnvironment
from .explicit import ToolResult
from .failures import describe
from .folder import Folder
from .program_advice import advise
from .program_call import ToolCall
from .program_source import AWAITED, RESULT, RETURNED, as_run, explain_syntax_error, parse_program
from .program_tools import File, ToolError, ToolImports, ToolModule, tool_names
from .streams import Streams

_set_running_loop = asyncio._set_running_loop
# Modules that programs share, the built-in names first.
_SHARED = (builtins, sys, asyncio, json)
_NAME = "program.py"
# Calls that were not awaited, and are named at the end.
_NAMED = 5
# Items that are read from a generator in the last line, which may be endless.
_ITEMS = 100_000


class _Returned(BaseException):
    """Carries the value of a `return` at the top level."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class Programs:
    """Runs programs one after the other, and keeps the variables of the last one."""

    def __init__(self, folder: Folder, streams: Streams) -> None:
        self._file = f"{folder.root}/{_NAME}"
        self._streams = streams
        self._kept: dict[str, Any] = {}
        # Names that run() gives a program, and the variables of earlier programs, which error messages mention.
        self._given: set[str] = set()
        self._earlier: set[str] = set()

    async def run(
        self, code: str, keep: bool, tools: list[dict[str, Any]], missing: list[str] | None = None
    ) -> object:
        """Runs the program. Returns what it returns, or the value of its last line; raises what it raises.

        `keep`: whether it starts with the variables of the program before it. `missing`: the reasons why packages of the
        folder are not installed, each with what to do about it.
        """
        waiting: set[ToolCall] = set()
        if not keep:
            # The trial program has no variables, so the names of those before it stay.
            self._earlier = (set(self._kept) - self._given) or self._earlier
            # In an empty context, an object that is deleted now makes no call in the name of this program.
            contextvars.Context().run(self._kept.clear)
            self._kept = {}
        own = self._kept
        own.update({"__name__": "__main__", "__builtins__": builtins, "asyncio": asyncio, "json": json})
        given = {"ToolError": ToolError, **tool_names(tools, waiting)}
        own.update({RETURNED: _Returned, AWAITED: _await_call, **given})
        self._given = {"__name__", "__builtins__", "asyncio", "json", RETURNED, AWAITED, *given}
        # Tracebacks show its lines.
        linecache.cache[self._file] = (len(code), None, code.splitlines(True), self._file)
        text, parsed = parse_program(code, self._file)
        named = [name for name in given if name != "ToolError"]
        try:
            tree = as_run(parsed, self._file, named)
            compiled = compile(tree, self._file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        except SyntaxError as error:
            raise explain_syntax_error(error.with_traceback(None), text) from None
        own.pop(RESULT, None)
        others = asyncio.all_tasks()
        try:
            with ToolImports(given), RestoredEnvironment(self._streams), _RestoredModules():
                value = await _run(compiled, own)
                handed = _make_result(await _await_calls_in(value))
        except BaseException as error:
            advise(error, own, given, self._earlier, missing or ())
            raise
        left = [task for task in asyncio.all_tasks() - others if _is_left(task)]
        if left:
            print(f"[Tasks that nothing awaits were cancelled: {len(left)}. Write `await` in front of each.]")
        if waiting:
            labels = sorted({call.label for call in waiting})[:_NAMED]
            written = ", ".join(f"`await {label}(…)`" for label in labels)
            print(f"[Calls that nothing awaits were not made. Write {written}.]")
        return handed


def _is_left(task: asyncio.Task[object]) -> bool:
    """Whether the program has made the task, and has not cancelled it. Python itself makes some tasks, which end generators."""
    work = task.get_coro()
    return not task.cancelling() and (inspect.iscoroutine(work) or isinstance(work, ToolCall))


class _RestoredModules:
    """Restores, after a program, what it replaced in the modules and the event loop that the next program gets."""

    def __enter__(self) -> None:
        self._names = [(vars(module), dict(vars(module))) for module in _SHARED]
        self._lists = [(one, list(one)) for one in (sys.path, sys.meta_path, sys.path_hooks)]
        self._modules = dict(sys.modules)
        self._loop = asyncio.get_running_loop()
        self._factory = self._loop.get_task_factory()

    def __exit__(
        self, kind: type | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # The built-in names are restored first, without calling any of them.
        for names, before in self._names:
            names.update(before)
        for found, before in self._lists:
            if any(all(one is not other for other in found) for one in before):
                found[:] = before
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
        # None in place of a module lets its import fail.
        for name in [name for name, module in list(sys.modules.items()) if module is None and name not in self._modules]:
            del sys.modules[name]
        _set_running_loop(self._loop)
        for name in [name for name in vars(self._loop) if callable(getattr(type(self._loop), name, None))]:
            delattr(self._loop, name)
        self._loop.set_task_factory(self._factory)


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


async def _await_call(value: object) -> object:
    """The value of a statement that calls a tool or an asynchronous function, which is pointless unless it is awaited."""
    return await value if isinstance(value, ToolCall) or inspect.iscoroutine(value) else value


async def _await_calls_in(value: object) -> object:
    """The value with the calls in it awaited: it is the last line, so nothing else can await them."""
    if inspect.isawaitable(value):
        return await value
    if inspect.isgenerator(value):
        value = list(islice(value, _ITEMS))
    if inspect.isasyncgen(value):
        value = [one async for one in _take_items(value)]
    if isinstance(value, (list, tuple)) and any(inspect.isawaitable(one) for one in value):
        return await asyncio.gather(*[_await_if_needed(one) for one in value])
    if isinstance(value, dict) and any(inspect.isawaitable(one) for one in value.values()):
        settled = await asyncio.gather(*[_await_if_needed(one) for one in value.values()])
        return dict(zip(value, settled, strict=True))
    return value


async def _take_items(values: AsyncIterator[object]) -> AsyncIterator[object]:
    count = 0
    async for one in values:
        yield one
        count += 1
        if count == _ITEMS:
            return


async def _await_if_needed(value: object) -> object:
    return await value if inspect.isawaitable(value) else value


def _make_result(value: object) -> object:
    """Files and images become parts of the result, alone or in a list. Objects that JSON does not have become the text
    that Python shows, as the calls would else have been made for nothing."""
    if isinstance(value, File):
        return ToolResult([_make_part(value)], {})
    if isinstance(value, (list, tuple)):
        if any(isinstance(one, File) for one in value):
            return ToolResult([_make_part(one) for one in value], {})
        # Failures from asyncio.gather(…, return_exceptions=True).
        value = [describe(one) if isinstance(one, BaseException) else one for one in value]
    if value is ... or callable(value) or isinstance(value, ToolModule):
        return None if value is ... else value
    return ToolResult([_make_part(value)], {})


def _make_part(value: object) -> Part:
    if isinstance(value, File):
        return data_part(bytes(value), value.media_type)
    try:
        return write_part(value)
    except (TypeError, ValueError):  # such as a date, or a list that contains itself
        return text_part(repr(value))
