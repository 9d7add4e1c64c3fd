"""Writes an exception's traceback as Python does, without frames that are not the user's."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from traceback import FrameSummary, StackSummary, TracebackException

from .failures import describe
from .limits import FRAME_CHARACTERS, FRAMES, TRACEBACK_CHARACTERS

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
# Frames that run a call but do not belong to it: the import system and the event loop's runners.
_CARRIERS = re.compile(
    r"<frozen importlib|.*[/\\](?:importlib[/\\]|asyncio[/\\](?:runners|base_events)\.py|pyodide[/\\]webloop\.py)"
)


Frame = tuple[str, int, str]  # file, line, name of the function


class UserTraceback:
    """The traceback of `error` for the user whose folder is `root`, starting at the first frame in the folder.

    `text` is the standard form with file names relative to the folder. `frames` are the frames in `text`, in the same
    order, including those of causes and of a group's exceptions. `raised` is where `error` itself was raised; None if
    unknown.
    """

    def __init__(self, error: BaseException, root: str) -> None:
        self._root = root + "/"
        try:
            whole = TracebackException.from_exception(error)
            self._cut(whole, set())
            self.text = _shortened("".join(whole.format()))
            own = [_plain(frame) for frame in whole.stack[-FRAMES:]]
            self.raised: Frame | None = own[-1] if own else None
            listed = [_plain(frame) for frame in _in_order(whole, set())]
            # Where the list would be too long, the frames of the error itself matter most.
            self.frames: list[Frame] = listed if len(listed) <= FRAMES else own
        except BaseException:  # an exception class can fail in any operation
            self.text = f"{describe(error)}\n"
            self.raised = None
            self.frames = []

    def _cut(self, one: TracebackException, seen: set[int]) -> None:
        if id(one) in seen:
            return
        seen.add(id(one))
        first = next((at for at, frame in enumerate(one.stack) if frame.filename.startswith(self._root)), 0)
        kept = [frame for frame in list(one.stack)[first:] if not _is_foreign(frame)]
        for frame in kept:
            frame.line  # read now: the source is found only by the full file name
            frame.filename = self._relative(frame.filename)
        one.stack = StackSummary.from_list([])
        one.stack.extend(kept)
        if getattr(one, "filename", None):  # a SyntaxError's
            one.filename = self._relative(one.filename)
        for other in (one.__cause__, one.__context__, *(getattr(one, "exceptions", None) or ())):
            if other is not None:
                self._cut(other, seen)

    def _relative(self, file: str) -> str:
        return file.removeprefix(self._root)


def _plain(frame: FrameSummary) -> Frame:
    return frame.filename[:FRAME_CHARACTERS], frame.lineno or 0, frame.name[:FRAME_CHARACTERS]


def _in_order(one: TracebackException, seen: set[int]) -> Iterator[FrameSummary]:
    """The frames in the order of `TracebackException.format`: of the cause, of the error, of a group's exceptions."""
    if id(one) in seen:
        return
    seen.add(id(one))
    before = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    if before is not None:
        yield from _in_order(before, seen)
    yield from one.stack
    for inner in getattr(one, "exceptions", None) or ():
        yield from _in_order(inner, seen)


def _is_foreign(frame: FrameSummary) -> bool:
    return frame.filename.startswith(_OWN) or _CARRIERS.match(frame.filename) is not None


def _shortened(text: str) -> str:
    if len(text) <= TRACEBACK_CHARACTERS:
        return text
    half = TRACEBACK_CHARACTERS // 2
    return f"{text[:half]}\n  … {len(text) - 2 * half:,} characters left out …\n{text[-half:]}"
