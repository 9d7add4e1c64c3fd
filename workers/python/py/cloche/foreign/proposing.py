"""Proposes specs for the functions of a file, and writes them into its text."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..environment import RestoredEnvironment
from ..failures import describe
from ..folder import Folder, ToolFile, is_candidate
from ..handlers import code_of
from ..import_output import ImportOutput
from ..import_problems import import_problem
from ..json_text import encode_plain
from ..problems import Fault
from ..source_text import source_text
from ..specs import check_spec
from ..streams import Streams
from .collection import collect
from .command_line import CommandLine
from .found import Inferred, Options, Unmarked
from .frameworks import LIBRARIES
from .hoisting import hoisted
from .late_imports import needs_functools, with_late_imports
from .marks import Collector, collecting
from .package_names import remedy
from .reading import read_source
from .source_expressions import Unwritable
from .spec_handlers import Handlers
from .spec_text import entries_text, indentation_of, specs_text, with_block, with_entries
from .stripping import without_framework
from .tidying import tidied, with_imports

_TOOLS = 500
_VALUES = 150_000


class _Note(NamedTuple):
    line: int
    message: str
    hint: str


class _Proposed(NamedTuple):
    found: Inferred
    handler: str
    included: bool
    notes: list[str]


def propose(folder: Folder, file: str, names: list[str] | None, streams: Streams) -> str:
    """The proposal as JSON text: the functions that can become tools, and the file's text with specs of those in
    `names`, or of all. The file is imported, and afterwards forgotten."""
    folder.forget([file])
    tools: list[_Proposed] = []
    text = None
    try:
        # Names of missing packages stay inert, as while the file is imported.
        with collecting(Collector()):
            tools, text, notes = _Proposal(folder, file, streams).make(names)
    except BaseException as fault:  # a file that patches what this code uses
        hint = "Do not change built-in functions or standard modules in a tool file."
        notes = [_Note(1, f"reading the file raised {describe(fault)}", hint)]
    finally:
        folder.forget([file])
    listed = [
        {
            "name": found.spec["name"],
            "line": found.line,
            "description": found.spec["description"],
            "parameters": found.spec["parameters"],
            "included": included,
            "notes": said[:100],
        }
        for found, _, included, said in tools
    ]
    shown = [one._replace(message=one.message[:10_000], hint=one.hint[:10_000])._asdict() for one in notes[:100]]
    return encode_plain({"file": file, "tools": listed, "text": text, "notes": shown})


class _Proposal:
    def __init__(self, folder: Folder, file: str, streams: Streams) -> None:
        self._folder, self._file, self._streams = folder, file, streams
        self._stem = file.removesuffix(".py")

    def make(self, names: list[str] | None) -> tuple[list[_Proposed], str | None, list[_Note]]:
        """Returns the proposed tools, the new text of the file, and notes; None as the text if nothing can be written."""
        try:
            source = self._folder.read(self._file)
        except OSError as fault:
            return [], None, [_Note(1, f"the file cannot be read: {fault}", "Refresh the tools folder.")]
        text = _decoded(source)
        if text is None:
            return [], None, [_Note(1, "the file is not in UTF-8", "Save it as UTF-8, without a coding comment.")]
        text, loaded = self._moved(text, []) if is_candidate(source) else (text, None)
        failed = None
        if loaded is None:
            loaded, failed = self._load(source, "always")
        if loaded is not None and loaded.foreign and is_candidate(source):
            text, again = self._moved(text, [one.line for one in loaded.foreign.inferred])
            loaded = again or self._load(text.encode(), "always")[0]
        if failed:
            return [], None, [failed]
        unit = indentation_of(text)
        modules = frozenset(loaded.foreign.stand_ins if loaded.foreign else ()) - LIBRARIES
        handlers = Handlers(loaded.module, text, unit, modules)
        if not is_candidate(source):
            return self._beside_others(loaded, text, handlers, names or [])
        foreign = loaded.foreign
        if foreign is None or not foreign.inferred:
            reason = foreign.reason if foreign else None
            note = reason or _Note(1, "no function of this file can become a tool", "Define a function with typed parameters.")
            return [], None, [_Note(note.line, note.message, note.hint)]
        tools = self._choose(foreign.inferred[:_TOOLS], handlers, names)
        notes: list[_Note] = []
        kept = handlers.edits.rewritten(text)
        if modules:
            tools = _without_users(tools, kept, modules, handlers, foreign.label)
            used = {name for one in tools if one.included for name in handlers.names_in(one.handler)}
            kept, _, removed = without_framework(kept, modules, used)
            gone = f"is left out of the new file: it only works with {foreign.label}"
            notes = [_Note(line, f"{name} {gone}", "Rewrite it as a function.") for line, name in removed]
        written = [(_written(one.found.spec), one.handler) for one in tools if one.included]
        if not written:
            return tools, None, []
        imports, definitions = handlers.definitions_of([handler for _, handler in written])
        made = with_block(kept, definitions, specs_text(written, unit))
        made = with_imports(made if kept == text else tidied(text, made, modules), imports)
        if foreign.missing:
            try:
                made, late = with_late_imports(made, foreign.missing, unit)
            except Unwritable as why:
                return [one._replace(included=False) for one in tools], None, [_Note(1, f"no spec can be written: {why}", "Change it, and export again.")]
            made = with_imports(made, ["functools"] if needs_functools(made) else [])
            notes += [_Note(1, f"{name} is imported where it is used, since it is not installed", remedy(name)) for name in late]
        failed = self._tried(made, [spec for spec, _ in written])
        if failed:
            return [one._replace(included=False) for one in tools], None, failed
        return tools, made, notes

    def _moved(self, text: str, made_at: list[int]) -> tuple[str, Any]:
        """Moves tools that a function adds to a server, or makes at these lines, to the top level. Returns the new text, and
        the file as it is imported from that; the same text and None if there are none, or if they do not work there."""
        reading = read_source(text.removeprefix("\ufeff"))
        made = hoisted(text, reading, made_at) if reading and (reading.registering or made_at) else text
        if made == text:
            return text, None
        self._folder.forget([self._file])
        loaded, failed = self._load(made.encode(), "always")
        if loaded is None or failed or not loaded.foreign or any(one.code == "import-stopped" for one in loaded.foreign.notes):
            self._folder.forget([self._file])
            return text, None
        return made, loaded

    def _beside_others(
        self, loaded: ToolFile, text: str, handlers: Handlers, names: list[str]
    ) -> tuple[list[_Proposed], str | None, list[_Note]]:
        """Functions of a file that has TOOL_SPECS, apart from those that are tools already."""
        reading = read_source(text.removeprefix("\ufeff"))
        entries = [one for one in loaded.entries if isinstance(one, dict)] if isinstance(loaded.entries, list) else None
        if reading is None or entries is None:
            return [], None, [_Note(1, "TOOL_SPECS is not a list", "Write TOOL_SPECS = [{…}, {…}].")]
        path = self._folder.path_of(self._file)
        found = collect(loaded.module, self._stem, path, reading, Collector(), self._folder.root, Options("always"))
        known = {id(code_of(one["handler"])) for one in entries if callable(one.get("handler"))}
        used = {one.get("name") for one in entries}
        free = [one for one in found.inferred if id(code_of(one.mark.target)) not in known and one.spec["name"] not in used]
        tools = self._choose(free[:_TOOLS], handlers, names)
        written = [(_written(one.found.spec), one.handler) for one in tools if one.included]
        if not written:
            return tools, None, []
        imports, definitions = handlers.definitions_of([handler for _, handler in written])
        made = with_entries(handlers.edits.rewritten(text), definitions, entries_text(written, indentation_of(text)))
        if made is None:
            return tools, None, [_Note(1, "TOOL_SPECS is not written as one list", "Add the entries by hand.")]
        made = with_imports(made, imports)
        failed = self._tried(made, [spec for spec, _ in written])
        if failed:
            return [one._replace(included=False) for one in tools], None, failed
        return tools, made, []

    def _choose(self, found: list[Inferred], handlers: Handlers, names: list[str] | None) -> list[_Proposed]:
        is_marked = any(not one.is_unmarked for one in found)
        tools = []
        values = 0
        for one in found:
            wanted = not (one.is_unmarked and is_marked) if names is None else one.spec["name"] in names
            values += encode_plain(one.spec["parameters"]).count(",") + 10
            if values > _VALUES:
                break
            handler, notes = handlers.of(one, wanted)
            tools.append(_Proposed(one, handler, wanted and bool(handler), notes))
        return tools

    def _load(self, source: bytes, unmarked: Unmarked) -> tuple[Any, _Note | None]:
        """Imports the file as it would be imported for a call. Returns what it has, or a note about why that failed."""
        path = self._folder.path_of(self._file)
        output = ImportOutput(path)
        loaded, failure = None, None
        with RestoredEnvironment(self._streams), CommandLine(path, False):
            try:
                loaded = self._folder.load(self._file, output, source, unmarked)
                self._streams.drain(output)
            except BaseException as raised:
                failure = raised
        if failure is None:
            return loaded, None
        problem = import_problem(failure, self._file, path, self._folder.root, source)
        return None, _Note(problem.line, problem.message, problem.hint)

    def _tried(self, text: str, specs: list[dict[str, Any]]) -> list[_Note]:
        """Imports the new text as it will be imported, and says what does not work."""
        self._folder.forget([self._file])
        loaded, failed = self._load(text.encode(), "never")
        if failed:
            return [failed._replace(message=f"with TOOL_SPECS the file cannot be imported: {failed.message}")]
        entries = loaded.entries if isinstance(loaded.entries, list) else []
        faults: list[Fault] = []
        checked = [check_spec(one, self._stem, faults) for one in entries]
        notes = [_Note(1, one.message, one.hint) for one in faults if one.severity == "error"]
        if not notes and [one and one.parameters for one in checked[-len(specs) :]] != [one["parameters"] for one in specs]:
            notes.append(_Note(1, "the file changes its TOOL_SPECS when it is imported", "Review the new text before you save it."))
        return notes


def _written(spec: dict[str, Any]) -> dict[str, Any]:
    first = ("name", "label", "description", "parameters")
    listed = {key: spec[key] for key in first if key in spec}
    return {**listed, **{key: value for key, value in spec.items() if key not in first and key != "handler"}}


def _decoded(source: bytes) -> str | None:
    """The text, with its own line ends and byte order mark; None if it is not UTF-8."""
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError:
        return None
    # A coding comment may name another encoding.
    plain = source_text(source)
    return text if plain or not text.strip() else None


def _without_users(
    tools: list[_Proposed], text: str, modules: frozenset[str], handlers: Handlers, label: str
) -> list[_Proposed]:
    """The tools; those whose functions use the framework are no longer included."""
    used = {name for one in tools if one.included for name in handlers.names_in(one.handler)}
    if not without_framework(text, modules, used).left:
        return tools
    checked = []
    for one in tools:
        left = without_framework(text, modules, set(handlers.names_in(one.handler))).left if one.included else []
        why = [f"no spec can be written for it: line {line} uses {name} of {label}. Write this part without {label}" for line, name in left]
        checked.append(one._replace(included=False, notes=[*one.notes, *why]) if why else one)
    return checked
