"""One call from its arguments to its result. Emits exactly one result, however the call ends."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop, CancelledError, Task, all_tasks, current_task, gather
from collections.abc import Callable, Sequence
from typing import cast

from .call_output import CallOutput
from .content import check_written, write_part
from .context import CallContext
from .driving import discard, drive, needs_driving
from .explicit import ToolError, ToolResult
from .failures import Refusal, cut, describe, failure_payload, success_payload
from .json_text import encode_strict
from .limits import MEGABYTE, METADATA_CHARACTERS
from .scope import Scope
from .streams import sink
from .tracebacks import Frame, UserTraceback

_PLAIN = frozenset((str, dict, list, int, float, bool, type(None)))


class RunningCall:
    """A running call. `on_end` is called once, when the result has been emitted."""

    def __init__(
        self, output: CallOutput, root: str, now: Callable[[], float], on_end: Callable[[], None]
    ) -> None:
        self.context: CallContext | None = None
        self._output = output
        self._root = root
        self._now = now
        self._started = now()
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
            if type(returned) in _PLAIN or not needs_driving(returned):
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
        self._end_badly(refusal.error, f"{found}{refusal.advice}", found, (), False)

    def end_unrun(self) -> None:
        """Ends the call with an empty result, without running its handler."""
        self._succeed(None)

    def fail(self, error: BaseException) -> None:
        """Ends the call with an exception."""
        # Not isinstance: it asks the exception itself, which may raise.
        if issubclass(type(error), ToolError):
            self._fail_as_raised(cast(ToolError, error))
            return
        shown = UserTraceback(error, self._root)
        said = describe(error)
        message = said
        if shown.raised:
            file, line, name = shown.raised
            message = f"{said}\nRaised in {file}, line {line}, in {name}."
        self._end_badly(said, message, shown.text, shown.frames, False)

    def _fail_as_raised(self, error: ToolError) -> None:
        said = describe(error)
        raised = UserTraceback(error, self._root) if error.__traceback__ else None
        message = cut(str(error.message)) or said
        frames = raised.frames if raised else ()
        self._end_badly(said, message, raised.text if raised else "", frames, bool(error.recoverable))

    async def _drive(self, returned: object, scope: Scope) -> None:
        try:
            try:
                value = await drive(returned, self._output, scope)
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
        asked = getattr(task, "get_context", None)  # since Python 3.12
        return asked is not None and task is not current_task() and asked().get(sink) is self._output

    def _never_began(self, returned: object) -> None:
        if not self._output.closed:  # cancelled before its first step
            discard(returned)
            self.fail(CancelledError())

    def _succeed(self, value: object) -> None:
        if issubclass(type(value), ToolError):
            self.fail(cast(ToolError, value))
            return
        try:
            if type(value) is ToolResult:
                parts, metadata = value.parts, self._metadata(value.metadata)
            else:
                parts, metadata = [write_part(value)], self._metadata({})
            parts = check_written(parts)
        except BaseException as error:
            said = describe(error)
            advice = "The tool ran, but its result cannot be sent: return JSON values, str, bytes or an image."
            message = f"{said}\n{advice}"
            self._end_badly(said, message, UserTraceback(error, self._root).text, (), False)
            return
        duration = (self._now() - self._started) * 1_000
        self._output.finish(success_payload(parts, metadata, duration, self._output.dropped_characters))
        self._on_end()

    def _metadata(self, given: dict[str, object]) -> str:
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
        self, error: str, message: str, traceback: str, frames: Sequence[Frame], recoverable: bool
    ) -> None:
        try:
            metadata = self._metadata({})
        except BaseException:  # the original failure is more useful than its metadata
            metadata = "{}"
        duration = (self._now() - self._started) * 1_000
        dropped = self._output.dropped_characters
        self._output.finish(
            failure_payload(error, message, traceback, frames, metadata, recoverable, duration, dropped)
        )
        self._on_end()


def _start(handler: Callable[..., object], arguments: dict[str, object]) -> object:
    return handler(**arguments)
