"""Moves tools out of functions to the top level of a file: out of functions that add them to a server, such as
register_tools(mcp), and out of functions and methods that make them, such as main().

The first step of an export: text goes in, and comes out changed, or the same if the tools use values of the application.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from ..needed_code import BLOCKS, select_needed
from ..reading import Reading
from ..syntax import (
    DEFINITIONS,
    FUNCTIONS,
    GUARD,
    Function,
    called_function,
    defined_names,
    first_line,
    imported_names,
    is_attribute_of,
    is_main_guard,
    is_text,
    last_line,
    list_methods,
    list_parameters,
    parameter_names,
    read_names,
)
from .source_lines import find_line_end, split_at_column, split_lines, without_byte_order_mark

# Nodes that only work inside a function.
_ONLY_INSIDE = (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Yield, ast.YieldFrom, ast.Return, ast.Nonlocal)
_READS_COMMAND_LINE = {"parse_args", "parse_known_args", "argv"}
# The class of the server, with its module, by framework.
_SERVERS = {"pydantic-ai": ("Agent", "pydantic_ai"), "fastmcp": ("FastMCP", "fastmcp")}
_SERVER = ("FastMCP", "mcp.server.fastmcp")
# A function, or the block of `if __name__ == "__main__":`.
_Outer = Function | ast.If


def hoist_tools(text: str, reading: Reading, tool_lines: Collection[int] = ()) -> str:
    """The text with the tools at its top level. Tools that use values of the application stay where they are.

    `tool_lines`: the lines of the tools that were found when the file was imported. Without them, only functions that take a
    server are changed. `reading.made_at` has the lines that make tools as far as the source shows.
    """
    plain = without_byte_order_mark(text)
    tree = ast.parse(plain)
    hoister = _Hoister(plain, tree, reading)
    for node in tree.body:
        if isinstance(node, FUNCTIONS) and node.name in reading.server_parameters:
            hoister.hoist_registered(node)
        elif _makes_tools(node, reading) and _has_line(node, tool_lines):
            hoister.hoist_needed(node)
        elif isinstance(node, ast.ClassDef):
            for method in list_methods(node):
                if method.name in reading.server_classes.get(node.name, ()) and _has_line(method, tool_lines):
                    hoister.hoist_out_of_class(method, node)
    return text[: len(text) - len(plain)] + hoister.write()


def _has_line(node: ast.stmt, lines: Collection[int]) -> bool:
    return any(node.lineno <= line <= last_line(node) for line in lines)


def _makes_tools(node: ast.stmt, reading: Reading) -> bool:
    """Whether a statement is a function, or the main guard, that makes tools."""
    if isinstance(node, ast.If):
        return GUARD in reading.makers and is_main_guard(node) and not node.orelse
    return isinstance(node, FUNCTIONS) and node.name in reading.makers


class _Hoister:
    def __init__(self, text: str, tree: ast.Module, reading: Reading) -> None:
        self._lines = split_lines(text)
        self._end = find_line_end(text)
        self._reading = reading
        self._bound = {name for node in tree.body for name in _list_bound(node)}  # names at the top level
        self._read = read_names(tree)
        self._server = ""  # the name of the server that is added, once it is
        self._replaced: dict[int, tuple[int, list[str]]] = {}  # first lines, with the last line and the new lines
        self._inside_texts = _find_lines_inside_texts(tree, self._lines)

    def write(self) -> str:
        """The text with all changes."""
        written: list[str] = []
        at = 1
        for first, (last, lines) in sorted(self._replaced.items()):
            written += [*self._lines[at - 1 : first - 1], *lines]
            at = last + 1
        return "".join([*written, *self._lines[at - 1 :]])

    def hoist_registered(self, node: Function) -> None:
        """Moves the statements of a function that adds tools to a server, except for those that use its other parameters."""
        if _has_shared_lines(node):
            return
        server = self._reading.server_parameters[node.name]
        unavailable = {parameter.arg for parameter in list_parameters(node)} - {server}
        moved: list[ast.stmt] = []
        kept: list[ast.stmt] = []
        for statement in node.body[1:] if is_text(node.body[0]) else node.body:
            bound = set(_list_bound(statement))
            if bound & self._bound or not _works_outside(statement) or unavailable & set(read_names(statement)):
                unavailable |= bound
                kept.append(statement)
            else:
                moved.append(statement)
        if not any(isinstance(statement, FUNCTIONS) or server in read_names(statement) for statement in moved):
            return
        blocks = self._make_server()
        for statement in moved:
            # A call of another function that adds tools is left out, since the tools of that function are moved, too.
            if not self._calls_registering(statement):
                uses = [one for one in ast.walk(statement) if isinstance(one, ast.Name) and one.id == server]
                blocks.append(self._dedent(statement, uses))
        self._replace(node, moved, blocks, kept, is_called=node.name in self._read)

    def hoist_needed(self, node: _Outer) -> None:
        """Moves the tools, and the statements that these need, unless one of them only works where it stands."""
        moved = self._select_needed(node)
        defaults = self._write_defaults(node.args, _read_by(moved)) if isinstance(node, FUNCTIONS) else []
        # The names of the main guard are at the top level already.
        clashes = isinstance(node, FUNCTIONS) and not self._bound.isdisjoint(_bound_by(moved))
        if defaults is None or clashes or _has_shared_lines(node) or not all(map(_can_be_hoisted, moved)):
            return
        blocks = [defaults] if defaults else []
        was_plain = bool(defaults)
        for statement in moved:
            lines = self._dedent(statement, [])
            is_plain = not isinstance(statement, DEFINITIONS)
            if is_plain and was_plain:  # no blank lines between them
                blocks[-1] = [*blocks[-1], *lines]
            else:
                blocks.append(lines)
            was_plain = is_plain
        kept = [statement for statement in node.body if statement not in moved and not is_text(statement)]
        self._replace(node, moved, blocks, kept, is_called=False)

    def hoist_out_of_class(self, method: Function, kind: ast.ClassDef) -> None:
        """Moves the tools that a method makes out of its class, with what they need, unless they use its object for
        anything but its server."""
        own = method.args.args[0].arg if method.args.args else ""
        tools = [statement for statement in method.body if isinstance(statement, FUNCTIONS)]
        servers = _find_servers(tools, own)
        moved = [statement for statement in self._select_needed(method) if not _sets_attribute(statement, own, servers)]
        # The attributes for which the new server is written, such as self.mcp.
        uses = {id(statement): [one for one in ast.walk(statement) if is_attribute_of(one, own) and one.attr in servers] for statement in moved}
        uses_object = any(read_names(statement).count(own) > len(uses[id(statement)]) for statement in moved)
        uses_parameters = not (parameter_names(method) - {own}).isdisjoint(_read_by(moved))
        clashes = not self._bound.isdisjoint(_bound_by(moved))
        if uses_object or uses_parameters or clashes or method.decorator_list or _has_shared_lines(method):
            return
        if not any(statement in tools for statement in moved) or not all(map(_can_be_hoisted, moved)):
            return
        blocks = [*(self._make_server() if servers else []), *(self._dedent(statement, uses[id(statement)]) for statement in moved)]
        self._bound.update(_bound_by(moved))
        self._insert_before(kind, blocks)
        rest = [statement for statement in method.body if statement not in moved and not is_text(statement)]
        self._replaced[first_line(method)] = (last_line(method), self._shorten(method, rest))

    def _insert_before(self, kind: ast.ClassDef, blocks: list[list[str]]) -> None:
        """Inserts blocks of lines before a class, after those that are inserted there already."""
        first = first_line(kind)
        _, before = self._replaced.get(first, (0, []))
        lines = [line for block in blocks for line in (*block, self._end, self._end)]
        self._replaced[first] = (first - 1, [*before, *lines])  # replaces no line

    def _select_needed(self, node: _Outer) -> list[ast.stmt]:
        needed = select_needed(list(node.body), self._reading.made_at)
        return [statement for statement in needed if not isinstance(statement, ast.Global)]

    def _write_defaults(self, parameters: ast.arguments, read: set[str]) -> list[str] | None:
        """Assignments of the defaults of those parameters that are read; None if one has no default."""
        positional = [*parameters.posonlyargs, *parameters.args]
        missing = [None] * (len(positional) - len(parameters.defaults))
        defaults = [*missing, *parameters.defaults, *parameters.kw_defaults]
        written = []
        for parameter, default in zip([*positional, *parameters.kwonlyargs], defaults):
            if parameter.arg not in read:
                continue
            if default is None or parameter.arg in self._bound:
                return None
            written.append(f"{parameter.arg} = {ast.unparse(default)}{self._end}")
        variable = {parameter.arg for parameter in (parameters.vararg, parameters.kwarg) if parameter}
        return None if variable & read else written

    def _replace(self, node: _Outer, moved: list[ast.stmt], blocks: list[list[str]], kept: list[ast.stmt], is_called: bool) -> None:
        """Replaces a function by the blocks of lines that are moved out of it, and by the function with what is kept.

        `is_called`: the function stays even if nothing is kept.
        """
        self._bound.update(_bound_by(moved))
        rest = [statement for statement in kept if not isinstance(statement, ast.Return)]
        if rest or is_called:
            blocks.append(self._shorten(node, rest))
        separated = [line for block in blocks for line in (self._end, self._end, *block)]
        lines = separated[2:]  # without the blank lines before the first block
        self._replaced[first_line(node)] = (last_line(node), lines)

    def _make_server(self) -> list[list[str]]:
        """The block that makes the server to which the moved tools are added; none if it is there already."""
        if self._server:
            return []
        self._server = "_server"
        while self._server in self._bound:
            self._server += "_"
        framework = self._reading.framework
        kind, module = _SERVERS.get(framework.id if framework else "", _SERVER)
        imports = [] if kind in self._bound else [f"from {module} import {kind}{self._end}"]
        return [[*imports, f'{self._server} = {kind}("tools"){self._end}']]

    def _calls_registering(self, statement: ast.stmt) -> bool:
        """Whether a statement only calls another function of the file that adds tools."""
        called = called_function(statement)
        return isinstance(called, ast.Name) and called.id in self._reading.server_parameters

    def _dedent(self, statement: ast.stmt, uses: list[ast.expr]) -> list[str]:
        """The lines of a statement at the top level, with its comments. The name of the new server replaces `uses`."""
        first = first_line(statement)
        while self._lines[first - 2].lstrip().startswith("#"):
            first -= 1
        written = []
        for number in range(first, last_line(statement) + 1):
            line = self._lines[number - 1]
            on_line = [use for use in uses if use.lineno == number]
            for use in sorted(on_line, key=lambda one: one.col_offset, reverse=True):
                before, _ = split_at_column(line, use.col_offset)
                _, after = split_at_column(line, use.end_col_offset or 0)
                line = before + self._server + after
            is_indented = number not in self._inside_texts and not line[: statement.col_offset].strip()
            written.append((line[statement.col_offset :] or self._end) if is_indented else line)
        if not written[-1].endswith(("\n", "\r")):
            written[-1] += self._end
        return written

    def _shorten(self, node: _Outer, rest: list[ast.stmt]) -> list[str]:
        """The lines of a function with its docstring and these statements only."""
        has_text, first = is_text(node.body[0]), first_line(node.body[0])
        head = self._lines[first_line(node) - 1 : last_line(node.body[0]) if has_text else first - 1]
        kept = [line for statement in rest for line in self._lines[first_line(statement) - 1 : statement.end_lineno]]
        indentation = self._lines[first - 1][: node.body[0].col_offset]
        return [*head, *(kept or ([] if has_text else [f"{indentation}pass{self._end}"]))]


def _find_lines_inside_texts(tree: ast.Module, lines: list[str]) -> set[int]:
    """The lines, but the first, of texts in triple quotes: their spaces belong to the text. Docstrings do not count."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and last_line(node) > node.lineno:
            if any(mark in "".join(lines[node.lineno - 1 : node.end_lineno]) for mark in ('"""', "'''")):
                found.update(range(node.lineno + 1, last_line(node) + 1))
    docstrings = [node.body[0] for node in ast.walk(tree) if isinstance(node, DEFINITIONS) and is_text(node.body[0])]
    return found - {line for text in docstrings for line in range(text.lineno, last_line(text) + 1)}


def _find_servers(tools: list[Function], own: str) -> set[str]:
    """The attributes whose decorators the tools have: mcp for @self.mcp.tool(). `own`: the name of self."""
    decorators = [decorator for tool in tools for decorator in tool.decorator_list]
    roots = [decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in decorators]
    return {root.value.attr for root in roots if isinstance(root, ast.Attribute) and is_attribute_of(root.value, own)}


def _sets_attribute(statement: ast.stmt, own: str, names: set[str]) -> bool:
    """Whether a statement sets one of these attributes of the object."""
    return isinstance(statement, ast.Assign) and any(is_attribute_of(target, own) and target.attr in names for target in statement.targets)


def _has_shared_lines(node: _Outer) -> bool:
    """Whether several statements are on one line."""
    starts, ends = [statement.lineno for statement in node.body], [node.lineno, *map(last_line, node.body)]
    return any(start <= end for start, end in zip(starts, ends))


def _can_be_hoisted(statement: ast.stmt) -> bool:
    """Whether a statement that a tool needs works at the top level, without the command line."""
    attributes = {node.attr for node in ast.walk(statement) if isinstance(node, ast.Attribute)}
    return not isinstance(statement, BLOCKS) and _works_outside(statement) and not _READS_COMMAND_LINE & attributes


def _works_outside(statement: ast.stmt) -> bool:
    """Whether a statement works outside of a function."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _ONLY_INSIDE):
            return False
        is_inner_function = isinstance(node, (*FUNCTIONS, ast.Lambda))
        # A function inside may wait and return, but its nonlocal names would be in no function.
        waiting += [child for child in ast.walk(node) if isinstance(child, ast.Nonlocal)] if is_inner_function else ast.iter_child_nodes(node)
    return True


def _bound_by(statements: Iterable[ast.stmt]) -> set[str]:
    return {name for statement in statements for name in _list_bound(statement)}


def _read_by(statements: Iterable[ast.stmt]) -> set[str]:
    return {name for statement in statements for name in read_names(statement)}


def _list_bound(statement: ast.stmt) -> list[str]:
    """The names that a statement defines or imports."""
    if isinstance(statement, DEFINITIONS):
        return [statement.name]
    return defined_names(statement) + [name for node in ast.walk(statement) for name in imported_names(node)]
