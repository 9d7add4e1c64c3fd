"""Records of a file without TOOL_SPECS: how it is loaded, the tools that are inferred, and messages about it."""

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


class Collected(NamedTuple):
    """The tools of a file, and messages about it."""

    inferred: list[Inferred]
    notes: list[Note]
    implied: list[str]  # names of tools that the file does not mark: it may only export them to other files
    settings: list[Setting]  # those that classes declare
