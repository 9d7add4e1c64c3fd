"""Problems of a tool file, worded for its author."""

from __future__ import annotations

from typing import NamedTuple

from .json_text import quote


class Fault(NamedTuple):
    """A problem of one tool spec, before its place in the file is known.

    `path` leads from the spec to the invalid part: ("parameters", "properties", "city"); empty for the spec itself.
    """

    severity: str  # "error" rejects the tool, "warning" does not
    code: str
    path: tuple[str | int, ...]
    message: str
    expected: str
    hint: str
    tool: str = ""  # the name that the spec uses, which another file may already have


class Problem(NamedTuple):
    """One problem of a tool file as it is reported. Line and column count from 1; the column may be unknown."""

    severity: str
    code: str
    file: str
    line: int
    column: int | None
    message: str
    expected: str
    hint: str
    tool: str = ""  # the name of the spec

    def to_json(self) -> str:
        """The problem as JSON text."""
        tool = f',"tool":{quote(self.tool)}' if self.tool else ""
        return (
            f'{{"severity":"{self.severity}","code":"{self.code}","file":{quote(self.file)},"line":{self.line},'
            f'"column":{"null" if self.column is None else self.column},"message":{quote(self.message)},'
            f'"expected":{quote(self.expected)},"hint":{quote(self.hint)}'
            f"{tool}}}"
        )


def error(code: str, path: tuple[str | int, ...], message: str, expected: str, hint: str) -> Fault:
    """A fault that rejects the tool."""
    return Fault("error", code, path, message, expected, hint)


def warning(code: str, path: tuple[str | int, ...], message: str, expected: str, hint: str) -> Fault:
    """A fault that does not reject the tool."""
    return Fault("warning", code, path, message, expected, hint)
