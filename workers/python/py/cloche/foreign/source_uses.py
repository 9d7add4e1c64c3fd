"""Collects what a file uses from elsewhere while its source is read: imports, calls of imported names, variables."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from .browser_limits import Obstacle, obstacle
from .frameworks import LIBRARIES, framework_of
from .source_nodes import GUARD

_CALLS = 20_000
_READ_ARGUMENTS = ("argparse", "click", "typer", "fire")


class Uses:
    """The imports, calls and environment variables of one file. Obstacles and variables can be read once all nodes
    are taken: an import may stand below a function that uses it."""

    def __init__(self) -> None:
        self.imports: dict[str, int] = {}
        self.guarded: set[int] = set()
        self.late = False
        self.relative: dict[str, int] = {}
        self.bound: dict[str, str] = {}
        self.reads: dict[str, set[str]] = {}
        self.reads_arguments = False
        self.asks_at = 0
        self._calls: list[tuple[ast.Call, str]] = []
        self._subscripts: list[ast.Subscript] = []

    def take_import(self, node: ast.Import, function: str, guarded: bool) -> None:
        self.bound.update((one.asname or one.name.partition(".")[0], one.name if one.asname else one.name.partition(".")[0]) for one in node.names)
        self._take_names([one.name for one in node.names], node.lineno, function, guarded)

    def take_import_from(self, node: ast.ImportFrom, function: str, guarded: bool) -> None:
        if node.level == 0 and node.module:
            self.bound.update((one.asname or one.name, f"{node.module}.{one.name}") for one in node.names)
            names = [node.module, *(f"{node.module}.{one.name}" for one in node.names if node.module == "google")]
            self._take_names(names, node.lineno, function, guarded)
            return
        dots = "." * node.level
        for one in [node.module] if node.module else [one.name for one in node.names]:
            self.relative.setdefault(dots + one.partition(".")[0], node.lineno)
        origin = f"{dots}{node.module}." if node.module else dots
        self.bound.update((one.asname or one.name, origin + one.name) for one in node.names)

    def _take_names(self, names: list[str], line: int, function: str, guarded: bool) -> None:
        for name in names:
            self.imports.setdefault(name, line)
            root = name.partition(".")[0]
            if root in _READ_ARGUMENTS and function != GUARD:
                self.reads_arguments = True
            if function and (framework_of(name) or root in LIBRARIES):
                self.late = True
        if guarded:
            self.guarded.add(line)

    def take_name(self, name: str, function: str) -> None:
        for outer in function.split(".")[:2]:  # the inner one may be a tool
            self.reads.setdefault(outer, set()).add(name)

    def take_attribute(self, node: ast.Attribute, function: str) -> None:
        if node.attr == "argv" and function != GUARD:
            self.reads_arguments = True
        if function and isinstance(node.value, ast.Name) and node.value.id == "self":
            self.reads.setdefault(function.partition(".")[0], set()).add(node.attr)

    def take_call(self, node: ast.Call, function: str) -> None:
        if len(self._calls) < _CALLS:
            self._calls.append((node, function))
        if not function and not self.asks_at and isinstance(node.func, ast.Name) and node.func.id == "input":
            self.asks_at = node.lineno

    def take_subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str) and len(self._subscripts) < _CALLS:
            self._subscripts.append(node)

    def obstacles(self, defined: Collection[str], outside: Collection[str]) -> Iterator[Obstacle]:
        """The calls that fail in a browser. `defined`: names at the top level; `outside`: functions whose inner
        functions are tools."""
        builtin = "" if "input" in defined else "input"
        for node, function in self._calls:
            found = obstacle(node.lineno, function, self._origin(node.func, builtin), outside)
            if found:
                yield found

    def passing(self, names: Collection[str]) -> dict[str, tuple[str, ast.Call]]:
        """The first call of each of these functions and classes that passes values, and the outermost function that
        makes it. Calls at the top level and in tests do not count."""
        found: dict[str, tuple[str, ast.Call]] = {}
        for node, function in self._calls if names else ():
            called = getattr(node.func, "id", "")
            if called in names and function and (node.args or node.keywords) and not function.startswith("test"):
                found.setdefault(called, (function.partition(".")[0], node))
        return found

    def variables(self) -> Iterator[tuple[str, str]]:
        """The environment variables that the file reads, except where it runs as a program, with their defaults."""
        for node, function in self._calls:
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and function != GUARD:
                if self._origin(node.func) in ("os.getenv", "os.environ.get"):
                    default = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else ""
                    yield first.value, default if isinstance(default, str) else ""
        for one in self._subscripts:
            if self._origin(one.value) == "os.environ" and isinstance(one.slice, ast.Constant):
                yield str(one.slice.value), ""

    def _origin(self, name: ast.expr, builtin: str = "") -> str:
        """The full name behind an imported one, such as subprocess.run; empty for a name that is not imported."""
        inner: list[str] = []
        while isinstance(name, ast.Attribute):
            inner.append(name.attr)
            name = name.value
        if not isinstance(name, ast.Name):
            return ""
        root = self.bound.get(name.id, builtin if name.id == builtin and not inner else "")
        return ".".join([root, *reversed(inner)]) if root else ""
