"""Records of a file without specs: inferred specs, messages and settings."""

from __future__ import annotations

from typing import Literal, NamedTuple

from .inference import Parameters
from .marks import Mark
from .settings import Setting, Values

# When typed functions become tools that nothing in the file marks.
Unmarked = Literal["never", "if-none", "always"]


class Options(NamedTuple):
    """Options for loading a file."""

    unmarked: Unmarked = "never"
    settings: Values = {}


class Note(NamedTuple):
    """A message about a file: a problem at a line."""

    code: str
    line: int
    message: str
    expected: str
    hint: str
    severity: str = "warning"


class Inferred(NamedTuple):
    """An inferred spec, and what it was inferred from."""

    spec: dict[str, object]
    mark: Mark
    parameters: Parameters
    line: int
    is_unmarked: bool  # whether nothing in the file says that the function is a tool


class Found(NamedTuple):
    """The specs of a file, in the format of TOOL_SPECS, and messages about it."""

    specs: list[dict[str, object]]
    notes: list[Note]
    implied: list[str]  # names of tools that the file does not mark: it may only export them to other files
    inferred: list[Inferred]  # one for each spec
    settings: list[Setting]  # those that classes declare
