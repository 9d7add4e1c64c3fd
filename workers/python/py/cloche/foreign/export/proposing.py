"""Proposes specs for the functions of a file, and writes them into its text.

`interpreter` calls `propose` when the user exports a file, or chooses functions that become tools. The package's
docstring lists the steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...environment import RestoredEnvironment
from ...failures import describe
from ...folder import Folder, ToolFile, is_candidate
from ...handlers import code_of
from ...import_output import ImportOutput
from ...import_problems import import_problem
from ...json_text import encode_plain
from ...problems import Fault
from ...source_text import source_text
from ...specs import check_spec
from ...streams import Streams
from ..collection import collect_tools
from ..command_line import CommandLine
from ..frameworks import LIBRARIES
from ..loaded_file import Inferred, Options, Unmarked
from ..marks import Collector, collecting
from ..package_names import remedy
from ..place import Place
from ..source_reader import read_source
from .conversion_code import Unwritable
from .hoisting import hoist_tools
from .late_imports import move_imports, needs_functools
from .source_lines import find_indentation, without_byte_order_mark
from .spec_handlers import HandlerWriter
from .spec_text import insert_blocks, insert_entries, write_entries, write_specs
from .stripping import strip_framework
from .tidying import insert_imports, tidy

_TOOLS = 500
_VALUES = 150_000
_NOTES = 100
_NOTE_CHARACTERS = 10_000
_FIRST_KEYS = ("name", "label", "description", "parameters")


class _Note(NamedTuple):
    """Why something is missing from a proposal, and what the user can do."""

    line: int
    message: str
    hint: str


class _Proposed(NamedTuple):
    """A function that can become a tool. `handler`: the source of the handler in its spec; empty if none can be written."""

    tool: Inferred
    handler: str
    included: bool
    notes: list[str]

    @property
    def spec(self) -> dict[str, Any]:
        """The spec as it is written, without the handler."""
        spec = self.tool.spec
        first = {key: spec[key] for key in _FIRST_KEYS if key in spec}
        return {**first, **{key: value for key, value in spec.items() if key not in _FIRST_KEYS and key != "handler"}}


class _Proposal(NamedTuple):
    """The proposed tools, the new text of the file, and notes. The text is None if nothing can be written."""

    tools: list[_Proposed]
    text: str | None
    notes: list[_Note]


def propose(folder: Folder, file: str, names: list[str] | None, streams: Streams) -> str:
    """The proposal as JSON text: the functions that can become tools, and the file's text with specs of those in
    `names`, or of all. The file is imported, and afterwards forgotten."""
    folder.forget([file])
    try:
        # Names of missing packages stay inert, as while the file is imported.
        with collecting(Collector()):
            proposal = _Proposer(folder, file, streams).propose(names)
    except BaseException as fault:  # a file that patches what this code uses
        hint = "Do not change built-in functions or standard modules in a tool file."
        proposal = _refuse(1, f"reading the file raised {describe(fault)}", hint)
    finally:
        folder.forget([file])
    tools = [
        {
            "name": one.tool.spec["name"],
            "line": one.tool.line,
            "description": one.tool.spec["description"],
            "parameters": one.tool.spec["parameters"],
            "included": one.included,
            "notes": one.notes[:_NOTES],
        }
        for one in proposal.tools
    ]
    notes = [
        {"line": note.line, "message": note.message[:_NOTE_CHARACTERS], "hint": note.hint[:_NOTE_CHARACTERS]}
        for note in proposal.notes[:_NOTES]
    ]
    return encode_plain({"file": file, "tools": tools, "text": proposal.text, "notes": notes})


def _refuse(line: int, message: str, hint: str) -> _Proposal:
    """A proposal without tools, and the reason."""
    return _Proposal([], None, [_Note(line, message, hint)])


class _Proposer:
    def __init__(self, folder: Folder, file: str, streams: Streams) -> None:
        self._folder, self._file, self._streams = folder, file, streams
        self._stem = file.removesuffix(".py")

    def propose(self, names: list[str] | None) -> _Proposal:
        try:
            source = self._folder.read(self._file)
        except OSError as fault:
            return _refuse(1, f"the file cannot be read: {fault}", "Refresh the tools folder.")
        text = _decode(source)
        if text is None:
            return _refuse(1, "the file is not in UTF-8", "Save it as UTF-8, without a coding comment.")
        if not is_candidate(source):  # it has TOOL_SPECS already
            loaded, failed = self._load(source, "always")
            return _Proposal([], None, [failed]) if failed else self._add_entries(loaded, text, names or [])
        text, loaded, failed = self._load_hoisted(text, source)
        if failed:
            return _Proposal([], None, [failed])
        foreign = loaded.foreign
        if foreign is None or not foreign.inferred:
            reason = foreign.reason if foreign else None
            if reason is None:
                return _refuse(1, "no function of this file can become a tool", "Define a function with typed parameters.")
            return _refuse(reason.line, reason.message, reason.hint)
        return self._export(loaded, text, names)

    # Loading

    def _load_hoisted(self, text: str, source: bytes) -> tuple[str, Any, _Note | None]:
        """The text with its tools at the top level, and the file as it is imported from that; or a note about why the
        import failed."""
        text, loaded = self._hoist(text, [])
        failed = None
        if loaded is None:
            loaded, failed = self._load(source, "always")
        if loaded is not None and loaded.foreign:
            text, hoisted = self._hoist(text, [tool.line for tool in loaded.foreign.inferred])
            loaded = hoisted or self._load(text.encode(), "always")[0]
        return text, loaded, failed

    def _hoist(self, text: str, made_at: list[int]) -> tuple[str, Any]:
        """Moves tools that a function adds to a server, or makes at these lines, to the top level.

        Returns the new text, and the file as it is imported from that. Returns the same text and None if there are no
        such tools, or if they do not work there.
        """
        reading = read_source(without_byte_order_mark(text))
        hoisted = hoist_tools(text, reading, made_at) if reading and (reading.server_parameters or made_at) else text
        if hoisted == text:
            return text, None
        self._folder.forget([self._file])
        loaded, failed = self._load(hoisted.encode(), "always")
        if loaded is None or failed or not loaded.foreign or any(note.code == "import-stopped" for note in loaded.foreign.notes):
            self._folder.forget([self._file])
            return text, None
        return hoisted, loaded

    def _load(self, source: bytes, unmarked: Unmarked) -> tuple[Any, _Note | None]:
        """Imports the file as it would be imported for a call. Returns what it has, or a note about why that failed.

        `unmarked`: "always" to infer tools also from functions that nothing marks; "never" for a file with TOOL_SPECS.
        """
        path = self._folder.path_of(self._file)
        output = ImportOutput(path)
        loaded, failure = None, None
        with RestoredEnvironment(self._streams), CommandLine(path, has_parser=False):
            try:
                loaded = self._folder.load(self._file, output, source, unmarked)
                self._streams.drain(output)
            except BaseException as raised:
                failure = raised
        if failure is None:
            return loaded, None
        problem = import_problem(failure, self._folder, self._file, source)
        return None, _Note(problem.line, problem.message, problem.hint)

    # A file without TOOL_SPECS

    def _export(self, loaded: ToolFile, text: str, names: list[str] | None) -> _Proposal:
        """Writes TOOL_SPECS into a file, and removes its framework."""
        foreign: Any = loaded.foreign
        unit = find_indentation(text)
        modules = frozenset(foreign.stand_ins) - LIBRARIES
        handlers = HandlerWriter(loaded.module, text, unit, modules)
        tools = self._choose(foreign.inferred[:_TOOLS], handlers, names)
        notes: list[_Note] = []
        stripped = handlers.edits.write(text)
        if modules:
            tools = _exclude_users(tools, stripped, modules, handlers, foreign.label)
            stripped, _, removed = strip_framework(stripped, modules, _list_used_names(tools, handlers))
            gone = f"is left out of the new file: it only works with {foreign.label}"
            notes = [_Note(line, f"{name} {gone}", "Rewrite it as a function.") for line, name in removed]
        written = [(tool.spec, tool.handler) for tool in tools if tool.included]
        if not written:
            return _Proposal(tools, None, [])
        imports, definitions = handlers.write_definitions([handler for _, handler in written])
        made = insert_blocks(stripped, definitions, write_specs(written, unit))
        made = insert_imports(made if stripped == text else tidy(text, made, modules), imports)
        if foreign.missing:
            try:
                made, late = move_imports(made, foreign.missing, unit)
            except Unwritable as why:
                return _exclude_all(tools, [_Note(1, f"no spec can be written: {why}", "Change it, and export again.")])
            made = insert_imports(made, ["functools"] if needs_functools(made) else [])
            notes += [_Note(1, f"{name} is imported where it is used, since it is not installed", remedy(name)) for name in late]
        failed = self._try(made, [spec for spec, _ in written])
        return _exclude_all(tools, failed) if failed else _Proposal(tools, made, notes)

    def _choose(self, inferred: list[Inferred], handlers: HandlerWriter, names: list[str] | None) -> list[_Proposed]:
        """Writes the handlers of the tools, and includes those with these names; without names, those that the file
        marks, or all if it marks none."""
        is_marked = any(not tool.is_unmarked for tool in inferred)
        tools = []
        values = 0
        for tool in inferred:
            is_wanted = not (tool.is_unmarked and is_marked) if names is None else tool.spec["name"] in names
            values += encode_plain(tool.spec["parameters"]).count(",") + 10
            if values > _VALUES:
                break
            handler, notes = handlers.write(tool, is_wanted)
            tools.append(_Proposed(tool, handler, is_wanted and bool(handler), notes))
        return tools

    # A file with TOOL_SPECS

    def _add_entries(self, loaded: ToolFile, text: str, names: list[str]) -> _Proposal:
        """Adds entries to the TOOL_SPECS of a file, for functions that are not tools yet."""
        handlers = HandlerWriter(loaded.module, text, find_indentation(text), frozenset())
        reading = read_source(without_byte_order_mark(text))
        entries = [entry for entry in loaded.entries if isinstance(entry, dict)] if isinstance(loaded.entries, list) else None
        if reading is None or entries is None:
            return _refuse(1, "TOOL_SPECS is not a list", "Write TOOL_SPECS = [{…}, {…}].")
        place = Place(loaded.module, self._stem, self._folder.path_of(self._file), self._folder.root)
        collected = collect_tools(place, reading, Collector(), Options("always"))
        known = {id(code_of(entry["handler"])) for entry in entries if callable(entry.get("handler"))}
        used = {entry.get("name") for entry in entries}
        free = [tool for tool in collected.inferred if id(code_of(tool.mark.target)) not in known and tool.spec["name"] not in used]
        tools = self._choose(free[:_TOOLS], handlers, names)
        written = [(tool.spec, tool.handler) for tool in tools if tool.included]
        if not written:
            return _Proposal(tools, None, [])
        imports, definitions = handlers.write_definitions([handler for _, handler in written])
        made = insert_entries(handlers.edits.write(text), definitions, write_entries(written, find_indentation(text)))
        if made is None:
            return _Proposal(tools, None, [_Note(1, "TOOL_SPECS is not written as one list", "Add the entries by hand.")])
        made = insert_imports(made, imports)
        failed = self._try(made, [spec for spec, _ in written])
        return _exclude_all(tools, failed) if failed else _Proposal(tools, made, [])

    def _try(self, text: str, specs: list[dict[str, Any]]) -> list[_Note]:
        """Imports the new text as it will be imported, and says what does not work."""
        self._folder.forget([self._file])
        loaded, failed = self._load(text.encode(), "never")
        if failed:
            return [failed._replace(message=f"with TOOL_SPECS the file cannot be imported: {failed.message}")]
        entries = loaded.entries if isinstance(loaded.entries, list) else []
        faults: list[Fault] = []
        checked = [check_spec(entry, self._stem, faults) for entry in entries]
        notes = [_Note(1, fault.message, fault.hint) for fault in faults if fault.severity == "error"]
        if not notes and [spec and spec.parameters for spec in checked[-len(specs) :]] != [spec["parameters"] for spec in specs]:
            notes.append(_Note(1, "the file changes its TOOL_SPECS when it is imported", "Review the new text before you save it."))
        return notes


def _decode(source: bytes) -> str | None:
    """The text, with its own line ends and byte order mark; None if it is not UTF-8."""
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError:
        return None
    # A coding comment may name another encoding.
    return text if source_text(source) or not text.strip() else None


def _exclude_all(tools: list[_Proposed], notes: list[_Note]) -> _Proposal:
    """A proposal with the tools, none of which is written, and the reason."""
    return _Proposal([tool._replace(included=False) for tool in tools], None, notes)


def _exclude_users(
    tools: list[_Proposed], text: str, modules: frozenset[str], handlers: HandlerWriter, label: str
) -> list[_Proposed]:
    """The tools; those whose functions use the framework are no longer included."""
    if not strip_framework(text, modules, _list_used_names(tools, handlers)).left:
        return tools
    checked = []
    for one in tools:
        left = strip_framework(text, modules, set(handlers.list_names(one.handler))).left if one.included else []
        why = [f"no spec can be written for it: line {line} uses {name} of {label}. Write this part without {label}" for line, name in left]
        checked.append(one._replace(included=False, notes=[*one.notes, *why]) if why else one)
    return checked


def _list_used_names(tools: list[_Proposed], handlers: HandlerWriter) -> set[str]:
    """The names of the file that the handlers of the included tools use."""
    return {name for tool in tools if tool.included for name in handlers.list_names(tool.handler)}
