"""Collects what a file uses from elsewhere: imported modules, calls of imported names, environment variables.

`source_reader` adds the nodes of the file one by one, and then asks for the results.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator

from .browser_limits import Obstacle, find_obstacle
from .frameworks import LIBRARIES, framework_of
from .syntax import GUARD, assigned_names, bound_name, is_attribute_of, is_name, list_methods

_CALLS = 20_000
_MAKING = (ast.Call, ast.Await, ast.Name)  # values that other names make
_READ_ARGUMENTS = ("argparse", "click", "typer", "fire")

_JSON_START, _JSON_END = re.compile(r"[\w\-./\\* ]*\Z"), re.compile(r"\.json[\"']")
_LONGEST_NAME = 200  # of a JSON file, with its folders


class SourceUses:
    """The imports, calls and environment variables of one file.

    Find obstacles and variables after all nodes are added: an import may stand below a function that uses it.
    """

    def __init__(self) -> None:
        self.imports: dict[str, int] = {}  # modules, with the line of the first import
        self.guarded: set[int] = set()  # lines of imports whose failure the file handles
        self.imports_framework_late = False  # whether a function imports a framework
        self.relative: dict[str, int] = {}  # modules that are imported with leading dots, with their lines
        self.bound: dict[str, str] = {}  # names that imports bind, with what they stand for
        self.reads: dict[str, set[str]] = {}  # the names that each function reads; attributes of self as "self.name"
        self.reads_arguments = False  # whether the file reads command-line arguments
        self.asks_at = 0  # the line at the top level that waits for input
        self._calls: list[tuple[ast.Call, str]] = []  # with the function that makes the call
        self._subscripts: list[ast.Subscript] = []

    def add_import(self, node: ast.Import, function: str, guarded: bool) -> None:
        """Adds the modules of an import statement. `guarded`: the file handles its failure."""
        for alias in node.names:
            self.bound[bound_name(alias)] = alias.name if alias.asname else bound_name(alias)
        self._add_modules([alias.name for alias in node.names], node.lineno, function, guarded)

    def add_import_from(self, node: ast.ImportFrom, function: str, guarded: bool) -> None:
        """Adds the module and the names of a from … import statement. `guarded`: the file handles its failure."""
        if node.level == 0 and node.module:
            self._bind_names(node, f"{node.module}.")
            # Packages below `google` belong to different frameworks.
            inner = [f"{node.module}.{alias.name}" for alias in node.names if node.module == "google"]
            self._add_modules([node.module, *inner], node.lineno, function, guarded)
            return
        dots = "." * node.level
        for module in [node.module] if node.module else [alias.name for alias in node.names]:
            self.relative.setdefault(dots + module.partition(".")[0], node.lineno)
        self._bind_names(node, f"{dots}{node.module}." if node.module else dots)

    def _bind_names(self, node: ast.ImportFrom, origin: str) -> None:
        self.bound.update((alias.asname or alias.name, origin + alias.name) for alias in node.names)

    def _add_modules(self, modules: list[str], line: int, function: str, guarded: bool) -> None:
        for module in modules:
            self.imports.setdefault(module, line)
            top = module.partition(".")[0]
            if top in _READ_ARGUMENTS and function != GUARD:
                self.reads_arguments = True
            if function and (framework_of(module) or top in LIBRARIES):
                self.imports_framework_late = True
        if guarded:
            self.guarded.add(line)

    def add_name(self, name: str, function: str) -> None:
        """Adds a name that a function reads, to the outermost function and the one inside it, which may be a tool."""
        for outer in function.split(".")[:2]:
            self.reads.setdefault(outer, set()).add(name)

    def find_reads(self, tree: ast.Module) -> dict[str, set[str]]:
        """Returns the names that each function reads, and those that make a variable of the file or an attribute of self: Client for
        client = Client(). An attribute may also be a method."""
        self._add_made(tree.body)
        return self.reads

    def _add_made(self, statements: Iterable[ast.stmt], is_method: bool = False) -> None:
        for statement in statements:
            kind = type(statement)  # comparing classes is faster than isinstance
            if (kind is ast.Assign or kind is ast.AnnAssign) and type(statement.value) in _MAKING:  # type: ignore[attr-defined]
                for name in _own_attributes(statement) if is_method else assigned_names(statement):
                    self.reads.setdefault(name, set()).update(_list_roots(statement.value))
            elif kind is ast.ClassDef:
                for method in list_methods(statement):  # type: ignore[arg-type]
                    self.reads.setdefault(f"self.{method.name}", set()).add(method.name)
                    self._add_made(method.body, is_method=True)
            elif kind is ast.If or kind is ast.Try or kind is ast.With:
                self._add_made(statement.body, is_method)  # type: ignore[attr-defined]

    def add_attribute(self, node: ast.Attribute, function: str) -> None:
        """Adds an attribute: sys.argv, or an attribute of self that a method reads."""
        if node.attr == "argv" and function != GUARD:
            self.reads_arguments = True
        if function and is_attribute_of(node, "self"):
            self.reads.setdefault(function.partition(".")[0], set()).add(f"self.{node.attr}")

    def add_call(self, node: ast.Call, function: str) -> None:
        """Adds a call, which may be an obstacle, pass values to a function, or read an environment variable."""
        if len(self._calls) < _CALLS:
            self._calls.append((node, function))
        if not function and not self.asks_at and is_name(node.func, "input"):
            self.asks_at = node.lineno

    def add_subscript(self, node: ast.Subscript, function: str) -> None:
        """Adds an item that is read by its key, which may be the name of an environment variable."""
        is_read = isinstance(node.ctx, ast.Load) and function != GUARD
        if is_read and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str) and len(self._subscripts) < _CALLS:
            self._subscripts.append(node)

    def find_obstacles(self, defined: Collection[str], makers: Collection[str]) -> Iterator[Obstacle]:
        """Yields the calls that fail in a browser.

        `defined`: names at the top level, one of which may be `input`. `makers`: functions whose inner functions are tools.
        """
        builtin = "" if "input" in defined else "input"
        for node, function in self._calls:
            found = find_obstacle(node.lineno, function, self._find_origin(node.func, builtin), makers)
            if found:
                yield found

    def find_calls_with_values(self, names: Collection[str]) -> dict[str, tuple[str, ast.Call]]:
        """The first call of each of these functions and classes that passes values, and the outermost function that
        makes the call. Calls at the top level and in tests do not count."""
        found: dict[str, tuple[str, ast.Call]] = {}
        for node, function in self._calls:
            called = getattr(node.func, "id", "")
            if called in names and function and (node.args or node.keywords) and not function.startswith("test"):
                found.setdefault(called, (function.partition(".")[0], node))
        return found

    def find_variables(self) -> Iterator[tuple[str, str]]:
        """Yields the environment variables that the file reads, with their defaults. The block that runs only if the
        file is a program does not count."""
        for node, function in self._calls:
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and function != GUARD:
                if self._find_origin(node.func) in ("os.getenv", "os.environ.get"):
                    default = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else ""
                    yield first.value, default if isinstance(default, str) else ""
        for subscript in self._subscripts:
            if self._find_origin(subscript.value) == "os.environ" and isinstance(subscript.slice, ast.Constant):
                yield str(subscript.slice.value), ""

    def _find_origin(self, node: ast.expr, builtin: str = "") -> str:
        """The full name behind an imported one, such as subprocess.run for `run`; empty for a name that is not imported.

        `builtin`: a name that needs no import.
        """
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        root = self.bound.get(node.id, builtin if node.id == builtin and not attributes else "")
        return ".".join([root, *reversed(attributes)]) if root else ""


def _own_attributes(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    """The attributes of self that an assignment sets, such as self.client."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [f"self.{target.attr}" for target in targets if is_attribute_of(target, "self")]


def _list_roots(value: ast.expr) -> Iterator[str]:
    """The names with which a call makes a value: Client and key for Client(key).open()."""
    waiting: list[ast.expr] = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, (ast.Attribute, ast.Await, ast.Starred)):
            waiting.append(node.value)
        elif isinstance(node, ast.Call):
            waiting += [node.func, *node.args, *(keyword.value for keyword in node.keywords)]


def find_json_files(source: str) -> Iterator[str]:
    """Yields the names of JSON files at the end of texts in a source: tools.json, or .json for f"{tool}.json"."""
    for end in _JSON_END.finditer(source):
        start = _JSON_START.search(source, max(0, end.start() - _LONGEST_NAME), end.start())
        yield (start[0] if start else "") + ".json"
