"""Runs what a handler returned to its end: awaits it, or takes each yielded value as an update."""

from __future__ import annotations

import inspect
from asyncio import sleep
from collections.abc import AsyncGenerator, Generator
from types import AsyncGeneratorType, CoroutineType, GeneratorType

from .call_output import CallOutput
from .explicit import ToolError, ToolResult
from .limits import BREATH_SECONDS
from .scope import Scope

_EXPLICIT = (ToolResult, ToolError)
_BAD_UPDATE = (TypeError, ValueError, RecursionError)


def needs_driving(returned: object) -> bool:
    """Whether there is more to run: an awaitable, a generator or an asynchronous generator."""
    return isinstance(returned, (CoroutineType, GeneratorType, AsyncGeneratorType)) or inspect.isawaitable(
        returned
    )


async def drive(returned: object, output: CallOutput, scope: Scope) -> object:
    """The final value of what a handler returned. Yielded values are streamed to `output`.

    For a generator, this is its return value, or else the last yielded value. If a value cannot be an update, the
    error is raised at the `yield`. Raises what the handler raises. On cancellation, generators are closed.
    """
    while True:
        if isinstance(returned, AsyncGeneratorType):
            returned = await _drive_async(returned, output)
        elif inspect.isawaitable(returned):  # before generators: some are awaitable
            returned = await returned
        elif isinstance(returned, GeneratorType):
            returned = await _drive_sync(returned, output, scope)
        else:
            return returned


def discard(returned: object) -> None:
    """Closes what will not be run, so that Python does not warn that it was never awaited."""
    if isinstance(returned, (CoroutineType, GeneratorType)):
        returned.close()


class _Yielded:
    """The values that a generator yields: each is streamed, and the last is kept as a possible result."""

    def __init__(self, output: CallOutput) -> None:
        self.last: object = None
        self.fault: Exception | None = None  # raised at the `yield` whose value cannot be an update
        self._output = output
        self._breath = 0.0

    def take(self, value: object) -> bool:
        """Takes a value; returns whether it is time to handle incoming messages."""
        self.fault = None
        if type(value) in _EXPLICIT:  # a result, not an update
            self.last = value
            return False
        try:
            now = self._output.take_update(value)
        except _BAD_UPDATE as error:
            self.fault = error
            return False
        self.last = value
        # Not after each value: one turn of the event loop costs more than most values.
        if now - self._breath < BREATH_SECONDS:
            return False
        self._breath = now
        return True


async def _drive_sync(generator: Generator[object, None, object], output: CallOutput, scope: Scope) -> object:
    yielded = _Yielded(output)
    try:
        while True:
            ended = scope.run(output, _advance, generator, yielded)
            if ended is not None:
                return yielded.last if ended.value is None else ended.value
            await sleep(0)
    finally:
        scope.run(output, generator.close)


def _advance(generator: Generator[object, None, object], yielded: _Yielded) -> StopIteration | None:
    """Runs a generator until it ends, or until it is time to handle incoming messages."""
    while True:
        fault = yielded.fault
        try:
            value = next(generator) if fault is None else generator.throw(fault)
        except StopIteration as stop:
            return stop
        if yielded.take(value):
            return None


async def _drive_async(generator: AsyncGenerator[object, None], output: CallOutput) -> object:
    yielded = _Yielded(output)
    try:
        while True:
            fault = yielded.fault
            try:
                value = await (anext(generator) if fault is None else generator.athrow(fault))
            except StopAsyncIteration:
                return yielded.last
            if yielded.take(value):
                await sleep(0)
    finally:
        await generator.aclose()
