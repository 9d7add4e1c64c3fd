"""Restores what a tool file changed in its environment while it was imported, to protect other files."""

from __future__ import annotations

import builtins
import os
import sys
from types import TracebackType

from .streams import Streams

_BUILTINS = builtins.__dict__


class RestoredEnvironment:
    """Restores, after a block, the streams, built-in names, working directory, recursion limit and trace functions."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    def __enter__(self) -> None:
        self._builtins = dict(_BUILTINS)
        self._folder = _working_directory()
        self._depth = sys.getrecursionlimit()
        self._trace, self._profile = sys.gettrace(), sys.getprofile()

    def __exit__(
        self, kind: type | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # The built-in names are restored first, without calling any of them.
        _BUILTINS.update(self._builtins)
        if sys.gettrace() is not self._trace:
            sys.settrace(self._trace)
        if sys.getprofile() is not self._profile:
            sys.setprofile(self._profile)
        # A higher limit stays, because the functions of the file that set it may need it.
        if sys.getrecursionlimit() < self._depth:
            sys.setrecursionlimit(self._depth)
        self._streams.install()
        try:
            os.chdir(self._folder)
        except OSError:  # it has been removed
            return


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.sep
