"""Imports a file of another framework with stand-ins, and collects the tools that it marks."""

from __future__ import annotations

import builtins
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from importlib.util import spec_from_file_location
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from .collection import collect
from .found import Found, Inferred, Note, Options
from .frameworks import framework_of
from .marks import Collector, collecting
from .obstacles import Obstacle, usable, users_of
from .package_names import package_of, remedy
from .reading import Reading, read_source
from .settings import ENVIRONMENT, Setting, variable
from .stand_ins import StandIns

# Imports a file with these names added to its globals. Its module is appended to the list before the file runs.
Run = Callable[[dict[str, Any], list[ModuleType]], ModuleType]


_PACKAGE = "_cloche_folder"
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


def load_foreign(
    source: str, stem: str, path: str, root: str, stand_ins: StandIns, run: Run, options: Options
) -> tuple[ModuleType, ForeignFile | None]:
    """Imports a file whose source has no TOOL_SPECS.

    Raises the exceptions of the file, except if it has already defined tools: the exception is a note then.
    """
    reading = read_source(source)
    if reading is None:
        return run({}, []), None
    if not reading.is_recognised and not (options.unmarked != "never" and reading.functions):
        return run({}, []), ForeignFile("", (), [], [], _reason(reading), [])
    collector = Collector()
    names: dict[str, Any] = {}
    if reading.late:
        names["__builtins__"] = {**vars(builtins), "__import__": stand_ins.importing}
    if reading.is_relative:
        names.update(_as_in_package(stem, path, root))
    variables = MissingVariables()
    notes: list[Note] = []
    begun: list[ModuleType] = []
    with stand_ins, variables:
        try:
            with collecting(collector):
                module = run(names, begun)
        except BaseException as raised:
            found = _found_before(begun, stem, path, reading, collector, root, options)
            if found is None and variables.looked_for and not variables.are_given:
                # The file may have stopped because a key is missing, which its tools need only when they are called.
                variables.are_given = True
                collector, begun = Collector(), []
                try:
                    with collecting(collector):
                        run(names, begun)
                except BaseException:
                    found = _found_before(begun, stem, path, reading, collector, root, options)
                else:
                    found = _found_before(begun, stem, path, reading, collector, root, options)
            if found is None:
                raise
            module = begun[0]
            if not variables.are_given:
                notes.append(_stopped(raised, reading, path))
        else:
            with collecting(collector):
                found = collect(module, stem, path, reading, collector, root, options)
    notes.extend(variables.notes())
    tools = [(str(one.spec["name"]), _function_name(one)) for one in found.inferred]
    notes.extend(_missing(reading, list(collector.missing), tools))
    notes.extend(_obstacles(reading, tools))
    label = reading.framework.label if reading.framework else "Open WebUI" if reading.is_web_ui and found.specs else ""
    reason = None if found.specs else _reason(reading)
    given = options.settings.get(ENVIRONMENT, {})
    asked = [name for name in {**dict.fromkeys(variables.names()), **reading.variables} if name in given or name not in os.environ]
    settings = [*found.settings, *(variable(name, reading.variables.get(name, "")) for name in asked[:_VARIABLES])]
    return module, ForeignFile(label, tuple(collector.used), found.specs, [*notes, *found.notes], reason, found.implied, found.inferred, settings)


def _found_before(
    begun: list[ModuleType], stem: str, path: str, reading: Reading, collector: Collector, root: str, options: Options
) -> Found | None:
    """The tools that a file had defined before it stopped; None if there are none."""
    if not begun:
        return None
    with collecting(collector):
        found = collect(begun[0], stem, path, reading, collector, root, options)
    return found if found.specs else None


def _as_in_package(stem: str, path: str, root: str) -> dict[str, Any]:
    """The globals with which a file can import neighbouring files with a leading dot, as in its original package."""
    package = sys.modules.get(_PACKAGE)
    if package is None or package.__path__ != [root]:
        package = sys.modules[_PACKAGE] = ModuleType(_PACKAGE, "The tools folder as a package.")
        package.__path__ = [root]
    return {"__package__": _PACKAGE, "__spec__": spec_from_file_location(f"{_PACKAGE}.{stem}", path)}


class MissingVariables:
    """Gives missing environment variables a placeholder while a file is imported, and notes their names.

    `os.environ["X"]` gives the placeholder at once; `os.getenv("X")` finds nothing, unless `are_given` is set.
    """

    def __init__(self) -> None:
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
        if frame.f_code.co_filename != _MAPPING:
            self._asked.setdefault(name, frame.f_lineno)
            return True
        # `get` and `in` also call this method. Only `get` without a default may find a value.
        if frame.f_code.co_name != "get" or frame.f_locals.get("default") is not None:
            return False
        caller = frame.f_back
        if caller is not None and caller.f_code.co_name == "getenv":
            caller = caller.f_back
        line = caller.f_lineno if caller is not None else 1
        (self._asked if self.are_given else self.looked_for).setdefault(name, line)
        return self.are_given

    def names(self) -> list[str]:
        """The variables that the file asked for, and that are not set."""
        return [*self._asked, *self.looked_for]

    def notes(self) -> list[Note]:
        """One note for each missing variable."""
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


def _reason(reading: Reading) -> Note | None:
    """The reason why the file has no tools, and a remedy; None if the reason is unknown."""

    def said(message: str, hint: str, line: int = 1) -> Note:
        return Note("no-specs", line, message, "a file that defines tools", hint)

    if reading.built_in:
        outer = reading.built_in.partition(".")[0]
        hint = f"Call it at the top level, for example tools = {outer}(), or move the tools out of it."
        return said(f"its tools are built inside {outer}(), which nothing calls when the file is imported", hint, reading.defined.get(outer, 1))
    if reading.is_script and not reading.frameworks:
        hint = "Move what it does into a function with typed parameters, and list the function in __all__ or TOOL_SPECS."
        return said("it is a command-line script: it reads its arguments from the command line", hint)
    named = ", ".join(f"{name}()" for name in reading.functions[:3])
    if reading.framework and reading.framework.id not in ("openai", "anthropic"):
        hint = f"Mark functions as {reading.framework.label} does, or list them in __all__{f': {named}' if named else ''}."
        return said(f"it uses {reading.framework.label}, but defines no tool at its top level", hint)
    if named:
        hint = f'To make tools of them, write __all__ = ["{reading.functions[0]}"], or add TOOL_SPECS.'
        return said(f"it defines functions ({named}), but does not say which are tools", hint)
    return None


def _stopped(raised: BaseException, reading: Reading, path: str) -> Note:
    line, traceback = 1, raised.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    if reading.asks_at and isinstance(raised, EOFError):
        message = "the file asks for input when it is imported: the code after this line did not run"
    else:
        message = f"the file stopped here when it was imported ({type(raised).__name__}: {str(raised)[:300]}): only the tools above this line can be used"
    hint = 'Put what should only run as a script below if __name__ == "__main__":.'
    return Note("import-stopped", line, message, "a file that only defines tools when it is imported", hint)


def _function_name(found: Inferred) -> str:
    return str(getattr(inspect.unwrap(found.mark.target), "__name__", ""))


def _obstacles(reading: Reading, tools: list[tuple[str, str]]) -> list[Note]:
    """One note for each way in which tools fail in a browser, at its first line."""
    notes: list[Note] = []
    by_name: dict[str, list[Obstacle]] = {}
    for one in reading.obstacles:
        if one.function:
            by_name.setdefault(one.name, []).append(one)
    for name, calls in by_name.items():
        failing = users_of((one.function for one in calls), reading.reads) | {one.function for one in calls}
        if any(function in failing for _, function in tools):
            first = calls[0]
            message = f"{first.function}() {first.what} ({name}), which fails in a browser"
            notes.append(Note("cannot-run-here", first.line, message, "code that a browser can run", f"{first.hint} {usable(tools, failing)}".strip()))
    return notes


def _missing(reading: Reading, modules: list[str], tools: list[tuple[str, str]]) -> list[Note]:
    notes = []
    for module in modules:
        line = next((line for name, line in reading.imports.items() if name.partition(".")[0] == module), 1)
        full = next((name for name in reading.imports if name.partition(".")[0] == module and framework_of(name) is None), module)
        package = package_of(full)
        message = f"the package {package} is not installed" if package else f"the module {full} is not installed, and the name of its package is unknown"
        names = [name for name, origin in reading.bound.items() if origin.partition(".")[0] == module]
        hint = f"{remedy(full)} {usable(tools, users_of(names, reading.reads))}".strip()
        notes.append(Note("needs-package", line, message, "installed packages", hint))
    return notes

