"""Imports a file of another framework with stand-ins, and collects its tools.

`folder` calls `load_foreign` for each file without TOOL_SPECS. The module and a `ForeignFile` come out: specs of the
tools, messages, settings. `foreign/__init__.py` lists the steps.
"""

from __future__ import annotations

import builtins
import linecache
import os
import sys
import traceback
from collections.abc import Callable
from importlib.util import spec_from_file_location
from types import ModuleType
from typing import Any, NamedTuple

from .collection import collect_tools
from .command_line import CommandLine
from .described_files import read_described_files
from .loaded_file import Collected, Inferred, Note, Options
from .marks import Collector, collecting
from .missing_variables import MissingVariables
from .no_tools import explain_no_tools, explain_unused_descriptions, note_unmarked_class
from .package_names import ABOVE, FOLDER
from .place import Place
from .reading import Reading
from .resuming_files import resume_file
from .settings import ENVIRONMENT, Setting, describe_variables
from .source_reader import read_source
from .stand_ins import StandIns
from .unusable_tools import list_tools, note_missing_modules, note_obstacles

# Imports a file. Its named arguments can be left out: `names` are added to the globals of the file; its module is appended
# to `begun` before the file runs; if `is_private`, the file's name stays free for another module.
Run = Callable[..., ModuleType]


class ForeignFile(NamedTuple):
    """The contents of a file without TOOL_SPECS."""

    label: str  # the framework, as the page names it
    stand_ins: tuple[str, ...]  # the modules that were replaced
    specs: list[dict[str, object]]
    notes: list[Note]
    reason: Note | None  # the reason why it has no tools, if it has none
    implied: list[str]  # names of tools that the file may only export to other files
    inferred: list[Inferred] = []  # one for each spec
    settings: list[Setting] = []
    missing: tuple[str, ...] = ()  # modules that are not installed, and have no stand-in


def load_foreign(
    source: str, stem: str, path: str, root: str, stand_ins: StandIns, run: Run, options: Options
) -> tuple[ModuleType, ForeignFile | None]:
    """Imports a file whose source has no TOOL_SPECS.

    Raises the exceptions of the file, except if it has already defined tools: the exception is a note then.
    """
    reading = read_source(source)
    if reading is None:
        return run(), None
    described = None  # for a recognised file, they are read once it has run
    if not reading.is_recognised and reading.defined:
        described = read_described_files(reading.json_files, root, os.path.basename(path))
    is_recognised = reading.is_recognised or bool(described)
    if not is_recognised and not (options.unmarked != "never" and reading.functions):
        reason = explain_no_tools(reading, [], root)
        try:
            return run(), ForeignFile(label="", stand_ins=(), specs=[], notes=[], reason=reason, implied=[])
        except ModuleNotFoundError as error:
            if not _is_raised_in_helper(error, path, root):
                raise
    return _Loader(source, stem, path, root, reading, options, described).load(stand_ins, run)


def _is_raised_in_helper(error: ModuleNotFoundError, path: str, root: str) -> bool:
    """Whether the error was raised in another file of the folder, and that file uses a framework."""
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(f"{root}/")]
    if not files or files[-1] == path:
        return False
    reading = read_source("".join(linecache.getlines(files[-1])))
    return reading is not None and bool(reading.frameworks)


class _Loader:
    """Loads one recognised file."""

    def __init__(
        self, source: str, stem: str, path: str, root: str, reading: Reading, options: Options, described: list[tuple[str, Any]] | None
    ) -> None:
        self._source, self._stem, self._path, self._root = source, stem, path, root
        self._reading, self._options, self._described = reading, options, described
        self._collector = Collector()
        self._variables = MissingVariables(root)
        self._command_line = CommandLine(path, has_parser="argparse" in reading.imports)

    def load(self, stand_ins: StandIns, run: Run) -> tuple[ModuleType, ForeignFile]:
        globals_of_file = self._make_globals(stand_ins)
        imports_itself = any(module.partition(".")[0] == self._stem for module in self._reading.imports)
        begun: list[ModuleType] = []
        notes: list[Note] = []

        def run_file() -> ModuleType:
            return run(names=globals_of_file, begun=begun, is_private=imports_itself)

        with stand_ins, self._variables, self._command_line, collecting(self._collector):
            try:
                module = run_file()
            except BaseException as raised:
                if not begun:
                    raise
                module, notes = self._continue(raised, begun, run_file, stand_ins)
                collected = self._collect(module)
                is_whole = module.__name__ in sys.modules  # whether the rest of the file ran to its end
                if notes and not collected.inferred and not (is_whole and explain_unused_descriptions(collected.notes)):
                    sys.modules.pop(module.__name__, None)
                    raise
            else:
                collected = self._collect(module)
        return module, self._describe(collected, notes)

    def _make_globals(self, stand_ins: StandIns) -> dict[str, Any]:
        """The names that the file has beside its own."""
        names: dict[str, Any] = {}
        if self._reading.imports_framework_late:
            names["__builtins__"] = {**vars(builtins), "__import__": stand_ins.importing}
        if self._reading.relative:
            names["__package__"] = _make_package(self._root)
            names["__spec__"] = spec_from_file_location(f"{FOLDER}.{self._stem}", self._path)
        return names

    def _continue(
        self, raised: BaseException, begun: list[ModuleType], run_file: Callable[[], ModuleType], stand_ins: StandIns
    ) -> tuple[ModuleType, list[Note]]:
        """Runs the rest of a file that raised an exception. Returns the module, and notes about the statements that failed.

        `begun`: contains the module; after a second run, the module of that run.
        """
        while self._gives_more(raised, stand_ins):
            begun.clear()
            self._collector.forget_tools()
            try:
                return run_file(), []
            except BaseException as again:
                raised = again
        return begun[0], resume_file(begun[0], self._source, self._path, raised, self._reading)

    def _gives_more(self, raised: BaseException, stand_ins: StandIns) -> bool:
        """Whether another run can give the file something whose absence may have stopped it."""
        # The file catches the failed import of a package, but then uses a name that the import did not define.
        module = self._reading.bound.get(raised.name or "", "") if isinstance(raised, NameError) else ""
        if module and not module.startswith(".") and self._reading.guarded and stand_ins.need(self._path, module):
            return True
        # The file may have stopped because a key is missing that its tools need only when they are called.
        if self._variables.are_given or not self._variables.looked_for or self._collector.marks:
            return False
        self._variables.are_given = True
        return True

    def _collect(self, module: ModuleType) -> Collected:
        place = Place(module, self._stem, self._path, self._root)
        return collect_tools(place, self._reading, self._collector, self._options, self._described)

    def _describe(self, collected: Collected, notes: list[Note]) -> ForeignFile:
        reading, missing = self._reading, tuple(self._collector.missing)
        tools = list_tools(collected.inferred)
        notes = [
            *notes,
            *self._variables.list_notes(),
            *self._command_line.list_notes(),
            *note_missing_modules(reading, missing, tools),
            *note_obstacles(reading, tools),
            *note_unmarked_class(reading, collected.inferred),
            *collected.notes,
        ]
        label = "Open WebUI" if reading.is_web_ui and collected.inferred else ""
        reason = None if collected.inferred else explain_unused_descriptions(collected.notes) or explain_no_tools(reading, missing, self._root)
        return ForeignFile(
            label=reading.framework.label if reading.framework else label,
            stand_ins=tuple(self._collector.used),
            specs=[tool.spec for tool in collected.inferred],
            notes=notes,
            reason=reason,
            implied=collected.implied,
            inferred=collected.inferred,
            settings=[*collected.settings, *self._list_variables()],
            missing=missing,
        )

    def _list_variables(self) -> list[Setting]:
        """The environment variables that the file reads and that the user may set."""
        defaults = {**dict.fromkeys(self._variables.list_names(), ""), **self._reading.variables}
        return describe_variables(defaults, self._options.settings.get(ENVIRONMENT, {}))


def _make_package(root: str) -> str:
    """The name of the package with which a file can import neighbouring files with a leading dot, as in its original one."""
    package = sys.modules.get(FOLDER)
    if package is None or package.__path__ != [root]:
        for name in (*ABOVE, FOLDER):
            package = sys.modules[name] = ModuleType(name, "The tools folder as a package.")
            package.__path__ = [root] if name == FOLDER else []
    return FOLDER
