"""Finds out which data files of the folder a file reads while it is imported, with Python's audit events."""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import cast

_current: ImportReads | None = None
_installed = False
_CODE = (".py", ".pyc")


class ImportReads:
    """The data files below `root` that were opened while a file's top-level code ran, by that file."""

    def __init__(self, root: str) -> None:
        self._root = root + "/"
        self._reads: dict[str, set[str]] = {}

    def begin(self) -> None:
        """Starts recording, and stops recording for the folder that was open before."""
        global _current, _installed
        _current = self
        if not _installed:
            _installed = True
            sys.addaudithook(_heard)

    def of(self, file: str) -> set[str]:
        """The data files that `file` read."""
        return self._reads.get(file, set())

    def forget(self, file: str) -> None:
        """Forgets the file, because it will be imported again."""
        self._reads.pop(file, None)

    def note(self, opened: str, frame: FrameType | None) -> None:
        """Notes that `frame` opens `opened`."""
        path = os.path.abspath(opened)
        if not path.startswith(self._root) or path.endswith(_CODE):
            return
        while frame is not None:
            code = frame.f_code
            if code.co_name == "<module>" and code.co_filename.startswith(self._root):
                file = code.co_filename[len(self._root) :]
                self._reads.setdefault(file, set()).add(path[len(self._root) :])
            frame = frame.f_back


def _heard(event: str, arguments: tuple[object, ...]) -> None:
    if event != "open" or _current is None:
        return
    try:
        path = arguments[0]
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if isinstance(path, str) and not path.endswith(_CODE):
            _current.note(path, cast(FrameType, sys._getframe(1)))
    except BaseException:  # an exception from here would be raised in the code that opens the file
        return
