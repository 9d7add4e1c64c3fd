"""Goes on with a file whose top level raises an exception, or with a function of it that builds tools: without the
statement that failed, the tools may still work."""

from __future__ import annotations

import __future__

import ast
import linecache
import sys
from collections.abc import Callable, Mapping
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from ..failures import describe
from .found import Note
from .low_level import run_at_once
from .modules.common import Unavailable
from .reading import Reading

_STATEMENTS = 20  # the number of statements that may fail
_IMPORTS = (ast.Import, ast.ImportFrom)
_WHOLE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.AsyncFor, ast.While)


def go_on(module: ModuleType, source: str, path: str, raised: BaseException, reading: Reading) -> list[Note]:
    """Runs what follows the statement that raised the exception, and returns one note for each statement that failed.

    A missing import ends the file, and so does the user who cancels it.
    """
    body = ast.parse(source).body
    futures = [one for one in body if isinstance(one, ast.ImportFrom) and one.module == "__future__"]
    notes: list[Note] = []
    sys.modules[module.__name__] = module  # models and dataclasses look up the names of their annotations there
    while isinstance(raised, (Exception, SystemExit)) and len(notes) < _STATEMENTS:
        line = _line_of(raised, path)
        at = next((index for index, one in enumerate(body) if _first_line(one) <= line <= (one.end_lineno or 0)), None)
        if at is None or isinstance(body[at], _IMPORTS):
            break
        notes.append(_note(raised, line, reading))
        why = f"which is missing because line {line} of the file failed ({_said(raised)})"
        for name in _names(body[at]):
            vars(module).setdefault(name, Unavailable(name, why))
        body = body[at + 1 :]
        try:
            exec(compile(ast.Module([*futures, *body], []), path, "exec", dont_inherit=True), vars(module))
        except BaseException as again:
            raised = again
        else:
            return notes
    sys.modules.pop(module.__name__, None)
    return [*notes, _stopped(raised, path, reading)]


class Failed(NamedTuple):
    """A statement of a function that raised an exception."""

    line: int
    raised: BaseException
    is_left_out: bool  # else the function stopped there


def call_without(function: FunctionType | MethodType, named: Mapping[str, Any], undo: Callable[[], None]) -> list[Failed]:
    """Calls a function, again and again without the statement of its own that raised an exception.

    Returns these statements. `undo` takes back what a call that stopped has recorded.
    """
    failed: list[Failed] = []
    node = None
    plain: Any = getattr(function, "__func__", function)
    own = [function.__self__] if isinstance(function, MethodType) else []
    while True:
        try:
            run_at_once(plain, own, named)
            return failed
        except (Exception, SystemExit) as raised:
            line = _line_in(raised, plain)
            node = node or _node_of(plain)
            missing = _leave_out(node, line) if node is not None and line and len(failed) < _STATEMENTS else None
            shorter = _compiled(node, plain) if missing is not None else None
            failed.append(Failed(line or plain.__code__.co_firstlineno, raised, shorter is not None))
            if shorter is None:
                return failed
            why = f"which is missing because line {line} of the file failed ({_said(raised)})"
            named = {**named, **{name: Unavailable(shown, why) for name, shown in (missing or {}).items()}}
        undo()
        plain = shorter


def _line_in(raised: BaseException, function: FunctionType) -> int:
    """The line of the function that was running; 0 if the exception is not from inside it."""
    traceback = raised.__traceback__
    while traceback is not None and traceback.tb_frame.f_code is not function.__code__:
        traceback = traceback.tb_next
    return traceback.tb_lineno if traceback is not None else 0


def _node_of(function: FunctionType) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The definition of a function that uses nothing of an enclosing function or class; None for others."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    for one in ast.walk(tree) if not code.co_freevars else ():
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and _first_line(one) == code.co_firstlineno:
            one.decorator_list = []
            return one
    return None


def _leave_out(node: ast.FunctionDef | ast.AsyncFunctionDef, line: int) -> dict[str, str] | None:
    """Leaves out the innermost statement at this line, or only the value that it assigns. Returns the parameters that
    the function takes instead, and what they stand for. None if the statement imports something."""
    block, at = _place(node, line)
    if block is None or isinstance(block[at], _IMPORTS):
        return None
    failed = block[at]
    if isinstance(failed, ast.Assign) and all(isinstance(one, (ast.Name, ast.Attribute)) for one in failed.targets):
        names = {f"_missing_{line}": ast.unparse(failed.targets[0])}
        failed.value = ast.copy_location(ast.Name(f"_missing_{line}", ast.Load()), failed.value)
    else:
        taken = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        names = {name: name for name in _names(failed) if name not in taken}
        block[at] = ast.copy_location(ast.Pass(), failed)
    node.args.kwonlyargs += [ast.copy_location(ast.arg(name), failed) for name in names]
    node.args.kw_defaults += [None] * len(names)
    return names


def _place(node: ast.AST, line: int) -> tuple[list[ast.stmt] | None, int]:
    """The block with the innermost statement at this line, and its index there. A loop counts as one statement: it may
    not end without a part of it."""
    for key in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, key, None)
        for index, one in enumerate(block if isinstance(block, list) else ()):
            if _first_line(one) <= line <= (one.end_lineno or 0):
                inner = (None, 0) if isinstance(one, _WHOLE) else _place(one, line)
                return inner if inner[0] is not None or not isinstance(one, ast.stmt) else (block, index)
    return None, 0


def _compiled(node: ast.FunctionDef | ast.AsyncFunctionDef | None, function: FunctionType) -> FunctionType | None:
    """The function with this definition; None if it is no function, for example because a global name is a parameter."""
    if node is None:
        return None
    code = function.__code__
    flags = code.co_flags & __future__.annotations.compiler_flag
    made: dict[str, Any] = {}
    try:
        exec(compile(ast.Module([node], []), code.co_filename, "exec", flags, dont_inherit=True), function.__globals__, made)
    except Exception:  # defaults and annotations are code of the file
        return None
    return made.get(node.name)


def _note(raised: BaseException, line: int, reading: Reading) -> Note:
    message = f"this line failed when the file was imported ({_said(raised)}): what it defines is missing"
    if reading.asks_at and isinstance(raised, EOFError):
        message = "the file asks for input when it is imported: this line did not run"
    return Note("import-stopped", line, message, "a file that only defines tools when it is imported", _HINT)


def _stopped(raised: BaseException, path: str, reading: Reading) -> Note:
    message = f"the file stopped here when it was imported ({_said(raised)}): only the tools above this line can be used"
    return Note("import-stopped", _line_of(raised, path), message, "a file that only defines tools when it is imported", _HINT)


_HINT = 'Correct this line, or put it below if __name__ == "__main__": if it should only run in a script.'


def _said(raised: BaseException) -> str:
    return describe(raised)[:300]


def _line_of(raised: BaseException, path: str) -> int:
    """The line of the file's top level that was running."""
    traceback = raised.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == path and code.co_name == "<module>":
            return traceback.tb_lineno
        traceback = traceback.tb_next
    return 1


def _first_line(statement: ast.stmt) -> int:
    return min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])


def _names(statement: ast.stmt) -> list[str]:
    """The names that the statement would have defined."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    return [one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
