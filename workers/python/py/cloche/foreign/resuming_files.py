"""Runs the rest of a file after a statement at its top level has raised an exception, since its tools may still work.

`loading` calls `resume_file` with the module as far as it has run. What a failed statement would have defined becomes
an object that raises an error on use, or a server that marks tools.
"""

from __future__ import annotations

import ast
import sys
from types import FunctionType, ModuleType
from typing import Any

from ..failures import describe
from .annotations import hints_of
from .command_line import NoArgument
from .command_line import HINT as COMMAND_LINE_HINT
from .inert import InertType
from .loaded_file import Note
from .reading import Reading
from .syntax import defined_names, first_line, last_line
from .unavailable import Unavailable

_STATEMENTS = 20  # the number of statements that may fail
_IMPORTS = (ast.Import, ast.ImportFrom)
_EXPECTED = "a file that only defines tools when it is imported"
_HINT = 'Correct this line, or put it below if __name__ == "__main__": if it should only run in a script.'


def resume_file(module: ModuleType, source: str, path: str, raised: BaseException, reading: Reading) -> list[Note]:
    """Runs what follows the statement that raised the exception, and returns one note for each statement that failed.

    A missing import ends the file, and so does the user who cancels it.
    """
    body = ast.parse(source).body
    futures = [node for node in body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    notes: list[Note] = []
    sys.modules[module.__name__] = module  # models and dataclasses look up the names of their annotations there
    while isinstance(raised, (Exception, SystemExit)) and len(notes) < _STATEMENTS:
        line = _find_line(raised, path)
        at = next((index for index, node in enumerate(body) if first_line(node) <= line <= last_line(node)), None)
        if at is None or isinstance(body[at], _IMPORTS):
            break
        notes.append(_note_failed(raised, line, reading))
        _define_missing(module, body[at], explain_missing(line, raised))
        body = body[at + 1 :]
        try:
            exec(compile(ast.Module([*futures, *body], []), path, "exec", dont_inherit=True), vars(module))
        except BaseException as again:
            raised = again
        else:
            return notes
    sys.modules.pop(module.__name__, None)
    return [*notes, _note_stopped(raised, path)]


def explain_missing(line: int, raised: BaseException) -> str:
    """The end of an error about a value that a failed statement would have made."""
    return f"which is missing because line {line} of the file failed ({_describe_shortly(raised)})"


def make_server(kind: Any, name: str) -> Any:
    """A server or an agent whose decorators mark tools, of a class that has a method `tool`; None for other classes."""
    if not isinstance(kind, type) or isinstance(kind, InertType) or not callable(getattr(kind, "tool", None)):
        return None
    try:
        return kind(name)
    except (Exception, SystemExit):  # a class of the file that takes something else
        return None


def _define_missing(module: ModuleType, statement: ast.stmt, why: str) -> None:
    """Defines the names of a statement that failed: servers stay servers, other values raise an error on use."""
    for name in defined_names(statement):
        vars(module).setdefault(name, make_server(_find_called_class(statement, vars(module)), name) or Unavailable(name, why))


def _find_called_class(statement: ast.stmt, names: dict[str, Any]) -> Any:
    """The class of the object that an assignment makes, such as mcp = FastMCP(…) or agent = make_agent(); in the second
    case, the annotation of the function gives it. None if nothing gives it. `names`: those of the module."""
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    called = value.func if isinstance(value, ast.Call) else None
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        module = names.get(called.value.id)
        found = vars(module).get(called.attr) if isinstance(module, ModuleType) else None
    else:
        found = names.get(getattr(called, "id", ""))
    return hints_of(found).get("return") if isinstance(found, FunctionType) else found


def _find_line(raised: BaseException, path: str) -> int:
    """The line of the file's top level that was running."""
    traceback = raised.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == path and code.co_name == "<module>":
            return traceback.tb_lineno
        traceback = traceback.tb_next
    return 1


def _note_failed(raised: BaseException, line: int, reading: Reading) -> Note:
    message = f"this line failed when the file was imported ({_describe_shortly(raised)}): what it defines is missing"
    if reading.asks_at and isinstance(raised, EOFError):
        message = "the file asks for input when it is imported: this line did not run"
    hint = COMMAND_LINE_HINT if isinstance(raised, NoArgument) else _HINT
    return Note("import-stopped", line, message, _EXPECTED, hint)


def _note_stopped(raised: BaseException, path: str) -> Note:
    message = f"the file stopped here when it was imported ({_describe_shortly(raised)}): only the tools above this line can be used"
    return Note("import-stopped", _find_line(raised, path), message, _EXPECTED, _HINT)


def _describe_shortly(raised: BaseException) -> str:
    return describe(raised)[:300]
