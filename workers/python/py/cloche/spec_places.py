"""Finds where in a file's source a tool spec, and each part of it, is written."""

from __future__ import annotations

import ast
import re

# A spec in the usual form; the source is parsed only if this finds nothing.
_USUAL = re.compile(r"""\{\s*(["'])name\1\s*:\s*(["'])([^"'\\\n]*)\2""")

Place = tuple[int, int]  # line and column, from 1


class SpecPlaces:
    """The places in one file. The source is parsed at most once, and only if needed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._usual = self._find_usual()
        self._tree: ast.Module | None = None

    def of_spec(self, name: object, index: int) -> Place | None:
        """Where the spec named `name`, the entry `index` of TOOL_SPECS, starts; line 1 if it cannot be found."""
        usual = self._usual.get(name) if isinstance(name, str) else None
        if usual is not None and usual >= 0:
            return self._place_at(usual)
        node = self._find_spec(name, index)
        return None if node is None else self._place_of(node)

    def of_part(self, name: object, index: int, path: tuple[str | int, ...]) -> Place | None:
        """Where a part of that spec is written: as far along `path` as the source spells it out."""
        node = self._find_spec(name, index)
        for step in path:
            inner = self._take_step(node, step)
            if inner is None:
                break
            node = inner
        return None if node is None else self._place_of(node)

    def of_variable(self, name: str) -> Place | None:
        """Where the module's variable `name` is assigned."""
        value = self._find_assignment(name)
        return None if value is None else self._place_of(value[0])

    def _find_usual(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for match in _USUAL.finditer(self._text):
            name = match.group(3)
            found[name] = -1 if name in found else match.start()  # found twice: the parsed source decides
        return found

    def _place_at(self, offset: int) -> Place:
        line = self._text.count("\n", 0, offset) + 1
        return line, offset - self._text.rfind("\n", 0, offset)

    def _place_of(self, node: ast.expr | ast.stmt) -> Place:
        # ast counts columns in bytes of UTF-8.
        line = self._text.split("\n")[node.lineno - 1]
        return node.lineno, len(line.encode()[: node.col_offset].decode(errors="ignore")) + 1

    def _parse(self) -> ast.Module:
        if self._tree is None:
            try:
                self._tree = ast.parse(self._text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._tree = ast.Module(body=[], type_ignores=[])
        return self._tree

    def _find_spec(self, name: object, index: int) -> ast.expr | ast.stmt | None:
        listed = self._find_assignment("TOOL_SPECS")
        entry = self._take_step(listed[1], index) if listed else None
        if isinstance(name, str):
            if entry is not None and _is_named(entry, name):
                return entry
            for node in ast.walk(self._parse()):
                if isinstance(node, ast.Dict) and _is_named(node, name):
                    return node
        return entry or (listed[0] if listed else None)

    def _find_assignment(self, name: str) -> tuple[ast.stmt, ast.expr | None] | None:
        """The last top-level statement of the module that assigns `name`, and its value."""
        for statement in reversed(self._parse().body):
            if isinstance(statement, ast.Assign):
                targets = statement.targets
            elif isinstance(statement, ast.AnnAssign):
                targets = [statement.target]
            else:
                continue
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                return statement, statement.value
        return None

    def _take_step(self, node: ast.AST | None, step: str | int) -> ast.expr | None:
        """The value at a key or an index of a literal, even if that refers to a variable of the module."""
        value: ast.expr | None = None
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values)
            value = next(
                (one for key, one in pairs if isinstance(key, ast.Constant) and key.value == step), None
            )
        elif isinstance(node, (ast.List, ast.Tuple)) and isinstance(step, int) and step < len(node.elts):
            if not any(isinstance(one, ast.Starred) for one in node.elts[: step + 1]):
                value = node.elts[step]
        if isinstance(value, ast.Name):
            assigned = self._find_assignment(value.id)
            if assigned and isinstance(assigned[1], (ast.Dict, ast.List, ast.Tuple)):
                return assigned[1]
        return value


def _is_named(node: ast.AST, name: str) -> bool:
    if not isinstance(node, ast.Dict):
        return False
    return any(
        isinstance(key, ast.Constant)
        and key.value == "name"
        and isinstance(value, ast.Constant)
        and value.value == name
        for key, value in zip(node.keys, node.values)
    )
