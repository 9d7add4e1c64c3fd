"""Takes out of code that runs an application, such as main(), only the statements that its tools need."""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Collection, Iterator
from types import FunctionType, MethodType
from typing import Any

from .resuming import Definition, compiled, definition_of
from .source_nodes import GUARD, is_main_guard

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Statements whose blocks are looked into. Others are kept as a whole, or not at all.
BLOCKS = (ast.If, ast.With, ast.AsyncWith, ast.Try)
# Methods of these names put something into an object that tools use.
_FILLS = ("add", "append", "extend", "insert", "register", "set", "update")


def parsed(path: str) -> ast.Module | None:
    """The file as it is now; None if it has changed since it was imported, and cannot be parsed."""
    linecache.checkcache(path)
    try:
        return ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def needed_function(
    tree: ast.Module, space: dict[str, Any], path: str, name: str, lines: Collection[int], always: bool = False
) -> tuple[FunctionType, Definition] | None:
    """A top-level function, or the block of a `__main__` guard, without the statements that its tools do not need.

    `space`: the names of the file. `lines`: those that make tools. Decorators of the function do not run: they belong
    to its command line. `always`: tools under a condition are made whatever it says. None if nothing can be taken out.
    Raises what the defaults of its parameters raise.
    """
    found = _guard(tree) if name == GUARD else next((one for one in tree.body if isinstance(one, _FUNCTIONS) and one.name == name), None)
    if found is None:
        return None
    found = copy.copy(found)
    body = _unconditional(found.body, lines) if always else found.body
    found.body, found.decorator_list = needed_statements(body, lines), []
    found = copy.deepcopy(found)  # statements that fail are taken out of it later
    made: dict[str, FunctionType] = {}
    try:
        code = compile(ast.Module([*_futures(tree), found], []), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return None
    exec(code, space, made)
    return made[name], Definition(found, None)


def needed_method(method: MethodType, lines: Collection[int]) -> tuple[MethodType, Definition] | None:
    """A method without the statements that its tools do not need. None if nothing can be taken out."""
    definition = definition_of(method.__func__)
    if definition is None:
        return None
    definition.function.body = needed_statements(definition.function.body, lines)
    made = compiled(definition, method.__func__)
    return (MethodType(made, method.__self__), definition) if made is not None else None


def _futures(tree: ast.Module) -> list[ast.ImportFrom]:
    return [one for one in tree.body if isinstance(one, ast.ImportFrom) and one.module == "__future__"]


def _guard(tree: ast.Module) -> ast.FunctionDef | None:
    """The blocks of the guards as one function, whose names are those of the file."""
    body = [statement for one in tree.body if isinstance(one, ast.If) and is_main_guard(one.test) for statement in one.body]
    if not body:
        return None
    names = sorted({name for one in body for name in _stored(one) if name.isidentifier()})
    shared = [ast.copy_location(ast.Global(names), body[0])] if names else []
    made = ast.parse(f"def {GUARD}(): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.body = [*shared, *body]
    return ast.copy_location(made, body[0])


def needed_statements(body: list[ast.stmt], lines: Collection[int]) -> list[ast.stmt]:
    """The statements that make tools, and those whose names these need."""
    leaves = list(_leaves(body))
    own = {name for one in leaves for name in _stored(one)}
    kept = {id(one) for one in leaves if isinstance(one, ast.Global) or _makes(one, lines)}
    wanted = {name for one in leaves if id(one) in kept for name in _loaded(one)}
    wanted.update(name for one in _headers(body, kept) for name in _loaded(one))
    while True:
        more = [one for one in leaves if id(one) not in kept and wanted & (_stored(one) | (_filled(one) & own))]
        if not more:
            return _only(body, kept)
        for one in more:
            kept.add(id(one))
            wanted.update(_loaded(one))
        wanted.update(name for one in _headers(body, kept) for name in _loaded(one))


def _unconditional(body: list[ast.stmt], lines: Collection[int]) -> list[ast.stmt]:
    """The statements, with the branches that make tools in place of the conditions around them."""
    found: list[ast.stmt] = []
    for one in body:
        branches = [one.body, one.orelse] if isinstance(one, ast.If) and _makes(one, lines) else []
        chosen = [block for block in branches if any(_makes(each, lines) for each in block)]
        found += [each for block in chosen for each in _unconditional(block, lines)] or [one]
    return found


def _leaves(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that can be kept. A loop that may wait for the application cannot."""
    for one in body:
        if isinstance(one, BLOCKS):
            for block in _inner(one):
                yield from _leaves(block)
        elif not isinstance(one, (ast.While, ast.AsyncFor)):
            yield one


def _inner(statement: ast.stmt) -> list[list[ast.stmt]]:
    return [block for key in ("body", "orelse", "finalbody") if (block := getattr(statement, key, None))]


def _headers(body: list[ast.stmt], kept: set[int]) -> Iterator[ast.AST]:
    """The conditions and contexts of the blocks with statements that are kept."""
    for one in body:
        if isinstance(one, BLOCKS) and any(id(leaf) in kept for block in _inner(one) for leaf in _leaves(block)):
            if isinstance(one, ast.If):
                yield one.test
            elif isinstance(one, (ast.With, ast.AsyncWith)):
                yield from one.items
            for block in _inner(one):
                yield from _headers(block, kept)


def _only(body: list[ast.stmt], kept: set[int]) -> list[ast.stmt]:
    """The statements of a block that are kept, and blocks cut down to those in them."""
    left: list[ast.stmt] = []
    for one in body:
        if id(one) in kept:
            left.append(one)
        elif isinstance(one, BLOCKS) and any(id(leaf) in kept for block in _inner(one) for leaf in _leaves(block)):
            cut = copy.copy(one)
            for key in ("body", "orelse", "finalbody"):
                block = getattr(one, key, [])
                if block:
                    setattr(cut, key, _only(block, kept))
            left.append(cut)
    return left or [ast.copy_location(ast.Pass(), body[0])]


def _makes(statement: ast.stmt, lines: Collection[int]) -> bool:
    decorators = [one.lineno for one in getattr(statement, "decorator_list", ())]
    return any(min([statement.lineno, *decorators]) <= line <= (statement.end_lineno or 0) for line in lines)


def _loaded(node: ast.AST) -> set[str]:
    """The names that a node reads, and those of attributes: self.server."""
    return set(_names(node, ast.Load))


def _names(node: ast.AST, context: type[ast.expr_context]) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, context):
            yield one.id
        elif isinstance(one, ast.Attribute) and isinstance(one.ctx, context) and isinstance(one.value, ast.Name):
            yield f"{one.value.id}.{one.attr}"


def _stored(statement: ast.stmt) -> set[str]:
    """The names and attributes that a statement defines, or whose items it sets. Names inside functions and classes are
    their own."""
    if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(one.asname or one.name).partition(".")[0] for one in statement.names}
    found = set(_names(statement, ast.Store))
    items = [one.value for one in ast.walk(statement) if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)]
    return found | {one.id for one in items if isinstance(one, ast.Name)}


def _filled(statement: ast.stmt) -> set[str]:
    """The name of the object to which a statement adds something: parser.add_argument(…)."""
    called = statement.value.func if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else None
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.attr.startswith(_FILLS):
        return {called.value.id}
    return set()
