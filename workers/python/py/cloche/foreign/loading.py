"""Imports a file of another framework with stand-ins, and collects the tools that it marks."""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Callable, Mapping
from importlib.util import spec_from_file_location
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from .collection import collect
from .command_line import CommandLine
from .found import Inferred, Note, Options
from .marks import Collector, collecting
from .missing_tools import cannot_run, described_only, function_name, left_out, missing, reason
from .package_names import ABOVE, FOLDER
from .reading import read_source
from .resuming import go_on
from .settings import ENVIRONMENT, Setting, variable
from .stand_ins import StandIns

# Imports a file with these names added to its globals. Its module is appended to the list before the file runs. If the last
# value is true, the file's name stays free for another module.
Run = Callable[[dict[str, Any], list[ModuleType], bool], ModuleType]


_PLACEHOLDER = "not-set"
_VARIABLES = 100
_MAPPING = Mapping.get.__code__.co_filename


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
        return run({}, [], False), None
    if not reading.is_recognised and not (options.unmarked != "never" and reading.functions):
        return run({}, [], False), ForeignFile("", (), [], [], reason(reading, []), [])
    collector = Collector()
    names: dict[str, Any] = {}
    if reading.late:
        names["__builtins__"] = {**vars(builtins), "__import__": stand_ins.importing}
    if reading.relative:
        names.update(_as_in_package(stem, path, root))
    imports_itself = any(name.partition(".")[0] == stem for name in reading.imports)
    variables = MissingVariables(root)
    command_line = CommandLine(path, "argparse" in reading.imports)
    notes: list[Note] = []
    begun: list[ModuleType] = []
    with stand_ins, variables, command_line, collecting(collector):
        try:
            module = run(names, begun, imports_itself)
        except BaseException as raised:
            if not begun:
                raise
            module = begun[0]
            # The file may have stopped because a key is missing, which its tools need only when they are called.
            if variables.looked_for and not collector.marks:
                variables.are_given = True
                for part in (begun, *vars(collector).values()):
                    part.clear()
                try:
                    module = run(names, begun, imports_itself)
                except BaseException as again:
                    module = begun[0]
                    notes = go_on(module, source, path, again, reading)
            else:
                notes = go_on(module, source, path, raised, reading)
            found = collect(module, stem, path, reading, collector, root, options)
            if notes and not found.specs:
                sys.modules.pop(module.__name__, None)
                raise
        else:
            found = collect(module, stem, path, reading, collector, root, options)
    notes.extend([*variables.notes(), *command_line.notes()])
    tools = [(str(one.spec["name"]), function_name(one)) for one in found.inferred]
    notes.extend(missing(reading, list(collector.missing), tools))
    notes.extend(cannot_run(reading, tools))
    notes.extend(left_out(reading, found.inferred))
    label = "Open WebUI" if reading.is_web_ui and found.specs else ""
    if reading.framework:
        label = reading.framework.label
    why = None if found.specs else described_only(found.notes) or reason(reading, list(collector.missing))
    given = options.settings.get(ENVIRONMENT, {})
    asked = [name for name in {**dict.fromkeys(variables.names()), **reading.variables} if name in given or name not in os.environ]
    settings = [*found.settings, *(variable(name, reading.variables.get(name, "")) for name in asked[:_VARIABLES])]
    foreign = ForeignFile(
        label=label,
        stand_ins=tuple(collector.used),
        specs=found.specs,
        notes=[*notes, *found.notes],
        reason=why,
        implied=found.implied,
        inferred=found.inferred,
        settings=settings,
        missing=tuple(collector.missing),
    )
    return module, foreign


def _as_in_package(stem: str, path: str, root: str) -> dict[str, Any]:
    """The globals with which a file can import neighbouring files with a leading dot, as in its original package."""
    package = sys.modules.get(FOLDER)
    if package is None or package.__path__ != [root]:
        for name in (*ABOVE, FOLDER):
            package = sys.modules[name] = ModuleType(name, "The tools folder as a package.")
            package.__path__ = [root] if name == FOLDER else []
    return {"__package__": FOLDER, "__spec__": spec_from_file_location(f"{FOLDER}.{stem}", path)}


class MissingVariables:
    """Gives missing environment variables a placeholder while a file is imported, and notes their names.

    `os.environ["X"]` gives the placeholder at once; `os.getenv("X")` finds nothing, unless `are_given` is set.
    """

    def __init__(self, root: str) -> None:
        self._root = root + "/"
        self._asked: dict[str, int] = {}
        self.looked_for: dict[str, int] = {}  # by `get`, with the line
        self.are_given = False

    def __enter__(self) -> MissingVariables:
        variables = self
        self._kind = type(os.environ)

        class Lenient(self._kind):  # type: ignore[name-defined, misc]
            def __getitem__(self, name: str) -> str:
                try:
                    return super().__getitem__(name)
                except KeyError:
                    if not isinstance(name, str) or not variables._gives(name, sys._getframe(1)):
                        raise
                    return _PLACEHOLDER

        os.environ.__class__ = Lenient  # type: ignore[assignment]
        return self

    def __exit__(self, *ended: object) -> None:
        os.environ.__class__ = self._kind  # type: ignore[assignment]

    def _gives(self, name: str, frame: FrameType) -> bool:
        """Whether a lookup of a missing variable finds a value. Notes the variable and the line if the file itself asks."""
        if frame.f_code.co_filename != _MAPPING:
            if not self._is_own(frame):
                return False
            self._asked.setdefault(name, frame.f_lineno)
            return True
        # `get` and `in` also call this method. Only `get` without a default may find a value.
        if frame.f_code.co_name != "get" or frame.f_locals.get("default") is not None:
            return False
        caller = frame.f_back
        if caller is not None and caller.f_code.co_name == "getenv":
            caller = caller.f_back
        if caller is None or not self._is_own(caller):
            return False
        line = caller.f_lineno
        (self._asked if self.are_given else self.looked_for).setdefault(name, line)
        return self.are_given

    def _is_own(self, frame: FrameType) -> bool:
        """Whether a file of the folder asks. Packages that it imports read variables of their own."""
        return frame.f_code.co_filename.startswith(self._root)

    def names(self) -> list[str]:
        """The variables that the file asked for, and that are not set."""
        return [*self._asked, *self.looked_for]

    def notes(self) -> list[Note]:
        return [
            Note(
                "needs-variable",
                line,
                f"the file reads the environment variable {name}, which is not set here",
                "variables that are set",
                f"Tools that use it get the placeholder “{_PLACEHOLDER}”.",
            )
            for name, line in self._asked.items()
        ]
