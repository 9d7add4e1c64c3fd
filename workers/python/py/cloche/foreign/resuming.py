"""Runs the rest of a file after a statement at its top level has failed, and calls a function that builds tools again without
the statement that failed. The tools may still work."""

from __future__ import annotations

import __future__

import ast
import linecache
import sys
import time
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from ..failures import describe
from .annotations import hints_of
from .command_line import HINT as COMMAND_LINE
from .command_line import NoArgument
from .found import Note
from .inert import InertType
from .low_level import run_at_once
from .modules.common import Unavailable
from .reading import Reading

_STATEMENTS = 20  # the number of statements that may fail
_SECONDS = 3  # after this time, a function is not called again: its file has a limit of time
_IMPORTS = (ast.Import, ast.ImportFrom)
# Functions that use other names of an enclosing scope cannot be compiled again. `super()` uses `__class__`.
_CLOSURES = ((), ("__class__",))
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
            vars(module).setdefault(name, server_of(_class_called(body[at], vars(module)), name) or Unavailable(name, why))
        body = body[at + 1 :]
        try:
            exec(compile(ast.Module([*futures, *body], []), path, "exec", dont_inherit=True), vars(module))
        except BaseException as again:
            raised = again
        else:
            return notes
    sys.modules.pop(module.__name__, None)
    return [*notes, _stopped(raised, path, reading)]


def server_of(kind: Any, name: str) -> Any:
    """A server or an agent whose decorators mark tools, of a class that has a method `tool`; None for others."""
    if not isinstance(kind, type) or isinstance(kind, InertType) or not callable(getattr(kind, "tool", None)):
        return None
    try:
        return kind(name)
    except (Exception, SystemExit):  # a class of the file that takes something else
        return None


def _class_called(statement: ast.stmt, space: dict[str, Any]) -> Any:
    """The class of what an assignment such as mcp = FastMCP(…) or agent = make_agent() makes, as far as the file says it."""
    called = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    called = called.func if isinstance(called, ast.Call) else None
    outer = space.get(called.value.id) if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) else None
    found = vars(outer).get(called.attr) if isinstance(outer, ModuleType) else space.get(getattr(called, "id", ""))
    return hints_of(found).get("return") if isinstance(found, FunctionType) else found


class Failed(NamedTuple):
    """A statement of a function that raised an exception."""

    line: int
    raised: BaseException
    is_left_out: bool  # else the function stopped there


def call_without(
    function: FunctionType | MethodType, named: Mapping[str, Any], undo: Callable[[], None], definition: Definition | None = None
) -> list[Failed]:
    """Calls a function, again and again without the statement of its own that raised an exception.

    Returns these statements. `undo` takes back what a call that stopped has recorded. `definition`: that of a function
    which is not in the file as it stands.
    """
    failed: list[Failed] = []
    plain: Any = getattr(function, "__func__", function)
    own = [function.__self__] if isinstance(function, MethodType) else []
    end = time.monotonic() + _SECONDS
    while True:
        again, missing = None, None
        try:
            run_at_once(plain, own, named)
            return failed
        except (Exception, SystemExit) as raised:
            line = _line_in(raised, plain)
            if line and len(failed) < _STATEMENTS and time.monotonic() < end:
                definition = definition or definition_of(plain)
                missing = _leave_out(definition.function, line) if definition is not None else None
                again = compiled(definition, plain) if definition is not None and missing is not None else None
            failed.append(Failed(line or plain.__code__.co_firstlineno, raised, again is not None))
            if again is None or missing is None:
                return failed
            why = f"which is missing because line {line} of the file failed ({_said(raised)})"
            named = {**named, **{name: Unavailable(shown, why) for name, shown in missing.items()}}
        undo()
        plain = again


def _line_in(raised: BaseException, function: FunctionType) -> int:
    """The line of the function that was running; 0 if the exception is not from inside it."""
    traceback = raised.__traceback__
    while traceback is not None and traceback.tb_frame.f_code is not function.__code__:
        traceback = traceback.tb_next
    return traceback.tb_lineno if traceback is not None else 0


class Definition(NamedTuple):
    function: ast.FunctionDef | ast.AsyncFunctionDef
    outer: ast.ClassDef | None  # the class with nothing but this method: names such as self.__tools depend on it


def definition_of(function: FunctionType) -> Definition | None:
    """The definition of a function that uses nothing of an enclosing function, and of a class only `super()`; None for
    others."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the file has changed since it was imported
        return None
    for outer in ast.walk(tree) if code.co_freevars in _CLOSURES else ():
        for one in ast.iter_child_nodes(outer):
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and _first_line(one) == code.co_firstlineno:
                if not isinstance(outer, ast.ClassDef):
                    return Definition(one, None)
                outer.body = [one]
                return Definition(one, outer)
    return None


def _leave_out(function: ast.FunctionDef | ast.AsyncFunctionDef, line: int) -> dict[str, str] | None:
    """Leaves out the innermost statement at this line, or only the value that it assigns. Returns the parameters that
    the function takes instead, and what they stand for. None if the statement imports something."""
    block, at = _place(function, line)
    if block is None or isinstance(block[at], _IMPORTS):
        return None
    failed = block[at]
    value = f"_missing_{line}"
    taken = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    is_plain = isinstance(failed, ast.Assign) and all(isinstance(one, (ast.Name, ast.Attribute)) for one in failed.targets)
    if is_plain and value not in taken:
        names = {value: ast.unparse(failed.targets[0])}
        failed.value = ast.copy_location(ast.Name(value, ast.Load()), failed.value)
    else:  # also an assignment that fails without its value: the target is an attribute that cannot be set
        names = {name: name for name in _names(failed) if name not in taken}
        block[at] = ast.copy_location(ast.Pass(), failed)
    function.args.kwonlyargs += [ast.copy_location(ast.arg(name), failed) for name in names]
    function.args.kw_defaults += [None] * len(names)
    return names


def _place(node: ast.AST, line: int) -> tuple[list[ast.stmt] | None, int]:
    """The block with the innermost statement at this line, and its index there. A loop counts as one statement: it may
    not end without a part of it. A `pass` cannot fail: it stands for a statement of the same line that is left out."""
    for key in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, key, None)
        for index, one in enumerate(block if isinstance(block, list) else ()):
            is_statement = isinstance(one, ast.stmt)
            if isinstance(one, ast.Pass) or (is_statement and not _first_line(one) <= line <= (one.end_lineno or 0)):
                continue
            inner = (None, 0) if isinstance(one, _WHOLE) else _place(one, line)
            if inner[0] is not None:
                return inner
            if is_statement:
                return block, index
    return None, 0


def compiled(definition: Definition, function: FunctionType) -> FunctionType | None:
    """The function as it is defined now; None if that cannot be compiled. Only the code is new: defaults, annotations
    and decorators do not run again."""
    code = function.__code__
    flags = code.co_flags & __future__.annotations.compiler_flag
    parts = [one for one in (definition.outer, definition.function) if one is not None]
    try:
        made: Any = compile(ast.Module(parts[:1], []), code.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):  # such as a parameter for a name that is declared global
        return None
    for part in parts:
        made = next((one for one in made.co_consts if isinstance(one, CodeType) and one.co_name == part.name), None)
        if made is None:  # a function with parameters for types
            return None
    if made.co_freevars not in _CLOSURES:
        return None
    closure = function.__closure__ if made.co_freevars else None
    plain = FunctionType(made, function.__globals__, function.__name__, function.__defaults__, closure)
    plain.__kwdefaults__ = function.__kwdefaults__
    return plain


def _note(raised: BaseException, line: int, reading: Reading) -> Note:
    message = f"this line failed when the file was imported ({_said(raised)}): what it defines is missing"
    if reading.asks_at and isinstance(raised, EOFError):
        message = "the file asks for input when it is imported: this line did not run"
    hint = COMMAND_LINE if isinstance(raised, NoArgument) else _HINT
    return Note("import-stopped", line, message, "a file that only defines tools when it is imported", hint)


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
