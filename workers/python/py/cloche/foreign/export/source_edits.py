"""Collects changes to the source of a file, and writes them all at once: replaced places, removed statements and
parameters.

The other modules of the export find the places in the syntax tree, `tree`.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..syntax import first_line, imported_names, last_line
from .source_lines import split_at_column, split_lines, without_byte_order_mark

_LOG_FUNCTIONS = frozenset(
    name for level in ("debug", "info", "warning", "error", "exception") for name in (level, f"log_{level}")
)


class Edit(NamedTuple):
    """The text that replaces a range of characters."""

    start: int
    end: int
    text: str


class Changes(NamedTuple):
    """The changes to a file. Dicts keep the order in which changes were made."""

    edits: dict[Edit, None]
    removed: dict[ast.stmt | ast.expr, None]  # statements and decorators
    left_out: dict[ast.arguments, list[ast.arg]]  # parameters

    def copy(self) -> Changes:
        """A copy, which later changes do not affect."""
        left_out = {parameters: list(left_out) for parameters, left_out in self.left_out.items()}
        return Changes(dict(self.edits), dict(self.removed), left_out)


class SourceEdits:
    """The changes to one file. `modules`: the top-level modules of its framework."""

    def __init__(self, text: str, modules: frozenset[str]) -> None:
        self._text = without_byte_order_mark(text)
        self._lines = split_lines(self._text)
        self._starts = [0, *itertools.accumulate(map(len, self._lines))]
        self.tree = ast.parse(self._text)
        self._framework = {name for node in ast.walk(self.tree) for name in _list_framework_names(node, modules)}
        self._changes = Changes({}, {}, {})

    # Changes

    def save(self) -> Changes:
        """The changes so far, for `restore`."""
        return self._changes.copy()

    def restore(self, changes: Changes) -> None:
        """Restores the changes that `save` returned."""
        self._changes = changes

    def add(self, edits: Iterable[Edit]) -> None:
        """Adds edits. An edit that is added twice counts once."""
        self._changes.edits.update(dict.fromkeys(edits))

    def replace(self, start: int, end: int, text: str) -> None:
        """Replaces the text between two places."""
        self.add([Edit(start, end, text)])

    def insert(self, at: int, text: str) -> None:
        """Inserts a text at a place."""
        self.replace(at, at, text)

    def replace_node(self, node: ast.AST, text: str) -> None:
        """Replaces the text of a node."""
        self.add([self.edit_of(node, text)])

    def edit_of(self, node: ast.AST, text: str) -> Edit:
        """The edit that replaces a node."""
        return Edit(self.start(node), self.end(node), text)

    def remove(self, nodes: Iterable[ast.stmt | ast.expr]) -> None:
        """Removes the lines of statements or decorators."""
        self._changes.removed.update(dict.fromkeys(nodes))

    def leave_out(self, parameters: ast.arguments, parameter: ast.arg) -> None:
        """Removes a parameter that may be given by name and by position."""
        self._changes.left_out.setdefault(parameters, []).append(parameter)

    def write(self, text: str) -> str:
        """The text with all changes. Without any, it is the same text."""
        edits, removed, left_out = self._changes
        if not edits and not removed and not left_out:
            return text
        every = {
            *self._remove_lines(removed),
            *edits,
            *(edit for node in ast.walk(self.tree) for edit in self._replace_log_call(node)),
            *(edit for parameters, gone in left_out.items() for edit in self._remove_parameters(parameters, gone)),
        }
        written: list[str] = []
        at = 0
        # A removed line comes before the changes in it, which have no effect.
        for start, end, new in sorted(every, key=lambda edit: (edit.start, bool(edit.text), -edit.end)):
            if start >= at:
                written.append(self._text[at:start] + new)
                at = end
        return text[: len(text) - len(self._text)] + "".join(written) + self._text[at:]

    def _remove_lines(self, removed: Iterable[ast.stmt | ast.expr]) -> Iterator[Edit]:
        """The edits that remove statements, with blank lines that would be left at the start of a block or twice."""
        gone = {line for node in removed for line in range(first_line(node), last_line(node) + 1)}
        before, is_gap = "", False
        for number, line in enumerate(self._lines, 1):
            if number not in gone and is_gap and not line.strip() and (not before.strip() or before.rstrip().endswith(":")):
                gone.add(number)
            is_gap = number in gone
            before = before if is_gap else line
        return (Edit(self._starts[number - 1], self._starts[number], "") for number in sorted(gone))

    def _remove_parameters(self, parameters: ast.arguments, gone: list[ast.arg]) -> Iterator[Edit]:
        """The edits that remove parameters, with their defaults and commas."""
        listed = parameters.args
        defaults = [None] * (len(listed) - len(parameters.defaults)) + parameters.defaults
        ends = [self.end(default or parameter) for parameter, default in zip(listed, defaults)]
        at = 0
        while at < len(listed):
            first = at
            while at < len(listed) and listed[at] in gone:
                at += 1
            if at > first:
                start = self.start(listed[first])
                if at < len(listed):
                    yield Edit(start, self.start(listed[at]), "")
                elif first > 0:
                    yield Edit(ends[first - 1], ends[-1], "")
                else:
                    yield Edit(start, self.follows(",", ends[-1]), "")
            at += 1

    def _replace_log_call(self, node: ast.AST) -> Iterator[Edit]:
        """The edit that prints a text, in place of a call to the framework's log function."""
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords and self.is_framework(call.func):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if name in _LOG_FUNCTIONS:
                yield self.edit_of(call.func, "print")

    # Places

    def is_framework(self, node: ast.expr) -> bool:
        """Whether an expression begins with a name that is imported from the framework."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
            node = node.func if isinstance(node, ast.Call) else node.value
        return isinstance(node, ast.Name) and node.id in self._framework

    def source(self, node: ast.expr) -> str:
        """The text of an expression."""
        return self._text[self.start(node) : self.end(node)]

    def start(self, node: Any) -> int:
        """The place at which a node starts."""
        return self._find_index(node.lineno, node.col_offset)

    def end(self, node: Any) -> int:
        """The place at which a node ends."""
        return self._find_index(node.end_lineno, node.end_col_offset)

    def _find_index(self, line: int, column: int) -> int:
        """The index of a place that the syntax tree names."""
        return self._starts[line - 1] + len(split_at_column(self._lines[line - 1], column)[0])

    def line_start(self, line: int) -> int:
        """The place at which a line starts. Lines are counted from 1."""
        return self._starts[line - 1]

    def indentation(self, line: int) -> str:
        """The spaces at the start of a line. Lines are counted from 1."""
        text = self._lines[line - 1]
        return text[: len(text) - len(text.lstrip())]

    def find(self, part: str, start: int) -> int:
        """The place of the next `part` of the text. Raises ValueError if there is none."""
        return self._text.index(part, start)

    def before_spaces(self, at: int) -> int:
        """The place before the spaces that end at a place."""
        return len(self._text[:at].rstrip())

    def follows(self, part: str, at: int) -> int:
        """The place behind `part` if it is the next text at a place; otherwise the same place."""
        rest = self._text[at:].lstrip()
        return len(self._text) - len(rest) + len(part) if rest.startswith(part) else at


def _list_framework_names(node: ast.AST, modules: frozenset[str]) -> list[str]:
    """The names that a node imports from one of these modules."""
    if isinstance(node, ast.ImportFrom) and node.module and not node.level and node.module.partition(".")[0] in modules:
        return imported_names(node)
    if isinstance(node, ast.Import):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names if alias.name.partition(".")[0] in modules]
    return []
