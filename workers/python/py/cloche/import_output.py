"""Collects what a tool file prints while it is imported, and ends the import if that is too much."""

from __future__ import annotations

import sys

from .limits import IMPORT_OUTPUT_CHARACTERS, IMPORT_PRINTED_CHARACTERS, MEGABYTE


class PrintedTooMuch(BaseException):
    """Ends an import that prints too much; not an Exception, so that `except Exception` in the file does not catch
    it."""


class ImportOutput:
    """Takes what an import prints."""

    def __init__(self, path: str = "") -> None:
        self.line: int | None = None  # of the file at `path` that printed too much
        self._path = path
        self._printed = 0
        self._kept: list[str] = []

    @property
    def text(self) -> str:
        """The start of what was printed, both streams together."""
        return "".join(self._kept)

    @property
    def too_much(self) -> bool:
        """Whether the limit was exceeded, even if the file caught the exception."""
        return self._printed > IMPORT_PRINTED_CHARACTERS

    def write(self, stream: str, text: str) -> None:
        """Adds printed text. Raises PrintedTooMuch beyond the limit."""
        room = IMPORT_OUTPUT_CHARACTERS - self._printed
        if room > 0:
            self._kept.append(text[:room])
        self._printed += len(text)
        if self.too_much:
            if self.line is None:
                self.line = self._printing_line()
            limit = IMPORT_PRINTED_CHARACTERS // MEGABYTE
            raise PrintedTooMuch(f"it printed more than {limit} MB while it was imported")

    def flush(self) -> None:
        """Does nothing: what an import printed is reported when it is over."""

    def _printing_line(self) -> int | None:
        frame = sys._getframe()
        while frame is not None:
            if frame.f_code.co_filename == self._path:
                return frame.f_lineno
            frame = frame.f_back
        return None
