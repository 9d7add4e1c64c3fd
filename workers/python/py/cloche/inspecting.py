"""Inspects one tool file: imports it, checks its specs, and reports tools and problems."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from .environment import RestoredEnvironment
from .failures import describe
from .folder import NO_SPECS, Folder, ToolFile
from .handlers import parameters_of
from .import_output import ImportOutput
from .import_problems import import_problem, too_much_printed
from .lint import lint
from .problems import Fault, Problem, error
from .report import Report
from .source_text import source_text
from .spec_places import SpecPlaces
from .specs import ToolSpec, check_spec
from .streams import Streams
from .wording import kind


def inspect_tools(
    folder: Folder,
    file: str,
    streams: Streams,
    now: Callable[[], float],
    registered: list[dict[str, object]] | None = None,
) -> str:
    """The report on `file` as JSON text. Never raises, whatever the file does.

    `registered`: the tools that the file has registered as an extension, which are reported instead of its TOOL_SPECS.
    """
    report = Report(file, folder, now)
    try:
        source = _read_source(report, folder, file)
        if source is not None:
            text = source_text(source)
            folder.dependencies.take_text(file, text)
            loaded = _import_file(report, folder, file, source, streams)
            if loaded:
                folder.dependencies.note_loaded(file, loaded.module)
            report.imports = folder.dependencies.imports_of(file)
            if loaded:
                report.extension = _is_extension(loaded.module)
            if not report.extension and (loaded is None or loaded.foreign is None):
                report.take_settings(folder.find_variables(file, text))
            if loaded:
                if loaded.foreign and not report.extension:
                    report.take_foreign(loaded.foreign)
                # Inferred specs are not written in the source.
                is_inferred = registered is None and loaded.foreign is not None and bool(loaded.foreign.specs)
                _check_entries(report, loaded, SpecPlaces("" if is_inferred else text), registered)
        return report.to_json()
    except BaseException as fault:  # a file that patches what this code uses only spoils its own report
        return report.write_failure(fault)


def _read_source(report: Report, folder: Folder, file: str) -> bytes | None:
    """The bytes of the file; None if it cannot be read, which is reported."""
    try:
        return folder.read(file)
    except OSError as fault:
        hint = "Refresh the tools folder: the file may have been moved or deleted."
        message = f"the file cannot be read: {describe(fault)}"
        report.add_problem(
            Problem("error", "unreadable", file, 1, None, message, "a file that can be read", hint)
        )
        return None


def _import_file(report: Report, folder: Folder, file: str, source: bytes, streams: Streams) -> ToolFile | None:
    """The imported file; None if it raises an exception or prints too much, which is reported."""
    path = folder.path_of(file)
    output = ImportOutput(path)
    loaded: ToolFile | None = None
    failure: BaseException | None = None
    with RestoredEnvironment(streams):
        try:
            loaded = folder.load(file, output, source)
            streams.drain(output)
        except BaseException as fault:
            failure = fault
    report.output = output.text
    if output.too_much:  # even if the file caught the exception that reported it
        folder.unload(file)
        report.add_problem(too_much_printed(file, output.line))
        return None
    if failure is not None:
        report.add_problem(import_problem(failure, folder, file, source))
    elif loaded and loaded.shadowed:
        report.add_problem(_warn_of_shadowing(loaded, file))
    return loaded


def _is_extension(module: ModuleType) -> bool:
    """Whether the module defines `register(app)`: a function whose only required parameter is named `app`."""
    function = vars(module).get("register")
    if not callable(function):
        return False
    try:
        parameters = list(parameters_of(function).items())
    except Exception:  # it may be any object of the file
        return False
    return bool(parameters) and parameters[0][0] == "app" and all(
        one.default is not one.empty or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        for _, one in parameters[1:]
    )


def _check_entries(
    report: Report, loaded: ToolFile, places: SpecPlaces, registered: list[dict[str, object]] | None
) -> None:
    """Reports the tools of a file, and the problems of its specs."""
    entries = loaded.entries if registered is None else registered
    if entries is NO_SPECS:
        report.no_specs = not report.extension
        return
    if not isinstance(entries, (list, tuple)):
        hint = "Write TOOL_SPECS = [{…}, {…}], even for one tool."
        fault = error("specs-not-list", (), f"TOOL_SPECS is {kind(entries)}", "a list of dicts", hint)
        report.add_fault(fault, places.of_variable("TOOL_SPECS"))
        return
    first_lines: dict[str, int] = {}
    for index, entry in enumerate(list(entries)):
        faults: list[Fault] = []
        stem = loaded.stem if registered is None else (_read_name(entry) or "").partition(":")[0]
        spec = _check_entry(entry, stem, faults, is_written=loaded.foreign is None)
        name = spec.name if spec else _read_name(entry)
        if report.is_full and not spec:
            for fault in faults:
                report.add_fault(fault, None)
            continue
        place = places.of_spec(name, index)
        # @mutant a tool name that occurs twice in a file => without and name not in first_lines [python test_spec_lists]
        if spec and not faults and name not in first_lines:
            first_lines[spec.name] = place[0] if place else 1
            report.add_tool(spec, place)
            continue
        # A name with another module may be that of a tool there; other bad names belong to no tool.
        owner = next((fault.tool for fault in faults if fault.code == "bad-name"), name or "")
        if spec and spec.name in first_lines:
            # The name leads to the first spec of that name; this one is the entry at its index.
            place = places.of_part(None, index, ()) or place
            faults.append(_report_duplicate(spec.name, first_lines[spec.name], place))
            report.add_fault(faults[-1], place, owner)
            continue
        for fault in faults:
            part = places.of_part(name, index, fault.path) if fault.path else place
            report.add_fault(fault, part or place, owner)
        if spec:
            first_lines[spec.name] = place[0] if place else 1
            report.add_tool(spec, place)


def _check_entry(entry: object, stem: str, faults: list[Fault], *, is_written: bool) -> ToolSpec | None:
    """The spec of an entry; None if an error rejects it. `is_written`: the author has written it."""
    try:
        spec = check_spec(entry, stem, faults)
        # An inferred schema cannot disagree with its function.
        if spec and is_written:
            faults.extend(lint(spec, faults))
        return spec
    except BaseException as fault:  # an entry whose own methods raise
        message = f"checking the entry raised {describe(fault)}"
        hint = "Write the spec as a plain dict of plain values."
        faults[:] = [error("spec-fails", (), message, "a plain dict", hint)]
        return None


def _read_name(entry: Any) -> str | None:
    """The name in an entry of TOOL_SPECS, which may be any value; None if it has none."""
    name = dict.get(entry, "name") if issubclass(type(entry), dict) else None
    return name if type(name) is str else None


def _report_duplicate(name: str, first_line: int, place: tuple[int, int] | None) -> Fault:
    here = f"line {place[0]}" if place else "a second spec"
    message = f"{name!r} at {here} is already the name of the spec at line {first_line}"
    return error(
        "duplicate-name", ("name",), message, "a unique name for each tool", "Rename one of the two."
    )


def _warn_of_shadowing(loaded: ToolFile, file: str) -> Problem:
    message = f"the file has the same name as {loaded.shadowed}"
    hint = f"Its tools work, but `import {loaded.stem}` imports the other module: rename the file if others import it."
    return Problem("warning", "shadowed-module", file, 1, None, message, "a unique file name", hint)
