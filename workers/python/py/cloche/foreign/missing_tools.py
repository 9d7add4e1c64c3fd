"""Messages about a file without specs: why it has no tools, where it stopped, and what it lacks."""

from __future__ import annotations

import inspect

from .browser_limits import Obstacle, usable, users_of
from .found import Inferred, Note
from .frameworks import framework_of
from .package_names import package_of, remedy
from .reading import Reading
from .source_nodes import GUARD, runs_application

_MOVE = "Move the tools out of it, to the top level of the file."
# Frameworks whose plugins are described outside of Python, and the method that runs one.
_PLUGINS = (("dify", "Dify", "_invoke"), ("taskweaver", "TaskWeaver", "__call__"))
_WEB_UI_KINDS = ("Pipe", "Filter", "Action", "Pipeline")


def reason(reading: Reading, missing: list[str]) -> Note:
    """The reason why the file has no tools, and a remedy. `missing`: modules that are missing."""

    def said(message: str, hint: str, line: int = 1) -> Note:
        return Note("no-specs", line, message, "a file that defines tools", hint)

    kind = next((one for one in _WEB_UI_KINDS if one in reading.defined), "")
    if kind and (reading.names_web_ui or not reading.frameworks) and not reading.builder:
        hint = "Only the methods of a class Tools are tools: move functions that a model should call into one."
        return said(f"it is a {kind.lower()} of Open WebUI, which has no tools", hint, reading.defined[kind])
    if reading.builder:
        return said(*_why_not_built(reading))
    unmarked = _unmarked_class(reading)
    if unmarked:
        return said(*unmarked)
    plugin = next(((label, method) for name, label, method in _PLUGINS if any(one.id == name for one in reading.frameworks)), None)
    if plugin:
        hint = f"Move the code of {plugin[1]}() into a function with typed parameters, and list the function in __all__ or TOOL_SPECS."
        return said(f"it is part of a {plugin[0]} plugin: its parameters are in a YAML file, not in Python", hint)
    if reading.is_script and not reading.frameworks:
        hint = "Move what it does into a function with typed parameters, and list the function in __all__ or TOOL_SPECS."
        return said("it is a command-line script: it reads its arguments from the command line", hint)
    label = reading.framework.label if reading.framework and reading.framework.id not in ("openai", "anthropic") else ""
    files = [one for one in missing if one.startswith(".") or not package_of(one)]
    named = ", ".join(f"{name}()" for name in reading.functions[:3])
    if label and files:
        own = f" If its own functions are tools, list them in __all__: {named}." if named else ""
        hint = f"Put {'these files' if len(files) > 1 else 'this file'} into the folder, if {'they are' if len(files) > 1 else 'it is'} yours."
        return said(f"it uses {label}, and its tools may come from modules that are missing: {', '.join(files[:5])}", hint + own)
    if label:
        hint = f"Mark functions as {label} does, or list them in __all__{f': {named}' if named else ''}."
        return said(f"it uses {label}, but defines no tool at its top level", hint)
    if named:
        hint = f'To make tools of them, write __all__ = ["{reading.functions[0]}"], or add TOOL_SPECS.'
        return said(f"it defines functions ({named}), but does not say which are tools", hint)
    if reading.has_schemas and reading.described_in:
        hint = "Define a function with the name of each tool at the top level, or a dict from names to functions."
        where = f"{reading.described_in}()" if reading.described_in != GUARD else 'the block of if __name__ == "__main__":'
        return said(f"{where} describes tools as data, but nothing at the top level runs them", hint)
    untyped = [name for name in reading.needed if not name.startswith("_") and name != "main"]
    if untyped:
        hint = "Annotate its parameters, for example text: str, and say in a docstring what it does."
        return said(f"{untyped[0]}() has neither types nor a docstring", hint, reading.defined[untyped[0]])
    return said(*_without_functions(reading))


def _unmarked_class(reading: Reading) -> tuple[str, str, int] | None:
    """The message, the hint and the line for a class Tools that has no mark of Open WebUI; None if there is none."""
    if reading.is_web_ui or not any(kind == "Tools" and not name.startswith("_") for name, kind in reading.methods.items()):
        return None
    hint = "If its methods are tools, begin the file with a docstring that has a line “title: …”, or add TOOL_SPECS."
    return "its class Tools has no mark of Open WebUI, such as Valves or __user__, so its methods may not be tools", hint, reading.defined["Tools"]


def left_out(reading: Reading, inferred: list[Inferred]) -> list[Note]:
    """A note about a class Tools whose methods are no tools in a file that has others."""
    unmarked = _unmarked_class(reading)
    used = any("Tools" in str(getattr(one.mark.target, "__qualname__", "")).split(".") for one in inferred)
    if not inferred or used or unmarked is None:
        return []
    message, hint, line = unmarked
    return [Note("foreign-class", line, message, "a class of Open WebUI", hint)]


def described_only(notes: list[Note]) -> Note | None:
    """The reason if the file describes tools as data, but nothing in it runs them, or if its class cannot be made; None
    otherwise."""
    unmade = next((one for one in notes if one.code == "foreign-constructor"), None)
    if unmade is not None:
        return Note("no-specs", unmade.line, f"its class {unmade.message}", "a file that defines tools", unmade.hint)
    said = [one for one in notes if one.code == "foreign-no-function"]
    if not said:
        return None
    names = ", ".join(one.expected.removeprefix("a function ") for one in said[:5])
    hint = "Define a function with the name of each tool, a dict from names to functions, or a function that takes name and arguments."
    return Note("no-specs", 1, f"it describes tools as data ({names}), but nothing in this file runs them", "a file that defines tools", hint)


def _without_functions(reading: Reading) -> tuple[str, str, int]:
    """The message, the hint and the line for a file without public functions."""
    shared = "If other files only import it, start its name with “_”."
    private = next((name for name in reading.needed if name.startswith("_")), "")
    if private:
        hint = f"Rename one to {private.lstrip('_') or 'a name without “_”'}, annotate its parameters, and add TOOL_SPECS. {shared}"
        return f"its functions have private names, such as {private}()", hint, reading.defined[private]
    if "main" in reading.needed:
        hint = "Move what main() does into a function with typed parameters, and list the function in __all__ or TOOL_SPECS."
        return "its only function is main()", hint, reading.defined["main"]
    classes = [name for name in reading.defined if name not in reading.needed]
    if not classes:
        return "it defines no functions", f"Define a function with typed parameters, and add TOOL_SPECS. {shared}", 1
    method = next((f"{kind}.{name}" for name, kind in reading.methods.items() if kind in classes and not name.startswith("_")), "")
    made = f" that calls {method}()" if method else f", for example def save(given: {classes[0]}) -> str"
    return f"it defines only classes ({', '.join(classes[:3])})", f"Define a function with typed parameters{made}, and add TOOL_SPECS. {shared}", reading.defined[classes[0]]


def _why_not_built(reading: Reading) -> tuple[str, str, int]:
    """The message, the hint and the line for a file whose tools are built in a function that has not run."""
    outer = reading.builder.partition(".")[0]
    kind = reading.methods.get(outer, "") if outer not in reading.defined else ""
    if kind:
        made = f"Create an object at the top level, for example server = {kind}()"
        hint = f"{made}." if outer == "__init__" else f"{made}, and call its {outer}() if its constructor does not."
        return f"its tools are built inside {kind}.{outer}(), which nothing calls when the file is imported", hint, reading.defined[kind]
    if outer in reading.registering:
        hint = "Let it add its tools before it uses values that only the application has."
        return f"its tools are built inside {outer}(), which fails", hint, reading.defined.get(outer, 1)
    if outer == GUARD:
        return 'its tools are built below if __name__ == "__main__":, and what they need cannot run', _MOVE, 1
    blocked = next((one for one in reading.obstacles if one.function == outer), None)
    if blocked:
        return f"its tools are built inside {outer}(), which {blocked.what} ({blocked.name})", f"{blocked.hint} {_MOVE}", blocked.line
    call = f"{outer}({', '.join(reading.needed.get(outer, ()))})"
    hint = f"Call it at the top level, for example tools = {call}, or move the tools out of it."
    if outer in reading.coroutines or runs_application(outer):
        hint = _MOVE
    return f"its tools are built inside {outer}(), which nothing calls when the file is imported", hint, reading.defined.get(outer, 1)


def function_name(found: Inferred) -> str:
    return str(getattr(inspect.unwrap(found.mark.target), "__name__", ""))


def cannot_run(reading: Reading, tools: list[tuple[str, str]]) -> list[Note]:
    """One note for each way in which tools fail in a browser, at its first line."""
    notes: list[Note] = []
    by_name: dict[str, list[Obstacle]] = {}
    for one in reading.obstacles:
        if one.function and one.function != GUARD:
            by_name.setdefault(one.name, []).append(one)
    for name, calls in by_name.items():
        failing = users_of((one.function for one in calls), reading.reads) | {one.function for one in calls}
        if any(function in failing for _, function in tools):
            first = calls[0]
            message = f"{first.function}() {first.what} ({name}), which fails in a browser"
            notes.append(Note("cannot-run-here", first.line, message, "code that a browser can run", f"{first.hint} {usable(tools, failing)}".strip()))
    return notes


def missing(reading: Reading, modules: list[str], tools: list[tuple[str, str]]) -> list[Note]:
    notes = []
    for module in modules:
        line = next((line for name, line in reading.imports.items() if name.partition(".")[0] == module), 1)
        full = next((name for name in reading.imports if name.partition(".")[0] == module and framework_of(name) is None), module)
        package = package_of(full)
        message = f"the package {package} is not installed" if package else f"the module {full} is not installed, and the name of its package is unknown"
        if module in reading.relative:
            line, message = reading.relative[module], f"the module {module} is not in this folder"
        names = [name for name, origin in reading.bound.items() if origin == module or origin.startswith(f"{module}.")]
        hint = f"{remedy(full)} {usable(tools, users_of(names, reading.reads))}".strip()
        notes.append(Note("needs-package", line, message, "installed packages", hint))
    return notes
