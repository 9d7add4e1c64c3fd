"""Writes an exception's traceback as Python does, without frames that are not the user's."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
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
        self.text = ""
        self.raised: Frame | None = None
        self.frames: list[Frame] = []
        try:
            whole = TracebackException.from_exception(error)
            for one in _in_order(whole):
                self._cut(one)
            self.text = _shortened("".join(whole.format()))
            own = [_plain(frame) for frame in whole.stack[-FRAMES:]]
            self.raised = own[-1] if own else None
            every = (frame for one in _in_order(whole) for frame in one.stack)
            listed = [_plain(frame) for frame in islice(every, FRAMES + 1)]
            # If the list would be too long, the frames of the error itself matter most.
            self.frames = listed if len(listed) <= FRAMES else own
        except BaseException:  # an exception class can fail in any operation
            self.text = self.text or f"{describe(error)}\n"

    def _cut(self, one: TracebackException) -> None:
        """Removes the frames of an error that are not the user's, and shortens the names of files."""
        first = next((at for at, frame in enumerate(one.stack) if frame.filename.startswith(self._root)), 0)
        kept = [frame for frame in list(one.stack)[first:] if not _is_foreign(frame)]
        for frame in kept:
            frame.line  # read now: the source is found only by the full file name
            frame.filename = self._relative(frame.filename)
        one.stack = StackSummary.from_list([])
        one.stack.extend(kept)
        if getattr(one, "filename", None):  # a SyntaxError's
            one.filename = self._relative(one.filename)

    def _relative(self, file: str) -> str:
        return file.removeprefix(self._root)


def _plain(frame: FrameSummary) -> Frame:
    return frame.filename[:FRAME_CHARACTERS], frame.lineno or 0, frame.name[:FRAME_CHARACTERS]


def _in_order(whole: TracebackException) -> Iterator[TracebackException]:
    """The errors in the order of `TracebackException.format`: the cause, the error, a group's exceptions."""
    waiting = [(whole, False)]
    while waiting:
        one, follows_its_cause = waiting.pop()
        if follows_its_cause:
            yield one
            continue
        inner = getattr(one, "exceptions", None) or ()
        waiting += [(other, False) for other in reversed(inner)]
        waiting.append((one, True))
        before = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
        if before is not None:
            waiting.append((before, False))


def _is_foreign(frame: FrameSummary) -> bool:
    """Whether a frame is one of Cloche, or only runs the call."""
    return frame.filename.startswith(_OWN) or _CARRIERS.match(frame.filename) is not None


def _shortened(text: str) -> str:
    """A traceback within its limit: its beginning and its end."""
    if len(text) <= TRACEBACK_CHARACTERS:
        return text
    half = TRACEBACK_CHARACTERS // 2
    return f"{text[:half]}\n  … {len(text) - 2 * half:,} characters left out …\n{text[-half:]}"
