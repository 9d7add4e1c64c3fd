"""One call from its arguments to its result. Emits exactly one result, however the call ends."""

from __future__ import annotations

import asyncio
import inspect
from asyncio import AbstractEventLoop, CancelledError, Task, all_tasks, current_task, gather, sleep
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from concurrent.futures import Future
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import cast

from .call_output import CallOutput
from .causes import describe_with_causes
from .content import check_written, failure_payload, success_payload, write_part
from .context import CallContext
from .explicit import ToolError, ToolResult, read_result
from .event_loops import of_other_loop
from .failures import Refusal, cut, describe
from .json_text import encode_strict
from .limits import BREATH_SECONDS, MEGABYTE, METADATA_CHARACTERS
from .streams import Scope, sink
from .tracebacks import Frame, UserTraceback

_PLAIN = frozenset((str, dict, list, int, float, bool, type(None)))
_EXPLICIT = (ToolResult, ToolError)
_BAD_UPDATE = (TypeError, ValueError, RecursionError)


class RunningCall:
    """A running call. `before_end` is called just before the result is emitted, `on_end` just after."""

    def __init__(
        self,
        output: CallOutput,
        root: str,
        now: Callable[[], float],
        before_end: Callable[[], None],
        on_end: Callable[[], None],
    ) -> None:
        self.context: CallContext | None = None
        # The page also calls functions of extensions, whose results it reads itself.
        self.is_of_tool = True
        self._output = output
        self._root = root
        self._now = now
        self._started = now()
        self._before_end = before_end
        self._on_end = on_end
        self._task: Task[None] | None = None

    def run(
        self,
        handler: Callable[..., object],
        arguments: dict[str, object],
        scope: Scope,
        loop: AbstractEventLoop | None,
    ) -> None:
        """Runs the handler in `scope`; what remains to be awaited or iterated continues as a task of `loop`."""
        try:
            returned = scope.run(self._output, _start, handler, arguments)
            if type(returned) in _PLAIN or not _needs_driving(returned):
                self._succeed(returned)
                return
        except BaseException as error:
            self.fail(error)
            return
        context = scope.copy(self._output)
        if loop is None:
            context.run(asyncio.run, self._drive(returned, scope))
            return
        # Python 3.10, where cloche_test.py runs too, has no argument for the context.
        self._task = context.run(loop.create_task, self._drive(returned, scope))
        self._task.add_done_callback(lambda task: self._never_began(returned))

    def cancel(self) -> None:
        """Tells the handler to stop: sets `context.cancelled`, and raises CancelledError at its `await`."""
        if self.context is not None:
            self.context["cancelled"] = True
        if self._task is not None:
            self._task.cancel()

    def refuse(self, refusal: Refusal) -> None:
        """Ends the call before its handler ran."""
        found = f"{refusal.error}\n{refusal.also}\n" if refusal.also else f"{refusal.error}\n"
        self._end_badly(refusal.error, f"{found}{refusal.advice}", found, ())

    def end_unrun(self) -> None:
        """Ends the call with an empty result, without running its handler."""
        self._succeed(None)

    def fail(self, error: BaseException) -> None:
        """Ends the call with an exception."""
        # `isinstance` would ask the exception itself, which may raise.
        if issubclass(type(error), ToolError):
            self._fail_as_raised(cast(ToolError, error))
            return
        shown = UserTraceback(error, self._root)
        message = describe_with_causes(error, self._root, shown.raised)
        self._end_badly(describe(error), message, shown.text, shown.frames)

    def _fail_as_raised(self, error: ToolError) -> None:
        description = describe(error)
        raised = UserTraceback(error, self._root) if error.__traceback__ else None
        message = cut(str(error.message)) or description
        frames = raised.frames if raised else ()
        self._end_badly(description, message, raised.text if raised else "", frames, recoverable=bool(error.recoverable))

    async def _drive(self, returned: object, scope: Scope) -> None:
        """Runs to its end what a handler has returned, and ends the call."""
        try:
            try:
                value = await _run_to_end(returned, self._output, scope)
            finally:
                await self._cancel_left_over()
        except BaseException as error:
            self.fail(error)
        else:
            self._succeed(value)

    async def _cancel_left_over(self) -> None:
        """Cancels the tasks that the handler created and did not await, as asyncio.run does at its end."""
        mine = [task for task in all_tasks() if task is not self._task and self._made(task)]
        for task in mine:
            task.cancel()
        if mine:
            await gather(*mine, return_exceptions=True)

    def _made(self, task: Task[object]) -> bool:
        """Whether the handler of this call has created a task."""
        asked = getattr(task, "get_context", None)  # since Python 3.12
        return asked is not None and task is not current_task() and asked().get(sink) is self._output

    def _never_began(self, returned: object) -> None:
        """Ends a call whose task was cancelled before its first step."""
        if not self._output.closed:  # cancelled before its first step
            discard(returned)
            self.fail(CancelledError())

    def _succeed(self, value: object) -> None:
        """Ends the call with the value of its handler, which may still be a failure, or a value that cannot be sent."""
        try:
            if self.is_of_tool and type(value) is dict and "text_result_for_llm" in value:
                value = read_result(value) or value
            is_failure = issubclass(type(value), ToolError)
            if type(value) is ToolResult:
                parts, metadata = value.parts, self._metadata(value.metadata)
            else:
                parts, metadata = [] if is_failure else [write_part(value)], self._metadata({})
            parts = check_written(parts)
        except BaseException as error:
            description = describe(error)
            message = f"{description}\nThe tool ran, but its result cannot be sent."
            shown = UserTraceback(error, self._root)
            # A traceback without frames of the tool would only repeat the message.
            self._end_badly(description, message, shown.text if shown.frames else "", ())
            return
        if is_failure:
            self.fail(cast(ToolError, value))
            return
        self._before_end()
        duration = (self._now() - self._started) * 1_000
        self._output.finish(success_payload(parts, metadata, duration, self._output.dropped_characters))
        self._on_end()

    def _metadata(self, given: dict[str, object]) -> str:
        """The metadata of the context and of the result as JSON text. Raises TypeError or ValueError."""
        own = self.context.get("metadata") if self.context is not None else None
        if own is None:
            own = {}
        if not isinstance(own, dict):
            raise TypeError(f"context.metadata must stay a dict, not {type(own).__name__}")
        if not own and not given:
            return "{}"
        text = encode_strict({**own, **given}, "metadata")
        if len(text) > METADATA_CHARACTERS:
            limit = METADATA_CHARACTERS // MEGABYTE
            raise ValueError(
                f"the metadata is {len(text) / MEGABYTE:.1f} MB, more than the limit of {limit} MB"
            )
        return text

    def _end_badly(
        self, error: str, message: str, traceback: str, frames: Sequence[Frame], *, recoverable: bool = False
    ) -> None:
        """Ends the call with a failure."""
        try:
            metadata = self._metadata({})
        except BaseException:  # the original failure is more useful than its metadata
            metadata = "{}"
        self._before_end()
        duration = (self._now() - self._started) * 1_000
        dropped = self._output.dropped_characters
        self._output.finish(
            failure_payload(error, message, traceback, frames, metadata, recoverable, duration, dropped)
        )
        self._on_end()


def _start(handler: Callable[..., object], arguments: dict[str, object]) -> object:
    return handler(**arguments)


def _needs_driving(returned: object) -> bool:
    """Whether there is more to run: an awaitable, a generator, an asynchronous generator, or a thread's future."""
    return (
        isinstance(returned, (CoroutineType, GeneratorType, AsyncGeneratorType, Future))
        or inspect.isawaitable(returned)
    )


async def _run_to_end(returned: object, output: CallOutput, scope: Scope) -> object:
    """The final value of what a handler returned. Yielded values are streamed to `output`.

    For a generator, this is its return value, or else the last yielded value. If a value cannot be an update, the
    error is raised at the `yield`. Raises what the handler raises. On cancellation, generators are closed.
    """
    while True:
        if isinstance(returned, AsyncGeneratorType):
            returned = await _drive_async(returned, output)
        elif isinstance(returned, Future):
            returned = await asyncio.wrap_future(returned)
        elif asyncio.isfuture(returned) and returned.get_loop() is not asyncio.get_running_loop():
            returned = await of_other_loop(returned, lambda work, future: scope.run(output, work, future))
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
        # The generator does not pause after each value: one turn of the event loop costs more than
        # most values.
        if now - self._breath < BREATH_SECONDS:
            return False
        self._breath = now
        return True


async def _drive_sync(generator: Generator[object, None, object], output: CallOutput, scope: Scope) -> object:
    """Runs a generator to its end. Returns its value, as `_run_to_end` says."""
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
    """Runs an asynchronous generator to its end. Returns the last value."""
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
