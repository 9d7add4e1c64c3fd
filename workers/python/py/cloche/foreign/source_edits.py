"""Collects changes to the source of a file: places that are replaced, and statements that are removed."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .spec_text import lines_of

_LOGS = frozenset(
    name for level in ("debug", "info", "warning", "error", "exception") for name in (level, f"log_{level}")
)


class Edit(NamedTuple):
    """The text that replaces a range of characters."""

    start: int
    end: int
    text: str


_Changes = tuple[dict[Edit, None], dict[ast.stmt, None], dict[ast.arguments, list[ast.arg]]]


class SourceEdits:
    """The changes to one file. `modules`: the top-level modules of its framework."""

    def __init__(self, text: str, modules: frozenset[str]) -> None:
        self._text = text.removeprefix("\ufeff")
        self._lines = lines_of(self._text)
        self._starts = [0, *itertools.accumulate(map(len, self._lines))]
        self.tree = ast.parse(self._text)
        self._framework = {name for one in ast.walk(self.tree) for name in _imported(one, modules)}
        self._edits: dict[Edit, None] = {}
        self._removed: dict[ast.stmt, None] = {}
        self._left_out: dict[ast.arguments, list[ast.arg]] = {}

    def copied(self) -> _Changes:
        """The changes so far, for `restore`."""
        return dict(self._edits), dict(self._removed), {key: list(one) for key, one in self._left_out.items()}

    def restore(self, changes: _Changes) -> None:
        self._edits, self._removed, self._left_out = changes

    def replace(self, edits: Iterable[Edit]) -> None:
        self._edits.update(dict.fromkeys(edits))

    def remove(self, statements: Iterable[ast.stmt]) -> None:
        self._removed.update(dict.fromkeys(statements))

    def leave_out(self, taken: ast.arguments, parameter: ast.arg) -> None:
        """Removes a parameter that may be given by name and by position."""
        self._left_out.setdefault(taken, []).append(parameter)

    def rewritten(self, text: str) -> str:
        """The text with all changes. Without any, it is the same text."""
        if not self._edits and not self._removed and not self._left_out:
            return text
        gone = list(self._without_lines())
        logs = [edit for one in ast.walk(self.tree) for edit in self._printed(one)]
        shorter = [edit for taken, left_out in self._left_out.items() for edit in self._shortened(taken, left_out)]
        made: list[str] = []
        at = 0
        # A removed line comes before the changes in it, which have no effect.
        for start, end, new in sorted({*gone, *self._edits, *logs, *shorter}, key=lambda one: (one.start, bool(one.text), -one.end)):
            if start >= at:
                made.append(self._text[at:start] + new)
                at = end
        return text[: len(text) - len(self._text)] + "".join(made) + self._text[at:]

    def is_framework(self, node: ast.expr) -> bool:
        """Whether an expression begins with a name that is imported from the framework."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
            node = node.func if isinstance(node, ast.Call) else node.value
        return isinstance(node, ast.Name) and node.id in self._framework

    def start(self, node: Any) -> int:
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: Any) -> int:
        return self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, line: int, column: int) -> int:
        """The index of a place that Python names: its columns are bytes of UTF-8."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode(errors="ignore"))

    def line_start(self, line: int) -> int:
        return self._starts[line - 1]

    def indentation(self, line: int) -> str:
        text = self._lines[line - 1]
        return text[: len(text) - len(text.lstrip())]

    def find(self, part: str, start: int) -> int:
        return self._text.index(part, start)

    def before_spaces(self, at: int) -> int:
        """The place before the spaces that end at a place."""
        return len(self._text[:at].rstrip())

    def follows(self, part: str, at: int) -> int:
        """The place behind `part` if it is the next text at a place; otherwise the same place."""
        rest = self._text[at:].lstrip()
        return len(self._text) - len(rest) + len(part) if rest.startswith(part) else at

    def source(self, node: ast.expr) -> str:
        return self._text[self.start(node) : self.end(node)]

    def _shortened(self, taken: ast.arguments, left_out: list[ast.arg]) -> Iterator[Edit]:
        """The changes that remove parameters, with their defaults and commas."""
        defaults = [None] * (len(taken.args) - len(taken.defaults)) + taken.defaults
        ends = [self.end(default or one) for one, default in zip(taken.args, defaults)]
        at = 0
        while at < len(taken.args):
            first = at
            while at < len(taken.args) and taken.args[at] in left_out:
                at += 1
            if at > first:
                start = self.start(taken.args[first])
                if at < len(taken.args):
                    yield Edit(start, self.start(taken.args[at]), "")
                elif first > 0:
                    yield Edit(ends[first - 1], ends[-1], "")
                else:
                    yield Edit(start, self.follows(",", ends[-1]), "")
            at += 1

    def _printed(self, one: ast.AST) -> Iterator[Edit]:
        """The change of a call to the framework's log function, whose text can be printed."""
        call = one.value if isinstance(one, ast.Expr) else None
        if isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords and self.is_framework(call.func):
            named = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if named in _LOGS:
                yield Edit(self.start(call.func), self.end(call.func), "print")

    def _without_lines(self) -> Iterator[Edit]:
        """The changes that remove statements, with blank lines that would be left at the start of a block or twice."""
        gone = {line for one in self._removed for line in range(_first_line(one), (one.end_lineno or one.lineno) + 1)}
        before, is_gap = "", False
        for number, line in enumerate(self._lines, 1):
            if number not in gone and is_gap and not line.strip() and (not before.strip() or before.rstrip().endswith(":")):
                gone.add(number)
            is_gap = number in gone
            before = before if is_gap else line
        return (Edit(self._starts[number - 1], self._starts[number], "") for number in sorted(gone))


def is_name(node: Any, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _imported(node: ast.AST, modules: frozenset[str]) -> list[str]:
    if isinstance(node, ast.ImportFrom) and node.module and not node.level and node.module.partition(".")[0] in modules:
        return [one.asname or one.name for one in node.names]
    if isinstance(node, ast.Import):
        return [one.asname or one.name.partition(".")[0] for one in node.names if one.name.partition(".")[0] in modules]
    return []


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", ())
    return decorators[0].lineno if decorators else node.lineno
