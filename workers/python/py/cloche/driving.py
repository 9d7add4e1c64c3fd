"""Runs to the end what a handler returned: awaits it, or takes each value that it yields as an update."""

from __future__ import annotations

import inspect
from asyncio import sleep
from collections.abc import AsyncGenerator, Generator
from types import AsyncGeneratorType, CoroutineType, GeneratorType

from .call_output import CallOutput
from .explicit import ToolError, ToolResult
from .limits import BREATH_SECONDS

_EXPLICIT = (ToolResult, ToolError)
_BAD_UPDATE = (TypeError, ValueError, RecursionError)


def needs_driving(returned: object) -> bool:
    """Whether there is more to run: an awaitable, a generator or an asynchronous generator."""
    return isinstance(returned, (CoroutineType, GeneratorType, AsyncGeneratorType)) or inspect.isawaitable(
        returned
    )


async def drive(returned: object, output: CallOutput) -> object:
    """The final value behind what a handler returned. Yielded values stream to `output`.

    A generator gives its return value, else the last value yielded. A value that cannot be an update is raised at
    the `yield`. Raises what the handler raises; when cancelled, generators are closed.
    """
    while True:
        if isinstance(returned, AsyncGeneratorType):
            returned = await _drive_async(returned, output)
        elif inspect.isawaitable(returned):  # before generators: some are awaitable
            returned = await returned
        elif isinstance(returned, GeneratorType):
            returned = await _drive_sync(returned, output)
        else:
            return returned


def discard(returned: object) -> None:
    """Closes what will not be driven, so that Python does not complain that it was never awaited."""
    if isinstance(returned, (CoroutineType, GeneratorType)):
        returned.close()


async def _drive_sync(generator: Generator[object, None, object], output: CallOutput) -> object:
    last: object = None
    fault: Exception | None = None
    breath = 0.0
    try:
        while True:
            try:
                value = next(generator) if fault is None else generator.throw(fault)
            except StopIteration as stop:
                return last if stop.value is None else stop.value
            fault = None
            try:
                moment = 0.0 if type(value) in _EXPLICIT else output.take_update(value)
            except _BAD_UPDATE as error:
                fault = error
                continue
            last = value
            if moment - breath > BREATH_SECONDS:
                # Lets a cancellation in; not at each value, for a turn of the loop costs more than most values.
                await sleep(0)
                breath = moment
    finally:
        generator.close()


async def _drive_async(generator: AsyncGenerator[object, None], output: CallOutput) -> object:
    last: object = None
    fault: Exception | None = None
    breath = 0.0
    try:
        while True:
            try:
                value = await (anext(generator) if fault is None else generator.athrow(fault))
            except StopAsyncIteration:
                return last
            fault = None
            try:
                moment = 0.0 if type(value) in _EXPLICIT else output.take_update(value)
            except _BAD_UPDATE as error:
                fault = error
                continue
            last = value
            if moment - breath > BREATH_SECONDS:
                await sleep(0)
                breath = moment
    finally:
        await generator.aclose()
