"""Removes from a file what only its framework needs: imports, decorators, and statements at the top level that use them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from .spec_text import lines_of

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Stripped(NamedTuple):
    """A file without its framework. Both lists have lines with names."""

    text: str
    left: list[tuple[int, str]]  # names of the framework that functions use, so that the file still needs it
    removed: list[tuple[int, str]]  # functions and classes that only work with the framework


def without_framework(text: str, modules: frozenset[str], exported: set[str]) -> Stripped:
    """The text without what only the framework needs. `modules`: the framework's modules; `exported`: functions and
    classes that must stay, with what they use."""
    tree = ast.parse(text.removeprefix("\ufeff"))
    stripper = _Stripper(tree, modules, exported)
    gone = stripper.lines()
    lines = lines_of(text)
    # The last one goes first, so that the places of the others stay right.
    for argument in sorted(stripper.annotated if gone else (), key=lambda one: (one.lineno, one.col_offset), reverse=True):
        _remove_annotation(lines, argument)
    kept: list[str] = []
    follows_gap = False
    for number, line in enumerate(lines, 1):
        if number in gone:
            follows_gap = True
            continue
        # Where something was removed, at most two blank lines stay.
        if not line.strip() and follows_gap and not "".join(kept[-2:]).strip():
            continue
        follows_gap = follows_gap and not line.strip()
        kept.append(line)
    removed = [(one.lineno, one.name) for one in stripper.gone if isinstance(one, _Definition) and gone]
    return Stripped("".join(kept), stripper.left, removed)


def _remove_annotation(lines: list[str], argument: ast.arg) -> None:
    """Removes the annotation of a parameter, if it is on the line of its name."""
    annotation = argument.annotation
    if annotation is None or annotation.end_lineno != argument.lineno or annotation.end_col_offset is None:
        return
    # Python counts columns in bytes of UTF-8.
    line = lines[argument.lineno - 1].encode()
    start = argument.col_offset + len(argument.arg.encode())
    rest = line[annotation.end_col_offset :].decode()
    # Without an annotation, no spaces surround the sign before a default.
    lines[argument.lineno - 1] = line[:start].decode() + (f"={rest[3:]}" if rest.startswith(" = ") else rest)


class _Stripper:
    def __init__(self, tree: ast.Module, modules: frozenset[str], exported: set[str]) -> None:
        self._tree, self._modules = tree, modules
        self._exported = _reachable(tree, exported)
        self._framework = {name for one in tree.body for name in self._imported(one)}
        self._named = [
            (one, root)
            for node in ast.walk(tree)
            if isinstance(node, _Definition)
            for one in node.decorator_list
            if (root := _root_of(one))
        ]
        self.gone: list[ast.stmt] = []
        self.annotated: list[ast.arg] = []
        self.left: list[tuple[int, str]] = []

    def lines(self) -> set[int]:
        """The lines of the statements to remove; none if functions use what would be removed."""
        changed = True
        while changed:
            changed = False
            for node in self._tree.body:
                if node not in self.gone and self._is_removable(node):
                    self.gone.append(node)
                    self._framework.update(_bound(node))
                    changed = True
        decorators = self._decorators()
        kept = [one for one in self._tree.body if one not in self.gone and not self._imported(one)]
        self.annotated = [one for node in kept for one in ast.walk(node) if isinstance(one, ast.arg) and self._uses(one)]
        annotations = [one.annotation for one in self.annotated if one.annotation]
        used = {name: line for node in kept for name, line in _loads(node, {*decorators, *annotations})}
        needed = {name: line for name, line in used.items() if name in self._framework}
        imports = [one for one in self._tree.body if self._imported(one) and not needed.keys() & set(self._imported(one))]
        restored = [one for one in self.gone if needed.keys() & set(_bound(one))]
        self.left = [(line, name) for name, line in needed.items()]
        if restored:
            return set()  # functions use what would be removed: the file stays as it is
        removed = [one for one in (*self.gone, *imports, *decorators) if self._stands_alone(one)]
        return {line for one in removed for line in range(_first_line(one), (one.end_lineno or one.lineno) + 1)}

    def _imported(self, node: ast.stmt) -> list[str]:
        """The names that an import of the framework binds; all of its names must be the framework's."""
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            return [one.asname or one.name for one in node.names] if self._is_framework(node.module) else []
        if isinstance(node, ast.Import) and all(self._is_framework(one.name) for one in node.names):
            return [one.asname or one.name.partition(".")[0] for one in node.names]
        return []

    def _is_framework(self, module: str) -> bool:
        return module.partition(".")[0] in self._modules

    def _is_removable(self, node: ast.stmt) -> bool:
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Try)):
            return False
        if isinstance(node, _Definition):
            decorators = self._decorators() if node.decorator_list else set()
            return node.name not in self._exported and any(name in self._framework for name, _ in _loads(node, decorators))
        return self._uses(node)

    def _uses(self, node: ast.AST) -> bool:
        return any(name in self._framework for name, _ in _loads(node, set()))

    def _decorators(self) -> set[ast.expr]:
        """The framework's decorators of functions and methods."""
        return {one for one, root in self._named if root in self._framework}

    def _stands_alone(self, node: ast.stmt | ast.expr) -> bool:
        return all(
            one in self.gone or one.lineno > (node.end_lineno or 0) or (one.end_lineno or 0) < _first_line(node)
            for one in self._tree.body
            if isinstance(node, ast.stmt) and one is not node
        )


def _reachable(tree: ast.Module, exported: set[str]) -> set[str]:
    """The functions, classes and objects that the exported ones use, themselves included."""
    defined: dict[str, ast.AST] = {name: one.value for one in tree.body if isinstance(one, ast.Assign) for name in _bound(one) if name in exported}
    defined.update((one.name, one) for one in tree.body if isinstance(one, _Definition))
    found: set[str] = set()
    waiting = [name for name in exported if name in defined]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(used for used, _ in _loads(defined[name], set()) if used in defined)
    return found


def _root_of(decorator: ast.expr) -> str:
    """The name that a decorator begins with, such as mcp of @mcp.tool(); empty if it begins otherwise."""
    root = decorator.func if isinstance(decorator, ast.Call) else decorator
    while isinstance(root, ast.Attribute):
        root = root.value
    return root.id if isinstance(root, ast.Name) else ""


def _first_line(node: ast.stmt | ast.expr) -> int:
    if isinstance(node, _Definition) and node.decorator_list:
        return node.decorator_list[0].lineno
    return node.lineno


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, _Definition):
        return [node.name]
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def _loads(node: ast.AST, without: set[ast.expr]) -> Iterator[tuple[str, int]]:
    """The names that a node reads, with their lines; not those inside `without`, and not a function's parameters."""
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset())]
    while waiting:
        one, hidden = waiting.pop()
        if one in without:
            continue
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.id not in hidden:
            yield one.id, one.lineno
        inside = hidden
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inside |= {each.arg for each in ast.walk(one.args) if isinstance(each, ast.arg)}
        for child in ast.iter_child_nodes(one):
            # Decorators, annotations and defaults are outside of the function.
            is_inside = isinstance(child, ast.stmt) or child is getattr(one, "body", None)
            waiting.append((child, inside if is_inside else hidden))
