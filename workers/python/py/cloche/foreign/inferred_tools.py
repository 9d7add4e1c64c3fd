"""Makes specs from marks: a unique name, the inferred parameters, and a handler that calls the function.

`collection` finds the marks. The specs have the format of TOOL_SPECS.
"""

from __future__ import annotations

import re
from types import MethodType

from ..limits import DESCRIPTION_CHARACTERS, NAME_CHARACTERS
from .adapters import make_handler
from .inference import Parameters, infer
from .instances import Instances
from .loaded_file import Inferred, Note
from .marks import Mark, text_of
from .place import Place
from .reading import Reading

MAX_TOOLS = 2_000
_SCHEMA_VALUES = 1_000_000  # a schema of fewer values is checked as text, which has a lower limit
_UNSAFE = re.compile(r"[^\w.\-]+")
_SPEC_FLAGS = ("requires_approval", "annotations", "timeout_s")


class InferredTools:
    """The tools of one file. `notes`: gets messages about marks that are not tools, or have a fault."""

    def __init__(self, place: Place, reading: Reading, instances: Instances, notes: list[Note]) -> None:
        self._place, self._instances, self._notes = place, instances, notes
        self._interrupts = _find_interrupts(place, reading)
        self._lines: dict[str, int] = {}  # first lines of the tools, by name
        # The functions of the tools by id, with the classes for which methods are tools: subclasses inherit them.
        self._targets: set[tuple[int, type | None]] = set()
        self.inferred: list[Inferred] = []
        self.implied: list[str] = []

    def add(self, mark: Mark, *, shares_function: bool = False, implied: bool = False, is_unmarked: bool = False) -> None:
        """Adds a tool, unless it is there already.

        `shares_function`: several tools have the same function. `implied`: the file may only export the function to
        other files. `is_unmarked`: nothing in the file says that the function is a tool.
        """
        if len(self.inferred) >= MAX_TOOLS:
            return
        name = mark.name or text_of(getattr(mark.target, "__name__", "")) or "tool"
        safe = self._make_safe(name)
        line = self._place.line_of(mark.target)
        # A method that several classes have is one tool, unless its marks name it.
        function = getattr(mark.target, "__func__", mark.target)
        target = (id(function), mark.owner if mark.name else None)
        # A file may make several tools from one function, each with its own name.
        is_renamed = mark.explicit and bool(mark.name) and safe not in self._lines
        if target in self._targets and not shares_function and not is_renamed:
            return
        if safe in self._lines:
            if not shares_function:
                message = f"the tool {name!r} is defined twice: the one at line {self._lines[safe]} is used"
                self._note("duplicate-name", line, message, "a different name for each tool", "Rename one of the two.")
            return
        spec, parameters = self._make_spec(mark, name, safe, line)
        if spec is None or parameters is None:
            return
        self._targets.add(target)
        self._lines[safe] = line
        self.inferred.append(Inferred(spec, mark, parameters, line, is_unmarked))
        if implied:
            self.implied.append(f"{self._place.stem}:{safe}")

    def has(self, name: str) -> bool:
        """Whether there is a tool of this name."""
        return self._make_safe(name) in self._lines

    def _make_safe(self, name: str) -> str:
        """The part of a tool's name after the module, without characters that names cannot have."""
        room = NAME_CHARACTERS - len(self._place.stem) - 1
        return _UNSAFE.sub("_", name.replace(":", "_").strip())[:room].strip("_") or "tool"

    def _make_spec(self, mark: Mark, name: str, safe: str, line: int) -> tuple[dict[str, object] | None, Parameters | None]:
        """The spec of a marked tool, and its parameters; None for a function whose parameters cannot be read."""
        try:
            parameters = infer(mark, mark.owner is not None and not isinstance(mark.target, MethodType))
            if _count_values(parameters.schema, {}) > _SCHEMA_VALUES:
                raise ValueError(f"its schema has more than {_SCHEMA_VALUES:,} values")
            handler = make_handler(mark, name, parameters, self._instances.find_maker(mark))
        except Exception as fault:
            message = f"the parameters of {name} cannot be read: {fault}"
            self._note("foreign-signature", line, message, "a function with a signature", "Write TOOL_SPECS for this tool.")
            return None, None
        if not parameters.description:
            hint = "Say in a docstring what the tool does: the model uses it to choose a tool."
            self._note("no-description", line, f"{name} has no description: a model only sees its name", "a docstring", hint)
        spec: dict[str, object] = {
            "name": f"{self._place.stem}:{safe}",
            "description": parameters.description[:DESCRIPTION_CHARACTERS] or name,
            "parameters": parameters.schema,
            "handler": handler,
        }
        if safe != name:
            spec["label"] = name
        spec.update({key: value for key, value in mark.flags.items() if key in _SPEC_FLAGS})
        if name in self._interrupts:
            spec["requires_approval"] = True
        return spec, parameters

    def _note(self, code: str, line: int, message: str, expected: str, hint: str) -> None:
        self._notes.append(Note(code, line, message, expected, hint))


def _count_values(value: object, known: dict[int, int]) -> int:
    """The number of values in a schema as text. `known`: those of its parts, by id: as text, a part that is in many places
    is as long as all of them."""
    if not isinstance(value, (dict, list)):
        return 1
    if id(value) not in known:
        parts = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_count_values(part, known) for part in parts)
    return known[id(value)]


def _find_interrupts(place: Place, reading: Reading) -> set[str]:
    """The names of tools that wait for the user, as interrupt_on={…} in the source or in a variable says."""
    found = {name for name, is_tool in reading.interrupts.items() if is_tool}
    for name in reading.interrupts:
        given = vars(place.module).get(name)
        if isinstance(given, dict):
            found.update(key for key, value in given.items() if value is not False and value is not None)
    return found
