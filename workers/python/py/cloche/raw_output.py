"""Collects output to the process's own streams that bypasses `sys.stdout` and `sys.stderr`: by `os.write`, or in C."""

from __future__ import annotations

import codecs
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .streams import Sink

_MAX_AT_ONCE = 1_000_000
# With this flag, Windows deletes the file when it is closed: it deletes no open file.
_TEMPORARY = getattr(os, "O_TEMPORARY", 0)


class RawOutput:
    """Redirects the file descriptors 1 and 2 to two files without a name, until `close`."""

    def __init__(self, folder: str) -> None:
        self._streams = [_Redirected(number, name, folder) for number, name in ((1, "out"), (2, "err"))]

    def drain(self, output: Sink) -> None:
        """Moves new output to `output`."""
        for stream in self._streams:
            for text in stream.take():
                output.write(stream.name, text)

    def close(self) -> None:
        """Restores the original targets of the descriptors."""
        for stream in self._streams:
            stream.close()


class _Redirected:
    """One file descriptor, which leads to a file until `close`."""

    def __init__(self, number: int, name: str, folder: str) -> None:
        self.name = name
        self._number = number
        self._before = os.dup(number)
        path = os.path.join(folder, f".cloche-{os.getpid()}-{id(self)}")
        # Append mode allows the file to be emptied while it is open.
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | _TEMPORARY, 0o600)
        if not _TEMPORARY:
            os.unlink(path)
        os.dup2(self._file, number)
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def take(self) -> list[str]:
        """The texts that were written since the last time."""
        try:
            size = os.lseek(self._file, 0, os.SEEK_END)
            if not size:
                return []
            steps = range(0, size, _MAX_AT_ONCE)
            texts = [self._decoder.decode(_read_at(self._file, _MAX_AT_ONCE, start)) for start in steps]
            os.ftruncate(self._file, 0)
            return texts
        except OSError:  # the tool has closed all descriptors
            return []

    def close(self) -> None:
        os.dup2(self._before, self._number)
        os.close(self._before)
        os.close(self._file)


def _read_at(file: int, count: int, start: int) -> bytes:
    """Bytes from a place of the file. Writing is not affected: it always appends."""
    if hasattr(os, "pread"):
        return os.pread(file, count, start)
    os.lseek(file, start, os.SEEK_SET)
    return os.read(file, count)
