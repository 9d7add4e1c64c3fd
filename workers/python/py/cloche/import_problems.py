"""Describes what went wrong when a tool file was imported, at which line, and how to fix it."""

from __future__ import annotations

import os
import sys
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING

from .failures import describe
from .problems import Problem
from .source_text import source_text
from .wording import as_identifier, nearest

if TYPE_CHECKING:
    from .folder import Folder

_PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"
_IMPORTABLE = "a file that can be imported"


def import_problem(error: BaseException, folder: Folder, file: str, source: bytes) -> Problem:
    """The problem of a file whose import raised an error. `source`: the text of the file."""
    path, root = folder.path_of(file), folder.root
    line, column = _find_place(error.__traceback__, path, source)
    if line is None:
        return _describe_compile_error(error, file, source)
    description = describe(error).replace(f"{root}/", "")
    if isinstance(error, SyntaxError) and isinstance(error.filename, str):
        description += f" ({error.filename.removeprefix(root + '/')}, line {error.lineno})"
    elsewhere = _word_elsewhere(error.__traceback__, path, root)

    def problem(code: str, message: str, hint: str, expected: str = _IMPORTABLE) -> Problem:
        return Problem("error", code, file, line, column, message + elsewhere, expected, hint)

    if isinstance(error, SystemExit):
        hint = 'Put what should only run as a script below if __name__ == "__main__":.'
        return problem("import-exits", f"importing the file exits: {description}", hint)
    if isinstance(error, ModuleNotFoundError) and isinstance(error.name, str):
        message, hint = _explain_missing_module(error.name, root, file)
        return problem("module-not-found", message, hint, "modules that can be imported")
    name = _find_missing_variable(error)
    if name and any(setting.name == name for setting in folder.find_variables(file, source_text(source))):
        hint = f"Enter a value for {name} on the Policy page, under “Settings of files”."
    else:
        hint = _choose_hint(error)
    return problem("import-raises", f"importing the file raises {description}", hint)


def too_much_printed(file: str, line: int | None) -> Problem:
    """The problem of a file whose import prints too much. `line`: where it does, if known."""
    message = "importing the file prints more than 1 MB"
    hint = "Remove the output, or move it into a function: Cloche imports a tool file to read its specs."
    return Problem(
        "error", "import-prints", file, line or 1, None, message, "an import that prints little", hint
    )


def _find_place(traceback: TracebackType | None, path: str, source: bytes) -> tuple[int | None, int | None]:
    """The innermost place in the file that the exception passed through."""
    line, column = None, None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == path:
            line = traceback.tb_lineno
            # Python 3.10, where cloche_test.py runs too, has lines only.
            positions = list(code.co_positions()) if hasattr(code, "co_positions") else []
            at = traceback.tb_lasti // 2
            start = positions[at][2] if 0 <= at < len(positions) else None
            # Python counts columns in bytes of UTF-8.
            before = source.split(b"\n")[line - 1 : line]
            column = (
                len(before[0][:start].decode(errors="ignore")) + 1 if before and start is not None else None
            )
        traceback = traceback.tb_next
    return line, column


def _word_elsewhere(traceback: TracebackType | None, path: str, root: str) -> str:
    """Where the exception was raised, if that is another file of the folder."""
    where = ""
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        if name == path:
            where = ""
        elif name.startswith(root + "/"):
            where = f" (raised in {name[len(root) + 1 :]}, line {traceback.tb_lineno})"
        traceback = traceback.tb_next
    return where


def _explain_missing_module(name: str, root: str, file: str) -> tuple[str, str]:
    """The message and the hint for a module that the file imports, but that is not there."""
    top = name.partition(".")[0]
    message = f"no module named {name!r} can be imported"
    if top in sys.stdlib_module_names:
        return (
            message,
            f"{top!r} is part of Python's standard library but is not available in the browser. Use another module.",
        )
    local = local_modules(root)
    spelled = next((one for one in sorted(local) if one != top and as_identifier(one) == as_identifier(top)), "")
    if spelled and top not in local:
        hint = f"{spelled!r} is in this folder, but Python looks for {ascii(top)}: rename it to that spelling."
        return message, hint
    if top in local:
        return (
            message,
            f"{top!r} is in this folder, but has no {name.partition('.')[2]!r}: check the spelling.",
        )
    near = nearest(top, local - {file.removesuffix(".py")}, cutoff=0.75)
    if near:
        return message, f"Did you mean {near!r}, which is in this folder?"
    from .foreign.package_names import remedy

    return message, remedy(name)


def local_modules(root: str) -> set[str]:
    """The names that a statement can import from the folder."""
    try:
        entries = list(os.scandir(root))
    except OSError:
        return set()
    return {
        entry.name.removesuffix(".py") for entry in entries if entry.name.endswith(".py") or entry.is_dir()
    }


# Emscripten's error number for what it does not support.
_NOT_SUPPORTED = 138


def _lacks_system(error: BaseException) -> bool:
    """Whether the error says that this Python cannot start a process, a thread or a server."""
    if isinstance(error, OSError):
        return sys.platform == "emscripten" and error.errno == _NOT_SUPPORTED
    return isinstance(error, RuntimeError) and "can't start new thread" in str(error)


def _choose_hint(error: BaseException) -> str:
    """The hint for an exception that the file raised while it was imported."""
    if _lacks_system(error):
        return (
            "In a browser, tools cannot start processes, servers or threads: remove this line. "
            "ThreadPoolExecutor and asyncio work."
        )
    module = error.obj if isinstance(error, AttributeError) else None
    if isinstance(module, ModuleType) and module.__name__ in sys.stdlib_module_names:
        return (
            "Check the spelling. If it is correct, this part of Python's standard library is not available in the browser."
        )
    if isinstance(error, FileNotFoundError):
        return (
            'Open files beside the tool file with Path(__file__).parent / "name". '
            "Browsers leave out symbolic links: put the file itself there."
        )
    if isinstance(error, ImportError) and "relative import" in str(error):
        return (
            "The files of a tools folder are not a package: write `from name import …` without the dots, and put name.py "
            "into this folder."
        )
    if isinstance(error, ImportError):
        return "Check the spelling of the imported name, and that the two files do not import each other."
    if isinstance(error, (NameError, AttributeError)):
        return "Check the spelling, and that it is defined or imported above this line."
    if isinstance(error, RecursionError):
        return "A function calls itself endlessly: check the functions called from this line."
    if isinstance(error, MemoryError):
        return "Load large data when a tool is called, not when the file is imported."
    if isinstance(error, SyntaxError):
        return "Fix that file first: this one imports it."
    return "Fix this line, or move it into a function: top-level code runs when the file is imported."


def _find_missing_variable(error: BaseException) -> str:
    """The environment variable whose lookup in os.environ failed; empty for other errors."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    is_of_os = traceback is not None and traceback.tb_frame.f_globals.get("__name__") == "os"
    return str(error.args[0]) if is_of_os and isinstance(error, KeyError) and error.args else ""


def _describe_compile_error(error: BaseException, file: str, source: bytes) -> Problem:
    """The problem of a file that Python cannot compile."""
    expected = f"valid {_PYTHON}"
    if b"\0" in source:
        line = source[: source.index(b"\0")].count(b"\n") + 1
        hint = "Save the file as plain text in UTF-8."
        return Problem(
            "error", "bad-encoding", file, line, None, "the file has null bytes in it", expected, hint
        )
    if isinstance(error, (UnicodeDecodeError, LookupError)) or _is_about_encoding(error):
        line = _find_undecodable_line(source)
        hint = "Save the file as UTF-8, without a coding comment that names another encoding."
        return Problem("error", "bad-encoding", file, line, None, describe(error), "a file in UTF-8", hint)
    if isinstance(error, SyntaxError):
        column = error.offset if isinstance(error.offset, int) and error.offset > 0 else None
        kind = type(error).__name__
        message = f"{kind}: {error.msg}"
        return Problem(
            "error", "syntax-error", file, error.lineno or 1, column, message, expected, _choose_syntax_hint(error)
        )
    hint = "Split the file, or break up very long or deeply nested expressions."
    message = f"the file cannot be compiled: {describe(error)}"
    return Problem("error", "import-raises", file, 1, None, message, expected, hint)


def _is_about_encoding(error: BaseException) -> bool:
    """Whether a SyntaxError is about the encoding of the file."""
    words = ("unknown encoding", "encoding problem", "codec can't decode", "Non-UTF-8")
    return isinstance(error, SyntaxError) and any(word in str(error.msg) for word in words)


def _find_undecodable_line(source: bytes) -> int:
    """The first line that is not UTF-8."""
    try:
        source.decode()
    except UnicodeDecodeError as error:
        return source[: error.start].count(b"\n") + 1
    return 1


def _choose_syntax_hint(error: SyntaxError) -> str:
    if isinstance(error, TabError):
        return "Indent with spaces only."
    if isinstance(error, IndentationError):
        return "Indent all lines of a block by four spaces, below a line that ends in a colon."
    if "was never closed" in str(error.msg):
        return "Close the bracket."
    return "Fix this line; the mistake may also be at the end of the previous line."
