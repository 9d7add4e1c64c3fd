"""The context that a folder's code runs in. Like in a program's main thread, what is set there stays set."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import TypeVar

from .streams import Sink, sink

_T = TypeVar("_T")
_running_loop = asyncio._get_running_loop
_set_running_loop = asyncio._set_running_loop


class Scope:
    """Context variables of one tools folder, for example decimal's precision.

    With stack switching, each entry from JavaScript has its own context, so the folder's context must be kept.
    """

    def __init__(self) -> None:
        self._context = Context()
        self._entered = False

    def run(self, output: Sink | None, work: Callable[..., _T], *arguments: object) -> _T:
        """Runs the function as plain code runs: without a running event loop, and with its output going to `output`."""
        if self._entered:  # another call waits for JavaScript in that context, and a context cannot be entered twice
            return self._context.copy().run(_plainly, output, work, arguments)
        self._entered = True
        try:
            return self._context.run(_plainly, output, work, arguments)
        finally:
            self._entered = False

    def copy(self, output: Sink | None) -> Context:
        """A separate context for a task, which prints to `output`."""
        context = self._context.copy()
        context.run(sink.set, output)
        return context


def _plainly(output: Sink | None, work: Callable[..., _T], arguments: tuple[object, ...]) -> _T:
    loop = _running_loop()
    if loop is not None:
        _set_running_loop(None)
    token = sink.set(output)
    try:
        return work(*arguments)
    finally:
        sink.reset(token)
        if loop is not None:
            _set_running_loop(loop)
