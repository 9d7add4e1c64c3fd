"""What can be wrong with what a file asks for, in the words of the person who has to mend it."""

from __future__ import annotations

from typing import NamedTuple

IN_WHEELS = "put a wheel of it into the folder wheels/ beside your tools"


class Problem(NamedTuple):
    """One problem. The line counts from 1; None is for the file as a whole."""

    severity: str  # "error" or "warning"
    code: str
    file: str
    line: int | None
    message: str
    expected: str
    hint: str

    def plain(self) -> dict[str, object]:
        """The problem as it is reported."""
        return {**self._asdict(), "column": None}


class Refusal(Exception):
    """Says why something that was written cannot be honoured; whoever knows the file makes a problem of it."""

    def __init__(self, code: str, message: str, expected: str, hint: str, line: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.expected = expected
        self.hint = hint
        self.line = line

    def problem(self, file: str, line: int | None) -> Problem:
        """The problem that it is for a file."""
        at = line if self.line is None else self.line
        return Problem("error", self.code, file, at, self.message, self.expected, self.hint)
