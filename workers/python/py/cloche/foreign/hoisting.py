"""Moves tools out of functions that add them to a server, such as register_tools(mcp), or that make them, such as main(),
to the top level of the file."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import TypeGuard

from .needed_code import BLOCKS, needed_statements
from .reading import Reading
from .source_nodes import GUARD, is_main_guard
from .spec_text import lines_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)
# Statements with these only work inside a function.
_INSIDE = (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Yield, ast.YieldFrom, ast.Return, ast.Nonlocal)
_READS_ARGUMENTS = {"parse_args", "parse_known_args", "argv"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef
# The class of the server, with its module, by framework.
_SERVERS = {"pydantic-ai": ("Agent", "pydantic_ai"), "fastmcp": ("FastMCP", "fastmcp")}


def hoisted(text: str, reading: Reading, made_at: Collection[int] = ()) -> str:
    """The text with the tools at its top level. Tools that use values of the application stay where they are.

    `made_at`: the lines of tools that the file makes. Without them, only functions that take a server are changed.
    """
    plain = text.removeprefix("\ufeff")
    tree = ast.parse(plain)
    mover = _Mover(plain, tree, reading)
    for node in tree.body:
        if isinstance(node, _FUNCTIONS) and node.name in reading.registering:
            mover.move(node)
        elif _makes(node, reading) and _has(node, made_at):
            mover.move_needed(node)
        for one in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(one, _FUNCTIONS) and one.name in reading.server_classes.get(node.name, ()) and _has(one, made_at):
                mover.move_out(one, node)
    return text[: len(text) - len(plain)] + mover.text()


def _has(node: ast.stmt, lines: Collection[int]) -> bool:
    return any(node.lineno <= line <= (node.end_lineno or 0) for line in lines)


def _makes(node: ast.stmt, reading: Reading) -> bool:
    """Whether the statement is a function, or the main guard, that makes tools."""
    if isinstance(node, ast.If):
        return GUARD in reading.builders and is_main_guard(node.test) and not node.orelse
    return isinstance(node, _FUNCTIONS) and node.name in reading.builders


class _Mover:
    def __init__(self, text: str, tree: ast.Module, reading: Reading) -> None:
        self._lines = lines_of(text)
        self._end = "\r\n" if self._lines and self._lines[0].endswith("\r\n") else "\n"
        self._tree, self._reading = tree, reading
        self._bound = {name for one in tree.body for name in _bound(one)}
        self._read = [one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
        self._server = ""
        self._replaced: dict[int, tuple[int, list[str]]] = {}  # first lines, with the last line and the new lines
        self._inside_texts = {line for one in ast.walk(tree) for line in self._of_text(one)} - _documented(tree)

    def text(self) -> str:
        made: list[str] = []
        at = 1
        for first, (last, lines) in sorted(self._replaced.items()):
            made += [*self._lines[at - 1 : first - 1], *lines]
            at = last + 1
        return "".join([*made, *self._lines[at - 1 :]])

    def move(self, node: _Function) -> None:
        """Moves the statements of a function that adds tools to a server, except for those that use its other parameters."""
        if _shares_lines(node):
            return
        server = self._reading.registering[node.name]
        taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        missing = {one.arg for one in taken if one.arg != server}
        body = node.body[1:] if _is_text(node.body[0]) else node.body
        moved: list[ast.stmt] = []
        stays: list[ast.stmt] = []
        for one in body:
            bound = set(_bound(one))
            if bound & self._bound or not _can_move(one) or missing & set(_read(one)):
                missing |= bound
                stays.append(one)
            else:
                moved.append(one)
        if not any(isinstance(one, _FUNCTIONS) or server in _read(one) for one in moved):
            return
        blocks = [*self._made(), *(self._dedented(one, _named(one, server)) for one in moved if not self._registers(one))]
        self._replace(node, moved, blocks, stays, node.name in self._read)

    def move_needed(self, node: _Function | ast.If) -> None:
        """Moves the tools, and the statements that these need, unless one of them only works where it stands."""
        body = node.body
        moved = [one for one in needed_statements(list(body), self._reading.made_at) if not isinstance(one, ast.Global)]
        bound = {name for one in moved for name in _bound(one)}
        read = {name for one in moved for name in _read(one)}
        taken = node.args if isinstance(node, _FUNCTIONS) else None
        values = [] if taken is None else self._defaults(taken, read)
        fails = any(isinstance(one, BLOCKS) or not _can_move(one) or _READS_ARGUMENTS & set(_attributes(one)) for one in moved)
        if values is None or fails or _shares_lines(node) or (taken is not None and bound & self._bound):
            return
        blocks = [values] if values else []
        was_plain = bool(values)
        for one in moved:
            lines = self._dedented(one, [])
            is_plain = not isinstance(one, _DEFINITIONS)
            if is_plain and was_plain:
                blocks[-1] = [*blocks[-1], *lines]
            else:
                blocks.append(lines)
            was_plain = is_plain
        self._replace(node, moved, blocks, [one for one in body if one not in moved and not _is_text(one)], False)

    def move_out(self, method: _Function, kind: ast.ClassDef) -> None:
        """Moves the tools that a method makes out of its class, with what they need, unless they use its object for
        anything but its server."""
        own = method.args.args[0].arg if method.args.args else ""
        tools = [one for one in method.body if isinstance(one, _FUNCTIONS)]
        servers = {one.value.attr for tool in tools for each in tool.decorator_list if (one := _root(each)) and _is_of(one.value, own)}
        needed = [one for one in needed_statements(list(method.body), self._reading.made_at) if not isinstance(one, ast.Global)]
        moved = [one for one in needed if not (isinstance(one, ast.Assign) and any(_is_of(target, own) and target.attr in servers for target in one.targets))]
        renamed = {id(one): [each for each in ast.walk(one) if _is_of(each, own) and each.attr in servers] for one in moved}
        taken = {one.arg for one in ast.walk(method.args) if isinstance(one, ast.arg)} - {own}
        bound = {name for one in moved for name in _bound(one)}
        fails = any(isinstance(one, BLOCKS) or not _can_move(one) or taken & set(_read(one)) or _READS_ARGUMENTS & set(_attributes(one)) for one in moved)
        uses = any(_read(one).count(own) > len(renamed[id(one)]) for one in moved)
        if fails or uses or bound & self._bound or method.decorator_list or _shares_lines(method) or not any(one in tools for one in moved):
            return
        blocks = [*(self._made() if servers else []), *(self._dedented(one, renamed[id(one)]) for one in moved)]
        self._bound.update(bound)
        first = _first_line(kind)
        before = self._replaced.get(first, (0, []))[1]
        self._replaced[first] = (first - 1, [*before, *(line for block in blocks for line in (*block, self._end, self._end))])
        rest = [one for one in method.body if one not in moved and not _is_text(one)]
        self._replaced[_first_line(method)] = (method.end_lineno or method.lineno, self._shortened(method, rest))

    def _defaults(self, taken: ast.arguments, read: set[str]) -> list[str] | None:
        """Assignments of the defaults of those parameters that are read; None if one has no default."""
        positional = [*taken.posonlyargs, *taken.args]
        defaults = [*[None] * (len(positional) - len(taken.defaults)), *taken.defaults, *taken.kw_defaults]
        made = []
        for one, default in zip([*positional, *taken.kwonlyargs], defaults):
            if one.arg in read:
                if default is None or one.arg in self._bound:
                    return None
                made.append(f"{one.arg} = {ast.unparse(default)}{self._end}")
        return None if {one.arg for one in (taken.vararg, taken.kwarg) if one} & read else made

    def _replace(self, node: _Function | ast.If, moved: list[ast.stmt], blocks: list[list[str]], stays: list[ast.stmt], is_used: bool) -> None:
        """Replaces a function by what is moved out of it, and by the function with the rest."""
        self._bound.update(name for one in moved for name in _bound(one))
        rest = [one for one in stays if not isinstance(one, ast.Return)]
        if rest or is_used:
            blocks.append(self._shortened(node, rest))
        lines = [line for block in blocks for line in (self._end, self._end, *block)][2:]
        self._replaced[_first_line(node)] = (node.end_lineno or node.lineno, lines)

    def _made(self) -> list[list[str]]:
        """The server that the moved tools are added to, if it is not there yet."""
        if self._server:
            return []
        self._server = "_server"
        while self._server in self._bound:
            self._server += "_"
        framework = self._reading.framework
        kind, module = _SERVERS.get(framework.id if framework else "", ("FastMCP", "mcp.server.fastmcp"))
        found = [] if kind in self._bound else [f"from {module} import {kind}{self._end}"]
        return [[*found, f'{self._server} = {kind}("tools"){self._end}']]

    def _registers(self, node: ast.stmt) -> bool:
        """Whether the statement only calls another function of the file that adds tools."""
        called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
        return isinstance(called, ast.Name) and called.id in self._reading.registering

    def _dedented(self, node: ast.stmt, named: list[ast.expr]) -> list[str]:
        """The lines of the statement at the top level, with the name of the new server in place of these names."""
        first = _first_line(node)
        while self._lines[first - 2].lstrip().startswith("#"):
            first -= 1
        made = []
        for number in range(first, (node.end_lineno or first) + 1):
            line = self._lines[number - 1]
            for one in sorted((one for one in named if one.lineno == number), key=lambda one: -one.col_offset):
                # Python counts columns in bytes of UTF-8.
                before, after = line.encode()[: one.col_offset].decode(), line.encode()[one.end_col_offset :].decode()
                line = before + self._server + after
            is_indented = number not in self._inside_texts and not line[: node.col_offset].strip()
            made.append((line[node.col_offset :] or self._end) if is_indented else line)
        return made if made[-1].endswith(("\n", "\r")) else [*made[:-1], made[-1] + self._end]

    def _shortened(self, node: _Function | ast.If, rest: list[ast.stmt]) -> list[str]:
        """The function with these statements only."""
        has_text, first = _is_text(node.body[0]), _first_line(node.body[0])
        head = self._lines[_first_line(node) - 1 : (node.body[0].end_lineno or 0) if has_text else first - 1]
        kept = [line for one in rest for line in self._lines[_first_line(one) - 1 : one.end_lineno]]
        inner = self._lines[first - 1][: node.body[0].col_offset]
        return [*head, *(kept or ([] if has_text else [f"{inner}pass{self._end}"]))]

    def _of_text(self, node: ast.AST) -> Iterator[int]:
        """The lines, but the first, of a text in triple quotes: their spaces belong to the text."""
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno and node.end_lineno > node.lineno:
            lines = range(node.lineno + 1, node.end_lineno + 1)
            if any(mark in "".join(self._lines[node.lineno - 1 : node.end_lineno]) for mark in ('"""', "'''")):
                yield from lines


def _named(node: ast.stmt, name: str) -> list[ast.expr]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == name]


def _is_of(node: ast.AST, own: str) -> TypeGuard[ast.Attribute]:
    """Whether this is an attribute of the own object, such as self.mcp."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == own


def _root(decorator: ast.expr) -> ast.Attribute | None:
    """The method of a server that a decorator calls, such as self.mcp.tool."""
    root = decorator.func if isinstance(decorator, ast.Call) else decorator
    return root if isinstance(root, ast.Attribute) else None


def _shares_lines(node: _Function | ast.If) -> bool:
    """Whether several statements are on one line."""
    starts, ends = [one.lineno for one in node.body], [node.lineno, *(one.end_lineno or 0 for one in node.body)]
    return any(start <= end for start, end in zip(starts, ends))


def _attributes(node: ast.stmt) -> list[str]:
    return [one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)]


def _can_move(node: ast.stmt) -> bool:
    waiting: list[ast.AST] = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, _INSIDE):
            return False
        inner = one is not node or isinstance(one, _DEFINITIONS)
        is_function = inner and isinstance(one, (*_FUNCTIONS, ast.Lambda))
        # A function inside may wait and return, but its nonlocal names would be in no function.
        waiting += [child for child in ast.walk(one) if isinstance(child, ast.Nonlocal)] if is_function else list(ast.iter_child_nodes(one))
    return True


def _documented(tree: ast.Module) -> set[int]:
    """The lines of docstrings, whose indentation does not count."""
    texts = [one.body[0] for one in ast.walk(tree) if isinstance(one, _DEFINITIONS) and _is_text(one.body[0])]
    return {line for one in texts for line in range(one.lineno, (one.end_lineno or 0) + 1)}


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, _DEFINITIONS):
        return [node.name]
    names = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    return names + [one.asname or one.name.partition(".")[0] for one in ast.walk(node) if isinstance(one, ast.alias)]


def _read(node: ast.stmt) -> list[str]:
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
