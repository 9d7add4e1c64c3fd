"""Goes on with a file whose top level raises an exception: without the statement that failed, its tools may still work."""

from __future__ import annotations

import ast
import sys
from types import ModuleType

from ..failures import describe
from .found import Note
from .modules.common import Unavailable
from .reading import Reading

_STATEMENTS = 20  # the number of statements that may fail
_IMPORTS = (ast.Import, ast.ImportFrom)


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
