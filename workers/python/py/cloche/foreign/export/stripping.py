"""Removes from a file what only its framework needs: imports, decorators, and statements at the top level that use them.

A step of the export, after functions and classes that tools need are rewritten. Text goes in and comes out, with the
names of the framework that are still used.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from ..syntax import DEFINITIONS, FUNCTIONS, bound_name, defined_names, first_line, imported_names, last_line
from .source_lines import split_at_column, split_lines, without_byte_order_mark


class Stripped(NamedTuple):
    """A file without its framework. Both lists have lines with names."""

    text: str
    left: list[tuple[int, str]]  # names of the framework that functions use, so that the file still needs it
    removed: list[tuple[int, str]]  # functions and classes that only work with the framework


def strip_framework(text: str, modules: frozenset[str], exported: set[str]) -> Stripped:
    """The text without what only the framework needs, or the same text if functions use what would be removed.

    `modules`: the framework's modules. `exported`: functions and classes that must stay, with what they use.
    """
    stripper = _Stripper(ast.parse(without_byte_order_mark(text)), modules, exported)
    gone = stripper.find_lines()
    lines = split_lines(text)
    if gone:
        # The last one goes first, so that the places of the others stay right.
        for parameter in sorted(stripper.annotated, key=lambda one: (one.lineno, one.col_offset), reverse=True):
            _remove_annotation(lines, parameter)
    removed = [(node.lineno, node.name) for node in stripper.removed if isinstance(node, DEFINITIONS) and gone]
    return Stripped(_remove_lines(lines, gone), stripper.left, removed)


def _remove_annotation(lines: list[str], parameter: ast.arg) -> None:
    """Removes the annotation of a parameter, if it is on the line of its name."""
    annotation = parameter.annotation
    if annotation is None or annotation.end_lineno != parameter.lineno or annotation.end_col_offset is None:
        return
    line = lines[parameter.lineno - 1]
    before, _ = split_at_column(line, parameter.col_offset + len(parameter.arg.encode()))
    _, rest = split_at_column(line, annotation.end_col_offset)
    # Without an annotation, no spaces surround the sign before a default.
    lines[parameter.lineno - 1] = before + (f"={rest[3:]}" if rest.startswith(" = ") else rest)


def _remove_lines(lines: list[str], gone: set[int]) -> str:
    """The text without these lines. Where something is removed, at most two blank lines stay."""
    kept: list[str] = []
    follows_gap = False
    for number, line in enumerate(lines, 1):
        if number in gone:
            follows_gap = True
            continue
        if not line.strip() and follows_gap and not "".join(kept[-2:]).strip():
            continue
        follows_gap = follows_gap and not line.strip()
        kept.append(line)
    return "".join(kept)


class _Stripper:
    def __init__(self, tree: ast.Module, modules: frozenset[str], exported: set[str]) -> None:
        self._tree, self._modules = tree, modules
        self._exported = _list_reachable(tree, exported)
        self._framework = {name for node in tree.body for name in self._list_framework_imports(node)}
        self._decorators = _list_decorators(tree)
        self.removed: list[ast.stmt] = []
        self.annotated: list[ast.arg] = []  # parameters that stay, with an annotation of the framework
        self.left: list[tuple[int, str]] = []

    def find_lines(self) -> set[int]:
        """The lines of the statements to remove; none if functions use what would be removed."""
        self._find_statements()
        decorators = self._list_framework_decorators()
        kept = [node for node in self._tree.body if node not in self.removed and not self._list_framework_imports(node)]
        self.annotated = [one for node in kept for one in ast.walk(node) if isinstance(one, ast.arg) and self._uses_framework(one)]
        annotations = [parameter.annotation for parameter in self.annotated if parameter.annotation]
        used = {name: line for node in kept for name, line in _list_reads(node, {*decorators, *annotations})}
        needed = {name: line for name, line in used.items() if name in self._framework}
        self.left = [(line, name) for name, line in needed.items()]
        removed_names = {name for node in self.removed for name in defined_names(node)}
        if not removed_names.isdisjoint(needed):
            return set()
        imports = [node for node in self._tree.body if (names := self._list_framework_imports(node)) and needed.keys().isdisjoint(names)]
        gone = [node for node in (*self.removed, *imports, *decorators) if self._has_own_lines(node)]
        return {line for node in gone for line in range(first_line(node), last_line(node) + 1)}

    def _find_statements(self) -> None:
        """Finds the statements that use the framework, and those that use what these define."""
        is_complete = False
        while not is_complete:
            is_complete = True
            for node in self._tree.body:
                if node not in self.removed and self._is_removable(node):
                    self.removed.append(node)
                    self._framework.update(defined_names(node))
                    is_complete = False

    def _is_removable(self, node: ast.stmt) -> bool:
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Try)):
            return False
        if isinstance(node, DEFINITIONS):
            decorators = self._list_framework_decorators() if node.decorator_list else set()
            return node.name not in self._exported and any(name in self._framework for name, _ in _list_reads(node, decorators))
        return self._uses_framework(node)

    def _uses_framework(self, node: ast.AST) -> bool:
        return any(name in self._framework for name, _ in _list_reads(node, set()))

    def _list_framework_imports(self, node: ast.stmt) -> list[str]:
        """The names that an import of the framework binds; none if the statement also imports other modules."""
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            return imported_names(node) if self._is_framework(node.module) else []
        if isinstance(node, ast.Import) and all(self._is_framework(alias.name) for alias in node.names):
            return [bound_name(alias) for alias in node.names]
        return []

    def _is_framework(self, module: str) -> bool:
        return module.partition(".")[0] in self._modules

    def _list_framework_decorators(self) -> set[ast.expr]:
        """The framework's decorators of functions and methods."""
        return {decorator for decorator, root in self._decorators if root in self._framework}

    def _has_own_lines(self, node: ast.stmt | ast.expr) -> bool:
        """Whether no other statement that stays is on the lines of a statement."""
        if not isinstance(node, ast.stmt):
            return True
        others = [other for other in self._tree.body if other is not node and other not in self.removed]
        return all(other.lineno > last_line(node) or last_line(other) < first_line(node) for other in others)


def _list_decorators(tree: ast.Module) -> list[tuple[ast.expr, str]]:
    """The decorators in a file, with the names that they begin with, such as mcp for @mcp.tool()."""
    decorators = [decorator for node in ast.walk(tree) if isinstance(node, DEFINITIONS) for decorator in node.decorator_list]
    return [(decorator, root) for decorator in decorators if (root := _find_root(decorator))]


def _find_root(decorator: ast.expr) -> str:
    """The name that a decorator begins with; empty if it begins otherwise."""
    root = decorator.func if isinstance(decorator, ast.Call) else decorator
    while isinstance(root, ast.Attribute):
        root = root.value
    return root.id if isinstance(root, ast.Name) else ""


def _list_reachable(tree: ast.Module, exported: set[str]) -> set[str]:
    """The functions, classes and objects that the exported ones use, themselves included."""
    defined: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            defined.update((name, node.value) for name in defined_names(node) if name in exported)
    defined.update((node.name, node) for node in tree.body if isinstance(node, DEFINITIONS))
    found: set[str] = set()
    waiting = [name for name in exported if name in defined]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(used for used, _ in _list_reads(defined[name], set()) if used in defined)
    return found


def _list_reads(node: ast.AST, without: set[ast.expr]) -> Iterator[tuple[str, int]]:
    """Yields the names that a node reads, with their lines; not those inside `without`, and not a function's parameters."""
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset())]
    while waiting:
        one, hidden = waiting.pop()
        if one in without:
            continue
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.id not in hidden:
            yield one.id, one.lineno
        inside = hidden
        if isinstance(one, (*FUNCTIONS, ast.Lambda)):
            inside |= {each.arg for each in ast.walk(one.args) if isinstance(each, ast.arg)}
        for child in ast.iter_child_nodes(one):
            # Decorators, annotations and defaults are outside of the function.
            is_inside = isinstance(child, ast.stmt) or child is getattr(one, "body", None)
            waiting.append((child, inside if is_inside else hidden))
