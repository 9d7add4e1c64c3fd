"""Calls a function that makes tools, and leaves out its statements that raise exceptions, since the tools may work without them.

Used by `tool_makers`. The function is compiled again from its source, each time without the statement that has failed.
"""

from __future__ import annotations

import __future__

import ast
import linecache
import time
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

from .framework_names.marking import make_marker_in_use
from .low_level_servers import run_without_waiting
from .marks import mark_of, note_tools
from .resuming_files import explain_missing
from .syntax import FUNCTIONS, Function, defined_names, first_line, last_line, parameter_names
from .tool_syntax import gives_tools
from .unavailable import Unavailable

_STATEMENTS = 20  # the number of statements that may fail
_RETURNED = 2_000  # the number of functions that a function may return
_SECONDS = 3  # after this time, a function is not called again: its file has a limit of time
_IMPORTS = (ast.Import, ast.ImportFrom)
# Statements that are left out as a whole: a loop may not end without a part of it.
_WHOLE = (*FUNCTIONS, ast.ClassDef, ast.For, ast.AsyncFor, ast.While)
# Functions that use other names of an enclosing scope cannot be compiled again. `super()` uses `__class__`.
_CLOSURES = ((), ("__class__",))


class Failed(NamedTuple):
    """A statement of a function that raised an exception."""

    line: int
    raised: BaseException
    is_left_out: bool  # whether the function went on without it


class FunctionSource(NamedTuple):
    """The definition of a function in the syntax tree, which can be changed and compiled again."""

    function: Function
    outer: ast.ClassDef | None  # the class with nothing but this method: names such as self.__tools depend on it


def call_without_failing(
    function: FunctionType | MethodType, named: Mapping[str, Any], undo: Callable[[], None], source: FunctionSource | None = None
) -> list[Failed]:
    """Calls a function with named arguments, again and again without the statement of its own that raised an exception.

    Returns these statements. `undo` takes back what a call that stopped has recorded. `source`: the definition of a
    function that is not in the file as it stands; otherwise it is looked up in the file.
    """
    failed: list[Failed] = []
    plain: Any = getattr(function, "__func__", function)
    instance = [function.__self__] if isinstance(function, MethodType) else []
    end = time.monotonic() + _SECONDS
    while True:
        try:
            _note_returned(run_without_waiting(plain, instance, named), plain)
            return failed
        except (Exception, SystemExit) as raised:
            line = _find_line(raised, plain)
            rest = None
            if line and len(failed) < _STATEMENTS and time.monotonic() < end:
                source = source or find_source(plain)
                rest = _compile_without(source, line, plain) if source is not None else None
            failed.append(Failed(line or plain.__code__.co_firstlineno, raised, is_left_out=rest is not None))
            if rest is None:
                return failed
            plain, missing = rest
            why = explain_missing(line, raised)
            named = {**named, **{name: Unavailable(shown, why) for name, shown in missing.items()}}
        undo()


def _compile_without(source: FunctionSource, line: int, function: FunctionType) -> tuple[FunctionType, dict[str, str]] | None:
    """The function without the statement at a line, with its parameters for what is missing; None if it needs the statement."""
    missing = _leave_out(source.function, line)
    compiled = compile_function(source, function) if missing is not None else None
    return (compiled, missing) if compiled is not None and missing is not None else None


def _note_returned(value: Any, maker: FunctionType) -> None:
    """Notes the functions that a function such as get_tools() returns in a list: they are its tools. They may have names and
    descriptions: {"search": search}, or [("search", search, "Search the web.")].

    What other functions return beside a server, such as `return mcp, cleanup`, is no tool.
    """
    if not gives_tools(maker.__name__) or not isinstance(value, (list, tuple, dict)):
        return
    path = maker.__code__.co_filename
    if isinstance(value, tuple) and not all(isinstance(item, FunctionType) and item.__code__.co_filename == path for item in value):
        return
    listed = list(dict.items(value)) if isinstance(value, dict) else [(None, item) for item in value]
    for key, item in listed[:_RETURNED]:
        parts = item if isinstance(item, tuple) else (item,)
        function = next((part for part in parts if isinstance(part, FunctionType) and part.__code__.co_filename == path), None)
        texts = [part for part in (key, *parts) if isinstance(part, str)]
        if function is not None and texts and mark_of(function) is None:
            description = texts[1] if len(texts) > 1 else None
            make_marker_in_use()(function, name=texts[0], description=description)
        elif function is not None:
            note_tools(function)


def find_source(function: FunctionType) -> FunctionSource | None:
    """The definition of a function in its file.

    None if the function uses names of an enclosing function, which cannot be compiled alone, or if the file has changed.
    """
    code = function.__code__
    linecache.checkcache(code.co_filename)
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the file has changed since it was imported
        return None
    if code.co_freevars not in _CLOSURES:
        return None
    for outer in ast.walk(tree):
        for node in ast.iter_child_nodes(outer):
            if isinstance(node, FUNCTIONS) and first_line(node) == code.co_firstlineno:
                if not isinstance(outer, ast.ClassDef):
                    return FunctionSource(node, None)
                outer.body = [node]
                return FunctionSource(node, outer)
    return None


def compile_function(source: FunctionSource, function: FunctionType) -> FunctionType | None:
    """The function as its definition is now; None if that cannot be compiled.

    Only the code is new: defaults, annotations and decorators do not run again.
    """
    code = function.__code__
    flags = code.co_flags & __future__.annotations.compiler_flag
    outermost = source.outer or source.function
    try:
        found: Any = compile(ast.Module([outermost], []), code.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):  # such as a parameter for a name that is declared global
        return None
    # The code of a definition is a constant in the code around it: of the module, and then of the class.
    for definition in (outermost, source.function) if source.outer else (outermost,):
        inner = [constant for constant in found.co_consts if isinstance(constant, CodeType)]
        found = next((constant for constant in inner if constant.co_name == definition.name), None)
        if found is None:  # a function with parameters for types
            return None
    if found.co_freevars not in _CLOSURES:
        return None
    closure = function.__closure__ if found.co_freevars else None
    made = FunctionType(found, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _find_line(raised: BaseException, function: FunctionType) -> int:
    """The line of the function that was running; 0 if the exception is not from inside it."""
    traceback = raised.__traceback__
    while traceback is not None and traceback.tb_frame.f_code is not function.__code__:
        traceback = traceback.tb_next
    return traceback.tb_lineno if traceback is not None else 0


def _leave_out(function: Function, line: int) -> dict[str, str] | None:
    """Leaves out the innermost statement at this line, or only the value that it assigns.

    Returns the parameters that the function takes for what is missing, with the names for messages. None if the
    statement imports something.
    """
    block, at = _find_statement(function, line)
    if block is None or isinstance(block[at], _IMPORTS):
        return None
    statement = block[at]
    parameter = f"_missing_{line}"
    known = parameter_names(function)
    is_plain = isinstance(statement, ast.Assign) and all(isinstance(target, (ast.Name, ast.Attribute)) for target in statement.targets)
    if is_plain and parameter not in known:
        missing = {parameter: ast.unparse(statement.targets[0])}
        statement.value = ast.copy_location(ast.Name(parameter, ast.Load()), statement.value)
    else:  # also an assignment that fails without its value: the target is an attribute that cannot be set
        missing = {name: name for name in defined_names(statement) if name not in known}
        block[at] = ast.copy_location(ast.Pass(), statement)
    function.args.kwonlyargs += [ast.copy_location(ast.arg(name), statement) for name in missing]
    function.args.kw_defaults += [None] * len(missing)
    return missing


def _find_statement(node: ast.AST, line: int) -> tuple[list[ast.stmt] | None, int]:
    """The block with the innermost statement at this line, and its index there.

    A `pass` cannot fail: it stands for a statement of the same line that is left out already.
    """
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, field, None)
        for index, child in enumerate(block if isinstance(block, list) else ()):
            is_statement = isinstance(child, ast.stmt)
            if isinstance(child, ast.Pass) or (is_statement and not first_line(child) <= line <= last_line(child)):
                continue
            inner = (None, 0) if isinstance(child, _WHOLE) else _find_statement(child, line)
            if inner[0] is not None:
                return inner
            if is_statement:
                return block, index
    return None, 0
