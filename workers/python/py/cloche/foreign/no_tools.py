"""Says why a file has no tools, or why its class Tools has none, and what to change.

The facts come from the source (`Reading`) and from the notes of the collection. `loading` adds the result to the report.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterable
from typing import NamedTuple

from .loaded_file import Inferred, Note
from .package_names import package_of
from .reading import Reading
from .syntax import GUARD
from .tool_syntax import runs_application

_MOVE_OUT = "Move the tools out of it, to the top level of the file."
_LIST_FUNCTION = "into a function with typed parameters, and list the function in __all__ or TOOL_SPECS."
_IS_SHARED = "If other files only import it, start its name with “_”."
_WEB_UI_KINDS = ("Pipe", "Filter", "Action", "Pipeline")


class _Reason(NamedTuple):
    message: str
    hint: str
    line: int = 1
    code: str = "no-specs"  # or lists-others, which the page shows only if the other files have no tools


def explain_no_tools(reading: Reading, missing: Iterable[str], root: str) -> Note:
    """The reason why the file has no tools, and a remedy. `missing`: modules that are not installed. `root`: the path of the
    tools folder."""
    label = reading.framework.label if reading.framework and reading.framework.id not in ("openai", "anthropic") else ""
    reason = (
        _explain_web_ui_kind(reading)
        or (_explain_maker(reading) if reading.first_maker else None)
        or _explain_unmarked_class(reading)
        or _explain_plugin(reading)
        or _explain_script(reading)
        or _explain_missing_files(reading, label, missing)
        or _explain_listed_imports(reading, root)
        or (_explain_framework(reading, label) if label else None)
        or _explain_functions(reading)
        or _explain_no_functions(reading)
    )
    return _note(reason)


def explain_unused_descriptions(notes: list[Note]) -> Note | None:
    """The reason if the file describes tools as data, but nothing in it runs them, or if its class cannot be created;
    None otherwise. `notes`: those of the collection."""
    uncreated = next((note for note in notes if note.code == "foreign-constructor"), None)
    if uncreated is not None:
        return _note(_Reason(f"its class {uncreated.message}", uncreated.hint, uncreated.line))
    described = [note.expected.removeprefix("a function ") for note in notes if note.code == "foreign-no-function"]
    if not described:
        return None
    hint = "Define a function with the name of each tool, a dict from names to functions, or a function that takes name and arguments."
    return _note(_Reason(f"it describes tools as data ({', '.join(described[:5])}), but nothing in this file runs them", hint))


def note_unmarked_class(reading: Reading, inferred: list[Inferred]) -> list[Note]:
    """A note if the file has tools, but the methods of its class Tools are not among them."""
    reason = _explain_unmarked_class(reading)
    is_used = any("Tools" in str(getattr(tool.mark.target, "__qualname__", "")).split(".") for tool in inferred)
    if not inferred or is_used or reason is None:
        return []
    return [Note("foreign-class", reason.line, reason.message, "a class of Open WebUI", reason.hint)]


def _note(reason: _Reason) -> Note:
    return Note(reason.code, reason.line, reason.message, "a file that defines tools", reason.hint)


def _explain_web_ui_kind(reading: Reading) -> _Reason | None:
    """A class such as Pipe, which is not the class Tools of Open WebUI."""
    kind = next((name for name in _WEB_UI_KINDS if name in reading.defined), "")
    if not kind or reading.first_maker or not (reading.names_web_ui or not reading.frameworks):
        return None
    hint = "Only the methods of a class Tools are tools: move functions that a model should call into one."
    return _Reason(f"it is a {kind.lower()} of Open WebUI, which has no tools", hint, reading.defined[kind])


def _explain_maker(reading: Reading) -> _Reason:
    """Tools that are built in a function or method, which has not run or has failed."""
    outer = reading.first_maker.partition(".")[0]
    kind = reading.methods.get(outer, "") if outer not in reading.defined else ""
    line = reading.defined.get(outer, 1)
    is_not_called = f"its tools are built inside {outer}(), which nothing calls when the file is imported"
    if kind:
        return _explain_building_method(reading, kind, outer)
    if outer in reading.server_parameters:
        hint = "Let it add its tools before it uses values that only the application has."
        return _Reason(f"its tools are built inside {outer}(), which fails", hint, line)
    if outer == GUARD:
        return _Reason('its tools are built below if __name__ == "__main__":, and what they need cannot run', _MOVE_OUT)
    blocked = next((obstacle for obstacle in reading.obstacles if obstacle.function == outer), None)
    if blocked:
        message = f"its tools are built inside {outer}(), which {blocked.what} ({blocked.name})"
        return _Reason(message, f"{blocked.hint} {_MOVE_OUT}", blocked.line)
    if outer in reading.coroutines or runs_application(outer):
        return _Reason(is_not_called, _MOVE_OUT, line)
    call = f"{outer}({', '.join(reading.needed.get(outer, ()))})"
    return _Reason(is_not_called, f"Call it at the top level, for example tools = {call}, or move the tools out of it.", line)


def _explain_building_method(reading: Reading, kind: str, method: str) -> _Reason:
    example = f"Create an object at the top level, for example server = {kind}()"
    hint = f"{example}." if method == "__init__" else f"{example}, and call its {method}() if its constructor does not."
    return _Reason(f"its tools are built inside {kind}.{method}(), which nothing calls when the file is imported", hint, reading.defined[kind])


def _explain_unmarked_class(reading: Reading) -> _Reason | None:
    """A class Tools that has no mark of Open WebUI."""
    if reading.is_web_ui or not any(kind == "Tools" and not name.startswith("_") for name, kind in reading.methods.items()):
        return None
    message = "its class Tools has no mark of Open WebUI, such as Valves or __user__, so its methods may not be tools"
    hint = "If its methods are tools, begin the file with a docstring that has a line “title: …”, or add TOOL_SPECS."
    return _Reason(message, hint, reading.defined["Tools"])


def _explain_plugin(reading: Reading) -> _Reason | None:
    if not any(framework.id == "dify" for framework in reading.frameworks):
        return None
    message = "it is part of a Dify plugin: its parameters are in a YAML file, not in Python"
    return _Reason(message, f"Move the code of _invoke() {_LIST_FUNCTION}")


def _explain_script(reading: Reading) -> _Reason | None:
    if not reading.is_script or reading.frameworks:
        return None
    return _Reason("it is a command-line script: it reads its arguments from the command line", f"Move what it does {_LIST_FUNCTION}")


def _explain_missing_files(reading: Reading, label: str, missing: Iterable[str]) -> _Reason | None:
    """A file of a framework, or one that lists tools, whose tools may come from a missing file."""
    files = [module for module in missing if module.startswith(".") or not package_of(module)]
    if not label:
        files = [module for module in files if any(f"{origin}.".startswith(f"{module}.") for origin in reading.listed_imports)]
    if not files:
        return None
    these, are, they = ("these files", "are", "they") if len(files) > 1 else ("this file", "is", "it")
    functions = _name_functions(reading)
    own = f" If its own functions are tools, list them in __all__: {functions}." if functions else ""
    uses = f"it uses {label}, and " if label else ""
    message = f"{uses}its tools may come from modules that are missing: {', '.join(files[:5])}"
    return _Reason(message, f"Put {these} into the folder, if {they} {are} yours.{own}")


def _explain_listed_imports(reading: Reading, root: str) -> _Reason | None:
    """A file that lists the functions of other files of the folder."""
    found: dict[str, list[str]] = {}
    for origin in reading.listed_imports:
        module, _, name = origin.lstrip(".").rpartition(".")
        path = module.replace(".", "/")
        file = next((one for one in (f"{path}.py", f"{path}/__init__.py") if os.path.isfile(f"{root}/{one}")), "")
        if file:
            found.setdefault(file, []).append(name)
    if not found:
        return None
    listed = ", ".join(f"{name}() from {file}" for file, names in found.items() for name in names[:3])
    file, names = next(iter(found.items()))
    if "/" in file or file.startswith("_"):  # such a file has no tools of its own
        hint = "To turn them into tools, add TOOL_SPECS to this file, with these functions as handlers."
    else:
        exported = ", ".join(f'"{name}"' for name in names)
        hint = f"To turn them into tools, write __all__ = [{exported}] in {file}, or add TOOL_SPECS there."
    return _Reason(f"it only lists functions that it imports ({listed})", hint, code="lists-others")


def _explain_framework(reading: Reading, label: str) -> _Reason:
    """A file of a framework that marks no function."""
    functions = _name_functions(reading)
    hint = f"Mark functions as {label} does, or list them in __all__{f': {functions}' if functions else ''}."
    return _Reason(f"it uses {label}, but defines no tool at its top level", hint)


def _explain_functions(reading: Reading) -> _Reason | None:
    """A file with functions, or with descriptions of tools, that does not say which functions are tools."""
    if reading.functions:
        hint = f'To turn them into tools, write __all__ = ["{reading.functions[0]}"], or add TOOL_SPECS.'
        return _Reason(f"it defines functions ({_name_functions(reading)}), but does not say which are tools", hint)
    if reading.has_schemas and reading.described_in:
        hint = "Define a function with the name of each tool at the top level, or a dict from names to functions."
        where = f"{reading.described_in}()" if reading.described_in != GUARD else 'the block of if __name__ == "__main__":'
        return _Reason(f"{where} describes tools as data, but nothing at the top level runs them", hint)
    untyped = next((name for name in reading.needed if not name.startswith("_") and name != "main"), "")
    if untyped:
        hint = "Annotate its parameters, for example text: str, and say in a docstring what it does."
        return _Reason(f"{untyped}() has neither types nor a docstring", hint, reading.defined[untyped])
    return None


def _explain_no_functions(reading: Reading) -> _Reason:
    """A file without public functions."""
    private = next((name for name in reading.needed if name.startswith("_")), "")
    if private:
        public = private.lstrip("_") or "a name without “_”"
        hint = f"Rename one to {public}, annotate its parameters, and add TOOL_SPECS. {_IS_SHARED}"
        return _Reason(f"its functions have private names, such as {private}()", hint, reading.defined[private])
    if "main" in reading.needed:
        return _Reason("its only function is main()", f"Move what main() does {_LIST_FUNCTION}", reading.defined["main"])
    classes = [name for name in reading.defined if name not in reading.needed]
    if not classes:
        return _Reason("it defines no functions", f"Define a function with typed parameters, and add TOOL_SPECS. {_IS_SHARED}")
    method = next((f"{kind}.{name}" for name, kind in reading.methods.items() if kind in classes and not name.startswith("_")), "")
    example = f" that calls {method}()" if method else f", for example def save(given: {classes[0]}) -> str"
    hint = f"Define a function with typed parameters{example}, and add TOOL_SPECS. {_IS_SHARED}"
    return _Reason(f"it defines only classes ({', '.join(classes[:3])})", hint, reading.defined[classes[0]])


def _name_functions(reading: Reading) -> str:
    return ", ".join(f"{name}()" for name in reading.functions[:3])
