"""The report on one tool file, written as JSON text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .failures import describe
from .folder import Folder
from .handlers import code_of, kind_of, name_of, takes_more
from .json_text import encode_plain, encode_strict, quote
from .limits import MEGABYTE, PROBLEMS, REPORT_CHARACTERS, SPEC_VALUES
from .problems import Fault, Problem
from .spec_places import Place
from .spec_options import DEFAULTS
from .specs import ToolSpec

if TYPE_CHECKING:
    from .foreign.loading import ForeignFile
    from .foreign.settings import Setting

_DEFAULT_OPTIONS = encode_plain(DEFAULTS)


class Report:
    """Collects tools and problems of `file`."""

    def __init__(self, file: str, folder: Folder, now: Callable[[], float]) -> None:
        self.file = file
        self.no_specs = False
        self.extension = False
        self.framework = ""  # JSON text: for which framework the file was written, and its stand-ins
        self.implied: list[str] = []  # names of tools that the file may only export to other files
        self.settings = ""  # JSON text: the settings that the file declares
        self.reason = ""  # JSON text: why the file has no tools
        self.imports: list[str] = []
        self.output = ""
        self._root = folder.root + "/"
        self._now = now
        self._started = now()
        self._tools: list[str] = []
        self._problems: list[Problem] = []
        self._unlisted = 0
        self._characters = 0

    @property
    def is_full(self) -> bool:
        """Whether further problems are only counted, so that their places need not be found."""
        return len(self._problems) >= PROBLEMS

    def add_problem(self, problem: Problem) -> None:
        """Adds a problem; beyond the limit, only counts it."""
        if self.is_full:
            self._unlisted += 1
        else:
            self._problems.append(problem)

    def add_fault(self, fault: Fault, place: Place | None, tool: str = "") -> None:
        """Adds a fault of a spec, found at `place`; `tool` is the name of that spec, if it has a valid one."""
        line, column = place or (1, None)
        self.add_problem(
            Problem(
                fault.severity,
                fault.code,
                self.file,
                line,
                column,
                fault.message,
                fault.expected,
                fault.hint,
                fault.tool or tool,
            )
        )

    def take_foreign(self, foreign: ForeignFile) -> None:
        """Records the contents of a file without TOOL_SPECS."""
        if foreign.label:
            listed = ",".join(map(quote, foreign.stand_ins))
            self.framework = f'"framework": {{"name":{quote(foreign.label)},"standIns":[{listed}]}}, '
        if foreign.reason:
            code, line, message, _, hint, _ = foreign.reason
            lists_others = ',"listsOthers":true' if code == "lists-others" else ""
            self.reason = f'"reason":{{"line":{line},"message":{quote(message)},"hint":{quote(hint)}{lists_others}}},'
        self.implied = foreign.implied
        self.take_settings(foreign.settings)
        for note in foreign.notes:
            place = (note.severity, note.code, self.file, note.line, None)
            self.add_problem(Problem(*place, note.message, note.expected, note.hint))

    def take_settings(self, settings: list[Setting]) -> None:
        """Records the settings that the file declares."""
        self.settings = _settings_text(settings)

    def add_tool(self, spec: ToolSpec, place: Place | None) -> None:
        """Adds a tool whose spec starts at `place`."""
        if self._characters > REPORT_CHARACTERS:
            return
        code = code_of(spec.handler)
        inside = code is not None and code.co_filename.startswith(self._root)
        file = code.co_filename.removeprefix(self._root) if code is not None and inside else None
        first = code.co_firstlineno if code is not None else None
        line, column = place or (first if file == self.file and first else 1, None)
        options = _DEFAULT_OPTIONS if spec.options is DEFAULTS else encode_plain(spec.options)
        more = '"takesMore": true, ' if takes_more(spec.handler) else ""
        # The schema is inserted as its own text, so that nothing in it changes.
        text = (
            f'{{"name": {quote(spec.name)}, "label": {quote(spec.label)}, '
            f'"description": {quote(spec.description)}, '
            f'"source": {{"file": {quote(self.file)}, "line": {line}, "column": {_or_null(column)}}}, '
            f'"handler": {{"kind": "{kind_of(spec.handler)}", "name": {quote(name_of(spec.handler))}, '
            f'"file": {"null" if file is None else quote(file)}, "line": {_or_null(first if inside else None)}}}, '
            f'"takesContext": {"true" if spec.takes_context else "false"}, '
            f'{more}{options[1:-1]}, {self.framework}"parameters": {spec.parameters_text}}}'
        )
        # Every value but the first follows one of these; those inside strings are counted too, for speed.
        if text.count(",") + text.count("{") + text.count("[") > SPEC_VALUES:
            message = f"the schemas and examples of {spec.name} have more than {SPEC_VALUES:,} values"
            hint = "Shorten enumerations and examples, or let the tool look values up itself."
            self.add_problem(
                Problem("error", "too-large", self.file, line, column, message, f"at most {SPEC_VALUES:,}", hint)
            )
            return
        self._tools.append(text)
        self._characters += len(text)

    def to_json(self) -> str:
        """The report as JSON; without its tools if it would be too large."""
        if self._characters > REPORT_CHARACTERS:
            limit = REPORT_CHARACTERS // MEGABYTE
            self._tools.clear()
            message = f"the specs of this file are larger than {limit} MB"
            hint = "Split the file, or shorten descriptions and schemas."
            self._problems.insert(
                0, self._of_file("too-large", message, f"at most {limit} MB of specs in a file", hint)
            )
        if self._unlisted:
            message = f"{self._unlisted:,} more problems are not listed"
            self._problems.append(
                self._of_file("more-problems", message, "no problems", "Fix the listed problems first.")
            )
        problems = ",".join([problem.to_json() for problem in self._problems])
        extension = '"extension":true,' if self.extension else ""
        implied = f'"implied":{encode_plain(self.implied)},' if self.implied else ""
        no_specs = f'{extension}{implied}"noSpecs":{"true" if self.no_specs else "false"},{self.reason}{self.settings}'
        # The number is whole, since JavaScript would write 12.340 differently: the page would then
        # look at each number of the report.
        duration = round((self._now() - self._started) * 1_000)
        return (
            f'{{"file":{quote(self.file)},{no_specs}"tools":[{",".join(self._tools)}],"problems":[{problems}],'
            f'"imports":{encode_plain(self.imports)},"output":{quote(self.output)},"durationMs":{duration}}}'
        )

    def write_failure(self, error: BaseException) -> str:
        """A report that only says that inspecting the file failed."""
        problem = self._of_file(
            "inspection-fails",
            f"inspecting the file raised {describe(error)}",
            "a file that does not change Python itself",
            "Do not change built-in functions or standard modules in a tool file.",
        )
        return (
            f'{{"file":{quote(self.file)},"tools":[],"problems":[{problem.to_json()}],'
            f'"noSpecs":false,"imports":[],"output":"","durationMs":0}}'
        )

    def _of_file(self, code: str, message: str, expected: str, hint: str) -> Problem:
        return Problem("error", code, self.file, 1, None, message, expected, hint)


def _settings_text(settings: list[Setting]) -> str:
    """The member of the report for the settings of a file, as JSON text; empty if it has none."""
    texts = []
    for group, name, schema, required, secret in settings:
        try:
            schema_text = encode_strict(schema)
        except (TypeError, ValueError, RecursionError):  # an example that is not JSON
            schema_text = "{}"
        flags = f'"required":{"true" if required else "false"},"secret":{"true" if secret else "false"}'
        texts.append(f'{{"group":{quote(group)},"name":{quote(name)},"schema":{schema_text},{flags}}}')
    return f'"settings":[{",".join(texts)}],' if texts else ""


def _or_null(number: int | None) -> str:
    """A number as JSON text."""
    return "null" if number is None else str(number)
