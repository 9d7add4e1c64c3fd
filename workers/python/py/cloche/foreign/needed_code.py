"""Extracts from code that runs an application, such as main(), only the statements that its tools need.

`tool_makers` calls what is left, and `export.hoisting` moves it to the top level. The lines that make tools go in; a
function with only the needed statements, or these statements, come out.
"""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Collection, Iterator
from types import FunctionType, MethodType
from typing import Any

from .resuming_functions import FunctionSource, compile_function, find_source
from .syntax import DEFINITIONS, FUNCTIONS, GUARD, called_function, first_line, imported_names, is_main_guard, last_line

# Statements whose inner blocks are searched. Other statements are kept as a whole, or not at all.
BLOCKS = (ast.If, ast.With, ast.AsyncWith, ast.Try)
_BLOCK_FIELDS = ("body", "orelse", "finalbody")
# Loops that may wait for the application.
_WAITING_LOOPS = (ast.While, ast.AsyncFor)
# Methods of these names put something into an object that tools use.
_FILLING_METHODS = ("add", "append", "extend", "insert", "register", "set", "update")


def parse_file(path: str) -> ast.Module | None:
    """The syntax tree of a file; None if the file has changed since it was imported, and cannot be parsed."""
    linecache.checkcache(path)
    try:
        return ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def make_needed_function(
    tree: ast.Module, names: dict[str, Any], path: str, name: str, lines: Collection[int], always: bool = False
) -> tuple[FunctionType, FunctionSource] | None:
    """A top-level function, or the block of a `__main__` guard, with only the statements that its tools need.

    `names`: those of the module. `lines`: the lines that make tools. `always`: tools under a condition are made even if
    it does not hold. Decorators do not run: they belong to the command line. Returns None if there is no such function.
    Raises what the defaults of its parameters raise.
    """
    if name == GUARD:
        found = _make_guard_function(tree)
    else:
        found = next((node for node in tree.body if isinstance(node, FUNCTIONS) and node.name == name), None)
    if found is None:
        return None
    needed = copy.copy(found)
    body = _remove_conditions(found.body, lines) if always else found.body
    needed.body, needed.decorator_list = select_needed(body, lines), []
    needed = copy.deepcopy(needed)  # statements that fail are taken out of it later
    futures = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    try:
        code = compile(ast.Module([*futures, needed], []), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return None
    made: dict[str, FunctionType] = {}
    exec(code, names, made)
    return made[name], FunctionSource(needed, None)


def make_needed_method(method: MethodType, lines: Collection[int]) -> tuple[MethodType, FunctionSource] | None:
    """A method with only the statements that its tools need; None if it cannot be compiled alone."""
    source = find_source(method.__func__)
    if source is None:
        return None
    source.function.body = select_needed(source.function.body, lines)
    made = compile_function(source, method.__func__)
    return (MethodType(made, method.__self__), source) if made is not None else None


def select_needed(body: list[ast.stmt], lines: Collection[int]) -> list[ast.stmt]:
    """The statements at the lines that make tools, and the statements that define what these use.

    Starts with the statements that make tools. Then statements are added that define a name which is read, until no
    more are found. A statement that fills an object of the block, such as parser.add_argument(…), defines it, too.
    """
    simple = list(_list_simple_statements(body))
    own = {name for statement in simple for name in _list_stored(statement)}
    kept = {id(statement) for statement in simple if isinstance(statement, ast.Global) or _makes_tool(statement, lines)}
    wanted = {name for statement in simple if id(statement) in kept for name in _list_read(statement)}
    while True:
        wanted.update(name for part in _list_headers(body, kept) for name in _list_read(part))
        more = [one for one in simple if id(one) not in kept and wanted & (_list_stored(one) | (_list_filled(one) & own))]
        if not more:
            return _select_kept(body, kept)
        for statement in more:
            kept.add(id(statement))
            wanted.update(_list_read(statement))


def _make_guard_function(tree: ast.Module) -> ast.FunctionDef | None:
    """The blocks of `if __name__ == "__main__":` as one function, whose variables are global."""
    body = [statement for node in tree.body if is_main_guard(node) for statement in node.body]
    if not body:
        return None
    names = sorted({name for statement in body for name in _list_stored(statement) if name.isidentifier()})
    shared = [ast.copy_location(ast.Global(names), body[0])] if names else []
    made = ast.parse(f"def {GUARD}(): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.body = [*shared, *body]
    return ast.copy_location(made, body[0])


def _remove_conditions(body: list[ast.stmt], lines: Collection[int]) -> list[ast.stmt]:
    """The statements, with the branches that make tools in place of the conditions around them."""
    found: list[ast.stmt] = []
    for statement in body:
        branches = [statement.body, statement.orelse] if isinstance(statement, ast.If) and _makes_tool(statement, lines) else []
        chosen = [branch for branch in branches if any(_makes_tool(inner, lines) for inner in branch)]
        found += [inner for branch in chosen for inner in _remove_conditions(branch, lines)] or [statement]
    return found


def _list_simple_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements that can be kept, also those inside blocks."""
    for statement in body:
        if isinstance(statement, BLOCKS):
            for block in _list_inner_blocks(statement):
                yield from _list_simple_statements(block)
        elif not isinstance(statement, _WAITING_LOOPS):
            yield statement


def _list_headers(body: list[ast.stmt], kept: set[int]) -> Iterator[ast.AST]:
    """Yields the conditions and contexts of the blocks that have statements to keep. `kept`: ids of statements."""
    for statement in body:
        if not _has_kept(statement, kept):
            continue
        if isinstance(statement, ast.If):
            yield statement.test
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            yield from statement.items
        for block in _list_inner_blocks(statement):
            yield from _list_headers(block, kept)


def _select_kept(body: list[ast.stmt], kept: set[int]) -> list[ast.stmt]:
    """The statements of a block that are kept. Blocks are copied with only these statements in them."""
    left: list[ast.stmt] = []
    for statement in body:
        if id(statement) in kept:
            left.append(statement)
        elif _has_kept(statement, kept):
            shorter = copy.copy(statement)
            for field in _BLOCK_FIELDS:
                block = getattr(statement, field, [])
                if block:
                    setattr(shorter, field, _select_kept(block, kept))
            left.append(shorter)
    return left or [ast.copy_location(ast.Pass(), body[0])]


def _has_kept(statement: ast.stmt, kept: set[int]) -> bool:
    """Whether a statement is a block with statements to keep."""
    if not isinstance(statement, BLOCKS):
        return False
    return any(id(inner) in kept for block in _list_inner_blocks(statement) for inner in _list_simple_statements(block))


def _list_inner_blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    return [block for field in _BLOCK_FIELDS if (block := getattr(statement, field, None))]


def _makes_tool(statement: ast.stmt, lines: Collection[int]) -> bool:
    return any(first_line(statement) <= line <= last_line(statement) for line in lines)


def _list_read(node: ast.AST) -> set[str]:
    """The names that a node reads, and its attributes of names, such as self.server."""
    return set(_list_names(node, ast.Load))


def _list_stored(statement: ast.stmt) -> set[str]:
    """The names and attributes that a statement defines, or whose items it sets. Names inside a function or class are
    not counted."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return set(imported_names(statement))
    changed = [node.value for node in ast.walk(statement) if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)]
    return set(_list_names(statement, ast.Store)) | {node.id for node in changed if isinstance(node, ast.Name)}


def _list_names(node: ast.AST, context: type[ast.expr_context]) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, context):
            yield one.id
        elif isinstance(one, ast.Attribute) and isinstance(one.ctx, context) and isinstance(one.value, ast.Name):
            yield f"{one.value.id}.{one.attr}"


def _list_filled(statement: ast.stmt) -> set[str]:
    """The name of the object to which a statement adds something, such as parser for parser.add_argument(…)."""
    called = called_function(statement)
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.attr.startswith(_FILLING_METHODS):
        return {called.value.id}
    return set()
