"""Where a folder's code runs, and where its printed text goes: to the call, or the import, that prints it."""

from __future__ import annotations

import asyncio
import builtins
import codecs
import io
import sys
from collections.abc import Callable
from contextvars import Context, ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from .raw_output import RawOutput

_T = TypeVar("_T")
_running_loop = asyncio._get_running_loop
_set_running_loop = asyncio._set_running_loop
_print = builtins.print


class Sink(Protocol):
    """Takes printed text: `stream` is "out" or "err"."""

    def write(self, stream: str, text: str) -> None: ...

    def flush(self) -> None: ...


# Receives what the running code prints; None drops it.
sink: ContextVar[Sink | None] = ContextVar("cloche_sink", default=None)


class Streams:
    """The three streams that tool code sees while this interpreter lives. `raw` collects output that bypasses them."""

    def __init__(self, raw: RawOutput | None = None) -> None:
        self.out = RoutedText("out")
        self.err = RoutedText("err")
        self.input = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        self._raw = raw

    def install(self) -> None:
        """Installs the streams, and reinstalls them if tool code has replaced one."""
        sys.stdout = sys.__stdout__ = self.out
        sys.stderr = sys.__stderr__ = self.err
        if getattr(sys, "stdin", None) is not self.input or self.input.closed:
            if self.input.closed:
                self.input = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
            sys.stdin = self.input

    def restore(self) -> list[str]:
        """Restores what tool code has replaced, so that later calls can print. Returns the restored names."""
        found = [name for name, is_own in self._list_checks() if not is_own]
        if found:
            builtins.print = _print
            self.out.restore()
            self.err.restore()
            self.install()
        return found

    def drain(self, output: Sink) -> None:
        """Moves output that bypassed the streams to `output`."""
        if self._raw:
            self._raw.drain(output)

    def _list_checks(self) -> tuple[tuple[str, bool], ...]:
        """The names that tool code may replace, and whether each still has what it should."""
        return (
            ("sys.stdout", getattr(sys, "stdout", None) is self.out and self.out.is_whole()),
            ("sys.stderr", getattr(sys, "stderr", None) is self.err and self.err.is_whole()),
            ("sys.stdin", getattr(sys, "stdin", None) is self.input and not self.input.closed),
            ("sys.__stdout__", getattr(sys, "__stdout__", None) is self.out),
            ("sys.__stderr__", getattr(sys, "__stderr__", None) is self.err),
            ("print", getattr(builtins, "print", None) is _print),
        )


class RoutedText(io.TextIOBase):
    """A text stream that can be kept forever, for example by a logging handler, and still prints for the right call."""

    __slots__ = ("_buffer", "_stream", "buffer", "name")
    encoding = "utf-8"
    errors = "backslashreplace"
    newlines = None
    mode = "w"
    line_buffering = True
    write_through = True

    def __init__(self, stream: str) -> None:
        self._stream = stream
        self.name = f"<std{stream}>"
        self.buffer = self._buffer = RoutedBytes(self)

    def is_whole(self) -> bool:
        """Whether no attribute, such as `write` or `buffer.write`, has been replaced."""
        # A tool may have deleted `buffer`.
        buffer = getattr(self, "buffer", None)
        return not self.__dict__ and buffer is self._buffer and not self._buffer.__dict__

    def restore(self) -> None:
        self.__dict__.clear()
        self._buffer.__dict__.clear()
        self.buffer = self._buffer

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        target = sink.get()
        if target is not None:
            target.write(self._stream, str.__str__(text))
        return len(text)

    def flush(self) -> None:
        target = sink.get()
        if target is not None:
            target.flush()

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Does nothing: one tool must not close the stream of all others."""

    def reconfigure(self, **options: object) -> None:
        """Accepts what scripts set at their start (an encoding, line buffering) and keeps UTF-8."""


class RoutedBytes(io.BufferedIOBase):
    """The `.buffer` of a routed text stream."""

    __slots__ = ("_decoder", "_text", "name")
    mode = "wb"

    def __init__(self, text: RoutedText) -> None:
        self._text = text
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
        self.name = text.name

    def write(self, data: Any) -> int:
        if isinstance(data, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        taken = bytes(data)
        self._text.write(self._decoder.decode(taken))
        return len(taken)

    def flush(self) -> None:
        self._text.flush()

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Does nothing: see RoutedText.close."""


class Scope:
    """Context variables of one tools folder, for example decimal's precision. Like in a program's main thread, what is
    set there stays set.

    With stack switching, each entry from JavaScript has its own context, so the folder's context must be kept.
    """

    def __init__(self) -> None:
        self._context = Context()
        self._entered = False

    def run(self, output: Sink | None, work: Callable[..., _T], *arguments: object) -> _T:
        """Runs the function as plain code runs: without a running event loop, and with its output going to `output`."""
        if self._entered:  # another call waits for JavaScript in that context, and a context cannot be entered twice
            return self._context.copy().run(_run_plainly, output, work, arguments)
        self._entered = True
        try:
            return self._context.run(_run_plainly, output, work, arguments)
        finally:
            self._entered = False

    def copy(self, output: Sink | None) -> Context:
        """A separate context for a task, which prints to `output`."""
        context = self._context.copy()
        context.run(sink.set, output)
        return context


def _run_plainly(output: Sink | None, work: Callable[..., _T], arguments: tuple[object, ...]) -> _T:
    """Runs a function without a running event loop, and with its output going to `output`."""
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
