"""Makes event loops that a tool creates behave as in CPython.

Pyodide's loop always counts as running. A plain handler must not see a running loop, as outside the browser. Then
`asyncio.run` and `asyncio.Runner` work there, and code that looks for a running loop behaves correctly.

Without stack switching, the browser cannot run anything while a plain handler waits. There, the loops run what is due by
themselves, which is enough for timers, tasks and queues. Only what comes from outside Python cannot be awaited.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import AbstractEventLoop
from collections.abc import Awaitable, Callable
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any

from .waiting import has_stack_switching, require_waiting

try:
    from pyodide import webloop
    from pyodide.ffi import run_sync
except ImportError:  # under CPython, loops already behave correctly
    webloop = None

_running_loop = asyncio._get_running_loop
_set_running_loop = asyncio._set_running_loop
_sleep = time.sleep
_INSTEAD = "make the handler `async def` and write `await …`"


def install() -> None:
    """Makes `asyncio` return these loops. Does nothing under CPython."""
    if webloop is None:
        return
    asyncio.run = webloop._orig_run
    asyncio.set_event_loop_policy(_Policy())
    webloop.WebLoop._decrement_in_progress = _count_down
    webloop.WebLoop.call_later = _call_later
    if not hasattr(asyncio.tasks, "_set_task_name"):  # Pyodide calls it, but Python no longer has it
        asyncio.tasks._set_task_name = _set_task_name


async def of_other_loop(future: asyncio.Future[Any], run: Callable[..., Any]) -> Any:
    """Awaits a future of another loop, such as the loop that `asyncio.get_event_loop` gives plain code.

    `run` calls a function without a running loop.
    """
    if webloop is None:
        return run(future.get_loop().run_until_complete, future)
    # The browser runs all loops.
    ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    future.add_done_callback(lambda _: ended.done() or ended.set_result(None))
    try:
        await ended
    finally:
        if not future.done():
            future.cancel()
    return future.result()


def require_browser() -> None:
    """Raises RuntimeError in a loop that runs without the browser, which could not answer it."""
    if getattr(_running_loop(), "is_held", False):
        require_waiting(_INSTEAD)


def _set_task_name(task: asyncio.Task[object], name: str | None) -> None:
    """Names a task, as Python did in earlier versions."""
    if name is not None:
        task.set_name(name)


if webloop is not None:
    _call_later_as_given = webloop.WebLoop.call_later

    def _call_later(self: Any, delay: float, *work: Any, **options: Any) -> asyncio.Handle:
        """Accepts a time in the past, like other loops: a timeout may expire before it is set."""
        return _call_later_as_given(self, max(delay, 0), *work, **options)

    def _count_down(self: Any, future: object = None) -> None:
        """Counts like Pyodide's own, but does not report an exception as unhandled while it may still be awaited."""
        self._in_progress -= 1
        if self._no_in_progress_handler and self._in_progress == 0:
            self._no_in_progress_handler()

    class _ToolLoop(webloop.WebLoop):
        """Runs on the browser's event loop like Pyodide's own, but counts as running only while it runs something."""

        def __init__(self) -> None:
            before = _running_loop()
            super().__init__()
            _set_running_loop(before)
            self._closed = False
            self._stopping = False
            self._until_stopped: asyncio.Future[None] | None = None
            # Whether the loop runs while the browser cannot.
            self.is_held = False
            self._order = count()
            # What is to run, by time and order; used only without stack switching.
            self._due: list[tuple[float, int, asyncio.Handle]] = []

        def call_later(self, delay: float, work: Callable[..., Any], *args: Any, **options: Any) -> asyncio.Handle:
            if has_stack_switching():
                return super().call_later(delay, work, *args, **options)

            def run_once(*args: Any) -> None:
                # The browser and `_run_due` both have the handle.
                handle.cancel()
                work(*args)

            handle = super().call_later(delay, run_once, *args, **options)
            while self._due and self._due[0][2].cancelled():
                heappop(self._due)
            if delay != inf:
                heappush(self._due, (self.time() + max(delay, 0), next(self._order), handle))
            return handle

        def is_running(self) -> bool:
            return _running_loop() is self

        def is_closed(self) -> bool:
            return self._closed

        def close(self) -> None:
            if self.is_running():
                raise RuntimeError("Cannot close a running event loop")
            self._closed = True

        def _check_closed(self) -> None:
            if self._closed:
                raise RuntimeError("Event loop is closed")

        def run_until_complete(self, future: Awaitable[Any]) -> Any:
            self._check_closed()
            if self.is_running():
                raise RuntimeError("This event loop is already running")
            if _running_loop() is not None:
                raise RuntimeError("Cannot run the event loop while another loop is running")
            if has_stack_switching():
                require_waiting(_INSTEAD)
            _set_running_loop(self)
            try:
                self._install_asyncgen_hooks()
                awaited = asyncio.ensure_future(future, loop=self)
                if not has_stack_switching():
                    self._run_due(awaited)
                    return awaited.result()
                # The error is not raised directly: exceptions that pass through JavaScript are
                # printed.
                ended: asyncio.Future[None] = asyncio.Future(loop=self)
                awaited.add_done_callback(lambda _: ended.done() or ended.set_result(None))
                run_sync(ended)
                return awaited.result()
            finally:
                _set_running_loop(None)

        def _run_due(self, awaited: asyncio.Future[Any]) -> None:
            """Runs what is due until the future is done, or raises RuntimeError if only the browser could go on."""
            is_stuck, self.is_held = False, True
            # A task of another loop may be iterating the handler.
            outer = asyncio.tasks._swap_current_task(self, None)
            try:
                while not awaited.done():
                    if self._due:
                        when, _, handle = heappop(self._due)
                        if not handle.cancelled():
                            _sleep(max(when - self.time(), 0))
                            handle._run()
                    elif is_stuck:
                        break
                    else:
                        is_stuck = True
                        awaited.cancel()
            finally:
                asyncio.tasks._swap_current_task(self, outer)
                self.is_held = False
            if is_stuck:
                require_waiting(_INSTEAD)

        def run_forever(self) -> None:
            self._check_closed()
            self._until_stopped = asyncio.Future(loop=self)
            if self._stopping:
                self.call_soon(self.stop)
            try:
                self.run_until_complete(self._until_stopped)
            finally:
                self._until_stopped, self._stopping = None, False

        def stop(self) -> None:
            self._stopping = True
            if self._until_stopped is not None and not self._until_stopped.done():
                self._until_stopped.set_result(None)

    class _Policy(webloop.WebLoopPolicy):
        """Returns a loop that is not running yet, and creates the current loop on first use."""

        def new_event_loop(self) -> AbstractEventLoop:
            return _ToolLoop()

        def get_event_loop(self) -> AbstractEventLoop:
            if self._default_loop is None or self._default_loop.is_closed():
                self._default_loop = self.new_event_loop()
            return self._default_loop
