"""Problems with what a file asks for, worded for its author."""

from __future__ import annotations

from typing import NamedTuple

_WHEELS = "into the folder wheels/ beside your tools"
IN_WHEELS = f"put a wheel of it {_WHEELS}"
THE_WHEEL_IN_WHEELS = f"Put the wheel {_WHEELS}"


class Problem(NamedTuple):
    """One problem. Lines count from 1; None stands for the whole file."""

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
    """Says why something cannot be supported; the caller, which knows the file, turns it into a problem."""

    def __init__(self, code: str, message: str, expected: str, hint: str, line: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.expected = expected
        self.hint = hint
        self.line = line

    def problem(self, file: str, line: int | None) -> Problem:
        at = line if self.line is None else self.line
        return Problem("error", self.code, file, at, self.message, self.expected, self.hint)
