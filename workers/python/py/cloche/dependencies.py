"""Finds which files of the folder need which: from import statements (so also for broken files), from the modules
that loaded files hold, and from the data files that they read at import."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import resolve_name
from types import FrameType, ModuleType
from typing import cast

from .source_text import source_text

# Starts with a literal, which Python's re finds fast; the text before it on its line is checked afterwards.
_IMPORT = re.compile(r"import\b[^\S\n]*(\([^)]*\)|(?:\\\n|[^\n#;])*)")
_BEFORE = re.compile(r"(?:^|[:;])\s*(?:from\s+(\.*[\w.]*)\s+)?$")
_NAME = re.compile(r"[\w.]+")
_NEVER_TRUE = re.compile(r"(?:\w+\.)?TYPE_CHECKING\Z")


class Dependencies:
    """Dependencies between the files below `root`, read from their sources on demand."""

    def __init__(self, root: str) -> None:
        self._root = root + "/"
        self._own_name = os.path.basename(root)  # the files of a package may import the package by this name
        self._reads = ImportReads(root)
        self._reads.begin()
        self._imported: dict[str, set[str]] = {}  # the files that each file imports directly
        self._run: dict[str, set[str]] = {}  # the files that each file imports whenever it is imported itself
        self._files: dict[str, str] = {}  # the file of each module, which is named by its path without suffix; empty if there is none
        self._top_names: frozenset[str] | None = None  # the names in the folder, without .py

    def take_text(self, file: str, text: str) -> None:
        """Takes the source of `file` from the caller, so that the file need not be read."""
        self._imported[file] = self._read_imports(file, text)
        self._run.pop(file, None)

    def imports_run_by(self, file: str, text: str) -> list[str]:
        """The files that importing `file` or calling its functions may import, directly or through other files of the folder.
        Imports for a type checker do not count. `text`: the source of `file`."""
        self.take_text(file, text)
        self._run[file] = self._read_run_imports(file, text)
        return self._list_all(file, self._list_run)

    def imports_of(self, file: str) -> list[str]:
        """The files that `file` imports, or reads at import, directly or through other files of the folder."""
        return self._list_all(file, self._list_needed)

    def _list_all(self, file: str, list_needed: Callable[[str], set[str]]) -> list[str]:
        seen = {file}
        waiting = [file]
        while waiting:
            for needed in list_needed(waiting.pop()) - seen:
                seen.add(needed)
                waiting.append(needed)
        return sorted(seen - {file})

    def dependents(self, files: Iterable[str]) -> dict[str, str]:
        """The loaded modules (name and file) that are these files, or import one of them directly or indirectly."""
        changed = set(files)
        changed |= self._reads.list_wanting(changed)
        found: dict[str, str] = {}
        for name, module in list(sys.modules.items()):
            file = self._file_of(module)
            if file is not None and (file in changed or not changed.isdisjoint(self.imports_of(file))):
                found[name] = file
        return found

    def forget(self, files: Iterable[str]) -> None:
        """Makes the sources of these files be read again."""
        for file in files:
            self._imported.pop(file, None)
            self._run.pop(file, None)
            self._reads.forget(file)
        self.invalidate_caches()

    def invalidate_caches(self) -> None:
        """Makes new files be found."""
        self._files.clear()
        self._top_names = None

    def reread(self) -> None:
        """Reacts to added or removed files: an import statement may now refer to another file."""
        self._imported.clear()
        self._run.clear()
        self.invalidate_caches()

    def note_loaded(self, file: str, module: object) -> None:
        """Adds the modules that a loaded file holds, because importlib.import_module leaves no import statement."""
        if not issubclass(type(module), ModuleType):
            return
        modules = [one for one in list(vars(module).values()) if issubclass(type(one), ModuleType)]
        held = {found for one in modules if (found := self._file_of(one))}
        self._imported[file] = self._list_imported(file) | held - {file}

    def _file_of(self, module: object) -> str | None:
        """The file of a module, if it is in the folder."""
        if not issubclass(type(module), ModuleType):
            return None
        path = vars(module).get("__file__")  # not read from the module itself: that would load a lazy one
        return path[len(self._root) :] if isinstance(path, str) and path.startswith(self._root) else None

    def _list_needed(self, file: str) -> set[str]:
        return self._list_imported(file) | self._reads.of(file)

    def _list_imported(self, file: str) -> set[str]:
        """The files of the folder that a file imports. Its source is read once."""
        known = self._imported.get(file)
        if known is None:
            # A data file may be large, and its text may look like an import statement.
            text = self._read_text(file) if file.endswith(_CODE) else ""
            known = self._imported[file] = self._read_imports(file, text)
        return known

    def _list_run(self, file: str) -> set[str]:
        known = self._run.get(file)
        if known is None:
            known = self._run[file] = self._read_run_imports(file, self._read_text(file))
        return known

    def _read_text(self, file: str) -> str:
        """The source of a file; empty if it cannot be read."""
        try:
            with open(self._root + file, "rb") as opened:
                return source_text(opened.read())
        except OSError:
            return ""

    def _read_run_imports(self, file: str, text: str) -> set[str]:
        if not self._list_imported(file):
            return set()  # most files, which need not be parsed
        try:
            statements = [ast.unparse(one) for one in _find_run_imports(ast.parse(text))]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return set()
        return self._read_imports(file, "\n".join(statements))

    def _read_imports(self, file: str, text: str) -> set[str]:
        """The files of the folder that the import statements in a source run."""
        package = file.rpartition("/")[0].replace("/", ".")
        named: set[str] = set()
        for one in _IMPORT.finditer(text):
            before = _BEFORE.search(text[text.rfind("\n", 0, one.start()) + 1 : one.start()])
            if before is None:
                continue
            base = before[1]
            if base is None:  # import a, b as c
                named.update(part.split(" as ")[0].strip() for part in one[1].split(","))
                continue
            if base.startswith(".") and not package:
                # Files of other frameworks may import neighbouring files as parts of a package.
                base = base[1:]
            elif base.startswith("."):
                try:
                    base = resolve_name(base, package)
                except ImportError:  # outside a package
                    continue
            named.add(base)
            named.update(f"{base}.{part}".lstrip(".") for part in _NAME.findall(one[1]))
        return {found for name in named for found in self._files_of(name)}

    def _files_of(self, name: str) -> list[str]:
        """The files that importing `name` runs: the module's own file, and those of its parent packages."""
        top, *inner = name.split(".")
        if top == self._own_name and top not in self._list_top_names() and "__init__" in self._list_top_names():
            return [*filter(None, [self._find_file("__init__")]), *(self._files_of(".".join(inner)) if inner else ())]
        if top not in self._list_top_names() or top in sys.stdlib_module_names:
            return []
        names = [top]
        for part in inner:
            names.append(f"{names[-1]}/{part}")
        return [file for one in names if (file := self._find_file(one))]

    def _find_file(self, name: str) -> str:
        """The file of a module, named by its path without suffix; empty if there is none."""
        known = self._files.get(name)
        if known is None:
            choices = (f"{name}/__init__.py", f"{name}.py")
            known = next((file for file in choices if os.path.isfile(self._root + file)), "")
            self._files[name] = known
        return known

    def _list_top_names(self) -> frozenset[str]:
        if self._top_names is None:
            self._top_names = frozenset(entry.removesuffix(".py") for entry in os.listdir(self._root))
        return self._top_names


def _find_run_imports(tree: ast.Module) -> Iterator[ast.stmt]:
    """The import statements of a module that may run: at import, in the functions that make its tools, or in a call."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (ast.Import, ast.ImportFrom)):
            yield one
        elif isinstance(one, ast.If) and _NEVER_TRUE.match(ast.unparse(one.test)):
            waiting.extend(one.orelse)
        elif not isinstance(one, ast.expr):
            waiting.extend(ast.iter_child_nodes(one))


_current: ImportReads | None = None
_installed = False
_CODE = (".py", ".pyc")


class ImportReads:
    """Data files below `root`, by the file whose top-level code opened them."""

    def __init__(self, root: str) -> None:
        self._root = root + "/"
        self._reads: dict[str, set[str]] = {}
        self._wants: dict[str, Callable[[str], bool]] = {}

    def begin(self) -> None:
        """Starts recording, and stops recording for the folder that was open before."""
        global _current, _installed
        _current = self
        if not _installed:
            _installed = True
            sys.addaudithook(_note_opened)

    def of(self, file: str) -> set[str]:
        """The data files that the file's top-level code opened."""
        return self._reads.get(file, set())

    def forget(self, file: str) -> None:
        """Forgets the file, because it will be imported again."""
        self._reads.pop(file, None)
        self._wants.pop(file, None)

    def list_wanting(self, changed: Iterable[str]) -> set[str]:
        """The files that would read one of these data files."""
        return {file for file, wants in self._wants.items() if any(map(wants, changed))}

    def want(self, file: str, wants: Callable[[str], bool]) -> None:
        """Records which data files a file would read."""
        self._wants[file] = wants

    def add(self, file: str, read: str) -> None:
        """Records one data file for a file; both are paths in the folder."""
        self._reads.setdefault(file, set()).add(read)

    def note(self, opened: str, frame: FrameType | None) -> None:
        """Records that `frame` opens the file `opened`, for each file of the folder whose top-level code is in the call stack."""
        path = os.path.abspath(opened)
        if not path.startswith(self._root) or path.endswith(_CODE):
            return
        while frame is not None:
            code = frame.f_code
            if code.co_name == "<module>" and code.co_filename.startswith(self._root):
                file = code.co_filename[len(self._root) :]
                self.add(file, path[len(self._root) :])
            frame = frame.f_back


def note_read(file: str, read: str) -> None:
    """Records that the tools of a file depend on a data file, which its top-level code may not open. Both are paths in the folder."""
    if _current is not None:
        _current.add(file, read)


def note_wanted(file: str, wants: Callable[[str], bool]) -> None:
    """Records that the tools of a file depend on all data files that `wants` accepts, also on those that come later."""
    if _current is not None:
        _current.want(file, wants)


def _note_opened(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook of Python: notes the files that tool files open while they are imported."""
    if event != "open" or _current is None:
        return
    try:
        path = arguments[0]
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if isinstance(path, str) and not path.endswith(_CODE):
            _current.note(path, cast(FrameType, sys._getframe(1)))
    except BaseException:  # an exception from here would be raised in the code that opens the file
        return
