"""Moves imports of missing modules into the functions that use them, so that an exported file can be imported without
these modules.

The last step of an export. Text goes in and comes out, with the names of the modules that are imported late. A value
that the file makes with a missing module becomes a function that makes it when it is first needed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..syntax import FUNCTIONS, Function, bound_name, first_line, imported_names, is_main_guard, last_line
from .conversion_code import Unwritable
from .source_edits import SourceEdits
from .source_lines import split_lines, without_byte_order_mark

# A function, or the block of `if __name__ == "__main__":`.
_Outer = Function | ast.If


class _Import(NamedTuple):
    """A name that is imported from a missing module."""

    module: str  # with leading dots if it is relative
    statement: str  # the import statement that binds only this name


def move_imports(text: str, missing: Iterable[str], unit: str) -> tuple[str, list[str]]:
    """The text without imports of the `missing` modules at its top level, and those modules that it imports elsewhere now.

    `unit`: one level of indentation. Raises Unwritable if a statement needs a module when the file is imported.
    """
    mover = _ImportMover(text, frozenset(missing), unit)
    moved = mover.write()
    return moved, [module for module in mover.modules if _imports_inside(moved, module.lstrip("."))]


def _imports_inside(text: str, module: str) -> bool:
    return re.search(rf"^\s+(from|import) {re.escape(module)}\b", text, re.MULTILINE) is not None


def needs_functools(text: str) -> bool:
    """Whether the text uses functools without importing it."""
    statements = ast.parse(without_byte_order_mark(text)).body
    return "@functools.cache\n" in text and not any("functools" in imported_names(statement) for statement in statements)


class _ImportMover:
    def __init__(self, text: str, missing: frozenset[str], unit: str) -> None:
        self._text, self._missing, self._unit = text, missing, unit
        self._edits = SourceEdits(text, frozenset())
        self._tree = self._edits.tree
        self._imports: dict[str, _Import] = {}  # by the names that they bind
        self._values: dict[str, str] = {}  # variables that are made with a missing module, with the functions that replace them
        self._classes: set[str] = set()  # classes whose constructor needs a missing module
        self.modules: dict[str, None] = {}
        evaluates_late = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in self._tree.body)
        self._quotes_annotations = not evaluates_late

    def write(self) -> str:
        """The changed text."""
        for statement in self._tree.body:
            self._remove_import(statement)
        if not self._imports:
            return self._text
        self._classes = {node.name for node in self._tree.body if isinstance(node, ast.ClassDef) and self._needs_missing(node)}
        self._find_values()
        self._name_functions()
        for statement in self._tree.body:
            self._rewrite(statement)
        return _limit_blank_lines(self._edits.write(self._text))

    # The imports at the top level

    def _remove_import(self, node: ast.stmt) -> None:
        """Removes the imports of missing modules from a statement, and remembers the names that they bind."""
        if isinstance(node, ast.Try) and _only_replaces_errors(node):
            if any(self._is_missing(found) for inner in node.body for _, found in _list_imports(inner)):
                self._remember(pair for inner in node.body for pair in _list_imports(inner))
                self._edits.remove([node])
            return
        missing = [(name, found) for name, found in _list_imports(node) if self._is_missing(found)]
        if not missing or not isinstance(node, (ast.Import, ast.ImportFrom)):
            return
        self._remember(missing)
        kept = [alias for alias in node.names if bound_name(alias) not in self._imports]
        if kept:
            rest = ast.Import(kept) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, kept, node.level)
            self._edits.replace_node(node, ast.unparse(rest))
        else:
            self._edits.remove([node])

    def _remember(self, imports: Iterable[tuple[str, _Import]]) -> None:
        for name, found in imports:
            self._imports[name] = found
            self.modules.setdefault(found.module)

    def _is_missing(self, found: _Import) -> bool:
        module = found.module
        if not module.strip("."):  # from . import name
            module += found.statement.rpartition("import ")[2].partition(" ")[0]
        return any(module == name or module.startswith(f"{name}.") for name in self._missing)

    # Values that are made with missing modules

    def _find_values(self) -> None:
        """Finds the variables that are made with missing modules, or with other such variables."""
        is_complete = False
        while not is_complete:
            is_complete = True
            for node in self._tree.body:
                name = _find_target(node)
                if name and name not in self._values and name != "TOOL_SPECS" and self._uses_missing(node.value):  # type: ignore[attr-defined]
                    self._values[name] = ""
                    is_complete = False
        changed = {name for node in ast.walk(self._tree) if isinstance(node, ast.Global) for name in node.names}
        changed |= {name for name in self._values if sum(_find_target(node) == name for node in self._tree.body) > 1}
        for name in changed & self._values.keys():
            raise Unwritable(f"{name} is made with a package that is not installed, and changed later")

    def _name_functions(self) -> None:
        """Chooses names for the functions that make the values."""
        used = {node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name)}
        used |= {node.name for node in self._tree.body if isinstance(node, FUNCTIONS)}
        used -= self._values.keys()
        for name in self._values:
            function = "_" + name.strip("_").lower()
            while function in used:
                function += "_"
            used.add(function)
            self._values[name] = function

    # The statements at the top level

    def _rewrite(self, node: ast.stmt) -> None:
        """Rewrites a statement so that it does not need the missing modules when the file is imported."""
        if isinstance(node, (ast.Import, ast.ImportFrom)) or self._is_removed_import(node):
            return
        name = _find_target(node)
        if isinstance(node, FUNCTIONS):
            self._rewrite_function(node)
        elif isinstance(node, ast.ClassDef):
            self._rewrite_class(node)
        elif is_main_guard(node):
            self._rewrite_body(node)
        elif name == "TOOL_SPECS":
            self._rewrite_specs(node)
        elif name in self._values:
            self._rewrite_value(node, name)
        elif isinstance(node, ast.AnnAssign) and self._uses_missing(node.annotation) and not self._uses_missing(node.value):
            self._edits.replace(self._edits.end(node.target), self._edits.end(node.annotation), "")
        elif self._uses_missing(node):
            self._remove_statement(node)

    def _is_removed_import(self, node: ast.stmt) -> bool:
        return isinstance(node, ast.Try) and any(name in self._imports for inner in node.body for name, _ in _list_imports(inner))

    def _remove_statement(self, node: ast.stmt) -> None:
        """Removes a statement whose names nothing else in the file reads."""
        bound = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        if any(self._is_used_elsewhere(name, node) for name in bound):
            raise Unwritable(f"“{self._first_line_of(node)}” uses {self._find_used(node)} when the file is imported. Move it into a function")
        self._edits.remove([node])

    def _is_used_elsewhere(self, name: str, node: ast.stmt) -> bool:
        return _count_name(self._tree, name) > _count_name(node, name)

    def _rewrite_function(self, node: Function) -> None:
        self._edits.remove([decorator for decorator in node.decorator_list if self._uses_missing(decorator)])
        parameters = node.args
        every = [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs, parameters.vararg, parameters.kwarg]
        for parameter in every:
            if parameter is not None:
                self._quote_annotation(parameter.annotation)
        self._quote_annotation(node.returns)
        if any(self._uses_missing(default) for default in [*parameters.defaults, *parameters.kw_defaults]):
            used = self._find_used(parameters)
            raise Unwritable(f"a default of {node.name}() uses {used}, which is not installed. Use None, and replace it inside")
        self._rewrite_body(node)

    def _rewrite_class(self, node: ast.ClassDef) -> None:
        """Rewrites the methods of a class. Removes a class whose base class is missing."""
        if any(self._uses_missing(base) for base in [*node.bases, *(keyword.value for keyword in node.keywords)]):
            if self._is_used_elsewhere(node.name, node):
                raise Unwritable(f"the class {node.name} inherits from {self._find_used(node)}, which is not installed")
            self._edits.remove([node])
            return
        self._edits.remove([decorator for decorator in node.decorator_list if self._uses_missing(decorator)])
        for member in node.body:
            if isinstance(member, FUNCTIONS):
                self._rewrite_function(member)
            elif isinstance(member, ast.ClassDef):
                self._rewrite_class(member)
            elif isinstance(member, ast.AnnAssign) and not self._uses_missing(member.value):
                self._quote_annotation(member.annotation)
            elif self._uses_missing(member):
                raise Unwritable(f"the class {node.name} uses {self._find_used(member)} when it is defined, which is not installed")

    def _rewrite_specs(self, node: ast.stmt) -> None:
        """Rewrites handlers that are methods of a value: the value is made at the first call."""
        for one in ast.walk(node):
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in self._values:
                self._edits.replace_node(one, f"lambda **arguments: {self._values[one.value.id]}().{one.attr}(**arguments)")

    def _rewrite_value(self, node: ast.stmt, name: str) -> None:
        """Turns a value that is made with a missing module into a function that makes it."""
        value: ast.expr = node.value  # type: ignore[attr-defined]
        read = [one for one in ast.walk(value) if isinstance(one, ast.Name)]
        self._replace_values([value], read)
        imports = "".join(f"{self._unit}{line}\n" for line in self._write_imports({one.id for one in read}))
        head = f"@functools.cache\ndef {self._values[name]}():\n{imports}{self._unit}return "
        has_long_text = any(isinstance(one, (ast.Constant, ast.JoinedStr)) and one.end_lineno != one.lineno for one in ast.walk(value))
        for line in () if has_long_text else range(value.lineno + 1, last_line(value) + 1):
            self._edits.insert(self._edits.line_start(line), self._unit)
        before, after = self._count_missing_blank_lines(node)
        self._edits.replace(self._edits.start(node), self._edits.start(value), "\n" * before + head)
        if after:
            self._edits.insert(self._edits.end(value), "\n" * after)

    def _count_missing_blank_lines(self, node: ast.stmt) -> tuple[int, int]:
        """The number of blank lines to add before and behind a statement, so that there are two."""
        body = self._tree.body
        at = body.index(node)
        before = node.lineno - last_line(body[at - 1]) - 1 if at > 0 else 2
        after = first_line(body[at + 1]) - last_line(node) - 1 if at + 1 < len(body) else 2
        return max(0, 2 - before), max(0, 2 - after)

    # The bodies of functions

    def _rewrite_body(self, node: _Outer) -> None:
        """Adds imports to a function or a block, and replaces the values that it reads."""
        local = _list_local_names(node) if isinstance(node, FUNCTIONS) else set()
        # Python does not evaluate annotations of local names.
        annotations = [one.annotation for statement in node.body for one in ast.walk(statement) if isinstance(one, ast.AnnAssign)]
        annotated = {id(one) for annotation in annotations for one in ast.walk(annotation)}
        for annotation in annotations:
            self._quote_annotation(annotation)
        names = [one for statement in node.body for one in ast.walk(statement) if isinstance(one, ast.Name)]
        read = [name for name in names if name.id not in local and id(name) not in annotated]
        self._replace_values(node.body, read)
        places: dict[ast.stmt, set[str]] = {}
        for name in {one.id: None for one in read if one.id in self._imports}:
            places.setdefault(_find_place(node.body, name), set()).add(name)
        for place, imported in places.items():
            self._insert_lines(node, place, self._write_imports(imported))

    def _quote_annotation(self, annotation: ast.expr | None) -> None:
        """Makes an annotation a text: otherwise it is evaluated with the definition."""
        if annotation is not None and self._quotes_annotations and self._uses_missing(annotation):
            source = " ".join(self._edits.source(annotation).split())
            self._edits.replace_node(annotation, f'"{source}"' if '"' not in source else repr(source))

    def _replace_values(self, body: Iterable[ast.AST], read: list[ast.Name]) -> None:
        """Replaces the names of values by calls of the functions that make them."""
        texts = [one for node in body for one in ast.walk(node) if isinstance(one, ast.JoinedStr)]
        inside = {id(one) for text in texts for one in ast.walk(text)}
        for name in read:
            if name.id in self._values:
                if sys.version_info < (3, 12) and id(name) in inside:
                    raise Unwritable(f"an f-string uses {name.id}, which is made with a missing package. Assign {name.id} to another variable first")
                self._edits.replace_node(name, f"{self._values[name.id]}()")

    def _write_imports(self, names: set[str]) -> list[str]:
        """Import statements for these names, with those of one module together."""
        by_module: dict[str, list[str]] = {}
        for name, found in self._imports.items():
            if name in names:
                head, _, imported = found.statement.partition(" import ")
                by_module.setdefault(head, []).extend([imported] if imported else [])
        return [f"{head} import {', '.join(imported)}" if imported else head for head, imported in by_module.items()]

    def _insert_lines(self, node: _Outer, before: ast.stmt, lines: list[str]) -> None:
        """Inserts lines before a statement of a function or a block."""
        first = first_line(before)
        start = self._edits.line_start(first)
        follows_code = self._text[start : self._edits.start(before)].strip() and not getattr(before, "decorator_list", ())
        if first == node.lineno or follows_code:
            raise Unwritable(f"the body of “{self._first_line_of(node)}” is on one line. Write it on lines of its own")
        indentation, end = self._edits.indentation(first), "\r\n" if "\r\n" in self._text else "\n"
        gap = end if isinstance(before, (*FUNCTIONS, ast.ClassDef)) else ""
        self._edits.insert(start, "".join(f"{indentation}{line}{end}" for line in lines) + gap)

    # Questions about nodes

    def _needs_missing(self, kind: ast.ClassDef) -> bool:
        """Whether the constructor of a class needs a missing module."""
        constructors = [member for member in kind.body if isinstance(member, FUNCTIONS) and member.name == "__init__"]
        return any(self._uses_missing(statement) for constructor in constructors for statement in constructor.body)

    def _uses_missing(self, node: ast.AST | None) -> bool:
        return node is not None and bool(self._find_used(node))

    def _find_used(self, node: ast.AST) -> str:
        """The first name of a missing module, or of a value that is made with one, that a node reads; empty if there is
        none."""
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and (one.id in self._imports or one.id in self._values):
                return one.id
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in self._classes:
                return one.func.id
        return ""

    def _first_line_of(self, node: ast.stmt) -> str:
        return self._text[self._edits.start(node) :].partition("\n")[0].strip()[:60]


def _limit_blank_lines(text: str) -> str:
    """The text with at most two blank lines between statements, and none at its start."""
    texts = (node for node in ast.walk(ast.parse(without_byte_order_mark(text))) if isinstance(node, (ast.Constant, ast.JoinedStr)))
    inside = {line for node in texts if node.end_lineno for line in range(node.lineno, node.end_lineno)}
    kept: list[str] = []
    for number, line in enumerate(split_lines(text), 1):
        if line.strip() or number in inside or (kept and "".join(kept[-2:]).strip()):
            kept.append(line)
    return "".join(kept)


def _list_imports(node: ast.stmt) -> Iterator[tuple[str, _Import]]:
    """Yields the names that an import statement binds, each with the import of this name alone."""
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return
    for alias in node.names:
        imported = f"{alias.name} as {alias.asname}" if alias.asname else alias.name
        if isinstance(node, ast.Import):
            yield bound_name(alias), _Import(alias.name, f"import {imported}")
        elif alias.name != "*":
            module = "." * node.level + (node.module or "")
            # In a folder of tools, a file beside this one is imported without dots.
            source = node.module if node.level == 1 and node.module else module
            yield bound_name(alias), _Import(module, f"from {source} import {imported}")


def _only_replaces_errors(node: ast.Try) -> bool:
    """Whether a block only turns the error of an import into another one."""
    always_raises = all(isinstance(handler.body[-1], ast.Raise) for handler in node.handlers)
    only_imports = all(isinstance(statement, (ast.Import, ast.ImportFrom)) for statement in node.body)
    return always_raises and only_imports and not node.orelse and not node.finalbody


def _find_target(node: ast.stmt) -> str:
    """The name of a statement that gives one name a value; empty for other statements."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    if isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.target, ast.Name):
        return node.target.id
    return ""


def _list_local_names(function: Function) -> set[str]:
    """The names that a function, or one inside it, binds itself."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, FUNCTIONS) and node is not function:
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(bound_name(node))
    return found


def _find_place(body: list[ast.stmt], name: str) -> ast.stmt:
    """The statement before which a name is imported: the first that reads it, in the innermost block that has all uses."""
    using = [statement for statement in body if _count_name(statement, name)]
    first = using[0]
    if len(using) == 1 and isinstance(first, (ast.If, ast.With, ast.Try)):
        handlers = [handler.body for handler in getattr(first, "handlers", ())]
        blocks = [first.body, getattr(first, "orelse", []), getattr(first, "finalbody", []), *handlers]
        inside = [block for block in blocks if any(_count_name(statement, name) for statement in block)]
        counted = sum(_count_name(statement, name) for block in inside for statement in block)
        if len(inside) == 1 and counted == _count_name(first, name):
            return _find_place(inside[0], name)
    return first


def _count_name(node: ast.AST, name: str) -> int:
    return sum(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))
