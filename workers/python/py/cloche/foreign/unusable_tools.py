"""Notes about tools that are listed but fail when they are called: their code does what a browser cannot do, or needs a
package that is not installed. Each note says which tools of the file work nevertheless.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping

from .browser_limits import Obstacle
from .frameworks import framework_of
from .loaded_file import Inferred, Note
from .package_names import package_of, remedy
from .reading import Reading
from .syntax import GUARD

# The name of each tool, with the name of its function.
Tools = list[tuple[str, str]]


def list_tools(inferred: Iterable[Inferred]) -> Tools:
    """The names of the tools and of their functions, as the other functions of this module need them."""
    return [(str(tool.spec["name"]), str(getattr(inspect.unwrap(tool.mark.target), "__name__", ""))) for tool in inferred]


def note_obstacles(reading: Reading, tools: Tools) -> list[Note]:
    """One note for each way in which tools fail in a browser, at its first line."""
    by_name: dict[str, list[Obstacle]] = {}
    for obstacle in reading.obstacles:
        if obstacle.function and obstacle.function != GUARD:
            by_name.setdefault(obstacle.name, []).append(obstacle)
    notes: list[Note] = []
    for name, calls in by_name.items():
        callers = {call.function for call in calls}
        failing = _find_users(callers, reading.reads) | callers
        if any(function in failing for _, function in tools):
            first = calls[0]
            message = f"{first.function}() {first.what} ({name}), which fails in a browser"
            hint = f"{first.hint} {_say_working(tools, failing)}".strip()
            notes.append(Note("cannot-run-here", first.line, message, "code that a browser can run", hint))
    return notes


def note_missing_modules(reading: Reading, modules: Iterable[str], tools: Tools) -> list[Note]:
    """One note for each module that is not installed and has no stand-in."""
    return [_note_missing_module(reading, module, tools) for module in modules]


def _note_missing_module(reading: Reading, module: str, tools: Tools) -> Note:
    line = next((line for name, line in reading.imports.items() if name.partition(".")[0] == module), 1)
    full = next((name for name in reading.imports if name.partition(".")[0] == module and framework_of(name) is None), module)
    package = package_of(full)
    if module in reading.relative:
        line, message = reading.relative[module], f"the module {module} is not in this folder"
    elif package:
        message = f"the package {package} is not installed"
    else:
        message = f"the module {full} is not installed, and the name of its package is unknown"
    names = [name for name, origin in reading.bound.items() if origin == module or origin.startswith(f"{module}.")]
    hint = f"{remedy(full)} {_say_working(tools, _find_users(names, reading.reads))}".strip()
    return Note("needs-package", line, message, "installed packages", hint)


def _find_users(names: Iterable[str], reads: Mapping[str, set[str]]) -> set[str]:
    """The functions that read one of these names, also through other functions. `reads`: the names that each reads."""
    found: set[str] = set()
    wanted = set(names)
    while True:
        more = {function for function, read in reads.items() if function not in found and read & wanted}
        if not more:
            return found
        found |= more
        wanted = more


def _say_working(tools: Tools, failing: set[str]) -> str:
    """The sentence that says which tools work. `failing`: the functions that do not."""
    works = [name for name, function in tools if function not in failing]
    if len(works) == len(tools):
        return "No tool uses it."
    if not works:
        return "No tool of this file works without it." if len(tools) > 1 else ""
    more = f" and {len(works) - 5} more" if len(works) > 5 else ""
    return f"These tools work: {', '.join(works[:5])}{more}."
