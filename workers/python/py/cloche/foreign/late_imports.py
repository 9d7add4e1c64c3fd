"""Moves imports of missing modules into the functions that use them, so that an exported file can be imported without."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator

from .source_edits import Edit, SourceEdits
from .source_expressions import Unwritable
from .spec_text import lines_of
from .tidying import imports_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Body = _Function | ast.If


def with_late_imports(text: str, missing: Iterable[str], unit: str) -> tuple[str, list[str]]:
    """The text without imports of the `missing` modules at its top level, and those modules that it imports elsewhere now.
    A value that is made with such a module becomes a function that makes it once.

    Raises Unwritable if a statement needs a module when the file is imported.
    """
    mover = _Mover(text, frozenset(missing), unit)
    made = mover.text()
    named = {one: re.escape(one.lstrip(".")) for one in mover.modules}
    return made, [one for one, name in named.items() if re.search(rf"^\s+(from|import) {name}\b", made, re.MULTILINE)]


class _Mover:
    def __init__(self, text: str, missing: frozenset[str], unit: str) -> None:
        self._text, self._missing, self._unit = text, missing, unit
        self._edits = SourceEdits(text, frozenset())
        self._tree = self._edits.tree
        self._making: set[str] = set()  # classes whose constructor needs a missing module
        self._late: dict[str, tuple[str, str]] = {}  # names, with their module and what is imported
        self._values: dict[str, str] = {}  # values of the file that become functions
        self.modules: dict[str, None] = {}
        self._quotes = not any(isinstance(one, ast.ImportFrom) and one.module == "__future__" for one in self._tree.body)

    def text(self) -> str:
        for one in self._tree.body:
            self._take_import(one)
        if not self._late:
            return self._text
        self._making = {one.name for one in self._tree.body if isinstance(one, ast.ClassDef) and self._needs(one)}
        self._find_values()
        for one in self._tree.body:
            self._rewrite(one)
        return _with_two_blank_lines(self._edits.rewritten(self._text))

    def _take_import(self, node: ast.stmt) -> None:
        """Removes the imports of missing modules from a statement, and remembers the names that they bind."""
        inner = node.body if isinstance(node, ast.Try) and _only_raises(node) else [node]
        found = [pair for one in inner for pair in self._missing_names(one)]
        if not found:
            return
        if isinstance(node, ast.Try):
            found = [pair for one in inner for pair in _names_of(one)]
        for name, said in found:
            self._late[name] = said
            self.modules.setdefault(said[0])
        kept = [] if isinstance(node, ast.Try) else [one for one in node.names if (one.asname or one.name.partition(".")[0]) not in self._late]  # type: ignore[attr-defined]
        if kept:
            rest = ast.Import(kept) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, kept, node.level)  # type: ignore[attr-defined]
            self._edits.replace([Edit(self._edits.start(node), self._edits.end(node), ast.unparse(rest))])
        else:
            self._edits.remove([node])

    def _missing_names(self, node: ast.stmt) -> Iterator[tuple[str, tuple[str, str]]]:
        for name, (module, said) in _names_of(node):
            dotted = module if not module.startswith(".") or module.strip(".") else module + said.rpartition("import ")[2].partition(" ")[0]
            if any(dotted == one or dotted.startswith(f"{one}.") for one in self._missing):
                yield name, (module, said)

    def _find_values(self) -> None:
        """Finds variables that are made with missing modules, and names the functions that will make them."""
        changed = True
        while changed:
            changed = False
            for one in self._tree.body:
                name = _target(one)
                if name and name not in self._values and name != "TOOL_SPECS" and self._uses(one.value):  # type: ignore[attr-defined]
                    self._values[name] = "_" + name.strip("_").lower()
                    changed = True
        stored = {name for one in ast.walk(self._tree) if isinstance(one, ast.Global) for name in one.names}
        stored |= {name for name in self._values if sum(_target(one) == name for one in self._tree.body) > 1}
        for name in stored & self._values.keys():
            raise Unwritable(f"{name} is made with a package that is not installed, and changed later")
        taken = {one.id for one in ast.walk(self._tree) if isinstance(one, ast.Name)} | {one.name for one in self._tree.body if isinstance(one, _FUNCTIONS)}
        taken -= self._values.keys()
        for name, made in self._values.items():
            while made in taken:
                made += "_"
            taken.add(made)
            self._values[name] = made

    def _rewrite(self, node: ast.stmt) -> None:
        """Rewrites a statement at the top level so that it does not need the missing modules when the file is imported."""
        if isinstance(node, (ast.Import, ast.ImportFrom)) or self._is_removed(node):
            return
        if isinstance(node, _FUNCTIONS):
            self._function(node)
        elif isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, ast.If) and _is_guard(node):
            self._body(node, node.body)
        elif _target(node) == "TOOL_SPECS":
            self._specs(node)
        elif (name := _target(node)) in self._values:
            self._value(node, name)
        elif isinstance(node, ast.AnnAssign) and self._uses(node.annotation) and not self._uses(node.value):
            self._edits.replace([Edit(self._edits.end(node.target), self._edits.end(node.annotation), "")])
        elif self._uses(node):
            bound = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
            if bound and any(isinstance(one, ast.Name) and one.id in bound and not _inside(one, node) for one in ast.walk(self._tree)):
                raise Unwritable(f"“{self._first_line(node)}” uses {self._used(node)} when the file is imported. Move it into a function")
            self._edits.remove([node])

    def _is_removed(self, node: ast.stmt) -> bool:
        return isinstance(node, ast.Try) and any(name in self._late for one in node.body for name, _ in _names_of(one))

    def _function(self, node: _Function) -> None:
        gone = [one for one in node.decorator_list if self._uses(one)]
        self._edits.remove(gone)  # type: ignore[arg-type]
        taken = node.args
        for one in [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg]:
            if one is not None:
                self._quote(one.annotation)
        self._quote(node.returns)
        if any(self._uses(one) for one in [*taken.defaults, *taken.kw_defaults]):
            raise Unwritable(f"a default of {node.name}() uses {self._used(taken)}, which is not installed. Use None, and replace it inside")
        self._body(node, node.body)

    def _class(self, node: ast.ClassDef) -> None:
        """Rewrites the methods of a class. Removes a class whose base class is missing."""
        if any(self._uses(one) for one in [*node.bases, *(key.value for key in node.keywords)]):
            if any(isinstance(one, ast.Name) and one.id == node.name and not _inside(one, node) for one in ast.walk(self._tree)):
                raise Unwritable(f"the class {node.name} inherits from {self._used(node)}, which is not installed")
            self._edits.remove([node])
            return
        self._edits.remove([one for one in node.decorator_list if self._uses(one)])  # type: ignore[misc]
        for one in node.body:
            if isinstance(one, _FUNCTIONS):
                self._function(one)
            elif isinstance(one, ast.ClassDef):
                self._class(one)
            elif isinstance(one, ast.AnnAssign) and not self._uses(one.value):
                self._quote(one.annotation)
            elif self._uses(one):
                raise Unwritable(f"the class {node.name} uses {self._used(one)} when it is defined, which is not installed")

    def _quote(self, annotation: ast.expr | None) -> None:
        """An annotation is evaluated with the definition, unless it is text."""
        if annotation is not None and self._quotes and self._uses(annotation):
            source = " ".join(self._edits.source(annotation).split())
            quoted = f'"{source}"' if '"' not in source else repr(source)
            self._edits.replace([Edit(self._edits.start(annotation), self._edits.end(annotation), quoted)])

    def _body(self, node: _Body, body: list[ast.stmt]) -> None:
        """Adds imports to a function or a block, and replaces the values that it reads."""
        local = _bound_in(node) if isinstance(node, _FUNCTIONS) else set()
        # Python does not evaluate annotations of local names.
        given = [one.annotation for stmt in body for one in ast.walk(stmt) if isinstance(one, ast.AnnAssign)]
        said = {id(one) for annotation in given for one in ast.walk(annotation)}
        for one in given:
            self._quote(one)
        read = [one for stmt in body for one in ast.walk(stmt) if isinstance(one, ast.Name) and one.id not in local and id(one) not in said]
        self._replace_values(body, read)
        places: dict[ast.stmt, set[str]] = {}
        for name in {one.id: None for one in read if one.id in self._late}:
            places.setdefault(_place(body, name), set()).add(name)
        for place, names in places.items():
            self._insert(node, place, self._imports(names))

    def _insert(self, node: _Body, before: ast.stmt, lines: list[str]) -> None:
        first = min([before.lineno, *(one.lineno for one in getattr(before, "decorator_list", ()))])
        start = self._edits.line_start(first)
        if first == node.lineno or self._text[start : self._edits.start(before)].strip() and not getattr(before, "decorator_list", ()):
            raise Unwritable(f"the body of “{self._first_line(node)}” is on one line. Write it on lines of its own")
        indent = self._edits.indentation(first)
        end = "\r\n" if "\r\n" in self._text else "\n"
        gap = end if isinstance(before, (*_FUNCTIONS, ast.ClassDef)) else ""
        self._edits.replace([Edit(start, start, "".join(f"{indent}{line}{end}" for line in lines) + gap)])

    def _imports(self, names: set[str]) -> list[str]:
        """Import statements for these names, with those of one module together."""
        found = {name: said for name, said in self._late.items() if name in names}
        together: dict[str, list[str]] = {}
        for module, said in found.values():
            head, _, what = said.partition(" import ")
            whats = together.setdefault(head, [])
            if what:
                whats.append(what)
        return [f"{head} import {', '.join(what)}" if what else head for head, what in together.items()]

    def _replace_values(self, body: Iterable[ast.AST], read: list[ast.Name]) -> None:
        inside = [one for stmt in body for text in ast.walk(stmt) if isinstance(text, ast.JoinedStr) for one in ast.walk(text)]
        for one in read:
            if one.id in self._values:
                if sys.version_info < (3, 12) and one in inside:
                    raise Unwritable(f"an f-string has {one.id}, which is made with a missing package. Give it another name before")
                self._edits.replace([Edit(self._edits.start(one), self._edits.end(one), f"{self._values[one.id]}()")])

    def _value(self, node: ast.stmt, name: str) -> None:
        """A value that is made with a missing package becomes a function that makes it when it is first needed."""
        value: ast.expr = node.value  # type: ignore[attr-defined]
        read = [one for one in ast.walk(value) if isinstance(one, ast.Name)]
        self._replace_values([value], read)
        lines = "".join(f"{self._unit}{line}\n" for line in self._imports({one.id for one in read}))
        made = f"@functools.cache\ndef {self._values[name]}():\n{lines}{self._unit}return "
        has_text = any(isinstance(one, (ast.Constant, ast.JoinedStr)) and one.end_lineno != one.lineno for one in ast.walk(value))
        for line in () if has_text else range(value.lineno + 1, (value.end_lineno or 0) + 1):
            self._edits.replace([Edit(self._edits.line_start(line), self._edits.line_start(line), self._unit)])
        before, after = self._gap(node)
        self._edits.replace([Edit(self._edits.start(node), self._edits.start(value), "\n" * before + made)])
        if after:
            self._edits.replace([Edit(self._edits.end(value), self._edits.end(value), "\n" * after)])

    def _gap(self, node: ast.stmt) -> tuple[int, int]:
        """The number of blank lines to add before and behind a statement, so that there are two."""
        at = self._tree.body.index(node)
        body = [one for one in self._tree.body]
        before = max(0, 2 - (node.lineno - (body[at - 1].end_lineno or 0) - 1)) if at else 0
        following = body[at + 1] if at + 1 < len(body) else None
        first = min([following.lineno, *(one.lineno for one in getattr(following, "decorator_list", ()))]) if following else 0
        return before, max(0, 2 - (first - (node.end_lineno or 0) - 1)) if following else 0

    def _first_line(self, node: ast.stmt) -> str:
        return self._text[self._edits.start(node) :].partition("\n")[0].strip()[:60]

    def _needs(self, kind: ast.ClassDef) -> bool:
        """Whether the constructor of a class needs a missing module."""
        return any(isinstance(one, _FUNCTIONS) and one.name == "__init__" and any(self._uses(stmt) for stmt in one.body) for one in kind.body)

    def _specs(self, node: ast.stmt) -> None:
        """Handlers that are methods of an object which is made later."""
        for one in ast.walk(node):
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in self._values:
                made = f"lambda **arguments: {self._values[one.value.id]}().{one.attr}(**arguments)"
                self._edits.replace([Edit(self._edits.start(one), self._edits.end(one), made)])

    def _uses(self, node: ast.AST | None) -> bool:
        return node is not None and bool(self._used(node))

    def _used(self, node: ast.AST) -> str:
        """The first name of a missing module, or of a value that is made with one, that a node reads."""
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and (one.id in self._late or one.id in self._values):
                return one.id
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in self._making:
                return one.func.id
        return ""


def _with_two_blank_lines(text: str) -> str:
    """The text with at most two blank lines between statements, and none at its start."""
    texts = (one for one in ast.walk(ast.parse(text.removeprefix("\ufeff"))) if isinstance(one, (ast.Constant, ast.JoinedStr)))
    inside = {line for one in texts if one.end_lineno for line in range(one.lineno, one.end_lineno)}
    kept: list[str] = []
    for number, line in enumerate(lines_of(text), 1):
        if line.strip() or number in inside or (kept and "".join(kept[-2:]).strip()):
            kept.append(line)
    return "".join(kept)


def needs_functools(text: str) -> bool:
    """Whether the text uses functools without importing it."""
    return "@functools.cache\n" in text and not any("functools" in imports_of(one) for one in ast.parse(text.removeprefix("\ufeff")).body)


def _names_of(node: ast.stmt) -> Iterator[tuple[str, tuple[str, str]]]:
    """The names that an import binds, each with its module and the statement that binds only it."""
    for one in getattr(node, "names", ()) if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
        said = f"{one.name} as {one.asname}" if one.asname else one.name
        if isinstance(node, ast.Import):
            yield one.asname or one.name.partition(".")[0], (one.name, f"import {said}")
        elif one.name != "*":
            module = "." * node.level + (node.module or "")
            # A file beside this one has no dots in a folder of tools.
            source = node.module if node.level == 1 and node.module else module
            yield one.asname or one.name, (module, f"from {source} import {said}")


def _only_raises(node: ast.Try) -> bool:
    """Whether a block only turns the error of an import into another one."""
    ends = all(isinstance(one.body[-1], ast.Raise) for one in node.handlers)
    return ends and not node.orelse and not node.finalbody and all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in node.body)


def _target(node: ast.stmt) -> str:
    """The name of a statement that gives one name a value; empty for any other."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    if isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.target, ast.Name):
        return node.target.id
    return ""


def _bound_in(node: _Function) -> set[str]:
    """The names that a function, or one inside it, binds itself."""
    found = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    found |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    found |= {one.name for one in ast.walk(node) if isinstance(one, _FUNCTIONS) and one is not node}
    return found | {one.asname or one.name.partition(".")[0] for one in ast.walk(node) if isinstance(one, ast.alias)}


def _inside(node: ast.AST, outer: ast.AST) -> bool:
    return any(one is node for one in ast.walk(outer))


def _place(body: list[ast.stmt], name: str) -> ast.stmt:
    """The statement before which a name is imported: the first that reads it, in the innermost block that has all uses."""
    using = [one for one in body if _reads(one, name)]
    only = using[0]
    if len(using) == 1 and isinstance(only, (ast.If, ast.With, ast.Try)):
        blocks = [only.body, getattr(only, "orelse", []), getattr(only, "finalbody", []), *(one.body for one in getattr(only, "handlers", ()))]
        inside = [block for block in blocks if any(_reads(one, name) for one in block)]
        counted = sum(_count(one, name) for block in inside for one in block)
        if len(inside) == 1 and counted == _count(only, name):
            return _place(inside[0], name)
    return only


def _reads(node: ast.AST, name: str) -> bool:
    return _count(node, name) > 0


def _count(node: ast.AST, name: str) -> int:
    return sum(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def _is_guard(node: ast.If) -> bool:
    return isinstance(node.test, ast.Compare) and isinstance(node.test.left, ast.Name) and node.test.left.id == "__name__"
